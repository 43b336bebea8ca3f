/* An emulator with a Cortex-A8's performance monitor in it: the whole of what it takes.
 *
 *     cc emulator_loop.c $(pkg-config --cflags --libs libarmpmu)
 *
 * The emulator is a toy: eight kinds of A32 instruction, one cycle each, lr and spsr of one
 * exception at a time. What it does with the monitor is what a real one does:
 *
 * - it posts signals for what it executes;
 * - MRC and MCR go to the device, and an outcome that is not ARMPMU_DONE raises Undefined;
 * - the output callback drives the interrupt input, looked at before every instruction;
 * - the pin USER_MODE follows the CPSR.
 *
 * The guest program counts the instructions of its own loop, is interrupted when the counter wraps,
 * and in the end is refused the cycle counter in User mode. It exits 0 if every count is the one
 * worked out beside the program. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "armpmu/pmu.h"

enum { MODE_USER = 0x10, MODE_IRQ = 0x12, MODE_SVC = 0x13, MODE_UND = 0x1b, MODE_MASK = 0x1f };
enum { CPSR_I = 1 << 7, CPSR_Z = 1 << 30 };
enum { VECTOR_UNDEFINED = 0x04, VECTOR_IRQ = 0x18 };
enum { LR = 14, PC = 15 };

#define BRANCH_TO_ITSELF 0xeafffffe

static const uint32_t program[] = {
    0xea00000b, /* 00  b     start           the vectors: reset                              */
    0xea000008, /* 04  b     undefined       Undefined Instruction                           */
    0xeafffffe, /* 08  b     .                                                               */
    0xeafffffe, /* 0c  b     .                                                               */
    0xeafffffe, /* 10  b     .                                                               */
    0xeafffffe, /* 14  b     .                                                               */
    /*                 irq:                  five instructions, counted like all others      */
    0xe3a08001, /* 18  mov   r8, #1                                                          */
    0xee098f7c, /* 1c  mcr   FLAG, r8        clears the flag of PMCNT0: the line goes away   */
    0xe2816000, /* 20  add   r6, r1, #0      where the loop was                              */
    0xe2877001, /* 24  add   r7, r7, #1      interrupts taken                                */
    0xe25ef004, /* 28  subs  pc, lr, #4      returns                                         */
    /*                 undefined:                                                            */
    0xe2855001, /* 2c  add   r5, r5, #1      Undefined exceptions taken                      */
    0xe25ef000, /* 30  subs  pc, lr, #0      returns behind the instruction                  */
    /*                 start:                                                                */
    0xf1080080, /* 34  cpsie i                                                               */
    0xe3a00000, /* 38  mov   r0, #0                                                          */
    0xee090fbc, /* 3c  mcr   PMNXSEL, r0     of event counter 0:                             */
    0xe3a00008, /* 40  mov   r0, #8                                                          */
    0xee090f3d, /* 44  mcr   EVTSEL, r0      it counts event 0x08, instructions executed     */
    0xe3e00063, /* 48  mvn   r0, #99         -100                                            */
    0xee090f5d, /* 4c  mcr   PMCNT, r0       it wraps at the 100th                           */
    0xe3a00001, /* 50  mov   r0, #1                                                          */
    0xee090f3e, /* 54  mcr   INTENS, r0      and interrupts then                             */
    0xe3a00106, /* 58  mov   r0, #0x80000001                                                 */
    0xee090f3c, /* 5c  mcr   CNTENS, r0      CCNT and event counter 0 are enabled            */
    0xe3a00005, /* 60  mov   r0, #5                                                          */
    0xee090f1c, /* 64  mcr   PMNC, r0        C and E: CCNT = 0, go          1 instruction    */
    0xe3a0103c, /* 68  mov   r1, #60                                        1                */
    /*                 loop:                                                                 */
    0xe2511001, /* 6c  subs  r1, r1, #1                                                      */
    0x1afffffd, /* 70  bne   loop            60 times 2                     120              */
    0xe3a00000, /* 74  mov   r0, #0                                         1                */
    0xee090f1c, /* 78  mcr   PMNC, r0        stop: does not count itself                     */
    0xee192f5d, /* 7c  mrc   r2, PMCNT                                                       */
    0xee193f1d, /* 80  mrc   r3, CCNT                                                        */
    0xf1020010, /* 84  cps   #0x10           to User mode                                    */
    0xee194f1d, /* 88  mrc   r4, CCNT        Undefined, for USEREN.EN is 0                   */
    0xeafffffe, /* 8c  b     .               the end                                         */
};

/* 123 instructions, and 5 of the interrupt handler. PMCNT0 began at -100. The 100th is
 * 1 + 1 + 49 times 2, so the interrupt finds the loop with 60 - 49 rounds to go. */
enum { EXECUTED = 1 + 1 + 60 * 2 + 1 + 5, ROUNDS_LEFT = 60 - (100 - 2) / 2 };

struct machine {
    uint32_t r[16]; /* r[PC]: the next instruction */
    uint32_t cpsr, spsr;
    bool irq;
    struct armpmu *pmu;
};

static void drive_irq(void *user, enum armpmu_output output, bool asserted)
{
    struct machine *const m = user;
    if (output == ARMPMU_OUTPUT_PMUIRQ)
        m->irq = asserted;
}

static void set_cpsr(struct machine *m, uint32_t cpsr)
{
    m->cpsr = cpsr;
    armpmu_set_pin(m->pmu, ARMPMU_PIN_USER_MODE, (cpsr & MODE_MASK) == MODE_USER);
}

static void take_exception(struct machine *m, uint32_t vector, uint32_t mode, uint32_t lr)
{
    m->spsr = m->cpsr;
    m->r[LR] = lr;
    m->r[PC] = vector;
    set_cpsr(m, (m->cpsr & ~(uint32_t)MODE_MASK) | mode | CPSR_I);
}

/* MRC and MCR. Returns whether the instruction executed. */
static bool move_coprocessor(struct machine *m, uint32_t insn)
{
    uint32_t *const rt = &m->r[insn >> 12 & 15];
    const unsigned coproc = insn >> 8 & 15, op1 = insn >> 21 & 7, op2 = insn >> 5 & 7;
    const unsigned crn = insn >> 16 & 15, crm = insn & 15;

    if (insn >> 20 & 1)
        return armpmu_mrc(m->pmu, coproc, op1, crn, crm, op2, rt) == ARMPMU_DONE;
    return armpmu_mcr(m->pmu, coproc, op1, crn, crm, op2, *rt) == ARMPMU_DONE;
}

/* MOV, MVN, ADD and SUB of an immediate. SUBS to the PC returns from an exception. */
static bool move_or_add(struct machine *m, uint32_t insn)
{
    const unsigned rd = insn >> 12 & 15, turn = insn >> 7 & 30;
    const uint32_t rn = m->r[insn >> 16 & 15], byte = insn & 255;
    const uint32_t value = turn == 0 ? byte : byte >> turn | byte << (32 - turn);

    switch (insn >> 21 & 15) {
    case 2:
        m->r[rd] = rn - value;
        break;
    case 4:
        m->r[rd] = rn + value;
        break;
    case 13:
        m->r[rd] = value;
        break;
    case 15:
        m->r[rd] = ~value;
        break;
    default:
        return false;
    }
    if ((insn >> 20 & 1) && rd == PC)
        set_cpsr(m, m->spsr);
    else if (insn >> 20 & 1)
        m->cpsr = m->r[rd] == 0 ? m->cpsr | CPSR_Z : m->cpsr & ~(uint32_t)CPSR_Z;
    return true;
}

/* One instruction; the PC stands behind it. Returns whether it executed. */
static bool execute(struct machine *m, uint32_t insn)
{
    if (insn == 0xf1080080)
        set_cpsr(m, m->cpsr & ~(uint32_t)CPSR_I);
    else if (insn == 0xf1020010)
        set_cpsr(m, (m->cpsr & ~(uint32_t)MODE_MASK) | MODE_USER);
    else if (insn >> 28 == 1 && (m->cpsr & CPSR_Z))
        return true; /* NE fails: executed, to no effect */
    else if ((insn >> 24 & 15) == 10)
        m->r[PC] += 4 + ((insn & 0xffffff) << 2 | (insn & 0x800000 ? 0xfc000000 : 0));
    else if ((insn >> 24 & 15) == 14 && (insn >> 4 & 1))
        return move_coprocessor(m, insn);
    else if ((insn >> 25 & 7) == 1)
        return move_or_add(m, insn);
    else
        return false;
    return true;
}

/* The emulator loop. Runs until a branch to itself. */
static void run(struct machine *m)
{
    for (;;) {
        if (m->irq && !(m->cpsr & CPSR_I))
            take_exception(m, VECTOR_IRQ, MODE_IRQ, m->r[PC] + 4);
        const uint32_t insn = program[m->r[PC] / 4];
        if (insn == BRANCH_TO_ITSELF)
            return;
        m->r[PC] += 4;
        if (!execute(m, insn)) {
            take_exception(m, VECTOR_UNDEFINED, MODE_UND, m->r[PC]);
            continue;
        }
        armpmu_post(m->pmu, ARMPMU_SIGNAL_INST_RETIRED, 1);
        armpmu_post(m->pmu, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    }
}

static int wrong(const char *what, uint32_t got, uint32_t want)
{
    printf("%-28s %6" PRId32 "%s\n", what, (int32_t)got, got == want ? "" : "  WRONG");
    return got != want;
}

int main(void)
{
    static union armpmu_memory memory;
    struct machine m = {.cpsr = MODE_SVC | CPSR_I};
    const struct armpmu_config config = {.core = "cortex-a8", .output = drive_irq, .user = &m};
    struct armpmu_error error;

    if (armpmu_create(&memory, sizeof memory, &config, &m.pmu, &error) != ARMPMU_OK) {
        fprintf(stderr, "emulator_loop: %s\n", error.message);
        return 1;
    }
    run(&m);

    int n_wrong = wrong("PMCNT0", m.r[2], EXECUTED - 100);
    n_wrong += wrong("CCNT", m.r[3], EXECUTED);
    n_wrong += wrong("interrupts", m.r[7], 1);
    n_wrong += wrong("rounds left at the interrupt", m.r[6], ROUNDS_LEFT);
    n_wrong += wrong("Undefined exceptions", m.r[5], 1);
    n_wrong += wrong("CCNT as User mode read it", m.r[4], 0);
    return n_wrong == 0 ? 0 : 1;
}

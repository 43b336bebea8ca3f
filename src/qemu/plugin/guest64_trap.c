/* Exceptions that a refused access to the activity monitors is taken to.
 *
 * QEMU's processor has no activity monitors: left alone, it takes its own Undefined exception with
 * all that belongs to it. Nothing else is needed where the device answers Undefined.
 *
 * A trap must arrive in a higher Exception level, with a syndrome that says which register it was.
 * The plugin interface writes general registers and PSTATE, but no system register. So PSTATE is
 * given the target level, with SP_EL0 selected, just before QEMU takes the exception: it arrives
 * at the vector of "current level with SP_EL0", which systems leave unused. There a stub of a
 * few MSR waits, written over the vector's code, and sets right what QEMU could not know: ESR, SPSR
 * and the stack pointers. After it the registers it was lent and the vector's code come back, and
 * execution continues at the vector for a lower level, as if it had come there at once.
 *
 * QEMU's processor has a PMUv3 of its own, which would answer. An undefined instruction replaces a
 * refused access to it (guest_pmu_access.c), and where that is reached the trap
 * begins.
 *
 * Processors that are in a stub at the same vector share its words. A stub may be interrupted
 * by a higher Exception level, which may cause a trap to a still higher one: each level has an
 * stub of its own. One that is not come back from ends when the next one to its level begins.
 * CHOICE(guest-trap-vector): nothing else uses that vector meanwhile; interrupts to a higher level
 * may come in between. */
#include "qemu/plugin/guest64.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "cosim/el_state.h"

#define VECTOR_MASK  0x7ffu
#define VECTOR_BYTES 0x80u

#define STUB_WRITES 5u
#define NOP         0xd503201fu

/* MSR S3_<op1>_C<crn>_C<crm>_<op2>, X<rt> */
#define MSR_WORD(op1, crn, crm, op2, rt)                                                           \
    (0xd5180000u | (op1) << 16 | (crn) << 12 | (crm) << 8 | (op2) << 5 | (rt))

#define SP_EL0_FROM(rt) MSR_WORD(0u, 4u, 1u, 0u, rt)
#define SP_EL1_FROM(rt) MSR_WORD(4u, 4u, 1u, 0u, rt)
#define SP_EL2_FROM(rt) MSR_WORD(6u, 4u, 1u, 0u, rt)
#define ESR_FROM(op1)   MSR_WORD(op1, 5u, 2u, 0u, 0u)
#define SPSR_FROM(op1)  MSR_WORD(op1, 4u, 0u, 0u, 1u)

/* The stub of each Exception level: ESR from X0, SPSR from X1, SP_EL0, 1 and 2 from
 * X2, X3 and X4 as far as they are those of lower levels. It ends before the last NOP. */
static const uint32_t stub[4][STUB_WRITES + 1] = {
    [1] = {ESR_FROM(0u), SPSR_FROM(0u), SP_EL0_FROM(2u), NOP, NOP, NOP},
    [2] = {ESR_FROM(4u), SPSR_FROM(4u), SP_EL0_FROM(2u), SP_EL1_FROM(3u), NOP, NOP},
    [3] = {ESR_FROM(6u), SPSR_FROM(6u), SP_EL0_FROM(2u), SP_EL1_FROM(3u), SP_EL2_FROM(4u), NOP},
};

#define STUB_BYTES sizeof stub[0]

#define VECTORS_MAX (3 * GUEST_CPUS_MAX) /* each processor's stub in EL1, EL2 and EL3 */

/* Vectors that have a stub in them. Translation looks at addresses without the lock: QEMU holds
 * one of its own there that writing code takes. */
static struct {
    pthread_mutex_t lock;
    struct trap_vector {
        _Atomic uint64_t address;
        uint64_t physical;
        unsigned users; /* 0: free */
        unsigned level;
        uint8_t code[STUB_BYTES];
    } vector[VECTORS_MAX];
} vectors = {.lock = PTHREAD_MUTEX_INITIALIZER};

#define NO_VECTOR UINT64_MAX

/* ---- before QEMU takes the exception ---- */

static uint64_t stack_pointer(const struct guest_cpu *cpu, unsigned level, unsigned selected)
{
    return level == selected ? qemu_api_register_read(cpu->sp)
                             : guest64_state_of(cpu, (enum guest64_state)(STATE_SP_EL0 + level));
}

/* The exception that was called last is the one that is taken. */
static void forget_calls(struct guest64 *a64)
{
    for (unsigned level = 1; level < 4; level++)
        if (a64->trap[level].stage == TRAP_CALLED)
            a64->trap[level].stage = TRAP_NONE;
}

void guest64_trap(struct guest_cpu *cpu, uint64_t address, const struct cosim_exception *what)
{
    const uint32_t pstate = (uint32_t)qemu_api_register_read(cpu->cpsr);
    const unsigned selected = pstate & PSTATE_SP ? pstate_level(pstate) : 0;

    forget_calls(cpu->a64);
    struct guest64_trap *const trap = &cpu->a64->trap[what->level];
    trap->stage = TRAP_CALLED;
    trap->from = address;
    trap->value[0] = what->syndrome;
    trap->value[1] = pstate;
    for (unsigned i = 0; i < 3; i++)
        trap->value[2 + i] = stack_pointer(cpu, i, selected);
    qemu_api_register_write(cpu->cpsr, (pstate & ~PSTATE_LEVEL) | what->level << 2);
}

bool guest64_qemu_has(uint32_t word)
{
    struct sysreg_insn insn;

    return sysreg_insn_decode(ARMPMU_A64, word, &insn) &&
           monitor_cores_at(&guest.cores, &insn.at)->pmu_version != 0;
}

void guest64_defer_trap(struct guest_cpu *cpu, const struct cosim_exception *what)
{
    cpu->a64->deferred = *what;
}

/* Nothing but the trap that was deferred put it there, or it is the guest's own. */
void guest64_at_undefined(unsigned vcpu, void *address)
{
    struct guest_cpu *const cpu = guest.cpus[vcpu];
    const struct cosim_exception what = cpu->a64->deferred;

    cpu->a64->deferred.level = 0;
    if (what.level != 0 && guest_is_refused(cpu, (uintptr_t)address))
        guest64_trap(cpu, (uintptr_t)address, &what);
}

/* ---- the vector ---- */

static struct trap_vector *find_vector(uint64_t address, uint64_t physical)
{
    for (size_t i = 0; i < VECTORS_MAX; i++) {
        struct trap_vector *const vector = &vectors.vector[i];
        if (vector->users > 0 && vector->address == address && vector->physical == physical)
            return vector;
    }
    return NULL;
}

/* There are as many as stub that can be under way. */
static struct trap_vector *new_vector(uint64_t address, uint64_t physical, unsigned level)
{
    struct trap_vector *vector = vectors.vector;

    while (vector->users > 0)
        vector++;
    vector->physical = physical;
    vector->level = level;
    vector->address = address;
    return vector;
}

static bool has_stub(const struct trap_vector *vector)
{
    uint8_t found[STUB_BYTES];

    return qemu_api_code_read(vector->address, found, STUB_BYTES) &&
           memcmp(found, stub[vector->level], STUB_BYTES) == 0;
}

static bool write_stub(struct trap_vector *vector)
{
    const uint64_t at = vector->address;

    return qemu_api_code_read(at, vector->code, STUB_BYTES) &&
           qemu_api_code_write(at, (const uint8_t *)stub[vector->level], STUB_BYTES) &&
           has_stub(vector);
}

static void place_stub(struct guest64_trap *trap, unsigned level)
{
    pthread_mutex_lock(&vectors.lock);
    struct trap_vector *vector = find_vector(trap->at, trap->physical);
    if (vector == NULL) {
        vector = new_vector(trap->at, trap->physical, level);
        if (!write_stub(vector)) {
            char reason[160];
            snprintf(reason, sizeof reason,
                     "a trap to EL%u: the vectors at 0x%" PRIx64
                     " cannot be written to; place them in RAM",
                     level, trap->at);
            guest_die(reason);
        }
    }
    vector->users++;
    trap->placed = true;
    pthread_mutex_unlock(&vectors.lock);
}

/* After a reset other code may be there. */
static void remove_stub(struct guest64_trap *trap)
{
    if (!trap->placed)
        return;
    pthread_mutex_lock(&vectors.lock);
    struct trap_vector *const vector = find_vector(trap->at, trap->physical);
    if (--vector->users == 0) {
        if (has_stub(vector))
            qemu_api_code_write(trap->at, vector->code, STUB_BYTES);
        vector->address = NO_VECTOR;
    }
    trap->placed = false;
    pthread_mutex_unlock(&vectors.lock);
}

void guest64_forget_traps(struct guest_cpu *cpu)
{
    for (unsigned level = 1; level < 4; level++) {
        remove_stub(&cpu->a64->trap[level]);
        cpu->a64->trap[level].stage = TRAP_NONE;
    }
}

static void begin_stub(struct guest_cpu *cpu, unsigned level, uint64_t at)
{
    struct guest64_trap *const trap = &cpu->a64->trap[level];
    uint64_t physical = at;

    (void)qemu_api_qemu_plugin_translate_vaddr(at, &physical);
    if (trap->at != at || trap->physical != physical)
        remove_stub(trap); /* the last one was not come back from */
    trap->at = at;
    trap->physical = physical;
    if (!trap->placed)
        place_stub(trap, level);
    for (unsigned i = 0; i < STUB_WRITES; i++) {
        trap->saved[i] = qemu_api_register_read(cpu->reg[i]);
        qemu_api_register_write(cpu->reg[i], trap->value[i]);
    }
    trap->stage = TRAP_ENTERED;
}

/* The kind of a synchronous exception, by its syndrome; 0 where QEMU does not show it. */
static unsigned synchronous_kind(const struct guest_cpu *cpu, unsigned level)
{
    const enum guest64_state esr = (enum guest64_state)(STATE_ESR_EL1 + level - 1);

    return cpu->a64->state[esr] == NULL ? 0 : el_state_exception_kind(guest64_state_of(cpu, esr));
}

/* The vector table has an entry each for synchronous exceptions, IRQ, FIQ and SError. */
static unsigned kind_of(const struct guest_cpu *cpu, unsigned level, uint64_t to)
{
    static const uint8_t kinds[4] = {0, ARMPMU_EXCEPTION_IRQ, ARMPMU_EXCEPTION_FIQ,
                                     ARMPMU_EXCEPTION_DATA_ABORT};
    const unsigned entry = to / VECTOR_BYTES % 4;

    return entry != 0 ? kinds[entry] : synchronous_kind(cpu, level);
}

static void announce_kind(struct guest_cpu *cpu, uint64_t to)
{
    const unsigned level = pstate_level((uint32_t)qemu_api_register_read(cpu->cpsr));
    const unsigned kind = level == 0 ? 0 : kind_of(cpu, level, to);

    if (kind != 0)
        *cpu->cursor++ =
            armpmu_system_record(ARMPMU_SYSTEM_EXCEPTION, el_state_taken_kind(kind, level));
}

void guest64_except(struct guest_cpu *cpu, uint64_t from, uint64_t to)
{
    announce_kind(cpu, to);
    guest64_forget_read(cpu, from);
    guest64_look_at_controls(cpu);
    cpu->a64->deferred.level = 0;
    for (unsigned level = 1; level < 4; level++) {
        const struct guest64_trap *const trap = &cpu->a64->trap[level];
        if (trap->stage == TRAP_CALLED && from == trap->from && (to & VECTOR_MASK) == 0)
            begin_stub(cpu, level, to);
    }
}

/* The stub has been run; what follows is the guest's. */
static void end_stub(unsigned vcpu, void *unused)
{
    struct guest_cpu *const cpu = guest.cpus[vcpu];
    struct guest64_trap *const trap =
        &cpu->a64->trap[pstate_level((uint32_t)qemu_api_register_read(cpu->cpsr))];

    (void)unused;
    if (trap->stage != TRAP_ENTERED)
        return;
    for (unsigned i = 0; i < STUB_WRITES; i++)
        qemu_api_register_write(cpu->reg[i], trap->saved[i]);
    remove_stub(trap);
    trap->stage = TRAP_NONE;
    qemu_api_qemu_plugin_set_pc(trap->at + VECTOR_LOWER);
}

bool guest64_is_stub(struct qemu_plugin_tb *tb)
{
    const uint64_t address = qemu_plugin_tb_vaddr(tb);
    uint64_t begin = NO_VECTOR;

    for (size_t i = 0; i < VECTORS_MAX; i++)
        if (address - vectors.vector[i].address < STUB_BYTES)
            begin = vectors.vector[i].address;
    if (address - begin >= STUB_BYTES)
        return false;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *const insn = qemu_plugin_tb_get_insn(tb, i);
        if (qemu_plugin_insn_vaddr(insn) == begin + STUB_BYTES - sizeof(uint32_t))
            qemu_plugin_register_vcpu_insn_exec_cb(insn, end_stub, QEMU_CB_RW_REGS_PC, NULL);
    }
    return true;
}

/* Exceptions, as the architecture takes them. The library leaves them to us.
 *
 * Source: Arm DDI 0406C, B1.8 and B1.9, the pseudocode of taking each exception. */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "unicorn/board.h"
#include "unicorn/code_block.h"
#include "unicorn/firmware.h"
#include "unicorn/semihosting.h"
#include "unicorn/stimulus.h"
#include "unicorn/trace_writer.h"
#include "unicorn/workarounds.h"

#define HIGH_VECTORS 0xffff0000u

/* Fault status, short descriptors. Source: Arm DDI 0406C, DFSR and IFSR. */
#define FAULT_EXTERNAL  0x008u /* synchronous external abort */
#define FAULT_ALIGNMENT 0x001u
#define FAULT_WRITE     0x800u

static const struct {
    const char *name;
    uint8_t vector, mode;
    uint8_t link_a32, link_t32; /* LR after the address it is taken at */
    uint32_t masks;
} exceptions[] = {
    [EXCEPTION_UNDEFINED] = {"Undefined Instruction", 0x04, MODE_UND, 4, 2, 0},
    [EXCEPTION_SVC] = {"Supervisor Call", 0x08, MODE_SVC, 0, 0, 0},
    [EXCEPTION_PREFETCH_ABORT] = {"Prefetch Abort", 0x0c, MODE_ABT, 4, 4, CPSR_A},
    [EXCEPTION_DATA_ABORT] = {"Data Abort", 0x10, MODE_ABT, 8, 8, CPSR_A},
    [EXCEPTION_IRQ] = {"IRQ", 0x18, MODE_IRQ, 4, 4, CPSR_A},
    [EXCEPTION_FIQ] = {"FIQ", 0x1c, MODE_FIQ, 4, 4, CPSR_A | CPSR_F},
    [EXCEPTION_SMC] = {"Secure Monitor Call", 0x08, MODE_MON, 0, 0, CPSR_A | CPSR_F},
};

bool exception_pending(const struct firmware *fw, uint32_t cpsr, enum exception *out)
{
    const bool fiq = board_fiqs(fw->board) != 0 && !(cpsr & CPSR_F);

    *out = fiq ? EXCEPTION_FIQ : EXCEPTION_IRQ;
    return fiq || (board_irqs(fw->board) != 0 && !(cpsr & CPSR_I));
}

/* Returns whether SCR has it taken in Monitor mode. Aborts here are external: no memory answered.
 */
static bool is_to_monitor(const struct firmware *fw, uint32_t scr)
{
    switch (fw->exception) {
    case EXCEPTION_SMC:
        return true;
    case EXCEPTION_IRQ:
        return scr & SCR_IRQ;
    case EXCEPTION_FIQ:
        return scr & SCR_FIQ;
    case EXCEPTION_PREFETCH_ABORT:
    case EXCEPTION_DATA_ABORT:
        return (scr & SCR_EA) && fw->bad.present && !fw->bad.unaligned;
    case EXCEPTION_UNDEFINED:
    case EXCEPTION_SVC:
    case EXCEPTION_SYNCHRONOUS:
        break;
    }
    return false;
}

static uint32_t vector_base(const struct firmware *fw, uint32_t sctlr, bool to_monitor)
{
    if (to_monitor)
        return processor_secure_cp15(fw, 12, 0, 1) & ~31u; /* MVBAR */
    if (sctlr & SCTLR_V)
        return HIGH_VECTORS;
    return fw->core->security ? processor_cp15(fw, 12, 0, 0) & ~31u : 0;
}

static uint32_t word_at(const struct firmware *fw, uint64_t address)
{
    uint32_t word = 0;

    if (!board_has(fw->board, address, sizeof word) ||
        fw->lib->mem_read(fw->uc, address, &word, sizeof word) != UC_ERR_OK)
        return 0;
    return word;
}

/* Linkers load the headers of a file, too: from address 0 where code begins within its first page.
 */
static bool is_in_elf_header(const struct firmware *fw, uint64_t address)
{
    const uint32_t word = word_at(fw, address & ~UINT64_C(63));

    return memcmp(&word, ELFMAG, SELFMAG) == 0;
}

/* CHOICE(firmware-vectors): memory that has not been written holds zeros, which would execute as
 * ANDEQ up to the program. */
bool exception_has_vector(const struct firmware *fw, uint64_t address)
{
    return word_at(fw, address) != 0 && !is_in_elf_header(fw, address);
}

static void set_fault_registers(struct firmware *fw)
{
    if (fw->exception == EXCEPTION_DATA_ABORT && fw->bad.present) {
        const uint32_t status = fw->bad.unaligned ? FAULT_ALIGNMENT : FAULT_EXTERNAL;
        const bool tells_write = fw->bad.write && fw->core->firmware.thumb2; /* from Armv6 on */
        processor_set_cp15(fw, 5, 0, 0, status | (tells_write ? FAULT_WRITE : 0));
        processor_set_cp15(fw, 6, 0, 0, fw->bad.address);
    } else if (fw->exception == EXCEPTION_PREFETCH_ABORT && fw->bad.present) {
        processor_set_cp15(fw, 5, 0, 1, FAULT_EXTERNAL);
        processor_set_cp15(fw, 6, 0, 2, fw->bad.address);
    }
}

/* The masks that it sets besides that of IRQ: in Nonsecure state what SCR permits. */
static uint32_t masks_of(const struct firmware *fw, uint32_t scr, bool to_monitor)
{
    uint32_t masks = exceptions[fw->exception].masks;

    if (to_monitor)
        return CPSR_A | CPSR_F;
    if ((scr & SCR_NS) && !(scr & SCR_FW))
        masks &= ~CPSR_F;
    if ((scr & SCR_NS) && !(scr & SCR_AW))
        masks &= ~CPSR_A;
    return masks;
}

/* The library allows Monitor mode only from a privileged mode of Secure state. */
static void open_monitor(struct firmware *fw, uint32_t cpsr, uint32_t scr)
{
    processor_set_secure_cp15(fw, 1, 1, 0, scr & ~SCR_NS);
    processor_set_cpsr(fw, (cpsr & ~CPSR_MODE) | MODE_SVC);
}

static void enter_mode(struct firmware *fw, uint32_t cpsr, uint32_t sctlr, uint32_t scr)
{
    const enum exception exception = fw->exception;
    const bool to_monitor = is_to_monitor(fw, scr);
    uint32_t next = cpsr & ~(CPSR_MODE | CPSR_IT | CPSR_J | CPSR_T | CPSR_E);

    next |= to_monitor ? MODE_MON : exceptions[exception].mode;
    next |= CPSR_I | masks_of(fw, scr, to_monitor);
    next |= (sctlr & SCTLR_TE ? CPSR_T : 0) | (sctlr & SCTLR_EE ? CPSR_E : 0);
    if (to_monitor)
        open_monitor(fw, cpsr, scr);
    processor_set_cpsr(fw, next);
    if (to_monitor)
        processor_set_secure_cp15(fw, 1, 1, 0, scr);
    processor_set_spsr(fw, cpsr);
    processor_write(
        fw, 14,
        fw->at + (cpsr & CPSR_T ? exceptions[exception].link_t32 : exceptions[exception].link_a32));
}

void exception_cause(const struct firmware *fw, char *cause)
{
    cause[0] = '\0';
    if (fw->exception == EXCEPTION_DATA_ABORT && fw->bad.present && fw->bad.unaligned)
        snprintf(cause, EXCEPTION_CAUSE, " (it %s 0x%08" PRIx64 ", which is not aligned for it)",
                 fw->bad.write ? "writes" : "reads", fw->bad.address);
    else if (fw->exception == EXCEPTION_DATA_ABORT && fw->bad.present)
        snprintf(cause, EXCEPTION_CAUSE, " (it %s 0x%08" PRIx64 ", where no memory is)",
                 fw->bad.write ? "writes" : "reads", fw->bad.address);
    else if (fw->exception == EXCEPTION_PREFETCH_ABORT && fw->bad.present)
        snprintf(cause, EXCEPTION_CAUSE, " (no memory is there)");
    else if (fw->exception == EXCEPTION_SVC &&
             semihosting_is_call(fw, (uint32_t)fw->at, processor_status(fw)))
        snprintf(cause, EXCEPTION_CAUSE, " (a call of semihosting, which --semihosting=off)");
}

/* The address of the instruction that raised it: a call returns to the next one. */
static uint64_t raised_at(const struct firmware *fw)
{
    if (fw->exception == EXCEPTION_SVC)
        return fw->at - ((processor_status(fw) & CPSR_T) != 0 ? 2 : 4);
    return fw->exception == EXCEPTION_SMC ? fw->at - 4 : fw->at;
}

static void describe_missing(struct firmware *fw, uint32_t vector)
{
    char cause[EXCEPTION_CAUSE];
    const uint64_t at = raised_at(fw);

    exception_cause(fw, cause);
    processor_write(fw, 15, fw->at);
    firmware_stop(fw, ENGINE_FIRMWARE_FAULT,
                  "%s at 0x%08" PRIx64 "%s, and there is no vector table: 0x%08x holds no code",
                  exceptions[fw->exception].name, at, cause, vector);
}

/* SCR as it is after the exception: Monitor mode is left in Secure state. */
static uint32_t leave_monitor(struct firmware *fw, uint32_t cpsr)
{
    if (!fw->core->security)
        return 0;
    uint32_t scr = processor_secure_cp15(fw, 1, 1, 0);
    if ((cpsr & CPSR_MODE) == MODE_MON && (scr & SCR_NS)) {
        scr &= ~SCR_NS;
        processor_set_secure_cp15(fw, 1, 1, 0, scr);
    }
    return scr;
}

static void take(struct firmware *fw)
{
    uint32_t cpsr = processor_cpsr(fw);
    const uint32_t scr = leave_monitor(fw, cpsr);
    const bool to_monitor = is_to_monitor(fw, scr);
    const uint32_t sctlr =
        to_monitor ? processor_secure_cp15(fw, 1, 0, 0) : processor_cp15(fw, 1, 0, 0);
    const uint32_t vector = vector_base(fw, sctlr, to_monitor) + exceptions[fw->exception].vector;

    if (fw->exception == EXCEPTION_UNDEFINED)
        advice_note_undefined(fw);
    trace_writer_except(fw, fw->executed);
    if (!exception_has_vector(fw, vector)) {
        describe_missing(fw, vector);
        return;
    }
    if (fw->exception == EXCEPTION_DATA_ABORT && fw->bad.present && fw->code_block != NULL)
        cpsr = (cpsr & ~CPSR_IT) |
               code_blocks_it(fw->code_block, fw->executed); /* the library's is older */
    enter_mode(fw, cpsr, sctlr, scr);
    set_fault_registers(fw);
    processor_write(fw, 15, vector | (sctlr & SCTLR_TE ? 1 : 0));
    fw->bad.present = false;
}

/* ---- what the library reports ---- */

unsigned exception_insns_before(const struct firmware *fw, uint64_t address)
{
    return fw->code_block != NULL ? block_store_insns_before(fw->code_block, address)
                                  : ARMPMU_RECORD_ALL;
}

static void report(struct firmware *fw, uint32_t number)
{
    const uint32_t pc = (uint32_t)processor_pc(fw);

    switch (number) {
    case LIBRARY_SVC:
        if (semihosting_is_on(fw) && semihosting_is_call(fw, pc, processor_cpsr(fw)))
            semihosting_call(fw);
        else
            firmware_raise(fw, EXCEPTION_SVC, pc, ARMPMU_RECORD_ALL);
        return;
    case LIBRARY_SMC:
        firmware_raise(fw, EXCEPTION_SMC, pc, ARMPMU_RECORD_ALL);
        return;
    case LIBRARY_UNDEFINED:
        firmware_raise(fw, EXCEPTION_UNDEFINED, pc, exception_insns_before(fw, pc));
        return;
    case LIBRARY_PREFETCH_ABORT:
    case LIBRARY_BKPT:
        firmware_raise(fw, EXCEPTION_PREFETCH_ABORT, pc, exception_insns_before(fw, pc));
        return;
    case LIBRARY_DATA_ABORT:
        unaligned_by_library(fw, pc);
        firmware_raise(fw, EXCEPTION_DATA_ABORT, pc, exception_insns_before(fw, pc));
        return;
    }
    firmware_stop(fw, ENGINE_FIRMWARE_FAULT,
                  "the instruction raises exception %u of the Unicorn library, which armpmu does "
                  "not know (HVC)",
                  number);
}

/* ---- the start ---- */

/* CHOICE(firmware-start): at the entry point, in Supervisor mode with interrupts masked, as after a
 * reset, and with a stack at the end of the memory. */
static bool start(struct firmware *fw)
{
    const uint64_t entry = fw->image.entry;

    /* The first block is not told of: it is taken for one that ends inside an IT block. */
    *fw->translation =
        (struct it_translation){.inside_it = entry & 1, .t32 = (uint32_t)entry & ~1u};
    if (fw->core->security) /* the library begins in Nonsecure state */
        processor_set_secure_cp15(fw, 1, 1, 0, 0);
    if (fw->image.big_endian) /* as the pin CFGEE has it */
        processor_switch_on(fw, SCTLR_EE);
    if (fw->setup->caches_on)
        processor_switch_on(fw, SCTLR_C | SCTLR_I | SCTLR_Z);
    if (fw->stimulus->high_vectors)
        processor_switch_on(fw, SCTLR_V);
    processor_set_cpsr(fw, MODE_SVC | CPSR_A | CPSR_I | CPSR_F | (entry & 1 ? CPSR_T : 0) |
                               (fw->image.big_endian ? CPSR_E : 0));
    processor_write(fw, 13, fw->board->ram_end - BOARD_PAGE_BYTES);
    processor_set_pc(fw, entry & ~UINT64_C(1), entry & 1 ? ARMPMU_T32 : ARMPMU_A32);
    return true;
}

static void end(struct firmware *fw)
{
    (void)fw;
}

static const int registers[16] = {UC_ARM_REG_R0,  UC_ARM_REG_R1, UC_ARM_REG_R2,  UC_ARM_REG_R3,
                                  UC_ARM_REG_R4,  UC_ARM_REG_R5, UC_ARM_REG_R6,  UC_ARM_REG_R7,
                                  UC_ARM_REG_R8,  UC_ARM_REG_R9, UC_ARM_REG_R10, UC_ARM_REG_R11,
                                  UC_ARM_REG_R12, UC_ARM_REG_SP, UC_ARM_REG_LR,  UC_ARM_REG_PC};

const struct processor processor_aarch32 = {
    .library = UC_ARCH_ARM,
    .code = "32-bit Arm",
    .registers = registers,
    .n_registers = 16,
    .word_bytes = 4,
    .address_end = UINT64_C(1) << 32,
    .status_name = "CPSR",
    .status = processor_cpsr,
    .start = start,
    .end = end,
    .report = report,
    .pending = exception_pending,
    .take = take,
    .kind = intercept_kind,
    .act = intercept_act,
};

/* Exceptions, as the architecture takes them. The library leaves all of that to us.
 *
 * Source: Arm DDI 0406C, B1.8 and B1.9, the pseudocode of taking each exception. */
#include <inttypes.h>
#include <stdio.h>

#include "engine/unicorn/firmware.h"

#define SCTLR_V  (1u << 13)
#define SCTLR_TE (1u << 30)
#define SCTLR_EE (1u << 25)

#define HIGH_VECTORS 0xffff0000u

/* Fault status, short descriptors. Source: Arm DDI 0406C, DFSR and IFSR. */
#define FAULT_EXTERNAL 0x008u /* synchronous external abort */
#define FAULT_WRITE    0x800u

static const struct {
    const char *name;
    uint8_t vector, mode;
    uint8_t link_a32, link_t32; /* LR behind the address it is taken at */
    uint32_t masks;
} exceptions[] = {
    [EXCEPTION_UNDEFINED] = {"Undefined Instruction", 0x04, 0x1b, 4, 2, 0},
    [EXCEPTION_SVC] = {"Supervisor Call", 0x08, 0x13, 0, 0, 0},
    [EXCEPTION_PREFETCH_ABORT] = {"Prefetch Abort", 0x0c, 0x17, 4, 4, CPSR_A},
    [EXCEPTION_DATA_ABORT] = {"Data Abort", 0x10, 0x17, 8, 8, CPSR_A},
    [EXCEPTION_IRQ] = {"IRQ", 0x18, 0x12, 4, 4, CPSR_A},
    [EXCEPTION_FIQ] = {"FIQ", 0x1c, 0x11, 4, 4, CPSR_A | CPSR_F},
};

bool exception_pending(const struct firmware *fw, uint32_t cpsr, enum exception *out)
{
    const bool fiq = board_fiqs(&fw->board) != 0 && !(cpsr & CPSR_F);

    *out = fiq ? EXCEPTION_FIQ : EXCEPTION_IRQ;
    return fiq || (board_irqs(&fw->board) != 0 && !(cpsr & CPSR_I));
}

static uint32_t vector_base(const struct firmware *fw, uint32_t sctlr)
{
    if (sctlr & SCTLR_V)
        return HIGH_VECTORS;
    return fw->core->vbar ? processor_cp15(fw, 12, 0, 0) & ~31u : 0;
}

/* CHOICE(firmware-vectors): memory that nobody has written holds zeros, which would execute as
 * ANDEQ up to the program. */
static bool has_vector(const struct firmware *fw, uint64_t address)
{
    uint32_t word = 0;

    return board_has(&fw->board, address, sizeof word) &&
           fw->lib->mem_read(fw->uc, address, &word, sizeof word) == UC_ERR_OK && word != 0;
}

static void set_fault_registers(struct firmware *fw)
{
    if (fw->exception == EXCEPTION_DATA_ABORT && fw->bad.present) {
        processor_set_cp15(fw, 5, 0, 0, FAULT_EXTERNAL | (fw->bad.write ? FAULT_WRITE : 0));
        processor_set_cp15(fw, 6, 0, 0, fw->bad.address);
    } else if (fw->exception == EXCEPTION_PREFETCH_ABORT && fw->bad.present) {
        processor_set_cp15(fw, 5, 0, 1, FAULT_EXTERNAL);
        processor_set_cp15(fw, 6, 0, 2, fw->bad.address);
    }
}

static void enter_mode(struct firmware *fw, uint32_t cpsr, uint32_t sctlr)
{
    const enum exception exception = fw->exception;
    uint32_t next = cpsr & ~(CPSR_MODE | CPSR_IT | CPSR_J | CPSR_T | CPSR_E);

    next |= exceptions[exception].mode | CPSR_I | exceptions[exception].masks;
    next |= (sctlr & SCTLR_TE ? CPSR_T : 0) | (sctlr & SCTLR_EE ? CPSR_E : 0);
    processor_set_cpsr(fw, next);
    processor_set_spsr(fw, cpsr);
    processor_write(
        fw, 14,
        fw->at + (cpsr & CPSR_T ? exceptions[exception].link_t32 : exceptions[exception].link_a32));
}

static void describe_missing(struct firmware *fw, uint32_t vector)
{
    char cause[96] = "";

    if (fw->exception == EXCEPTION_DATA_ABORT && fw->bad.present)
        snprintf(cause, sizeof cause, " (it %s 0x%08" PRIx64 ", where no memory is)",
                 fw->bad.write ? "writes" : "reads", fw->bad.address);
    else if (fw->exception == EXCEPTION_PREFETCH_ABORT && fw->bad.present)
        snprintf(cause, sizeof cause, " (no memory is there)");
    processor_write(fw, 15, fw->at);
    firmware_stop(fw, ENGINE_FIRMWARE_FAULT,
                  "%s at 0x%08" PRIx64 "%s, and there is no vector table: 0x%08x holds nothing",
                  exceptions[fw->exception].name, fw->at, cause, vector);
}

void exception_take(struct firmware *fw)
{
    const uint32_t sctlr = processor_cp15(fw, 1, 0, 0);
    const uint32_t vector = vector_base(fw, sctlr) + exceptions[fw->exception].vector;
    const bool interrupt = fw->exception == EXCEPTION_IRQ || fw->exception == EXCEPTION_FIQ;

    stream_except(fw, fw->executed, interrupt ? fw->at : 0);
    if (!has_vector(fw, vector)) {
        describe_missing(fw, vector);
        return;
    }
    uint32_t cpsr = processor_cpsr(fw);
    if (fw->exception == EXCEPTION_DATA_ABORT && fw->bad.present && fw->piece != NULL)
        cpsr = (cpsr & ~CPSR_IT) | pieces_it(fw->piece, fw->executed); /* the library's is older */
    enter_mode(fw, cpsr, sctlr);
    set_fault_registers(fw);
    processor_write(fw, 15, vector | (sctlr & SCTLR_TE ? 1 : 0));
    fw->bad.present = false;
}

/* Exceptions of AArch64. The library leaves them to us.
 *
 * Source: ARM DDI 0487, the pseudocode of taking each exception; ESR_ELx for the syndromes. */
#include <inttypes.h>

#include "cosim/el_state.h"
#include "isa/system_insn.h"
#include "unicorn/aarch64.h"
#include "unicorn/board.h"
#include "unicorn/trace_writer.h"

#define ISS_EXTERNAL     0x10u /* synchronous external abort */
#define ISS_WRITE        0x40u
#define VECTOR_OWN_STACK 0x200u
#define VECTOR_IRQ       0x80u
#define VECTOR_FIQ       0x100u
#define VBAR_MASK        UINT64_C(0x7ff)

static const struct {
    unsigned class;
    const char *name;
} classes[] = {
    {EC_SVC, "an SVC"},
    {EC_HVC, "an HVC"},
    {EC_SMC, "an SMC"},
    {EC_SYSTEM, "an access to a register"},
    {EC_PC_ALIGNMENT, "an unaligned PC"},
    {EC_BREAKPOINT, "a BRK"},
};

static const char *name_of(const struct firmware *fw)
{
    switch (fw->exception) {
    case EXCEPTION_UNDEFINED:
        return "an undefined instruction";
    case EXCEPTION_PREFETCH_ABORT:
        return "an Instruction Abort";
    case EXCEPTION_DATA_ABORT:
        return "a Data Abort";
    case EXCEPTION_IRQ:
        return "an IRQ";
    case EXCEPTION_FIQ:
        return "an FIQ";
    case EXCEPTION_SVC:
    case EXCEPTION_SMC:
    case EXCEPTION_SYNCHRONOUS:
        break;
    }
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (classes[i].class == fw->a64->syndrome >> ESR_EC_LSB)
            return classes[i].name;
    return "an exception";
}

/* ---- where to ---- */

static uint64_t hcr_of(const struct firmware *fw)
{
    return el_switch_has_el2(fw) ? system64_read(fw, SYSTEM_HCR_EL2) : 0;
}

static unsigned taken_by(const struct firmware *fw, enum el_exception what)
{
    const struct el_routing from = {
        .level = el_switch_now(fw),
        .hcr_el2 = hcr_of(fw),
        .scr_el3 = fw->a64->highest == 3 ? system64_read(fw, SYSTEM_SCR_EL3) : 0};

    return el_state_target(&from, what);
}

/* An interrupt to a higher level is not masked by a lower one; one to a lower level waits. */
static bool is_taken(const struct firmware *fw, uint32_t status, bool fiq)
{
    const unsigned to = taken_by(fw, fiq ? EL_FIQ : EL_IRQ), level = pstate_level(status);

    return to > level || (to == level && !(status & (fiq ? CPSR_F : CPSR_I)));
}

static bool pending(const struct firmware *fw, uint32_t status, enum exception *out)
{
    const bool fiq = board_fiqs(fw->board) != 0 && is_taken(fw, status, true);

    *out = fiq ? EXCEPTION_FIQ : EXCEPTION_IRQ;
    return fiq || (board_irqs(fw->board) != 0 && is_taken(fw, status, false));
}

static unsigned target_of(const struct firmware *fw)
{
    switch (fw->exception) {
    case EXCEPTION_PREFETCH_ABORT:
    case EXCEPTION_DATA_ABORT:
        return taken_by(fw, EL_EXTERNAL_ABORT);
    case EXCEPTION_IRQ:
        return taken_by(fw, EL_IRQ);
    case EXCEPTION_FIQ:
        return taken_by(fw, EL_FIQ);
    case EXCEPTION_UNDEFINED:
    case EXCEPTION_SVC:
    case EXCEPTION_SMC:
        return taken_by(fw, EL_SYNCHRONOUS);
    case EXCEPTION_SYNCHRONOUS:
        if (fw->a64->target == 0)
            return taken_by(fw, EL_SYNCHRONOUS);
        break;
    }
    const unsigned level = el_switch_now(fw);
    return fw->a64->target > level ? fw->a64->target : level;
}

/* ---- with what ---- */

static uint64_t syndrome_of(const struct firmware *fw, unsigned target)
{
    const bool same = target == el_switch_now(fw);

    switch (fw->exception) {
    case EXCEPTION_UNDEFINED:
        return ESR_OF(0, 0);
    case EXCEPTION_PREFETCH_ABORT:
        return ESR_OF(EC_FETCH + same, ISS_EXTERNAL);
    case EXCEPTION_DATA_ABORT:
        return ESR_OF(EC_DATA + same, ISS_EXTERNAL | (fw->bad.write ? ISS_WRITE : 0));
    case EXCEPTION_SVC:
    case EXCEPTION_SMC:
    case EXCEPTION_SYNCHRONOUS:
    case EXCEPTION_IRQ:
    case EXCEPTION_FIQ:
        break;
    }
    return fw->a64->syndrome;
}

static void set_syndrome(struct firmware *fw, unsigned target, uint64_t syndrome)
{
    const bool has_address = fw->bad.present && (fw->exception == EXCEPTION_PREFETCH_ABORT ||
                                                 fw->exception == EXCEPTION_DATA_ABORT);

    if (fw->exception != EXCEPTION_IRQ && fw->exception != EXCEPTION_FIQ)
        system64_write(fw, SYSTEM_OF_LEVEL(ESR, target), syndrome);
    if (has_address)
        system64_write(fw, SYSTEM_OF_LEVEL(FAR, target), fw->bad.address);
}

static uint64_t vector_of(const struct firmware *fw, unsigned target)
{
    const uint32_t pstate = el_switch_pstate(fw);
    uint64_t vector = system64_read(fw, SYSTEM_OF_LEVEL(VBAR, target)) & ~VBAR_MASK;

    if (target > pstate_level(pstate))
        vector += VECTOR_LOWER;
    else if (pstate & PSTATE_SP)
        vector += VECTOR_OWN_STACK;
    return vector + (fw->exception == EXCEPTION_IRQ   ? VECTOR_IRQ
                     : fw->exception == EXCEPTION_FIQ ? VECTOR_FIQ
                                                      : 0);
}

static uint32_t pstate_of(const struct firmware *fw, uint32_t from, unsigned target)
{
    const bool host = target == 2 && (hcr_of(fw) & HCR_E2H);
    const bool pan =
        (target == 1 || host) && !(system64_read(fw, SYSTEM_OF_LEVEL(SCTLR, target)) & SCTLR_SPAN);
    const uint32_t next = from & ~(PSTATE_MODE | PSTATE_IL | PSTATE_SS | PSTATE_BTYPE | PSTATE_UAO);

    return next | PSTATE_DAIF | (pan ? PSTATE_PAN : 0) | target << 2 | PSTATE_SP;
}

/* ---- taking it ---- */

/* The kind that a core model counts it as. */
static unsigned kind_of(const struct firmware *fw, unsigned target)
{
    const unsigned kind = fw->exception == EXCEPTION_IRQ ? ARMPMU_EXCEPTION_IRQ
                          : fw->exception == EXCEPTION_FIQ
                              ? ARMPMU_EXCEPTION_FIQ
                              : el_state_exception_kind(syndrome_of(fw, target));

    return el_state_taken_kind(kind, target);
}

/* The address of the instruction that raised it: a call returns to the next one. */
static uint64_t raised_at(const struct firmware *fw)
{
    if (fw->exception != EXCEPTION_SYNCHRONOUS)
        return fw->at;
    switch (el_state_exception_kind(fw->a64->syndrome)) {
    case ARMPMU_EXCEPTION_CALL:
    case ARMPMU_EXCEPTION_HYPERVISOR_CALL:
    case ARMPMU_EXCEPTION_MONITOR_CALL:
        return fw->at - 4;
    default:
        return fw->at;
    }
}

static void describe_missing(struct firmware *fw, unsigned target, uint64_t vector)
{
    char cause[EXCEPTION_CAUSE];

    exception_cause(fw, cause);
    processor_set_pc(fw, fw->at, ARMPMU_A64);
    firmware_stop(fw, ENGINE_FIRMWARE_FAULT,
                  "%s at 0x%08" PRIx64 "%s goes to EL%u, syndrome 0x%08" PRIx64
                  ", and there is no vector table: 0x%08" PRIx64 " holds no code",
                  name_of(fw), raised_at(fw), cause, target, syndrome_of(fw, target), vector);
}

static void take(struct firmware *fw)
{
    const unsigned target = target_of(fw);
    const uint64_t vector = vector_of(fw, target);

    fw->exception_kind = kind_of(fw, target);
    trace_writer_except(fw, fw->executed);
    if (!exception_has_vector(fw, vector)) {
        describe_missing(fw, target, vector);
        return;
    }
    const uint32_t pstate = el_switch_pstate(fw);
    const uint64_t syndrome = syndrome_of(fw, target);
    el_switch_go(fw, pstate_of(fw, pstate, target), vector);
    system64_write(fw, SYSTEM_OF_LEVEL(SPSR, target), pstate);
    system64_write(fw, SYSTEM_OF_LEVEL(ELR, target), fw->at);
    set_syndrome(fw, target, syndrome);
    fw->bad.present = false;
}

void exception64_raise(struct firmware *fw, uint64_t syndrome, unsigned target, uint64_t at,
                       unsigned n)
{
    fw->a64->syndrome = syndrome;
    fw->a64->target = target;
    firmware_raise(fw, EXCEPTION_SYNCHRONOUS, at, n);
}

/* ---- what the library reports ---- */

static uint32_t word_at(const struct firmware *fw, uint64_t address)
{
    uint32_t word = 0;

    (void)fw->lib->mem_read(fw->uc, address, &word, sizeof word);
    return word;
}

/* Registers and cache maintenance that EL0 has when EL1 lets it: CTR_EL0, DAIF, the caches by
 * address. The library does not say that it was refused by that. */
static bool is_let(uint32_t word)
{
    struct sysreg_insn insn;

    if (!sysreg_insn_decode(ARMPMU_A64, word, &insn) || insn.at.op1 != 3)
        return system_insn64_of(word) == SYSTEM_INSN_CACHE_EL0;
    const bool cache_type = insn.at.crn == 0 && insn.at.crm == 0 && insn.at.op2 == 1 && insn.read;
    const bool masks = insn.at.crn == 4 && insn.at.crm == 2 && insn.at.op2 == 1;

    return insn.at.coproc == 3 && (cache_type || masks);
}

static uint64_t refused_syndrome(uint32_t word)
{
    const uint32_t op0 = word >> 19 & 3, op1 = word >> 16 & 7, crn = word >> 12 & 15,
                   crm = word >> 8 & 15, op2 = word >> 5 & 7;

    return ESR_OF(EC_SYSTEM, op0 << 20 | op2 << 17 | op1 << 14 | crn << 10 | (word & 31) << 5 |
                                 crm << 1 | (word >> 21 & 1));
}

static void undefined(struct firmware *fw, uint64_t at, unsigned n)
{
    const uint32_t word = word_at(fw, at);

    if (at % 4 != 0)
        exception64_raise(fw, ESR_OF(EC_PC_ALIGNMENT, 0), 0, at, n);
    else if (el_switch_now(fw) == 0 && is_let(word))
        exception64_raise(fw, refused_syndrome(word), 0, at, n);
    else
        firmware_raise(fw, EXCEPTION_UNDEFINED, at, n);
}

static void report(struct firmware *fw, uint32_t number)
{
    const uint64_t pc = processor_pc(fw);

    switch (number) {
    case LIBRARY_UNDEFINED:
        undefined(fw, pc, exception_insns_before(fw, pc));
        return;
    case LIBRARY_SVC:
        exception64_raise(fw, ESR_OF(EC_SVC, system_insn64_immediate(word_at(fw, pc - 4))), 0, pc,
                          ARMPMU_RECORD_ALL);
        return;
    case LIBRARY_BKPT:
        exception64_raise(fw, ESR_OF(EC_BREAKPOINT, system_insn64_immediate(word_at(fw, pc))), 0,
                          pc, exception_insns_before(fw, pc));
        return;
    case LIBRARY_PREFETCH_ABORT:
    case LIBRARY_DATA_ABORT:
        firmware_stop(fw, ENGINE_FIRMWARE_FAULT,
                      "address translation refuses %s, and armpmu cannot tell the program where: "
                      "map what it uses",
                      number == LIBRARY_DATA_ABORT ? "an access" : "this code");
        return;
    }
    firmware_stop(fw, ENGINE_FIRMWARE_FAULT,
                  "the instruction raises exception %u of the Unicorn library, which armpmu does "
                  "not know",
                  number);
}

/* ---- the processor ---- */

static uint32_t status(const struct firmware *fw)
{
    return el_switch_pstate(fw) & (CPSR_NZCV | PSTATE_DAIF | PSTATE_MODE);
}

static void end(struct firmware *fw)
{
    if (fw->a64->above != NULL)
        fw->lib->context_free(fw->a64->above);
}

#define X(n) UC_ARM64_REG_X##n
static const int registers[32] = {X(0),  X(1),  X(2),  X(3),  X(4),  X(5),  X(6),  X(7),
                                  X(8),  X(9),  X(10), X(11), X(12), X(13), X(14), X(15),
                                  X(16), X(17), X(18), X(19), X(20), X(21), X(22), X(23),
                                  X(24), X(25), X(26), X(27), X(28), X(29), X(30), UC_ARM64_REG_PC};
#undef X

const struct processor processor_aarch64 = {
    .library = UC_ARCH_ARM64,
    .code = "64-bit Arm",
    .registers = registers,
    .n_registers = 32,
    .word_bytes = 8,
    .address_end = FIRMWARE_TRAMPOLINE,
    .status_name = "PSTATE",
    .status = status,
    .start = el_switch_start,
    .end = end,
    .report = report,
    .pending = pending,
    .take = take,
    .kind = intercept64_kind,
    .act = intercept64_act,
};

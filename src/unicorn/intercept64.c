/* Intercepted instructions of AArch64: accesses to the activity monitors (pmu_access.c) and to the
 * registers of Exception levels, calls and returns between these. */
#include "cosim/maintenance_insn64.h"
#include "cosim/pmu_insn.h"
#include "cosim/preload_insn.h"
#include "isa/system_insn.h"
#include "unicorn/aarch64.h"
#include "unicorn/code_block.h"
#include "unicorn/semihosting.h"
#include "unicorn/trace_writer.h"
#include "unicorn/virtual_address.h"

#define HLT_HOST     0xf000u /* HLT #0xf000 */
#define CPTR_EZ      (UINT64_C(1) << 8)
#define PFR0_SVE_LSB 32
#define PFR0_AMU_LSB 44
#define DFR0_PMU_LSB 8       /* of ID_AA64DFR0_EL1 */
#define DFR0_PMU_32  24      /* of ID_DFR0_EL1 */
#define PFR0_LEVELS  0x1111u /* AArch64 only */
#define PFR0_AMU     20      /* of ID_PFR0_EL1 */

/* ---- which they are ---- */

enum level_operation {
    LEVEL_NONE,
    LEVEL_IDENTITY, /* a register that says what the processor has */
    LEVEL_COUNTER,  /* the system counter, and its frequency       */
    LEVEL_FIELD,    /* a register with a field that the library does not have */
    LEVEL_CPTR,     /* a write of CPTR_EL3 */
    LEVEL_CONTROL,  /* a write of a register that says what counts */
    LEVEL_RETURN,   /* ERET, ERETAA, ERETAB */
    LEVEL_HVC,
    LEVEL_SMC,
    LEVEL_HALT, /* HLT */
};

static enum system64 name_of(const struct armpmu_encoding *at)
{
    return (enum system64)SYSTEM64(at->op1, at->crn, at->crm, at->op2);
}

static enum level_operation register_operation(const struct sysreg_insn *sysreg)
{
    if (sysreg->at.coproc != 3)
        return LEVEL_NONE;
    switch ((unsigned)name_of(&sysreg->at)) {
    case SYSTEM_ID_AA64PFR0_EL1:
    case SYSTEM_ID_PFR0_EL1:
    case SYSTEM_ID_AA64DFR0_EL1:
    case SYSTEM_ID_DFR0_EL1:
        return sysreg->read ? LEVEL_IDENTITY : LEVEL_NONE;
    case SYSTEM_CNTFRQ_EL0:
        return LEVEL_COUNTER;
    case SYSTEM_CNTPCT_EL0:
    case SYSTEM_CNTVCT_EL0:
        return sysreg->read ? LEVEL_COUNTER : LEVEL_NONE;
    case SYSTEM_HCR_EL2:
    case SYSTEM_SCR_EL3:
        return LEVEL_FIELD;
    case SYSTEM_CPTR_EL3:
        return sysreg->read ? LEVEL_NONE : LEVEL_CPTR;
    case SYSTEM_MDCR_EL2:
    case SYSTEM_MDCR_EL3:
        return sysreg->read ? LEVEL_NONE : LEVEL_CONTROL;
    }
    return LEVEL_NONE;
}

static enum level_operation operation_of(uint32_t word)
{
    struct sysreg_insn sysreg;

    if (sysreg_insn_decode(ARMPMU_A64, word, &sysreg))
        return register_operation(&sysreg);
    switch (system_insn64_of(word)) {
    case SYSTEM_INSN_RETURN:
        return LEVEL_RETURN;
    case SYSTEM_INSN_HVC:
        return LEVEL_HVC;
    case SYSTEM_INSN_SMC:
        return LEVEL_SMC;
    case SYSTEM_INSN_HLT:
        return LEVEL_HALT;
    default:
        return LEVEL_NONE;
    }
}

enum intercept_kind intercept64_kind(const struct firmware *fw, enum armpmu_isa isa, uint32_t word,
                                     const struct insn *insn)
{
    const enum maintenance64 operation = maintenance_insn64_of(word);

    if (pmu_insn_is_of(&fw->cores, isa, word))
        return INTERCEPT_TRANSFER;
    if (insn->waits_for_interrupt)
        return INTERCEPT_SLEEP;
    if (operation_of(word) != LEVEL_NONE)
        return INTERCEPT_LEVEL;
    if (preload_insn64_is(word))
        return INTERCEPT_PRELOAD;
    return operation != OPERATION64_NONE && operation != OPERATION64_HOST ? INTERCEPT_SYSTEM
                                                                          : INTERCEPT_NONE;
}

static uint64_t read_x(const struct firmware *fw, unsigned n)
{
    return n < ZERO_REGISTER ? processor_read(fw, n) : 0;
}

static void write_x(struct firmware *fw, unsigned n, uint64_t value)
{
    if (n < ZERO_REGISTER)
        processor_write(fw, n, value);
}

/* ---- system registers ---- */

static unsigned level_of(uint32_t status)
{
    return pstate_level(status);
}

static void undefined(struct firmware *fw, const struct hook *hook, uint32_t status)
{
    intercept_enter(fw, hook, status);
    firmware_raise(fw, EXCEPTION_UNDEFINED, hook->address, 0);
}

static uint64_t with_field(uint64_t value, unsigned lsb, uint64_t field)
{
    return (value & ~(UINT64_C(0xf) << lsb)) | field << lsb;
}

/* CHOICE(firmware-no-sve): the library's processor has SVE, and AArch32. */
static uint64_t identity(const struct firmware *fw, enum system64 reg)
{
    const uint64_t version = amu_config_version(&fw->a64->unit, &fw->cores);
    const unsigned highest = fw->a64->highest, pmu = fw->cores.core[0]->pmu_version;
    uint64_t value = system64_read(fw, reg);

    if (reg == SYSTEM_ID_AA64DFR0_EL1)
        return with_field(value, DFR0_PMU_LSB, pmu);
    if (reg == SYSTEM_ID_DFR0_EL1)
        return with_field(value, DFR0_PMU_32, monitors_version_32(pmu));
    if (reg == SYSTEM_ID_PFR0_EL1)
        return value | version << PFR0_AMU;
    value &= ~(UINT64_C(0xf) << PFR0_SVE_LSB | UINT64_C(0xf) << PFR0_AMU_LSB | UINT64_C(0xffff));
    return value | version << PFR0_AMU_LSB | (PFR0_LEVELS & ((1u << 4 * (highest + 1)) - 1));
}

/* HCR_EL2 and SCR_EL3 have a bit AMVOFFEN with FEAT_AMUv1p1. */
static void access_field(struct firmware *fw, const struct hook *hook, uint32_t status,
                         const struct sysreg_insn *sysreg)
{
    const enum system64 reg = name_of(&sysreg->at);
    const bool hcr = reg == SYSTEM_HCR_EL2;
    const unsigned lsb = hcr ? HCR_AMVOFFEN_LSB : SCR_AMVOFFEN_LSB;
    bool *const kept = hcr ? &fw->a64->hcr_amvoffen : &fw->a64->scr_amvoffen;

    intercept_enter(fw, hook, status);
    if (level_of(status) < (hcr ? 2u : 3u))
        return; /* undefined, says the library */
    if (sysreg->read) {
        write_x(fw, sysreg->rt, system64_read(fw, reg) | (uint64_t)*kept << lsb);
        intercept_skip(fw, hook);
        return;
    }
    const uint64_t value = read_x(fw, sysreg->rt);
    *kept = fw->a64->unit.v1p1 && (value >> lsb & 1);
    if (hcr && (value & HCR_VIRTUAL))
        firmware_stop(fw, ENGINE_FIRMWARE_FAULT,
                      "it writes 0x%llx to HCR_EL2, and the Unicorn library has no virtual "
                      "interrupts: leave VF, VI and VSE zero",
                      (unsigned long long)value);
}

/* SVE stays switched off: CHOICE(firmware-no-sve). */
static void write_cptr(struct firmware *fw, const struct hook *hook, uint32_t status,
                       const struct sysreg_insn *sysreg)
{
    intercept_enter(fw, hook, status);
    if (level_of(status) < 3)
        return;
    system64_write(fw, SYSTEM_CPTR_EL3, read_x(fw, sysreg->rt) & ~CPTR_EZ);
    intercept_skip(fw, hook);
}

/* MDCR_EL2 and MDCR_EL3: the write itself counts as before it. */
static void write_control(struct firmware *fw, const struct hook *hook, uint32_t status,
                          const struct sysreg_insn *sysreg)
{
    const enum system64 reg = name_of(&sysreg->at);
    const unsigned lowest = reg == SYSTEM_MDCR_EL2 ? 2 : 3;

    intercept_enter(fw, hook, status);
    if (level_of(status) < lowest || fw->a64->highest < lowest)
        return; /* undefined, says the library */
    trace_writer_run(fw);
    system64_write(fw, reg, read_x(fw, sysreg->rt));
    el_switch_show_controls(fw);
    intercept_skip(fw, hook);
    trace_writer_adjust(fw);
}

/* CNTKCTL_EL1.EL0PCTEN and EL0VCTEN; for the frequency either. */
static bool user_may_count(const struct firmware *fw, enum system64 reg)
{
    const uint64_t control = system64_read(fw, SYSTEM_CNTKCTL_EL1) & 3;

    return reg == SYSTEM_CNTFRQ_EL0 ? control != 0
                                    : control >> (reg == SYSTEM_CNTVCT_EL0 ? 1 : 0) & 1;
}

static uint64_t counter(const struct firmware *fw, enum system64 reg, unsigned level)
{
    if (reg == SYSTEM_CNTFRQ_EL0)
        return fw->a64->counter_hz;
    const bool shifted = reg == SYSTEM_CNTVCT_EL0 && level < 2 && el_switch_has_el2(fw);
    return fw->signals[ARMPMU_SIGNAL_CONSTANT_CYCLES] -
           (shifted ? system64_read(fw, SYSTEM_CNTVOFF_EL2) : 0);
}

/* CHOICE(firmware-time): the system counter is that of the simulated core. */
static void access_counter(struct firmware *fw, const struct hook *hook, uint32_t status,
                           const struct sysreg_insn *sysreg)
{
    const enum system64 reg = name_of(&sysreg->at);
    const unsigned level = level_of(status);

    if (!sysreg->read && level < fw->a64->highest) {
        undefined(fw, hook, status);
        return;
    }
    if (level == 0 && !user_may_count(fw, reg)) {
        intercept_enter(fw, hook, status);
        exception64_raise(fw, pmu_insn_syndrome(sysreg, ARMPMU_TRAP_EL1), 0, hook->address, 0);
        return;
    }
    trace_writer_run(fw);
    if (sysreg->read)
        write_x(fw, sysreg->rt, counter(fw, reg, level));
    else
        fw->a64->counter_hz = read_x(fw, sysreg->rt) & UINT32_MAX;
    intercept_enter(fw, hook, status);
    intercept_skip(fw, hook);
}

static void read_identity(struct firmware *fw, const struct hook *hook, uint32_t status,
                          const struct sysreg_insn *sysreg)
{
    intercept_enter(fw, hook, status);
    if (level_of(status) == 0)
        return; /* undefined, says the library */
    write_x(fw, sysreg->rt, identity(fw, name_of(&sysreg->at)));
    intercept_skip(fw, hook);
}

/* ---- calls and returns ---- */

/* The library executes it. */
static void exception_return(struct firmware *fw, const struct hook *hook, uint32_t status)
{
    const unsigned level = level_of(status);

    intercept_enter(fw, hook, status);
    if (level == 0)
        return; /* undefined, says the library */
    const uint32_t spsr = (uint32_t)system64_read(fw, SYSTEM_OF_LEVEL(SPSR, level));
    if (spsr & CPSR_AARCH32)
        firmware_stop(fw, ENGINE_FIRMWARE_FAULT,
                      "it returns to AArch32 code, which does not run beside AArch64 code: build "
                      "it for AArch64");
    else
        el_switch_leave(fw, spsr);
}

static void call(struct firmware *fw, const struct hook *hook, uint32_t status, unsigned class,
                 unsigned target)
{
    intercept_enter(fw, hook, status);
    exception64_raise(fw, ESR_OF(class, system_insn64_immediate(hook->word)), target,
                      hook->address + 4, ARMPMU_RECORD_ALL);
}

/* Source: ARM DDI 0487, HVC: SCR_EL3.HCE lets it, without EL3 HCR_EL2.HCD forbids it. */
static void call_hypervisor(struct firmware *fw, const struct hook *hook, uint32_t status)
{
    const unsigned highest = fw->a64->highest, level = level_of(status);
    const bool let = highest == 3 ? (system64_read(fw, SYSTEM_SCR_EL3) & SCR_HCE) != 0
                                  : highest == 2 && !(system64_read(fw, SYSTEM_HCR_EL2) & HCR_HCD);

    if (level == 0 || !let || (level == 1 && !el_switch_has_el2(fw)))
        undefined(fw, hook, status);
    else
        call(fw, hook, status, EC_HVC, 2);
}

static void call_monitor(struct firmware *fw, const struct hook *hook, uint32_t status)
{
    const unsigned highest = fw->a64->highest, level = level_of(status);
    const bool trapped =
        level == 1 && el_switch_has_el2(fw) && (system64_read(fw, SYSTEM_HCR_EL2) & HCR_TSC);

    if (level == 0 || (!trapped && (highest < 3 || (system64_read(fw, SYSTEM_SCR_EL3) & SCR_SMD))))
        undefined(fw, hook, status);
    else if (!trapped)
        call(fw, hook, status, EC_SMC, 3);
    else {
        intercept_enter(fw, hook, status);
        exception64_raise(fw, ESR_OF(EC_SMC, system_insn64_immediate(hook->word)), 2, hook->address,
                          0);
    }
}

static void call_host(struct firmware *fw, const struct hook *hook, uint32_t status)
{
    if (system_insn64_immediate(hook->word) != HLT_HOST || !semihosting_is_on(fw)) {
        undefined(fw, hook, status);
        return;
    }
    intercept_enter(fw, hook, status);
    semihosting_call(fw);
    intercept_skip(fw, hook);
}

static void act_on_level(struct firmware *fw, const struct hook *hook, uint32_t status)
{
    struct sysreg_insn sysreg = {.read = false};

    (void)sysreg_insn_decode(ARMPMU_A64, hook->word, &sysreg);
    switch (operation_of(hook->word)) {
    case LEVEL_NONE:
        break;
    case LEVEL_IDENTITY:
        read_identity(fw, hook, status, &sysreg);
        break;
    case LEVEL_COUNTER:
        access_counter(fw, hook, status, &sysreg);
        break;
    case LEVEL_FIELD:
        access_field(fw, hook, status, &sysreg);
        break;
    case LEVEL_CPTR:
        write_cptr(fw, hook, status, &sysreg);
        break;
    case LEVEL_CONTROL:
        write_control(fw, hook, status, &sysreg);
        break;
    case LEVEL_RETURN:
        exception_return(fw, hook, status);
        break;
    case LEVEL_HVC:
        call_hypervisor(fw, hook, status);
        break;
    case LEVEL_SMC:
        call_monitor(fw, hook, status);
        break;
    case LEVEL_HALT:
        call_host(fw, hook, status);
        break;
    }
}

/* ---- translation ---- */

/* EL0 has the caches by address when EL1 lets it; what else there is here is undefined there. */
static bool el0_maintains(const struct firmware *fw, uint32_t word)
{
    return system_insn64_of(word) == SYSTEM_INSN_CACHE_EL0 &&
           (system64_read(fw, SYSTEM_OF_LEVEL(SCTLR, 1)) & SCTLR_UCI);
}

/* The library executes it. */
static void change_translation(struct firmware *fw, const struct hook *hook, uint32_t status)
{
    const uint64_t value = read_x(fw, hook->word & 31);
    const unsigned level = level_of(status);

    intercept_enter(fw, hook, status);
    if (level == 0 && !el0_maintains(fw, hook->word))
        return; /* the library raises the exception */
    if (maintenance_insn64_of(hook->word) != OPERATION64_TRANSLATION)
        fw->announced[0] = maintenance_insn64_record(hook->word, value);
    else if (maintenance_insn64_level(hook->word, level, system64_read(fw, SYSTEM_HCR_EL2)) ==
             level)
        maintenance_insn64_change(el_switch_sctlr(fw, level), value, fw->announced);
    fw->after = hook->address + hook->size; /* the library continues after IC and DC */
}

void intercept64_act(struct firmware *fw, const struct hook *hook, uint32_t status)
{
    switch (hook->kind) {
    case INTERCEPT_NONE:
    case INTERCEPT_REACHED:
    case INTERCEPT_UNDEFINED:
    case INTERCEPT_IT_BLOCK:
        break;
    case INTERCEPT_PRELOAD:
        intercept_preload(fw, hook, status,
                          preload_insn64_record(hook->word, virtual_address64(fw, hook)));
        break;
    case INTERCEPT_TRANSFER:
        intercept_access(fw, hook, status);
        break;
    case INTERCEPT_SYSTEM:
        change_translation(fw, hook, status);
        break;
    case INTERCEPT_SLEEP:
        intercept_sleep(fw, hook, status);
        break;
    case INTERCEPT_LEVEL:
        act_on_level(fw, hook, status);
        break;
    }
}

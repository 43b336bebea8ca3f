/* Instructions of AArch64 systems that the core model must hear of; see guest_aarch32.c. */
#include "qemu/plugin/guest64.h"

#include "cosim/insn_address.h"
#include "cosim/maintenance_insn64.h"
#include "cosim/preload_insn.h"
#include "qemu/plugin/guest_irq.h"

/* ICC_IAR0_EL1, ICC_EOIR0_EL1 and the like: an interrupt controller of version 3 has no device for
 * that. Source: Arm IHI 0069, the registers named. */
static bool acknowledges(uint32_t word)
{
    struct sysreg_insn insn;

    return sysreg_insn_decode(ARMPMU_A64, word, &insn) && insn.at.coproc == 3 && insn.at.op1 == 0 &&
           insn.at.crn == 12 && (insn.at.crm == 8 || insn.at.crm == 11 || insn.at.crm == 12);
}

bool guest64_is_sysop(enum armpmu_isa isa, uint32_t word)
{
    (void)isa;
    return maintenance_insn64_of(word) != OPERATION64_NONE || guest64_writes_control(word) ||
           preload_insn64_is(word) || acknowledges(word);
}

/* EL0 has the translation of EL1, or of a host in EL2. */
static unsigned regime_of(const struct guest_cpu *cpu, enum guest_mode mode)
{
    if (mode == GUEST_HYP || (mode == GUEST_USER && cpu->a64->in_host))
        return 2;
    return mode == GUEST_MONITOR ? 3 : 1;
}

static uint64_t read_register(void *user, unsigned n)
{
    const struct guest_cpu *const cpu = user;

    return n == ZERO_REGISTER ? qemu_api_register_read(cpu->sp) : guest64_register(cpu, n);
}

/* The record of a preload, 0 of another instruction. */
static uint64_t preload_record(struct guest_cpu *cpu, const struct pmu_access *access)
{
    const struct insn_registers registers = {read_register, cpu, access->own->address};

    return preload_insn64_is(access->word)
               ? preload_insn64_record(access->word, insn_address64(&registers, access->word))
               : 0;
}

void guest64_sysop(unsigned vcpu, void *user)
{
    const struct pmu_access *const access = user;
    const uint32_t word = access->word;
    struct guest_cpu *const cpu = guest.cpus[vcpu];
    const uint64_t value = guest64_register(cpu, word & 31);

    guest_enter(cpu, access->own);
    if (acknowledges(word))
        guest_irq_device_accessed(cpu);
    cpu->a64->control_written = cpu->a64->control_written || guest64_writes_control(word);
    switch (maintenance_insn64_of(word)) {
    case OPERATION64_NONE:
        cpu->announced[0] = preload_record(cpu, access);
        break;
    case OPERATION64_TRANSLATION: {
        const unsigned level = pstate_level((uint32_t)qemu_api_register_read(cpu->cpsr));
        const unsigned regime =
            maintenance_insn64_level(word, level, guest64_state_of(cpu, STATE_HCR_EL2));
        if (regime == regime_of(cpu, cpu->mode))
            maintenance_insn64_change(cpu->a64->sctlr[regime], value, cpu->announced);
        cpu->a64->sctlr[regime] = value;
        break;
    }
    case OPERATION64_HOST:
        cpu->a64->in_host = (value & HCR_E2H) && (value & HCR_TGE);
        break;
    case OPERATION64_TLB_ALL:
    case OPERATION64_TLB_PAGE:
    case OPERATION64_CACHE:
        cpu->announced[0] = maintenance_insn64_record(word, value);
        break;
    }
}

void guest64_change_regime(struct guest_cpu *cpu, enum guest_mode from, enum guest_mode to)
{
    const uint64_t *const sctlr = cpu->a64->sctlr;

    maintenance_insn64_change(sctlr[regime_of(cpu, from)], sctlr[regime_of(cpu, to)],
                              cpu->announced);
}

/* MSR of a register that translation looks at (SCTLR, HCR, SCR; TTBR, TCR, VTTBR; MAIR), and all
 * TLB maintenance. */
bool guest64_may_move_pages(enum armpmu_isa isa, uint32_t word)
{
    struct sysreg_insn insn;

    (void)isa;
    if (sysreg_insn_writes_a64(word, &insn))
        return insn.at.crn == 1 || insn.at.crn == 2 || insn.at.crn == 10;
    switch (maintenance_insn64_of(word)) {
    case OPERATION64_TLB_ALL:
    case OPERATION64_TLB_PAGE:
        return true;
    default:
        return false;
    }
}

bool guest64_returns(uint32_t word)
{
    return system_insn64_of(word) == SYSTEM_INSN_RETURN;
}

/* QEMU does not say while it translates that it is AArch32 code; the return to it does. */
void guest64_return(unsigned vcpu, void *unused)
{
    const struct guest_cpu *const cpu = guest.cpus[vcpu];
    const unsigned level = pstate_level((uint32_t)qemu_api_register_read(cpu->cpsr));

    (void)unused;
    if (level > 0 &&
        (guest64_state_of(cpu, (enum guest64_state)(STATE_SPSR_EL1 + level - 1)) & CPSR_AARCH32))
        guest_die("the guest executes AArch32 code, which is not counted beside AArch64 code; run "
                  "64-bit programs only");
}

enum guest_mode guest64_mode_of(uint32_t pstate)
{
    static const enum guest_mode of_level[4] = {GUEST_USER, GUEST_PRIVILEGED, GUEST_HYP,
                                                GUEST_MONITOR};

    return of_level[pstate_level(pstate)];
}

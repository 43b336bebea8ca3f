/* The controls of counting: PMUv3 depends on the Exception level, SCR_EL3.NS, MDCR_EL2 and
 * MDCR_EL3.
 *
 * A code block belongs to one level. Where counting differs between two of them, everything
 * before is counted first. A write to one of the registers is a block of its own; after it, the
 * value is read from QEMU's processor, which knows the implemented bits. */
#include "qemu/plugin/guest64.h"

/* Source: ARM DDI 0487, the registers named. */
static const struct armpmu_encoding controls[] = {
    {.access = ARMPMU_ACCESS_MSR, .coproc = 3, .op1 = 6, .crn = 1, .crm = 1, .op2 = 0}, /* SCR_EL3
                                                                                         */
    {.access = ARMPMU_ACCESS_MSR, .coproc = 3, .op1 = 4, .crn = 1, .crm = 1, .op2 = 1}, /* MDCR_EL2
                                                                                         */
    {.access = ARMPMU_ACCESS_MSR, .coproc = 3, .op1 = 6, .crn = 1, .crm = 3, .op2 = 1}, /* MDCR_EL3
                                                                                         */
};

bool guest64_writes_control(uint32_t word)
{
    struct sysreg_insn insn;

    if (!sysreg_insn_writes_a64(word, &insn))
        return false;
    for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++)
        if (sysreg_insn_same(&insn.at, &controls[i]))
            return true;
    return false;
}

static void read_controls(const struct guest_cpu *cpu, struct guest64_controls *out)
{
    out->secure_control = guest64_state_of(cpu, STATE_SCR_EL3);
    out->mdcr_el2 = guest64_state_of(cpu, STATE_MDCR_EL2);
    out->mdcr_el3 = guest64_state_of(cpu, STATE_MDCR_EL3);
}

static bool are_shown(const struct guest_cpu *cpu, const struct guest64_controls *now)
{
    const struct armpmu *const pmu = monitors_own(&cpu->monitors);

    return armpmu_pin(pmu, ARMPMU_PIN_NONSECURE) == (now->secure_control & SCR_NS) &&
           armpmu_pin(pmu, ARMPMU_PIN_MDCR_EL2) == now->mdcr_el2 &&
           armpmu_pin(pmu, ARMPMU_PIN_MDCR_EL3) == now->mdcr_el3;
}

void guest64_look_at_controls(struct guest_cpu *cpu)
{
    if (!cpu->a64->control_written)
        return;
    cpu->a64->control_written = false;
    read_controls(cpu, &cpu->a64->controls);
    cpu->controls_changed = !are_shown(cpu, &cpu->a64->controls);
    if (cpu->controls_changed)
        cpu->limit = cpu->records; /* the next code block stops and looks */
}

static void behind_write(unsigned vcpu, void *unused)
{
    (void)unused;
    guest64_look_at_controls(guest.cpus[vcpu]);
}

void guest64_watch_controls(struct qemu_plugin_insn *insn, uint32_t previous)
{
    if (guest64_writes_control(previous))
        qemu_plugin_register_vcpu_insn_exec_cb(insn, behind_write, QEMU_CB_R_REGS, NULL);
}

static unsigned level_of(enum guest_mode mode)
{
    static const unsigned levels[] = {
        [GUEST_USER] = 0, [GUEST_PRIVILEGED] = 1, [GUEST_HYP] = 2, [GUEST_MONITOR] = 3};

    return levels[mode];
}

bool guest64_counting_changes(struct guest_cpu *cpu, enum guest_mode mode)
{
    return cpu->controls_changed || monitors_level_matters(&cpu->monitors, level_of(mode));
}

void guest64_change_counting(struct guest_cpu *cpu, enum guest_mode mode)
{
    const struct guest64_controls *const now = &cpu->a64->controls;

    if (cpu->controls_changed) {
        monitors_set_pin(&cpu->monitors, ARMPMU_PIN_NONSECURE, now->secure_control & SCR_NS);
        monitors_set_pin(&cpu->monitors, ARMPMU_PIN_MDCR_EL2, now->mdcr_el2);
        monitors_set_pin(&cpu->monitors, ARMPMU_PIN_MDCR_EL3, now->mdcr_el3);
    }
    cpu->controls_changed = false;
    monitors_set_pin(&cpu->monitors, ARMPMU_PIN_EL, level_of(mode));
}

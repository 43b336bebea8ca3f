/* Which monitors the processors of an AArch64 machine have: CHOICE(guest-amu-unit).
 *
 * CHOICE(guest-pmu-version): the guest reads the core's version of PMUv3, whichever the processor
 * of QEMU has. */
#include "cosim/amu_config.h"

#include <string.h>

#include "qemu/plugin/guest64.h"

static struct amu_config unit = AMU_DEFAULT;

const char *guest64_amu_config_parse(const char *text)
{
    return amu_config_parse(text, &guest.cores, &unit);
}

bool guest64_amu_config_is_v1p1(void)
{
    return unit.v1p1;
}

void guest64_amu_config_configure(const struct guest_cpu *cpu, struct armpmu_amu_config *config)
{
    const struct guest64 *const a64 = cpu->a64;
    const unsigned highest = a64->has_el3 ? 3 : a64->has_el2 ? 2 : 1;

    amu_config_configure(&unit, highest, a64->has_el2, a64->state[STATE_HFGRTR_EL2] != NULL,
                         config);
}

#define SEL2_LSB    36 /* of ID_AA64PFR0_EL1 */
#define PMU_VER_LSB 8  /* of ID_AA64DFR0_EL1 */

void guest64_pmuv3_config_configure(const struct guest_cpu *cpu, struct armpmu_pmuv3_config *config)
{
    const struct guest64 *const a64 = cpu->a64;

    *config = (struct armpmu_pmuv3_config){
        .highest_el = a64->has_el3   ? 3
                      : a64->has_el2 ? 2
                                     : 1,
        .without_el2 = !a64->has_el2,
        .without_secure_el2 = (guest64_state_of(cpu, STATE_ID_AA64PFR0_EL1) >> SEL2_LSB & 15) == 0,
        .without_fine_traps = a64->state[STATE_HFGRTR_EL2] == NULL,
    };
}

/* QEMU's own where the machine's core has none. */
static unsigned pmu_version(const struct guest_cpu *cpu)
{
    const unsigned own = armpmu_core_of(monitors_own(&cpu->monitors))->pmu_version;

    return own != 0 ? own
                    : (unsigned)(guest64_state_of(cpu, STATE_ID_AA64DFR0_EL1) >> PMU_VER_LSB & 15);
}

/* Firmware that opens the unit to an operating system enables all counters it finds. */
void guest64_begin(struct guest_cpu *cpu)
{
    guest64_forget_traps(cpu);
    memset(cpu->a64->kept, 0, sizeof cpu->a64->kept);
    memset(cpu->a64->sctlr, 0, sizeof cpu->a64->sctlr);
    cpu->a64->in_host = false;
    cpu->a64->pending_fixup = NULL;
    cpu->a64->deferred.level = 0;
    cpu->a64->control_written = true;
    guest64_look_at_controls(cpu);
    cpu->a64->kept[KEPT_PMU_VERSION] = pmu_version(cpu);
    cpu->a64->kept[KEPT_PMU_VERSION_32] = monitors_version_32(pmu_version(cpu));
    cpu->a64->kept[KEPT_AMU_VERSION] = amu_config_version(&unit, &guest.cores);
    amu_config_begin(&unit, &cpu->monitors);
}

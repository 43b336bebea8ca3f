/* Which activity monitors the processors of an AArch64 machine have: CHOICE(guest-amu-unit). */
#include "cosim/amu_config.h"

#include <string.h>

#include "qemu/plugin/guest64.h"

static struct amu_config unit = AMU_UNIT_USUAL;

const char *guest64_amu_config_parse(const char *text)
{
    return amu_config_parse(text, &unit);
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

/* Firmware that opens the unit to an operating system enables all counters it finds. */
void guest64_begin(struct guest_cpu *cpu)
{
    guest64_forget_traps(cpu);
    memset(cpu->a64->kept, 0, sizeof cpu->a64->kept);
    memset(cpu->a64->translating, 0, sizeof cpu->a64->translating);
    cpu->a64->in_host = false;
    cpu->a64->pending_fixup = NULL;
    cpu->a64->kept[KEPT_AMU_VERSION] = guest64_amu_config_is_v1p1() ? 2 : 1;
    amu_config_begin(&unit, cpu->pmu);
}

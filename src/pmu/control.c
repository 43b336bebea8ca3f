/* The bits of PMNC that cause an action, the same in every core with this register. */
#include "pmu/device.h"

static void zero_counters(struct armpmu *pmu, bool cycles)
{
    for (size_t i = 0; i < pmu->core->n_counters; i++) {
        const struct armpmu_counter *const counter = &pmu->core->counters[i];
        if ((counter->event.slot == ARMPMU_SLOT_NONE) == cycles)
            pmu->state.slot[counter->count.slot] = 0;
    }
}

void pmu_control_wrote(struct armpmu *pmu, uint64_t written, uint64_t before)
{
    if (written & CONTROL_P)
        zero_counters(pmu, false);
    if (written & CONTROL_C)
        zero_counters(pmu, true);
    /* CHOICE(divider-phase): the 64 clocks begin when C is written as one or D becomes one. */
    if ((written & CONTROL_C) || (written & ~before & CONTROL_D))
        pmu->state.prescaler = 0;
}

/* The performance monitor of the Cortex-A8; its block is that of other Armv7 cores of its time. */
#include "pmu/armv7.h"

/* A counter that counts software increments moves for its bit of SWINCR. */
static void software_increment(struct armpmu *pmu, uint64_t written)
{
    for (size_t i = 0; i < pmu->core->n_counters; i++) {
        const struct armpmu_counter *const counter = &pmu->core->counters[i];
        /* CHOICE(swincr-other-event): a counter that counts another event ignores its bit. */
        if (counter->event.slot != ARMPMU_SLOT_NONE && (written >> counter->enable.lsb & 1) &&
            slot_get(pmu, counter->event, counter->event_bits) == 0 &&
            pmu->model->is_counting(pmu, counter))
            pmu_counter_add(pmu, counter, 1);
    }
}

void pmu_armv7_wrote(struct armpmu *pmu, const struct armpmu_register *reg, unsigned element,
                     uint64_t written, uint64_t before)
{
    (void)element;
    if (reg->slot == ARMPMU_SLOT_CONTROL)
        pmu_control_wrote(pmu, written, before);
    else if (reg->slot == ARMPMU_SLOT_NONE)
        software_increment(pmu, written);
}

static bool is_stopped(const struct armpmu *pmu)
{
    return pin_is_high(pmu, ARMPMU_PIN_DEBUG_HALTED) || pin_is_high(pmu, ARMPMU_PIN_STANDBY);
}

bool pmu_armv7_is_counting(const struct armpmu *pmu, const struct armpmu_counter *counter,
                           bool debug_is_permitted)
{
    const uint64_t control = pmu->state.slot[ARMPMU_SLOT_CONTROL];
    const bool ignores_debug = counter->event.slot == ARMPMU_SLOT_NONE && !(control & CONTROL_DP);

    return (control & CONTROL_E) && slot_get(pmu, counter->enable, 1) && !is_stopped(pmu) &&
           (ignores_debug || debug_is_permitted);
}

bool pmu_armv7_is_exporting(const struct armpmu *pmu, bool debug_is_permitted)
{
    return (pmu->state.slot[ARMPMU_SLOT_CONTROL] & CONTROL_X) && debug_is_permitted &&
           !is_stopped(pmu);
}

bool pmu_armv7_is_asserted(const struct armpmu *pmu)
{
    return (pmu->state.slot[ARMPMU_SLOT_CONTROL] & CONTROL_E) &&
           (pmu->state.slot[ARMPMU_SLOT_FLAG] & pmu->state.slot[ARMPMU_SLOT_INTERRUPT]) != 0;
}

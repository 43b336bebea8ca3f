/* The Cortex-A8's performance monitor.
 * Source: ARM DDI 0344K, c9 performance monitor registers; the rules of non-invasive debug are
 * those of the Armv7 architecture. */
#include "pmu/armv7.h"

/* CHOICE(a8-debug-rule): the manual does not print the table of authentication signals. */
static bool debug_is_permitted(const struct armpmu *pmu)
{
    const bool invasive = pin_is_high(pmu, ARMPMU_PIN_DBGEN);

    if (!invasive && !pin_is_high(pmu, ARMPMU_PIN_NIDEN))
        return false;
    if (pin_is_high(pmu, ARMPMU_PIN_NONSECURE) || pin_is_high(pmu, ARMPMU_PIN_SPIDEN) ||
        pin_is_high(pmu, ARMPMU_PIN_SPNIDEN))
        return true;
    return pin_is_high(pmu, ARMPMU_PIN_USER_MODE) &&
           (pin_is_high(pmu, ARMPMU_PIN_SUNIDEN) ||
            (pin_is_high(pmu, ARMPMU_PIN_SUIDEN) && invasive));
}

static bool is_counting(const struct armpmu *pmu, const struct armpmu_counter *counter)
{
    return pmu_armv7_is_counting(pmu, counter, debug_is_permitted(pmu));
}

static bool is_exporting(const struct armpmu *pmu)
{
    return pmu_armv7_is_exporting(pmu, debug_is_permitted(pmu));
}

static uint32_t outputs(const struct armpmu *pmu)
{
    return (uint32_t)pmu_armv7_is_asserted(pmu) << ARMPMU_OUTPUT_PMUIRQ;
}

const struct model pmu_model_cortex_a8 = {
    .pins = PIN_BIT(USER_MODE) | PIN_BIT(STANDBY) | PIN_BIT(DEBUG_HALTED) | PIN_BIT(DBGEN) |
            PIN_BIT(NIDEN) | PIN_BIT(SPIDEN) | PIN_BIT(SPNIDEN) | PIN_BIT(SUIDEN) |
            PIN_BIT(SUNIDEN) | PIN_BIT(NONSECURE) | PIN_BIT(PMUEXTIN0) | PIN_BIT(PMUEXTIN1),
    .lines = OUTPUT_BIT(PMUIRQ),
    .first_input = ARMPMU_PIN_PMUEXTIN0,
    .first_input_signal = ARMPMU_SIGNAL_EXTERNAL_INPUT0,
    .n_inputs = 2,
    .is_counting = is_counting,
    .is_exporting = is_exporting,
    .wrote = pmu_armv7_wrote,
    .outputs = outputs,
};

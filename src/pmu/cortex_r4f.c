/* The Cortex-R4F's performance monitor and the request lines for validation.
 *
 * Source: ARM DDI 0363E, About the PMU, c9 performance monitor registers, c15 validation
 * registers. The event bus is in export.c, the fault location register in fault.c. */
#include "pmu/armv7.h"

/* CHOICE(r4f-debug-rule): one security state, so DBGEN or NIDEN permits; for the event bus too. */
static bool debug_is_permitted(const struct armpmu *pmu)
{
    return pin_is_high(pmu, ARMPMU_PIN_DBGEN) || pin_is_high(pmu, ARMPMU_PIN_NIDEN);
}

static bool is_counting(const struct armpmu *pmu, const struct armpmu_counter *counter)
{
    return pmu_armv7_is_counting(pmu, counter, debug_is_permitted(pmu));
}

static bool is_exporting(const struct armpmu *pmu)
{
    return pmu_armv7_is_exporting(pmu, debug_is_permitted(pmu));
}

/* CHOICE(val-level): a line stays asserted as long as the flag of a chosen counter is set, whatever
 * INTENS and PMNC.E say. */
static uint32_t request(const struct armpmu *pmu, enum armpmu_slot chosen,
                        enum armpmu_output output)
{
    const bool asks = (pmu->state.slot[ARMPMU_SLOT_FLAG] & pmu->state.slot[chosen]) != 0;

    return (uint32_t)asks << output;
}

static uint32_t outputs(const struct armpmu *pmu)
{
    return (uint32_t)pmu_armv7_is_asserted(pmu) << ARMPMU_OUTPUT_PMUIRQ |
           request(pmu, ARMPMU_SLOT_VAL_IRQ, ARMPMU_OUTPUT_VALIRQ) |
           request(pmu, ARMPMU_SLOT_VAL_FIQ, ARMPMU_OUTPUT_VALFIQ) |
           request(pmu, ARMPMU_SLOT_VAL_RESET, ARMPMU_OUTPUT_VALRESET) |
           request(pmu, ARMPMU_SLOT_VAL_DEBUG, ARMPMU_OUTPUT_VALEDBGRQ);
}

const struct model pmu_model_cortex_r4f = {
    .locates_faults = true,
    .pins = PIN_BIT(USER_MODE) | PIN_BIT(STANDBY) | PIN_BIT(DEBUG_HALTED) | PIN_BIT(DBGEN) |
            PIN_BIT(NIDEN) | PIN_BIT(ETMEXTOUT0) | PIN_BIT(ETMEXTOUT1),
    .lines = OUTPUT_BIT(PMUIRQ) | OUTPUT_BIT(VALIRQ) | OUTPUT_BIT(VALFIQ) | OUTPUT_BIT(VALRESET) |
             OUTPUT_BIT(VALEDBGRQ),
    .first_input = ARMPMU_PIN_ETMEXTOUT0,
    .first_input_signal = ARMPMU_SIGNAL_EXTERNAL_INPUT0,
    .n_inputs = 2,
    .is_counting = is_counting,
    .is_exporting = is_exporting,
    .wrote = pmu_armv7_wrote,
    .outputs = outputs,
};

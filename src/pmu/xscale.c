/* The performance monitor of the Intel XScale, both generations.
 *
 * The first has two event counters and keeps flags, interrupt enables and event numbers in PMNC;
 * the second has four, and registers for each of these. The tables say where each bit is; what is
 * left is the same for both:
 *
 *     counting = E and the core's clock runs         no enable of a counter's own, no mode filter
 *     request  = OR over counters (flag and enable)  a level; E has no part in it
 *
 * Event 0xFF has no signal, so that the counter which selects it does not move.
 *
 * CHOICE(xscale-at-once): a write to a running unit acts at once, whatever the manual forbids:
 * EVTSEL or D changed, P and C with E taken away in the same write (they act first), a counter
 * preloaded. CHOICE(xscale-same-clock): what is posted comes before or after an access. An
 * embedder that has an overflow and the write that clears its flag in one clock writes first, so
 * that the flag stays.
 *
 * CHOICE(xscale-erratum): with config.flag_erratum an overflow clears the flags of earlier ones,
 * not the flags of the same increment; both generations have the switch, though only the 80200 had
 * the erratum. count.c does it.
 *
 * Left out: what the product makes of the request (IRQ or FIQ, its number), and sleep, which takes
 * the power and is a reset.
 *
 * Source: Intel 273473-002, Performance Monitoring. */
#include "pmu/device.h"

/* CHOICE(xscale-idle): the core's clock stops in idle mode; request and counts stay.
 * CHOICE(xscale-debug): a debug handler is counted like any code, so DEBUG_HALTED is not asked. */
static bool is_counting(const struct armpmu *pmu, const struct armpmu_counter *counter)
{
    (void)counter;
    return (pmu->state.slot[ARMPMU_SLOT_CONTROL] & CONTROL_E) &&
           !pin_is_high(pmu, ARMPMU_PIN_STANDBY);
}

/* CHOICE(xscale-flags-stay): neither P, C nor a write to a counter clears a flag. */
static void wrote(struct armpmu *pmu, const struct armpmu_register *reg, unsigned element,
                  uint64_t written, uint64_t before)
{
    (void)element;
    if (reg->slot == ARMPMU_SLOT_CONTROL)
        pmu_control_wrote(pmu, written, before);
    else if (reg->slot == ARMPMU_SLOT_CYCLES)
        pmu->state.prescaler = 0; /* CHOICE(xscale-divider-phase): 64 clocks begin here, too */
}

static uint32_t outputs(const struct armpmu *pmu)
{
    bool requested = false;

    for (size_t i = 0; i < pmu->core->n_counters; i++) {
        const struct armpmu_counter *const counter = &pmu->core->counters[i];
        requested |= slot_get(pmu, counter->flag, 1) && slot_get(pmu, counter->interrupt, 1);
    }
    return (uint32_t)requested << ARMPMU_OUTPUT_PMU_REQUEST;
}

#define PINS                                                                                       \
    (PIN_BIT(USER_MODE) | PIN_BIT(STANDBY) | PIN_BIT(PRODUCT0) | PIN_BIT(PRODUCT1) |               \
     PIN_BIT(PRODUCT2) | PIN_BIT(PRODUCT3) | PIN_BIT(PRODUCT4) | PIN_BIT(PRODUCT5) |               \
     PIN_BIT(PRODUCT6) | PIN_BIT(PRODUCT7))

#define XSCALE_MONITOR                                                                             \
    {                                                                                              \
        .has_flag_erratum = true, .pins = PINS, .lines = OUTPUT_BIT(PMU_REQUEST),                  \
        .first_input = ARMPMU_PIN_PRODUCT0, .first_input_signal = ARMPMU_SIGNAL_PRODUCT_INPUT0,    \
        .n_inputs = 8, .is_counting = is_counting, .wrote = wrote, .outputs = outputs,             \
    }

const struct model pmu_model_xscale1 = XSCALE_MONITOR;
const struct model pmu_model_xscale2 = XSCALE_MONITOR;

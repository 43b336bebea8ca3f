/* PMUv3, the performance monitor of Armv8 and later cores: which counters a unit has and when they
 * count.
 *
 *     counting = enabled and not prohibited and not filtered and not frozen, out of Debug state
 *
 * EL2 may reserve event counters from MDCR_EL2.HPMN on: they have an enable and a freeze control of
 * their own there. Who may use a register, and how it looks from below, is src/pmu/access/pmuv3.c.
 *
 * Left out: statistical profiling, branch records, thresholds (FEAT_PMUv3_TH), snapshots, the
 * instruction counter (FEAT_PMUv3_ICNTR), Realm management, the sampling of the program counter by
 * the memory-mapped view, and the authentication that overrides MDCR_EL3.
 *
 * Source: ARM DDI 0487, The Performance Monitors Extension: AArch64.CountPMUEvents and
 * AArch64.CheckForPMUOverflow; the registers named. */
#include "pmu/pmuv3.h"

#include "pmu/error_format.h"

#define EVENT_CHAIN 0x1e
#define CHAIN_BIT   (UINT64_C(1) << EVENT_CHAIN) /* of PMCEID0 */

#define PMCR_LP  (UINT64_C(1) << 7)
#define PMCR_FZO (UINT64_C(1) << 9)

#define PMCFGR_FZO (UINT64_C(1) << 21)

/* MDCR_EL2 */
#define HPME   (UINT64_C(1) << 7)
#define HPMD   (UINT64_C(1) << 17)
#define HCCD   (UINT64_C(1) << 23)
#define HLP    (UINT64_C(1) << 26)
#define HPMFZO (UINT64_C(1) << 29)

/* MDCR_EL3 */
#define SPME  (UINT64_C(1) << 17)
#define EPMAD (UINT64_C(1) << 21)
#define SCCD  (UINT64_C(1) << 23)
#define MCCD  (UINT64_C(1) << 34)
#define MPMX  (UINT64_C(1) << 35)

/* PMEVTYPER and PMCCFILTR */
#define FILTER_P   31
#define FILTER_U   30
#define FILTER_NSK 29
#define FILTER_NSU 28
#define FILTER_NSH 27
#define FILTER_M   26
#define FILTER_SH  24

/* --- Configuration --------------------------------------------------------------------------- */

static bool is_version(unsigned version)
{
    return version == PMUV3 || (version >= PMUV3P1 && version <= PMUV3P8);
}

static enum armpmu_status configure(struct armpmu *pmu, struct armpmu_error *error)
{
    struct armpmu_pmuv3_config *const config = &pmu->config.pmuv3;

    if (config->version == 0)
        config->version = pmu->core->pmu_version;
    if (!is_version(config->version))
        return pmu_refuse(error, ARMPMU_BAD_CONFIG,
                          "pmuv3.version: %u; it is 1, 4, 5, 6, 7 or 8, as ID_AA64DFR0_EL1.PMUVer",
                          config->version);
    if (config->counters == 0)
        config->counters = (uint8_t)pmu->core->n_event_counters;
    if (config->counters > PMUV3_COUNTERS)
        return pmu_refuse(error, ARMPMU_BAD_CONFIG, "pmuv3.counters: %u, at most %u",
                          config->counters, PMUV3_COUNTERS);
    if (config->highest_el > 3)
        return pmu_refuse(error, ARMPMU_BAD_CONFIG, "pmuv3.highest_el: %u, at most 3",
                          config->highest_el);
    if (config->highest_el == 0)
        config->highest_el = 3;
    if (config->highest_el == 2 && config->without_el2)
        return pmu_refuse(error, ARMPMU_BAD_CONFIG,
                          "pmuv3.highest_el: 2 with pmuv3.without_el2; it is 1 then, or 3");
    config->without_el2 = config->without_el2 || config->highest_el < 2;
    return ARMPMU_OK;
}

/* --- Counters in ranges ---------------------------------------------------------------------- */

static bool is_cycle_counter(const struct armpmu_counter *counter)
{
    return counter->event.slot == ARMPMU_SLOT_NONE;
}

static unsigned number_of(const struct armpmu_counter *counter)
{
    return counter->count.slot - ARMPMU_SLOT_COUNT;
}

static bool is_reserved(const struct armpmu *pmu, const struct armpmu_counter *counter)
{
    return !is_cycle_counter(counter) && number_of(counter) >= pmu_pmuv3_first_reserved(pmu);
}

static bool exists(const struct armpmu *pmu, const struct armpmu_counter *counter)
{
    return is_cycle_counter(counter) || number_of(counter) < pmu->config.pmuv3.counters;
}

/* --- Counting -------------------------------------------------------------------------------- */

static bool has_el3(const struct armpmu *pmu)
{
    return pmu->config.pmuv3.highest_el == 3;
}

static bool has(const struct armpmu *pmu, enum armpmu_pin pin, uint64_t bit)
{
    return (pmu->state.pin[pin] & bit) != 0;
}

/* The fields of an Exception level that is not implemented are zero. */
static bool el2_has(const struct armpmu *pmu, uint64_t bit)
{
    return !pmu->config.pmuv3.without_el2 && has(pmu, ARMPMU_PIN_MDCR_EL2, bit);
}

static bool el3_has(const struct armpmu *pmu, uint64_t bit)
{
    return has_el3(pmu) && has(pmu, ARMPMU_PIN_MDCR_EL3, bit);
}

static bool is_at_least(const struct armpmu *pmu, enum pmuv3_version version)
{
    return pmu->config.pmuv3.version >= version;
}

static bool is_secure(const struct armpmu *pmu)
{
    return has_el3(pmu) && (pmu_pmuv3_el(pmu) == 3 || !pin_is_high(pmu, ARMPMU_PIN_NONSECURE));
}

static bool is_enabled(const struct armpmu *pmu, const struct armpmu_counter *counter)
{
    const bool all = is_reserved(pmu, counter)
                         ? el2_has(pmu, HPME)
                         : (pmu->state.slot[ARMPMU_SLOT_CONTROL] & CONTROL_E) != 0;

    return all && slot_get(pmu, counter->enable, 1);
}

/* CHOICE(pmuv3-aarch32-secure): SDER.SUNIDEN, which lets Secure EL0 under an EL1 in AArch32 be
 * counted, is looked at as the pin SUNIDEN. */
static bool secure_prohibits(const struct armpmu *pmu)
{
    const bool open = pmu_pmuv3_el(pmu) == 0 && pin_is_high(pmu, ARMPMU_PIN_EL1_AARCH32) &&
                      pin_is_high(pmu, ARMPMU_PIN_SUNIDEN);

    if (!is_secure(pmu) || open || el3_has(pmu, SPME))
        return false;
    return !is_at_least(pmu, PMUV3P7) || !el3_has(pmu, MPMX);
}

static bool is_prohibited(const struct armpmu *pmu, const struct armpmu_counter *counter)
{
    const unsigned el = pmu_pmuv3_el(pmu);
    const bool reserved = is_reserved(pmu, counter);

    if (secure_prohibits(pmu))
        return true;
    if (el == 3 && is_at_least(pmu, PMUV3P7) && el3_has(pmu, MPMX) &&
        (!el3_has(pmu, SPME) || !reserved))
        return true;
    return el == 2 && is_at_least(pmu, PMUV3P1) && !reserved && el2_has(pmu, HPMD);
}

/* The cycle counter is prohibited by bits of its own; those of events only while DP is one. */
static bool cycles_are_prohibited(const struct armpmu *pmu)
{
    const unsigned el = pmu_pmuv3_el(pmu);

    if (is_at_least(pmu, PMUV3P5) &&
        ((is_secure(pmu) && el3_has(pmu, SCCD)) || (el == 2 && el2_has(pmu, HCCD))))
        return true;
    return is_at_least(pmu, PMUV3P7) && el == 3 && el3_has(pmu, MCCD);
}

/* CHOICE(pmuv3-aarch32-el3): an EL3 in AArch32 is filtered by P alone, as its other modes are. */
static bool el3_has_m(const struct armpmu *pmu)
{
    return !pin_is_high(pmu, ARMPMU_PIN_AARCH32);
}

static bool is_filtered(const struct armpmu *pmu, const struct armpmu_counter *counter)
{
    const unsigned slot = is_cycle_counter(counter) ? ARMPMU_SLOT_EVENT + PMUV3_COUNTERS
                                                    : ARMPMU_SLOT_EVENT + number_of(counter);
    const uint64_t filter = pmu->state.slot[slot];
    const bool secure = is_secure(pmu);
#define SAYS(bit) ((filter >> FILTER_##bit & 1) != 0)
    switch (pmu_pmuv3_el(pmu)) {
    case 0:
        return secure ? SAYS(U) : SAYS(U) != SAYS(NSU);
    case 1:
        return secure ? SAYS(P) : SAYS(P) != SAYS(NSK);
    case 2:
        return secure ? SAYS(NSH) == SAYS(SH) : !SAYS(NSH);
    default:
        return SAYS(P) != (SAYS(M) && el3_has_m(pmu));
    }
#undef SAYS
}

/* The group of event counters that stop together: those of EL2, or the others. */
static bool group_freezes(const struct armpmu *pmu, bool reserved)
{
    return is_at_least(pmu, PMUV3P7) &&
           (reserved ? el2_has(pmu, HPMFZO)
                     : (pmu->state.slot[ARMPMU_SLOT_CONTROL] & PMCR_FZO) != 0);
}

static bool is_frozen(const struct armpmu *pmu, bool reserved)
{
    const uint64_t first = bits_below(pmu_pmuv3_first_reserved(pmu));
    const uint64_t flags = pmu->state.slot[ARMPMU_SLOT_FLAG] & ~CYCLES_BIT;

    return group_freezes(pmu, reserved) && (flags & (reserved ? ~first : first)) != 0;
}

static bool cycle_counter_counts(const struct armpmu *pmu, const struct armpmu_counter *counter)
{
    const bool minds_events = (pmu->state.slot[ARMPMU_SLOT_CONTROL] & CONTROL_DP) != 0;

    return !cycles_are_prohibited(pmu) &&
           !(minds_events && (is_prohibited(pmu, counter) || is_frozen(pmu, false)));
}

/* CHOICE(pmuv3-standby): the clock stops in WFI and WFE, and with it all counters. */
static bool is_counting(const struct armpmu *pmu, const struct armpmu_counter *counter)
{
    if (!exists(pmu, counter) || !is_enabled(pmu, counter) ||
        pin_is_high(pmu, ARMPMU_PIN_DEBUG_HALTED) || pin_is_high(pmu, ARMPMU_PIN_STANDBY))
        return false;
    if (is_filtered(pmu, counter))
        return false;
    if (is_cycle_counter(counter))
        return cycle_counter_counts(pmu, counter);
    return !is_prohibited(pmu, counter) && !is_frozen(pmu, is_reserved(pmu, counter));
}

/* PMEVCNTR<n>_EL0 has 32 bits before v3p5. */
static unsigned bits(const struct armpmu *pmu, const struct armpmu_counter *counter)
{
    return is_cycle_counter(counter) || is_at_least(pmu, PMUV3P5) ? 64 : 32;
}

static unsigned wraps(const struct armpmu *pmu, const struct armpmu_counter *counter)
{
    const uint64_t control = pmu->state.slot[ARMPMU_SLOT_CONTROL];

    if (is_cycle_counter(counter))
        return control & CONTROL_LC ? 64 : 32;
    if (!is_at_least(pmu, PMUV3P5))
        return 32;
    return (is_reserved(pmu, counter) ? el2_has(pmu, HLP) : (control & PMCR_LP) != 0) ? 64 : 32;
}

static unsigned freezes(const struct armpmu *pmu, const struct armpmu_counter *counter)
{
    const bool reserved = is_reserved(pmu, counter);

    if (!group_freezes(pmu, reserved) ||
        (is_cycle_counter(counter) && !(pmu->state.slot[ARMPMU_SLOT_CONTROL] & CONTROL_DP)))
        return 0;
    return reserved ? 2 : 1;
}

/* CHOICE(pmuv3-chain): CHAIN counts where the odd counter may count, whatever the even one's filter
 * says; the even counter's overflow counts before any that comes with it stops the odd one. A
 * counter that overflows after 64 bits is not chained (DDI 0487, AArch64.IncrementEventCounter). */
static const struct armpmu_counter *chained(const struct armpmu *pmu,
                                            const struct armpmu_counter *counter)
{
    if (is_cycle_counter(counter) || number_of(counter) % 2 != 0 ||
        number_of(counter) + 1 >= pmu->config.pmuv3.counters || wraps(pmu, counter) == 64)
        return NULL;
    const struct armpmu_counter *const next = counter + 1;
    return slot_get(pmu, next->event, next->event_bits) == EVENT_CHAIN ? next : NULL;
}

/* CHOICE(pmuv3-export): X puts events out where counting them is not prohibited. */
static bool is_exporting(const struct armpmu *pmu)
{
    const struct armpmu_counter *const first = &pmu->core->counters[1];

    return (pmu->state.slot[ARMPMU_SLOT_CONTROL] & CONTROL_X) && !is_prohibited(pmu, first) &&
           !pin_is_high(pmu, ARMPMU_PIN_DEBUG_HALTED) && !pin_is_high(pmu, ARMPMU_PIN_STANDBY);
}

/* --- What the unit has ----------------------------------------------------------------------- */

/* The counters that EL1 reaches, or all of them, in the sets of counters. */
static uint64_t all_counters(const struct armpmu *pmu)
{
    return bits_below(pmu->config.pmuv3.counters) | CYCLES_BIT;
}

static uint64_t present_control(const struct armpmu *pmu)
{
    uint64_t absent = 0;

    if (!is_at_least(pmu, PMUV3P7))
        absent |= PMCR_FZO;
    if (!is_at_least(pmu, PMUV3P5))
        absent |= PMCR_LP;
    return ~absent;
}

/* Filter bits of Exception levels and versions that are not there.
 * CHOICE(pmuv3-filter-bits): without EL3 there is no M, NSK, NSU nor SH; without EL2 no NSH. */
static uint64_t present_filter(const struct armpmu *pmu)
{
    const struct armpmu_pmuv3_config *const config = &pmu->config.pmuv3;
    uint64_t absent = 0;

    if (!has_el3(pmu))
        absent |= UINT64_C(1) << FILTER_NSK | UINT64_C(1) << FILTER_NSU | UINT64_C(1) << FILTER_M;
    if (config->without_el2)
        absent |= UINT64_C(1) << FILTER_NSH;
    if (!has_el3(pmu) || config->without_el2 || config->without_secure_el2)
        absent |= UINT64_C(1) << FILTER_SH;
    return ~absent;
}

static uint64_t present_bits(const struct armpmu *pmu, const struct armpmu_register *reg,
                             unsigned element)
{
    (void)element;
    switch (reg->slot) {
    case ARMPMU_SLOT_CONTROL:
        return present_control(pmu);
    case ARMPMU_SLOT_ENABLE:
    case ARMPMU_SLOT_FLAG:
    case ARMPMU_SLOT_INTERRUPT:
    case ARMPMU_SLOT_NONE:
        return all_counters(pmu);
    case ARMPMU_SLOT_COUNT:
        return is_at_least(pmu, PMUV3P5) ? UINT64_MAX : UINT32_MAX;
    case ARMPMU_SLOT_EVENT:
        /* CHOICE(pmuv3-event-bits): 16 bits of event number from v3p1 on, 10 before. */
        return present_filter(pmu) & ~(is_at_least(pmu, PMUV3P1) ? 0 : UINT64_C(0xfc00));
    case ARMPMU_SLOT_EVENT + PMUV3_COUNTERS:
        return present_filter(pmu);
    default:
        return UINT64_MAX;
    }
}

static bool has_register(const struct armpmu *pmu, const struct armpmu_register *reg,
                         unsigned element)
{
    if (reg->slot == ARMPMU_SLOT_COUNT || reg->slot == ARMPMU_SLOT_EVENT)
        return element < pmu->config.pmuv3.counters;
    if (reg->slot == ARMPMU_SLOT_MACHINE)
        return is_at_least(pmu, PMUV3P4);
    if ((reg->slot == ARMPMU_SLOT_EVENT_IDS || reg->slot == ARMPMU_SLOT_EVENT_IDS + 1) &&
        reg->slot_lsb != 0)
        return is_at_least(pmu, PMUV3P1);
    return true;
}

/* Bit n of a word of PMCEID: event first + n. */
static uint64_t events_there(const struct armpmu *pmu, unsigned first)
{
    uint64_t there = 0;

    for (unsigned n = 0; n < 32; n++) {
        const struct armpmu_event *const event = armpmu_event_by_number(pmu->core, first + n);
        there |= (uint64_t)(event->fidelity != ARMPMU_RESERVED) << n;
    }
    return there;
}

/* The constants that the configuration decides. */
static void reset(struct armpmu *pmu, enum armpmu_reset reset, const struct state *keep)
{
    const struct armpmu_pmuv3_config *const config = &pmu->config.pmuv3;
    uint64_t *const slot = pmu->state.slot;

    /* CHOICE(pmuv3-reset): a warm reset resets all that a cold one does. */
    (void)reset;
    (void)keep;
    slot[ARMPMU_SLOT_CONTROL] &= ~(UINT64_C(0x1f) << PMCR_N_LSB);
    slot[ARMPMU_SLOT_CONTROL] |= (uint64_t)config->counters << PMCR_N_LSB;
    slot[ARMPMU_SLOT_CONFIG] = (slot[ARMPMU_SLOT_CONFIG] & ~UINT64_C(0xff)) | config->counters;
    slot[ARMPMU_SLOT_AFFINITY] = config->affinity;
    for (unsigned word = 0; word < 2; word++) {
        slot[ARMPMU_SLOT_EVENT_IDS + word] = events_there(pmu, 0x20 * word);
        if (is_at_least(pmu, PMUV3P1))
            slot[ARMPMU_SLOT_EVENT_IDS + word] |= events_there(pmu, 0x4000 + 0x20 * word) << 32;
    }
    if (config->counters < 2)
        slot[ARMPMU_SLOT_EVENT_IDS] &= ~CHAIN_BIT;
    if (is_at_least(pmu, PMUV3P7))
        slot[ARMPMU_SLOT_CONFIG] |= PMCFGR_FZO;
}

/* --- What writes set off --------------------------------------------------------------------- */

/* The event counters that the access reaches. */
static void zero_events(struct armpmu *pmu)
{
    for (unsigned n = 0; n < pmu->config.pmuv3.counters; n++)
        if (pmu->reached >> n & 1)
            pmu->state.slot[ARMPMU_SLOT_COUNT + n] = 0;
}

/* CHOICE(pmuv3-swincr): a counter that counts another event, or may not count here, ignores its bit
 * of PMSWINC_EL0. The increments of one write come at once: the overflow of one stops no other. */
static void software_increment(struct armpmu *pmu, uint64_t written)
{
    for (size_t i = 0; i < pmu->core->n_counters; i++) {
        const struct armpmu_counter *const counter = &pmu->core->counters[i];
        if (!is_cycle_counter(counter) && (written >> number_of(counter) & 1) &&
            slot_get(pmu, counter->event, counter->event_bits) == 0 && pmu->sources[i].counting)
            pmu_counter_add(pmu, counter, 1);
    }
}

static void wrote(struct armpmu *pmu, const struct armpmu_register *reg, unsigned element,
                  uint64_t written, uint64_t before)
{
    (void)element;
    if (reg->slot == ARMPMU_SLOT_CONTROL) {
        if (written & CONTROL_P)
            zero_events(pmu);
        pmu_control_wrote(pmu, written & ~CONTROL_P, before);
    } else if (reg->permission == ARMPMU_PERMIT_PMUV3_SWINC) {
        software_increment(pmu, written);
    }
}

static uint32_t outputs(const struct armpmu *pmu)
{
    const uint64_t raised =
        pmu->state.slot[ARMPMU_SLOT_FLAG] & pmu->state.slot[ARMPMU_SLOT_INTERRUPT];
    const uint64_t first = bits_below(pmu_pmuv3_first_reserved(pmu)) | CYCLES_BIT;
    const bool enabled = (pmu->state.slot[ARMPMU_SLOT_CONTROL] & CONTROL_E) != 0;
    const bool asserted =
        (enabled && (raised & first) != 0) || (el2_has(pmu, HPME) && (raised & ~first) != 0);

    return (uint32_t)asserted << ARMPMU_OUTPUT_PMUIRQ;
}

/* --- The memory-mapped view ------------------------------------------------------------------ */

static enum armpmu_access layout(const struct armpmu *pmu)
{
    (void)pmu;
    return ARMPMU_ACCESS_EXT32;
}

static bool is_identification(const struct armpmu_register *reg)
{
    return reg->permission == ARMPMU_PERMIT_BUS && reg->slot != ARMPMU_SLOT_CONFIG &&
           reg->slot != ARMPMU_SLOT_AFFINITY;
}

/* CHOICE(pmuv3-view): while the core has no power, the OS lock is set, or MDCR_EL3.EPMAD keeps the
 * Nonsecure world out, all but the registers that identify the frame answer with an error. */
static bool fails_in_view(const struct armpmu *pmu, const struct armpmu_register *reg)
{
    const bool off =
        !pmu->config.pmuv3.always_powered && pin_is_high(pmu, ARMPMU_PIN_CORE_POWERED_OFF);
    const bool kept_out = el3_has(pmu, EPMAD) && pmu->state.pin[ARMPMU_PIN_BUS_WORLD] == 0;

    return !is_identification(reg) && (off || kept_out || pin_is_high(pmu, ARMPMU_PIN_OS_LOCK));
}

/* PMCR_EL0 of the view does not say what PMCFGR says. */
static uint64_t seen_in_view(const struct armpmu *pmu, const struct armpmu_register *reg)
{
    (void)pmu;
    if (reg->slot == ARMPMU_SLOT_CONTROL)
        return bits_below(PMCR_N_LSB);
    return reg->slot == ARMPMU_SLOT_EVENT_IDS || reg->slot == ARMPMU_SLOT_EVENT_IDS + 1
               ? UINT32_MAX
               : UINT64_MAX;
}

static bool stores_in_view(const struct armpmu_register *reg)
{
    (void)reg;
    return true;
}

/* Cores of Armv9 count events of their trace unit and cross-trigger interface. */
#define ARMV9_INPUTS                                                                               \
    (PIN_BIT(TRCEXTOUT0) | PIN_BIT(TRCEXTOUT1) | PIN_BIT(TRCEXTOUT2) | PIN_BIT(TRCEXTOUT3) |       \
     PIN_BIT(CTI_TRIGOUT4) | PIN_BIT(CTI_TRIGOUT5) | PIN_BIT(CTI_TRIGOUT6) |                       \
     PIN_BIT(CTI_TRIGOUT7))

#define PMUV3_MODEL(inputs, input_pins)                                                            \
    {                                                                                              \
        .pins = PIN_BIT(STANDBY) | PIN_BIT(DEBUG_HALTED) | PIN_BIT(NONSECURE) | PIN_BIT(SUNIDEN) | \
                PIN_BIT(EL) | PIN_BIT(AARCH32) | PIN_BIT(EL1_AARCH32) | PIN_BIT(EL2_AARCH32) |     \
                PIN_BIT(EL3_AARCH32) | PIN_BIT(EL2_ENABLED) | PIN_BIT(HCR_TGE) |                   \
                PIN_BIT(HCR_E2H) | PIN_BIT(SCR_FGTEN) | PIN_BIT(EL3_DEBUG_UNDEF) | PIN_BIT(HSTR) | \
                PIN_BIT(MDCR_EL2) | PIN_BIT(MDCR_EL3) | PIN_BIT(HDFGRTR) | PIN_BIT(HDFGWTR) |      \
                PIN_BIT(OS_LOCK) | PIN_BIT(CORE_POWERED_OFF) | PIN_BIT(BUS_WORLD) | (input_pins),  \
        .lines = OUTPUT_BIT(PMUIRQ), .first_input = ARMPMU_PIN_TRCEXTOUT0,                         \
        .first_input_signal = ARMPMU_SIGNAL_TRACE_OUTPUT0, .n_inputs = (inputs),                   \
        .configure = configure, .reset = reset, .is_counting = is_counting, .bits = bits,          \
        .wraps = wraps, .freezes = freezes, .has_long_cycles = true, .chained = chained,           \
        .is_exporting = is_exporting, .present_bits = present_bits, .has_register = has_register,  \
        .wrote = wrote, .outputs = outputs, .layout = layout, .seen_in_view = seen_in_view,        \
        .fails_in_view = fails_in_view, .stores_in_view = stores_in_view,                          \
    }

const struct model pmu_model_cortex_a53 = PMUV3_MODEL(0, 0);
const struct model pmu_model_cortex_a55 = PMUV3_MODEL(0, 0);
const struct model pmu_model_cortex_a57 = PMUV3_MODEL(0, 0);
const struct model pmu_model_cortex_a72 = PMUV3_MODEL(0, 0);
const struct model pmu_model_cortex_a76 = PMUV3_MODEL(0, 0);
const struct model pmu_model_cortex_a77 = PMUV3_MODEL(0, 0);
const struct model pmu_model_cortex_a78 = PMUV3_MODEL(0, 0);
const struct model pmu_model_cortex_x1 = PMUV3_MODEL(0, 0);
const struct model pmu_model_neoverse_n1 = PMUV3_MODEL(0, 0);
const struct model pmu_model_neoverse_v1 = PMUV3_MODEL(0, 0);
const struct model pmu_model_neoverse_n2 = PMUV3_MODEL(8, ARMV9_INPUTS);
const struct model pmu_model_neoverse_v2 = PMUV3_MODEL(8, ARMV9_INPUTS);

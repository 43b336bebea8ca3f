/* Counting, lazily: a post only takes from the signal's headroom. Counts are made exact ("synced")
 * when somebody looks, when anything that counting depends on is about to change, and when the
 * headroom of a signal is used up, which is never later than the post that makes a counter wrap.
 *
 * An event that sums k signals gives each of them an equal share of the counter's headroom, rounded
 * so that the shares together are less than the headroom. */
#include "pmu/device.h"

#include "pmu/export.h"

/* More than anybody posts: the headroom of a signal that no counter counts. */
#define FAR (INT64_MAX / 2)

/* Clocks for one step of a divided cycle counter: 2 to this power. */
#define DIVIDER_BITS 6

/* The overflows of one sync. */
struct overflows {
    uint64_t since;    /* the latest of them: how far its counter has come since */
    uint32_t counters; /* bit n: core->counters[n] */
};

_Static_assert(COUNTERS_MAX <= 32, "a counter does not fit the word of overflows");

static uint64_t *count_of(struct armpmu *pmu, const struct armpmu_counter *counter)
{
    return &pmu->state.slot[counter->count.slot];
}

static void set_flag(struct armpmu *pmu, const struct armpmu_counter *counter)
{
    pmu->state.slot[counter->flag.slot] |= UINT64_C(1) << counter->flag.lsb;
}

static void clear_flags(struct armpmu *pmu)
{
    for (size_t i = 0; i < pmu->core->n_counters; i++) {
        const struct armpmu_slot_bit flag = pmu->core->counters[i].flag;
        pmu->state.slot[flag.slot] &= ~(UINT64_C(1) << flag.lsb);
    }
}

/* With the erratum an overflow leaves only its own flag: the last one of a sync wins. */
static void note_overflow(struct armpmu *pmu, const struct armpmu_counter *counter, uint64_t since,
                          struct overflows *overflows)
{
    if (pmu->config.flag_erratum && since < overflows->since)
        clear_flags(pmu);
    if (!pmu->config.flag_erratum || since <= overflows->since)
        set_flag(pmu, counter);
    overflows->since = since < overflows->since ? since : overflows->since;
    overflows->counters |= UINT32_C(1) << (counter - pmu->core->counters);
}

/* Last of all, when every count is exact: a callback may ask for any of them. */
static void tell_overflows(struct armpmu *pmu, const struct overflows *overflows)
{
    if (overflows->counters == 0 || pmu->config.overflow == NULL)
        return;
    for (size_t i = 0; i < pmu->core->n_counters; i++)
        if (overflows->counters >> i & 1)
            pmu->config.overflow(pmu->config.user, &pmu->core->counters[i]);
}

/* The part of a count above the bits after which it overflows. */
static uint64_t beyond(uint64_t count, unsigned wraps)
{
    return wraps == 64 ? 0 : count >> wraps;
}

static unsigned bits_of(const struct armpmu *pmu, const struct armpmu_counter *counter)
{
    return pmu->model->bits != NULL ? pmu->model->bits(pmu, counter) : counter->bits;
}

/* Adds n to a counter that overflows after this number of bits. Returns true if it overflowed. */
static bool add(struct armpmu *pmu, const struct armpmu_counter *counter, unsigned wraps,
                uint64_t n)
{
    uint64_t *const count = count_of(pmu, counter);
    const uint64_t before = *count, sum = before + n;

    *count = sum & bits_below(bits_of(pmu, counter));
    return wraps == 64 ? sum < before : beyond(sum, wraps) != beyond(before, wraps);
}

/* The steps that n clocks give a divided cycle counter. */
static uint64_t divide(struct armpmu *pmu, uint64_t n)
{
    const uint64_t clocks = pmu->state.prescaler + n;

    pmu->state.prescaler = clocks & bits_below(DIVIDER_BITS);
    return clocks >> DIVIDER_BITS;
}

static unsigned wraps_of(const struct armpmu *pmu, const struct armpmu_counter *counter)
{
    return pmu->model->wraps != NULL ? pmu->model->wraps(pmu, counter) : bits_of(pmu, counter);
}

/* An overflow is an event of the next counter, where that counted when the overflow came: its
 * source says so, whatever has overflowed with it. It may overflow too, but chains no further. */
static void add_to_chain(struct armpmu *pmu, const struct armpmu_counter *counter,
                         struct overflows *overflows)
{
    const struct armpmu_counter *const next =
        pmu->model->chained != NULL ? pmu->model->chained(pmu, counter) : NULL;

    if (next == NULL || !pmu->sources[next - pmu->core->counters].counting)
        return;
    if (add(pmu, next, wraps_of(pmu, next), 1))
        note_overflow(pmu, next, 0, overflows);
}

static void add_from_source(struct armpmu *pmu, const struct armpmu_counter *counter,
                            const struct counter_source *source, uint64_t n,
                            struct overflows *overflows)
{
    const bool wrapped = add(pmu, counter, source->wraps, source->divided ? divide(pmu, n) : n);

    if (!wrapped || counter->flag.slot == ARMPMU_SLOT_NONE)
        return;
    const uint64_t count = *count_of(pmu, counter) & bits_below(source->wraps);
    add_to_chain(pmu, counter, overflows);
    note_overflow(pmu, counter,
                  source->divided ? count << DIVIDER_BITS | pmu->state.prescaler : count,
                  overflows);
}

void pmu_counter_add(struct armpmu *pmu, const struct armpmu_counter *counter, uint64_t n)
{
    const struct counter_source direct = {.counting = true,
                                          .wraps = (uint8_t)wraps_of(pmu, counter)};
    struct overflows overflows = {UINT64_MAX, 0};

    add_from_source(pmu, counter, &direct, n, &overflows);
    tell_overflows(pmu, &overflows);
}

/* Returns what was posted of a counter's signals since counts were last exact. */
static uint64_t posted_to(const struct armpmu *pmu, const struct counter_source *source)
{
    uint64_t n = 0;

    for (unsigned i = 0; i < source->n_signals; i++) {
        const unsigned signal = source->signals[i];
        n += (uint64_t)(pmu->synced[signal] - pmu->tally.headroom[signal]);
    }
    return n;
}

static void count_posted(struct armpmu *pmu, struct overflows *overflows)
{
    for (size_t i = 0; i < pmu->core->n_counters; i++) {
        const struct counter_source *const source = &pmu->sources[i];
        const uint64_t n = posted_to(pmu, source);
        if (n > 0)
            add_from_source(pmu, &pmu->core->counters[i], source, n, overflows);
    }
    for (unsigned i = 0; i < pmu->n_used; i++)
        pmu->synced[pmu->used[i]] = pmu->tally.headroom[pmu->used[i]];
}

void pmu_sync(struct armpmu *pmu)
{
    struct overflows overflows = {UINT64_MAX, 0};

    count_posted(pmu, &overflows);
    tell_overflows(pmu, &overflows);
}

/* Lets a signal run for at most posts more before it is due. */
static void limit(struct armpmu *pmu, unsigned signal, int64_t posts)
{
    int64_t *const headroom = &pmu->tally.headroom[signal];

    if (pmu->synced[signal] == FAR)
        pmu->used[pmu->n_used++] = (uint16_t)signal;
    if (posts < *headroom)
        *headroom = posts;
    pmu->synced[signal] = *headroom;
}

void pmu_start_counting(struct armpmu *pmu)
{
    for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
        pmu->tally.headroom[signal] = pmu->synced[signal] = FAR;
}

static void release_signals(struct armpmu *pmu)
{
    for (unsigned i = 0; i < pmu->n_used; i++)
        pmu->tally.headroom[pmu->used[i]] = pmu->synced[pmu->used[i]] = FAR;
    pmu->n_used = 0;
}

static void select_own_source(const struct armpmu *pmu, const struct armpmu_counter *counter,
                              struct counter_source *source)
{
    const unsigned signal =
        pmu->model->own_signal != NULL ? pmu->model->own_signal(counter) : ARMPMU_SIGNAL_COUNT;

    if (signal < ARMPMU_SIGNAL_COUNT) {
        source->n_signals = 1;
        source->signals[0] = (uint16_t)signal;
    }
}

/* Returns whether the unit itself makes the event: writes to the software increment register and
 * overflows are not posted. */
static bool is_of_the_unit(unsigned signal)
{
    return signal == ARMPMU_SIGNAL_SW_INCREMENT || signal == ARMPMU_SIGNAL_COUNTER_OVERFLOW;
}

/* The counter's source as it is now. */
static void select_source(const struct armpmu *pmu, const struct armpmu_counter *counter,
                          struct counter_source *source)
{
    const uint64_t ignoring_d = CONTROL_D | (pmu->model->has_long_cycles ? CONTROL_LC : 0);

    *source = (struct counter_source){.counting = pmu->model->is_counting(pmu, counter)};
    if (!source->counting)
        return;
    source->wraps = (uint8_t)wraps_of(pmu, counter);
    source->freezes = pmu->model->freezes != NULL ? (uint8_t)pmu->model->freezes(pmu, counter) : 0;
    if (counter->event.slot == ARMPMU_SLOT_NONE) {
        source->divided = (pmu->state.slot[ARMPMU_SLOT_CONTROL] & ignoring_d) == CONTROL_D;
        source->n_signals = 1;
        source->signals[0] = ARMPMU_SIGNAL_CPU_CYCLES;
        return;
    }
    const uint64_t number = slot_get(pmu, counter->event, counter->event_bits);
    const struct armpmu_event *const event = armpmu_event_by_number(pmu->core, (unsigned)number);
    if (event == NULL || (event->n_signals > 0 && is_of_the_unit(event->signals[0])))
        return;
    source->n_signals = event->n_signals;
    for (unsigned i = 0; i < event->n_signals; i++)
        source->signals[i] = event->signals[i];
    if (event->fidelity == ARMPMU_RESERVED)
        select_own_source(pmu, counter, source);
}

/* The posts after which the counter wraps, at most as many as any signal may run. */
static uint64_t headroom_of(struct armpmu *pmu, const struct armpmu_counter *counter,
                            const struct counter_source *source)
{
    if (source->wraps == 64 && counter->flag.slot == ARMPMU_SLOT_NONE)
        return FAR;
    const uint64_t mask = bits_below(source->wraps);
    const uint64_t steps = mask - (*count_of(pmu, counter) & mask); /* less one */
    if (steps >= FAR)
        return FAR;
    return source->divided ? ((steps + 1) << DIVIDER_BITS) - pmu->state.prescaler : steps + 1;
}

static void watch(struct armpmu *pmu, const struct armpmu_counter *counter,
                  const struct counter_source *source)
{
    static const unsigned share_bits[ARMPMU_EVENT_SIGNALS_MAX + 1] = {0, 0, 1, 2, 2};
    const unsigned shift = share_bits[source->n_signals];
    const uint64_t share = (headroom_of(pmu, counter, source) + bits_below(shift)) >> shift;

    for (unsigned i = 0; i < source->n_signals; i++)
        limit(pmu, source->signals[i], (int64_t)share - 1);
}

void pmu_update_thresholds(struct armpmu *pmu)
{
    release_signals(pmu);
    for (size_t i = 0; i < pmu->core->n_counters; i++) {
        select_source(pmu, &pmu->core->counters[i], &pmu->sources[i]);
        watch(pmu, &pmu->core->counters[i], &pmu->sources[i]);
    }
    if (pmu_exports(pmu))
        for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
            limit(pmu, signal, 0);
    else
        pmu->state.bus = 0;
    if (pmu->state.fault_this_clock)
        limit(pmu, ARMPMU_SIGNAL_CPU_CYCLES, 0);
}

/* A pin changes whether a counter counts, after how many bits it overflows and what stops it, but
 * not the signals that it counts. */
static bool source_differs(const struct armpmu *pmu, size_t i)
{
    const struct armpmu_counter *const counter = &pmu->core->counters[i];
    const struct counter_source *const now = &pmu->sources[i];

    if (pmu->model->is_counting(pmu, counter) != now->counting)
        return true;
    return now->counting &&
           (wraps_of(pmu, counter) != now->wraps ||
            (pmu->model->freezes != NULL && pmu->model->freezes(pmu, counter) != now->freezes));
}

/* A counter whose own enable bit is zero counts with no pin. */
static bool is_switched_off(const struct armpmu *pmu, const struct armpmu_counter *counter)
{
    return counter->enable.slot != ARMPMU_SLOT_NONE && slot_get(pmu, counter->enable, 1) == 0;
}

static bool any_source_differs(const struct armpmu *pmu)
{
    for (size_t i = 0; i < pmu->core->n_counters; i++)
        if (!is_switched_off(pmu, &pmu->core->counters[i]) && source_differs(pmu, i))
            return true;
    return false;
}

bool pmu_counting_differs(struct armpmu *pmu, enum armpmu_pin pin, uint64_t value)
{
    const uint64_t before = pmu->state.pin[pin];
    const bool exported = pmu_exports(pmu);

    pmu->state.pin[pin] = value;
    const bool differs = pmu_exports(pmu) != exported || any_source_differs(pmu);
    pmu->state.pin[pin] = before;
    return differs;
}

uint64_t armpmu_headroom(const struct armpmu *pmu)
{
    int64_t least = FAR;

    for (unsigned i = 0; i < pmu->n_used; i++) {
        const int64_t headroom = pmu->tally.headroom[pmu->used[i]];
        least = headroom < least ? headroom : least;
    }
    return (uint64_t)least;
}

uint64_t armpmu_headroom_of(const struct armpmu *pmu, enum armpmu_signal signal)
{
    return (uint64_t)pmu->tally.headroom[signal];
}

/* --- Counters that an overflow stops --------------------------------------------------------- */

static bool counts_signal(const struct counter_source *source, unsigned signal)
{
    for (unsigned i = 0; i < source->n_signals; i++)
        if (source->signals[i] == signal)
            return true;
    return false;
}

/* The part of the current post that a counter counts after the event that makes it overflow. */
static uint64_t posted_since_overflow(const struct armpmu *pmu, size_t counter)
{
    const struct counter_source *const source = &pmu->sources[counter];
    const uint64_t mask = bits_below(source->wraps);
    const uint64_t left = mask - (pmu->state.slot[pmu->core->counters[counter].count.slot] & mask);
    const uint64_t n = posted_to(pmu, source);

    return n > left ? n - left - 1 : 0;
}

/* The part of a signal's current post after the first overflow that it makes, where an overflow
 * stops any counter; the cycle counter's stops none. */
static uint64_t posted_since_stop(const struct armpmu *pmu, enum armpmu_signal signal)
{
    uint64_t most = 0;
    bool any_stops = false;

    if (pmu->model->freezes == NULL)
        return 0;
    for (size_t i = 0; i < pmu->core->n_counters; i++) {
        const struct counter_source *const source = &pmu->sources[i];
        any_stops = any_stops || source->freezes;
        if (pmu->core->counters[i].event.slot == ARMPMU_SLOT_NONE || !counts_signal(source, signal))
            continue;
        const uint64_t since = posted_since_overflow(pmu, i);
        most = since > most ? since : most;
    }
    return any_stops ? most : 0;
}

/* Counts a post up to the first overflow that stops counters, and the rest with the sources that
 * are left then. Afterwards the signal may run on from FAR: its sources are selected again. */
static void count_with_stops(struct armpmu *pmu, enum armpmu_signal signal,
                             struct overflows *overflows)
{
    uint64_t rest = posted_since_stop(pmu, signal);

    while (rest > 0) {
        pmu->tally.headroom[signal] += (int64_t)rest;
        count_posted(pmu, overflows);
        pmu_update_thresholds(pmu);
        pmu->tally.headroom[signal] -= (int64_t)rest;
        rest = posted_since_stop(pmu, signal);
    }
    count_posted(pmu, overflows);
}

/* While events go out every post is due at once. All other signals are synced then, so that no
 * source has to be selected again. */
static void count_and_export(struct armpmu *pmu, enum armpmu_signal signal, uint64_t n)
{
    struct overflows overflows = {UINT64_MAX, 0};

    count_with_stops(pmu, signal, &overflows);
    pmu->tally.headroom[signal] = pmu->synced[signal] = 0;
    if (overflows.counters != 0 && pmu->model->freezes != NULL)
        pmu_update_thresholds(pmu);
    tell_overflows(pmu, &overflows);
    pmu_export_events(pmu, signal, (uint32_t)n);
    pmu_update_outputs(pmu);
}

void armpmu_threshold_reached(struct armpmu *pmu, enum armpmu_signal signal)
{
    const uint64_t n = (uint64_t)(pmu->synced[signal] - pmu->tally.headroom[signal]);
    struct overflows overflows = {UINT64_MAX, 0};

    if (signal == ARMPMU_SIGNAL_CPU_CYCLES)
        pmu->state.fault_this_clock = false;
    if (pmu_exports(pmu)) {
        count_and_export(pmu, signal, n);
        return;
    }
    count_with_stops(pmu, signal, &overflows);
    tell_overflows(pmu, &overflows);
    pmu->tally.headroom[signal] = pmu->synced[signal] = FAR;
    pmu_update_thresholds(pmu);
    pmu_update_outputs(pmu);
}

/* Overflow lands on the exact increment: for every counter and every event of every core. */
#include <string.h>

#include "../test.h"
#include "armpmu/pmu.h"
#include "random.h"

struct subject {
    union armpmu_memory memory;
    struct armpmu *pmu;
    const struct armpmu_core *core;
    const struct armpmu_counter *counter; /* the one that is looked at */
    unsigned overflows;                   /* told of it */
    unsigned wraps, keeps;                /* bits after which it overflows, and that it has */
};

static void on_overflow(void *user, const struct armpmu_counter *counter)
{
    struct subject *const s = user;

    s->overflows += counter == s->counter;
}

/* --- Setting a device up through its registers ------------------------------------------------ */

/* The register, and its element, that keeps a bit of a slot and lets it be set. */
static const struct armpmu_register *keeper(const struct armpmu_core *core,
                                            struct armpmu_slot_bit place, unsigned *element)
{
    for (size_t i = 0; i < core->n_registers; i++) {
        const struct armpmu_register *const reg = &core->registers[i];
        const uint64_t set = armpmu_register_mask(reg, ARMPMU_FIELD_RW) |
                             armpmu_register_mask(reg, ARMPMU_FIELD_W1S);

        *element = (unsigned)place.slot - reg->slot;
        if (place.slot < reg->slot || *element >= reg->count || place.lsb < reg->slot_lsb)
            continue;
        if (place.lsb - reg->slot_lsb < reg->bits && (set >> (place.lsb - reg->slot_lsb) & 1))
            return reg;
    }
    return NULL;
}

/* Puts a value at a place and leaves what is beside it alone. */
static void put(struct subject *s, struct armpmu_slot_bit place, unsigned width, uint64_t value)
{
    const uint64_t ones = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    unsigned element;
    const struct armpmu_register *const reg = keeper(s->core, place, &element);

    assert_non_null(reg);
    const unsigned lsb = place.lsb - reg->slot_lsb;
    const uint64_t beside = armpmu_peek(s->pmu, reg, element) & ~(ones << lsb) &
                            armpmu_register_mask(reg, ARMPMU_FIELD_RW);
    armpmu_poke(s->pmu, reg, element, beside | value << lsb);
}

static uint64_t get(struct subject *s, struct armpmu_slot_bit place)
{
    for (size_t i = 0; i < s->core->n_registers; i++) {
        const struct armpmu_register *const reg = &s->core->registers[i];

        if (place.slot >= reg->slot && place.slot < reg->slot + reg->count &&
            place.lsb >= reg->slot_lsb && place.lsb - reg->slot_lsb < reg->bits)
            return armpmu_peek(s->pmu, reg, (unsigned)place.slot - reg->slot) >>
                   (place.lsb - reg->slot_lsb);
    }
    return 0;
}

static bool flag(struct subject *s)
{
    return s->counter->flag.slot != ARMPMU_SLOT_NONE && (get(s, s->counter->flag) & 1);
}

static bool is_pmuv3(const struct armpmu_core *core)
{
    return core->pmu_version != 0;
}

static bool is_amu(const struct armpmu_core *core)
{
    return strcmp(core->name, "amuv1") == 0;
}

static bool is_cycle_counter(const struct armpmu_counter *counter)
{
    return counter->event.slot == ARMPMU_SLOT_NONE;
}

static bool has_64_bits(const struct armpmu_core *core, const struct armpmu_counter *counter)
{
    return is_cycle_counter(counter) || core->pmu_version >= 6;
}

/* A counter of PMUv3 may have 64 bits and overflow after 32: PMCR_EL0.LC and LP decide. Event
 * counters have 32 bits before v3p5. */
static void begin_width(struct subject *s, bool is_long)
{
    if (!is_pmuv3(s->core)) {
        s->wraps = s->keeps = s->counter->bits;
        return;
    }
    s->wraps = is_long ? 64 : 32;
    s->keeps = has_64_bits(s->core, s->counter) ? 64 : 32;
    put(s, (struct armpmu_slot_bit){ARMPMU_SLOT_CONTROL, 6}, 2, is_long ? 3 : 0);
}

static bool can_be_long(const struct armpmu_core *core, size_t counter)
{
    return is_pmuv3(core) && has_64_bits(core, &core->counters[counter]);
}

/* All counters but the first four of the activity monitors are of the second group; PMUv3 has all
 * that it can have, and counts in Nonsecure EL1. */
static void begin(struct subject *s, const struct armpmu_core *core, size_t counter, bool is_long)
{
    struct armpmu_config config = {.core = core->name, .overflow = on_overflow, .user = s};

    memset(s, 0, sizeof *s);
    config.amu.group1_counters = 16;
    config.pmuv3.counters = is_pmuv3(core) ? 31 : 0;
    assert_int_equal(armpmu_create(&s->memory, sizeof s->memory, &config, &s->pmu, NULL),
                     ARMPMU_OK);
    armpmu_set_pin(s->pmu, ARMPMU_PIN_NONSECURE, is_pmuv3(core));
    armpmu_set_pin(s->pmu, ARMPMU_PIN_EL, is_pmuv3(core) ? 1 : 3);
    s->core = core;
    s->counter = &core->counters[counter];
    begin_width(s, is_long);
    if (!is_amu(core))
        put(s, (struct armpmu_slot_bit){ARMPMU_SLOT_CONTROL, 0}, 1, 1);
    if (s->counter->enable.slot != ARMPMU_SLOT_NONE)
        put(s, s->counter->enable, 1, 1);
}

/* The count so many increments after the wrap, before it if negative. */
static uint64_t after_wrap(const struct subject *s, int64_t increments)
{
    const uint64_t zero = s->wraps == 64 ? 0 : UINT64_C(1) << 32;

    return (zero + (uint64_t)increments) & (s->keeps == 64 ? UINT64_MAX : UINT32_MAX);
}

/* headroom increments before the wrap. */
static void preload(struct subject *s, uint64_t headroom)
{
    put(s, s->counter->count, s->counter->bits, after_wrap(s, -(int64_t)headroom));
}

/* after: increments since the wrap. What was told comes first: looking at a count would make it
 * exact. */
static void expect(struct subject *s, int64_t after, unsigned overflows)
{
    assert_int_equal(s->overflows, s->counter->flag.slot == ARMPMU_SLOT_NONE ? 0 : overflows);
    assert_int_equal(get(s, s->counter->count), after_wrap(s, after));
    assert_int_equal(flag(s), s->counter->flag.slot != ARMPMU_SLOT_NONE && overflows > 0);
}

/* n occurrences, in one post or spread over the signals that the event sums. */
static void happen(struct subject *s, const uint16_t *signals, unsigned n_signals, uint32_t n,
                   struct random *random)
{
    if (n_signals == 1 || random_chance(random, 20)) {
        armpmu_post(s->pmu, (enum armpmu_signal)signals[random_below(random, n_signals)], n);
        return;
    }
    while (n > 0) {
        const uint32_t part = 1 + random_below(random, n);

        armpmu_post(s->pmu, (enum armpmu_signal)signals[random_below(random, n_signals)], part);
        n -= part;
    }
}

/* --- Events ---------------------------------------------------------------------------------- */

static const uint32_t rooms[] = {1, 2, 3, 4, 5, 7, 64, 1000, 0x80000000, 0xffffffff};

/* The register that keeps the flag clears what is written as one. */
static void clear_flag(struct subject *s)
{
    const uint64_t bit = UINT64_C(1) << s->counter->flag.lsb;

    for (size_t i = 0; i < s->core->n_registers && flag(s); i++) {
        const struct armpmu_register *const reg = &s->core->registers[i];
        const uint64_t kept = armpmu_peek(s->pmu, reg, 0);

        if (reg->slot == s->counter->flag.slot &&
            (armpmu_register_mask(reg, ARMPMU_FIELD_W1C) & bit))
            armpmu_poke(s->pmu, reg, 0, bit | (kept & armpmu_register_mask(reg, ARMPMU_FIELD_RW)));
    }
    s->overflows = 0;
    assert_false(flag(s));
}

static void check_room(struct subject *s, const uint16_t *signals, unsigned n_signals,
                       uint32_t headroom, struct random *random)
{
    preload(s, headroom);
    happen(s, signals, n_signals, headroom - 1, random);
    assert_int_equal(s->overflows, 0);
    happen(s, signals, n_signals, 1, random);
    expect(s, 0, 1);
    happen(s, signals, n_signals, 1, random);
    expect(s, 1, 1);

    /* One post past the end. */
    clear_flag(s);
    preload(s, headroom);
    if (headroom == UINT32_MAX)
        happen(s, signals, n_signals, 1, random);
    happen(s, signals, n_signals, headroom == UINT32_MAX ? headroom : headroom + 1, random);
    expect(s, 1, 1);
}

static void check_event(const struct armpmu_core *core, size_t counter,
                        const struct armpmu_event *event, bool is_long, struct random *random)
{
    static struct subject s;

    if (event->first >> core->counters[counter].event_bits != 0)
        return; /* no number that this counter's selection holds */
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
        begin(&s, core, counter, is_long);
        put(&s, s.counter->event, s.counter->event_bits, event->first);
        check_room(&s, event->signals, event->n_signals, rooms[i], random);
    }
}

static bool is_architected(const struct armpmu_core *core, size_t counter)
{
    return is_amu(core) && counter < 4;
}

/* Software increments and overflows of another counter are not posted. */
static bool is_choice(const struct armpmu_core *core, size_t counter,
                      const struct armpmu_event *event)
{
    return !is_cycle_counter(&core->counters[counter]) && !is_architected(core, counter) &&
           event->n_signals > 0 && event->signals[0] != ARMPMU_SIGNAL_SW_INCREMENT &&
           event->signals[0] != ARMPMU_SIGNAL_COUNTER_OVERFLOW;
}

TEST(every_event_wraps_every_counter_on_its_increment)
{
    struct random random = {20261121};
    size_t count;
    const struct armpmu_core *const *const cores = armpmu_cores(&count);

    for (size_t i = 0; i < count; i++)
        for (size_t n = 0; n < cores[i]->n_counters; n++)
            for (size_t e = 0; e < cores[i]->n_events; e++) {
                const struct armpmu_event *const event = &cores[i]->events[e];

                if (!is_choice(cores[i], n, event))
                    continue;
                check_event(cores[i], n, event, false, &random);
                if (can_be_long(cores[i], n))
                    check_event(cores[i], n, event, true, &random);
            }
}

/* The architected counters of the activity monitors have their events from the beginning. */
TEST(architected_counters_wrap_on_their_increment)
{
    static const uint16_t signals[] = {ARMPMU_SIGNAL_CPU_CYCLES, ARMPMU_SIGNAL_CONSTANT_CYCLES,
                                       ARMPMU_SIGNAL_INST_RETIRED, ARMPMU_SIGNAL_MEMORY_STALL};
    static struct subject s;
    struct random random = {1};

    for (size_t n = 0; n < 4; n++)
        for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
            begin(&s, armpmu_core_find("amuv1"), n, false);
            check_room(&s, &signals[n], 1, rooms[i], &random);
        }
}

/* --- The cycle counter ----------------------------------------------------------------------- */

TEST(cycle_counters_wrap_on_their_clock)
{
    static const uint16_t clock[] = {ARMPMU_SIGNAL_CPU_CYCLES};
    static struct subject s;
    struct random random = {1};
    size_t count;
    const struct armpmu_core *const *const cores = armpmu_cores(&count);

    for (size_t i = 0; i < count; i++)
        for (size_t n = 0; n < sizeof rooms / sizeof rooms[0]; n++) {
            if (!is_cycle_counter(&cores[i]->counters[0]))
                continue;
            for (int is_long = 0; is_long <= can_be_long(cores[i], 0); is_long++) {
                begin(&s, cores[i], 0, is_long);
                check_room(&s, clock, 1, rooms[n], &random);
            }
        }
}

TEST(divided_cycle_counters_wrap_on_their_clock)
{
    static struct subject s;
    size_t count;
    const struct armpmu_core *const *const cores = armpmu_cores(&count);

    for (size_t i = 0; i < count; i++)
        for (uint32_t headroom = 1; headroom <= 3; headroom++) {
            if (!is_cycle_counter(&cores[i]->counters[0]))
                continue;
            begin(&s, cores[i], 0, false);
            preload(&s, headroom);
            put(&s, (struct armpmu_slot_bit){ARMPMU_SLOT_CONTROL, 3}, 1, 1); /* D */
            armpmu_post(s.pmu, ARMPMU_SIGNAL_CPU_CYCLES, 64 * headroom - 1);
            expect(&s, -1, 0);
            armpmu_post(s.pmu, ARMPMU_SIGNAL_CPU_CYCLES, 1);
            expect(&s, 0, 1);
            armpmu_post(s.pmu, ARMPMU_SIGNAL_CPU_CYCLES, 63);
            expect(&s, 0, 1);
            armpmu_post(s.pmu, ARMPMU_SIGNAL_CPU_CYCLES, 1);
            expect(&s, 1, 1);
        }
}

TEST(a_wrap_is_seen_without_anybody_looking)
{
    static struct subject s;
    size_t count;
    const struct armpmu_core *const *const cores = armpmu_cores(&count);

    for (size_t i = 0; i < count; i++) {
        if (!is_cycle_counter(&cores[i]->counters[0]))
            continue;
        begin(&s, cores[i], 0, false);
        preload(&s, 100);
        for (unsigned clock = 1; clock <= 250; clock++) {
            armpmu_post(s.pmu, ARMPMU_SIGNAL_CPU_CYCLES, 1);
            assert_int_equal(s.overflows, clock >= 100);
        }
    }
}

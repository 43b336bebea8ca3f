/* What holds for any list of operations, on every core.
 *
 * Each property is tried on lists made from seeds; a list on which it does not hold is cut down and
 * printed. ARMPMU_SEED=n starts from another seed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "../seeds.h"
#include "invariant.h"
#include "operation.h"

#define LIST_LENGTH 160
#define LISTS       seeds_of(120) /* for each property and core */
#define LISTS_MAX   24000u        /* to look for one that shows something: ends with the first */

/* --- A device that remembers what it told ---------------------------------------------------- */

struct subject {
    union armpmu_memory memory;
    struct armpmu *pmu;
    uint64_t overflows[32]; /* of each counter, in the order of the wiring */
    uint64_t exported;
    uint64_t bus_clocks, bus_sum;
    uint32_t lines;
};

static void on_output(void *user, enum armpmu_output output, bool asserted)
{
    struct subject *const s = user;

    s->lines = (s->lines & ~(UINT32_C(1) << output)) | (uint32_t)asserted << output;
}

static void on_overflow(void *user, const struct armpmu_counter *counter)
{
    struct subject *const s = user;

    s->overflows[counter - armpmu_core_of(s->pmu)->counters]++;
}

static void on_exported(void *user, const struct armpmu_event *event, uint32_t n)
{
    ((struct subject *)user)->exported += (uint64_t)n * (event->first + 1U);
}

static void on_event_bus(void *user, uint64_t bits)
{
    struct subject *const s = user;

    s->bus_sum += ++s->bus_clocks * bits;
}

static void start(struct subject *s, const struct armpmu_config *config)
{
    struct armpmu_config own = *config;

    memset(s, 0, sizeof *s);
    own.output = on_output;
    own.overflow = on_overflow;
    own.exported = on_exported;
    own.event_bus = on_event_bus;
    own.user = s;
    assert_int_equal(armpmu_create(&s->memory, sizeof s->memory, &own, &s->pmu, NULL), ARMPMU_OK);
}

static uint32_t lines_of(const struct subject *s)
{
    uint32_t lines = 0;

    for (unsigned i = 0; i < ARMPMU_OUTPUT_COUNT; i++)
        lines |= (uint32_t)armpmu_output(s->pmu, (enum armpmu_output)i) << i;
    return lines;
}

static bool same_registers(const struct subject *a, const struct subject *b)
{
    const struct armpmu_core *const core = armpmu_core_of(a->pmu);

    for (size_t i = 0; i < core->n_registers; i++)
        for (unsigned n = 0; n < core->registers[i].count; n++)
            if (armpmu_peek(a->pmu, &core->registers[i], n) !=
                armpmu_peek(b->pmu, &core->registers[i], n))
                return false;
    return lines_of(a) == lines_of(b);
}

static bool same_told(const struct subject *a, const struct subject *b)
{
    return memcmp(a->overflows, b->overflows, sizeof a->overflows) == 0 &&
           a->exported == b->exported && a->bus_clocks == b->bus_clocks &&
           a->bus_sum == b->bus_sum && a->lines == b->lines;
}

/* Does an operation on both; whether they answer alike. */
static bool same_answer(struct subject *a, struct subject *b, const struct operation *o)
{
    const struct operation_result left = operation_run(a->pmu, o);
    const struct operation_result right = operation_run(b->pmu, o);

    return left.outcome == right.outcome && left.value == right.value && lines_of(a) == lines_of(b);
}

/* --- Trying a property ------------------------------------------------------------------------ */

typedef bool property(const struct armpmu_config *config, const struct operation *list,
                      size_t count);

struct trial {
    property *holds;
    const struct armpmu_config *config;
};

static bool breaks(const struct operation *list, size_t count, void *user)
{
    const struct trial *const trial = user;

    return !trial->holds(trial->config, list, count);
}

static void try_list(property *holds, const struct armpmu_core *core, uint64_t seed)
{
    static struct maker maker;
    static struct operation list[LIST_LENGTH];
    struct trial trial = {holds, &maker.config};
    size_t count = LIST_LENGTH;

    maker_start(&maker, core, seed);
    for (size_t i = 0; i < count; i++)
        list[i] = maker_next(&maker);
    if (holds(&maker.config, list, count))
        return;
    shrink(list, &count, breaks, &trial);
    fprintf(stderr, "%s, list seed %#" PRIx64 ":\n", core->name, seed);
    for (size_t i = 0; i < count; i++)
        operation_print(stderr, &list[i]);
    fail_msg("does not hold for %s after %zu operations", core->name, count);
}

static void try_everywhere(property *holds)
{
    const char *const wanted = getenv("ARMPMU_SEED");
    const uint64_t seed = wanted == NULL ? 1 : strtoull(wanted, NULL, 0);
    struct random seeds = {seed};
    size_t count;
    const struct armpmu_core *const *const cores = armpmu_cores(&count);

    printf("seed %" PRIu64 "\n", seed);
    for (size_t i = 0; i < count; i++)
        for (unsigned n = 0; n < LISTS; n++)
            try_list(holds, cores[i], random_bits(&seeds));
}

/* --- Lines, reserved bits, pairs -------------------------------------------------------------- */

static bool rules_hold(const struct armpmu_config *config, const struct operation *list,
                       size_t count)
{
    static struct subject s;
    struct invariant rules;

    start(&s, config);
    invariant_start(&rules, armpmu_core_of(s.pmu));
    for (size_t i = 0; i < count; i++) {
        operation_run(s.pmu, &list[i]);
        if (list[i].kind == OPERATION_POST && i % 8 != 0)
            continue; /* looking makes counts exact: let them run now and then */
        if (invariant_lines(&rules, s.pmu) != NULL || invariant_reserved(&rules, s.pmu) != NULL ||
            invariant_pairs(&rules, s.pmu) != NULL || s.lines != lines_of(&s))
            return false;
    }
    return true;
}

TEST(lines_reserved_bits_and_pairs_obey_their_rules)
{
    try_everywhere(rules_hold);
}

/* --- Counts never fall ------------------------------------------------------------------------ */

/* Bit n: the operation may take counter n down. */
static uint32_t taken_down_by(const struct armpmu_core *core, const struct operation *o)
{
    const struct armpmu_register *const target = operation_target(core, o);
    uint32_t counters = 0;

    if (o->kind == OPERATION_STORE && core->pmu_version != 0)
        return UINT32_MAX; /* the view of PMUv3 writes counters */
    if (o->kind == OPERATION_RESET &&
        (o->n == ARMPMU_RESET_COLD || core->counter_bits == 32 || core->pmu_version != 0))
        return UINT32_MAX;
    for (size_t i = 0; target != NULL && i < core->n_counters; i++) {
        const struct armpmu_counter *const counter = &core->counters[i];
        const bool is_cycles = counter->event.slot == ARMPMU_SLOT_NONE;
        const unsigned first = target->slot;

        if (counter->count.slot >= first && counter->count.slot < first + target->count)
            counters |= UINT32_C(1) << i;
        if (first == ARMPMU_SLOT_CONTROL && (o->value & (is_cycles ? 4 : 2)))
            counters |= UINT32_C(1) << i;
    }
    return counters;
}

static uint64_t count_of(struct armpmu *pmu, const struct armpmu_counter *counter)
{
    const struct armpmu_core *const core = armpmu_core_of(pmu);

    for (size_t i = 0; i < core->n_registers; i++) {
        const struct armpmu_register *const reg = &core->registers[i];

        if (counter->count.slot >= reg->slot && counter->count.slot < reg->slot + reg->count)
            return armpmu_peek(pmu, reg, (unsigned)counter->count.slot - reg->slot);
    }
    return 0;
}

/* Whether the counter came from before to now by going up, wraps counted. */
static bool went_up(const struct armpmu_counter *counter, uint64_t before, uint64_t now,
                    uint64_t wraps)
{
    if (counter->bits == 64 && now < before && before <= UINT32_MAX) /* PMUv3 before v3p5 */
        return wraps > 0;
    if (counter->bits == 64)
        return now >= before || before > UINT64_MAX - (UINT64_C(1) << 40);
    return (now + (wraps << 32)) - before < UINT64_C(1) << 40;
}

static bool counts_rise(const struct armpmu_config *config, const struct operation *list,
                        size_t count)
{
    static struct subject s;
    uint64_t before[32] = {0}, wraps[32] = {0};
    uint32_t excused = 0;

    start(&s, config);
    const struct armpmu_core *const core = armpmu_core_of(s.pmu);
    for (size_t i = 0; i < count; i++) {
        excused |= taken_down_by(core, &list[i]);
        operation_run(s.pmu, &list[i]);
        if (i % 6 != 0)
            continue;
        for (size_t n = 0; n < core->n_counters; n++) {
            const uint64_t now = count_of(s.pmu, &core->counters[n]);

            if (!(excused >> n & 1) &&
                !went_up(&core->counters[n], before[n], now, s.overflows[n] - wraps[n]))
                return false;
            before[n] = now;
            wraps[n] = s.overflows[n];
        }
        excused = 0;
    }
    return true;
}

TEST(counts_never_fall_without_a_write_a_reset_or_a_wrap)
{
    try_everywhere(counts_rise);
}

/* --- Posts add up ----------------------------------------------------------------------------- */

static bool singles_add_up(const struct armpmu_config *config, const struct operation *list,
                           size_t count)
{
    static struct subject batch, singles;

    start(&batch, config);
    start(&singles, config);
    for (size_t i = 0; i < count; i++) {
        if (list[i].kind != OPERATION_POST) {
            if (!same_answer(&batch, &singles, &list[i]))
                return false;
            continue;
        }
        armpmu_post(batch.pmu, list[i].signal, list[i].n);
        for (uint32_t n = 0; n < list[i].n; n++)
            armpmu_post(singles.pmu, list[i].signal, 1);
        if (!same_told(&batch, &singles))
            return false;
    }
    return same_registers(&batch, &singles);
}

TEST(a_batch_of_n_equals_n_single_posts)
{
    try_everywhere(singles_add_up);
}

/* Any number that fits a post, from the operation's own: counters wrap in most posts. */
static uint32_t large(uint32_t n)
{
    return n == 1 ? UINT32_MAX : n * UINT32_C(0x9e3779b1);
}

static bool pieces_add_up(const struct armpmu_config *config, const struct operation *list,
                          size_t count)
{
    static struct subject whole, pieces;

    start(&whole, config);
    start(&pieces, config);
    for (size_t i = 0; i < count; i++) {
        const uint32_t n = large(list[i].n), first = n / 3, second = n / 7;

        if (list[i].kind != OPERATION_POST) {
            if (!same_answer(&whole, &pieces, &list[i]))
                return false;
            continue;
        }
        armpmu_post(whole.pmu, list[i].signal, n);
        armpmu_post(pieces.pmu, list[i].signal, first);
        armpmu_post(pieces.pmu, list[i].signal, second);
        armpmu_post(pieces.pmu, list[i].signal, n - first - second);
        if (!same_told(&whole, &pieces))
            return false;
    }
    return same_registers(&whole, &pieces);
}

TEST(a_large_batch_equals_its_pieces)
{
    try_everywhere(pieces_add_up);
}

/* --- Snapshots -------------------------------------------------------------------------------- */

/* A device that was saved half way, one that was not, and one that takes up the snapshot. */
static bool futures_agree(const struct armpmu_config *config, const struct operation *list,
                          size_t count)
{
    static struct subject saved, plain, later;
    static union armpmu_memory snapshot;
    const size_t half = count / 2;

    start(&saved, config);
    start(&plain, config);
    start(&later, config);
    for (size_t i = 0; i < half; i++)
        if (!same_answer(&saved, &plain, &list[i]))
            return false;
    armpmu_snapshot(saved.pmu, &snapshot);
    if (armpmu_restore(later.pmu, &snapshot, armpmu_snapshot_bytes(saved.pmu), NULL) != ARMPMU_OK ||
        later.lines != lines_of(&saved))
        return false;
    for (size_t i = half; i < count; i++) {
        const struct operation_result now = operation_run(saved.pmu, &list[i]);
        const struct operation_result again = operation_run(later.pmu, &list[i]);
        const struct operation_result never = operation_run(plain.pmu, &list[i]);

        if (now.outcome != again.outcome || now.value != again.value ||
            now.outcome != never.outcome || now.value != never.value ||
            lines_of(&saved) != lines_of(&later) || lines_of(&saved) != lines_of(&plain))
            return false;
    }
    return same_told(&saved, &plain) && same_registers(&saved, &plain) &&
           same_registers(&saved, &later);
}

TEST(a_snapshot_changes_nothing_and_has_the_same_future)
{
    try_everywhere(futures_agree);
}

/* --- Room ------------------------------------------------------------------------------------- */

static uint64_t all_overflows(const struct subject *s)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < 32; i++)
        sum += s->overflows[i];
    return sum;
}

static bool no_counter_wraps_within_the_room(const struct armpmu_config *config,
                                             const struct operation *list, size_t count)
{
    static struct subject s;
    static union armpmu_memory snapshot;

    start(&s, config);
    for (size_t i = 0; i < count; i++)
        operation_run(s.pmu, &list[i]);
    const uint64_t headroom = armpmu_headroom(s.pmu);
    const uint64_t before = all_overflows(&s);
    armpmu_snapshot(s.pmu, &snapshot);
    for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++) {
        armpmu_post(s.pmu, (enum armpmu_signal)signal,
                    headroom > UINT32_MAX ? UINT32_MAX : (uint32_t)headroom);
        if (all_overflows(&s) != before ||
            armpmu_restore(s.pmu, &snapshot, armpmu_snapshot_bytes(s.pmu), NULL) != ARMPMU_OK)
            return false;
    }
    return true;
}

TEST(posts_within_the_room_wrap_no_counter)
{
    try_everywhere(no_counter_wraps_within_the_room);
}

/* --- Pins of the core ------------------------------------------------------------------------- */

static enum armpmu_pin moved;

/* The pin takes another value after each operation, in one of two. */
static bool pin_means_nothing(const struct armpmu_config *config, const struct operation *list,
                              size_t count)
{
    static struct subject still, moves;

    start(&still, config);
    start(&moves, config);
    for (size_t i = 0; i < count; i++) {
        if (list[i].kind == OPERATION_PIN && list[i].pin == moved)
            continue;
        if (!same_answer(&still, &moves, &list[i]))
            return false;
        armpmu_set_pin(moves.pmu, moved, list[i].value ^ i);
    }
    return same_told(&still, &moves) && same_registers(&still, &moves);
}

static bool shows_in_lists(const struct armpmu_core *core, enum armpmu_pin pin)
{
    static struct maker maker;
    static struct operation list[LIST_LENGTH];
    struct random seeds = {pin + 1};

    for (unsigned n = 0; n < LISTS_MAX; n++) {
        maker_start(&maker, core, random_bits(&seeds));
        for (size_t i = 0; i < LIST_LENGTH; i++)
            list[i] = maker_next(&maker);
        if (!pin_means_nothing(&maker.config, list, LIST_LENGTH))
            return true;
    }
    return false;
}

TEST(a_core_looks_at_the_pins_that_are_its_own_and_no_others)
{
    size_t count;
    const struct armpmu_core *const *const cores = armpmu_cores(&count);

    for (size_t i = 0; i < count; i++)
        for (unsigned pin = 0; pin < ARMPMU_PIN_COUNT; pin++) {
            moved = (enum armpmu_pin)pin;
            if (!armpmu_pin_is_of(cores[i], moved))
                for (uint64_t seed = 1; seed <= LISTS / 4; seed++)
                    try_list(pin_means_nothing, cores[i], seed);
            else if (!shows_in_lists(cores[i], moved))
                fail_msg("%s does not look at %s", cores[i]->name, armpmu_pin_name(moved));
        }
}

/* What the question changes, and whether posts after the pin count otherwise than before where the
 * answer is no: all signals once, with the old value and with the new one. */
static bool answer_holds(struct subject *s, struct subject *other, enum armpmu_pin pin,
                         uint64_t value)
{
    static union armpmu_memory before, after;

    armpmu_snapshot(s->pmu, &before);
    const bool matters = armpmu_pin_matters(s->pmu, pin, value);
    armpmu_snapshot(s->pmu, &after);
    if (memcmp(&before, &after, armpmu_snapshot_bytes(s->pmu)) != 0)
        return false;
    if (matters)
        return armpmu_pin_is_of(armpmu_core_of(s->pmu), pin);
    if (armpmu_restore(other->pmu, &before, armpmu_snapshot_bytes(s->pmu), NULL) != ARMPMU_OK)
        return false;
    armpmu_snapshot(s->pmu, &before);
    for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++) {
        armpmu_post(s->pmu, (enum armpmu_signal)signal, 70);
        armpmu_post(other->pmu, (enum armpmu_signal)signal, 70);
        if (signal == 0)
            armpmu_set_pin(other->pmu, pin, value);
    }
    if (armpmu_pin_signal(armpmu_core_of(s->pmu), pin, &(enum armpmu_signal){0}))
        return armpmu_restore(s->pmu, &before, armpmu_snapshot_bytes(s->pmu), NULL) == ARMPMU_OK;
    const struct armpmu_core *const core = armpmu_core_of(s->pmu);
    bool same = true;
    for (size_t i = 0; i < core->n_counters; i++)
        same = same &&
               count_of(s->pmu, &core->counters[i]) == count_of(other->pmu, &core->counters[i]);
    return armpmu_restore(s->pmu, &before, armpmu_snapshot_bytes(s->pmu), NULL) == ARMPMU_OK &&
           same;
}

static bool pins_matter(const struct armpmu_config *config, const struct operation *list,
                        size_t count)
{
    static struct subject s, other;

    start(&s, config);
    start(&other, config);
    for (size_t i = 0; i < count; i++) {
        if (list[i].kind == OPERATION_PIN && !answer_holds(&s, &other, list[i].pin, list[i].value))
            return false;
        operation_run(s.pmu, &list[i]);
    }
    return true;
}

TEST(a_pin_that_does_not_matter_changes_no_count)
{
    try_everywhere(pins_matter);
}

static bool only_its_lines(const struct armpmu_config *config, const struct operation *list,
                           size_t count)
{
    static struct subject s;

    start(&s, config);
    for (size_t i = 0; i < count; i++) {
        operation_run(s.pmu, &list[i]);
        for (unsigned output = 0; output < ARMPMU_OUTPUT_COUNT; output++)
            if ((s.lines >> output & 1) &&
                !armpmu_output_is_of(armpmu_core_of(s.pmu), (enum armpmu_output)output))
                return false;
    }
    return true;
}

TEST(a_core_asserts_no_lines_but_its_own)
{
    try_everywhere(only_its_lines);
}

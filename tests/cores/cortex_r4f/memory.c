/* The memory system of the Cortex-R4F against plain lists: what is counted and how long it takes,
 * over random loads, stores, preloads, drains, fetches and maintenance on random machines. */
#include "cores/cortex_r4f/memory.h"

#include <stdlib.h>
#include <string.h>

#include "../../test.h"
#include "../../reference/pick.h"
#include "../../reference/cortex_r4f/memory.h"
#include "../model.h"
#include "random_machine.h"

enum { SEEDS = 500, STEPS = 1500 };

static struct armpmu_machine *machine;

static int load_machine(void **state)
{
    struct armpmu_error err = {""};
    (void)state;
    return armpmu_machine_load("cortex-r4f", SOURCE_ROOT "/machines", &machine, &err) != ARMPMU_OK;
}

static int free_machine(void **state)
{
    (void)state;
    armpmu_machine_free(machine);
    return 0;
}

/* ---- both, side by side ---- */

struct both {
    struct r4f_memory fast;
    struct slow_memory slow;
    uint64_t tally[ARMPMU_SIGNAL_COUNT], seen[ARMPMU_SIGNAL_COUNT], random;
    uint32_t place;     /* accesses lie around here for a while */
    uint32_t latest[4]; /* addresses of accesses and preloads */
    unsigned n_latest;
    bool injects;
    uint64_t reported; /* errors, mixed together as the slow memory does */
};

/* Somewhere, or where the machine has something of its own. */
static uint32_t random_place(const struct armpmu_machine *m, uint64_t *random)
{
    const uint32_t bases_kb[] = {m->atcm_base_kb, m->btcm_base_kb, m->regions_write_through_kb,
                                 m->regions_noncacheable_kb, m->regions_ordered_kb};
    const uint32_t base = bases_kb[pick(random, 5)] << 10;
    if (one_in(random, 2) && base >= VARY_DATA)
        return base - VARY_DATA + pick(random, 1024);
    return pick(random, VARY_BYTES);
}

static uint32_t random_address(struct both *both)
{
    if (one_in(&both->random, 30))
        both->place = random_place(both->slow.machine, &both->random);
    if (one_in(&both->random, 12))
        return VARY_DATA + pick(&both->random, VARY_BYTES);
    if (one_in(&both->random, 6))
        return both->latest[pick(&both->random, 4)] & ~3u;
    const uint32_t offset = both->place + pick(&both->random, 160);
    return VARY_DATA + (one_in(&both->random, 3) ? offset & ~7u : offset) % VARY_BYTES;
}

static void note(struct both *both, uint32_t address)
{
    both->latest[both->n_latest++ % 4] = address;
}

static void access_both(struct both *both)
{
    static const uint32_t sizes[] = {1, 2, 4, 4, 4, 8, 8, 16, 32, 64};
    uint64_t *random = &both->random;
    const uint32_t bytes = sizes[pick(random, 10)];
    const bool both_ways = one_in(random, 25);
    const bool load = both_ways || one_in(random, 2), store = both_ways || !load;
    const uint32_t address = random_address(both);
    note(both, address);
    const bool device = one_in(random, 25), exclusive = one_in(random, 25);
    const unsigned spread = bytes > 8 ? pick(random, bytes / 8) : 0;
    both->fast.now = both->slow.now += spread;
    r4f_memory_access(&both->fast, &(struct r4f_access){.address = address,
                                                        .bytes = bytes,
                                                        .load = load,
                                                        .store = store,
                                                        .device = device,
                                                        .exclusive = exclusive,
                                                        .spread = spread});
    slow_memory_access(&both->slow, &(struct slow_access){.address = address,
                                                          .bytes = bytes,
                                                          .load = load,
                                                          .store = store,
                                                          .device = device,
                                                          .exclusive = exclusive,
                                                          .spread = spread});
}

/* Code anywhere, or around an error. */
static void fetch_both(struct both *both)
{
    const struct slow_memory *slow = &both->slow;
    uint32_t start = VARY_CODE + 2 * pick(&both->random, VARY_BYTES / 2);
    if (slow->n_errors > 0 && one_in(&both->random, 2))
        start = (slow->errors[pick(&both->random, slow->n_errors)].address & ~1u) + 16 -
                2 * pick(&both->random, 32);
    const uint32_t end = start + 2 + 2 * pick(&both->random, 40);
    const bool jumped = one_in(&both->random, 2);
    r4f_memory_fetch(&both->fast, start, end, jumped);
    slow_memory_fetch(&both->slow, start, end, jumped);
}

static unsigned log2_of(uint32_t n)
{
    unsigned log = 0;
    while (n >> log > 1)
        log++;
    return log;
}

/* All ways of a set, one after the other. */
static void maintain_set(struct both *both, unsigned bits)
{
    const struct cache *cache = &both->fast.l1d;
    if (!both->fast.has_l1d)
        return;
    const uint32_t set = pick(&both->random, cache->sets);
    for (uint32_t way = 0; way < cache->ways; way++)
        r4f_memory_maintain(&both->fast, bits | ARMPMU_CACHE_DATA | ARMPMU_CACHE_SET_WAY,
                            (cache->ways > 1 ? way << (32 - log2_of(cache->ways)) : 0) | set << 5);
    for (unsigned i = both->slow.data.used[set]; i-- > 0;)
        slow_memory_treat_line(&both->slow, both->slow.data.lines[set][i].line, false, true,
                               (bits & ARMPMU_CACHE_CLEAN) != 0,
                               (bits & ARMPMU_CACHE_INVALIDATE) != 0);
}

static void maintain_both(struct both *both)
{
    uint64_t *random = &both->random;
    const bool code = one_in(random, 2), data = one_in(random, 2);
    const bool clean = one_in(random, 2), invalidate = one_in(random, 2);
    const unsigned what =
        (clean ? ARMPMU_CACHE_CLEAN : 0u) | (invalidate ? ARMPMU_CACHE_INVALIDATE : 0u);
    const unsigned bits =
        what | (code ? ARMPMU_CACHE_INSTRUCTION : 0u) | (data ? ARMPMU_CACHE_DATA : 0u);
    const uint32_t address =
        one_in(random, 3) ? VARY_CODE + pick(random, VARY_BYTES) : random_address(both);
    if (one_in(random, 8)) {
        r4f_memory_maintain(&both->fast, bits, address);
        slow_memory_treat_all(&both->slow, code, data, clean, invalidate);
    } else if (one_in(random, 2)) {
        maintain_set(both, what);
    } else {
        r4f_memory_maintain(&both->fast, bits | ARMPMU_CACHE_ADDRESS, address);
        slow_memory_treat_line(&both->slow, address / SLOW_LINE, code, data, clean, invalidate);
    }
}

/* In something that is there, mostly; both must say the same of whether anything can find it. */
static void inject_both(struct both *both)
{
    struct armpmu_error err;
    const enum armpmu_injection kind =
        (enum armpmu_injection)pick(&both->random, ARMPMU_INJECTIONS);
    uint32_t address = random_address(both);
    if (one_in(&both->random, 4))
        address = VARY_CODE + pick(&both->random, VARY_BYTES);
    if (both->slow.n_errors > 0 && one_in(&both->random, 3))
        address = both->slow.errors[pick(&both->random, both->slow.n_errors)].address;
    if (one_in(&both->random, 2)) /* the next access may well meet it */
        address = both->latest[pick(&both->random, 4)] + pick(&both->random, 16);
    const enum armpmu_status status = r4f_inject(&both->fast, kind, address, &err);
    assert_int_equal(status,
                     slow_memory_inject(&both->slow, kind, address) ? ARMPMU_OK : ARMPMU_BAD_INPUT);
}

/* An error in a cache is reported while its line is there: the way and the address say where. */
static bool is_where_it_says(const struct both *both, const struct armpmu_fault *fault)
{
    const bool code = fault->signal == ARMPMU_SIGNAL_L1I_TAG_ERROR ||
                      fault->signal == ARMPMU_SIGNAL_L1I_DATA_ERROR;
    const struct cache *cache = code ? &both->fast.l1i : &both->fast.l1d;
    const uint32_t set = fault->address / SLOW_LINE % cache->sets;
    const struct cache_line *line = &cache->lines[set * cache->ways + fault->way];
    return fault->way < cache->ways && line->valid && line->physical == fault->address / SLOW_LINE;
}

static void on_fault(void *user, const struct armpmu_fault *fault)
{
    struct both *both = user;
    both->reported = both->reported * 5 + fault->signal;
    both->reported = both->reported * 5 + fault->side;
    both->reported = both->reported * 5 + fault->address;
    assert_true(fault->side == ARMPMU_SIDE_CACHE ? is_where_it_says(both, fault) : fault->way == 0);
}

static void step_both(struct both *both)
{
    const uint32_t address = random_address(both);
    both->fast.now = both->slow.now += one_in(&both->random, 20)  ? pick(&both->random, 100)
                                       : one_in(&both->random, 3) ? 0
                                                                  : pick(&both->random, 5);
    switch (pick(&both->random, 20)) {
    case 0:
    case 6:
        note(both, address);
        r4f_memory_preload(&both->fast, address);
        slow_memory_preload(&both->slow, address);
        break;
    case 1:
        r4f_memory_drain(&both->fast);
        slow_memory_drain(&both->slow);
        break;
    case 2:
        maintain_both(both);
        break;
    case 3:
    case 4:
        fetch_both(both);
        break;
    case 5:
        if (both->injects)
            inject_both(both);
        break;
    default:
        access_both(both);
        break;
    }
}

static void check(const char *what, uint64_t seed, unsigned step, uint64_t got, uint64_t want)
{
    if (got != want)
        fail_msg("seed %d, step %u, %s: %llu, the lists have %llu", (int)seed, step, what,
                 (unsigned long long)got, (unsigned long long)want);
}

static void compare(uint64_t seed, uint64_t *seen)
{
    struct both *both = calloc(1, sizeof *both);
    struct armpmu_error err = {""};
    struct armpmu_machine other;
    assert_non_null(both);
    both->random = seed * UINT64_C(0x9e3779b97f4a7c15);
    other = *machine;
    vary_memory(&other, &both->random);
    assert_int_equal(r4f_memory_init(&both->fast, &other, both->tally, &err), ARMPMU_OK);
    slow_memory_init(&both->slow, &other);
    both->fast.now = both->slow.now = 1000;
    both->injects = seed % 2 == 0;
    for (unsigned i = 0; i < 4; i++)
        note(both, VARY_DATA);
    both->fast.on_fault = on_fault;
    both->fast.fault_user = both;
    for (unsigned step = 0; step <= STEPS; step++) {
        if (step < STEPS) {
            step_both(both);
        } else {
            r4f_memory_finish(&both->fast);
            slow_memory_finish(&both->slow);
        }
        check("cycle", seed, step, both->fast.now, both->slow.now);
        for (int signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
            if (!is_cycle_account(signal))
                check(armpmu_signal_name((enum armpmu_signal)signal), seed, step,
                      both->tally[signal], both->slow.count[signal]);
        check("reports", seed, step, both->reported, both->slow.reported);
    }
    for (int signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
        seen[signal] += both->tally[signal];
    slow_memory_free(&both->slow);
    r4f_memory_free(&both->fast);
    free(both);
}

TEST(counts_and_cycles_equal_those_of_plain_lists)
{
    static const enum armpmu_signal often[] = {
        ARMPMU_SIGNAL_L1D_REFILL,         ARMPMU_SIGNAL_L1D_WRITE_BACK,
        ARMPMU_SIGNAL_STORE_MERGED,       ARMPMU_SIGNAL_STORE_ATTRIBUTE_CLASH,
        ARMPMU_SIGNAL_STORE_BUFFER_STALL, ARMPMU_SIGNAL_STORE_QUEUE_STALL,
        ARMPMU_SIGNAL_STORE_BUFFER_DRAIN, ARMPMU_SIGNAL_PRELOAD_REFILL,
        ARMPMU_SIGNAL_PRELOAD_DROPPED,    ARMPMU_SIGNAL_L1I_REFILL,
        ARMPMU_SIGNAL_L1D_DATA_ERROR,     ARMPMU_SIGNAL_TCM_CORRECTABLE_DATA,
    };
    uint64_t seen[ARMPMU_SIGNAL_COUNT] = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        compare(seed, seen);
    for (size_t i = 0; i < sizeof often / sizeof often[0]; i++)
        if (seen[often[i]] < SEEDS / 20)
            fail_msg("%s: only %d", armpmu_signal_name(often[i]), (int)seen[often[i]]);
}

/* By hand: a load waits for the memory; one of a line on its way for the rest of the line. */
TEST(loads_wait_as_long_as_their_line_takes)
{
    struct armpmu_error err = {""};
    struct r4f_memory memory;
    uint64_t tally[ARMPMU_SIGNAL_COUNT] = {0};
    const struct r4f_access first = {.address = 0x1000, .bytes = 4, .load = true};
    const struct r4f_access ahead = {.address = 0x2004, .bytes = 4, .load = true};
    const uint64_t word = machine->memory_latency_cycles;
    const uint64_t line = word + machine->linefill_transfer_cycles;
    memset(&memory, 0xa5, sizeof memory); /* whatever was there before */
    assert_int_equal(r4f_memory_init(&memory, machine, tally, &err), ARMPMU_OK);
    memory.now = 100;
    r4f_memory_access(&memory, &first);
    assert_int_equal(memory.now, 100 + word);
    r4f_memory_access(&memory, &first); /* the rest of the line is still coming */
    assert_int_equal(memory.now, 100 + line);
    r4f_memory_access(&memory, &first);
    assert_int_equal(memory.now, 100 + line);
    memory.now = 500;
    r4f_memory_preload(&memory, 0x2000);
    assert_int_equal(memory.now, 500);
    memory.now = 505;
    r4f_memory_access(&memory, &ahead);
    assert_int_equal(memory.now, 500 + line);
    assert_int_equal(tally[ARMPMU_SIGNAL_LSU_BUSY_STALL], line + 500 + line - 505);
    r4f_memory_free(&memory);
}

/* By hand: two lines that share an entry of the filter, one of them line 0. */
TEST(what_has_left_makes_no_other_line_present)
{
    struct armpmu_error err = {""};
    struct r4f_memory memory;
    uint64_t tally[ARMPMU_SIGNAL_COUNT] = {0};
    const uint32_t far = LINE_FILTER_BYTES * 7;
    const struct r4f_access first = {.address = far, .bytes = 4, .load = true};
    const struct r4f_access zero = {.address = 0, .bytes = 4, .load = true};
    assert_int_equal(r4f_memory_init(&memory, machine, tally, &err), ARMPMU_OK);
    for (int i = 0; i < 3; i++)
        r4f_memory_access(&memory, &first);
    assert_true(line_filter_has(&memory.loads, far, R4F_LINE_SHIFT));
    r4f_memory_maintain(&memory, ARMPMU_CACHE_ADDRESS | ARMPMU_CACHE_DATA | ARMPMU_CACHE_INVALIDATE,
                        far);
    r4f_memory_access(&memory, &zero);
    assert_int_equal(tally[ARMPMU_SIGNAL_L1D_REFILL], 2);
    r4f_memory_access(&memory, &first);
    assert_int_equal(tally[ARMPMU_SIGNAL_L1D_REFILL], 3);
    r4f_memory_free(&memory);
}

TESTS_WITH(load_machine, free_machine)

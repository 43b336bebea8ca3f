/* The write buffer, which computes with times, against a queue that is moved cycle by cycle. */
#include "parts/store_buffer.h"

#include <string.h>

#include "../test.h"
#include "../reference/pick.h"

struct waiting {
    uint64_t line;
    unsigned cycles_left;
    bool mergeable;
};

struct slow_buffer {
    struct waiting queue[STORE_BUFFER_MAX]; /* [0] is the one that drains */
    unsigned length, capacity;
};

static void slow_tick(struct slow_buffer *slow)
{
    if (slow->length == 0 || --slow->queue[0].cycles_left > 0)
        return;
    slow->length--;
    memmove(&slow->queue[0], &slow->queue[1], slow->length * sizeof slow->queue[0]);
}

static bool slow_merges(const struct slow_buffer *slow, uint64_t line)
{
    for (unsigned i = 1; i < slow->length; i++)
        if (slow->queue[i].mergeable && slow->queue[i].line == line)
            return true;
    return false;
}

/* Ticks a copy until there is room, and counts. */
static unsigned slow_full_for(const struct slow_buffer *slow)
{
    struct slow_buffer copy = *slow;
    unsigned cycles = 0;
    for (; copy.length == copy.capacity; cycles++)
        slow_tick(&copy);
    return cycles;
}

static void check(uint64_t got, uint64_t want, const char *what, uint64_t seed, unsigned op)
{
    if (got != want)
        fail_msg("seed %llu operation %u, %s: %llu, want %llu", (unsigned long long)seed, op, what,
                 (unsigned long long)got, (unsigned long long)want);
}

static void compare(uint32_t n_entries, uint32_t drain_cycles, unsigned operations)
{
    uint64_t seed = UINT64_C(1000) * n_entries + drain_cycles, state = seed;
    uint64_t now = UINT64_C(1) << 40;
    struct store_buffer buffer;
    struct slow_buffer slow = {.capacity = n_entries};
    store_buffer_init(&buffer, n_entries);
    for (unsigned op = 0; op < operations; op++) {
        /* Mostly faster than the buffer drains, at times long idle. */
        unsigned idle = one_in(&state, 50) ? n_entries * drain_cycles : drain_cycles;
        for (unsigned cycles = pick(&state, idle + 1); cycles > 0; cycles--, now++)
            slow_tick(&slow);
        check(store_buffer_full_for(&buffer, now), slow_full_for(&slow), "full for", seed, op);
        store_buffer_advance(&buffer, now);
        check(buffer.used, slow.length, "used", seed, op);
        check(store_buffer_full_for(&buffer, now), slow_full_for(&slow), "full for", seed, op);
        uint64_t line = pick(&state, 2 * n_entries);
        bool merges = store_buffer_merges(&buffer, line);
        check(merges, slow_merges(&slow, line), "merges", seed, op);
        if (merges || slow.length == slow.capacity)
            continue;
        uint32_t drain = 1 + pick(&state, drain_cycles);
        bool mergeable = !one_in(&state, 4);
        store_buffer_push(&buffer, now, line, drain, mergeable);
        slow.queue[slow.length++] = (struct waiting){line, drain, mergeable};
    }
}

TEST(buffer_agrees_with_the_cycle_by_cycle_reference)
{
    static const struct {
        uint32_t entries, drain_cycles;
    } geometries[] = {{1, 1}, {1, 9}, {2, 4}, {3, 7}, {8, 8}, {8, 20}, {STORE_BUFFER_MAX, 5}};
    for (size_t i = 0; i < sizeof geometries / sizeof geometries[0]; i++)
        compare(geometries[i].entries, geometries[i].drain_cycles, 150000);
}

/* By hand: two entries, ten cycles each, pushed at cycle 100. */
TEST(entries_drain_one_after_the_other)
{
    struct store_buffer buffer;
    store_buffer_init(&buffer, 2);
    assert_int_equal(store_buffer_full_for(&buffer, 100), 0);
    store_buffer_push(&buffer, 100, 7, 10, true); /* drains from 100 to 110 */
    store_buffer_push(&buffer, 100, 8, 10, true); /* from 110 to 120        */
    assert_false(store_buffer_merges(&buffer, 7));
    assert_true(store_buffer_merges(&buffer, 8));
    assert_int_equal(store_buffer_full_for(&buffer, 103), 7);
    store_buffer_advance(&buffer, 109);
    assert_int_equal(buffer.used, 2);
    store_buffer_advance(&buffer, 110);
    assert_int_equal(buffer.used, 1);
    assert_false(store_buffer_merges(&buffer, 8)); /* its drain has begun */
    assert_int_equal(store_buffer_full_for(&buffer, 110), 0);
    store_buffer_push(&buffer, 115, 9, 10, false); /* from 120 to 130 */
    assert_false(store_buffer_merges(&buffer, 9)); /* a cast-out never merges */
    assert_int_equal(store_buffer_full_for(&buffer, 115), 5);
    store_buffer_advance(&buffer, 129);
    assert_int_equal(buffer.used, 1);
    store_buffer_advance(&buffer, 1000);
    assert_int_equal(buffer.used, 0);
    store_buffer_push(&buffer, 2000, 9, 10, true); /* an idle buffer begins at once */
    store_buffer_advance(&buffer, 2009);
    assert_int_equal(buffer.used, 1);
    store_buffer_advance(&buffer, 2010);
    assert_int_equal(buffer.used, 0);
}

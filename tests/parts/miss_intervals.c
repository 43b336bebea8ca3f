/* Spans of intervals misses against one flag for each cycle. */
#include "parts/miss_intervals.h"

#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "../reference/pick.h"

#define CYCLES   4000
#define CAPACITY 300

static uint64_t flags_within(const bool *flags, uint64_t from, uint64_t until)
{
    uint64_t n = 0;
    for (uint64_t cycle = from; cycle < until; cycle++)
        n += flags[cycle];
    return n;
}

TEST(agrees_with_a_flag_for_each_cycle)
{
    uint64_t seed = 1;

    for (unsigned round = 0; round < 200; round++) {
        bool flags[2 * CYCLES] = {false};
        struct miss_intervals intervals;
        uint64_t now = 0;
        assert_int_equal(miss_intervals_init(&intervals, CAPACITY, NULL), ARMPMU_OK);
        while (now < CYCLES) {
            for (unsigned n = pick(&seed, 4); n > 0; n--) {
                const uint64_t from = now + pick(&seed, 300), until = from + pick(&seed, 100);
                miss_intervals_add(&intervals, from, until);
                memset(flags + from, true, (size_t)(until - from));
            }
            const uint64_t from = now + pick(&seed, 20), until = from + pick(&seed, 30);
            if (one_in(&seed, 3))
                miss_intervals_forget(&intervals, from);
            assert_int_equal(miss_intervals_within(&intervals, from, until),
                             flags_within(flags, from, until));
            now = until;
        }
        miss_intervals_free(&intervals);
        miss_intervals_free(&intervals);
    }
}

TEST(spans_that_touch_are_one)
{
    struct miss_intervals intervals;

    assert_int_equal(miss_intervals_init(&intervals, 4, NULL), ARMPMU_OK);
    miss_intervals_add(&intervals, 10, 20);
    miss_intervals_add(&intervals, 30, 40);
    miss_intervals_add(&intervals, 50, 50); /* empty */
    assert_int_equal(intervals.n_spans, 2);
    miss_intervals_add(&intervals, 20, 30);
    assert_int_equal(intervals.n_spans, 1);
    assert_int_equal(intervals.spans[0].from, 10);
    assert_int_equal(intervals.spans[0].until, 40);
    assert_int_equal(miss_intervals_within(&intervals, 0, 15), 5);
    assert_int_equal(miss_intervals_within(&intervals, 15, 100), 25);
    assert_int_equal(intervals.n_spans, 0);
    miss_intervals_free(&intervals);
}

TEST(there_is_room_for_as_many_as_were_asked_for)
{
    static const uint64_t starts[] = {30, 10, 50, 20, 40};
    struct miss_intervals intervals;

    assert_int_equal(miss_intervals_init(&intervals, 5, NULL), ARMPMU_OK);
    for (size_t i = 0; i < 5; i++)
        miss_intervals_add(&intervals, starts[i], starts[i] + 5);
    assert_int_equal(intervals.n_spans, 5);
    miss_intervals_add(&intervals, 25, 32); /* behind one, into the next */
    assert_int_equal(intervals.n_spans, 4);
    assert_int_equal(miss_intervals_within(&intervals, 0, 27), 5 + 7);
    assert_int_equal(miss_intervals_within(&intervals, 27, 55), 8 + 5 + 5);
    assert_int_equal(intervals.n_spans, 0); /* the last cycle of all is behind */
    miss_intervals_free(&intervals);
}

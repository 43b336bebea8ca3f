/* States by number, memos by state, and what runs count: against lists that are searched. */
#include "parts/schedule_memo.h"

#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "failing_memory.h"
#include "../reference/pick.h"

enum { MANY = 5000, STATE_BYTES = 28 };

/* ---- states ---- */

struct bytes {
    unsigned char byte[STATE_BYTES];
};

/* Different for different n, in one field or another; never idle. */
static struct bytes numbered(unsigned n)
{
    struct bytes state = {{0}};

    state.byte[n % 13] = (unsigned char)(1 + n / 13 % 7);
    state.byte[17] = (unsigned char)n;
    state.byte[27] = (unsigned char)(n >> 8);
    return state;
}

TEST(idle_is_state_zero)
{
    const struct bytes idle = {{0}};
    struct schedule_states states;

    assert_int_equal(schedule_states_init(&states, STATE_BYTES), ARMPMU_OK);
    assert_int_equal(schedule_states_number(&states, &idle), SCHEDULE_IDLE);
    assert_memory_equal(schedule_states_at(&states, SCHEDULE_IDLE), &idle, sizeof idle);
    assert_int_equal(states.n, 1);
    schedule_states_free(&states);
}

TEST(numbers_are_dense_and_in_order_of_first_appearance)
{
    struct schedule_states states;

    assert_int_equal(schedule_states_init(&states, STATE_BYTES), ARMPMU_OK);
    for (unsigned n = 0; n < MANY; n++) {
        const struct bytes fresh = numbered(n), seen = numbered(n / 2);
        assert_int_equal(schedule_states_number(&states, &fresh), n + 1);
        assert_int_equal(schedule_states_number(&states, &seen), n / 2 + 1);
    }
    for (unsigned n = 0; n < MANY; n++) {
        const struct bytes want = numbered(n);
        assert_memory_equal(schedule_states_at(&states, n + 1), &want, sizeof want);
    }
    assert_int_equal(states.n, MANY + 1);
    schedule_states_free(&states);
}

/* A state differs from idle if any one of its bytes does. */
TEST(every_byte_of_a_state_counts)
{
    for (size_t bytes = 4; bytes <= 56; bytes += 4) {
        unsigned char changed[56] = {0};
        struct schedule_states states;
        assert_int_equal(schedule_states_init(&states, bytes), ARMPMU_OK);
        for (size_t i = 0; i < bytes; i++) {
            changed[i] = 1;
            assert_int_equal(schedule_states_number(&states, changed), i + 1);
            changed[i] = 0;
        }
        assert_int_equal(schedule_states_number(&states, changed), SCHEDULE_IDLE);
        schedule_states_free(&states);
    }
}

TEST(at_most_so_many_states_have_a_number)
{
    struct schedule_states states;
    uint32_t one = 0;

    assert_int_equal(schedule_states_init(&states, sizeof one), ARMPMU_OK);
    while (++one < SCHEDULE_STATES_MAX)
        assert_int_equal(schedule_states_number(&states, &one), one);
    assert_true(schedule_states_are_full(&states));
    assert_int_equal(schedule_states_number(&states, &one), SCHEDULE_NO_STATE);
    one = 1234;
    assert_int_equal(schedule_states_number(&states, &one), 1234);
    schedule_states_free(&states);
}

TEST(states_can_be_freed_twice)
{
    struct schedule_states states = {0};

    schedule_states_free(&states);
    assert_int_equal(schedule_states_init(&states, STATE_BYTES), ARMPMU_OK);
    schedule_states_free(&states);
    schedule_states_free(&states);
    assert_null(states.states);
}

TEST(without_memory_there_are_no_states)
{
    struct schedule_states states;

    for (unsigned nth = 1; nth <= 3; nth++) {
        failing_memory.left = nth - 1;
        assert_int_equal(schedule_states_init(&states, STATE_BYTES), ARMPMU_NO_MEMORY);
        assert_null(states.states);
        assert_null(states.numbers.slots);
    }
}

TEST(running_out_of_memory_leaves_the_states_as_they_were)
{
    struct schedule_states states;

    for (unsigned nth = 1; nth <= 2; nth++) {
        unsigned n = 0;
        struct bytes next = numbered(n);
        uint32_t number;
        assert_int_equal(schedule_states_init(&states, STATE_BYTES), ARMPMU_OK);
        failing_memory.left = nth - 1; /* the first allocation to come is growth */
        while ((number = schedule_states_number(&states, &next)) != SCHEDULE_NO_STATE) {
            assert_int_equal(number, n + 1);
            next = numbered(++n);
        }
        assert_int_equal(states.n, n + 1);
        for (unsigned old = 0; old < n; old++) {
            const struct bytes seen = numbered(old);
            assert_int_equal(schedule_states_number(&states, &seen), old + 1);
        }
        assert_int_equal(schedule_states_number(&states, &next), n + 1);
        schedule_states_free(&states);
    }
}

/* ---- memos ---- */

TEST(a_memo_is_found_by_its_key)
{
    struct schedule_memo memos[40];
    struct schedule_memos all = {.all = NULL};
    uint64_t random = 3;

    assert_null(schedule_memo_find(&all, 0));
    for (uint32_t key = 0; key < 40; key++) {
        memos[key] = (struct schedule_memo){.key = key, .cycles = 7};
        schedule_memo_add(&all, &memos[key]);
    }
    for (unsigned n = 0; n < 1000; n++) {
        const uint32_t key = pick(&random, 45);
        struct schedule_memo *const found = schedule_memo_find(&all, key);
        assert_ptr_equal(found, key < 40 ? &memos[key] : NULL);
        assert_ptr_equal(schedule_memo_find(&all, key), found);
        unsigned length = 0;
        for (const struct schedule_memo *memo = all.all; memo != NULL; memo = memo->sibling)
            length++;
        assert_int_equal(length, 40);
    }
}

/* ---- counts ---- */

TEST(increments_are_those_that_are_not_zero)
{
    uint64_t per_run[40] = {[1] = 3, [3] = 1, [39] = 5}, tally[40] = {[0] = 100, [1] = 100};
    uint32_t n = 99;

    struct run_increment *increments = run_increments_new(per_run, 40, &n);
    assert_non_null(increments);
    assert_int_equal(n, 3);
    run_increments_add(increments, n, UINT64_C(1) << 33, tally);
    const uint64_t want[40] = {[0] = 100,
                               [1] = 100 + 3 * (UINT64_C(1) << 33),
                               [3] = UINT64_C(1) << 33,
                               [39] = 5 * (UINT64_C(1) << 33)};
    assert_memory_equal(tally, want, sizeof want);
    free(increments);
    failing_memory.left = 0;
    assert_null(run_increments_new(per_run, 40, &n));
}

TEST(a_block_is_in_the_list_once)
{
    struct memo_block blocks[3] = {{.is_dirty = false}}, *dirty = NULL;

    for (unsigned n = 0; n < 9; n++)
        memo_block_mark(&dirty, &blocks[n * n % 3]);
    assert_ptr_equal(dirty, &blocks[1]);
    assert_ptr_equal(dirty->next_dirty, &blocks[0]);
    assert_null(blocks[0].next_dirty);
    assert_false(blocks[2].is_dirty);
}

/* States of the XScale's pipeline by number, against a list of what each had to be. */
#include <string.h>

#include "../../test.h"
#include "../../reference/pick.h"
#include "cores/xscale/core.h"

enum { STATES = 3000 };

struct listed {
    struct xs_timeline timeline; /* as of cycle 0 */
    uint32_t number;
};

static struct xs_timeline random_timeline(uint64_t *random)
{
    struct xs_timeline timeline = {.late = 0};
    for (unsigned n = pick(random, 6); n-- > 0;) {
        const unsigned r = pick(random, XS_REGISTERS);
        timeline.ready[r] = 1 + pick(random, 100);
        timeline.late |= pick(random, 2) << r;
    }
    timeline.multiplier = one_in(random, 3) ? 1 + pick(random, 20) : 0;
    timeline.memory = one_in(random, 3) ? 1 + pick(random, 20) : 0;
    return timeline;
}

static bool same(const struct xs_timeline *a, const struct xs_timeline *b)
{
    return memcmp(a->ready, b->ready, sizeof a->ready) == 0 && a->multiplier == b->multiplier &&
           a->memory == b->memory && a->late == b->late;
}

static struct xs_timeline moved(const struct xs_timeline *timeline, uint64_t now)
{
    struct xs_timeline moved = *timeline;
    for (unsigned r = 0; r < XS_REGISTERS; r++)
        moved.ready[r] += now;
    moved.multiplier += now;
    moved.memory += now;
    return moved;
}

static uint32_t find(const struct listed *list, uint32_t n, const struct xs_timeline *timeline)
{
    for (uint32_t i = 0; i < n; i++)
        if (same(&list[i].timeline, timeline))
            return list[i].number;
    return n + 1; /* in order of first appearance, behind SCHEDULE_IDLE */
}

TEST(a_state_keeps_its_number)
{
    static struct listed list[STATES];
    struct schedule_states states;
    uint64_t random = 7;
    uint32_t n = 0;
    assert_int_equal(schedule_states_init(&states, sizeof(struct xs_state)), ARMPMU_OK);
    for (int i = 0; i < 2 * STATES && n < STATES; i++) {
        const struct xs_timeline timeline = n != 0 && one_in(&random, 3)
                                                ? list[pick(&random, n)].timeline
                                                : random_timeline(&random);
        const struct xs_timeline idle = {.late = 0};
        const uint64_t now = pick(&random, 1000000);
        const struct xs_timeline then = moved(&timeline, now);
        const uint32_t want = same(&timeline, &idle) ? SCHEDULE_IDLE : find(list, n, &timeline);
        struct xs_timeline back;
        assert_int_equal(xs_state_at(&states, &then, now), want);
        xs_timeline_of(&states, want, now, &back);
        assert_true(same(&back, &then));
        if (want == n + 1)
            list[n++] = (struct listed){timeline, want};
    }
    assert_true(n > STATES / 2);
    schedule_states_free(&states);
}

/* Cycle by cycle: what is over waits no longer, and what is late is so for a cycle more. */
TEST(a_state_ends_after_its_longest_wait)
{
    struct schedule_states states;
    struct xs_timeline timeline = {.ready = {[3] = 5}, .multiplier = 7, .memory = 2}, back;
    assert_int_equal(schedule_states_init(&states, sizeof(struct xs_state)), ARMPMU_OK);
    uint32_t number = xs_state_at(&states, &timeline, 0);
    assert_int_equal(xs_state_after(&states, number, 0), number);
    for (unsigned cycles = 1; cycles < 9; cycles++) {
        const uint32_t after = xs_state_after(&states, number, cycles);
        assert_int_equal(after == SCHEDULE_IDLE, cycles >= 7);
        xs_timeline_of(&states, after, 0, &back);
        assert_int_equal(back.ready[3], cycles < 5 ? 5 - cycles : 0);
        assert_int_equal(back.multiplier, cycles < 7 ? 7 - cycles : 0);
        assert_int_equal(back.memory, cycles < 2 ? 2 - cycles : 0);
    }
    timeline = (struct xs_timeline){.ready = {[3] = 5}, .late = 1u << 3};
    number = xs_state_at(&states, &timeline, 0);
    for (unsigned cycles = 0; cycles < 8; cycles++) {
        const uint32_t after = xs_state_after(&states, number, cycles);
        assert_int_equal(after == SCHEDULE_IDLE, cycles >= 6);
        xs_timeline_of(&states, after, 0, &back);
        assert_int_equal(back.late, cycles <= 5 ? 1u << 3 : 0);
    }
    schedule_states_free(&states);
}

TEST(what_lasts_too_long_has_no_number)
{
    struct schedule_states states;
    assert_int_equal(schedule_states_init(&states, sizeof(struct xs_state)), ARMPMU_OK);
    for (uint64_t wait = 254; wait <= 600; wait++) {
        const struct xs_timeline timelines[] = {
            {.ready = {[19] = wait}},
            {.multiplier = wait},
            {.memory = wait},
            {.ready = {[0] = wait - 1}, .late = 1},
        };
        for (size_t i = 0; i < sizeof timelines / sizeof timelines[0]; i++) {
            const uint32_t number = xs_state_at(&states, &timelines[i], 0);
            assert_int_equal(number == SCHEDULE_NO_STATE, wait > 255);
            assert_int_equal(xs_state_at(&states, &timelines[i], 600), SCHEDULE_IDLE);
        }
    }
    schedule_states_free(&states);
}

/* What has been over for long is over still, however far the clock has gone. */
TEST(catching_up_changes_no_state)
{
    struct schedule_states states;
    uint64_t random = 11;
    assert_int_equal(schedule_states_init(&states, sizeof(struct xs_state)), ARMPMU_OK);
    for (int i = 0; i < 500; i++) {
        struct xs_timeline timeline = random_timeline(&random);
        uint64_t now = pick(&random, 110);
        const uint32_t number = xs_state_at(&states, &timeline, now);
        xs_timeline_catch_up(&timeline, now);
        assert_int_equal(xs_state_at(&states, &timeline, now), number);
        for (int n = 0; n < 8; n++) {
            now += XS_CATCH_UP_CYCLES;
            xs_timeline_catch_up(&timeline, now);
            assert_int_equal(xs_state_at(&states, &timeline, now + XS_CATCH_UP_CYCLES),
                             SCHEDULE_IDLE);
        }
    }
    schedule_states_free(&states);
}

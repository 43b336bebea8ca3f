/* Leaves of where cycles go, as events of a profile: what profile/topdown_leaves.h says. */
#include <string.h>

#include "../test.h"
#include "profile/topdown_leaves.h"

static int setup(void **state)
{
    struct armpmu_error err;
    struct profile *p;
    uint32_t number;
    if (profile_new(&p, &err) != ARMPMU_OK)
        return -1;
    *state = p;
    const struct profile_setup of_core = {.core = "cortex-a8"};
    const struct profile_event cycles = {.name = "CPU_CYCLES",
                                         .meaning = "",
                                         .fidelity = "modelled",
                                         .unit = "cycles",
                                         .number = 0x11};
    return profile_set_setup(p, &of_core, &err) == ARMPMU_OK &&
                   profile_add_event(p, &cycles, &number, &err) == ARMPMU_OK
               ? 0
               : -1;
}

static int teardown(void **state)
{
    profile_free(*state);
    return 0;
}

TEST_WITH(each_leaf_is_an_event, setup, teardown)
{
    struct profile *const p = *state;
    struct armpmu_error err;
    size_t n = 0;
    assert_int_equal(topdown_leaves_add(p, &err), ARMPMU_OK);
    for (const struct armpmu_event *event; (event = topdown_leaf_event(n)) != NULL; n++) {
        assert_string_equal(p->events[n + 1].name, event->name);
        assert_int_equal(p->events[n + 1].number, TOPDOWN_NUMBER + n);
        assert_int_equal(event->n_signals, 1);
        assert_non_null(strstr(p->events[n + 1].meaning, ": "));
    }
    assert_int_equal(p->n_events, n + 1);
    assert_in_range(n, 10, TOPDOWN_LEAVES_MOST - 1);
    assert_string_equal(p->events[1].meaning, "Issue: two instructions");
    assert_string_equal(p->events[1].name, "TOPDOWN_ISSUE_PAIR");
}

TEST_WITH(parts_of_cycles, setup, teardown)
{
    struct profile *const p = *state;
    struct topdown_part parts[TOPDOWN_LEAVES_MOST];
    struct armpmu_error err;
    uint64_t counts[TOPDOWN_LEAVES_MOST + 1] = {100, 20, 50};
    assert_int_equal(topdown_parts(p, counts, parts), 0); /* without the events */
    assert_int_equal(topdown_leaves_add(p, &err), ARMPMU_OK);
    assert_int_equal(topdown_parts(p, counts, parts), 3);
    assert_string_equal(parts[0].name, "Issue: one instruction");
    assert_int_equal(parts[0].cycles, 50);
    assert_true(parts[0].percent == 50);
    assert_int_equal(parts[1].event, 1);
    assert_int_equal(parts[2].event, PROFILE_NONE);
    assert_int_equal(parts[2].cycles, 30);
    counts[0] = 70;
    assert_int_equal(topdown_parts(p, counts, parts), 2);
    memset(counts, 0, sizeof counts);
    assert_int_equal(topdown_parts(p, counts, parts), 0);
}

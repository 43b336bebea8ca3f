/* Globs of event names, and every alias. */
#include "../test.h"

#include <string.h>

#include "armpmu/catalog.h"

TEST(globs_match_whole_names)
{
    static const struct {
        const char *glob, *name;
        bool matches;
    } cases[] = {
        {"L1D_CACHE", "L1D_CACHE", true},
        {"l1d_cache", "L1D_CACHE", true},
        {"L1D", "L1D_CACHE", false},
        {"L1D*", "L1D_CACHE", true},
        {"*CACHE", "L1D_CACHE", true},
        {"*CACH", "L1D_CACHE", false},
        {"*", "", true},
        {"*", "x", true},
        {"", "", true},
        {"", "x", false},
        {"?", "", false},
        {"??", "ab", true},
        {"*a*b*c*", "xxaxxbxxcxx", true},
        {"*a*b*c", "xxaxxbxxcxx", false},
        {"*ab", "aab", true},
        {"*aab", "aaab", true},
        {"0x0[1-3]", "0x02", true},
        {"0x0[1-3]", "0x04", false},
        {"0x0[!1-3]", "0x04", true},
        {"0x0[^1-3]", "0x02", false},
        {"[]a]", "]", true},
        {"[a-]", "-", true},
        {"[abc", "[abc", true},
        {"[abc", "a", false},
        {"a\\*", "a*", true},
        {"a\\*", "ab", false},
        {"PMUEXTIN[[]0]", "PMUEXTIN[0]", true},
        {"a\\", "a\\", true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (armpmu_glob_matches(cases[i].glob, cases[i].name) != cases[i].matches)
            fail_msg("'%s' on '%s': not %d", cases[i].glob, cases[i].name, cases[i].matches);
}

/* Time must not explode on globs made to backtrack. */
TEST(many_stars_end_soon)
{
    char name[4096];

    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_false(armpmu_glob_matches("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", name));
}

TEST(events_match_by_number)
{
    const struct armpmu_core *const core = armpmu_core_find("cortex-a8");
    const struct armpmu_event *const refill = armpmu_event_by_number(core, 0x03);
    const struct armpmu_event *const reserved = armpmu_event_by_number(core, 0x20);

    assert_true(armpmu_event_matches(refill, "0x03"));
    assert_true(armpmu_event_matches(refill, "R03"));
    assert_true(armpmu_event_matches(refill, "r0?"));
    assert_true(armpmu_event_matches(refill, "*cache-misses"));
    assert_true(armpmu_event_matches(refill, "DCACHE_REF*"));
    assert_false(armpmu_event_matches(refill, "0x30"));
    assert_true(armpmu_event_matches(reserved, "0x20"));
    assert_true(armpmu_event_matches(reserved, "r13"));
    assert_false(armpmu_event_matches(reserved, "0x40"));
    assert_false(armpmu_event_matches(reserved, ""));
}

TEST(an_alias_is_cut_to_the_space_there_is)
{
    const struct armpmu_core *const core = armpmu_core_find("cortex-a8");
    const struct armpmu_event *const cycles = armpmu_event_by_number(core, 0x11);
    char name[4] = "xxx";

    assert_int_equal(armpmu_event_alias(cycles, ARMPMU_NAMING_LINUX, 1, name, sizeof name), 10);
    assert_string_equal(name, "cpu");
    assert_int_equal(armpmu_event_alias(cycles, ARMPMU_NAMING_LINUX, 9, name, sizeof name), 0);
    assert_string_equal(name, "");
    assert_int_equal(armpmu_event_alias(cycles, ARMPMU_NAMING_LINUX, 0, NULL, 0), 6);
}

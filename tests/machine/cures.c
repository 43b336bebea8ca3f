/* Which instructions a list of places has. */
#include "../test.h"
#include "machine/cures.h"

TEST(ends_are_outside)
{
    static const struct cure_range ranges[] = {{0x1000, 0x1008}, {0x2000, 0x2004}};
    const struct cures cures = {.kind = CURE_TLB, .ranges = ranges, .n_ranges = 2};

    assert_true(cures_have(&cures, 0x1000));
    assert_true(cures_have(&cures, 0x1004));
    assert_false(cures_have(&cures, 0x1008));
    assert_true(cures_have(&cures, 0x2000));
    assert_false(cures_have(&cures, 0xfff));
    assert_true(cures_by(&cures, CURE_TLB, 0x2000));
    assert_false(cures_by(&cures, CURE_BRANCH, 0x2000));
}

TEST(no_list_has_nothing)
{
    assert_false(cures_have(NULL, 0));
    assert_false(cures_by(NULL, CURE_LEVEL1, 0));
}

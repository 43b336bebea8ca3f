/* Which instructions a list of places has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machine/cures.h"

static void ends_are_outside(void **state)
{
    static const struct cure_range ranges[] = {{0x1000, 0x1008}, {0x2000, 0x2004}};
    const struct cures cures = {.kind = CURE_TLB, .ranges = ranges, .n_ranges = 2};

    (void)state;
    assert_true(cures_have(&cures, 0x1000));
    assert_true(cures_have(&cures, 0x1004));
    assert_false(cures_have(&cures, 0x1008));
    assert_true(cures_have(&cures, 0x2000));
    assert_false(cures_have(&cures, 0xfff));
    assert_true(cures_by(&cures, CURE_TLB, 0x2000));
    assert_false(cures_by(&cures, CURE_BRANCH, 0x2000));
}

static void no_list_has_nothing(void **state)
{
    (void)state;
    assert_false(cures_have(NULL, 0));
    assert_false(cures_by(NULL, CURE_LEVEL1, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_are_outside),
        cmocka_unit_test(no_list_has_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

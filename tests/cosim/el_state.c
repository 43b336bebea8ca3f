/* What a syndrome makes of an exception: the classes of ESR_ELx, as ARM DDI 0487 lists them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armpmu/trace.h"
#include "cosim/el_state.h"

/* A syndrome of a class: the instruction's length of 32 bits and all of its own field set. */
static uint64_t syndrome(unsigned class)
{
    return (uint64_t) class << 26 | UINT64_C(0x3ffffff);
}

static void calls_and_aborts_are_told_apart(void **state)
{
    static const struct {
        unsigned class, kind;
    } rows[] = {
        {0x15, ARMPMU_EXCEPTION_CALL},         {0x16, ARMPMU_EXCEPTION_HYPERVISOR_CALL},
        {0x17, ARMPMU_EXCEPTION_MONITOR_CALL}, {0x20, ARMPMU_EXCEPTION_FETCH_ABORT},
        {0x21, ARMPMU_EXCEPTION_FETCH_ABORT},  {0x24, ARMPMU_EXCEPTION_DATA_ABORT},
        {0x25, ARMPMU_EXCEPTION_DATA_ABORT},
    };
    unsigned row = 0;

    (void)state;
    for (unsigned class = 0; class < 64; class ++) {
        const bool listed = row < sizeof rows / sizeof rows[0] && rows[row].class == class;
        assert_int_equal(el_state_exception_kind(syndrome(class)),
                         listed ? rows[row].kind : (unsigned)ARMPMU_EXCEPTION_OTHER);
        row += listed;
    }
    assert_int_equal(row, sizeof rows / sizeof rows[0]);
}

/* ISS2, bits 32 and up, says more of some aborts. */
static void the_upper_half_does_not_matter(void **state)
{
    (void)state;
    assert_int_equal(el_state_exception_kind(UINT64_C(0xffffffff00000000) | syndrome(0x24)),
                     ARMPMU_EXCEPTION_DATA_ABORT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_and_aborts_are_told_apart),
        cmocka_unit_test(the_upper_half_does_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

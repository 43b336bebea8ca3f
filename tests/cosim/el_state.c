/* What a syndrome makes of an exception: the classes of ESR_ELx, as ARM DDI 0487 lists them; and
 * which Exception level takes one. */
#include "../test.h"
#include "armpmu/trace.h"
#include "base/arm.h"
#include "cosim/el_state.h"

/* A syndrome of a class: the instruction's length of 32 bits and all of its own field set. */
static uint64_t syndrome(unsigned class)
{
    return (uint64_t) class << 26 | UINT64_C(0x3ffffff);
}

TEST(calls_and_aborts_are_told_apart)
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

    for (unsigned class = 0; class < 64; class ++) {
        const bool listed = row < sizeof rows / sizeof rows[0] && rows[row].class == class;
        assert_int_equal(el_state_exception_kind(syndrome(class)),
                         listed ? rows[row].kind : (unsigned)ARMPMU_EXCEPTION_OTHER);
        row += listed;
    }
    assert_int_equal(row, sizeof rows / sizeof rows[0]);
}

/* ISS2, bits 32 and up, says more of some aborts. */
TEST(the_upper_half_does_not_matter)
{
    assert_int_equal(el_state_exception_kind(UINT64_C(0xffffffff00000000) | syndrome(0x24)),
                     ARMPMU_EXCEPTION_DATA_ABORT);
}

/* Source: ARM DDI 0487, tables of the routing of exceptions: a row's controls have these bits only.
 */
TEST(controls_say_which_level_takes_it)
{
    static const struct {
        int line;
        enum el_exception what;
        uint64_t hcr, scr;
        unsigned takes[4]; /* from each level */
    } rows[] = {
        {__LINE__, EL_SYNCHRONOUS, 0, 0, {1, 1, 2, 3}},
        {__LINE__, EL_SYNCHRONOUS, HCR_TGE, 0, {2, 1, 2, 3}},
        {__LINE__, EL_SYNCHRONOUS, HCR_TEA | HCR_IMO, SCR_EA | SCR_IRQ, {1, 1, 2, 3}},
        {__LINE__, EL_EXTERNAL_ABORT, 0, 0, {1, 1, 2, 3}},
        {__LINE__, EL_EXTERNAL_ABORT, HCR_TEA, 0, {2, 2, 2, 3}},
        {__LINE__, EL_EXTERNAL_ABORT, HCR_TGE, 0, {2, 2, 2, 3}},
        {__LINE__, EL_EXTERNAL_ABORT, HCR_TEA, SCR_EA, {3, 3, 3, 3}},
        {__LINE__, EL_IRQ, 0, 0, {1, 1, 1, 1}},
        {__LINE__, EL_IRQ, HCR_IMO, 0, {2, 2, 2, 2}},
        {__LINE__, EL_IRQ, HCR_FMO, SCR_FIQ, {1, 1, 1, 1}},
        {__LINE__, EL_IRQ, HCR_IMO, SCR_IRQ, {3, 3, 3, 3}},
        {__LINE__, EL_FIQ, HCR_FMO, 0, {2, 2, 2, 2}},
        {__LINE__, EL_FIQ, HCR_TGE, SCR_IRQ, {2, 2, 2, 2}},
        {__LINE__, EL_FIQ, 0, SCR_FIQ, {3, 3, 3, 3}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned level = 0; level < 4; level++) {
            const struct el_routing from = {level, rows[i].hcr, rows[i].scr};
            const unsigned taker = el_state_target(&from, rows[i].what);
            if (taker != rows[i].takes[level])
                fail_msg("line %d: EL%u takes it from EL%u", rows[i].line, taker, level);
        }
    assert_int_equal(el_state_taken_kind(ARMPMU_EXCEPTION_IRQ, 1), ARMPMU_EXCEPTION_IRQ);
    assert_int_equal(el_state_taken_kind(ARMPMU_EXCEPTION_IRQ, 2),
                     ARMPMU_EXCEPTION_IRQ | ARMPMU_EXCEPTION_TRAPPED);
}

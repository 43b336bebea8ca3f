/* What the Cortex-R4F's counters count, when they do, and the lines they ask through. Expected
 * values follow from the manual by the arithmetic beside them.
 *
 * Source: ARM DDI 0363E, Table 6-1, c9 performance monitor registers, c15 validation registers. */
#include "../test.h"

#include <string.h>

#include "armv7_bench.h"
#include "cortex_r4f_events.h"

TEST(every_event_counts_its_signal_on_every_counter)
{
    for (size_t i = 1; i < N_EVENT_ROWS; i++)
        for (unsigned n = 0; n < 3; n++) {
            struct bench *const bench = start();
            program(bench, n, event_rows[i].event, 0);
            set(bench, PMNC, 1);
            post(bench, event_rows[i].signal, 3);
            for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
                if (signal != event_rows[i].signal)
                    post(bench, (enum armpmu_signal)signal, 5);
            if (count(bench, n) != 3)
                fail_msg("event 0x%02x on counter %u: %u", event_rows[i].event, n, count(bench, n));
            for (unsigned other = 0; other < 3; other++)
                assert_int_equal(count(bench, other), other == n ? 3 : 0);
        }
}

static bool is_in_the_table(unsigned event)
{
    for (size_t i = 1; i < N_EVENT_ROWS; i++)
        if (event_rows[i].event == event)
            return true;
    return false;
}

TEST(reserved_events_never_count)
{
    unsigned reserved = 0;

    for (uint32_t event = 1; event < 0x100; event++) {
        if (is_in_the_table(event))
            continue;
        struct bench *const bench = start();
        program(bench, 1, event, 0);
        set(bench, PMNC, 1);
        for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
            post(bench, (enum armpmu_signal)signal, 1);
        if (count(bench, 1) != 0)
            fail_msg("event 0x%02x counts %u", event, count(bench, 1));
        assert_int_equal(get(bench, EVTSEL), event);
        reserved++;
    }
    assert_int_equal(reserved, 255 - 60);
}

/* ETMEXTOUT[1:0] are inputs: a rising edge is one event. The Cortex-A8's pins are not here. */
TEST(etmextout_pins_are_events_0x48_and_0x49)
{
    struct bench *const bench = start();

    program(bench, 0, 0x48, 0);
    program(bench, 1, 0x49, 0);
    set(bench, PMNC, 1);
    pin(bench, ARMPMU_PIN_ETMEXTOUT0, 1);
    pin(bench, ARMPMU_PIN_ETMEXTOUT1, 1);
    pin(bench, ARMPMU_PIN_ETMEXTOUT1, 1); /* stays high: no edge */
    pin(bench, ARMPMU_PIN_ETMEXTOUT1, 0);
    pin(bench, ARMPMU_PIN_ETMEXTOUT1, 1);
    pin(bench, ARMPMU_PIN_PMUEXTIN0, 1);
    pin(bench, ARMPMU_PIN_PMUEXTIN1, 1);
    assert_int_equal(count(bench, 0), 1);
    assert_int_equal(count(bench, 1), 2);
}

/* D: one step of CCNT in 64 clocks, of CCNT alone. */
TEST(the_divider_slows_the_cycle_counter_only)
{
    struct bench *const bench = start();

    program(bench, 2, 0x11, 0);
    set(bench, CNTENS, 0x80000000);
    set(bench, CCNT, 0xfffffffe);
    set(bench, PMNC, 0x9); /* D and E */
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 63);
    assert_int_equal(get(bench, CCNT), 0xfffffffe);
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    assert_int_equal(get(bench, CCNT), 0xffffffff);
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 63);
    assert_int_equal(get(bench, FLAG), 0);
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    assert_int_equal(bench->overflows, 1);
    assert_int_equal(get(bench, FLAG), 0x80000000);
    assert_int_equal(get(bench, CCNT), 0);
    assert_int_equal(count(bench, 2), 128);
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 40);
    set(bench, PMNC, 0x2b); /* P and DP: the 64 clocks go on */
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 23);
    assert_int_equal(get(bench, CCNT), 0);
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    assert_int_equal(get(bench, CCNT), 1);
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 40);
    set(bench, PMNC, 0xd); /* C begins 64 clocks anew */
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 63);
    assert_int_equal(get(bench, CCNT), 0);
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    assert_int_equal(get(bench, CCNT), 1);
    set(bench, PMNC, 0x1); /* without D every clock counts */
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 10);
    assert_int_equal(get(bench, CCNT), 11);
}

/* Events are counted while DBGEN or NIDEN is high; CCNT obeys while DP is one. */
TEST(debug_signals_stop_counters_and_with_dp_the_cycle_counter)
{
    static const struct {
        int line;
        unsigned dp, dbgen, niden;
        uint32_t events, cycles;
    } cases[] = {
        {__LINE__, 0, 0, 0, 0, 2}, {__LINE__, 0, 0, 1, 3, 2}, {__LINE__, 0, 1, 0, 3, 2},
        {__LINE__, 0, 1, 1, 3, 2}, {__LINE__, 1, 0, 0, 0, 0}, {__LINE__, 1, 0, 1, 3, 2},
        {__LINE__, 1, 1, 0, 3, 2}, {__LINE__, 1, 1, 1, 3, 2},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench *const bench = start();
        program(bench, 0, 0x08, 0);
        program(bench, 1, 0x11, 0); /* on an event counter clocks are an event */
        program(bench, 2, 0x00, 0); /* and so are software increments */
        set(bench, CNTENS, 0x80000000);
        set(bench, PMNC, cases[i].dp << 5 | 1);
        pin(bench, ARMPMU_PIN_DBGEN, cases[i].dbgen);
        pin(bench, ARMPMU_PIN_NIDEN, cases[i].niden);
        post(bench, ARMPMU_SIGNAL_INST_RETIRED, 3);
        post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 2);
        set(bench, SWINCR, 4);
        pin(bench, ARMPMU_PIN_DBGEN, 1);
        if (count(bench, 0) != cases[i].events || get(bench, CCNT) != cases[i].cycles)
            fail_msg("line %d: %u events, %u cycles", cases[i].line, count(bench, 0),
                     get(bench, CCNT));
        assert_int_equal(count(bench, 1), cases[i].events != 0 ? 2 : 0);
        assert_int_equal(count(bench, 2), cases[i].events != 0 ? 1 : 0);
        post(bench, ARMPMU_SIGNAL_INST_RETIRED, 1); /* and they go on */
        assert_int_equal(count(bench, 0), cases[i].events + 1);
    }
}

TEST(overflow_sets_its_flag_on_the_exact_increment)
{
    static const uint32_t rooms[] = {1, 2, 3, 1000, 0x80000000, 0xffffffff};

    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++)
        for (unsigned n = 0; n < 3; n++)
            for (uint32_t step = 1; step < 4; step++) {
                struct bench *const bench = start();
                program(bench, n, 0x43, 0u - rooms[i]);
                set(bench, PMNC, 1);
                post(bench, ARMPMU_SIGNAL_EXTERNAL_REQUEST, rooms[i] - 1);
                assert_int_equal(bench->overflows, 0);
                assert_int_equal(get(bench, FLAG), 0);
                post(bench, ARMPMU_SIGNAL_EXTERNAL_REQUEST, step);
                assert_int_equal(bench->overflows, 1);
                assert_int_equal(get(bench, FLAG), 1u << n);
                assert_int_equal(count(bench, n), step - 1);
                post(bench, ARMPMU_SIGNAL_EXTERNAL_REQUEST, 5); /* counting goes on */
                assert_int_equal(count(bench, n), step + 4);
            }
}

/* Flags stay until a one is written to them, or reset. */
TEST(flags_outlive_all_but_a_one_and_reset)
{
    struct bench *const bench = start();

    for (unsigned n = 0; n < 3; n++)
        program(bench, n, 0x08, 0xffffffff);
    set(bench, CCNT, 0xffffffff);
    set(bench, CNTENS, 0x80000000);
    set(bench, PMNC, 1);
    post(bench, ARMPMU_SIGNAL_INST_RETIRED, 1);
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    assert_int_equal(get(bench, FLAG), 0x80000007);
    set(bench, CNTENC, 0xffffffff);
    set(bench, PMNC, 0x6);
    set(bench, FLAG, 0);
    assert_int_equal(get(bench, FLAG), 0x80000007);
    set(bench, FLAG, 0x2);
    assert_int_equal(get(bench, FLAG), 0x80000005);
    set(bench, FLAG, 0x80000000);
    assert_int_equal(get(bench, FLAG), 0x5);
    set(bench, FLAG, 0x7ffffff8);
    assert_int_equal(get(bench, FLAG), 0x5);
    armpmu_reset(bench->pmu, ARMPMU_RESET_WARM);
    assert_int_equal(get(bench, FLAG), 0);
}

TEST(software_increments_count_where_event_0_is_selected)
{
    struct bench *const bench = start();

    program(bench, 0, 0x00, 0xfffffffe);
    program(bench, 1, 0x08, 0);
    program(bench, 2, 0x00, 0);
    set(bench, CNTENC, 1u << 2);
    set(bench, SWINCR, 0xffffffff);
    assert_int_equal(count(bench, 0), 0xfffffffe); /* E is zero */
    set(bench, PMNC, 1);
    set(bench, SWINCR, 0xfffffff9);
    assert_int_equal(count(bench, 0), 0xffffffff);
    assert_int_equal(get(bench, FLAG), 0);
    set(bench, SWINCR, 0x7);
    assert_int_equal(count(bench, 0), 0);
    assert_int_equal(get(bench, FLAG), 1); /* a wrap sets the flag */
    assert_int_equal(bench->overflows, 1);
    assert_int_equal(count(bench, 1), 0); /* counts another event */
    assert_int_equal(count(bench, 2), 0); /* not enabled */
    set(bench, CNTENS, 1u << 2);
    set(bench, SWINCR, 0x4);
    assert_int_equal(count(bench, 2), 1);
    assert_int_equal(count(bench, 0), 0); /* its bit was zero */
    assert_int_equal(get(bench, SWINCR), 0);
    post(bench, ARMPMU_SIGNAL_SW_INCREMENT, 9); /* nothing else produces event 0 */
    assert_int_equal(count(bench, 2), 1);
}

/* Each line and the pair of registers that sets and clears its enables; nPMUIRQ is the line of
 * INTENS and INTENC, and the only one that PMNC.E switches off. */
static const struct line_row {
    enum armpmu_output output;
    const char *name;
    bool active_low, needs_e;
    enum place enable, disable;
} line_rows[] = {
    {ARMPMU_OUTPUT_PMUIRQ, "nPMUIRQ", true, true, INTENS, INTENC},
    {ARMPMU_OUTPUT_VALIRQ, "nVALIRQ", true, false, VALIRQENS, VALIRQENC},
    {ARMPMU_OUTPUT_VALFIQ, "nVALFIQ", true, false, VALFIQENS, VALFIQENC},
    {ARMPMU_OUTPUT_VALRESET, "nVALRESET", true, false, VALRESETENS, VALRESETENC},
    {ARMPMU_OUTPUT_VALEDBGRQ, "VALEDBGRQ", false, false, VALEDBGRQENS, VALEDBGRQENC},
};

static const uint32_t counter_bits[] = {1u << 0, 1u << 1, 1u << 2, 1u << 31};

/* A device with one counter enabled that wraps with the next event, and one enable of a line. */
static struct bench *about_to_wrap(size_t counter, enum place enable, uint32_t enabled)
{
    struct bench *const bench = start();

    for (unsigned n = 0; n < 3; n++)
        program(bench, n, 0x08, 0xffffffff);
    set(bench, CCNT, 0xffffffff);
    set(bench, CNTENC, 0xffffffff);
    set(bench, CNTENS, counter_bits[counter]);
    set(bench, enable, enabled);
    set(bench, PMNC, 1);
    return bench;
}

static void wrap(struct bench *bench, size_t counter)
{
    post(bench, counter == 3 ? ARMPMU_SIGNAL_CPU_CYCLES : ARMPMU_SIGNAL_INST_RETIRED, 1);
}

TEST(each_line_is_asserted_by_an_enabled_flag_and_no_other_line)
{
    for (size_t line = 0; line < 5; line++)
        for (size_t wrapped = 0; wrapped < 4; wrapped++)
            for (size_t enabled = 0; enabled < 4; enabled++) {
                struct bench *const bench =
                    about_to_wrap(wrapped, line_rows[line].enable, counter_bits[enabled]);
                for (size_t other = 0; other < 5; other++)
                    assert_false(asserted(bench, line_rows[other].output));
                wrap(bench, wrapped);
                assert_int_equal(get(bench, FLAG), counter_bits[wrapped]);
                for (size_t other = 0; other < 5; other++) {
                    const bool wanted = other == line && wrapped == enabled;
                    assert_int_equal(asserted(bench, line_rows[other].output), wanted);
                    assert_int_equal(bench->rises[line_rows[other].output], wanted);
                }
            }
}

TEST(a_line_stays_until_flag_or_enable_goes)
{
    for (size_t line = 0; line < 5; line++)
        for (size_t counter = 0; counter < 4; counter++) {
            const struct line_row *const row = &line_rows[line];
            const uint32_t bit = counter_bits[counter];
            struct bench *const bench = about_to_wrap(counter, row->enable, 0);
            wrap(bench, counter);
            assert_false(asserted(bench, row->output));
            set(bench, row->enable, bit); /* a flag set before its enable asks at once */
            assert_true(asserted(bench, row->output));
            set(bench, CNTENC, bit); /* a disabled counter keeps its flag */
            assert_true(asserted(bench, row->output));
            set(bench, PMNC, 0);
            assert_int_equal(asserted(bench, row->output), !row->needs_e);
            set(bench, PMNC, 1);
            set(bench, row->disable, ~bit);
            assert_true(asserted(bench, row->output));
            set(bench, row->disable, bit);
            assert_false(asserted(bench, row->output));
            set(bench, row->enable, bit);
            set(bench, FLAG, ~bit);
            assert_true(asserted(bench, row->output));
            set(bench, FLAG, bit);
            assert_false(asserted(bench, row->output));
            assert_int_equal(bench->rises[row->output], bench->falls[row->output]);
        }
}

TEST(lines_are_called_and_driven_as_the_manual_says)
{
    for (size_t line = 0; line < 5; line++) {
        assert_string_equal(armpmu_output_name(line_rows[line].output), line_rows[line].name);
        assert_int_equal(armpmu_output_is_active_low(line_rows[line].output),
                         line_rows[line].active_low);
    }
}

/* The use that the validation registers are for: an exception after a chosen number of events. */
TEST(a_preloaded_counter_fires_after_the_chosen_number_of_events)
{
    struct bench *const bench = start();

    set(bench, USEREN, 1);
    pin(bench, ARMPMU_PIN_USER_MODE, 1); /* open to User mode, as the manual notes */
    program(bench, 1, 0x06, 0u - 100u);
    set(bench, VALFIQENS, 1u << 1);
    set(bench, PMNC, 1);
    for (unsigned loads = 0; loads < 100; loads++) {
        assert_false(asserted(bench, ARMPMU_OUTPUT_VALFIQ));
        post(bench, ARMPMU_SIGNAL_LOAD_RETIRED, 1);
    }
    assert_true(asserted(bench, ARMPMU_OUTPUT_VALFIQ));
    assert_false(asserted(bench, ARMPMU_OUTPUT_PMUIRQ));
}

TEST(a_snapshot_has_the_same_future)
{
    static unsigned char snapshot[4096];
    struct bench *const bench = start();

    assert_true(armpmu_snapshot_bytes(bench->pmu) <= sizeof snapshot);
    program(bench, 0, 0x08, 0xffffffff);
    set(bench, VALRESETENS, 1);
    set(bench, PMNC, 0x11);
    post(bench, ARMPMU_SIGNAL_L1D_REFILL, 1); /* waits for the clock on the event bus */
    armpmu_snapshot(bench->pmu, snapshot);
    for (unsigned i = 1; i <= 2; i++) {
        post(bench, ARMPMU_SIGNAL_INST_RETIRED, 1);
        assert_int_equal(bench->rises[ARMPMU_OUTPUT_VALRESET], i);
        assert_int_equal(clock_tick(bench), UINT64_C(1) << 1 | UINT64_C(1) << 5);
        assert_int_equal(
            armpmu_restore(bench->pmu, snapshot, armpmu_snapshot_bytes(bench->pmu), NULL),
            ARMPMU_OK);
        assert_int_equal(bench->falls[ARMPMU_OUTPUT_VALRESET], i);
    }
}

TEST_OF(a_counter_moves_when_e_and_its_enable_are_one, NULL, NULL)
TEST_OF(nothing_counts_while_halted_or_asleep, NULL, NULL)

/* The Cortex-R4F's event bus and its Correctable Fault Location Register, against the manual.
 *
 * Source: ARM DDI 0363E, Event bus interface, Error detection events; ARM DDI 0363G, Correctable
 * Fault Location Register. */
#include "../test.h"

#include <stdio.h>
#include <string.h>

#include "armv7_bench.h"
#include "cortex_r4f_events.h"

#define BIT(n) (UINT64_C(1) << (n))

static uint64_t bits_of(const struct event_row *row)
{
    return row->bit == NO_BIT ? 0 : BIT(row->bit);
}

static struct bench *start_exporting(void)
{
    struct bench *const bench = start();

    set(bench, PMNC, 0x10); /* X alone: E and the counters do not matter */
    return bench;
}

/* ---- the event bus ---- */

TEST(each_event_pulses_its_bit_for_one_clock_and_no_other)
{
    for (size_t i = 1; i < N_EVENT_ROWS; i++) {
        struct bench *const bench = start_exporting();
        assert_int_equal(clock_tick(bench), 0);
        post(bench, event_rows[i].signal, 1);
        const uint64_t pulse = clock_tick(bench);
        if (pulse != bits_of(&event_rows[i]))
            fail_msg("event 0x%02x: 0x%llx", event_rows[i].event, (unsigned long long)pulse);
        assert_int_equal(clock_tick(bench), 0);
    }
}

TEST(all_events_at_once_leave_one_bit_low)
{
    struct bench *const bench = start_exporting();

    for (size_t i = 1; i < N_EVENT_ROWS; i++)
        if (event_rows[i].signal != ARMPMU_SIGNAL_CPU_CYCLES)
            post(bench, event_rows[i].signal, 1);
    /* [46:0] without 36, which stands for nothing. */
    assert_int_equal(clock_tick(bench), UINT64_C(0x7fefffffffff));
    assert_int_equal(clock_tick(bench), 0);
}

TEST(events_of_one_clock_share_it)
{
    struct bench *const bench = start_exporting();

    post(bench, ARMPMU_SIGNAL_INST_RETIRED, 2); /* a pair: bit 5 and bit 6 */
    post(bench, ARMPMU_SIGNAL_PAIR_RETIRED, 1);
    assert_int_equal(clock_tick(bench), BIT(5) | BIT(6));
    post(bench, ARMPMU_SIGNAL_INST_RETIRED, 1);
    post(bench, ARMPMU_SIGNAL_L1D_REFILL, 1);
    post(bench, ARMPMU_SIGNAL_L1D_REFILL, 1); /* twice in one clock is one pulse */
    assert_int_equal(clock_tick(bench), BIT(5) | BIT(1));
    post(bench, ARMPMU_SIGNAL_L1I_REFILL, 1);
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 10); /* the pulse is in the first of ten clocks */
    assert_int_equal(bench->n_clocks, 3);
    assert_int_equal(bench->clocks[2], BIT(0));
    assert_int_equal(clock_tick(bench), 0);
}

TEST(the_bus_lives_while_x_is_one_and_debug_permits)
{
    static const struct {
        int line;
        uint32_t pmnc;
        unsigned dbgen, niden, halted, standby;
        bool live;
    } cases[] = {
        {__LINE__, 0x00, 1, 1, 0, 0, false}, {__LINE__, 0x01, 1, 1, 0, 0, false},
        {__LINE__, 0x29, 1, 1, 0, 0, false}, {__LINE__, 0x10, 1, 1, 0, 0, true},
        {__LINE__, 0x11, 1, 1, 0, 0, true},  {__LINE__, 0x39, 1, 1, 0, 0, true},
        {__LINE__, 0x11, 1, 0, 0, 0, true},  {__LINE__, 0x11, 0, 1, 0, 0, true},
        {__LINE__, 0x11, 0, 0, 0, 0, false}, {__LINE__, 0x31, 0, 0, 0, 0, false},
        {__LINE__, 0x11, 1, 1, 1, 0, false}, {__LINE__, 0x11, 1, 1, 0, 1, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench *const bench = start();
        set(bench, PMNC, cases[i].pmnc);
        pin(bench, ARMPMU_PIN_DBGEN, cases[i].dbgen);
        pin(bench, ARMPMU_PIN_NIDEN, cases[i].niden);
        pin(bench, ARMPMU_PIN_DEBUG_HALTED, cases[i].halted);
        pin(bench, ARMPMU_PIN_STANDBY, cases[i].standby);
        post(bench, ARMPMU_SIGNAL_EXCEPTION_TAKEN, 1);
        if (clock_tick(bench) != (cases[i].live ? BIT(7) : 0))
            fail_msg("line %d", cases[i].line);
    }
}

/* What happened before the bus was switched on, or off, does not show. */
TEST(a_pulse_needs_x_from_the_event_to_the_clock)
{
    struct bench *const bench = start();

    post(bench, ARMPMU_SIGNAL_EXCEPTION_TAKEN, 1);
    set(bench, PMNC, 0x10);
    assert_int_equal(clock_tick(bench), 0);
    post(bench, ARMPMU_SIGNAL_EXCEPTION_TAKEN, 1);
    set(bench, PMNC, 0);
    assert_int_equal(clock_tick(bench), 0);
    set(bench, PMNC, 0x10);
    assert_int_equal(clock_tick(bench), 0);
    post(bench, ARMPMU_SIGNAL_EXCEPTION_TAKEN, 1);
    armpmu_reset(bench->pmu, ARMPMU_RESET_WARM);
    set(bench, PMNC, 0x10);
    assert_int_equal(clock_tick(bench), 0);
}

TEST(counters_count_the_same_with_and_without_the_bus)
{
    for (unsigned x = 0; x < 2; x++) {
        struct bench *const bench = start();
        program(bench, 0, 0x08, 0u - 7u);
        program(bench, 1, 0x03, 0);
        program(bench, 2, 0x48, 0);
        set(bench, CNTENS, 0x80000000);
        set(bench, INTENS, 1);
        set(bench, PMNC, x << 4 | 1);
        for (unsigned clock = 0; clock < 20; clock++) {
            assert_int_equal(asserted(bench, ARMPMU_OUTPUT_PMUIRQ), clock >= 4);
            post(bench, ARMPMU_SIGNAL_INST_RETIRED, 2); /* wraps in the fourth clock */
            post(bench, ARMPMU_SIGNAL_L1D_REFILL, clock % 3 == 0);
            pin(bench, ARMPMU_PIN_ETMEXTOUT0, clock & 1);
            clock_tick(bench);
        }
        assert_int_equal(count(bench, 0), 33);
        assert_int_equal(count(bench, 1), 7);
        assert_int_equal(count(bench, 2), 10);
        assert_int_equal(get(bench, CCNT), 20);
        assert_int_equal(bench->n_clocks, x ? 20 : 0);
        assert_int_equal(bench->overflows, 1);
    }
}

/* A software increment has no bit, nor have the inputs from the trace unit. */
TEST(software_increments_and_inputs_are_not_on_the_bus)
{
    struct bench *const bench = start();

    program(bench, 0, 0x00, 0);
    set(bench, PMNC, 0x11);
    set(bench, SWINCR, 1);
    pin(bench, ARMPMU_PIN_ETMEXTOUT0, 1);
    pin(bench, ARMPMU_PIN_ETMEXTOUT1, 1);
    assert_int_equal(clock_tick(bench), 0);
    assert_int_equal(count(bench, 0), 1);
}

/* ---- the fault location register ---- */

/* The errors that it locates: of the caches with Way and Index, of the TCMs with Side and Address.
 */
static const struct fault_row {
    int line;
    struct armpmu_fault fault;
    unsigned event;
    uint32_t cflr;
} fault_rows[] = {
#define CACHE(way, address) false, ARMPMU_SIDE_CACHE, way, address
#define TCM(side, address)  false, ARMPMU_SIDE_##side, 0, address
    /* clang-format off */
    /* Way 3 in [29:26], Side 0, index in [13:5], Type 0: instruction cache */
    {__LINE__, {ARMPMU_SIGNAL_L1I_TAG_ERROR,  CACHE(3, 0x00001fe0)}, 0x4a, 0x0c001fe0},
    {__LINE__, {ARMPMU_SIGNAL_L1I_DATA_ERROR, CACHE(1, 0xffffffff)}, 0x4b, 0x04003fe0},
    /* Type 1: data cache */
    {__LINE__, {ARMPMU_SIGNAL_L1D_TAG_ERROR,  CACHE(15, 0x00002020)}, 0x4c, 0x3c002021},
    {__LINE__, {ARMPMU_SIGNAL_L1D_DATA_ERROR, CACHE(0, 0x00000020)}, 0x4d, 0x00000021},
    {__LINE__, {ARMPMU_SIGNAL_L1D_DATA_ERROR, CACHE(0x1f, 0xffffc01f)}, 0x4d, 0x3c000001},
    /* Side 1: ATCM, 2: BTCM, address in [22:3]; Type 1: data, 0: instruction, 2: AXI slave */
    {__LINE__, {ARMPMU_SIGNAL_TCM_CORRECTABLE_DATA,  TCM(ATCM, 0x00001238)}, 0x6a, 0x01001239},
    {__LINE__, {ARMPMU_SIGNAL_TCM_CORRECTABLE_DATA,  TCM(BTCM, 0xffffffff)}, 0x6a, 0x027ffff9},
    {__LINE__, {ARMPMU_SIGNAL_TCM_CORRECTABLE_FETCH, TCM(ATCM, 0x007ffff8)}, 0x6b, 0x017ffff8},
    {__LINE__, {ARMPMU_SIGNAL_TCM_CORRECTABLE_SLAVE, TCM(BTCM, 0x00000008)}, 0x6d, 0x0200000a},
    {__LINE__, {ARMPMU_SIGNAL_TCM_CORRECTABLE_SLAVE, TCM(ATCM, 0xff800007)}, 0x6d, 0x01000002},
    /* clang-format on */
};

#define N_FAULT_ROWS (sizeof fault_rows / sizeof fault_rows[0])

TEST(a_located_error_is_one_event_and_its_place)
{
    for (size_t i = 0; i < N_FAULT_ROWS; i++) {
        struct bench *const bench = start();
        program(bench, 0, fault_rows[i].event, 0);
        set(bench, PMNC, 0x11);
        set(bench, CFLR, 0xffffffff); /* nothing of the old value stays */
        armpmu_post_fault(bench->pmu, &fault_rows[i].fault);
        if (get(bench, CFLR) != fault_rows[i].cflr)
            fail_msg("line %d: 0x%08x", fault_rows[i].line, get(bench, CFLR));
        assert_int_equal(count(bench, 0), 1);
        /* 0x4a to 0x4d are bits 22 to 25, 0x6a to 0x6d bits 43 to 46. */
        const unsigned event = fault_rows[i].event;
        assert_int_equal(clock_tick(bench),
                         BIT(event < 0x60 ? event - 0x4a + 22 : event - 0x6a + 43));
    }
}

static bool is_located(enum armpmu_signal signal)
{
    for (size_t i = 0; i < N_FAULT_ROWS; i++)
        if (fault_rows[i].fault.signal == signal)
            return true;
    return false;
}

/* 0x4a to 0x4d, 0x6a, 0x6b and 0x6d, and no other event, have "Yes" in the column CFLR. */
TEST(other_errors_are_events_only)
{
    unsigned located = 0;

    for (size_t i = 1; i < N_EVENT_ROWS; i++) {
        const struct armpmu_fault fault = {event_rows[i].signal, false, ARMPMU_SIDE_BTCM, 2,
                                           0x123456};
        const unsigned event = event_rows[i].event;
        struct bench *const bench = start();
        program(bench, 2, event, 0);
        set(bench, PMNC, 0x1);
        set(bench, CFLR, 0x00000020);
        armpmu_post_fault(bench->pmu, &fault);
        assert_int_equal(count(bench, 2), 1);
        const bool yes =
            (event >= 0x4a && event <= 0x4d) || event == 0x6a || event == 0x6b || event == 0x6d;
        assert_int_equal(get(bench, CFLR) != 0x00000020, yes);
        assert_int_equal(is_located(event_rows[i].signal), yes);
        located += yes;
    }
    assert_int_equal(located, 7);
}

/* Never the register; and as events only what a TCM port sees, 0x64 to 0x69. */
TEST(a_speculative_error_is_for_the_tcm_ports_alone)
{
    for (size_t i = 1; i < N_EVENT_ROWS; i++) {
        const unsigned event = event_rows[i].event;
        if (event < 0x4a || (event >= 0x50 && event < 0x60))
            continue;
        struct armpmu_fault fault = {event_rows[i].signal, true, ARMPMU_SIDE_ATCM, 1, 0x40};
        struct bench *const bench = start();
        program(bench, 0, event, 0);
        set(bench, PMNC, 0x11);
        armpmu_post_fault(bench->pmu, &fault);
        const bool seen = event >= 0x64 && event <= 0x69;
        assert_int_equal(count(bench, 0), seen);
        assert_int_equal(clock_tick(bench), seen ? bits_of(&event_rows[i]) : 0);
        assert_int_equal(get(bench, CFLR), 0);
        /* It does not stand in the way of another one in its clock. */
        armpmu_post_fault(bench->pmu, &fault);
        armpmu_post_fault(bench->pmu, &fault_rows[8].fault);
        assert_int_equal(get(bench, CFLR), fault_rows[8].cflr);
    }
}

TEST(the_latest_error_wins_but_the_axi_slave_gives_way_within_a_clock)
{
    const struct armpmu_fault core = {ARMPMU_SIGNAL_TCM_CORRECTABLE_DATA, TCM(ATCM, 0x100)},
                              fetch = {ARMPMU_SIGNAL_L1I_DATA_ERROR, CACHE(2, 0x200)},
                              slave = {ARMPMU_SIGNAL_TCM_CORRECTABLE_SLAVE, TCM(BTCM, 0x300)};
    const uint32_t core_place = 0x01000101, fetch_place = 0x08000200, slave_place = 0x02000302;
    struct bench *const bench = start();

    program(bench, 0, 0x6d, 0);
    set(bench, PMNC, 1);
    armpmu_post_fault(bench->pmu, &slave);
    assert_int_equal(get(bench, CFLR), slave_place);
    armpmu_post_fault(bench->pmu, &core); /* the same clock: the core's error takes its place */
    assert_int_equal(get(bench, CFLR), core_place);
    armpmu_post_fault(bench->pmu, &slave); /* and keeps it */
    assert_int_equal(get(bench, CFLR), core_place);
    assert_int_equal(count(bench, 0), 2);  /* an event it is all the same */
    armpmu_post_fault(bench->pmu, &fetch); /* of two of the core the latest */
    assert_int_equal(get(bench, CFLR), fetch_place);
    armpmu_post_fault(bench->pmu, &slave);
    assert_int_equal(get(bench, CFLR), fetch_place);
    clock_tick(bench);
    armpmu_post_fault(bench->pmu, &slave); /* the next clock */
    assert_int_equal(get(bench, CFLR), slave_place);
    armpmu_post_fault(bench->pmu, &core);
    armpmu_reset(bench->pmu, ARMPMU_RESET_WARM);
    assert_int_equal(get(bench, CFLR), 0);
    armpmu_post_fault(bench->pmu, &slave);
    assert_int_equal(get(bench, CFLR), slave_place);
}

/* Whichever unit of the core met the error, and whatever else is or is not counted. */
TEST(every_error_of_the_core_keeps_its_place_for_a_clock)
{
    const struct armpmu_fault slave = {ARMPMU_SIGNAL_TCM_CORRECTABLE_SLAVE, TCM(BTCM, 0x300)};

    for (size_t i = 0; i < N_FAULT_ROWS; i++) {
        const bool by_slave = fault_rows[i].event == 0x6d;
        struct bench *const bench = start();
        armpmu_post_fault(bench->pmu, &fault_rows[i].fault);
        armpmu_post_fault(bench->pmu, &slave);
        assert_int_equal(get(bench, CFLR), by_slave ? 0x02000302 : fault_rows[i].cflr);
        clock_tick(bench);
        armpmu_post_fault(bench->pmu, &slave);
        assert_int_equal(get(bench, CFLR), 0x02000302);
    }
}
#undef CACHE
#undef TCM

/* An error is found whether or not anybody counts, exports, debugs or is let look. */
TEST(the_register_needs_neither_counters_nor_debug)
{
    struct bench *const bench = start();

    pin(bench, ARMPMU_PIN_DBGEN, 0);
    pin(bench, ARMPMU_PIN_NIDEN, 0);
    pin(bench, ARMPMU_PIN_USER_MODE, 1);
    armpmu_post_fault(bench->pmu, &fault_rows[0].fault);
    pin(bench, ARMPMU_PIN_USER_MODE, 0);
    assert_int_equal(get(bench, CFLR), fault_rows[0].cflr);
    set(bench, CFLR, 0); /* software makes headroom for the next */
    assert_int_equal(get(bench, CFLR), 0);
}

/* An error that makes its counter wrap: flag and lines are there when the post returns. */
TEST(an_error_can_wrap_a_counter)
{
    struct bench *const bench = start();

    program(bench, 1, fault_rows[0].event, 0xffffffff);
    set(bench, VALEDBGRQENS, 2);
    set(bench, PMNC, 1);
    armpmu_post_fault(bench->pmu, &fault_rows[0].fault);
    assert_true(asserted(bench, ARMPMU_OUTPUT_VALEDBGRQ));
    assert_int_equal(get(bench, FLAG), 2);
    assert_int_equal(count(bench, 1), 0);
    armpmu_post_fault(bench->pmu, &fault_rows[0].fault);
    assert_int_equal(count(bench, 1), 1);
}

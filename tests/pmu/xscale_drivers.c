/* What real drivers do to the XScale performance monitors, instruction by instruction, and what
 * they must see. Each step is one instruction or one happening, its value worked out by hand.
 *
 * Source: the sequences of Linux drivers/perf/arm_xscale_pmu.c and NetBSD's xscale_pmc.c, written
 * down as register accesses; Intel 273473-002, Performance Monitoring. */
#include "../test.h"

#include "xscale_bench.h"

enum act {
    READ,    /* MRC: the value that must come */
    WRITE,   /* MCR */
    COUNT,   /* so many of a signal */
    REQUEST, /* the line's level, 0 or 1 */
};

struct step {
    int line;
    enum act act;
    uint32_t at; /* a register, or a signal */
    uint32_t value;
};

#define INSTRUCTIONS ARMPMU_SIGNAL_INST_RETIRED
#define BRANCHES     ARMPMU_SIGNAL_DIRECT_BRANCH
#define MISSES       ARMPMU_SIGNAL_L1D_WORD_MISS
#define CLOCKS       ARMPMU_SIGNAL_CPU_CYCLES

static void replay(struct bench *bench, const struct step *steps, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t got = steps[i].value;
        switch (steps[i].act) {
        case READ:
            got = get(bench, steps[i].at);
            break;
        case WRITE:
            set(bench, steps[i].at, steps[i].value);
            break;
        case COUNT:
            post(bench, (enum armpmu_signal)steps[i].at, steps[i].value);
            break;
        case REQUEST:
            got = requested(bench);
            break;
        }
        if (got != steps[i].value)
            fail_msg("line %d: 0x%08x, not 0x%08x", steps[i].line, got, steps[i].value);
    }
}

#define REPLAY(bench, steps) replay(bench, steps, sizeof(steps) / sizeof(steps)[0])

/* Counting, on PMN1 as Linux takes it first: enable, start, stop, read, disable. */
TEST(xsc1_counts_one_event)
{
    static const struct step steps[] = {
        /* probe: P and C, nothing enabled */
        {__LINE__, WRITE, XSC1_PMNC, 0x00000006},
        /* evtCount1 = 7, the interrupt of PMN1 enabled */
        {__LINE__, READ, XSC1_PMNC, 0x00000000},
        {__LINE__, WRITE, XSC1_PMNC, 0x00700020},
        {__LINE__, WRITE, XSC1_PMN1, 0x80000000},
        {__LINE__, COUNT, INSTRUCTIONS, 4},
        {__LINE__, READ, XSC1_PMN1, 0x80000000},
        /* start */
        {__LINE__, READ, XSC1_PMNC, 0x00700020},
        {__LINE__, WRITE, XSC1_PMNC, 0x00700021},
        {__LINE__, COUNT, INSTRUCTIONS, 1000},
        {__LINE__, READ, XSC1_PMN1, 0x800003e8},
        /* stop */
        {__LINE__, READ, XSC1_PMNC, 0x00700021},
        {__LINE__, WRITE, XSC1_PMNC, 0x00700020},
        {__LINE__, COUNT, INSTRUCTIONS, 1000},
        {__LINE__, READ, XSC1_PMN1, 0x800003e8},
        /* disable: event 0xFF, no interrupt */
        {__LINE__, WRITE, XSC1_PMNC, 0x0ff00000},
        {__LINE__, WRITE, XSC1_PMNC, 0x0ff00001},
        {__LINE__, COUNT, INSTRUCTIONS, 1000},
        {__LINE__, READ, XSC1_PMN1, 0x800003e8},
        {__LINE__, REQUEST, 0, 0},
    };
    REPLAY(start(1), steps);
}

/* A second event enabled while the first has just overflowed: the write-back takes its flag. */
TEST(xsc1_enabling_an_event_loses_a_flag)
{
    static const struct step steps[] = {
        {__LINE__, WRITE, XSC1_PMNC, 0x00700020},
        {__LINE__, WRITE, XSC1_PMN1, 0xfffffffe},
        {__LINE__, WRITE, XSC1_PMNC, 0x00700021},
        {__LINE__, COUNT, INSTRUCTIONS, 2},
        {__LINE__, REQUEST, 0, 1},
        /* evtCount0 = 5 and the interrupt of PMN0 by read, change, write */
        {__LINE__, READ, XSC1_PMNC, 0x00700221},
        {__LINE__, WRITE, XSC1_PMNC, 0x00705231},
        {__LINE__, REQUEST, 0, 0},
        {__LINE__, READ, XSC1_PMNC, 0x00705031},
        {__LINE__, COUNT, BRANCHES, 6},
        {__LINE__, READ, XSC1_PMN0, 6},
        /* and disabled the same way */
        {__LINE__, WRITE, XSC1_PMNC, 0x007ff021},
        {__LINE__, COUNT, BRANCHES, 6},
        {__LINE__, READ, XSC1_PMN0, 6},
    };
    REPLAY(start(1), steps);
}

/* The interrupt handler: all three counters sample, two of them overflow. */
TEST(xsc1_handles_an_interrupt)
{
    static const struct step steps[] = {
        {__LINE__, WRITE, XSC1_PMNC, 0x00b07070}, /* PMN1: misses, PMN0: instructions */
        {__LINE__, WRITE, XSC1_CCNT, 0xffffff00},
        {__LINE__, WRITE, XSC1_PMN0, 0xffffff9c},
        {__LINE__, WRITE, XSC1_PMN1, 0xfffffff6},
        {__LINE__, WRITE, XSC1_PMNC, 0x00b07071},
        {__LINE__, COUNT, CLOCKS, 200},
        {__LINE__, COUNT, INSTRUCTIONS, 99},
        {__LINE__, REQUEST, 0, 0},
        {__LINE__, COUNT, INSTRUCTIONS, 1},
        {__LINE__, REQUEST, 0, 1},
        /* time passes before the handler runs: nothing stops */
        {__LINE__, COUNT, CLOCKS, 60},
        {__LINE__, COUNT, INSTRUCTIONS, 30},
        {__LINE__, COUNT, MISSES, 3},
        /* the handler: read, write back with E = 0 */
        {__LINE__, READ, XSC1_PMNC, 0x00b07571},
        {__LINE__, WRITE, XSC1_PMNC, 0x00b07570},
        {__LINE__, REQUEST, 0, 0},
        {__LINE__, READ, XSC1_PMNC, 0x00b07070},
        {__LINE__, COUNT, CLOCKS, 500},
        {__LINE__, READ, XSC1_CCNT, 4},
        {__LINE__, WRITE, XSC1_CCNT, 0xffffff00},
        {__LINE__, READ, XSC1_PMN0, 30},
        {__LINE__, WRITE, XSC1_PMN0, 0xffffff9c},
        {__LINE__, READ, XSC1_PMNC, 0x00b07070},
        {__LINE__, WRITE, XSC1_PMNC, 0x00b07071},
        {__LINE__, READ, XSC1_PMN1, 0xfffffff9},
        {__LINE__, COUNT, MISSES, 7},
        {__LINE__, REQUEST, 0, 1},
        {__LINE__, READ, XSC1_PMNC, 0x00b07271},
    };
    struct bench *const bench = start(1);
    REPLAY(bench, steps);
    assert_int_equal(bench->overflows, 3);
    assert_int_equal(bench->rises, 2);
    assert_int_equal(bench->falls, 1);
}

/* The interrupt handler: FLAG is a register of its own, written back with what it read. */
TEST(xsc2_handles_an_interrupt)
{
    static const struct step steps[] = {
        {__LINE__, WRITE, XSC2_EVTSEL, 0xffff0b07}, /* PMN1: misses, PMN0: instructions */
        {__LINE__, WRITE, XSC2_INTEN, 0x00000007},
        {__LINE__, WRITE, XSC2_CCNT, 0xffffff00},
        {__LINE__, WRITE, XSC2_PMN0, 0xffffff9c},
        {__LINE__, WRITE, XSC2_PMN1, 0xfffffff6},
        {__LINE__, READ, XSC2_PMNC, 0x14000000},
        {__LINE__, WRITE, XSC2_PMNC, 0x00000001},
        {__LINE__, COUNT, CLOCKS, 255},
        {__LINE__, COUNT, INSTRUCTIONS, 100},
        {__LINE__, REQUEST, 0, 1},
        {__LINE__, COUNT, MISSES, 10},
        /* the handler: E = 0, read FLAG, write it back, re-arm, E = 1 */
        {__LINE__, READ, XSC2_PMNC, 0x14000001},
        {__LINE__, WRITE, XSC2_PMNC, 0x00000000},
        {__LINE__, REQUEST, 0, 1},
        {__LINE__, READ, XSC2_FLAG, 0x00000006},
        {__LINE__, WRITE, XSC2_FLAG, 0x00000006},
        {__LINE__, REQUEST, 0, 0},
        {__LINE__, COUNT, CLOCKS, 5},
        {__LINE__, READ, XSC2_PMN0, 0},
        {__LINE__, WRITE, XSC2_PMN0, 0xffffff9c},
        {__LINE__, READ, XSC2_PMN1, 0},
        {__LINE__, WRITE, XSC2_PMN1, 0xfffffff6},
        {__LINE__, READ, XSC2_PMNC, 0x14000000},
        {__LINE__, WRITE, XSC2_PMNC, 0x00000001},
        {__LINE__, REQUEST, 0, 0},
        {__LINE__, COUNT, CLOCKS, 1},
        {__LINE__, REQUEST, 0, 1},
        {__LINE__, READ, XSC2_FLAG, 0x00000001},
    };
    struct bench *const bench = start(2);
    REPLAY(bench, steps);
    assert_int_equal(bench->overflows, 3);
    assert_int_equal(bench->rises, 2);
    assert_int_equal(bench->falls, 1);
}

/* One counter disabled, its flag with it: the others are not touched. */
TEST(xsc2_disables_one_counter)
{
    static const struct step steps[] = {
        {__LINE__, WRITE, XSC2_EVTSEL, 0x05070b07},
        {__LINE__, WRITE, XSC2_INTEN, 0x0000001f},
        {__LINE__, WRITE, XSC2_PMN0, 0xffffffff},
        {__LINE__, WRITE, XSC2_PMN2, 0xffffffff},
        {__LINE__, WRITE, XSC2_PMNC, 0x00000001},
        {__LINE__, COUNT, INSTRUCTIONS, 1},
        {__LINE__, REQUEST, 0, 1},
        {__LINE__, READ, XSC2_FLAG, 0x0000000a},
        /* PMN2: event 0xFF, its interrupt off, its flag cleared */
        {__LINE__, READ, XSC2_INTEN, 0x0000001f},
        {__LINE__, READ, XSC2_EVTSEL, 0x05070b07},
        {__LINE__, WRITE, XSC2_EVTSEL, 0x05ff0b07},
        {__LINE__, WRITE, XSC2_INTEN, 0x00000017},
        {__LINE__, WRITE, XSC2_FLAG, 0x00000008},
        {__LINE__, READ, XSC2_FLAG, 0x00000002},
        {__LINE__, REQUEST, 0, 1},
        {__LINE__, COUNT, INSTRUCTIONS, 9},
        {__LINE__, COUNT, BRANCHES, 3},
        {__LINE__, READ, XSC2_PMN0, 9},
        {__LINE__, READ, XSC2_PMN2, 0},
        {__LINE__, READ, XSC2_PMN3, 3},
        {__LINE__, WRITE, XSC2_FLAG, 0x00000002},
        {__LINE__, REQUEST, 0, 0},
    };
    REPLAY(start(2), steps);
}

/* Both generations' drivers put 2^32 - period into a counter: it asks exactly every period. */
TEST(a_sampling_period_comes_round_exactly)
{
    for (unsigned generation = 1; generation <= 2; generation++) {
        struct bench *const bench = start(generation);
        choose(bench, 0, 0x07);
        enable_interrupts(bench, 2);
        control(bench, 1);
        set(bench, pmn(bench, 0), 0u - 100);
        for (unsigned i = 1; i <= 1000; i++) {
            post(bench, INSTRUCTIONS, 1);
            if (requested(bench) != (i % 100 == 0))
                fail_msg("generation %u, instruction %u", generation, i);
            if (!requested(bench))
                continue;
            set(bench, pmn(bench, 0), 0u - 100);
            clear_flags(bench, 2);
        }
        assert_int_equal(bench->rises, 10);
        assert_int_equal(bench->falls, 10);
    }
}

/* The codes that drivers keep for the clock counter are no event of the hardware: 0xFE is reserved,
 * and 0x101 is event 1 for two counters. */
TEST(software_codes_are_not_events)
{
    static const struct step steps[] = {
        {__LINE__, WRITE, XSC2_EVTSEL, 0x000000fe},
        {__LINE__, WRITE, XSC2_PMNC, 0x00000001},
        {__LINE__, COUNT, CLOCKS, 64},
        {__LINE__, READ, XSC2_PMN0, 0},
        {__LINE__, READ, XSC2_CCNT, 64},
        {__LINE__, WRITE, XSC2_EVTSEL, 0x00000101},
        {__LINE__, READ, XSC2_EVTSEL, 0x00000101},
        {__LINE__, COUNT, CLOCKS, 64},
        {__LINE__, COUNT, ARMPMU_SIGNAL_FETCH_STALL, 5},
        {__LINE__, READ, XSC2_PMN0, 5},
        {__LINE__, READ, XSC2_PMN1, 5},
        {__LINE__, READ, XSC2_CCNT, 128},
    };
    REPLAY(start(2), steps);
}

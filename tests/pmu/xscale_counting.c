/* What makes the counters of both XScale performance monitors move, overflow and ask for an
 * interrupt. Expected values are written down by hand from the manual.
 *
 * Source: Intel 273473-002, Performance Monitoring, and its table of events. */
#include "../test.h"

#include <stdio.h>
#include <string.h>

#include "xscale_bench.h"

#define NONE ARMPMU_SIGNAL_COUNT

/* Table 8-12: what counts for an event number. */
static enum armpmu_signal signal_of(unsigned number)
{
    static const enum armpmu_signal low[] = {
        ARMPMU_SIGNAL_L1I_REFILL,
        ARMPMU_SIGNAL_FETCH_STALL,
        ARMPMU_SIGNAL_DATA_DEPENDENCY_STALL,
        ARMPMU_SIGNAL_ITLB_WALK,
        ARMPMU_SIGNAL_DTLB_WALK,
        ARMPMU_SIGNAL_DIRECT_BRANCH,
        ARMPMU_SIGNAL_DIRECT_BRANCH_MISPREDICT,
        ARMPMU_SIGNAL_INST_RETIRED,
        ARMPMU_SIGNAL_DATA_BUFFER_STALL,
        ARMPMU_SIGNAL_DATA_BUFFER_STALL_RUN,
        ARMPMU_SIGNAL_L1D_WORD_ACCESS,
        ARMPMU_SIGNAL_L1D_WORD_MISS,
        ARMPMU_SIGNAL_L1D_HALF_LINE_WRITE_BACK,
        ARMPMU_SIGNAL_PC_WRITE,
        NONE,
        NONE,
        ARMPMU_SIGNAL_PRODUCT_INPUT0,
        ARMPMU_SIGNAL_PRODUCT_INPUT1,
        ARMPMU_SIGNAL_PRODUCT_INPUT2,
        ARMPMU_SIGNAL_PRODUCT_INPUT3,
        ARMPMU_SIGNAL_PRODUCT_INPUT4,
        ARMPMU_SIGNAL_PRODUCT_INPUT5,
        ARMPMU_SIGNAL_PRODUCT_INPUT6,
        ARMPMU_SIGNAL_PRODUCT_INPUT7,
    };
    return number < sizeof low / sizeof low[0] ? low[number] : NONE;
}

/* proves: 0xFF an event counter that is switched off stands still */
/* Every counter, every event number, every signal: 0x0E, 0x0F, 0x18 to 0xFE are reserved and 0xFF
 * switches the counter off. */
TEST(each_counter_counts_the_event_it_selects)
{
    for (unsigned generation = 1; generation <= 2; generation++)
        for (unsigned number = 0; number <= 0xff; number++) {
            struct bench *const bench = start(generation);
            control(bench, 1);
            for (unsigned n = 0; n < counters(bench); n++) {
                set(bench, pmn(bench, n), 1000);
                choose(bench, n, number);
            }
            for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
                post(bench, (enum armpmu_signal)signal, 1 + signal);
            const enum armpmu_signal counted = signal_of(number);
            const uint32_t expected = 1000 + (counted == NONE ? 0 : 1 + (unsigned)counted);
            for (unsigned n = 0; n < counters(bench); n++)
                if (get(bench, pmn(bench, n)) != expected)
                    fail_msg("generation %u, event 0x%02x, PMN%u: %u", generation, number, n,
                             get(bench, pmn(bench, n)));
            assert_int_equal(get(bench, ccnt(bench)), 1 + ARMPMU_SIGNAL_CPU_CYCLES);
            assert_int_equal(flags(bench), 0);
        }
}

/* 0x10 to 0x17: a rising edge of its input is one event, and no other input's is. */
/* proves: 0x10 each rising edge of its pin counts, a level and other pins do not */
/* proves: 0x11 each rising edge of its pin counts, a level and other pins do not */
/* proves: 0x12 each rising edge of its pin counts, a level and other pins do not */
/* proves: 0x13 each rising edge of its pin counts, a level and other pins do not */
/* proves: 0x14 each rising edge of its pin counts, a level and other pins do not */
/* proves: 0x15 each rising edge of its pin counts, a level and other pins do not */
/* proves: 0x16 each rising edge of its pin counts, a level and other pins do not */
/* proves: 0x17 each rising edge of its pin counts, a level and other pins do not */
TEST(product_inputs_count_their_rising_edges)
{
    static const enum armpmu_pin pins[] = {
        ARMPMU_PIN_PRODUCT0, ARMPMU_PIN_PRODUCT1, ARMPMU_PIN_PRODUCT2, ARMPMU_PIN_PRODUCT3,
        ARMPMU_PIN_PRODUCT4, ARMPMU_PIN_PRODUCT5, ARMPMU_PIN_PRODUCT6, ARMPMU_PIN_PRODUCT7,
    };

    for (unsigned generation = 1; generation <= 2; generation++)
        for (unsigned event = 0; event < 8; event++) {
            struct bench *const bench = start(generation);
            choose(bench, 0, 0x10 + event);
            control(bench, 1);
            for (unsigned i = 0; i < 8; i++)
                for (unsigned edge = 0; edge <= i; edge++) {
                    pin(bench, pins[i], 1);
                    pin(bench, pins[i], 1); /* stays high: no edge */
                    pin(bench, pins[i], 0);
                }
            assert_int_equal(get(bench, pmn(bench, 0)), event + 1);
            pin(bench, ARMPMU_PIN_PMUEXTIN0, 1); /* another core's */
            pin(bench, ARMPMU_PIN_ETMEXTOUT1, 1);
            assert_int_equal(get(bench, pmn(bench, 0)), event + 1);
        }
}

TEST(counters_select_apart_from_each_other)
{
    for (unsigned generation = 1; generation <= 2; generation++) {
        static const unsigned numbers[] = {0x0a, 0x0b, 0x10, 0x17};
        struct bench *const bench = start(generation);
        control(bench, 1);
        for (unsigned n = 0; n < counters(bench); n++)
            choose(bench, n, numbers[n]);
        post(bench, ARMPMU_SIGNAL_L1D_WORD_ACCESS, 9);
        post(bench, ARMPMU_SIGNAL_L1D_WORD_MISS, 4);
        post(bench, ARMPMU_SIGNAL_PRODUCT_INPUT0, 3);
        post(bench, ARMPMU_SIGNAL_PRODUCT_INPUT7, 2);
        static const uint32_t counts[] = {9, 4, 3, 2};
        for (unsigned n = 0; n < counters(bench); n++)
            assert_int_equal(get(bench, pmn(bench, n)), counts[n]);
    }
}

TEST(e_runs_and_stops_all_counters_at_once)
{
    for (unsigned generation = 1; generation <= 2; generation++) {
        struct bench *const bench = start(generation);
        for (unsigned n = 0; n < counters(bench); n++)
            choose(bench, n, 0x07);
        static const struct {
            uint32_t e, count;
        } steps[] = {{0, 0}, {1, 10}, {0, 10}, {1, 20}};
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
            control(bench, steps[i].e);
            clocks(bench, 10);
            post(bench, ARMPMU_SIGNAL_INST_RETIRED, 10);
            assert_int_equal(get(bench, ccnt(bench)), steps[i].count);
            for (unsigned n = 0; n < counters(bench); n++)
                assert_int_equal(get(bench, pmn(bench, n)), steps[i].count);
        }
    }
}

/* No mode is left out, the debug pins have no part in it; idle stops the clock. */
TEST(only_idle_stops_a_running_counter)
{
    static const struct {
        int line;
        enum armpmu_pin pin;
        uint64_t value;
        bool counts;
    } cases[] = {
        {__LINE__, ARMPMU_PIN_USER_MODE, 1, true}, {__LINE__, ARMPMU_PIN_DEBUG_HALTED, 1, true},
        {__LINE__, ARMPMU_PIN_DBGEN, 0, true},     {__LINE__, ARMPMU_PIN_NIDEN, 0, true},
        {__LINE__, ARMPMU_PIN_NONSECURE, 1, true}, {__LINE__, ARMPMU_PIN_STANDBY, 1, false},
    };

    for (unsigned generation = 1; generation <= 2; generation++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            struct bench *const bench = start(generation);
            control(bench, 1);
            choose(bench, 0, 0x07);
            const uint64_t before = armpmu_pin(bench->pmu, cases[i].pin);
            clocks(bench, 3);
            pin(bench, cases[i].pin, cases[i].value);
            clocks(bench, 5);
            post(bench, ARMPMU_SIGNAL_INST_RETIRED, 5);
            pin(bench, cases[i].pin, before);
            if (get(bench, ccnt(bench)) != (cases[i].counts ? 8 : 3) ||
                get(bench, pmn(bench, 0)) != (cases[i].counts ? 5 : 0))
                fail_msg("line %d: generation %u", cases[i].line, generation);
        }
}

TEST(idle_keeps_the_request)
{
    for (unsigned generation = 1; generation <= 2; generation++) {
        struct bench *const bench = start(generation);
        enable_interrupts(bench, 1);
        control(bench, 1);
        set(bench, ccnt(bench), 0xffffffff);
        clocks(bench, 1);
        assert_true(requested(bench));
        pin(bench, ARMPMU_PIN_STANDBY, 1);
        assert_true(requested(bench));
        assert_int_equal(flags(bench), 1);
        clear_flags(bench, 1);
        assert_false(requested(bench));
    }
}

static void reset_counter(struct bench *bench, unsigned index, uint32_t count)
{
    set(bench, index == 0 ? ccnt(bench) : pmn(bench, index - 1), count);
}

static void step(struct bench *bench, unsigned index, uint32_t n)
{
    post(bench, index == 0 ? ARMPMU_SIGNAL_CPU_CYCLES : ARMPMU_SIGNAL_INST_RETIRED, n);
}

static uint32_t count(struct bench *bench, unsigned index)
{
    return get(bench, index == 0 ? ccnt(bench) : pmn(bench, index - 1));
}

/* A running device in which only one event counter counts instructions. */
static struct bench *start_one(unsigned generation, unsigned index)
{
    struct bench *const bench = start(generation);

    for (unsigned n = 0; n < counters(bench); n++)
        choose(bench, n, n + 1 == index ? 0x07 : 0xff);
    control(bench, 1);
    return bench;
}

/* 32 bits; the wrap to zero sets the counter's own flag, on that very increment. */
TEST(the_flag_comes_with_the_increment_that_wraps)
{
    static const struct {
        int line;
        uint32_t from, n, count;
        bool flag;
    } cases[] = {
        {__LINE__, 0xfffffff0, 15, 0xffffffff, false},
        {__LINE__, 0xfffffff0, 16, 0, true},
        {__LINE__, 0xfffffff0, 17, 1, true},
        {__LINE__, 0xffffffff, 1, 0, true},
        {__LINE__, 0, 0xffffffff, 0xffffffff, false},
        {__LINE__, 1, 0xffffffff, 0, true},
        {__LINE__, 0xffffffff, 0xffffffff, 0xfffffffe, true},
        {__LINE__, 0x7fffffff, 1, 0x80000000, false},
    };

    for (unsigned generation = 1; generation <= 2; generation++)
        for (unsigned index = 0; index <= (generation == 1 ? 2 : 4); index++)
            for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
                struct bench *const bench = start_one(generation, index);
                reset_counter(bench, index, cases[i].from);
                step(bench, index, cases[i].n);
                if (count(bench, index) != cases[i].count ||
                    flags(bench) != (cases[i].flag ? 1u << index : 0) ||
                    bench->overflows != cases[i].flag)
                    fail_msg("line %d: generation %u, counter %u", cases[i].line, generation,
                             index);
            }
}

TEST(one_by_one_the_flag_comes_at_the_same_place)
{
    for (unsigned generation = 1; generation <= 2; generation++)
        for (unsigned index = 0; index <= (generation == 1 ? 2 : 4); index++) {
            struct bench *const bench = start_one(generation, index);
            enable_interrupts(bench, 1u << index);
            reset_counter(bench, index, 0xfffffffa);
            for (unsigned i = 1; i <= 9; i++) {
                step(bench, index, 1);
                assert_int_equal(requested(bench), i >= 6);
                assert_int_equal(bench->overflows, i >= 6);
            }
            assert_int_equal(count(bench, index), 3);
            assert_int_equal(flags(bench), 1u << index);
        }
}

/* A level: the OR of flag and enable, wherever they come from and in whatever order. */
TEST(the_request_is_a_level_of_flag_and_enable)
{
    for (unsigned generation = 1; generation <= 2; generation++)
        for (unsigned index = 0; index <= (generation == 1 ? 2 : 4); index++) {
            struct bench *const bench = start_one(generation, index);
            const uint32_t own = 1u << index, all = generation == 1 ? 7 : 0x1f;

            reset_counter(bench, index, 0xffffffff);
            enable_interrupts(bench, all & ~own);
            step(bench, index, 1);
            assert_int_equal(flags(bench), own); /* set without an enable */
            assert_false(requested(bench));
            enable_interrupts(bench, own); /* later: the request rises at once */
            assert_true(requested(bench));
            clear_flags(bench, all & ~own);
            assert_true(requested(bench));
            control(bench, 0); /* E has no part in it */
            assert_true(requested(bench));
            enable_interrupts(bench, 0);
            assert_false(requested(bench));
            enable_interrupts(bench, all);
            assert_true(requested(bench));
            clear_flags(bench, own);
            assert_false(requested(bench));
            assert_int_equal(bench->rises, 2);
            assert_int_equal(bench->falls, 2);
        }
}

TEST(the_request_stays_until_the_last_flag_is_cleared)
{
    for (unsigned generation = 1; generation <= 2; generation++) {
        struct bench *const bench = start(generation);
        const unsigned last = counters(bench);
        enable_interrupts(bench, generation == 1 ? 7 : 0x1f);
        control(bench, 1);
        for (unsigned index = 0; index <= last; index++)
            reset_counter(bench, index, 0xffffffff);
        for (unsigned n = 0; n < last; n++)
            choose(bench, n, 0x07);
        clocks(bench, 1);
        post(bench, ARMPMU_SIGNAL_INST_RETIRED, 1);
        for (unsigned index = 0; index <= last; index++) {
            assert_true(requested(bench));
            clear_flags(bench, 1u << index);
        }
        assert_false(requested(bench));
        assert_int_equal(bench->rises, 1);
        assert_int_equal(bench->falls, 1);
    }
}

/* An overflow behind the clearing write is a new one: it is not lost. */
TEST(an_overflow_after_the_clearing_write_stays)
{
    for (unsigned generation = 1; generation <= 2; generation++) {
        struct bench *const bench = start(generation);
        enable_interrupts(bench, 1);
        control(bench, 1);
        set(bench, ccnt(bench), 0xffffffff);
        clocks(bench, 1);
        set(bench, ccnt(bench), 0xffffffff);
        clear_flags(bench, 1);
        assert_int_equal(flags(bench), 0);
        clocks(bench, 1);
        assert_int_equal(flags(bench), 1);
        assert_true(requested(bench));
        assert_int_equal(bench->rises, 2);
    }
}

TEST(an_overflow_with_the_flag_set_leaves_it_set)
{
    for (unsigned generation = 1; generation <= 2; generation++) {
        struct bench *const bench = start(generation);
        control(bench, 1);
        for (unsigned i = 0; i < 3; i++) {
            set(bench, ccnt(bench), 0xffffffff);
            clocks(bench, 1);
            assert_int_equal(flags(bench), 1);
        }
        assert_int_equal(bench->overflows, 3);
    }
}

/* Steps of a program for the divided clock counter. */
enum act { CLOCKS, SET_PMNC, SET_CCNT, SET_PMN0, IDLE };
struct divider_step {
    int line;
    enum act act;
    uint32_t value, ccnt;
};

static void run_divider(unsigned generation, const struct divider_step *steps, size_t n)
{
    struct bench *const bench = start(generation);

    for (size_t i = 0; i < n; i++) {
        switch (steps[i].act) {
        case CLOCKS:
            clocks(bench, steps[i].value);
            break;
        case SET_PMNC:
            set(bench, pmnc(bench), steps[i].value);
            break;
        case SET_CCNT:
            set(bench, ccnt(bench), steps[i].value);
            break;
        case SET_PMN0:
            set(bench, pmn(bench, 0), steps[i].value);
            break;
        case IDLE:
            pin(bench, ARMPMU_PIN_STANDBY, steps[i].value);
            break;
        }
        if (get(bench, ccnt(bench)) != steps[i].ccnt)
            fail_msg("line %d: generation %u: %u", steps[i].line, generation,
                     get(bench, ccnt(bench)));
    }
}

/* PMNC: E is 1, P 2, C 4, D 8. */
TEST(the_divider_counts_every_64th_clock)
{
    static const struct divider_step steps[] = {
        {__LINE__, SET_PMNC, 0x9, 0},
        {__LINE__, CLOCKS, 63, 0},
        {__LINE__, CLOCKS, 1, 1},
        {__LINE__, CLOCKS, 64, 2},
        {__LINE__, CLOCKS, 640, 12},
        /* off and on: it begins anew */
        {__LINE__, CLOCKS, 63, 12},
        {__LINE__, SET_PMNC, 0x1, 12},
        {__LINE__, CLOCKS, 5, 17},
        {__LINE__, SET_PMNC, 0x9, 17},
        {__LINE__, CLOCKS, 63, 17},
        {__LINE__, CLOCKS, 1, 18},
        /* D written as one while it is one: no change */
        {__LINE__, CLOCKS, 60, 18},
        {__LINE__, SET_PMNC, 0x9, 18},
        {__LINE__, CLOCKS, 4, 19},
        /* stopped by E: it waits */
        {__LINE__, CLOCKS, 60, 19},
        {__LINE__, SET_PMNC, 0x8, 19},
        {__LINE__, CLOCKS, 1000, 19},
        {__LINE__, SET_PMNC, 0x9, 19},
        {__LINE__, CLOCKS, 3, 19},
        {__LINE__, CLOCKS, 1, 20},
        /* stopped by idle: the same */
        {__LINE__, CLOCKS, 62, 20},
        {__LINE__, IDLE, 1, 20},
        {__LINE__, CLOCKS, 1000, 20},
        {__LINE__, IDLE, 0, 20},
        {__LINE__, CLOCKS, 1, 20},
        {__LINE__, CLOCKS, 1, 21},
        /* C zeroes the clocks that wait, too */
        {__LINE__, CLOCKS, 60, 21},
        {__LINE__, SET_PMNC, 0xd, 0},
        {__LINE__, CLOCKS, 63, 0},
        {__LINE__, CLOCKS, 1, 1},
        /* so does a write to CCNT, of whatever value */
        {__LINE__, CLOCKS, 60, 1},
        {__LINE__, SET_CCNT, 1, 1},
        {__LINE__, CLOCKS, 63, 1},
        {__LINE__, CLOCKS, 1, 2},
        /* P does not, nor a write to an event counter */
        {__LINE__, CLOCKS, 60, 2},
        {__LINE__, SET_PMNC, 0xb, 2},
        {__LINE__, SET_PMN0, 5, 2},
        {__LINE__, CLOCKS, 4, 3},
        /* C and the step to D in one write, while stopped */
        {__LINE__, CLOCKS, 30, 3},
        {__LINE__, SET_PMNC, 0x4, 0},
        {__LINE__, SET_PMNC, 0x8, 0},
        {__LINE__, SET_PMNC, 0x9, 0},
        {__LINE__, CLOCKS, 64, 1},
    };

    for (unsigned generation = 1; generation <= 2; generation++)
        run_divider(generation, steps, sizeof steps / sizeof steps[0]);
}

TEST(the_divider_stretches_the_wrap_to_the_64th_clock)
{
    for (unsigned generation = 1; generation <= 2; generation++) {
        struct bench *const bench = start(generation);
        enable_interrupts(bench, 1);
        control(bench, 9);
        set(bench, ccnt(bench), 0xfffffffe);
        clocks(bench, 127);
        assert_int_equal(get(bench, ccnt(bench)), 0xffffffff);
        assert_false(requested(bench));
        clocks(bench, 1);
        assert_true(requested(bench));
        assert_int_equal(get(bench, ccnt(bench)), 0);
        /* 2^38 clocks from zero to zero; two are left behind these posts */
        clear_flags(bench, 1);
        control(bench, 0xd);
        for (unsigned i = 0; i < 63; i++)
            clocks(bench, 0xffffffff);
        clocks(bench, 0xffffffff - 1);
        clocks(bench, 63);
        assert_int_equal(get(bench, ccnt(bench)), 0xffffffff);
        clocks(bench, 1);
        assert_false(requested(bench));
        clocks(bench, 1);
        assert_int_equal(get(bench, ccnt(bench)), 0);
        assert_true(requested(bench));
    }
}

TEST(the_divider_is_of_ccnt_alone)
{
    for (unsigned generation = 1; generation <= 2; generation++) {
        struct bench *const bench = start(generation);
        for (unsigned n = 0; n < counters(bench); n++)
            choose(bench, n, 0x01);
        control(bench, 9);
        clocks(bench, 64);
        post(bench, ARMPMU_SIGNAL_FETCH_STALL, 64);
        assert_int_equal(get(bench, ccnt(bench)), 1);
        for (unsigned n = 0; n < counters(bench); n++)
            assert_int_equal(get(bench, pmn(bench, n)), 64);
    }
}

/* Event 0xFF and reserved numbers hold the value, whatever happens around them. */
TEST(a_counter_without_an_event_holds_its_value)
{
    static const unsigned numbers[] = {0xff, 0x0e, 0x0f, 0x18, 0x20, 0x7f, 0x80, 0xfe};

    for (unsigned generation = 1; generation <= 2; generation++)
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            struct bench *const bench = start_one(generation, 1);
            set(bench, pmn(bench, 0), 0xfffffffe);
            post(bench, ARMPMU_SIGNAL_INST_RETIRED, 1);
            choose(bench, 0, numbers[i]);
            post(bench, ARMPMU_SIGNAL_INST_RETIRED, 100);
            clocks(bench, 100);
            assert_int_equal(get(bench, pmn(bench, 0)), 0xffffffff);
            assert_int_equal(flags(bench), 0);
            choose(bench, 0, 0x07); /* and goes on from there */
            post(bench, ARMPMU_SIGNAL_INST_RETIRED, 1);
            assert_int_equal(get(bench, pmn(bench, 0)), 0);
            assert_int_equal(flags(bench), 2);
        }
}

/* What the manual forbids or says nothing about: it acts at once. */
TEST(writes_to_a_running_unit_act_at_once)
{
    for (unsigned generation = 1; generation <= 2; generation++) {
        struct bench *const bench = start_one(generation, 1);
        post(bench, ARMPMU_SIGNAL_INST_RETIRED, 3);
        choose(bench, 0, 0x0b);
        post(bench, ARMPMU_SIGNAL_INST_RETIRED, 50);
        post(bench, ARMPMU_SIGNAL_L1D_WORD_MISS, 2);
        assert_int_equal(get(bench, pmn(bench, 0)), 5);
        set(bench, pmn(bench, 0), 0xfffffff0); /* a preload, while it counts */
        post(bench, ARMPMU_SIGNAL_L1D_WORD_MISS, 15);
        assert_int_equal(flags(bench), 0);
        post(bench, ARMPMU_SIGNAL_L1D_WORD_MISS, 1);
        assert_int_equal(flags(bench), 2);
        clocks(bench, 7);
        control(bench, 0x5); /* C with E */
        clocks(bench, 2);
        assert_int_equal(get(bench, ccnt(bench)), 2);
        control(bench, 0x6); /* P and C with E taken away in the same write: zeroed, then stopped */
        clocks(bench, 2);
        assert_int_equal(get(bench, ccnt(bench)), 0);
        assert_int_equal(get(bench, pmn(bench, 0)), 0);
        assert_int_equal(flags(bench), 2);
    }
}

/* 80200 A steppings: a new overflow clears the flags that were set before. */
TEST(with_the_erratum_a_new_overflow_clears_older_flags)
{
    for (unsigned generation = 1; generation <= 2; generation++)
        for (unsigned erratum = 0; erratum < 2; erratum++) {
            struct bench *const bench =
                erratum ? start_with_erratum(generation) : start(generation);
            enable_interrupts(bench, 1);
            control(bench, 1);
            choose(bench, 0, 0x07);
            choose(bench, 1, 0x0b);
            set(bench, ccnt(bench), 0xffffffff);
            set(bench, pmn(bench, 0), 0xffffffff);
            set(bench, pmn(bench, 1), 0xffffffff);
            clocks(bench, 1);
            assert_int_equal(flags(bench), 1);
            assert_true(requested(bench));
            post(bench, ARMPMU_SIGNAL_INST_RETIRED, 1);
            assert_int_equal(flags(bench), erratum ? 2 : 3);
            assert_int_equal(requested(bench), !erratum); /* the interrupt is lost with the flag */
            post(bench, ARMPMU_SIGNAL_L1D_WORD_MISS, 1);
            assert_int_equal(flags(bench), erratum ? 4 : 7);
            assert_int_equal(get(bench, ccnt(bench)), 0);
            /* its own flag, overflowing again, is the new one */
            set(bench, pmn(bench, 1), 0xffffffff);
            post(bench, ARMPMU_SIGNAL_L1D_WORD_MISS, 1);
            assert_int_equal(flags(bench), erratum ? 4 : 7);
        }
}

/* Two counters of one event: at the same increment both flags are new, else the later one is. */
TEST(with_the_erratum_overflows_at_once_keep_each_other)
{
    static const struct {
        int line;
        uint32_t from0, from1, n, flags;
    } cases[] = {
        {__LINE__, 0xfffffffe, 0xfffffffe, 2, 6}, {__LINE__, 0xfffffffe, 0xfffffffe, 9, 6},
        {__LINE__, 0xfffffffe, 0xfffffffd, 2, 2}, {__LINE__, 0xfffffffe, 0xfffffffd, 3, 4},
        {__LINE__, 0xfffffffe, 0xfffffffd, 9, 4}, {__LINE__, 0xfffffff0, 0xfffffffd, 99, 2},
    };

    for (unsigned generation = 1; generation <= 2; generation++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
            for (unsigned single = 0; single < 2; single++) {
                struct bench *const bench = start_with_erratum(generation);
                control(bench, 1);
                for (unsigned n = 0; n < counters(bench); n++)
                    choose(bench, n, n < 2 ? 0x07 : 0xff);
                set(bench, pmn(bench, 0), cases[i].from0);
                set(bench, pmn(bench, 1), cases[i].from1);
                for (unsigned j = 0; j < (single ? cases[i].n : 1); j++)
                    post(bench, ARMPMU_SIGNAL_INST_RETIRED, single ? 1 : cases[i].n);
                if (flags(bench) != cases[i].flags)
                    fail_msg("line %d: 0x%x", cases[i].line, flags(bench));
            }
}

static uint32_t flags_of_two_overflows(const char *core)
{
    static union armpmu_memory memory;
    const struct armpmu_config config = {.core = core, .flag_erratum = true};
    struct armpmu *pmu = NULL;
    struct armpmu_error error;
    uint32_t flags_read = 0;

    assert_int_equal(armpmu_create(&memory, sizeof memory, &config, &pmu, &error), ARMPMU_OK);
    assert_int_equal(armpmu_mcr(pmu, 15, 0, 9, 12, 1, 0x80000001), ARMPMU_DONE);
    assert_int_equal(armpmu_mcr(pmu, 15, 0, 9, 12, 0, 1), ARMPMU_DONE);
    assert_int_equal(armpmu_mcr(pmu, 15, 0, 9, 13, 1, 0x08), ARMPMU_DONE);
    assert_int_equal(armpmu_mcr(pmu, 15, 0, 9, 13, 0, 0xffffffff), ARMPMU_DONE);
    assert_int_equal(armpmu_mcr(pmu, 15, 0, 9, 13, 2, 0xffffffff), ARMPMU_DONE);
    armpmu_post(pmu, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 1);
    assert_int_equal(armpmu_mrc(pmu, 15, 0, 9, 12, 3, &flags_read), ARMPMU_DONE);
    return flags_read;
}

TEST(other_cores_do_not_have_the_erratum)
{
    assert_int_equal(flags_of_two_overflows("cortex-a8"), 0x80000001);
    assert_int_equal(flags_of_two_overflows("cortex-r4f"), 0x80000001);
}

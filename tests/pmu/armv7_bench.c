#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "armv7_bench.h"

static void note_output(void *user, enum armpmu_output output, bool asserted)
{
    struct bench *const bench = user;

    assert_true(output == ARMPMU_OUTPUT_PMUIRQ || armv7_core.has_validation);
    assert_int_equal(armpmu_output(bench->pmu, output), asserted);
    asserted ? bench->rises[output]++ : bench->falls[output]++;
}

static void note_overflow(void *user, const struct armpmu_counter *counter)
{
    struct bench *const bench = user;

    assert_non_null(counter);
    bench->overflows++;
}

static void note_bus(void *user, uint64_t bits)
{
    struct bench *const bench = user;

    assert_true(bits != 0);
    assert_true(bench->n_clocks < CLOCKS_MAX);
    bench->clocks[bench->n_clocks++] = bits;
}

static struct bench the_bench;

uint32_t all_counters(void)
{
    return 0x80000000 | ((1u << armv7_core.n_counters) - 1);
}

struct bench *start(void)
{
    const struct armpmu_config config = {.core = armv7_core.name,
                                         .output = note_output,
                                         .overflow = note_overflow,
                                         .event_bus = armv7_core.has_validation ? note_bus : NULL,
                                         .user = &the_bench};
    struct armpmu_error error;
    union armpmu_memory *const memory = &the_bench.memory;

    memset(&the_bench, 0, sizeof the_bench);
    memset(memory, 0xa5, sizeof *memory);
    assert_int_equal(armpmu_create(memory, sizeof *memory, &config, &the_bench.pmu, &error),
                     ARMPMU_OK);
    return &the_bench;
}

enum armpmu_outcome read_outcome(struct bench *bench, enum place at, uint32_t *value)
{
    return armpmu_mrc(bench->pmu, 15, 0, (unsigned)at >> 8, at >> 4 & 15, at & 7, value);
}

enum armpmu_outcome write_outcome(struct bench *bench, enum place at, uint32_t value)
{
    return armpmu_mcr(bench->pmu, 15, 0, (unsigned)at >> 8, at >> 4 & 15, at & 7, value);
}

uint32_t get(struct bench *bench, enum place at)
{
    uint32_t value = 0xdeadbeef;

    assert_int_equal(read_outcome(bench, at, &value), ARMPMU_DONE);
    return value;
}

void set(struct bench *bench, enum place at, uint32_t value)
{
    assert_int_equal(write_outcome(bench, at, value), ARMPMU_DONE);
}

void post(struct bench *bench, enum armpmu_signal signal, uint32_t n)
{
    armpmu_post(bench->pmu, signal, n);
}

void pin(struct bench *bench, enum armpmu_pin name, uint64_t value)
{
    armpmu_set_pin(bench->pmu, name, value);
}

bool asserted(const struct bench *bench, enum armpmu_output output)
{
    return armpmu_output(bench->pmu, output);
}

void program(struct bench *bench, unsigned n, uint32_t event, uint32_t from)
{
    set(bench, PMNXSEL, n);
    set(bench, EVTSEL, event);
    set(bench, PMC, from);
    set(bench, CNTENS, 1u << n);
}

uint32_t count(struct bench *bench, unsigned n)
{
    set(bench, PMNXSEL, n);
    return get(bench, PMC);
}

uint64_t clock_tick(struct bench *bench)
{
    const unsigned before = bench->n_clocks;

    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    assert_true(bench->n_clocks <= before + 1);
    return bench->n_clocks > before ? bench->clocks[before] : 0;
}

/* ---- tests ---- */

/* PMNC.E, the enable bit, and the enables of the other counters. */
void a_counter_moves_when_e_and_its_enable_are_one(void **state)
{
    (void)state;
    const unsigned n_counters = armv7_core.n_counters;
    for (unsigned e = 0; e < 2; e++)
        for (unsigned enables = 0; enables < 2u << n_counters; enables++) {
            struct bench *const bench = start();
            const uint32_t enabled =
                (enables >> n_counters) << 31 | (enables & ((1u << n_counters) - 1));
            for (unsigned n = 0; n < n_counters; n++)
                program(bench, n, 0x08, 0);
            set(bench, CNTENC, 0xffffffff);
            set(bench, CNTENS, enabled);
            set(bench, PMNC, e);
            post(bench, ARMPMU_SIGNAL_INST_RETIRED, 7);
            post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 5);
            for (unsigned n = 0; n < n_counters; n++)
                assert_int_equal(count(bench, n), e && (enables >> n & 1) ? 7 : 0);
            assert_int_equal(get(bench, CCNT), e && enables >> n_counters ? 5 : 0);
            assert_int_equal(get(bench, CNTENS), enabled);
        }
}

void nothing_counts_while_halted_or_asleep(void **state)
{
    (void)state;
    static const enum armpmu_pin pins[] = {ARMPMU_PIN_DEBUG_HALTED, ARMPMU_PIN_STANDBY};

    for (size_t i = 0; i < 2; i++) {
        struct bench *const bench = start();
        program(bench, 0, 0x08, 0);
        program(bench, 1, 0x00, 0);
        set(bench, CNTENS, 0x80000000);
        set(bench, PMNC, 1);
        pin(bench, pins[i], 1);
        post(bench, ARMPMU_SIGNAL_INST_RETIRED, 3);
        post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 2);
        set(bench, SWINCR, 2);
        assert_int_equal(get(bench, CCNT), 0);
        assert_int_equal(count(bench, 0), 0);
        assert_int_equal(count(bench, 1), 0);
        pin(bench, pins[i], 0);
        post(bench, ARMPMU_SIGNAL_INST_RETIRED, 3);
        post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 2);
        assert_int_equal(count(bench, 0), 3);
        assert_int_equal(get(bench, CCNT), 2);
    }
}

void p_and_c_zero_their_counters_and_nothing_else(void **state)
{
    (void)state;
    static const struct {
        int line;
        uint32_t written;
        bool events_zeroed, cycles_zeroed;
    } cases[] = {
        {__LINE__, 0x0, false, false}, {__LINE__, 0x2, true, false}, {__LINE__, 0x4, false, true},
        {__LINE__, 0x6, true, true},   {__LINE__, 0x3, true, false}, {__LINE__, 0x7, true, true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench *const bench = start();
        set(bench, PMNC, 1);
        set(bench, CNTENS, 0x80000000);
        set(bench, CCNT, 0xffffffff);
        post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 8); /* sets the flag, leaves 7 */
        for (unsigned n = 0; n < armv7_core.n_counters; n++)
            program(bench, n, 0x08, 100 + n);
        set(bench, INTENS, 0x1);
        if (armv7_core.has_validation)
            set(bench, VALFIQENS, 0x2);
        set(bench, PMNC, cases[i].written);
        for (unsigned n = 0; n < armv7_core.n_counters; n++)
            if (count(bench, n) != (cases[i].events_zeroed ? 0 : 100 + n))
                fail_msg("line %d: counter %u", cases[i].line, n);
        assert_int_equal(get(bench, CCNT), cases[i].cycles_zeroed ? 0 : 7);
        assert_int_equal(get(bench, FLAG), 0x80000000);
        assert_int_equal(get(bench, CNTENS), all_counters());
        assert_int_equal(get(bench, INTENS), 0x1);
        if (armv7_core.has_validation)
            assert_int_equal(get(bench, VALFIQENS), 0x2);
        assert_int_equal(get(bench, EVTSEL), 0x08);
        assert_int_equal(get(bench, PMNC), armv7_core.pmnc_reset | (cases[i].written & 1));
    }
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "cortex_r4f_bench.h"

static void note_output(void *user, enum armpmu_output output, bool asserted)
{
    struct bench *const bench = user;

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

struct bench *start(void)
{
    const struct armpmu_config config = {.core = "cortex-r4f",
                                         .output = note_output,
                                         .overflow = note_overflow,
                                         .event_bus = note_bus,
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

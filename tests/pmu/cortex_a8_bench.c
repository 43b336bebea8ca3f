#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "cortex_a8_bench.h"

static void note_output(void *user, enum armpmu_output output, bool asserted)
{
    struct bench *const bench = user;

    assert_int_equal(output, ARMPMU_OUTPUT_PMUIRQ);
    assert_int_equal(armpmu_output(bench->pmu, output), asserted);
    asserted ? bench->rises++ : bench->falls++;
}

static void note_overflow(void *user, const struct armpmu_counter *counter)
{
    struct bench *const bench = user;

    assert_non_null(counter);
    bench->overflows++;
}

static struct bench the_bench;

struct bench *start(void)
{
    const struct armpmu_config config = {
        .core = "cortex-a8", .output = note_output, .overflow = note_overflow, .user = &the_bench};
    struct armpmu_error error;

    memset(&the_bench, 0xa5, sizeof the_bench);
    the_bench.rises = the_bench.falls = the_bench.overflows = 0;
    assert_int_equal(
        armpmu_create(&the_bench.memory, sizeof the_bench.memory, &config, &the_bench.pmu, &error),
        ARMPMU_OK);
    return &the_bench;
}

enum armpmu_outcome read_outcome(struct bench *bench, enum place at, uint32_t *value)
{
    return armpmu_mrc(bench->pmu, 15, 0, 9, (unsigned)at >> 4, at & 7, value);
}

enum armpmu_outcome write_outcome(struct bench *bench, enum place at, uint32_t value)
{
    return armpmu_mcr(bench->pmu, 15, 0, 9, (unsigned)at >> 4, at & 7, value);
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

void program(struct bench *bench, unsigned n, uint32_t event, uint32_t from)
{
    set(bench, PMNXSEL, n);
    set(bench, EVTSEL, event);
    set(bench, PMCNT, from);
    set(bench, CNTENS, 1u << n);
}

uint32_t count(struct bench *bench, unsigned n)
{
    set(bench, PMNXSEL, n);
    return get(bench, PMCNT);
}

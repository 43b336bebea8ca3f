#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "xscale_bench.h"

static void note_output(void *user, enum armpmu_output output, bool asserted)
{
    struct bench *const bench = user;

    assert_int_equal(output, ARMPMU_OUTPUT_PMU_REQUEST);
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

static struct bench *start_as(unsigned generation, bool flag_erratum)
{
    const struct armpmu_config config = {.core = generation == 1 ? "xscale1" : "xscale2",
                                         .flag_erratum = flag_erratum,
                                         .output = note_output,
                                         .overflow = note_overflow,
                                         .user = &the_bench};
    struct armpmu_error error;

    memset(&the_bench, 0xa5, sizeof the_bench);
    the_bench.rises = the_bench.falls = the_bench.overflows = 0;
    the_bench.generation = generation;
    assert_int_equal(
        armpmu_create(&the_bench.memory, sizeof the_bench.memory, &config, &the_bench.pmu, &error),
        ARMPMU_OK);
    return &the_bench;
}

struct bench *start(unsigned generation)
{
    return start_as(generation, false);
}

struct bench *start_with_erratum(unsigned generation)
{
    return start_as(generation, true);
}

static unsigned bits(uint32_t instruction, unsigned msb, unsigned lsb)
{
    return instruction >> lsb & ((1u << (msb - lsb + 1)) - 1);
}

static enum armpmu_outcome access_at(struct bench *bench, struct armpmu_encoding at, bool read,
                                     uint32_t *value)
{
    uint64_t wide = *value;
    const enum armpmu_outcome outcome =
        read ? armpmu_read(bench->pmu, at, &wide) : armpmu_write(bench->pmu, at, wide);

    *value = (uint32_t)wide;
    return outcome;
}

enum armpmu_outcome execute(struct bench *bench, uint32_t instruction, uint32_t *value)
{
    struct armpmu_encoding at = {.coproc = (uint8_t)bits(instruction, 11, 8)};
    bool read = instruction & LOAD;

    assert_int_equal(bits(instruction, 31, 28), 14);
    if (bits(instruction, 27, 24) == 14 && bits(instruction, 4, 4)) {
        at.access = ARMPMU_ACCESS_MCR;
        at.op1 = (uint8_t)bits(instruction, 23, 21);
        at.crn = (uint8_t)bits(instruction, 19, 16);
        at.op2 = (uint8_t)bits(instruction, 7, 5);
        at.crm = (uint8_t)bits(instruction, 3, 0);
    } else if (bits(instruction, 27, 21) == 0x62) {
        at.access = ARMPMU_ACCESS_MCRR;
        at.op1 = (uint8_t)bits(instruction, 7, 4);
        at.crm = (uint8_t)bits(instruction, 3, 0);
    } else {
        assert_int_equal(bits(instruction, 27, 25), 6);
        at.access = ARMPMU_ACCESS_LDC;
        at.crn = (uint8_t)bits(instruction, 15, 12);
        read = !read; /* LDC loads the coprocessor's register from memory */
    }
    return access_at(bench, at, read, value);
}

uint32_t get(struct bench *bench, uint32_t at)
{
    uint32_t value = 0xdeadbeef;

    assert_int_equal(execute(bench, at | LOAD, &value), ARMPMU_DONE);
    return value;
}

void set(struct bench *bench, uint32_t at, uint32_t value)
{
    assert_int_equal(execute(bench, at, &value), ARMPMU_DONE);
}

void post(struct bench *bench, enum armpmu_signal signal, uint32_t n)
{
    armpmu_post(bench->pmu, signal, n);
}

void clocks(struct bench *bench, uint32_t n)
{
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, n);
}

void pin(struct bench *bench, enum armpmu_pin name, uint64_t value)
{
    armpmu_set_pin(bench->pmu, name, value);
}

bool requested(const struct bench *bench)
{
    return armpmu_output(bench->pmu, ARMPMU_OUTPUT_PMU_REQUEST);
}

unsigned counters(const struct bench *bench)
{
    return bench->generation == 1 ? 2 : 4;
}

uint32_t pmnc(const struct bench *bench)
{
    return bench->generation == 1 ? XSC1_PMNC : XSC2_PMNC;
}

uint32_t ccnt(const struct bench *bench)
{
    return bench->generation == 1 ? XSC1_CCNT : XSC2_CCNT;
}

uint32_t pmn(const struct bench *bench, unsigned n)
{
    return (bench->generation == 1 ? XSC1_PMN0 : XSC2_PMN0) + (n << 16);
}

void control(struct bench *bench, uint32_t written)
{
    const uint32_t kept = bench->generation == 1 ? 0x0ffff070 : 0;

    set(bench, pmnc(bench), (get(bench, pmnc(bench)) & kept) | written);
}

void choose(struct bench *bench, unsigned n, uint32_t event)
{
    const bool first = bench->generation == 1;
    const uint32_t at = first ? XSC1_PMNC : XSC2_EVTSEL;
    const unsigned lsb = first ? 12 + 8 * n : 8 * n;
    const uint32_t old = get(bench, at) & ~(first ? 0x700u : 0u);

    set(bench, at, (old & ~(0xffu << lsb)) | event << lsb);
}

/* XSC1 has the order PMN0, PMN1, CCNT. */
static uint32_t to_xsc1(uint32_t which)
{
    return which >> 1 | (which & 1) << 2;
}

uint32_t flags(struct bench *bench)
{
    if (bench->generation == 2)
        return get(bench, XSC2_FLAG);
    const uint32_t own = get(bench, XSC1_PMNC) >> 8 & 7;
    return (own << 1 & 6) | own >> 2;
}

void clear_flags(struct bench *bench, uint32_t which)
{
    if (bench->generation == 2)
        set(bench, XSC2_FLAG, which);
    else
        set(bench, XSC1_PMNC, (get(bench, XSC1_PMNC) & ~0x700u) | to_xsc1(which) << 8);
}

void enable_interrupts(struct bench *bench, uint32_t which)
{
    if (bench->generation == 2)
        set(bench, XSC2_INTEN, which);
    else
        set(bench, XSC1_PMNC, (get(bench, XSC1_PMNC) & ~0x770u) | to_xsc1(which) << 4);
}

/* PMUv3 where a list at random seldom comes: a stop on overflow within a post, across the ranges of
 * EL1 and EL2 too, and chains. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armpmu/pmu.h"

static union armpmu_memory memory;

static struct armpmu *make(uint8_t version)
{
    const struct armpmu_config config = {.core = "neoverse-n2", .pmuv3 = {.version = version}};
    struct armpmu *pmu = NULL;

    assert_int_equal(armpmu_create(&memory, sizeof memory, &config, &pmu, NULL), ARMPMU_OK);
    armpmu_set_pin(pmu, ARMPMU_PIN_NONSECURE, 1);
    armpmu_set_pin(pmu, ARMPMU_PIN_EL, 1);
    return pmu;
}

static const struct armpmu_register *named(const struct armpmu *pmu, const char *name)
{
    return armpmu_register_find(armpmu_core_of(pmu), name, NULL);
}

static void put(struct armpmu *pmu, const char *name, unsigned n, uint64_t value)
{
    armpmu_poke(pmu, named(pmu, name), n, value);
}

static uint64_t get(struct armpmu *pmu, const char *name, unsigned n)
{
    return armpmu_peek(pmu, named(pmu, name), n);
}

#define INST  0x08
#define CHAIN 0x1e

static void an_overflow_stops_its_range_within_a_post(void **state)
{
    struct armpmu *const pmu = make(7);

    (void)state;
    put(pmu, "PMEVTYPER<n>_EL0", 0, INST);
    put(pmu, "PMEVTYPER<n>_EL0", 1, INST);
    put(pmu, "PMEVCNTR<n>_EL0", 0, 0xfffffffe);
    put(pmu, "PMCNTENSET_EL0", 0, 3);
    put(pmu, "PMCR_EL0", 0, 1 << 9 | 1);
    armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 1000);
    assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 1), 2);
    assert_int_equal(get(pmu, "PMOVSSET_EL0", 0), 1);
}

/* Counters 1 and 2 are EL2's: counter 0 chains into 1, whose overflow stops 2, but not 0. */
static void a_chained_overflow_stops_the_other_range(void **state)
{
    struct armpmu *const pmu = make(7);

    (void)state;
    armpmu_set_pin(pmu, ARMPMU_PIN_MDCR_EL2, UINT64_C(1) << 29 | 1 << 7 | 1);
    put(pmu, "PMEVTYPER<n>_EL0", 0, INST);
    put(pmu, "PMEVTYPER<n>_EL0", 1, CHAIN);
    put(pmu, "PMEVTYPER<n>_EL0", 2, INST);
    put(pmu, "PMEVCNTR<n>_EL0", 0, 0xfffffff6);
    put(pmu, "PMEVCNTR<n>_EL0", 1, 0xffffffff);
    put(pmu, "PMCNTENSET_EL0", 0, 7);
    put(pmu, "PMCR_EL0", 0, 1);
    armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 25);
    assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 0), (0xfffffff6 + UINT64_C(25)));
    assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 2), 10);
    assert_int_equal(get(pmu, "PMOVSSET_EL0", 0), 3);
}

static void a_counter_has_32_bits_before_v3p5(void **state)
{
    struct armpmu *const pmu = make(4);

    (void)state;
    put(pmu, "PMEVTYPER<n>_EL0", 0, INST);
    put(pmu, "PMEVCNTR<n>_EL0", 0, 0xffffffff);
    put(pmu, "PMCNTENSET_EL0", 0, 1);
    put(pmu, "PMCR_EL0", 0, 1);
    armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 4);
    assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 0), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_overflow_stops_its_range_within_a_post),
        cmocka_unit_test(a_chained_overflow_stops_the_other_range),
        cmocka_unit_test(a_counter_has_32_bits_before_v3p5),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

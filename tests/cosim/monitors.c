/* Two monitors of a processor: which one an access reaches, and what both are told. */
#include "../test.h"
#include "cosim/monitors.h"

static struct monitors monitors;
static struct monitor_cores cores;

/* MSR and MRS of registers, op0 3. */
#define AT(o1, n, m, o2)                                                                           \
    {                                                                                              \
        .access = ARMPMU_ACCESS_MSR, .coproc = 3, .op1 = (o1), .crn = (n), .crm = (m), .op2 = (o2) \
    }

static const struct armpmu_encoding pmcr = AT(3, 9, 12, 0), pmcntenset = AT(3, 9, 12, 1),
                                    pmevcntr0 = AT(3, 14, 8, 0), pmevtyper0 = AT(3, 14, 12, 0),
                                    amcntenset0 = AT(3, 13, 2, 5), amevcntr02 = AT(3, 13, 4, 2);

static int begin(void **state)
{
    const struct armpmu_config config = {0};

    (void)state;
    cores = monitor_cores_of(armpmu_core_find("neoverse-n2"), "amuv1");
    return monitors_create(&monitors, &cores, &config, NULL) == ARMPMU_OK ? 0 : 1;
}

static void set(struct armpmu_encoding at, uint64_t value)
{
    assert_int_equal(armpmu_write(monitors_at(&monitors, &at), at, value), ARMPMU_DONE);
    monitors_changed(&monitors);
}

static uint64_t get(struct armpmu_encoding at)
{
    uint64_t value = 0;

    assert_int_equal(armpmu_read(monitors_at(&monitors, &at), at, &value), ARMPMU_DONE);
    return value;
}

/* Counter 0 counts instructions, in Nonsecure EL0 alone. */
static void count_user(void)
{
    monitors_set_pin(&monitors, ARMPMU_PIN_NONSECURE, 1);
    set(pmevtyper0, 0x80000008);
    set(pmcntenset, 1);
    set(pmcr, 1);
}

TEST_WITH(an_access_reaches_the_one_that_claims_it, begin, NULL)
{
    const struct armpmu_register *reg;

    assert_int_equal(monitors.n, 2);
    assert_ptr_equal(monitors_at(&monitors, &pmcr), monitors.pmu[0]);
    assert_ptr_equal(monitors_at(&monitors, &amevcntr02), monitors.pmu[1]);
    assert_ptr_equal(monitor_cores_at(&cores, &pmcr), armpmu_core_find("neoverse-n2"));
    assert_ptr_equal(monitor_cores_at(&cores, &amevcntr02), armpmu_core_find("amuv1"));
    assert_ptr_equal(monitors_with(&monitors, "AMCNTENSET0", &reg), monitors.pmu[1]);
    assert_ptr_equal(monitors_with(&monitors, "PMCR_EL0", &reg), monitors.pmu[0]);
    assert_null(monitors_with(&monitors, "PMNC", &reg));
}

TEST_WITH(a_signal_is_counted_by_both, begin, NULL)
{
    count_user();
    set(amcntenset0, 4);
    monitors_set_pin(&monitors, ARMPMU_PIN_EL, 0);
    monitors_post(&monitors, ARMPMU_SIGNAL_INST_RETIRED, UINT64_C(5000000000));
    monitors_set_pin(&monitors, ARMPMU_PIN_EL, 3);
    monitors_post(&monitors, ARMPMU_SIGNAL_INST_RETIRED, 7);
    assert_int_equal(get(pmevcntr0), UINT64_C(5000000000));
    assert_int_equal(get(amevcntr02), UINT64_C(5000000007));
}

TEST_WITH(headroom_is_that_of_the_one_with_least, begin, NULL)
{
    set(amcntenset0, 4);
    const uint64_t idle = monitors_headroom(&monitors);
    count_user();
    set(pmevcntr0, 0xfffffff0);
    assert_int_equal(monitors_headroom(&monitors), idle); /* nothing counts in EL3 */
    monitors_set_pin(&monitors, ARMPMU_PIN_EL, 0);
    assert_int_equal(monitors_headroom(&monitors), 15);
    assert_int_equal(monitors_headroom_of(&monitors, ARMPMU_SIGNAL_INST_RETIRED), 15);
    assert_true(monitors_headroom_of(&monitors, ARMPMU_SIGNAL_CPU_CYCLES) >= idle);
}

TEST_WITH(a_level_matters_where_something_else_counts, begin, NULL)
{
    monitors_set_pin(&monitors, ARMPMU_PIN_EL, 1);
    assert_false(monitors_level_matters(&monitors, 0)); /* nothing counts at all */
    count_user();
    assert_true(monitors_level_matters(&monitors, 0));
    assert_false(monitors_level_matters(&monitors, 2));
    assert_false(monitors_level_matters(&monitors, 2)); /* remembered */
    set(pmevtyper0, 0x88000008);                        /* and EL2 */
    assert_true(monitors_level_matters(&monitors, 2));
    assert_true(monitors_level_matters(&monitors, 0));
    set(pmevtyper0, 8); /* EL0 and EL1 */
    assert_false(monitors_level_matters(&monitors, 0));
    assert_true(monitors_level_matters(&monitors, 2));
    monitors_set_pin(&monitors, ARMPMU_PIN_EL, 2);
    assert_true(monitors_level_matters(&monitors, 0));
}

/* Events of PMUv3 that no program makes: those of the unit itself, of pins, and of what a system of
 * one socket without errors has not.
 *
 * proves: 0x00 a write of ones to PMSWINC_EL0 counts in the counters that it names and that count
 *   the event, not in others
 * proves: 0x1E an odd counter counts the overflows of the one before it, an even one nothing
 * proves: 0x1A an error that the embedder posts counts, nothing else does
 * proves: 0x31 an access to another socket that the embedder posts counts, nothing else does
 * proves: 0x38 a read from another socket that the embedder posts counts, nothing else does
 * proves: 0x4010 a rising edge of TRCEXTOUT0 counts, the level and the falling edge do not
 * proves: 0x4011 a rising edge of TRCEXTOUT1 counts, the level and the falling edge do not
 * proves: 0x4012 a rising edge of TRCEXTOUT2 counts, the level and the falling edge do not
 * proves: 0x4013 a rising edge of TRCEXTOUT3 counts, the level and the falling edge do not
 * proves: 0x4018 a rising edge of CTI_TRIGOUT4 counts, the level and the falling edge do not
 * proves: 0x4019 a rising edge of CTI_TRIGOUT5 counts, the level and the falling edge do not
 * proves: 0x401A a rising edge of CTI_TRIGOUT6 counts, the level and the falling edge do not
 * proves: 0x401B a rising edge of CTI_TRIGOUT7 counts, the level and the falling edge do not
 */
#include "../test.h"
#include "armpmu/pmu.h"

static union armpmu_memory memory;

/* A unit whose counters 0 to 3 count these events. */
static struct armpmu *make_of(const char *name, const uint16_t *events)
{
    const struct armpmu_config config = {.core = name};
    struct armpmu *pmu = NULL;
    const struct armpmu_core *core;

    assert_int_equal(armpmu_create(&memory, sizeof memory, &config, &pmu, NULL), ARMPMU_OK);
    core = armpmu_core_of(pmu);
    armpmu_set_pin(pmu, ARMPMU_PIN_NONSECURE, 1);
    armpmu_set_pin(pmu, ARMPMU_PIN_EL, 1);
    for (unsigned n = 0; n < 4; n++)
        armpmu_poke(pmu, armpmu_register_find(core, "PMEVTYPER<n>_EL0", NULL), n, events[n]);
    armpmu_poke(pmu, armpmu_register_find(core, "PMCNTENSET_EL0", NULL), 0, 0xf);
    armpmu_poke(pmu, armpmu_register_find(core, "PMCR_EL0", NULL), 0, 1);
    return pmu;
}

static struct armpmu *make(const uint16_t *events)
{
    return make_of("neoverse-n2", events);
}

static const struct armpmu_register *counts(struct armpmu *pmu)
{
    return armpmu_register_find(armpmu_core_of(pmu), "PMEVCNTR<n>_EL0", NULL);
}

static uint64_t count(struct armpmu *pmu, unsigned n)
{
    return armpmu_peek(pmu, counts(pmu), n);
}

TEST(software_increments_count_where_they_are_written)
{
    static const uint16_t events[] = {0x00, 0x00, 0x08, 0x00};
    struct armpmu *const pmu = make(events);

    assert_int_equal(armpmu_msr(pmu, 3, 3, 9, 12, 4, 0x5), ARMPMU_DONE);
    assert_int_equal(armpmu_msr(pmu, 3, 3, 9, 12, 4, 0x9), ARMPMU_DONE);
    assert_int_equal(count(pmu, 0), 2);
    assert_int_equal(count(pmu, 1), 0);
    assert_int_equal(count(pmu, 2), 0);
    assert_int_equal(count(pmu, 3), 1);
}

TEST(overflows_count_in_the_next_counter)
{
    static const uint16_t events[] = {0x08, 0x1e, 0x1e, 0x1e};
    struct armpmu *const pmu = make(events);

    armpmu_poke(pmu, counts(pmu), 0, 0xfffffffe);
    armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 1);
    assert_int_equal(count(pmu, 1), 0);
    armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 1);
    armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, UINT32_MAX);
    armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 1);
    assert_int_equal(count(pmu, 1), 2);
    assert_int_equal(count(pmu, 2), 0);
    assert_int_equal(count(pmu, 3), 0);
}

TEST(what_is_posted_counts_in_its_event)
{
    static const uint16_t events[] = {0x1a, 0x31, 0x1a, 0x08};
    struct armpmu *const pmu = make(events);

    armpmu_post(pmu, ARMPMU_SIGNAL_MEMORY_ERROR, 3);
    armpmu_post(pmu, ARMPMU_SIGNAL_REMOTE_ACCESS, 5);
    armpmu_post(pmu, ARMPMU_SIGNAL_L2_MISS, 7);
    assert_int_equal(count(pmu, 0), 3);
    assert_int_equal(count(pmu, 1), 5);
    assert_int_equal(count(pmu, 2), 3);
    assert_int_equal(count(pmu, 3), 0);
}

TEST(a_small_core_counts_reads_of_another_socket)
{
    static const uint16_t events[] = {0x38, 0x31, 0x38, 0x08};
    struct armpmu *const pmu = make_of("cortex-a55", events);

    armpmu_post(pmu, ARMPMU_SIGNAL_REMOTE_ACCESS, 5);
    armpmu_post(pmu, ARMPMU_SIGNAL_L2_MISS, 7);
    assert_int_equal(count(pmu, 0), 5);
    assert_int_equal(count(pmu, 1), 0);
    assert_int_equal(count(pmu, 2), 5);
}

TEST(pins_count_their_rising_edges)
{
    static const struct {
        enum armpmu_pin pin;
        uint16_t event;
    } inputs[] = {
        {ARMPMU_PIN_TRCEXTOUT0, 0x4010},   {ARMPMU_PIN_TRCEXTOUT1, 0x4011},
        {ARMPMU_PIN_TRCEXTOUT2, 0x4012},   {ARMPMU_PIN_TRCEXTOUT3, 0x4013},
        {ARMPMU_PIN_CTI_TRIGOUT4, 0x4018}, {ARMPMU_PIN_CTI_TRIGOUT5, 0x4019},
        {ARMPMU_PIN_CTI_TRIGOUT6, 0x401a}, {ARMPMU_PIN_CTI_TRIGOUT7, 0x401b},
    };
    const size_t n = sizeof inputs / sizeof inputs[0];

    for (size_t i = 0; i < n; i++) {
        const uint16_t events[] = {inputs[i].event, inputs[(i + 1) % n].event, 0x08, 0x11};
        struct armpmu *const pmu = make(events);

        for (unsigned times = 0; times < 3; times++) {
            armpmu_set_pin(pmu, inputs[i].pin, 1);
            armpmu_set_pin(pmu, inputs[i].pin, 1);
            armpmu_set_pin(pmu, inputs[i].pin, 0);
        }
        assert_int_equal(count(pmu, 0), 3);
        assert_int_equal(count(pmu, 1), 0);
    }
}

/* Callbacks may ask the device: what they see is true, and asking changes nothing. */
#include "../test.h"

#include <string.h>

#include "armpmu/pmu.h"

struct asker {
    union armpmu_memory memory;
    struct armpmu *pmu;
    unsigned calls, asserted;
    uint64_t cycles, counts[3], flags;
};

static uint64_t ask(struct asker *asker, const char *name, unsigned element)
{
    const struct armpmu_register *const reg =
        armpmu_register_find(armpmu_core_of(asker->pmu), name, NULL);

    assert_non_null(reg);
    return armpmu_peek(asker->pmu, reg, element);
}

static void ask_all(struct asker *asker)
{
    asker->calls++;
    asker->cycles = ask(asker, "CCNT", 0);
    for (unsigned n = 0; n < 3; n++)
        asker->counts[n] = ask(asker, "PMXEVCNTR", n);
    asker->flags = ask(asker, "FLAG", 0);
    asker->asserted += armpmu_output(asker->pmu, ARMPMU_OUTPUT_PMUIRQ);
}

static void on_output(void *user, enum armpmu_output output, bool asserted)
{
    struct asker *const asker = user;

    ask_all(asker);
    assert_int_equal(armpmu_output(asker->pmu, output), asserted);
}

static void on_overflow(void *user, const struct armpmu_counter *counter)
{
    (void)counter;
    ask_all(user);
}

static void on_exported(void *user, const struct armpmu_event *event, uint32_t n)
{
    (void)event;
    (void)n;
    ask_all(user);
}

static void on_bus(void *user, uint64_t bits)
{
    (void)bits;
    ask_all(user);
}

/* Three counters of instructions, which wrap with the 4th, 4th and 9th, and CCNT. */
static void start(struct asker *asker, struct armpmu_config config, uint32_t pmnc)
{
    static const uint32_t from[] = {0u - 4u, 0u - 4u, 0u - 9u};

    memset(asker, 0, sizeof *asker);
    config.user = asker;
    assert_int_equal(
        armpmu_create(&asker->memory, sizeof asker->memory, &config, &asker->pmu, NULL), ARMPMU_OK);
    for (uint32_t n = 0; n < 3; n++) {
        armpmu_mcr(asker->pmu, 15, 0, 9, 12, 5, n);       /* PMNXSEL */
        armpmu_mcr(asker->pmu, 15, 0, 9, 13, 1, 0x08);    /* EVTSEL  */
        armpmu_mcr(asker->pmu, 15, 0, 9, 13, 2, from[n]); /* PMXEVCNTR */
    }
    armpmu_mcr(asker->pmu, 15, 0, 9, 14, 1, 0x4);        /* INTENS: counter 2 */
    armpmu_mcr(asker->pmu, 15, 0, 9, 12, 1, 0x80000007); /* CNTENS            */
    armpmu_mcr(asker->pmu, 15, 0, 9, 12, 0, pmnc);
}

/* Twelve clocks with one instruction each. */
static void run(struct asker *asker)
{
    for (unsigned i = 0; i < 12; i++) {
        armpmu_post(asker->pmu, ARMPMU_SIGNAL_INST_RETIRED, 1);
        armpmu_post(asker->pmu, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    }
}

static void check_end(struct asker *asker)
{
    ask_all(asker);
    assert_int_equal(asker->cycles, 12);
    assert_int_equal(asker->counts[0], 8);
    assert_int_equal(asker->counts[1], 8);
    assert_int_equal(asker->counts[2], 3);
    assert_int_equal(asker->flags, 0x7);
}

static const char *const cores[] = {"cortex-a8", "cortex-r4f"};

TEST(an_overflow_shows_all_counters_after_the_increment)
{
    static struct asker asker;

    for (size_t i = 0; i < 2; i++)
        for (uint32_t x = 0; x < 2; x++) {
            const struct armpmu_config config = {
                .core = cores[i], .overflow = on_overflow, .event_bus = x ? on_bus : NULL};
            start(&asker, config, x << 4 | 1);
            armpmu_post(asker.pmu, ARMPMU_SIGNAL_CPU_CYCLES, 5);
            armpmu_post(asker.pmu, ARMPMU_SIGNAL_INST_RETIRED, 4);
            assert_int_equal(asker.calls, 2);
            assert_int_equal(asker.cycles, 5);
            assert_int_equal(asker.counts[0], 0);
            assert_int_equal(asker.counts[1], 0);
            assert_int_equal(asker.counts[2], 0u - 5u);
            assert_int_equal(asker.flags, 0x3);
            armpmu_post(asker.pmu, ARMPMU_SIGNAL_INST_RETIRED, 6);
            assert_int_equal(asker.calls, 3);
            assert_int_equal(asker.counts[0], 6);
            assert_int_equal(asker.counts[2], 1);
            assert_int_equal(asker.flags, 0x7);
        }
}

TEST(asking_in_any_callback_changes_no_count)
{
    static struct asker asker;

    for (size_t i = 0; i < 2; i++)
        for (unsigned which = 0; which < 16; which++) {
            const struct armpmu_config config = {.core = cores[i],
                                                 .output = which & 1 ? on_output : NULL,
                                                 .overflow = which & 2 ? on_overflow : NULL,
                                                 .exported = which & 4 ? on_exported : NULL,
                                                 .event_bus = which & 8 ? on_bus : NULL};
            start(&asker, config, 0x11);
            run(&asker);
            /* one output, three overflows, 24 events, and on one core 12 clocks with a bit */
            assert_int_equal(asker.calls, (which & 1 ? 1 : 0) + (which & 2 ? 3 : 0) +
                                              (which & 4 ? 24 : 0) +
                                              (which & 8 && i == 1 ? 12 : 0));
            check_end(&asker);
        }
}

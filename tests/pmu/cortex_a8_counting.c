/* What the Cortex-A8's counters count, when they do, and the interrupt. Expected values follow from
 * the manual by the arithmetic beside them.
 *
 * Source: ARM DDI 0344K, c9 performance monitor registers, table 3.97. */
#include "../test.h"

#include <stdio.h>
#include <string.h>

#include "armv7_bench.h"

static void note_exported(void *user, const struct armpmu_event *event, uint32_t n)
{
    struct bench *const bench = user;

    bench->exported[event->first] += n;
}

TEST(every_event_counts_its_signal_on_every_counter)
{
    /* Table 3.97: the number and the wire that counts it. */
    static const struct {
        uint32_t event;
        enum armpmu_signal signal;
    } cases[] = {
#define EVENT(number, fidelity, name, libpfm4, signal) {number, ARMPMU_SIGNAL_##signal},
#define EVENT2(number, fidelity, name, libpfm4, one, two)                                          \
    {number, ARMPMU_SIGNAL_##one}, {number, ARMPMU_SIGNAL_##two},
#include "../manual/cortex_a8_events.def"
#undef EVENT
#undef EVENT2
    };

    for (size_t i = 1; i < sizeof cases / sizeof cases[0]; i++) /* after 0x00, which SWINCR moves */
        for (unsigned n = 0; n < 4; n++) {
            struct bench *const bench = start();
            program(bench, n, cases[i].event, 0);
            set(bench, PMNC, 1);
            for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
                post(bench, (enum armpmu_signal)signal, signal == cases[i].signal ? 3 : 0);
            if (count(bench, n) != 3)
                fail_msg("event 0x%02x on counter %u: %u", cases[i].event, n, count(bench, n));
            /* No other wire moves it, but the second of 0x72. */
            for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
                if (signal != cases[i].signal && cases[i].event != 0x72)
                    post(bench, (enum armpmu_signal)signal, 5);
            assert_int_equal(count(bench, n), 3);
        }
}

static bool is_of_the_manual(uint32_t event)
{
    switch (event) {
#define EVENT(number, ...)  case number:
#define EVENT2(number, ...) case number:
#include "../manual/cortex_a8_events.def"
#undef EVENT
#undef EVENT2
        return true;
    }
    return false;
}

TEST(reserved_events_never_count)
{
    for (uint32_t event = 0; event < 0x100; event++) {
        const bool reserved = !is_of_the_manual(event) || event == 0;
        struct bench *const bench = start();
        program(bench, 1, event, 0);
        set(bench, PMNC, 1);
        for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
            post(bench, (enum armpmu_signal)signal, 1);
        if (reserved != (count(bench, 1) == 0))
            fail_msg("event 0x%02x counts %u", event, count(bench, 1));
    }
}

TEST(both_external_inputs_at_once_count_twice)
{
    struct bench *const bench = start();

    program(bench, 0, 0x70, 0);
    program(bench, 1, 0x71, 0);
    program(bench, 2, 0x72, 0);
    set(bench, PMNC, 1);
    pin(bench, ARMPMU_PIN_PMUEXTIN0, 1);
    pin(bench, ARMPMU_PIN_PMUEXTIN1, 1);
    pin(bench, ARMPMU_PIN_PMUEXTIN1, 1); /* stays high: no edge */
    pin(bench, ARMPMU_PIN_PMUEXTIN1, 0);
    pin(bench, ARMPMU_PIN_PMUEXTIN1, 1);
    assert_int_equal(count(bench, 0), 1);
    assert_int_equal(count(bench, 1), 2);
    assert_int_equal(count(bench, 2), 3);
}

TEST(counts_hold_while_disabled_and_go_on)
{
    struct bench *const bench = start();

    program(bench, 2, 0x08, 10);
    set(bench, PMNC, 1);
    post(bench, ARMPMU_SIGNAL_INST_RETIRED, 1);
    set(bench, CNTENC, 1u << 2);
    post(bench, ARMPMU_SIGNAL_INST_RETIRED, 100);
    set(bench, CNTENS, 1u << 2);
    post(bench, ARMPMU_SIGNAL_INST_RETIRED, 1);
    set(bench, PMNC, 0);
    post(bench, ARMPMU_SIGNAL_INST_RETIRED, 100);
    set(bench, PMNC, 1);
    post(bench, ARMPMU_SIGNAL_INST_RETIRED, 1);
    assert_int_equal(count(bench, 2), 13);
}

/* D: one step of CCNT in 64 clocks, of CCNT alone. */
TEST(the_divider_slows_the_cycle_counter_only)
{
    struct bench *const bench = start();

    program(bench, 0, 0x11, 0);
    set(bench, CNTENS, 0x80000000);
    set(bench, PMNC, 0x9); /* D and E */
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 63);
    assert_int_equal(get(bench, CCNT), 0);
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    assert_int_equal(get(bench, CCNT), 1);
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 64 * 10 + 63);
    assert_int_equal(get(bench, CCNT), 11);
    assert_int_equal(count(bench, 0), 64 * 11 + 63);
    set(bench, PMNC, 0xd); /* C begins 64 clocks anew */
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 63);
    assert_int_equal(get(bench, CCNT), 0);
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    assert_int_equal(get(bench, CCNT), 1);
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 32);
    set(bench, PMNC, 0x1);
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    assert_int_equal(get(bench, CCNT), 2);
    set(bench, PMNC, 0x9); /* and so does D that becomes one */
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 63);
    assert_int_equal(get(bench, CCNT), 2);
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    assert_int_equal(get(bench, CCNT), 3);
    set(bench, PMNC, 0x8);
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 640);
    assert_int_equal(get(bench, CCNT), 3);
}

TEST(a_divided_counter_wraps_on_its_64th_clock)
{
    struct bench *const bench = start();

    set(bench, CNTENS, 0x80000000);
    set(bench, CCNT, 0xfffffffe);
    set(bench, PMNC, 0x9);
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 127);
    assert_int_equal(get(bench, FLAG), 0);
    assert_int_equal(bench->overflows, 0);
    post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    assert_int_equal(bench->overflows, 1);
    assert_int_equal(get(bench, FLAG), 0x80000000);
    assert_int_equal(get(bench, CCNT), 0);
}

/* What debug forbids, for all authentication signals, security states and modes. */
TEST(debug_rules_stop_counters_and_dp_the_cycle_counter)
{
    for (unsigned bits = 0; bits < 1u << 9; bits++) {
        const bool dbgen = bits & 1, niden = bits & 2, spiden = bits & 4, spniden = bits & 8;
        const bool nonsecure = bits & 16, user = bits & 32, suiden = bits & 64,
                   suniden = bits & 128, dp = bits & 256;
        const bool permitted = (dbgen || niden) && (nonsecure || spiden || spniden ||
                                                    (user && (suniden || (suiden && dbgen))));
        struct bench *const bench = start();
        program(bench, 0, 0x08, 0);
        set(bench, CNTENS, 0x80000000);
        set(bench, PMNC, (uint32_t)dp << 5 | 1);
        pin(bench, ARMPMU_PIN_DBGEN, dbgen);
        pin(bench, ARMPMU_PIN_NIDEN, niden);
        pin(bench, ARMPMU_PIN_SPIDEN, spiden);
        pin(bench, ARMPMU_PIN_SPNIDEN, spniden);
        pin(bench, ARMPMU_PIN_NONSECURE, nonsecure);
        pin(bench, ARMPMU_PIN_USER_MODE, user);
        pin(bench, ARMPMU_PIN_SUIDEN, suiden);
        pin(bench, ARMPMU_PIN_SUNIDEN, suniden);
        post(bench, ARMPMU_SIGNAL_INST_RETIRED, 3);
        post(bench, ARMPMU_SIGNAL_CPU_CYCLES, 2);
        pin(bench, ARMPMU_PIN_USER_MODE, 0);
        if (count(bench, 0) != (permitted ? 3 : 0) ||
            get(bench, CCNT) != (permitted || !dp ? 2 : 0))
            fail_msg("pins 0x%03x: %u events, %u cycles", bits, count(bench, 0), get(bench, CCNT));
    }
}

/* The interrupt: PMNC.E and a flag whose interrupt enable is one. */
TEST(the_interrupt_follows_flag_enable_and_e)
{
    static const uint32_t bits[] = {1u << 0, 1u << 1, 1u << 2, 1u << 3, 1u << 31};

    for (size_t i = 0; i < 5; i++)
        for (size_t enabled = 0; enabled < 5; enabled++) {
            struct bench *const bench = start();
            for (unsigned n = 0; n < 4; n++)
                program(bench, n, 0x08, 0xffffffff);
            set(bench, CNTENC, 0xffffffff);
            set(bench, CNTENS, bits[i]);
            set(bench, CCNT, 0xffffffff);
            set(bench, INTENS, bits[enabled]);
            set(bench, PMNC, 1);
            assert_false(armpmu_output(bench->pmu, ARMPMU_OUTPUT_PMUIRQ));
            post(bench, i == 4 ? ARMPMU_SIGNAL_CPU_CYCLES : ARMPMU_SIGNAL_INST_RETIRED, 1);
            assert_int_equal(armpmu_output(bench->pmu, ARMPMU_OUTPUT_PMUIRQ), i == enabled);
            assert_int_equal(bench->rises[ARMPMU_OUTPUT_PMUIRQ], i == enabled);
            assert_int_equal(get(bench, FLAG), bits[i]);

            set(bench, INTENS, bits[i]); /* a flag set before its enable asks at once */
            assert_true(armpmu_output(bench->pmu, ARMPMU_OUTPUT_PMUIRQ));
            set(bench, PMNC, 0);
            assert_false(armpmu_output(bench->pmu, ARMPMU_OUTPUT_PMUIRQ));
            set(bench, PMNC, 1);
            set(bench, CNTENC, bits[i]); /* a disabled counter keeps its flag */
            assert_true(armpmu_output(bench->pmu, ARMPMU_OUTPUT_PMUIRQ));
            set(bench, FLAG, ~bits[i]);
            assert_true(armpmu_output(bench->pmu, ARMPMU_OUTPUT_PMUIRQ));
            set(bench, FLAG, bits[i]);
            assert_false(armpmu_output(bench->pmu, ARMPMU_OUTPUT_PMUIRQ));
            assert_int_equal(get(bench, FLAG), 0);
            assert_int_equal(bench->rises[ARMPMU_OUTPUT_PMUIRQ],
                             bench->falls[ARMPMU_OUTPUT_PMUIRQ]);
        }
}

TEST(overflow_sets_its_flag_on_the_exact_increment)
{
    static const uint32_t rooms[] = {1, 2, 3, 1000, 0x80000000, 0xffffffff};

    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++)
        for (uint32_t step = 1; step < 4; step++) {
            struct bench *const bench = start();
            program(bench, 3, 0x08, 0u - rooms[i]);
            set(bench, PMNC, 1);
            post(bench, ARMPMU_SIGNAL_INST_RETIRED, rooms[i] - 1);
            assert_int_equal(get(bench, FLAG), 0);
            post(bench, ARMPMU_SIGNAL_INST_RETIRED, step);
            assert_int_equal(bench->overflows, 1);
            assert_int_equal(get(bench, FLAG), 1u << 3);
            assert_int_equal(count(bench, 3), step - 1);
            post(bench, ARMPMU_SIGNAL_INST_RETIRED, 5); /* counting goes on */
            assert_int_equal(count(bench, 3), step + 4);
        }
}

/* As many posts as there is headroom for wrap nothing; one more may. */
TEST(room_is_what_can_be_posted_without_a_wrap)
{
    struct bench *const bench = start();

    assert_true(armpmu_headroom(bench->pmu) > UINT32_MAX);
    program(bench, 0, 0x08, 0u - 1000);
    program(bench, 1, 0x03, 0u - 5000);
    set(bench, PMNC, 1);
    assert_int_equal(armpmu_headroom(bench->pmu), 999);
    assert_int_equal(armpmu_headroom_of(bench->pmu, ARMPMU_SIGNAL_INST_RETIRED), 999);
    assert_int_equal(armpmu_headroom_of(bench->pmu, ARMPMU_SIGNAL_L1D_REFILL), 4999);
    assert_true(armpmu_headroom_of(bench->pmu, ARMPMU_SIGNAL_CPU_CYCLES) > UINT32_MAX);
    post(bench, ARMPMU_SIGNAL_INST_RETIRED, 900);
    assert_int_equal(armpmu_headroom(bench->pmu), 99);
    post(bench, ARMPMU_SIGNAL_INST_RETIRED, 99);
    assert_int_equal(bench->overflows, 0);
    post(bench, ARMPMU_SIGNAL_INST_RETIRED, 1);
    assert_int_equal(bench->overflows, 1);
    assert_int_equal(armpmu_headroom(bench->pmu), 4999);
    set(bench, PMNC, 0);
    assert_true(armpmu_headroom(bench->pmu) > UINT32_MAX);
}

/* An event that is the sum of two wires: headroom runs out on whichever comes. */
TEST(overflow_of_a_sum_is_exact_too)
{
    for (uint32_t headroom = 1; headroom < 40; headroom++) {
        struct bench *const bench = start();
        program(bench, 0, 0x72, 0u - headroom);
        set(bench, PMNC, 1);
        for (uint32_t n = 0; n < headroom; n++) {
            assert_int_equal(bench->overflows, 0);
            post(bench, n % 3 ? ARMPMU_SIGNAL_EXTERNAL_INPUT0 : ARMPMU_SIGNAL_EXTERNAL_INPUT1, 1);
        }
        assert_int_equal(bench->overflows, 1);
        assert_int_equal(count(bench, 0), 0);
    }
}

TEST(software_writes_set_no_flag)
{
    struct bench *const bench = start();

    program(bench, 0, 0x08, 0xffffffff);
    set(bench, PMNC, 1);
    set(bench, PMC, 0);
    set(bench, CCNT, 0xffffffff);
    set(bench, CCNT, 0);
    set(bench, PMNC, 0x7);
    assert_int_equal(get(bench, FLAG), 0);
}

TEST(software_increments_count_where_event_0_is_selected)
{
    struct bench *const bench = start();

    program(bench, 0, 0x00, 0xfffffffe);
    program(bench, 1, 0x08, 0);
    program(bench, 2, 0x00, 0);
    program(bench, 3, 0x00, 0);
    set(bench, CNTENC, 1u << 3);
    set(bench, SWINCR, 0xffffffff);
    assert_int_equal(count(bench, 0), 0xfffffffe); /* E is zero */
    set(bench, PMNC, 1);
    set(bench, SWINCR, 0xfffffff1);
    assert_int_equal(count(bench, 0), 0xffffffff);
    assert_int_equal(count(bench, 2), 0);
    set(bench, SWINCR, 0xf);
    assert_int_equal(count(bench, 0), 0);
    assert_int_equal(get(bench, FLAG), 1); /* a wrap sets the flag */
    assert_int_equal(bench->overflows, 1);
    assert_int_equal(count(bench, 1), 0); /* counts another event */
    assert_int_equal(count(bench, 2), 1);
    assert_int_equal(count(bench, 3), 0); /* not enabled */
    assert_int_equal(get(bench, SWINCR), 0);
    post(bench, ARMPMU_SIGNAL_SW_INCREMENT, 9); /* nothing else produces event 0 */
    assert_int_equal(count(bench, 2), 1);
}

TEST(events_are_exported_while_x_is_one_and_debug_allows)
{
    static const struct {
        int line;
        uint32_t pmnc;
        bool niden, halted, exported;
    } cases[] = {
        {__LINE__, 0x00, true, false, false}, {__LINE__, 0x01, true, false, false},
        {__LINE__, 0x10, true, false, true}, /* E and the enables do not matter */
        {__LINE__, 0x11, true, false, true},  {__LINE__, 0x11, false, false, false},
        {__LINE__, 0x11, true, true, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static struct bench bench;
        const struct armpmu_config config = {
            .core = "cortex-a8", .exported = note_exported, .user = &bench};
        memset(bench.exported, 0, sizeof bench.exported);
        assert_int_equal(
            armpmu_create(&bench.memory, sizeof bench.memory, &config, &bench.pmu, NULL),
            ARMPMU_OK);
        pin(&bench, ARMPMU_PIN_DBGEN, 0);
        pin(&bench, ARMPMU_PIN_NIDEN, cases[i].niden);
        pin(&bench, ARMPMU_PIN_DEBUG_HALTED, cases[i].halted);
        set(&bench, PMNC, cases[i].pmnc);
        post(&bench, ARMPMU_SIGNAL_L1D_REFILL, 3);
        post(&bench, ARMPMU_SIGNAL_EXTERNAL_INPUT1, 2);
        post(&bench, ARMPMU_SIGNAL_EXTERNAL_INPUT0, 5);
        for (unsigned event = 0; event < 256; event++) {
            const uint64_t wanted = !cases[i].exported ? 0
                                    : event == 0x03    ? 3
                                    : event == 0x70    ? 5
                                    : event == 0x71    ? 2
                                    : event == 0x72    ? 2 + 5
                                                       : 0;
            if (bench.exported[event] != wanted)
                fail_msg("line %d: event 0x%02x", cases[i].line, event);
        }
    }
}

TEST(a_snapshot_has_the_same_future)
{
    static unsigned char snapshot[4096];
    struct bench *const bench = start();

    assert_true(armpmu_snapshot_bytes(bench->pmu) <= sizeof snapshot);
    program(bench, 0, 0x08, 0xfffffff0);
    set(bench, INTENS, 1);
    set(bench, PMNC, 1);
    post(bench, ARMPMU_SIGNAL_INST_RETIRED, 15);
    armpmu_snapshot(bench->pmu, snapshot);
    post(bench, ARMPMU_SIGNAL_INST_RETIRED, 1);
    assert_true(armpmu_output(bench->pmu, ARMPMU_OUTPUT_PMUIRQ));
    assert_int_equal(armpmu_restore(bench->pmu, snapshot, armpmu_snapshot_bytes(bench->pmu), NULL),
                     ARMPMU_OK);
    assert_false(armpmu_output(bench->pmu, ARMPMU_OUTPUT_PMUIRQ));
    assert_int_equal(bench->falls[ARMPMU_OUTPUT_PMUIRQ], 1);
    assert_int_equal(count(bench, 0), 0xffffffff);
    post(bench, ARMPMU_SIGNAL_INST_RETIRED, 1);
    assert_int_equal(bench->rises[ARMPMU_OUTPUT_PMUIRQ], 2);

    struct armpmu_error error;
    assert_int_equal(armpmu_restore(bench->pmu, snapshot, 16, &error), ARMPMU_BAD_INPUT);
    /* Any byte that is not the one written. */
    for (size_t i = 0; i < armpmu_snapshot_bytes(bench->pmu); i++) {
        snapshot[i] ^= 0x10;
        assert_int_equal(
            armpmu_restore(bench->pmu, snapshot, armpmu_snapshot_bytes(bench->pmu), &error),
            ARMPMU_BAD_INPUT);
        assert_non_null(strstr(error.message, "cortex-a8"));
        snapshot[i] ^= 0x10;
    }
    assert_int_equal(count(bench, 0), 0);
    assert_int_equal(
        armpmu_restore(bench->pmu, snapshot, armpmu_snapshot_bytes(bench->pmu), &error), ARMPMU_OK);
}

TEST(a_device_is_refused_with_a_reason)
{
    static union armpmu_memory memory;
    struct armpmu_config config = {.core = "cortex-a99"};
    struct armpmu_error error;
    struct armpmu *pmu = (struct armpmu *)&memory;

    assert_int_equal(armpmu_create(&memory, sizeof memory, &config, &pmu, &error),
                     ARMPMU_NOT_FOUND);
    assert_null(pmu);
    assert_non_null(strstr(error.message, "'cortex-a99'"));
    config.core = NULL;
    assert_int_equal(armpmu_create(&memory, sizeof memory, &config, &pmu, NULL), ARMPMU_NOT_FOUND);
    config.core = "cortex-a8";
    assert_int_equal(armpmu_device_bytes(), ARMPMU_DEVICE_BYTES);
    assert_int_equal(armpmu_create(&memory, armpmu_device_bytes() - 1, &config, &pmu, NULL),
                     ARMPMU_NO_MEMORY);
    assert_int_equal(armpmu_create(&memory, 100, &config, &pmu, &error), ARMPMU_NO_MEMORY);
    assert_string_equal(error.message, "100 bytes of memory for a device: it needs 8192");
    static unsigned char beyond[ARMPMU_DEVICE_BYTES + 16] __attribute__((aligned(16)));
    assert_int_equal(armpmu_create(beyond + 3, sizeof beyond - 3, &config, &pmu, &error),
                     ARMPMU_NO_MEMORY);
    assert_string_equal(error.message,
                        "misaligned memory for a device: it begins 3 bytes beyond a multiple of 8; "
                        "align it, as union armpmu_memory is");
    assert_int_equal(armpmu_create(NULL, sizeof memory, &config, &pmu, &error), ARMPMU_NO_MEMORY);
    assert_int_equal(armpmu_create(&memory, sizeof memory, &config, &pmu, &error), ARMPMU_OK);
    assert_string_equal(armpmu_core_of(pmu)->name, "cortex-a8");
}

/* The structure of a newer header, with a member that this library does not know. */
struct newer_config {
    struct armpmu_config known;
    uint64_t more;
};

TEST(a_configuration_may_be_older_or_newer)
{
    static union armpmu_memory memory;
    struct newer_config newer = {
        .known = {.struct_size = sizeof newer, .core = "xscale1", .flag_erratum = true}};
    struct armpmu_config *const config = &newer.known;
    struct armpmu_error error;
    struct armpmu *pmu;

    assert_int_equal(armpmu_create(&memory, sizeof memory, config, &pmu, &error), ARMPMU_OK);
    newer.more = 1;
    assert_int_equal(armpmu_create(&memory, sizeof memory, config, &pmu, &error),
                     ARMPMU_BAD_CONFIG);
    assert_null(pmu);
    assert_non_null(strstr(error.message, "struct_size"));

    /* Of an older header, whose structure ended before the activity monitors' part. */
    memset(&config->amu, 0xff, sizeof config->amu);
    config->core = "amu";
    config->struct_size = offsetof(struct armpmu_config, amu);
    assert_int_equal(armpmu_create(&memory, sizeof memory, config, &pmu, &error), ARMPMU_OK);
    config->struct_size--;
    assert_int_equal(armpmu_create(&memory, sizeof memory, config, &pmu, &error),
                     ARMPMU_BAD_CONFIG);
}

/* Posts within the room make no counter wrap, whatever the signals. */
TEST(room_is_a_lower_bound)
{
    static union armpmu_memory memory;
    const struct armpmu_config config = {.core = "cortex-a8"};
    struct armpmu *pmu;
    uint32_t flags;

    assert_int_equal(armpmu_create(&memory, sizeof memory, &config, &pmu, NULL), ARMPMU_OK);
    assert_int_equal(armpmu_mcr(pmu, 15, 0, 9, 13, 0, 0xffffff00), ARMPMU_DONE);
    assert_int_equal(armpmu_mcr(pmu, 15, 0, 9, 12, 1, 0x80000000), ARMPMU_DONE);
    assert_int_equal(armpmu_mcr(pmu, 15, 0, 9, 12, 0, 1), ARMPMU_DONE);
    while (armpmu_headroom_of(pmu, ARMPMU_SIGNAL_CPU_CYCLES) > 0) {
        armpmu_post(pmu, ARMPMU_SIGNAL_CPU_CYCLES,
                    (uint32_t)armpmu_headroom_of(pmu, ARMPMU_SIGNAL_CPU_CYCLES));
        assert_int_equal(armpmu_mrc(pmu, 15, 0, 9, 12, 3, &flags), ARMPMU_DONE);
        assert_int_equal(flags, 0);
    }
    armpmu_post(pmu, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    assert_int_equal(armpmu_mrc(pmu, 15, 0, 9, 12, 3, &flags), ARMPMU_DONE);
    assert_int_equal(flags, 0x80000000);
}

/* The register counts; a post of its signal does not. */
TEST(a_software_increment_is_no_post)
{
    static union armpmu_memory memory;
    const struct armpmu_config config = {.core = "cortex-a8"};
    struct armpmu *pmu;
    uint32_t count;

    assert_int_equal(armpmu_create(&memory, sizeof memory, &config, &pmu, NULL), ARMPMU_OK);
    assert_int_equal(armpmu_mcr(pmu, 15, 0, 9, 12, 5, 0), ARMPMU_DONE);
    assert_int_equal(armpmu_mcr(pmu, 15, 0, 9, 13, 1, 0), ARMPMU_DONE);
    assert_int_equal(armpmu_mcr(pmu, 15, 0, 9, 12, 1, 1), ARMPMU_DONE);
    assert_int_equal(armpmu_mcr(pmu, 15, 0, 9, 12, 0, 1), ARMPMU_DONE);
    armpmu_post(pmu, ARMPMU_SIGNAL_SW_INCREMENT, 5);
    assert_int_equal(armpmu_mcr(pmu, 15, 0, 9, 12, 4, 1), ARMPMU_DONE);
    assert_int_equal(armpmu_mrc(pmu, 15, 0, 9, 13, 2, &count), ARMPMU_DONE);
    assert_int_equal(count, 1);
}

TEST_OF(a_counter_moves_when_e_and_its_enable_are_one, NULL, NULL)
TEST_OF(nothing_counts_while_halted_or_asleep, NULL, NULL)

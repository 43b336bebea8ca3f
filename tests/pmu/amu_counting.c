/* What the activity monitors count, when they stand still, and what a guest sees of it. */
#include "../test.h"

#include <string.h>

#include "amu_bench.h"

static uint64_t read_as(struct amu_bench *bench, enum who who, const char *controls,
                        const char *name, unsigned n)
{
    uint64_t value = 0x5eed;

    amu_go(bench, who, controls);
    assert_int_equal(armpmu_read(bench->pmu, amu_at(name, n, amu_is_aarch32(who)), &value),
                     ARMPMU_DONE);
    return value;
}

/* --- Events ---------------------------------------------------------------------------------- */

/* The four architected counters: the signal that each of them counts. */
static const enum armpmu_signal group0_signals[] = {
    ARMPMU_SIGNAL_CPU_CYCLES, ARMPMU_SIGNAL_CONSTANT_CYCLES, ARMPMU_SIGNAL_INST_RETIRED,
    ARMPMU_SIGNAL_MEMORY_STALL};

TEST(each_architected_counter_counts_its_event_only)
{
    for (unsigned n = 0; n < 4; n++) {
        struct amu_bench *const bench = amu_start(amu_full());
        amu_set(bench, "AMCNTENSET0", 0, 0xf);
        for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
            armpmu_post(bench->pmu, signal, signal == group0_signals[n] ? 1000 : 1);
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(amu_get(bench, "AMEVCNTR0", i), i == n ? 1000 : 1);
    }
}

/* An auxiliary counter: the event number it is given, and the signals that move it. */
TEST(an_auxiliary_counter_counts_its_event_or_its_own_input)
{
    static const struct {
        int line;
        unsigned n;
        uint64_t event;
        enum armpmu_signal signal;
    } cases[] = {
        {__LINE__, 0, 0x0300, ARMPMU_SIGNAL_MPMM_GEAR0},
        {__LINE__, 1, 0x0301, ARMPMU_SIGNAL_MPMM_GEAR1},
        {__LINE__, 2, 0x0302, ARMPMU_SIGNAL_MPMM_GEAR2},
        {__LINE__, 15, 0x0301, ARMPMU_SIGNAL_MPMM_GEAR1},
        {__LINE__, 5, 0x0011, ARMPMU_SIGNAL_CPU_CYCLES},
        {__LINE__, 5, 0x4004, ARMPMU_SIGNAL_CONSTANT_CYCLES},
        {__LINE__, 5, 0x0008, ARMPMU_SIGNAL_INST_RETIRED},
        {__LINE__, 5, 0x4005, ARMPMU_SIGNAL_MEMORY_STALL},
        {__LINE__, 0, 0x0000, ARMPMU_SIGNAL_AUXILIARY0},
        {__LINE__, 1, 0x0000, ARMPMU_SIGNAL_AUXILIARY1},
        {__LINE__, 2, 0x01e0, ARMPMU_SIGNAL_AUXILIARY2},
        {__LINE__, 3, 0x0303, ARMPMU_SIGNAL_AUXILIARY3},
        {__LINE__, 4, 0x02ff, ARMPMU_SIGNAL_AUXILIARY4},
        {__LINE__, 5, 0x0007, ARMPMU_SIGNAL_AUXILIARY5},
        {__LINE__, 6, 0x0009, ARMPMU_SIGNAL_AUXILIARY6},
        {__LINE__, 7, 0x0010, ARMPMU_SIGNAL_AUXILIARY7},
        {__LINE__, 8, 0x0012, ARMPMU_SIGNAL_AUXILIARY8},
        {__LINE__, 9, 0x4003, ARMPMU_SIGNAL_AUXILIARY9},
        {__LINE__, 10, 0x4006, ARMPMU_SIGNAL_AUXILIARY10},
        {__LINE__, 11, 0x8000, ARMPMU_SIGNAL_AUXILIARY11},
        {__LINE__, 12, 0xffff, ARMPMU_SIGNAL_AUXILIARY12},
        {__LINE__, 13, 0x0100, ARMPMU_SIGNAL_AUXILIARY13},
        {__LINE__, 14, 0x00c0, ARMPMU_SIGNAL_AUXILIARY14},
        {__LINE__, 15, 0x40c0, ARMPMU_SIGNAL_AUXILIARY15},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct amu_bench *const bench = amu_start(amu_full());
        amu_set(bench, "AMEVTYPER1", cases[i].n, cases[i].event);
        amu_set(bench, "AMCNTENSET1", 0, UINT64_C(1) << cases[i].n);
        for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
            armpmu_post(bench->pmu, signal, signal == cases[i].signal ? 700 : 3);
        if (amu_get(bench, "AMEVCNTR1", cases[i].n) != 700)
            fail_msg("line %d: %llu", cases[i].line,
                     (unsigned long long)amu_get(bench, "AMEVCNTR1", cases[i].n));
        for (unsigned n = 0; n < 16; n++)
            if (n != cases[i].n)
                assert_int_equal(amu_get(bench, "AMEVCNTR1", n), 0);
    }
}

/* A fixed event counts from the start; a change of event takes effect at once. */
TEST(an_event_number_may_change_while_counting)
{
    struct amu_bench *const bench = amu_start((struct armpmu_amu_config){
        .group1_counters = 2, .group1_fixed = 1, .group1_events = {0x0300, 0x0301}});

    amu_set(bench, "AMCNTENSET1", 0, 3);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_MPMM_GEAR0, 10);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_MPMM_GEAR1, 20);
    amu_set(bench, "AMEVTYPER1", 1, 0x0300);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_MPMM_GEAR0, 1);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_MPMM_GEAR1, 100);
    assert_int_equal(amu_get(bench, "AMEVCNTR1", 0), 11);
    assert_int_equal(amu_get(bench, "AMEVCNTR1", 1), 21);
}

/* --- When --------------------------------------------------------------------------------------
 */

TEST(a_disabled_counter_keeps_its_value)
{
    struct amu_bench *const bench = amu_start(amu_full());

    armpmu_post(bench->pmu, ARMPMU_SIGNAL_CPU_CYCLES, 5);
    assert_int_equal(amu_get(bench, "AMEVCNTR0", 0), 0); /* disabled by reset */
    amu_set(bench, "AMCNTENSET0", 0, 1);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_CPU_CYCLES, 5);
    amu_set(bench, "AMCNTENCLR0", 0, 1);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_CPU_CYCLES, 5);
    assert_int_equal(amu_get(bench, "AMEVCNTR0", 0), 5);
    amu_set(bench, "AMCNTENSET0", 0, 1);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_CPU_CYCLES, 5);
    assert_int_equal(amu_get(bench, "AMEVCNTR0", 0), 10);
}

/* A pin or control, and whether counters move. Level, Security state, authentication: no matter. */
TEST(counting_stops_in_standby_and_where_hdbg_says_so)
{
    static const struct {
        int line;
        uint64_t standby, halted, hdbg;
        bool counts;
    } cases[] = {
        {__LINE__, 0, 0, 0x000, true},  {__LINE__, 1, 0, 0x000, false},
        {__LINE__, 0, 1, 0x000, true},  {__LINE__, 0, 1, 0x400, false},
        {__LINE__, 0, 0, 0x400, true},  {__LINE__, 1, 1, 0x000, false},
        {__LINE__, 1, 0, 0x400, false}, {__LINE__, 1, 1, 0x400, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct amu_bench *const bench = amu_start(amu_full());
        amu_set(bench, "AMCNTENSET0", 0, 0xf);
        amu_set(bench, "AMCNTENSET1", 0, 0xffff);
        amu_set(bench, "AMCR", 0, cases[i].hdbg);
        armpmu_set_pin(bench->pmu, ARMPMU_PIN_STANDBY, cases[i].standby);
        armpmu_set_pin(bench->pmu, ARMPMU_PIN_DEBUG_HALTED, cases[i].halted);
        for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
            armpmu_post(bench->pmu, signal, 9);
        for (unsigned n = 0; n < 4; n++)
            if (amu_get(bench, "AMEVCNTR0", n) != (cases[i].counts ? 9 : 0))
                fail_msg("line %d: AMEVCNTR0%u", cases[i].line, n);
        for (unsigned n = 0; n < 16; n++)
            if (amu_get(bench, "AMEVCNTR1", n) != (cases[i].counts ? 9 : 0))
                fail_msg("line %d: AMEVCNTR1%u", cases[i].line, n);
    }
}

TEST(nothing_else_stops_counting)
{
    static const enum armpmu_pin pins[] = {ARMPMU_PIN_USER_MODE,    ARMPMU_PIN_NONSECURE,
                                           ARMPMU_PIN_AARCH32,      ARMPMU_PIN_CPTR_EL2_TAM,
                                           ARMPMU_PIN_CPTR_EL3_TAM, ARMPMU_PIN_EL3_DEBUG_UNDEF,
                                           ARMPMU_PIN_HSTR,         ARMPMU_PIN_HAFGRTR};
    static const enum armpmu_pin low[] = {ARMPMU_PIN_DBGEN, ARMPMU_PIN_NIDEN, ARMPMU_PIN_SPIDEN,
                                          ARMPMU_PIN_SPNIDEN};
    struct amu_bench *const bench = amu_start(amu_full());
    uint64_t expected = 0;

    amu_set(bench, "AMCNTENSET0", 0, 0xf);
    for (size_t i = 0; i < sizeof pins / sizeof pins[0]; i++) {
        armpmu_set_pin(bench->pmu, pins[i], UINT64_MAX);
        armpmu_post(bench->pmu, ARMPMU_SIGNAL_INST_RETIRED, 2);
        expected += 2;
    }
    for (size_t i = 0; i < sizeof low / sizeof low[0]; i++) {
        armpmu_set_pin(bench->pmu, low[i], 0);
        armpmu_post(bench->pmu, ARMPMU_SIGNAL_INST_RETIRED, 2);
        expected += 2;
    }
    for (unsigned el = 0; el < 4; el++) {
        armpmu_set_pin(bench->pmu, ARMPMU_PIN_EL, el);
        armpmu_post(bench->pmu, ARMPMU_SIGNAL_INST_RETIRED, 2);
        expected += 2;
    }
    assert_int_equal(amu_get(bench, "AMEVCNTR0", 2), expected);
}

/* A count up to the moment of a change uses what was before it. */
TEST(a_pin_acts_from_its_change_on)
{
    struct amu_bench *const bench = amu_start(amu_full());

    amu_set(bench, "AMCNTENSET0", 0, 0xf);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_CONSTANT_CYCLES, 3);
    armpmu_set_pin(bench->pmu, ARMPMU_PIN_STANDBY, 1);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_CONSTANT_CYCLES, 1000);
    armpmu_set_pin(bench->pmu, ARMPMU_PIN_STANDBY, 0);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_CONSTANT_CYCLES, 4);
    assert_int_equal(amu_get(bench, "AMEVCNTR0", 1), 7);
}

/* 64 bits, silently. */
TEST(counters_wrap_at_64_bits_and_ask_for_nothing)
{
    struct amu_bench *const bench = amu_start(amu_full());

    amu_set(bench, "AMCNTENSET0", 0, 0xf);
    amu_set(bench, "AMCNTENSET1", 0, 0xffff);
    amu_set(bench, "AMEVCNTR0", 0, UINT32_MAX);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    assert_int_equal(amu_get(bench, "AMEVCNTR0", 0), UINT64_C(1) << 32);
    amu_set(bench, "AMEVCNTR0", 0, UINT64_MAX - 9);
    amu_set(bench, "AMEVCNTR1", 15, UINT64_MAX);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_CPU_CYCLES, 9);
    assert_int_equal(amu_get(bench, "AMEVCNTR0", 0), UINT64_MAX);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    assert_int_equal(amu_get(bench, "AMEVCNTR0", 0), 0);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_AUXILIARY15, 3);
    assert_int_equal(amu_get(bench, "AMEVCNTR1", 15), 2);
    assert_int_equal(amu_get(bench, "AMEVCNTR1", 14), 0);
    for (unsigned output = 0; output < ARMPMU_OUTPUT_COUNT; output++)
        assert_false(armpmu_output(bench->pmu, output));
}

/* Posts add up far beyond what one settling holds in 32 bits. */
TEST(many_large_posts_add_up)
{
    struct amu_bench *const bench = amu_start(amu_full());

    amu_set(bench, "AMCNTENSET0", 0, 1);
    for (unsigned i = 0; i < 1000; i++)
        armpmu_post(bench->pmu, ARMPMU_SIGNAL_CPU_CYCLES, UINT32_MAX);
    assert_int_equal(amu_get(bench, "AMEVCNTR0", 0), UINT64_C(1000) * UINT32_MAX);
}

/* CHOICE(amu-write-enabled) */
TEST(a_write_to_an_enabled_counter_takes_effect_at_once)
{
    struct amu_bench *const bench = amu_start(amu_full());

    amu_set(bench, "AMCNTENSET0", 0, 1);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_CPU_CYCLES, 50);
    amu_set(bench, "AMEVCNTR0", 0, 1000);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    assert_int_equal(amu_get(bench, "AMEVCNTR0", 0), 1001);
}

TEST(a_warm_reset_goes_on_counting)
{
    struct amu_bench *const bench = amu_start(amu_full());

    amu_set(bench, "AMCNTENSET0", 0, 0x4);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_INST_RETIRED, 5);
    armpmu_reset(bench->pmu, ARMPMU_RESET_WARM);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_INST_RETIRED, 5);
    assert_int_equal(amu_get(bench, "AMEVCNTR0", 2), 10);
    armpmu_reset(bench->pmu, ARMPMU_RESET_COLD);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_INST_RETIRED, 5);
    assert_int_equal(amu_get(bench, "AMEVCNTR0", 2), 0);
}

/* --- What is seen from below ----------------------------------------------------------------- */

/* AMCR.CG1RZ: who reads an auxiliary counter, of which unit, as zero. Group 0 never is. */
TEST(cg1rz_hides_auxiliary_counters_below_the_highest_level)
{
    static const struct {
        int line;
        enum who who;
        unsigned highest_el;
        bool hidden;
    } cases[] = {
        {__LINE__, EL0_A64, 3, true},           {__LINE__, EL1_A64, 3, true},
        {__LINE__, EL2_A64, 3, true},           {__LINE__, EL3_A64, 3, false},
        {__LINE__, EL0_A64, 2, true},           {__LINE__, EL1_A64, 2, true},
        {__LINE__, EL2_A64, 2, false},          {__LINE__, EL0_A64, 1, true},
        {__LINE__, EL1_A64, 1, false},          {__LINE__, EL0_A32, 3, true},
        {__LINE__, EL1_A32_UNDER_EL2, 3, true}, {__LINE__, EL2_A32, 3, true},
        {__LINE__, EL3_A32, 3, false},          {__LINE__, EL2_A32, 2, false},
        {__LINE__, EL1_A32, 1, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (uint64_t cg1rz = 0; cg1rz <= 0x20000; cg1rz += 0x20000) {
            struct armpmu_amu_config config = {
                .v1p1 = true, .group1_counters = 16, .highest_el = cases[i].highest_el};
            struct amu_bench *const bench = amu_start(config);
            amu_set(bench, "AMCR", 0, cg1rz);
            amu_set(bench, "AMEVCNTR0", 1, 111);
            for (unsigned n = 0; n < 16; n++)
                amu_set(bench, "AMEVCNTR1", n, 222 + n);
            for (unsigned n = 0; n < 16; n++)
                if (read_as(bench, cases[i].who, "EN", "AMEVCNTR1", n) !=
                    (cg1rz != 0 && cases[i].hidden ? 0 : 222 + n))
                    fail_msg("line %d: AMEVCNTR1%u", cases[i].line, n);
            assert_int_equal(read_as(bench, cases[i].who, "EN", "AMEVCNTR0", 1), 111);
        }
}

/* Who sees a counter shifted by its offset: all of the conditions, one left out in each row. */
TEST(offsets_are_for_guests)
{
    static const struct {
        int line;
        enum who who;
        const char *controls;
        bool shifted;
    } cases[] = {
        {__LINE__, EL0_A64, "EN VH VS", true},
        {__LINE__, EL1_A64, "EN VH VS", true},
        {__LINE__, EL2_A64, "EN VH VS", false},
        {__LINE__, EL3_A64, "EN VH VS", false},
        {__LINE__, EL0_A64, "EN VH", false},
        {__LINE__, EL0_A64, "EN VS", false},
        {__LINE__, EL1_A64, "EN VH", false},
        {__LINE__, EL1_A64, "EN VS", false},
        {__LINE__, EL0_A64, "EN VH VS NOEL2", false},
        {__LINE__, EL1_A64, "EN VH VS NOEL2", false},
        {__LINE__, EL0_A64, "EN VH VS E2H", true},
        {__LINE__, EL0_A64, "EN VH VS TGE", true},
        {__LINE__, EL0_A64, "EN VH VS E2H TGE", false},
        {__LINE__, EL1_A64, "EN VH VS E2H", true},
        {__LINE__, EL0_A32_UNDER_A64, "EN VH VS", true},
        {__LINE__, EL0_A32_UNDER_EL2, "EN VH VS", true},
        {__LINE__, EL0_A32_UNDER_A64, "EN VH VS E2H TGE", false},
        {__LINE__, EL1_A32_UNDER_EL2, "EN VH VS", true},
        {__LINE__, EL0_A32_UNDER_EL3, "EN VH VS", false}, /* EL2 is AArch32 */
        {__LINE__, EL1_A32_UNDER_EL3, "EN VH VS", false},
        {__LINE__, EL2_A32_UNDER_EL3, "EN VH VS", false},
        {__LINE__, EL3_A32, "EN VH VS", false},
    };
    struct amu_bench *const bench = amu_start(amu_full());

    for (unsigned n = 0; n < 16; n++) {
        amu_set(bench, "AMEVCNTR1", n, 5000 + n);
        amu_set(bench, "AMEVCNTVOFF1", n, 6000);
    }
    for (unsigned n = 0; n < 4; n++) {
        amu_set(bench, "AMEVCNTR0", n, 5000 + n);
        if (n != 1)
            amu_set(bench, "AMEVCNTVOFF0", n, 1000);
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bool shifted = cases[i].shifted;
        for (unsigned n = 0; n < 4; n++)
            if (read_as(bench, cases[i].who, cases[i].controls, "AMEVCNTR0", n) !=
                5000 + n - (shifted && n != 1 ? 1000u : 0))
                fail_msg("line %d: AMEVCNTR0%u", cases[i].line, n);
        for (unsigned n = 0; n < 16; n++)
            if (read_as(bench, cases[i].who, cases[i].controls, "AMEVCNTR1", n) !=
                (shifted ? (uint64_t)(5000 + n) - 6000 : 5000 + n)) /* modulo 2 to the 64 */
                fail_msg("line %d: AMEVCNTR1%u", cases[i].line, n);
        /* nothing but counters is shifted */
        assert_int_equal(read_as(bench, cases[i].who, cases[i].controls, "AMEVTYPER0", 0), 0x11);
    }
}

/* CG1RZ comes before the offset. */
TEST(a_hidden_counter_is_zero_whatever_its_offset)
{
    struct amu_bench *const bench = amu_start(amu_full());

    amu_set(bench, "AMCR", 0, 0x20000);
    amu_set(bench, "AMEVCNTR1", 3, 9);
    amu_set(bench, "AMEVCNTVOFF1", 3, 4);
    assert_int_equal(read_as(bench, EL1_A64, "VH VS", "AMEVCNTR1", 3), 0);
    amu_set(bench, "AMCR", 0, 0);
    assert_int_equal(read_as(bench, EL1_A64, "VH VS", "AMEVCNTR1", 3), 5);
}

/* An offset that is not there is none; without EL3 nobody holds the others back. */
TEST(offsets_that_are_not_there_do_not_act)
{
    struct amu_bench *bench = amu_start((struct armpmu_amu_config){
        .v1p1 = true, .group1_map = 0x3, .group1_offsets = 0x2, .highest_el = 2});

    amu_set(bench, "AMEVCNTR1", 0, 10);
    amu_set(bench, "AMEVCNTR1", 1, 10);
    amu_set(bench, "AMEVCNTVOFF1", 1, 4);
    assert_int_equal(read_as(bench, EL1_A64, "VH", "AMEVCNTR1", 0), 10);
    assert_int_equal(read_as(bench, EL1_A64, "VH", "AMEVCNTR1", 1), 6);

    bench = amu_start((struct armpmu_amu_config){.group1_counters = 1});
    amu_set(bench, "AMEVCNTR0", 0, 10);
    assert_int_equal(read_as(bench, EL1_A64, "VH VS", "AMEVCNTR0", 0), 10);
}

/* A debugger's view is the physical count. */
TEST(peek_sees_the_physical_count)
{
    struct amu_bench *const bench = amu_start(amu_full());
    const struct armpmu_register *const counters =
        armpmu_register_find(armpmu_core_of(bench->pmu), "AMEVCNTR1<n>", NULL);

    amu_set(bench, "AMEVCNTR1", 2, 50);
    amu_set(bench, "AMEVCNTVOFF1", 2, 8);
    amu_set(bench, "AMCR", 0, 0x20000);
    amu_go(bench, EL1_A64, "VH VS");
    assert_int_equal(armpmu_peek(bench->pmu, counters, 2), 50);
    assert_true(armpmu_has_register(bench->pmu, counters, 15));
    assert_false(armpmu_has_register(bench->pmu, counters, 16));
    armpmu_poke(bench->pmu, counters, 2, 60);
    assert_int_equal(armpmu_peek(bench->pmu, counters, 2), 60);
}

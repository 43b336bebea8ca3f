/* The conditions under which counters of PMUv3 count: filters, prohibition, ranges, freezes. And
 * what a list at random seldom meets: a stop on overflow within a post, across the ranges of EL1
 * and EL2 too, chains, the interrupt line, events put out. */
#include "../test.h"

#include <string.h>

#include "pmuv3_bench.h"

/* In Nonsecure EL1. */
static struct armpmu *make(uint8_t version)
{
    struct armpmu *const pmu =
        pmuv3_start("neoverse-n2", (struct armpmu_pmuv3_config){.version = version});

    amu_stand(pmu, EL1_A64);
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

TEST(an_overflow_stops_its_range_within_a_post)
{
    struct armpmu *const pmu = make(7);

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
TEST(a_chained_overflow_stops_the_other_range)
{
    struct armpmu *const pmu = make(7);

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

TEST(a_counter_has_32_bits_before_v3p5)
{
    struct armpmu *const pmu = make(4);

    put(pmu, "PMEVTYPER<n>_EL0", 0, INST);
    put(pmu, "PMEVCNTR<n>_EL0", 0, 0xffffffff);
    put(pmu, "PMCNTENSET_EL0", 0, 1);
    put(pmu, "PMCR_EL0", 0, 1);
    armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 4);
    assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 0), 3);
}

/* --- Filters --------------------------------------------------------------------------------- */

#define P    (UINT64_C(1) << 31)
#define U    (UINT64_C(1) << 30)
#define NSK  (UINT64_C(1) << 29)
#define NSU  (UINT64_C(1) << 28)
#define NSH  (UINT64_C(1) << 27)
#define M    (UINT64_C(1) << 26)
#define SH   (UINT64_C(1) << 24)
#define SPME (UINT64_C(1) << 17) /* MDCR_EL3 */

/* An Exception level of a Security state. */
struct place {
    enum who who;
    bool nonsecure;
};

/* Places of the letters: Nonsecure EL0, 1, 2; Secure EL0, 1, 2; EL3 in AArch64, in AArch32. */
static const struct place places[] = {
    {EL0_A64, true},  {EL1_A64, true},  {EL2_A64, true},  {EL0_A64, false},
    {EL1_A64, false}, {EL2_A64, false}, {EL3_A64, false}, {EL3_A32, false},
};

static const struct {
    int line;
    uint64_t filter;
    const char *counts;
} filters[] = {
    {__LINE__, 0, "110 110 11"},
    {__LINE__, P, "100 100 00"},
    {__LINE__, U, "010 010 11"},
    {__LINE__, NSK, "100 110 11"},
    {__LINE__, NSU, "010 110 11"},
    {__LINE__, NSH, "111 111 11"},
    {__LINE__, M, "110 110 01"},
    {__LINE__, SH, "110 111 11"},
    {__LINE__, P | NSK, "110 100 00"},
    {__LINE__, U | NSU, "110 010 11"},
    {__LINE__, NSK | NSU, "000 110 11"},
    {__LINE__, NSH | SH, "111 110 11"},
    {__LINE__, P | M, "100 100 10"},
    {__LINE__, P | U, "000 000 00"},
    {__LINE__, P | U | NSH, "001 001 00"},
    {__LINE__, P | U | SH, "000 001 00"},
    {__LINE__, P | U | NSK | NSU, "110 000 00"},
    {__LINE__, P | U | M, "000 000 10"},
    {__LINE__, P | NSK | M, "110 100 10"},
    {__LINE__, P | U | NSK | NSU | NSH | M | SH, "111 000 10"},
};

static void go(struct armpmu *pmu, struct place place)
{
    armpmu_set_pin(pmu, ARMPMU_PIN_NONSECURE, place.nonsecure);
    amu_stand(pmu, place.who);
}

/* Counter 0 and the cycle counter, from zero. */
TEST(a_filter_says_where_a_counter_counts)
{
    struct armpmu *const pmu = make(6);

    armpmu_set_pin(pmu, ARMPMU_PIN_MDCR_EL3, SPME);
    put(pmu, "PMCNTENSET_EL0", 0, 0x80000001);
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        const char *letter = filters[i].counts;
        for (size_t n = 0; n < sizeof places / sizeof places[0]; n++, letter++) {
            letter += *letter == ' ';
            put(pmu, "PMEVTYPER<n>_EL0", 0, filters[i].filter | INST);
            put(pmu, "PMCCFILTR_EL0", 0, filters[i].filter);
            put(pmu, "PMCR_EL0", 0, 7);
            go(pmu, places[n]);
            armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 3);
            armpmu_post(pmu, ARMPMU_SIGNAL_CPU_CYCLES, 5);
            const unsigned counts = *letter - '0';
            if (get(pmu, "PMEVCNTR<n>_EL0", 0) != 3 * counts ||
                get(pmu, "PMCCNTR_EL0", 0) != 5 * counts)
                fail_msg("line %d, place %zu", filters[i].line, n);
        }
    }
}

/* --- Prohibited, disabled, frozen ------------------------------------------------------------- */

#define HPME   (UINT64_C(1) << 7)
#define HPMD   (UINT64_C(1) << 17)
#define HCCD   (UINT64_C(1) << 23)
#define HPMFZO (UINT64_C(1) << 29)
#define SCCD   (UINT64_C(1) << 23)
#define MCCD   (UINT64_C(1) << 34)
#define MPMX   (UINT64_C(1) << 35)
#define E      1u
#define DP     (1u << 5)
#define FZO    (1u << 9)

static const struct place n0 = {EL0_A64, true}, n1 = {EL1_A64, true}, n2 = {EL2_A64, true},
                          s0 = {EL0_A64, false}, s1 = {EL1_A64, false}, s2 = {EL2_A64, false},
                          el3 = {EL3_A64, false}, s0_aarch32 = {EL0_A32_UNDER_EL2, false},
                          s1_aarch32 = {EL1_A32_UNDER_EL2, false};

/* Counter 0, counter 5, the cycle counter; all are enabled and their filters let all through. */
struct rule {
    int line;
    struct armpmu_pmuv3_config config;
    const struct place *place;
    uint64_t mdcr_el2, mdcr_el3;
    unsigned control, flags;
    const char *counts;
};

/* Counter 5 is EL2's. */
#define RANGES (HPME | 5)

static const struct rule rules[] = {
    {__LINE__, {.version = 5}, &n0, RANGES, 0, E, 0, "111"},
    {__LINE__, {.version = 5}, &n1, RANGES, 0, E, 0, "111"},
    {__LINE__, {.version = 5}, &n2, RANGES, 0, E, 0, "111"},

    /* SPME, MPMX: events of Secure state, and of EL3 */
    {__LINE__, {.version = 5}, &s0, RANGES, 0, E, 0, "001"},
    {__LINE__, {.version = 5}, &s1, RANGES, 0, E, 0, "001"},
    {__LINE__, {.version = 5}, &s2, RANGES, 0, E, 0, "001"},
    {__LINE__, {.version = 5}, &el3, RANGES, 0, E, 0, "001"},
    {__LINE__, {.version = 5}, &s1, RANGES, 0, E | DP, 0, "000"},
    {__LINE__, {.version = 5}, &s1, RANGES, SPME, E, 0, "111"},
    {__LINE__, {.version = 5}, &s1, RANGES, SPME, E | DP, 0, "111"},
    {__LINE__, {.version = 5}, &el3, RANGES, SPME, E, 0, "111"},
    {__LINE__, {.version = 6}, &s1, RANGES, MPMX, E, 0, "001"},
    {__LINE__, {.version = 7}, &s1, RANGES, MPMX, E, 0, "111"},
    {__LINE__, {.version = 7}, &s2, RANGES, MPMX, E, 0, "111"},
    {__LINE__, {.version = 7}, &n1, RANGES, MPMX, E, 0, "111"},
    {__LINE__, {.version = 7}, &el3, RANGES, MPMX, E, 0, "001"},
    {__LINE__, {.version = 7}, &el3, RANGES, MPMX | SPME, E, 0, "011"},
    {__LINE__, {.version = 7}, &el3, RANGES, MPMX | SPME, E | DP, 0, "010"},
    {__LINE__, {.version = 7}, &el3, RANGES, SPME, E, 0, "111"},
    {__LINE__, {.version = 6}, &el3, RANGES, MPMX | SPME, E, 0, "111"},
    {__LINE__, {.highest_el = 2}, &s1, RANGES, 0, E, 0, "111"},

    /* HPMD: EL1's events in EL2 */
    {__LINE__, {.version = 4}, &n2, RANGES | HPMD, 0, E, 0, "011"},
    {__LINE__, {.version = 4}, &n2, RANGES | HPMD, 0, E | DP, 0, "010"},
    {__LINE__, {.version = 1}, &n2, RANGES | HPMD, 0, E, 0, "111"},
    {__LINE__, {.version = 4}, &n1, RANGES | HPMD, 0, E, 0, "111"},
    {__LINE__, {.version = 4}, &s2, RANGES | HPMD, SPME, E, 0, "011"},

    /* HCCD, SCCD, MCCD: cycles */
    {__LINE__, {.version = 6}, &n2, RANGES | HCCD, 0, E, 0, "110"},
    {__LINE__, {.version = 5}, &n2, RANGES | HCCD, 0, E, 0, "111"},
    {__LINE__, {.version = 6}, &n1, RANGES | HCCD, 0, E, 0, "111"},
    {__LINE__, {.version = 6}, &s1, RANGES, SPME | SCCD, E, 0, "110"},
    {__LINE__, {.version = 6}, &el3, RANGES, SPME | SCCD, E, 0, "110"},
    {__LINE__, {.version = 5}, &s1, RANGES, SPME | SCCD, E, 0, "111"},
    {__LINE__, {.version = 6}, &n1, RANGES, SCCD, E, 0, "111"},
    {__LINE__, {.version = 6, .highest_el = 2}, &s1, RANGES, SCCD, E, 0, "111"},
    {__LINE__, {.version = 7}, &el3, RANGES, SPME | MCCD, E, 0, "110"},
    {__LINE__, {.version = 6}, &el3, RANGES, SPME | MCCD, E, 0, "111"},
    {__LINE__, {.version = 7}, &s1, RANGES, SPME | MCCD, E, 0, "111"},

    /* E, HPME, HPMN */
    {__LINE__, {0}, &n1, 5, 0, E, 0, "101"},
    {__LINE__, {0}, &n1, RANGES, 0, 0, 0, "010"},
    {__LINE__, {0}, &n1, 5, 0, 0, 0, "000"},
    {__LINE__, {0}, &n1, 0, 0, E, 0, "111"},
    {__LINE__, {0}, &n1, HPME, 0, 0, 0, "000"},
    {__LINE__, {0}, &n1, 6, 0, E, 0, "111"},
    {__LINE__, {0}, &n1, 7, 0, E, 0, "111"},
    {__LINE__, {0}, &n1, HPME | 1, 0, 0, 0, "010"},
    {__LINE__, {.without_el2 = true}, &n1, 5, 0, E, 0, "111"},
    {__LINE__, {.counters = 5}, &n1, RANGES, 0, E, 0, "101"},

    /* FZO, HPMFZO */
    {__LINE__, {.version = 7}, &n1, RANGES, 0, E | FZO, 0x01, "011"},
    {__LINE__, {.version = 7}, &n1, RANGES, 0, E | FZO, 0x10, "011"},
    {__LINE__, {.version = 7}, &n1, RANGES, 0, E | FZO | DP, 0x01, "010"},
    {__LINE__, {.version = 7}, &n1, RANGES, 0, E | FZO, 0x20, "111"},
    {__LINE__, {.version = 7}, &n1, RANGES, 0, E | FZO, 0x80000000, "111"},
    {__LINE__, {.version = 7}, &n1, RANGES, 0, E, 0x01, "111"},
    {__LINE__, {.version = 6}, &n1, RANGES, 0, E | FZO, 0x01, "111"},
    {__LINE__, {.version = 7}, &n1, RANGES | HPMFZO, 0, E, 0x20, "101"},
    {__LINE__, {.version = 7}, &n1, RANGES | HPMFZO, 0, E | DP, 0x20, "101"},
    {__LINE__, {.version = 7}, &n1, RANGES | HPMFZO, 0, E, 0x01, "111"},
    {__LINE__, {.version = 6}, &n1, RANGES | HPMFZO, 0, E, 0x20, "111"},
    {__LINE__, {.version = 7}, &n1, RANGES | HPMFZO, 0, E | FZO | DP, 0x21, "000"},
};

/* Fills a configured unit in: events of counters 0 and 5, all filters open. */
static struct armpmu *start_rule(const struct rule *rule)
{
    struct armpmu *const pmu = pmuv3_start("neoverse-n2", rule->config);

    armpmu_set_pin(pmu, ARMPMU_PIN_MDCR_EL2, rule->mdcr_el2);
    armpmu_set_pin(pmu, ARMPMU_PIN_MDCR_EL3, rule->mdcr_el3);
    put(pmu, "PMEVTYPER<n>_EL0", 0, NSH | INST);
    put(pmu, "PMEVTYPER<n>_EL0", 5, NSH | INST);
    put(pmu, "PMCCFILTR_EL0", 0, NSH);
    put(pmu, "PMCNTENSET_EL0", 0, 0x80000021);
    put(pmu, "PMOVSSET_EL0", 0, rule->flags);
    put(pmu, "PMCR_EL0", 0, rule->control);
    go(pmu, *rule->place);
    return pmu;
}

static void expect_counts(struct armpmu *pmu, int line, const char *counts)
{
    armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 1);
    armpmu_post(pmu, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    const char got[] = {(char)('0' + get(pmu, "PMEVCNTR<n>_EL0", 0)),
                        (char)('0' + get(pmu, "PMEVCNTR<n>_EL0", 5)),
                        (char)('0' + get(pmu, "PMCCNTR_EL0", 0)), '\0'};
    if (strcmp(got, counts) != 0)
        fail_msg("line %d: %s, want %s", line, got, counts);
}

TEST(counting_is_prohibited_by_the_manual_s_rules)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        expect_counts(start_rule(&rules[i]), rules[i].line, rules[i].counts);
}

/* SDER.SUNIDEN opens Secure EL0 under an EL1 in AArch32; Debug state and sleep stop everything. */
TEST(pins_open_and_close_counting)
{
    static const struct {
        int line;
        const struct place *place;
        enum armpmu_pin pin;
        const char *low, *high;
    } cases[] = {
        {__LINE__, &s0_aarch32, ARMPMU_PIN_SUNIDEN, "001", "111"},
        {__LINE__, &s0, ARMPMU_PIN_SUNIDEN, "001", "001"},
        {__LINE__, &s1, ARMPMU_PIN_SUNIDEN, "001", "001"},
        {__LINE__, &s1_aarch32, ARMPMU_PIN_SUNIDEN, "001", "001"},
        {__LINE__, &n1, ARMPMU_PIN_DEBUG_HALTED, "111", "000"},
        {__LINE__, &n1, ARMPMU_PIN_STANDBY, "111", "000"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (unsigned high = 0; high <= 1; high++) {
            const struct rule rule = {cases[i].line, {0}, cases[i].place, RANGES, 0, E, 0, ""};
            struct armpmu *const pmu = start_rule(&rule);
            armpmu_set_pin(pmu, cases[i].pin, high);
            expect_counts(pmu, cases[i].line, high ? cases[i].high : cases[i].low);
        }
}

/* --- Widths, the divider, software increments, chains ------------------------------------------
 */

#define LP  (1u << 7)
#define LC  (1u << 6)
#define D   (1u << 3)
#define HLP (UINT64_C(1) << 26)

/* Counters 0 and 5 and the cycle counter pass 2^32: which flags are set. Counter 5 is EL2's. */
TEST(an_overflow_is_after_32_bits_or_64)
{
    static const struct {
        int line;
        uint8_t version;
        unsigned control;
        uint64_t mdcr_el2;
        uint64_t flags;
    } cases[] = {
        {__LINE__, 6, 0, 0, 0x80000021},   {__LINE__, 6, LP, 0, 0x80000020},
        {__LINE__, 6, LC, 0, 0x21},        {__LINE__, 6, 0, HLP, 0x80000001},
        {__LINE__, 6, LP | LC, HLP, 0},    {__LINE__, 5, LP, HLP, 0x80000021},
        {__LINE__, 5, LP | LC, HLP, 0x21},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct rule rule = {cases[i].line,
                                  {.version = cases[i].version},
                                  &n1,
                                  RANGES | cases[i].mdcr_el2,
                                  0,
                                  E | cases[i].control,
                                  0,
                                  ""};
        struct armpmu *const pmu = start_rule(&rule);
        put(pmu, "PMEVCNTR<n>_EL0", 0, UINT32_MAX);
        put(pmu, "PMEVCNTR<n>_EL0", 5, UINT32_MAX);
        put(pmu, "PMCCNTR_EL0", 0, UINT32_MAX);
        armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 1);
        armpmu_post(pmu, ARMPMU_SIGNAL_CPU_CYCLES, 1);
        if (get(pmu, "PMOVSSET_EL0", 0) != cases[i].flags)
            fail_msg("line %d: %#llx", cases[i].line,
                     (unsigned long long)get(pmu, "PMOVSSET_EL0", 0));
        assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 0),
                         cases[i].version >= 6 ? UINT64_C(0x100000000) : 0);
        assert_int_equal(get(pmu, "PMCCNTR_EL0", 0), UINT64_C(0x100000000));
    }
}

TEST(the_divider_is_of_short_cycle_counters)
{
    struct armpmu *const pmu = make(6);

    put(pmu, "PMCNTENSET_EL0", 0, 0x80000000);
    put(pmu, "PMCR_EL0", 0, E | D);
    armpmu_post(pmu, ARMPMU_SIGNAL_CPU_CYCLES, 63);
    assert_int_equal(get(pmu, "PMCCNTR_EL0", 0), 0);
    armpmu_post(pmu, ARMPMU_SIGNAL_CPU_CYCLES, 66);
    assert_int_equal(get(pmu, "PMCCNTR_EL0", 0), 2);
    put(pmu, "PMCR_EL0", 0, E | D | LC);
    armpmu_post(pmu, ARMPMU_SIGNAL_CPU_CYCLES, 63);
    assert_int_equal(get(pmu, "PMCCNTR_EL0", 0), 65);
}

/* Counter 0 counts instructions, the others software increments; HPMN is 3. */
TEST(software_increments_reach_their_counters)
{
    struct armpmu *const pmu = make(6);

    armpmu_set_pin(pmu, ARMPMU_PIN_MDCR_EL2, HPME | 3);
    put(pmu, "PMEVTYPER<n>_EL0", 0, INST);
    put(pmu, "PMCNTENSET_EL0", 0, 0x1f);
    put(pmu, "PMCR_EL0", 0, E);
    assert_int_equal(armpmu_write(pmu, pmuv3_at("PMSWINC", 0, false), UINT32_MAX), ARMPMU_DONE);
    static const uint64_t from_el1[] = {0, 1, 1, 0, 0, 0};
    for (unsigned n = 0; n < 6; n++)
        assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", n), from_el1[n]);

    go(pmu, n2); /* their filters do not count in EL2 */
    assert_int_equal(armpmu_write(pmu, pmuv3_at("PMSWINC", 0, false), UINT32_MAX), ARMPMU_DONE);
    assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 1), 1);
    put(pmu, "PMEVTYPER<n>_EL0", 3, NSH);
    assert_int_equal(armpmu_write(pmu, pmuv3_at("PMSWINC", 0, false), UINT32_MAX), ARMPMU_DONE);
    assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 3), 1);
    armpmu_post(pmu, ARMPMU_SIGNAL_SW_INCREMENT, 9);
    assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 3), 1);
}

/* Counter 1 chains to counter 0; 3 is odd without CHAIN; 5 chains to 4, not to 3. */
TEST(an_odd_counter_chains_to_the_one_before)
{
    struct armpmu *const pmu = make(6);

    for (unsigned n = 0; n < 5; n += 2) {
        put(pmu, "PMEVTYPER<n>_EL0", n, INST);
        put(pmu, "PMEVCNTR<n>_EL0", n, n == 4 ? 0 : UINT32_MAX);
    }
    put(pmu, "PMEVTYPER<n>_EL0", 1, CHAIN);
    put(pmu, "PMEVTYPER<n>_EL0", 3, INST);
    put(pmu, "PMEVCNTR<n>_EL0", 3, UINT32_MAX);
    put(pmu, "PMEVTYPER<n>_EL0", 5, CHAIN);
    put(pmu, "PMCNTENSET_EL0", 0, 0x3f);
    put(pmu, "PMCR_EL0", 0, E);
    armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 1);
    assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 1), 1);
    assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 3), UINT64_C(0x100000000));
    assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 5), 0);
    assert_int_equal(get(pmu, "PMOVSSET_EL0", 0), 0x0d);

    put(pmu, "PMEVTYPER<n>_EL0", 4, CHAIN); /* even: chains to nothing */
    put(pmu, "PMEVCNTR<n>_EL0", 3, UINT32_MAX);
    put(pmu, "PMEVCNTR<n>_EL0", 4, 0);
    armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 1);
    assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 3), UINT64_C(0x100000000));
    assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 4), 0);

    put(pmu, "PMEVCNTR<n>_EL0", 0, UINT32_MAX);
    put(pmu, "PMEVTYPER<n>_EL0", 1, P | CHAIN); /* not in EL1 */
    armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 1);
    assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 1), 1);

    put(pmu, "PMEVCNTR<n>_EL0", 0, UINT32_MAX);
    put(pmu, "PMEVTYPER<n>_EL0", 1, CHAIN);
    put(pmu, "PMCNTENCLR_EL0", 0, 2);
    armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 1);
    assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 1), 1);
}

/* A pair of 64 bits from two of 32: one post may wrap the lower half once. */
TEST(a_chain_counts_on_from_post_to_post)
{
    struct armpmu *const pmu = make(4);

    put(pmu, "PMEVTYPER<n>_EL0", 2, INST);
    put(pmu, "PMEVTYPER<n>_EL0", 3, CHAIN);
    put(pmu, "PMCNTENSET_EL0", 0, 0xc);
    put(pmu, "PMCR_EL0", 0, E);
    for (unsigned i = 0; i < 5; i++)
        armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 0xf0000000);
    const uint64_t all = get(pmu, "PMEVCNTR<n>_EL0", 3) << 32 | get(pmu, "PMEVCNTR<n>_EL0", 2);
    assert_int_equal(all, UINT64_C(5) * 0xf0000000);
}

/* Counters 0 and 4 overflow; LP is of the first, HLP of the second, which is EL2's. Either makes 64
 * bits of its counters, and then nothing is chained. */
TEST(no_counter_of_64_bits_is_chained)
{
    static const struct {
        int line;
        unsigned control;
        uint64_t mdcr_el2, from_0, from_4;
    } cases[] = {
        {__LINE__, 0, 0, 1, 1},
        {__LINE__, LP, 0, 0, 1},
        {__LINE__, 0, HLP, 1, 0},
        {__LINE__, LP, HLP, 0, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct armpmu *const pmu = make(6);
        armpmu_set_pin(pmu, ARMPMU_PIN_MDCR_EL2, HPME | 4 | cases[i].mdcr_el2);
        for (unsigned n = 0; n < 5; n += 4) {
            put(pmu, "PMEVTYPER<n>_EL0", n, INST);
            put(pmu, "PMEVTYPER<n>_EL0", n + 1, CHAIN);
            put(pmu, "PMEVCNTR<n>_EL0", n, UINT64_MAX);
        }
        put(pmu, "PMCNTENSET_EL0", 0, 0x33);
        put(pmu, "PMCR_EL0", 0, E | cases[i].control);
        armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 1);
        assert_int_equal(get(pmu, "PMOVSSET_EL0", 0), 0x11);
        if (get(pmu, "PMEVCNTR<n>_EL0", 1) != cases[i].from_0 ||
            get(pmu, "PMEVCNTR<n>_EL0", 5) != cases[i].from_4)
            fail_msg("line %d", cases[i].line);
    }
}

/* --- The interrupt line ----------------------------------------------------------------------- */

TEST(the_line_is_a_level)
{
    static const struct {
        int line;
        uint64_t mdcr_el2, flags, enabled;
        unsigned control;
        bool asserted;
    } cases[] = {
        {__LINE__, 0, 0x01, 0x01, E, true},
        {__LINE__, 0, 0x01, 0x01, 0, false},
        {__LINE__, 0, 0x01, 0x02, E, false},
        {__LINE__, 0, 0x00, 0x3f, E, false},
        {__LINE__, 0, 0x22, 0x20, E, true},
        {__LINE__, 0, 0x80000000, 0x80000000, E, true},
        {__LINE__, 0, 0x80000000, 0x80000000, 0, false},
        {__LINE__, 5, 0x20, 0x20, E, false},
        {__LINE__, RANGES, 0x20, 0x20, E, true},
        {__LINE__, RANGES, 0x20, 0x20, 0, true},
        {__LINE__, RANGES, 0x10, 0x10, 0, false},
        {__LINE__, RANGES, 0x80000000, 0x80000000, 0, false},
        {__LINE__, RANGES, 0x30, 0x30, 0, true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct armpmu *const pmu = make(6);
        armpmu_set_pin(pmu, ARMPMU_PIN_MDCR_EL2, cases[i].mdcr_el2);
        put(pmu, "PMOVSSET_EL0", 0, cases[i].flags);
        put(pmu, "PMINTENSET_EL1", 0, cases[i].enabled);
        put(pmu, "PMCR_EL0", 0, cases[i].control);
        if (armpmu_output(pmu, ARMPMU_OUTPUT_PMUIRQ) != cases[i].asserted)
            fail_msg("line %d", cases[i].line);
        put(pmu, "PMOVSCLR_EL0", 0, cases[i].flags);
        assert_false(armpmu_output(pmu, ARMPMU_OUTPUT_PMUIRQ));
    }
}

TEST(an_overflow_raises_the_line_at_once)
{
    struct armpmu *const pmu = make(6);

    put(pmu, "PMCNTENSET_EL0", 0, 0x80000000);
    put(pmu, "PMINTENSET_EL1", 0, 0x80000000);
    put(pmu, "PMCCNTR_EL0", 0, UINT32_MAX - 9);
    put(pmu, "PMCR_EL0", 0, E);
    for (unsigned clock = 1; clock <= 20; clock++) {
        armpmu_post(pmu, ARMPMU_SIGNAL_CPU_CYCLES, 1);
        assert_int_equal(armpmu_output(pmu, ARMPMU_OUTPUT_PMUIRQ), clock >= 10);
    }
    put(pmu, "PMINTENCLR_EL1", 0, 0x80000000);
    assert_false(armpmu_output(pmu, ARMPMU_OUTPUT_PMUIRQ));
    put(pmu, "PMINTENSET_EL1", 0, 0x80000000);
    assert_true(armpmu_output(pmu, ARMPMU_OUTPUT_PMUIRQ));
    armpmu_set_pin(pmu, ARMPMU_PIN_MDCR_EL2, 5);
    assert_true(armpmu_output(pmu, ARMPMU_OUTPUT_PMUIRQ));
    put(pmu, "PMCR_EL0", 0, 0);
    assert_false(armpmu_output(pmu, ARMPMU_OUTPUT_PMUIRQ));
}

/* --- Events put out --------------------------------------------------------------------------- */

struct listener {
    union armpmu_memory memory;
    struct armpmu *pmu;
    unsigned instructions, speculated, others;
};

static void on_exported(void *user, const struct armpmu_event *event, uint32_t n)
{
    struct listener *const listener = user;

    if (event->first == 0x08)
        listener->instructions += n;
    else if (event->first == 0x1b)
        listener->speculated += n;
    else
        listener->others += n;
}

TEST(events_are_put_out_where_they_may_be_counted)
{
    static const struct {
        int line;
        const struct place *place;
        unsigned control;
        uint64_t mdcr_el2, mdcr_el3;
        unsigned n;
    } cases[] = {
        {__LINE__, &n1, 1u << 4, 0, 0, 7},  {__LINE__, &n1, 0, 0, 0, 0},
        {__LINE__, &s1, 1u << 4, 0, 0, 0},  {__LINE__, &s1, 1u << 4, 0, SPME, 7},
        {__LINE__, &n2, 1u << 4, 0, 0, 7},  {__LINE__, &n2, 1u << 4, HPMD, 0, 0},
        {__LINE__, &el3, 1u << 4, 0, 0, 0},
    };
    static struct listener listener;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct armpmu_config config = {
            .core = "neoverse-n2", .exported = on_exported, .user = &listener};
        memset(&listener, 0, sizeof listener);
        assert_int_equal(
            armpmu_create(&listener.memory, sizeof listener.memory, &config, &listener.pmu, NULL),
            ARMPMU_OK);
        armpmu_set_pin(listener.pmu, ARMPMU_PIN_MDCR_EL2, cases[i].mdcr_el2);
        armpmu_set_pin(listener.pmu, ARMPMU_PIN_MDCR_EL3, cases[i].mdcr_el3);
        put(listener.pmu, "PMCR_EL0", 0, cases[i].control);
        go(listener.pmu, *cases[i].place);
        armpmu_post(listener.pmu, ARMPMU_SIGNAL_INST_RETIRED, 7);
        if (listener.instructions != cases[i].n || listener.speculated != cases[i].n ||
            listener.others != 0)
            fail_msg("line %d: %u", cases[i].line, listener.instructions);
    }
}

/* A rising edge of an input of the N2 is one event. */
TEST(inputs_count_their_edges)
{
    static const struct {
        enum armpmu_pin pin;
        unsigned event;
    } cases[] = {
        {ARMPMU_PIN_TRCEXTOUT0, 0x4010},   {ARMPMU_PIN_TRCEXTOUT1, 0x4011},
        {ARMPMU_PIN_TRCEXTOUT2, 0x4012},   {ARMPMU_PIN_TRCEXTOUT3, 0x4013},
        {ARMPMU_PIN_CTI_TRIGOUT4, 0x4018}, {ARMPMU_PIN_CTI_TRIGOUT5, 0x4019},
        {ARMPMU_PIN_CTI_TRIGOUT6, 0x401a}, {ARMPMU_PIN_CTI_TRIGOUT7, 0x401b},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct armpmu *const pmu = make(6);
        put(pmu, "PMEVTYPER<n>_EL0", 0, cases[i].event);
        put(pmu, "PMCNTENSET_EL0", 0, 1);
        put(pmu, "PMCR_EL0", 0, E);
        for (unsigned n = 0; n < 3; n++) {
            armpmu_set_pin(pmu, cases[i].pin, 1);
            armpmu_set_pin(pmu, cases[i].pin, 1);
            armpmu_set_pin(pmu, cases[i].pin, 0);
        }
        assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 0), 3);
    }
}

/* --- Snapshots -------------------------------------------------------------------------------- */

/* Goes on in the middle of a divided clock, of a chain and of a frozen range. */
TEST(a_snapshot_goes_on_where_it_was_taken)
{
    static union armpmu_memory snapshot;
    struct armpmu *const pmu = make(7);

    armpmu_set_pin(pmu, ARMPMU_PIN_MDCR_EL2, HPMFZO | RANGES);
    put(pmu, "PMEVTYPER<n>_EL0", 0, INST);
    put(pmu, "PMEVTYPER<n>_EL0", 1, CHAIN);
    put(pmu, "PMEVTYPER<n>_EL0", 5, INST);
    put(pmu, "PMEVCNTR<n>_EL0", 0, UINT32_MAX - 5);
    put(pmu, "PMCNTENSET_EL0", 0, 0x80000023);
    put(pmu, "PMOVSSET_EL0", 0, 0x20);
    put(pmu, "PMCR_EL0", 0, E | D);
    armpmu_post(pmu, ARMPMU_SIGNAL_CPU_CYCLES, 63);
    armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 5);
    armpmu_snapshot(pmu, &snapshot);
    for (unsigned again = 0; again < 2; again++) {
        armpmu_post(pmu, ARMPMU_SIGNAL_CPU_CYCLES, 1);
        armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 1);
        assert_int_equal(get(pmu, "PMCCNTR_EL0", 0), 1);
        assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 0), UINT64_C(0x100000000));
        assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 1), 1);
        assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 5), 0);
        assert_int_equal(get(pmu, "PMOVSSET_EL0", 0), 0x21);
        put(pmu, "PMOVSCLR_EL0", 0, 0x21);
        armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 1);
        assert_int_equal(get(pmu, "PMEVCNTR<n>_EL0", 5), 1);
        armpmu_set_pin(pmu, ARMPMU_PIN_MDCR_EL2, 0);
        armpmu_reset(pmu, ARMPMU_RESET_COLD);
        assert_int_equal(armpmu_restore(pmu, &snapshot, armpmu_snapshot_bytes(pmu), NULL),
                         ARMPMU_OK);
    }
}

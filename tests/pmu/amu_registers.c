/* The registers of the activity monitors: every encoding of every space, the shapes that a
 * configuration gives, fields, resets, and configurations that cannot be. */
#include "../test.h"

#include <string.h>

#include "amu_bench.h"

/* --- Every encoding -------------------------------------------------------------------------- */

/* A run of op2 (op1 for MRRC): what a read and a write from EL3 come to. What no row names does not
 * belong to the unit. */
struct run {
    unsigned op1, crm, first, last;
    char read, write;
};

/* S3_<op1>_C13_C<crm>_<op2> */
static const struct run msr_full[] = {
    {3, 2, 0, 0, 'D', 'D'}, /* AMCR_EL0 */
    {3, 2, 1, 2, 'D', 'U'}, /* AMCFGR_EL0, AMCGCR_EL0 */
    {3, 2, 3, 5, 'D', 'D'}, /* AMUSERENR_EL0, AMCNTENCLR0_EL0, AMCNTENSET0_EL0 */
    {3, 2, 6, 6, 'D', 'U'}, /* AMCG1IDR_EL0 */
    {3, 2, 7, 7, 'U', 'U'},  {3, 3, 0, 1, 'D', 'D'}, /* AMCNTENCLR1_EL0, AMCNTENSET1_EL0 */
    {3, 3, 2, 7, 'U', 'U'},  {3, 4, 0, 3, 'D', 'D'}, /* AMEVCNTR00 to 03 */
    {3, 4, 4, 7, 'U', 'U'},  {3, 5, 0, 7, 'U', 'U'},
    {3, 6, 0, 3, 'D', 'U'}, /* AMEVTYPER00 to 03 */
    {3, 6, 4, 7, 'U', 'U'},  {3, 7, 0, 7, 'U', 'U'},
    {3, 12, 0, 7, 'D', 'D'}, /* AMEVCNTR10 to 17 */
    {3, 13, 0, 7, 'D', 'D'}, /* AMEVCNTR18 to 115 */
    {3, 14, 0, 7, 'D', 'D'}, /* AMEVTYPER10 to 17 */
    {3, 15, 0, 7, 'D', 'D'}, /* AMEVTYPER18 to 115 */
    {4, 8, 0, 0, 'D', 'D'},  /* AMEVCNTVOFF00 */
    {4, 8, 1, 1, 'U', 'U'},  /* the constant counter has no offset */
    {4, 8, 2, 3, 'D', 'D'},  /* AMEVCNTVOFF02, 03 */
    {4, 8, 4, 7, 'U', 'U'},  {4, 9, 0, 7, 'U', 'U'},
    {4, 10, 0, 7, 'D', 'D'}, /* AMEVCNTVOFF10 to 17 */
    {4, 11, 0, 7, 'D', 'D'}, /* AMEVCNTVOFF18 to 115 */
};

/* Without FEAT_AMUv1p1 and with three auxiliary counters, of which the second is fixed. */
static const struct run msr_three[] = {
    {3, 2, 0, 0, 'D', 'D'},  {3, 2, 1, 2, 'D', 'U'},  {3, 2, 3, 5, 'D', 'D'},
    {3, 2, 6, 7, 'U', 'U'},  {3, 3, 0, 1, 'D', 'D'},  {3, 3, 2, 7, 'U', 'U'},
    {3, 4, 0, 3, 'D', 'D'},  {3, 4, 4, 7, 'U', 'U'},  {3, 5, 0, 7, 'U', 'U'},
    {3, 6, 0, 3, 'D', 'U'},  {3, 6, 4, 7, 'U', 'U'},  {3, 7, 0, 7, 'U', 'U'},
    {3, 12, 0, 2, 'D', 'D'}, {3, 12, 3, 7, 'U', 'U'}, {3, 13, 0, 7, 'U', 'U'},
    {3, 14, 0, 0, 'D', 'D'}, {3, 14, 1, 1, 'D', 'U'}, {3, 14, 2, 2, 'D', 'D'},
    {3, 14, 3, 7, 'U', 'U'}, {3, 15, 0, 7, 'U', 'U'}, {4, 8, 0, 7, 'U', 'U'},
    {4, 9, 0, 7, 'U', 'U'},  {4, 10, 0, 7, 'U', 'U'}, {4, 11, 0, 7, 'U', 'U'},
};

/* The architected counters alone. */
static const struct run msr_none[] = {
    {3, 2, 0, 0, 'D', 'D'},  {3, 2, 1, 2, 'D', 'U'},  {3, 2, 3, 5, 'D', 'D'},
    {3, 2, 6, 7, 'U', 'U'},  {3, 3, 0, 7, 'U', 'U'},  {3, 4, 0, 3, 'D', 'D'},
    {3, 4, 4, 7, 'U', 'U'},  {3, 5, 0, 7, 'U', 'U'},  {3, 6, 0, 3, 'D', 'U'},
    {3, 6, 4, 7, 'U', 'U'},  {3, 7, 0, 7, 'U', 'U'},  {3, 12, 0, 7, 'U', 'U'},
    {3, 13, 0, 7, 'U', 'U'}, {3, 14, 0, 7, 'U', 'U'}, {3, 15, 0, 7, 'U', 'U'},
    {4, 8, 0, 7, 'U', 'U'},  {4, 9, 0, 7, 'U', 'U'},  {4, 10, 0, 7, 'U', 'U'},
    {4, 11, 0, 7, 'U', 'U'},
};

/* A map with gaps: counters 0, 5 and 15; offsets for 5 and 15. */
static const struct run msr_sparse[] = {
    {3, 2, 0, 0, 'D', 'D'},  {3, 2, 1, 2, 'D', 'U'},  {3, 2, 3, 5, 'D', 'D'},
    {3, 2, 6, 6, 'D', 'U'},  {3, 2, 7, 7, 'U', 'U'},  {3, 3, 0, 1, 'D', 'D'},
    {3, 3, 2, 7, 'U', 'U'},  {3, 4, 0, 3, 'D', 'D'},  {3, 4, 4, 7, 'U', 'U'},
    {3, 5, 0, 7, 'U', 'U'},  {3, 6, 0, 3, 'D', 'U'},  {3, 6, 4, 7, 'U', 'U'},
    {3, 7, 0, 7, 'U', 'U'},  {3, 12, 0, 0, 'D', 'D'}, {3, 12, 1, 4, 'U', 'U'},
    {3, 12, 5, 5, 'D', 'D'}, {3, 12, 6, 7, 'U', 'U'}, {3, 13, 0, 6, 'U', 'U'},
    {3, 13, 7, 7, 'D', 'D'}, {3, 14, 0, 0, 'D', 'D'}, {3, 14, 1, 4, 'U', 'U'},
    {3, 14, 5, 5, 'D', 'D'}, {3, 14, 6, 7, 'U', 'U'}, {3, 15, 0, 6, 'U', 'U'},
    {3, 15, 7, 7, 'D', 'D'}, {4, 8, 0, 0, 'D', 'D'},  {4, 8, 1, 1, 'U', 'U'},
    {4, 8, 2, 3, 'D', 'D'},  {4, 8, 4, 7, 'U', 'U'},  {4, 9, 0, 7, 'U', 'U'},
    {4, 10, 0, 4, 'U', 'U'}, {4, 10, 5, 5, 'D', 'D'}, {4, 10, 6, 7, 'U', 'U'},
    {4, 11, 0, 6, 'U', 'U'}, {4, 11, 7, 7, 'D', 'D'},
};

/* p15, 0, c13, c<crm>, <opc2> */
static const struct run mcr_full[] = {
    {0, 2, 0, 0, 'D', 'D'},  {0, 2, 1, 2, 'D', 'U'}, {0, 2, 3, 5, 'D', 'D'},
    {0, 2, 6, 7, 'U', 'U'}, /* AMCG1IDR has no AArch32 form */
    {0, 3, 0, 1, 'D', 'D'},  {0, 3, 2, 7, 'U', 'U'}, {0, 6, 0, 3, 'D', 'U'},
    {0, 6, 4, 7, 'U', 'U'},  {0, 7, 0, 7, 'U', 'U'}, {0, 14, 0, 7, 'D', 'D'},
    {0, 15, 0, 7, 'D', 'D'},
};

/* p15, <opc1>, c<crm> */
static const struct run mrrc_full[] = {
    {0, 0, 0, 3, 'D', 'D'}, {0, 0, 4, 7, 'U', 'U'}, {0, 1, 0, 7, 'U', 'U'},
    {0, 4, 0, 7, 'D', 'D'}, {0, 5, 0, 7, 'D', 'D'},
};

static char expected_in(const struct run *runs, size_t n_runs, unsigned op1, unsigned crm,
                        unsigned op2, bool write)
{
    for (size_t i = 0; i < n_runs; i++)
        if (runs[i].op1 == op1 && runs[i].crm == crm && op2 >= runs[i].first && op2 <= runs[i].last)
            return write ? runs[i].write : runs[i].read;
    return '-';
}

static void check_encoding(struct amu_bench *bench, struct armpmu_encoding at, char read,
                           char write)
{
    uint64_t value = 0x5eed;
    const char got_read = amu_letter(armpmu_read(bench->pmu, at, &value));
    const char got_write = amu_letter(armpmu_write(bench->pmu, at, 0));

    if (got_read != read || got_write != write)
        fail_msg("%s space %u op1 %u CRn %u CRm %u op2 %u: read %c, want %c; write %c, want %c",
                 armpmu_access_name(at.access), at.coproc, at.op1, at.crn, at.crm, at.op2, got_read,
                 read, got_write, write);
    if (read != 'D')
        assert_int_equal(value, 0x5eed);
    assert_int_equal(amu_letter(armpmu_try(bench->pmu, at, false)), read);
    assert_int_equal(amu_letter(armpmu_try(bench->pmu, at, true)), write);
}

/* All 65536 encodings of MRS and MSR with op0 0 to 3. */
static void check_msr(struct armpmu_amu_config config, const struct run *runs, size_t n_runs)
{
    struct amu_bench *const bench = amu_start(config);

    amu_go(bench, EL3_A64, "");
    for (unsigned i = 0; i < 1u << 16; i++) {
        const struct armpmu_encoding at = {
            ARMPMU_ACCESS_MSR, i >> 14 & 3, i >> 11 & 7, i >> 7 & 15, i >> 3 & 15, i & 7, 0};
        const bool ours = at.coproc == 3 && at.crn == 13;
        check_encoding(bench, at,
                       ours ? expected_in(runs, n_runs, at.op1, at.crm, at.op2, false) : '-',
                       ours ? expected_in(runs, n_runs, at.op1, at.crm, at.op2, true) : '-');
    }
}

#define CHECK_MSR(config, runs) check_msr(config, runs, sizeof(runs) / sizeof(runs)[0])

static struct armpmu_amu_config three(void)
{
    return (struct armpmu_amu_config){
        .group1_counters = 3, .group1_fixed = 0x0002, .group1_events = {0x0300, 0x0301, 0x0302}};
}

static struct armpmu_amu_config sparse(void)
{
    return (struct armpmu_amu_config){
        .v1p1 = true, .group1_counters = 16, .group1_map = 0x8021, .group1_offsets = 0x8020};
}

TEST(every_mrs_and_msr_encoding)
{
    CHECK_MSR(amu_full(), msr_full);
    CHECK_MSR(three(), msr_three);
    CHECK_MSR((struct armpmu_amu_config){0}, msr_none);
    CHECK_MSR(sparse(), msr_sparse);
}

/* All encodings of MRC and MCR of coprocessors 14 and 15. */
TEST(every_mrc_and_mcr_encoding)
{
    struct amu_bench *const bench = amu_start(amu_full());

    amu_go(bench, EL3_A32, "");
    for (unsigned i = 0; i < 1u << 15; i++) {
        const struct armpmu_encoding at = {
            ARMPMU_ACCESS_MCR, 14 + (i >> 14), i >> 11 & 7, i >> 7 & 15, i >> 3 & 15, i & 7, 0};
        const bool ours = at.coproc == 15 && at.crn == 13;
        const size_t n = sizeof mcr_full / sizeof mcr_full[0];
        check_encoding(bench, at,
                       ours ? expected_in(mcr_full, n, at.op1, at.crm, at.op2, false) : '-',
                       ours ? expected_in(mcr_full, n, at.op1, at.crm, at.op2, true) : '-');
    }
}

TEST(every_mrrc_and_mcrr_encoding)
{
    struct amu_bench *const bench = amu_start(amu_full());

    amu_go(bench, EL3_A32, "");
    for (unsigned i = 0; i < 1u << 12; i++) {
        const struct armpmu_encoding at = {
            ARMPMU_ACCESS_MCRR, i >> 8, i >> 4 & 15, 0, i & 15, 0, 0};
        const size_t n = sizeof mrrc_full / sizeof mrrc_full[0];
        const bool ours = at.coproc == 15;
        check_encoding(bench, at, ours ? expected_in(mrrc_full, n, 0, at.crm, at.op1, false) : '-',
                       ours ? expected_in(mrrc_full, n, 0, at.crm, at.op1, true) : '-');
    }
}

/* One copy of the state: what MSR writes MRC reads, and the other way round. */
TEST(both_states_share_the_registers)
{
    struct amu_bench *const bench = amu_start(amu_full());
    unsigned count = 0;
    uint64_t value = 0;

    for (size_t i = 0; amu_name(i, &count) != NULL; i++)
        for (unsigned n = 0; n < count; n++) {
            const char *const name = amu_name(i, &count);
            const struct armpmu_encoding at = amu_at(name, n, true);
            if (at.access == ARMPMU_ACCESS_EXT32)
                continue;
            amu_go(bench, EL3_A64, "");
            (void)armpmu_write(bench->pmu, amu_at(name, n, false),
                               UINT64_C(0x0123456789abcdef) * (n + 1));
            const uint64_t expected = amu_get(bench, name, n);
            amu_go(bench, EL3_A32, "");
            armpmu_poke(bench->pmu,
                        armpmu_register_find(armpmu_core_of(bench->pmu), "AMUSERENR", NULL), 0,
                        strcmp(name, "AMUSERENR") == 0);
            assert_int_equal(armpmu_read(bench->pmu, at, &value), ARMPMU_DONE);
            assert_int_equal(value, expected);
        }
    amu_go(bench, EL3_A32, "");
    assert_int_equal(armpmu_mcrr(bench->pmu, 15, 3, 5, UINT64_C(0xfedcba9876543210)), ARMPMU_DONE);
    assert_int_equal(amu_get(bench, "AMEVCNTR1", 11), UINT64_C(0xfedcba9876543210));
}

/* --- Values ---------------------------------------------------------------------------------- */

/* A configuration and the constants that follow from it. */
TEST(constants_follow_from_the_configuration)
{
    static const struct {
        int line;
        struct armpmu_amu_config config;
        uint64_t cfgr, cgcr, cg1idr;
    } cases[] = {
        {__LINE__, {.v1p1 = false}, 0x01003f03, 0x0004, 0},
        {__LINE__, {.v1p1 = true}, 0x01003f03, 0x0004, 0},
        {__LINE__, {.group1_counters = 1}, 0x11003f04, 0x0104, 0},
        {__LINE__, {.group1_counters = 3}, 0x11003f06, 0x0304, 0},
        {__LINE__, {.group1_counters = 16}, 0x11003f13, 0x1004, 0},
        {__LINE__, {.v1p1 = true, .group1_counters = 3}, 0x11003f06, 0x0304, 0x0007},
        {__LINE__,
         {.v1p1 = true, .group1_counters = 3, .group1_offsets = 5},
         0x11003f06,
         0x0304,
         0x00050007},
        {__LINE__, {.v1p1 = true, .group1_map = 0x8021}, 0x11003f06, 0x0304, 0x8021},
        {__LINE__,
         {.v1p1 = true, .group1_counters = 16, .group1_map = 0x8021, .group1_offsets = 0x8020},
         0x11003f06,
         0x0304,
         0x80208021},
        {__LINE__,
         {.v1p1 = true, .group1_map = 0xffff, .group1_offsets = 0xffff},
         0x11003f13,
         0x1004,
         0xffffffff},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct amu_bench *const bench = amu_start(cases[i].config);
        if (amu_get(bench, "AMCFGR", 0) != cases[i].cfgr ||
            amu_get(bench, "AMCGCR", 0) != cases[i].cgcr ||
            (cases[i].config.v1p1 && amu_get(bench, "AMCG1IDR", 0) != cases[i].cg1idr))
            fail_msg("line %d: AMCFGR %llx, AMCGCR %llx", cases[i].line,
                     (unsigned long long)amu_get(bench, "AMCFGR", 0),
                     (unsigned long long)amu_get(bench, "AMCGCR", 0));
    }
}

/* Seed and manual: 0x0011, 0x4004, 0x0008, 0x4005. */
TEST(architected_events_are_constant)
{
    static const uint64_t events[] = {0x0011, 0x4004, 0x0008, 0x4005};
    struct amu_bench *const bench = amu_start(amu_full());

    for (unsigned n = 0; n < 4; n++)
        assert_int_equal(amu_get(bench, "AMEVTYPER0", n), events[n]);
    armpmu_reset(bench->pmu, ARMPMU_RESET_WARM);
    for (unsigned n = 0; n < 4; n++)
        assert_int_equal(amu_get(bench, "AMEVTYPER0", n), events[n]);
}

/* All ones written, then all zeros: the bits that stay, by hand. */
TEST(reserved_bits_read_as_zero)
{
    static const struct {
        int line;
        const char *name;
        uint64_t ones, zeros; /* what is read after writing all ones, and all zeros then */
    } cases[] = {
        {__LINE__, "AMCR", 0x20400, 0},
        {__LINE__, "AMUSERENR", 1, 0},
        {__LINE__, "AMCNTENSET0", 0xf, 0xf},
        {__LINE__, "AMCNTENCLR0", 0, 0},
        {__LINE__, "AMCNTENSET1", 0xffff, 0xffff},
        {__LINE__, "AMCNTENCLR1", 0, 0},
        {__LINE__, "AMEVCNTR0", UINT64_MAX, 0},
        {__LINE__, "AMEVCNTR1", UINT64_MAX, 0},
        {__LINE__, "AMEVTYPER1", 0xffff, 0},
        {__LINE__, "AMEVCNTVOFF0", UINT64_MAX, 0},
        {__LINE__, "AMEVCNTVOFF1", UINT64_MAX, 0},
    };
    struct amu_bench *const bench = amu_start(amu_full());

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        amu_set(bench, cases[i].name, 0, UINT64_MAX);
        if (amu_get(bench, cases[i].name, 0) != cases[i].ones)
            fail_msg("line %d: %s after all ones", cases[i].line, cases[i].name);
        amu_set(bench, cases[i].name, 0, 0);
        if (amu_get(bench, cases[i].name, 0) != cases[i].zeros)
            fail_msg("line %d: %s after all zeros", cases[i].line, cases[i].name);
    }
}

TEST(bits_of_what_is_not_there_read_as_zero)
{
    struct amu_bench *bench = amu_start(three());

    amu_set(bench, "AMCR", 0, UINT64_MAX);
    assert_int_equal(amu_get(bench, "AMCR", 0), 0x400); /* CG1RZ is of v1p1 */
    amu_set(bench, "AMCNTENSET1", 0, UINT64_MAX);
    assert_int_equal(amu_get(bench, "AMCNTENSET1", 0), 0x7);
    assert_int_equal(amu_get(bench, "AMCNTENCLR1", 0), 0x7);

    bench = amu_start(sparse());
    amu_set(bench, "AMCNTENSET1", 0, UINT64_MAX);
    assert_int_equal(amu_get(bench, "AMCNTENSET1", 0), 0x8021);
    amu_set(bench, "AMCNTENCLR1", 0, 0x8001);
    assert_int_equal(amu_get(bench, "AMCNTENSET1", 0), 0x0020);

    struct armpmu_amu_config config = amu_full();
    config.without_el2 = true; /* EL3 finds the offsets, as zero */
    bench = amu_start(config);
    amu_set(bench, "AMEVCNTVOFF0", 0, UINT64_MAX);
    assert_int_equal(amu_get(bench, "AMEVCNTVOFF0", 0), 0);
    amu_set(bench, "AMEVCNTVOFF1", 15, UINT64_MAX);
    assert_int_equal(amu_get(bench, "AMEVCNTVOFF1", 15), 0);
}

/* Each bit of the enables, set alone and cleared alone; both registers read alike. */
TEST(enables_are_set_and_cleared_by_bit)
{
    struct amu_bench *const bench = amu_start(amu_full());
    static const struct {
        const char *set, *clear;
        unsigned bits;
    } groups[] = {{"AMCNTENSET0", "AMCNTENCLR0", 4}, {"AMCNTENSET1", "AMCNTENCLR1", 16}};

    for (size_t g = 0; g < 2; g++)
        for (unsigned n = 0; n < groups[g].bits; n++) {
            const uint64_t all = (UINT64_C(1) << groups[g].bits) - 1, bit = UINT64_C(1) << n;
            amu_set(bench, groups[g].clear, 0, all);
            amu_set(bench, groups[g].set, 0, bit);
            assert_int_equal(amu_get(bench, groups[g].set, 0), bit);
            assert_int_equal(amu_get(bench, groups[g].clear, 0), bit);
            amu_set(bench, groups[g].set, 0, all);
            amu_set(bench, groups[g].clear, 0, bit);
            assert_int_equal(amu_get(bench, groups[g].set, 0), all & ~bit);
            assert_int_equal(amu_get(bench, groups[g].clear, 0), all & ~bit);
            assert_int_equal(amu_get(bench, groups[1 - g].set, 0), g == 0 ? 0 : 0xf);
            amu_set(bench, groups[g].set, 0, g == 0 ? 0xf : 0);
        }
    amu_set(bench, "AMCNTENCLR0", 0, 0xf);
    assert_int_equal(amu_get(bench, "AMCNTENSET1", 0), 0x7fff);
}

/* --- Reset ----------------------------------------------------------------------------------- */

/* A register, a value it is given, and what is left of it after a warm and a cold reset. */
TEST(resets_touch_what_the_manual_says)
{
    static const struct {
        int line;
        const char *name;
        unsigned n;
        uint64_t value, warm, cold;
    } cases[] = {
        {__LINE__, "AMCR", 0, 0x20400, 0, 0},
        {__LINE__, "AMUSERENR", 0, 1, 0, 0},
        {__LINE__, "AMCNTENSET0", 0, 0x5, 0x5, 0},
        {__LINE__, "AMCNTENSET1", 0, 0x8001, 0x8001, 0},
        {__LINE__, "AMEVCNTR0", 0, 0x123456789, 0x123456789, 0},
        {__LINE__, "AMEVCNTR0", 3, UINT64_MAX, UINT64_MAX, 0},
        {__LINE__, "AMEVCNTR1", 0, 7, 7, 0},
        {__LINE__, "AMEVCNTR1", 15, 8, 8, 0},
        {__LINE__, "AMEVTYPER1", 0, 0x1111, 0, 0},
        {__LINE__, "AMEVTYPER1", 4, 0x1111, 0x0304, 0x0304},
        {__LINE__, "AMEVCNTVOFF0", 2, 99, 0, 0},
        {__LINE__, "AMEVCNTVOFF1", 15, 99, 0, 0},
    };
    struct armpmu_amu_config config = amu_full();

    config.group1_events[4] = 0x0304;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct amu_bench *const bench = amu_start(config);
        if (amu_get(bench, cases[i].name, cases[i].n) != cases[i].cold)
            fail_msg("line %d: new", cases[i].line);
        amu_set(bench, cases[i].name, cases[i].n, cases[i].value);
        assert_int_equal(amu_get(bench, cases[i].name, cases[i].n), cases[i].value);
        armpmu_reset(bench->pmu, ARMPMU_RESET_WARM);
        if (amu_get(bench, cases[i].name, cases[i].n) != cases[i].warm)
            fail_msg("line %d: warm", cases[i].line);
        armpmu_reset(bench->pmu, ARMPMU_RESET_COLD);
        if (amu_get(bench, cases[i].name, cases[i].n) != cases[i].cold)
            fail_msg("line %d: cold", cases[i].line);
    }
}

/* --- Configurations that cannot be ------------------------------------------------------------ */

TEST(impossible_configurations_are_refused)
{
    static const struct {
        int line;
        struct armpmu_amu_config config;
        const char *message; /* NULL: it can be */
    } cases[] = {
        {__LINE__, {.group1_counters = 16}, NULL},
        {__LINE__, {.group1_counters = 17}, "amu.group1_counters: 17, at most 16"},
        {__LINE__,
         {.group1_map = 0x5},
         "amu.group1_map: 0x5 needs amu.v1p1; without it amu.group1_counters says how many "
         "counters there are"},
        {__LINE__,
         {.group1_counters = 2, .group1_offsets = 1},
         "amu.group1_offsets: 0x1 needs amu.v1p1; without it there are no offsets"},
        {__LINE__, {.v1p1 = true, .group1_map = 0x5, .group1_offsets = 0x4}, NULL},
        {__LINE__, {.v1p1 = true, .group1_map = 0x5, .group1_offsets = 0x6}, NULL},
        {__LINE__, {.v1p1 = true, .group1_counters = 2, .group1_offsets = 0x4}, NULL},
        {__LINE__, {.group1_counters = 1, .group1_fixed = 0xffff}, NULL},
        {__LINE__, {.highest_el = 3, .without_el2 = true}, NULL},
        {__LINE__, {.highest_el = 1, .without_el2 = true}, NULL},
        {__LINE__, {.highest_el = 4}, "amu.highest_el: 4, at most 3"},
        {__LINE__,
         {.highest_el = 2, .without_el2 = true},
         "amu.highest_el: 2 with amu.without_el2; it is 1 then, or 3"},
        {__LINE__, {.external_control = 2}, NULL},
        {__LINE__, {.external_control = 3}, "amu.external_control: 3, at most 2"},
        {__LINE__, {.part = 0xfff}, NULL},
        {__LINE__, {.part = 0x1000}, "amu.part: 0x1000, at most 0xfff"},
        {__LINE__, {.implementer_id = 0xd4f0043b, .part = 0xd4f}, NULL},
        {__LINE__, {.implementer_id = 0xd4f1243b}, NULL},
        {__LINE__,
         {.implementer_id = 0xd4f0043b, .part = 0xd40},
         "amu.part: 0xd40, but amu.implementer_id has the part number 0xd4f in bits 31 to 20; "
         "leave amu.part out"},
        {__LINE__,
         {.implementer_id = 0xd4f00000},
         "amu.implementer_id: 0xd4f00000, whose bits 11 to 0 are no JEP106 code; Arm's is 0x43b"},
        {__LINE__,
         {.implementer_id = 0xd4f004bb},
         "amu.implementer_id: 0xd4f004bb, whose bits 11 to 0 are no JEP106 code; Arm's is 0x43b"},
    };
    static union armpmu_memory memory;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct armpmu_config config = {.core = "amu", .amu = cases[i].config};
        struct armpmu *pmu = NULL;
        struct armpmu_error error = {""};
        const enum armpmu_status status =
            armpmu_create(&memory, sizeof memory, &config, &pmu, &error);
        if (status != (cases[i].message == NULL ? ARMPMU_OK : ARMPMU_BAD_CONFIG))
            fail_msg("line %d: status %d, %s", cases[i].line, (int)status, error.message);
        assert_int_equal(pmu == NULL, cases[i].message != NULL);
        assert_string_equal(error.message, cases[i].message == NULL ? "" : cases[i].message);
    }
}

TEST(a_snapshot_goes_back_to_the_same_configuration_only)
{
    static unsigned char snapshot[ARMPMU_DEVICE_BYTES];
    struct amu_bench *bench = amu_start(three());

    amu_set(bench, "AMEVCNTR1", 2, 77);
    amu_set(bench, "AMCNTENSET0", 0, 0xf);
    assert_true(armpmu_snapshot_bytes(bench->pmu) <= sizeof snapshot);
    armpmu_snapshot(bench->pmu, snapshot);
    bench = amu_start(three());
    assert_int_equal(armpmu_restore(bench->pmu, snapshot, armpmu_snapshot_bytes(bench->pmu), NULL),
                     ARMPMU_OK);
    assert_int_equal(amu_get(bench, "AMEVCNTR1", 2), 77);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_CPU_CYCLES, 5);
    assert_int_equal(amu_get(bench, "AMEVCNTR0", 0), 5);
    bench = amu_start(sparse());
    assert_int_equal(armpmu_restore(bench->pmu, snapshot, armpmu_snapshot_bytes(bench->pmu), NULL),
                     ARMPMU_BAD_INPUT);
    struct armpmu_amu_config other_layout = three();
    other_layout.layout64 = true;
    bench = amu_start(other_layout);
    assert_int_equal(armpmu_restore(bench->pmu, snapshot, armpmu_snapshot_bytes(bench->pmu), NULL),
                     ARMPMU_BAD_INPUT);
}

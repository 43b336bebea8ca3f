/* The memory-mapped view of the activity monitors, byte by byte: the words of both layouts written
 * by hand from the manual's register maps, everything else zero. */
#include "../../test.h"

#include <string.h>

#include "../amu_bench.h"

#define FRAME 4096u

/* A word of the view, little endian. */
struct word {
    uint32_t offset, value;
};

/* Three auxiliary counters, an identity, an affinity. */
static struct armpmu_amu_config three(void)
{
    return (struct armpmu_amu_config){.group1_counters = 3,
                                      .group1_events = {0x0300, 0x0301, 0x0302},
                                      .implementer_id = 0xd4f1243b,
                                      .affinity = UINT64_C(0x0000000a81020300)};
}

/* Counter n of a group holds its own number in every byte pair; all that can be is enabled. */
static struct amu_bench *start_filled(struct armpmu_amu_config config)
{
    struct amu_bench *const bench = amu_start(config);

    for (unsigned n = 0; n < 4; n++)
        amu_set(bench, "AMEVCNTR0", n, UINT64_C(0x0807060504030201) + n);
    for (unsigned n = 0; n < 3; n++)
        amu_set(bench, "AMEVCNTR1", n, UINT64_C(0x1817161514131211) + n);
    amu_set(bench, "AMCNTENSET0", 0, 0xb);
    amu_set(bench, "AMCNTENSET1", 0, 0x5);
    amu_set(bench, "AMCR", 0, 0x400);
    return bench;
}

#define COUNTER_WORDS                                                                              \
    {0x000, 0x04030201}, {0x004, 0x08070605}, {0x008, 0x04030202}, {0x00c, 0x08070605},            \
        {0x010, 0x04030203}, {0x014, 0x08070605}, {0x018, 0x04030204}, {0x01c, 0x08070605},        \
        {0x100, 0x14131211}, {0x104, 0x18171615}, {0x108, 0x14131212}, {0x10c, 0x18171615},        \
        {0x110, 0x14131213},                                                                       \
    {                                                                                              \
        0x114, 0x18171615                                                                          \
    }

#define IDENTITY_WORDS                                                                             \
    {0xce0, 0x00000304}, {0xe00, 0x11003f06}, {0xe08, 0xd4f1243b}, {0xfa8, 0x81020300},            \
        {0xfac, 0x0000000a}, {0xfcc, 0x16}, {0xfd0, 0x04}, {0xfe0, 0x4f}, {0xfe4, 0xbd},           \
        {0xfe8, 0x1b}, {0xfec, 0x20}, {0xff0, 0x0d}, {0xff4, 0x90}, {0xff8, 0x05},                 \
    {                                                                                              \
        0xffc, 0xb1                                                                                \
    }

/* FEAT_AMU_EXT32 */
static const struct word layout32[] = {
    COUNTER_WORDS,   IDENTITY_WORDS,      {0x400, 0x0011}, /* AMEVTYPER0<n>: 0x400 + 4n */
    {0x404, 0x4004}, {0x408, 0x0008},     {0x40c, 0x4005},
    {0x480, 0x0300},                                    /* AMEVTYPER1<n>: 0x480 + 4n */
    {0x484, 0x0301}, {0x488, 0x0302},     {0xc00, 0xb}, /* AMCNTENSET0 */
    {0xc04, 0x5},                                       /* AMCNTENSET1 */
    {0xc20, 0xb},                                       /* AMCNTENCLR0 */
    {0xc24, 0x5},                                       /* AMCNTENCLR1 */
    {0xe04, 0x400},  {0xfbc, 0x47700a66},
};

/* FEAT_AMU_EXT64 */
static const struct word layout64[] = {
    COUNTER_WORDS,   IDENTITY_WORDS,  {0x400, 0x0011}, /* AMEVTYPER0<n>: 0x400 + 8n */
    {0x408, 0x4004}, {0x410, 0x0008}, {0x418, 0x4005},
    {0x500, 0x0300},                                /* AMEVTYPER1<n>: 0x500 + 8n */
    {0x508, 0x0301}, {0x510, 0x0302}, {0xc00, 0xb}, /* AMCNTENSET: group 0 low, group 1 high */
    {0xc04, 0x5},    {0xc10, 0xb},                  /* AMCNTEN */
    {0xc14, 0x5},    {0xc20, 0xb},                  /* AMCNTENCLR */
    {0xc24, 0x5},    {0xe10, 0x400},  {0xfbc, 0x47700a67},
};

static void draw(unsigned char *image, const struct word *words, size_t n_words)
{
    memset(image, 0, FRAME);
    for (size_t i = 0; i < n_words; i++)
        for (unsigned byte = 0; byte < 4; byte++)
            image[words[i].offset + byte] = (unsigned char)(words[i].value >> 8 * byte);
}

/* Every access of every size sees the image. */
static void check_view(struct amu_bench *bench, const unsigned char *image)
{
    for (unsigned bytes = 1; bytes <= 8; bytes *= 2)
        for (uint32_t offset = 0; offset < FRAME; offset += bytes) {
            uint64_t value = 0x5eed, expected = 0;
            for (unsigned i = bytes; i-- > 0;)
                expected = expected << 8 | image[offset + i];
            assert_int_equal(armpmu_load(bench->pmu, offset, bytes, &value), ARMPMU_DONE);
            if (value != expected)
                fail_msg("0x%03x, %u bytes: got 0x%llx, want 0x%llx", offset, bytes,
                         (unsigned long long)value, (unsigned long long)expected);
        }
}

static void store_everywhere(struct amu_bench *bench, uint64_t value)
{
    for (unsigned bytes = 1; bytes <= 8; bytes *= 2)
        for (uint32_t offset = 0; offset < FRAME; offset += bytes)
            assert_int_equal(armpmu_store(bench->pmu, offset, bytes, value), ARMPMU_DONE);
}

static unsigned char image[FRAME];

TEST(the_layout_of_32_bit_registers)
{
    struct amu_bench *const bench = start_filled(three());

    draw(image, layout32, sizeof layout32 / sizeof layout32[0]);
    check_view(bench, image);
    store_everywhere(bench, UINT64_MAX); /* the view is read-only */
    store_everywhere(bench, 0);
    check_view(bench, image);
}

TEST(the_layout_of_64_bit_registers)
{
    struct armpmu_amu_config config = three();

    config.layout64 = true;
    struct amu_bench *const bench = start_filled(config);
    draw(image, layout64, sizeof layout64 / sizeof layout64[0]);
    check_view(bench, image);
    store_everywhere(bench, UINT64_MAX);
    store_everywhere(bench, 0);
    check_view(bench, image);
}

/* The register page of AMEVTYPER0<n>: offset 0x400 + (4 * n), a 32-bit register, RO; evtCount in
 * bits 15 to 0, the others read as zero; RAZ where n is not below AMCGCR.CG0NC. */
TEST(amevtyper0_is_as_its_page_says)
{
    static const struct {
        unsigned n;
        uint64_t value;
    } rows[] = {
        {0, 0x0011}, /* Processor frequency cycles */
        {1, 0x4004}, /* Constant frequency cycles  */
        {2, 0x0008}, /* Instructions retired       */
        {3, 0x4005}, /* Memory stall cycles        */
        {4, 0},      {5, 0},  {6, 0},  {7, 0},  {8, 0},  {9, 0},
        {10, 0},     {11, 0}, {12, 0}, {13, 0}, {14, 0}, {15, 0},
    };
    struct amu_bench *const bench = amu_start(amu_full());
    uint64_t value = 0;

    assert_int_equal(armpmu_load(bench->pmu, 0xce0, 4, &value), ARMPMU_DONE);
    assert_int_equal(value & 0xff, 4); /* AMCGCR.CG0NC */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t offset = 0x400 + 4 * rows[i].n;
        assert_int_equal(armpmu_store(bench->pmu, offset, 4, 0xffffffff), ARMPMU_DONE);
        assert_int_equal(armpmu_load(bench->pmu, offset, 4, &value), ARMPMU_DONE);
        assert_int_equal(value, rows[i].value);
        if (rows[i].n < 4) /* mapped to the System register */
            assert_int_equal(amu_get(bench, "AMEVTYPER0", rows[i].n), rows[i].value);
    }
}

/* Two loads of a word apart see one counter move in between. */
TEST(the_view_shows_counts_as_they_are)
{
    struct amu_bench *const bench = amu_start(amu_full());
    uint64_t value = 0;

    amu_set(bench, "AMCNTENSET0", 0, 1);
    amu_set(bench, "AMEVCNTR0", 0, 0xfffffff0);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_CPU_CYCLES, 0x20);
    assert_int_equal(armpmu_load(bench->pmu, 0, 4, &value), ARMPMU_DONE);
    assert_int_equal(value, 0x10);
    assert_int_equal(armpmu_load(bench->pmu, 4, 4, &value), ARMPMU_DONE);
    assert_int_equal(value, 1);
    armpmu_post(bench->pmu, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    assert_int_equal(armpmu_load(bench->pmu, 0, 8, &value), ARMPMU_DONE);
    assert_int_equal(value, UINT64_C(0x100000011));
}

/* CG1RZ, offsets and traps are for instructions. */
TEST(controls_of_instructions_do_not_act_on_the_view)
{
    struct amu_bench *const bench = amu_start(amu_full());
    uint64_t value = 0;

    amu_set(bench, "AMEVCNTR0", 0, 1000);
    amu_set(bench, "AMEVCNTR1", 0, 2000);
    amu_set(bench, "AMEVCNTVOFF0", 0, 1);
    amu_set(bench, "AMEVCNTVOFF1", 0, 1);
    amu_set(bench, "AMCR", 0, 0x20000);
    amu_go(bench, EL0_A64, "VH VS TAM2 TAM3 F FGTEN");
    assert_int_equal(armpmu_load(bench->pmu, 0x000, 8, &value), ARMPMU_DONE);
    assert_int_equal(value, 1000);
    assert_int_equal(armpmu_load(bench->pmu, 0x100, 8, &value), ARMPMU_DONE);
    assert_int_equal(value, 2000);
}

/* Group 1 absent: its enables, counters and types are holes. */
TEST(what_is_not_there_reads_as_zero)
{
    static const uint32_t holes[] = {0x020, 0x078, 0x100, 0x178, 0x410, 0x43c, 0x480, 0x4bc,
                                     0x500, 0xc04, 0xc10, 0xc24, 0xe08, 0xe10, 0xe40, 0xe44,
                                     0xe48, 0xfb0, 0xfd4, 0xfd8, 0xfdc, 0x800, 0xcfc};
    struct amu_bench *const bench = amu_start((struct armpmu_amu_config){0});
    uint64_t value = 1;

    for (size_t i = 0; i < sizeof holes / sizeof holes[0]; i++) {
        value = 1;
        assert_int_equal(armpmu_load(bench->pmu, holes[i], 4, &value), ARMPMU_DONE);
        assert_int_equal(value, 0);
    }
    assert_int_equal(armpmu_load(bench->pmu, 0xfa8, 4, &value), ARMPMU_DONE);
    assert_int_equal(value, 0x80000000); /* MPIDR_EL1 has bit 31 */
}

/* A map with gaps leaves gaps in the view. */
TEST(gaps_of_group_1_are_gaps_of_the_view)
{
    struct amu_bench *const bench = amu_start((struct armpmu_amu_config){
        .v1p1 = true, .group1_map = 0x8002, .group1_events = {0x11, 0x12, [15] = 0x13, [14] = 9}});
    uint64_t value = 0;

    amu_set(bench, "AMEVCNTR1", 1, 51);
    amu_set(bench, "AMEVCNTR1", 15, 65);
    for (unsigned n = 0; n < 16; n++) {
        assert_int_equal(armpmu_load(bench->pmu, 0x100 + 8 * n, 8, &value), ARMPMU_DONE);
        assert_int_equal(value, n == 1 ? 51 : n == 15 ? 65 : 0);
        assert_int_equal(armpmu_load(bench->pmu, 0x480 + 4 * n, 4, &value), ARMPMU_DONE);
        assert_int_equal(value, n == 1 ? 0x12 : n == 15 ? 0x13 : 0);
    }
}

/* Sizes other than 1, 2, 4, 8; offsets that are no multiple, or outside the frame. */
TEST(other_accesses_are_not_answered)
{
    static const struct {
        uint32_t offset;
        unsigned bytes;
    } cases[] = {
        {0, 0},      {0, 3},          {0, 5},          {0, 6},     {0, 7},
        {0, 16},     {1, 2},          {2, 4},          {3, 2},     {4, 8},
        {0x402, 4},  {0xffc, 8},      {4096, 1},       {4096, 8},  {0x1400, 4},
        {0xffff, 1}, {0x80000000, 4}, {0xfffffff8, 8}, {0xfff, 2}, {0xffe, 4},
    };
    struct amu_bench *const bench = amu_start(amu_full());

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t value = 0x5eed;
        assert_int_equal(armpmu_load(bench->pmu, cases[i].offset, cases[i].bytes, &value),
                         ARMPMU_BUS_FAULT);
        assert_int_equal(value, 0x5eed);
        assert_int_equal(armpmu_store(bench->pmu, cases[i].offset, cases[i].bytes, 0),
                         ARMPMU_BUS_FAULT);
    }
}

TEST(other_cores_have_no_view)
{
    static const char *const names[] = {"cortex-a8", "cortex-r4f", "xscale1", "xscale2"};
    static union armpmu_memory memory;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct armpmu_config config = {.core = names[i]};
        struct armpmu *pmu = NULL;
        uint64_t value = 0x5eed;
        assert_int_equal(armpmu_create(&memory, sizeof memory, &config, &pmu, NULL), ARMPMU_OK);
        assert_int_equal(armpmu_load(pmu, 0, 4, &value), ARMPMU_BUS_FAULT);
        assert_int_equal(armpmu_store(pmu, 0, 4, 0), ARMPMU_BUS_FAULT);
        assert_int_equal(value, 0x5eed);
    }
}

/* The core's power domain: off, everything reads as zero without an error; on again, all is back.
 */
TEST(an_unpowered_view_reads_as_zero)
{
    static unsigned char zero[FRAME];
    struct armpmu_amu_config config = three();
    struct amu_bench *bench = start_filled(config);

    armpmu_set_pin(bench->pmu, ARMPMU_PIN_CORE_POWERED_OFF, 1);
    check_view(bench, zero);
    uint64_t value = 0x5eed;
    assert_int_equal(armpmu_load(bench->pmu, 2, 4, &value), ARMPMU_BUS_FAULT);
    armpmu_set_pin(bench->pmu, ARMPMU_PIN_CORE_POWERED_OFF, 0);
    draw(image, layout32, sizeof layout32 / sizeof layout32[0]);
    check_view(bench, image);

    config.always_powered = true;
    bench = start_filled(config);
    armpmu_set_pin(bench->pmu, ARMPMU_PIN_CORE_POWERED_OFF, 1);
    check_view(bench, image);
}

/* --- Worlds ---------------------------------------------------------------------------------- */

enum { NONSECURE, SECURE, REALM, ROOT };

static uint64_t load(struct amu_bench *bench, unsigned world, uint32_t offset, unsigned bytes)
{
    uint64_t value = 0x5eed;

    armpmu_set_pin(bench->pmu, ARMPMU_PIN_BUS_WORLD, world);
    assert_int_equal(armpmu_load(bench->pmu, offset, bytes, &value), ARMPMU_DONE);
    return value;
}

static void store(struct amu_bench *bench, unsigned world, uint32_t offset, unsigned bytes,
                  uint64_t value)
{
    armpmu_set_pin(bench->pmu, ARMPMU_PIN_BUS_WORLD, world);
    assert_int_equal(armpmu_store(bench->pmu, offset, bytes, value), ARMPMU_DONE);
}

TEST(without_a_control_all_worlds_see_all)
{
    struct amu_bench *const bench = amu_start(amu_full());

    for (unsigned world = NONSECURE; world <= ROOT; world++) {
        assert_int_equal(load(bench, world, 0x400, 4), 0x11);
        assert_int_equal(load(bench, world, 0xe40, 8), 0);
        store(bench, world, 0xe40, 8, UINT64_MAX);
        assert_int_equal(load(bench, world, 0xe40, 8), 0);
        assert_int_equal(load(bench, world, 0xff0, 4), 0x0d);
    }
}

/* AMSCR.NSRA */
TEST(amscr_opens_the_view_to_the_nonsecure_world)
{
    struct armpmu_amu_config config = amu_full();

    for (unsigned layout = 0; layout < 2; layout++) {
        config.external_control = 1;
        config.layout64 = layout;
        struct amu_bench *const bench = amu_start(config);
        assert_int_equal(load(bench, NONSECURE, 0x400, 4), 0);
        assert_int_equal(load(bench, NONSECURE, 0xff0, 4), 0);
        assert_int_equal(load(bench, SECURE, 0x400, 4), 0x11);
        assert_int_equal(load(bench, NONSECURE, 0xe40, 8), 0);
        assert_int_equal(load(bench, REALM, 0xe40, 8), 0);
        assert_int_equal(load(bench, SECURE, 0xe40, 8), 0x80000000);
        assert_int_equal(load(bench, ROOT, 0xe40, 8), 0x80000000);
        store(bench, NONSECURE, 0xe40, 8, UINT64_MAX);
        assert_int_equal(load(bench, SECURE, 0xe40, 8), 0x80000000);
        store(bench, SECURE, 0xe40, 8, UINT64_MAX);
        assert_int_equal(load(bench, SECURE, 0xe40, 8), 0x80000002);
        assert_int_equal(load(bench, NONSECURE, 0x400, 4), 0x11);
        assert_int_equal(load(bench, NONSECURE, 0xff0, 4), 0x0d);
        assert_int_equal(load(bench, NONSECURE, 0xe40, 8), 0); /* never for it */
        assert_int_equal(load(bench, ROOT, 0xe48, 8), 0);      /* there is no AMROOTCR */
        armpmu_reset(bench->pmu, ARMPMU_RESET_WARM);
        assert_int_equal(load(bench, SECURE, 0xe40, 8), 0x80000002);
        armpmu_reset(bench->pmu, ARMPMU_RESET_COLD);
        assert_int_equal(load(bench, SECURE, 0xe40, 8), 0x80000000);
    }
}

/* AMROOTCR.RA: who sees the registers. Reserved values follow the access rules' letter. */
TEST(amrootcr_opens_the_view_world_by_world)
{
    static const struct {
        unsigned ra;
        bool sees[4]; /* Nonsecure, Secure, Realm, Root */
    } cases[] = {
        {0, {false, false, false, true}}, {1, {false, false, true, true}},
        {2, {false, true, false, true}},  {3, {true, true, true, true}},
        {4, {false, true, true, true}},   {5, {false, true, true, true}},
        {6, {false, true, true, true}},   {7, {false, true, true, true}},
    };
    struct armpmu_amu_config config = amu_full();

    config.external_control = 2;
    struct amu_bench *const bench = amu_start(config);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        store(bench, ROOT, 0xe48, 8, (uint64_t)cases[i].ra << 4);
        for (unsigned world = NONSECURE; world <= ROOT; world++) {
            const bool sees = cases[i].sees[world];
            assert_int_equal(load(bench, world, 0x400, 4), sees ? 0x11 : 0);
            assert_int_equal(load(bench, world, 0xfbc, 4), sees ? 0x47700a66 : 0);
            assert_int_equal(load(bench, world, 0xe48, 8),
                             world == ROOT ? 0x80000000 | cases[i].ra << 4 : 0);
            if (world != ROOT)
                store(bench, world, 0xe48, 8, 0x30);
        }
        assert_int_equal(load(bench, ROOT, 0xe48, 8), 0x80000000 | cases[i].ra << 4);
        assert_int_equal(load(bench, ROOT, 0xe40, 8), 0); /* there is no AMSCR */
        armpmu_reset(bench->pmu, ARMPMU_RESET_WARM);
        assert_int_equal(load(bench, ROOT, 0xe48, 8), 0x80000000 | cases[i].ra << 4);
    }
    armpmu_reset(bench->pmu, ARMPMU_RESET_COLD);
    assert_int_equal(load(bench, ROOT, 0xe48, 8), 0x80000000);
}

/* A narrow store changes its lanes and nothing else. */
TEST(narrow_stores_change_their_lanes)
{
    static const struct {
        int line;
        uint32_t offset;
        unsigned bytes;
        uint64_t value, ra; /* what AMROOTCR[6:4] is then */
    } cases[] = {
        {__LINE__, 0xe48, 1, 0x10, 1},       {__LINE__, 0xe49, 1, 0xff, 1},
        {__LINE__, 0xe4a, 2, 0xffff, 1},     {__LINE__, 0xe4c, 4, 0, 1},
        {__LINE__, 0xe48, 2, 0xff20, 2},     {__LINE__, 0xe40, 8, 0, 2},
        {__LINE__, 0xe50, 8, 0, 2},          {__LINE__, 0xe4f, 1, 0x70, 2},
        {__LINE__, 0xe48, 4, 0xffffff8f, 0}, {__LINE__, 0xe48, 8, 0x30, 3},
        {__LINE__, 0xe48, 1, 0xf0, 7},
    };
    struct armpmu_amu_config config = amu_full();

    config.external_control = 2;
    struct amu_bench *const bench = amu_start(config);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        store(bench, ROOT, cases[i].offset, cases[i].bytes, cases[i].value);
        if (load(bench, ROOT, 0xe48, 8) != (0x80000000 | cases[i].ra << 4))
            fail_msg("line %d: 0x%llx", cases[i].line,
                     (unsigned long long)load(bench, ROOT, 0xe48, 8));
        assert_int_equal(load(bench, ROOT, 0xe48, 1), cases[i].ra << 4);
        assert_int_equal(load(bench, ROOT, 0xe4b, 1), 0x80);
    }
}

/* The identification registers repeat the implementer's. */
TEST(the_designer_is_the_implementer)
{
    static const struct {
        int line;
        struct armpmu_amu_config config;
        uint64_t iidr, pidr[5];
    } cases[] = {
        {__LINE__, {.v1p1 = true}, 0, {0x00, 0xb0, 0x0b, 0x00, 0x04}},
        {__LINE__, {.part = 0xd4f}, 0, {0x4f, 0xbd, 0x0b, 0x00, 0x04}},
        {__LINE__, {.implementer_id = 0xd4f1243b}, 0xd4f1243b, {0x4f, 0xbd, 0x1b, 0x20, 0x04}},
        {__LINE__, {.implementer_id = 0x0b23f36c}, 0x0b23f36c, {0xb2, 0xc0, 0x3e, 0xf0, 0x03}},
    };
    static const uint32_t offsets[] = {0xfe0, 0xfe4, 0xfe8, 0xfec, 0xfd0};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct amu_bench *const bench = amu_start(cases[i].config);
        assert_int_equal(load(bench, NONSECURE, 0xe08, 4), cases[i].iidr);
        for (size_t n = 0; n < 5; n++)
            if (load(bench, NONSECURE, offsets[n], 4) != cases[i].pidr[n])
                fail_msg("line %d: AMPIDR%zu is 0x%llx", cases[i].line, n,
                         (unsigned long long)load(bench, NONSECURE, offsets[n], 4));
    }
}

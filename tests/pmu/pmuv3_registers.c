/* The registers of PMUv3: every encoding, who may read and write which, values after reset, fields,
 * and every way to a register against every other. */
#include "../test.h"

#include <string.h>

#include "pmuv3_bench.h"

static const struct armpmu_pmuv3_config of_the_core = {0};

/* --- Who may --------------------------------------------------------------------------------- */

/* A letter for each register, in the order of the bench: PMCR CNTENSET CNTENCLR OVSCLR OVSSET,
 * SWINC, SELR, CEID0 CEID1, CCNTR, EVTYPER2 EVCNTR2 XEVTYPER XEVCNTR, CCFILTR, USERENR, INTENSET
 * INTENCLR MMIR; in AArch32 CEID2 CEID3, CCNTR by MRRC, too. PMSELR_EL0 is two. */
struct row {
    int line;
    enum who who;
    const char *controls, *reads, *writes;
};

#define ALL_READ    "DDDDD U D DD D DDDD D D DDD"
#define ALL_WRITE   "DDDDD D D UU D DDDD D D DDU"
#define ALL_READ32  ALL_READ " DD D"
#define ALL_WRITE32 ALL_WRITE " UU D"

/* Neoverse N2: v3p5 with fine-grained traps, EL2 and EL3. */
static const struct row rows[] = {
    {__LINE__, EL3_A64, "", ALL_READ, ALL_WRITE},
    {__LINE__, EL3_A64, "TPM2 TPMCR TPM3 UNDEF R W FGTEN TGE N2", ALL_READ, ALL_WRITE},
    {__LINE__, EL2_A64, "", ALL_READ, ALL_WRITE},
    {__LINE__, EL2_A64, "TPM2 TPMCR R W FGTEN TGE E2H N2", ALL_READ, ALL_WRITE},
    {__LINE__, EL2_A64, "TPM3", "33333 U 3 33 3 3333 3 3 333", "33333 3 3 UU 3 3333 3 3 33U"},
    {__LINE__, EL2_A64, "TPM3 UNDEF", "UUUUU U U UU U UUUU U U UUU", "UUUUU U U UU U UUUU U U UUU"},
    {__LINE__, EL2_A64, "UNDEF", ALL_READ, ALL_WRITE},

    {__LINE__, EL1_A64, "", ALL_READ, ALL_WRITE},
    {__LINE__, EL1_A64, "H", ALL_READ, ALL_WRITE},
    {__LINE__, EL1_A64, "TPM2", "22222 U 2 22 2 2222 2 2 222", "22222 2 2 UU 2 2222 2 2 22U"},
    {__LINE__, EL1_A64, "TPM2 NOEL2", ALL_READ, ALL_WRITE},
    {__LINE__, EL1_A64, "TPMCR", "2DDDD U D DD D DDDD D D DDD", "2DDDD D D UU D DDDD D D DDU"},
    {__LINE__, EL1_A64, "TPMCR NOEL2", ALL_READ, ALL_WRITE},
    {__LINE__, EL1_A64, "TPM3", "33333 U 3 33 3 3333 3 3 333", "33333 3 3 UU 3 3333 3 3 33U"},
    {__LINE__, EL1_A64, "TPM2 TPM3", "22222 U 2 22 2 2222 2 2 222", "22222 2 2 UU 2 2222 2 2 22U"},
    {__LINE__, EL1_A64, "TPMCR TPM3", "23333 U 3 33 3 3333 3 3 333", "23333 3 3 UU 3 3333 3 3 33U"},
    {__LINE__, EL1_A64, "TPM2 TPM3 UNDEF", "UUUUU U U UU U UUUU U U UUU",
     "UUUUU U U UU U UUUU U U UUU"},
    {__LINE__, EL1_A64, "N3", ALL_READ, ALL_WRITE},
    {__LINE__, EL1_A64, "N2", "DDDDD U D DD D 2222 D D DDD", "DDDDD D D UU D 2222 D D DDU"},
    {__LINE__, EL1_A64, "N2 NOEL2", ALL_READ, ALL_WRITE},
    {__LINE__, EL1_A64, "R FGTEN", "D2222 U 2 22 2 2222 2 2 222", ALL_WRITE},
    {__LINE__, EL1_A64, "W FGTEN", ALL_READ, "22222 2 2 UU 2 2222 2 2 22U"},
    {__LINE__, EL1_A64, "R W", ALL_READ, ALL_WRITE},
    {__LINE__, EL1_A64, "R W FGTEN NOEL2", ALL_READ, ALL_WRITE},
    {__LINE__, EL1_A64, "R12 W12 FGTEN", "DDDDD U D DD D D2D2 D D DDD",
     "DDDDD D D UU D D2D2 D D DDU"},
    {__LINE__, EL1_A64, "R13 W13 FGTEN", "DDDDD U D DD D 2D2D D D DDD",
     "DDDDD D D UU D 2D2D D D DDU"},
    {__LINE__, EL1_A64, "R14 W14 FGTEN", "DDDDD U D DD D DDDD 2 D DDD",
     "DDDDD D D UU D DDDD 2 D DDU"},
    {__LINE__, EL1_A64, "R15 W15 FGTEN", "DDDDD U D DD 2 DDDD D D DDD",
     "DDDDD D D UU 2 DDDD D D DDU"},
    {__LINE__, EL1_A64, "R16 W16 FGTEN", "D22DD U D DD D DDDD D D DDD",
     "D22DD D D UU D DDDD D D DDU"},
    {__LINE__, EL1_A64, "R17 W17 FGTEN", "DDDDD U D DD D DDDD D D 22D",
     "DDDDD D D UU D DDDD D D 22U"},
    {__LINE__, EL1_A64, "R18 W18 FGTEN", "DDD22 U D DD D DDDD D D DDD",
     "DDD22 D D UU D DDDD D D DDU"},
    {__LINE__, EL1_A64, "R19 W19 FGTEN", "DDDDD U 2 DD D DDDD D D DDD",
     "DDDDD D 2 UU D DDDD D D DDU"},
    {__LINE__, EL1_A64, "R20 W20 FGTEN", ALL_READ, "DDDDD 2 D UU D DDDD D D DDU"},
    {__LINE__, EL1_A64, "R21 W21 FGTEN", ALL_READ, "2DDDD D D UU D DDDD D D DDU"},
    {__LINE__, EL1_A64, "R22 W22 FGTEN", "DDDDD U D DD D DDDD D D DD2", ALL_WRITE},
    {__LINE__, EL1_A64, "R57 W57 FGTEN", "DDDDD U D DD D DDDD D 2 DDD",
     "DDDDD D D UU D DDDD D 2 DDU"},
    {__LINE__, EL1_A64, "R58 W58 FGTEN", "DDDDD U D 22 D DDDD D D DDD", ALL_WRITE},

    {__LINE__, EL0_A64, "", "11111 U 1 11 1 1111 1 D UUU", "11111 1 1 UU 1 1111 1 U UUU"},
    {__LINE__, EL0_A64, "TGE", "22222 U 2 22 2 2222 2 D UUU", "22222 2 2 UU 2 2222 2 U UUU"},
    {__LINE__, EL0_A64, "TGE NOEL2", "11111 U 1 11 1 1111 1 D UUU", "11111 1 1 UU 1 1111 1 U UUU"},
    {__LINE__, EL0_A64, "EN", "DDDDD U D DD D DDDD D D UUU", "DDDDD D D UU D DDDD D U UUU"},
    {__LINE__, EL0_A64, "SW", "11111 U 1 11 1 1111 1 D UUU", "11111 D 1 UU 1 1111 1 U UUU"},
    {__LINE__, EL0_A64, "CR", "11111 U 1 11 D 1111 1 D UUU", "11111 1 1 UU 1 1111 1 U UUU"},
    {__LINE__, EL0_A64, "ER", "11111 U D 11 1 1D1D 1 D UUU", "11111 1 D UU 1 1111 1 U UUU"},
    {__LINE__, EL0_A64, "SW CR ER", "11111 U D 11 D 1D1D 1 D UUU", "11111 D D UU 1 1111 1 U UUU"},
    {__LINE__, EL0_A64, "ER TGE", "22222 U D 22 2 2D2D 2 D UUU", "22222 2 D UU 2 2222 2 U UUU"},
    {__LINE__, EL0_A64, "EN TPM2", "22222 U 2 22 2 2222 2 2 UUU", "22222 2 2 UU 2 2222 2 U UUU"},
    {__LINE__, EL0_A64, "TPM2", "11111 U 1 11 1 1111 1 2 UUU", "11111 1 1 UU 1 1111 1 U UUU"},
    {__LINE__, EL0_A64, "EN TPMCR", "2DDDD U D DD D DDDD D D UUU", "2DDDD D D UU D DDDD D U UUU"},
    {__LINE__, EL0_A64, "EN TPM3", "33333 U 3 33 3 3333 3 3 UUU", "33333 3 3 UU 3 3333 3 U UUU"},
    {__LINE__, EL0_A64, "TPM3", "11111 U 1 11 1 1111 1 3 UUU", "11111 1 1 UU 1 1111 1 U UUU"},
    {__LINE__, EL0_A64, "TPM3 UNDEF", "UUUUU U U UU U UUUU U U UUU", "UUUUU U U UU U UUUU U U UUU"},
    {__LINE__, EL0_A64, "EN N2", "DDDDD U D DD D 2222 D D UUU", "DDDDD D D UU D 2222 D U UUU"},
    {__LINE__, EL0_A64, "EN R W FGTEN", "D2222 U 2 22 2 2222 2 2 UUU",
     "22222 2 2 UU 2 2222 2 U UUU"},
    {__LINE__, EL0_A64, "EN R W FGTEN TGE", "D2222 U 2 22 2 2222 2 2 UUU",
     "22222 2 2 UU 2 2222 2 U UUU"},
    {__LINE__, EL0_A64, "EN R W FGTEN TGE E2H", "DDDDD U D DD D DDDD D D UUU",
     "DDDDD D D UU D DDDD D U UUU"},
    {__LINE__, EL0_A64, "R W FGTEN", "11111 U 1 11 1 1111 1 2 UUU", "11111 1 1 UU 1 1111 1 U UUU"},

    {__LINE__, EL3_A32, "TPM2 TPMCR TPM3 R W FGTEN H N2", ALL_READ32, ALL_WRITE32},
    {__LINE__, EL2_A32, "TPM2 TPMCR TPM3 R W FGTEN H N2", ALL_READ32, ALL_WRITE32},
    {__LINE__, EL2_A32_UNDER_EL3, "TPM3", "33333 U 3 33 3 3333 3 3 333 33 3",
     "33333 3 3 UU 3 3333 3 3 33U UU 3"},
    {__LINE__, EL1_A32, "", ALL_READ32, ALL_WRITE32},
    {__LINE__, EL1_A32, "TPM3", ALL_READ32, ALL_WRITE32},
    {__LINE__, EL1_A32_UNDER_EL3, "TPM3", "33333 U 3 33 3 3333 3 3 333 33 3",
     "33333 3 3 UU 3 3333 3 3 33U UU 3"},
    {__LINE__, EL1_A32, "TPM2", "22222 U 2 22 2 2222 2 2 222 22 2",
     "22222 2 2 UU 2 2222 2 2 22U UU 2"},
    {__LINE__, EL1_A32_UNDER_EL2, "TPMCR", "2DDDD U D DD D DDDD D D DDD DD D",
     "2DDDD D D UU D DDDD D D DDU UU D"},
    {__LINE__, EL1_A32_UNDER_EL2, "R W FGTEN", ALL_READ32, ALL_WRITE32},
    {__LINE__, EL1_A32_UNDER_EL2, "N2", "DDDDD U D DD D 2222 D D DDD DD D",
     "DDDDD D D UU D 2222 D D DDU UU D"},
    {__LINE__, EL1_A32_UNDER_EL2, "H9", "22222 U 2 22 2 DD22 D 2 222 22 2",
     "22222 2 2 UU 2 DD22 D 2 22U UU 2"},
    {__LINE__, EL1_A32, "H", "22222 U 2 22 2 DD22 D 2 222 22 2",
     "22222 2 2 UU 2 DD22 D 2 22U UU 2"},
    {__LINE__, EL1_A32, "H14 H8 H10", ALL_READ32, ALL_WRITE32},
    {__LINE__, EL1_A32, "H NOEL2", ALL_READ32, ALL_WRITE32},

    {__LINE__, EL0_A32_UNDER_A64, "", "11111 U 1 11 1 1111 1 D UUU 11 1",
     "11111 1 1 UU 1 1111 1 U UUU UU 1"},
    {__LINE__, EL0_A32_UNDER_A64, "TGE", "22222 U 2 22 2 2222 2 D UUU 22 2",
     "22222 2 2 UU 2 2222 2 U UUU UU 2"},
    {__LINE__, EL0_A32_UNDER_EL2, "", "UUUUU U U UU U UUUU U D UUU UU U",
     "UUUUU U U UU U UUUU U U UUU UU U"},
    {__LINE__, EL0_A32_UNDER_EL2, "TGE", "22222 U 2 22 2 2222 2 D UUU 22 2",
     "22222 2 2 UU 2 2222 2 U UUU UU 2"},
    {__LINE__, EL0_A32_UNDER_EL3, "TGE", "HHHHH U H HH H HHHH H D UUU HH H",
     "HHHHH H H UU H HHHH H U UUU UU H"},
    {__LINE__, EL0_A32, "TGE", "HHHHH U H HH H HHHH H D UUU HH H",
     "HHHHH H H UU H HHHH H U UUU UU H"},
    {__LINE__, EL0_A32, "TGE NOEL2", "UUUUU U U UU U UUUU U D UUU UU U",
     "UUUUU U U UU U UUUU U U UUU UU U"},
    {__LINE__, EL0_A32, "EN", "DDDDD U D DD D DDDD D D UUU DD D",
     "DDDDD D D UU D DDDD D U UUU UU D"},
    {__LINE__, EL0_A32_UNDER_A64, "SW CR ER", "11111 U D 11 D 1D1D 1 D UUU 11 D",
     "11111 D D UU 1 1111 1 U UUU UU 1"},
    {__LINE__, EL0_A32_UNDER_A64, "EN R W FGTEN", "D2222 U 2 22 2 2222 2 2 UUU 22 2",
     "22222 2 2 UU 2 2222 2 U UUU UU 2"},
    {__LINE__, EL0_A32_UNDER_EL2, "EN R W FGTEN", "DDDDD U D DD D DDDD D D UUU DD D",
     "DDDDD D D UU D DDDD D U UUU UU D"},
    {__LINE__, EL0_A32_UNDER_A64, "EN H9", "22222 U 2 22 2 DD22 D 2 UUU 22 2",
     "22222 2 2 UU 2 DD22 D U UUU UU 2"},
    {__LINE__, EL0_A32_UNDER_A64, "EN H9 TGE E2H", "DDDDD U D DD D DDDD D D UUU DD D",
     "DDDDD D D UU D DDDD D U UUU UU D"},
    {__LINE__, EL0_A32, "EN TPM3", "DDDDD U D DD D DDDD D D UUU DD D",
     "DDDDD D D UU D DDDD D U UUU UU D"},
};

/* Another core or configuration, in which some of that is not there. */
static const struct {
    const char *core;
    struct armpmu_pmuv3_config config;
    struct row row;
} shapes[] = {
    {"neoverse-n1", {0}, {__LINE__, EL3_A32, "", "DDDDD U D DD D DDDD D D DDU DD D", ALL_WRITE32}},
    {"neoverse-v1", {0}, {__LINE__, EL3_A32, "", ALL_READ32, ALL_WRITE32}},
    {"neoverse-n1",
     {.version = 1},
     {__LINE__, EL3_A32, "", "DDDDD U D DD D DDDD D D DDU UU D", ALL_WRITE32}},
    {"neoverse-n2",
     {.counters = 2},
     {__LINE__, EL3_A64, "", "DDDDD U D DD D UUUU D D DDD", "DDDDD D D UU D UUUU D D DDU"}},
    {"neoverse-n2",
     {.counters = 2, .without_fine_traps = true},
     {__LINE__, EL3_A64, "", ALL_READ, ALL_WRITE}},
    {"neoverse-n2",
     {.without_fine_traps = true},
     {__LINE__, EL1_A64, "N2 R W FGTEN", ALL_READ, ALL_WRITE}},
    {"neoverse-n2",
     {.without_el2 = true},
     {__LINE__, EL1_A64, "N2 TPM2 TPMCR R W FGTEN", ALL_READ, ALL_WRITE}},
    {"neoverse-n2", {.highest_el = 2}, {__LINE__, EL1_A64, "TPM3", ALL_READ, ALL_WRITE}},
    {"neoverse-n2",
     {.highest_el = 2}, /* without SCR_EL3 fine-grained traps need no FGTEn */
     {__LINE__, EL1_A64, "W16", ALL_READ, "D22DD D D UU D DDDD D D DDU"}},
    {"neoverse-n2", {.highest_el = 1}, {__LINE__, EL1_A64, "TPM2 TPM3 W", ALL_READ, ALL_WRITE}},
};

/* The access on a device in this place; nothing but a completed one changes anything. */
static char try_read(struct armpmu *pmu, struct armpmu_encoding at)
{
    uint64_t value = 0x5eed;
    const char letter = amu_letter(armpmu_read(pmu, at, &value));

    if (letter != 'D')
        assert_int_equal(value, 0x5eed);
    assert_int_equal(amu_letter(armpmu_try(pmu, at, false)), letter);
    return letter;
}

static char try_write(struct armpmu *pmu, struct armpmu_encoding at, uint64_t value)
{
    static union armpmu_memory before, after;
    const size_t bytes = armpmu_snapshot_bytes(pmu);

    armpmu_snapshot(pmu, &before);
    const char expected = amu_letter(armpmu_try(pmu, at, true));
    const char letter = amu_letter(armpmu_write(pmu, at, value));
    armpmu_snapshot(pmu, &after);
    if (letter != 'D')
        assert_memory_equal(&before, &after, bytes);
    assert_int_equal(letter, expected);
    return letter;
}

/* A write that would change who may what, or select another counter, puts back what is there. */
static uint64_t harmless(struct armpmu *pmu, const char *name)
{
    const struct armpmu_core *const core = armpmu_core_of(pmu);

    if (strcmp(name, "PMUSERENR") == 0 || strcmp(name, "PMSELR") == 0)
        return armpmu_peek(pmu, armpmu_register_find(core, name, NULL), 0);
    return 0;
}

static void check_letters(struct armpmu *pmu, const struct row *row, bool write)
{
    const char *letter = write ? row->writes : row->reads;

    for (size_t i = 0; pmuv3_name(i) != NULL && *letter != '\0'; i++) {
        const char *const name = pmuv3_name(i);
        const struct armpmu_encoding at = pmuv3_at(name, 2, amu_is_aarch32(row->who));
        const char got = write ? try_write(pmu, at, harmless(pmu, name)) : try_read(pmu, at);
        letter += *letter == ' ';
        if (got != *letter)
            fail_msg("line %d: %s of %s comes to %c, want %c", row->line, write ? "write" : "read",
                     name, got, *letter);
        letter++;
    }
    assert_int_equal(*letter, '\0');
}

static void check_row(struct armpmu *pmu, const struct row *row)
{
    const struct armpmu_register *const select =
        armpmu_register_find(armpmu_core_of(pmu), "PMSELR", NULL);

    armpmu_poke(pmu, select, 0, 2);
    pmuv3_go(pmu, row->who, row->controls);
    check_letters(pmu, row, false);
    check_letters(pmu, row, true);
}

TEST(traps_come_in_the_manual_s_order)
{
    struct armpmu *const pmu = pmuv3_start("neoverse-n2", of_the_core);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_row(pmu, &rows[i]);
}

TEST(what_is_not_there_is_refused)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        check_row(pmuv3_start(shapes[i].core, shapes[i].config), &shapes[i].row);
}

/* --- Every encoding -------------------------------------------------------------------------- */

static bool same(struct armpmu_encoding a, struct armpmu_encoding b)
{
    return a.access == b.access && a.coproc == b.coproc && a.op1 == b.op1 && a.crn == b.crn &&
           a.crm == b.crm && a.op2 == b.op2;
}

static bool is_a_bank(const char *name)
{
    return strcmp(name, "PMEVTYPER") == 0 || strcmp(name, "PMEVCNTR") == 0;
}

/* Whether the bench knows the encoding, of one of 31 counters. */
static bool is_known(struct armpmu_encoding at)
{
    for (size_t i = 0; pmuv3_name(i) != NULL; i++)
        for (unsigned n = 0; n < (is_a_bank(pmuv3_name(i)) ? 31 : 1); n++)
            if (same(at, pmuv3_at(pmuv3_name(i), n, at.access != ARMPMU_ACCESS_MSR)))
                return true;
    return false;
}

/* The manual's blocks: c9, c12 to c14, and c14, c8 to c15. */
static bool is_in_a_block(struct armpmu_encoding at)
{
    const bool is_msr = at.access == ARMPMU_ACCESS_MSR;
    const bool space = at.coproc == (is_msr ? 3 : 15);

    if (at.crn == 14)
        return space && at.op1 == (is_msr ? 3 : 0) && at.crm >= 8;
    if (!space || at.crn != 9 || at.crm < 12 || at.crm > 14)
        return false;
    return is_msr ? at.op1 == 3 || (at.op1 == 0 && at.crm == 14) : at.op1 == 0;
}

static void check_encoding(struct armpmu *pmu, struct armpmu_encoding at)
{
    const bool here = is_in_a_block(at), known = here && is_known(at);
    uint64_t value;
    const char read = amu_letter(armpmu_read(pmu, at, &value));
    const bool only_written = at.crn == 9 && at.crm == 12 && at.op2 == 4;
    const char expected = !here ? '-' : known && !only_written ? 'D' : 'U';

    if (read != expected)
        fail_msg("%s space %u op1 %u CRn %u CRm %u op2 %u: %c, want %c",
                 armpmu_access_name(at.access), at.coproc, at.op1, at.crn, at.crm, at.op2, read,
                 expected);
    assert_int_equal(armpmu_claims(armpmu_core_of(pmu), at), here);
}

TEST(every_encoding_is_a_register_or_is_not)
{
    struct armpmu *const pmu =
        pmuv3_start("neoverse-n2", (struct armpmu_pmuv3_config){.counters = 31});

    amu_stand(pmu, EL3_A64);
    for (unsigned i = 0; i < 1u << 16; i++)
        check_encoding(pmu, (struct armpmu_encoding){ARMPMU_ACCESS_MSR, i >> 14 & 3, i >> 11 & 7,
                                                     i >> 7 & 15, i >> 3 & 15, i & 7, 0});
    amu_stand(pmu, EL3_A32);
    for (unsigned i = 0; i < 1u << 15; i++)
        check_encoding(pmu, (struct armpmu_encoding){ARMPMU_ACCESS_MCR, 14 + (i >> 14), i >> 11 & 7,
                                                     i >> 7 & 15, i >> 3 & 15, i & 7, 0});
    for (unsigned i = 0; i < 1u << 12; i++) {
        uint64_t value;
        const struct armpmu_encoding at = {
            ARMPMU_ACCESS_MCRR, i >> 8, i >> 4 & 15, 0, i & 15, 0, 0};
        const bool here = at.coproc == 15 && at.op1 == 0 && at.crm == 9;
        assert_int_equal(armpmu_read(pmu, at, &value), here ? ARMPMU_DONE : ARMPMU_NOT_HERE);
    }
}

TEST(a_state_has_its_own_instructions)
{
    struct armpmu *const pmu = pmuv3_start("neoverse-n2", of_the_core);

    for (size_t i = 0; i < 19; i++)
        for (int aarch32 = 0; aarch32 <= 1; aarch32++) {
            pmuv3_go(pmu, aarch32 ? EL3_A64 : EL3_A32, "");
            const struct armpmu_encoding at = pmuv3_at(pmuv3_name(i), 2, aarch32);
            assert_int_equal(try_read(pmu, at), 'U');
            assert_int_equal(try_write(pmu, at, 0), 'U');
        }
}

/* --- Values ---------------------------------------------------------------------------------- */

TEST(registers_begin_as_the_manual_says)
{
    static const struct {
        const char *core, *name;
        uint64_t value;
    } cases[] = {
#define PMUV3_CORE(name, id, linux, short, letter, published, version, slots, midr, idcode, part,  \
                   ...)                                                                            \
    {name, "PMCR_EL0", 0x41003000 | (idcode) << 16}, {name, "PMMIR_EL1", slots},                   \
        {name, "PMDEVARCH", 0x47702a16}, {name, "PMPIDR0", (part)&0xff},                           \
        {name, "PMPIDR1", 0xb0 | (part) >> 8},                                                     \
        {name, "PMPIDR2", 0x0b | ((midr) >> 20 & 0xf) << 4},
#include "../manual/pmuv3_cores.def"
#undef PMUV3_CORE
        {"neoverse-n2", "PMPIDR3", 0x00},     {"neoverse-n2", "PMPIDR4", 0x04},
        {"neoverse-n2", "PMCIDR0", 0x0d},     {"neoverse-n2", "PMCIDR1", 0x90},
        {"neoverse-n2", "PMCIDR2", 0x05},     {"neoverse-n2", "PMCIDR3", 0xb1},
        {"neoverse-n2", "PMDEVTYPE", 0x16},   {"neoverse-n2", "PMCFGR", 0x0009ff06},
        {"neoverse-n2", "PMSELR_EL0", 0},     {"neoverse-n2", "PMUSERENR_EL0", 0},
        {"neoverse-n2", "PMCCNTR_EL0", 0},    {"neoverse-n2", "PMCCFILTR_EL0", 0},
        {"neoverse-n2", "PMCNTENSET_EL0", 0}, {"neoverse-n2", "PMOVSSET_EL0", 0},
        {"neoverse-n2", "PMINTENSET_EL1", 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int again = 0; again <= 1; again++) {
            struct armpmu *const pmu = pmuv3_start(cases[i].core, of_the_core);
            const struct armpmu_register *const reg =
                armpmu_register_find(armpmu_core_of(pmu), cases[i].name, NULL);
            if (again) {
                armpmu_poke(pmu, reg, 0, UINT64_MAX);
                armpmu_reset(pmu, ARMPMU_RESET_WARM);
            }
            if (armpmu_peek(pmu, reg, 0) != cases[i].value)
                fail_msg("%s %s: %#llx", cases[i].core, cases[i].name,
                         (unsigned long long)armpmu_peek(pmu, reg, 0));
        }
}

/* All ones written, then zeros: what is there, by version and Exception levels. */
TEST(absent_bits_read_as_zero)
{
    static const struct {
        int line;
        struct armpmu_pmuv3_config config;
        const char *name;
        uint64_t ones, zeros;
    } cases[] = {
        {__LINE__, {.version = 1}, "PMCR", 0x41493079, 0x41493000},
        {__LINE__, {.version = 5}, "PMCR", 0x41493079, 0x41493000},
        {__LINE__, {.version = 6}, "PMCR", 0x414930f9, 0x41493000},
        {__LINE__, {.version = 7}, "PMCR", 0x414932f9, 0x41493000},
        {__LINE__, {.counters = 31}, "PMCR", 0x4149f8f9, 0x4149f800},
        {__LINE__, {0}, "PMCNTENSET", 0x8000003f, 0x8000003f},
        {__LINE__, {.counters = 1}, "PMCNTENSET", 0x80000001, 0x80000001},
        {__LINE__, {.counters = 31}, "PMCNTENSET", 0xffffffff, 0xffffffff},
        {__LINE__, {0}, "PMCNTENCLR", 0, 0},
        {__LINE__, {0}, "PMOVSSET", 0x8000003f, 0x8000003f},
        {__LINE__, {0}, "PMOVSCLR", 0, 0},
        {__LINE__, {0}, "PMINTENSET", 0x8000003f, 0x8000003f},
        {__LINE__, {0}, "PMINTENCLR", 0, 0},
        {__LINE__, {0}, "PMSELR", 0x1f, 0},
        {__LINE__, {0}, "PMUSERENR", 0xf, 0},
        {__LINE__, {0}, "PMCCNTR", UINT64_MAX, 0},
        {__LINE__, {.version = 5}, "PMEVCNTR", UINT32_MAX, 0},
        {__LINE__, {.version = 6}, "PMEVCNTR", UINT64_MAX, 0},
        {__LINE__, {.version = 1}, "PMEVTYPER", 0xff0003ff, 0},
        {__LINE__, {0}, "PMEVTYPER", 0xff00ffff, 0},
        {__LINE__, {.without_secure_el2 = true}, "PMEVTYPER", 0xfe00ffff, 0},
        {__LINE__, {.without_el2 = true}, "PMEVTYPER", 0xf600ffff, 0},
        {__LINE__, {0}, "PMCCFILTR", 0xfd000000, 0},
        {__LINE__, {.without_el2 = true}, "PMCCFILTR", 0xf4000000, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct armpmu *const pmu = pmuv3_start("neoverse-n2", cases[i].config);
        pmuv3_set(pmu, cases[i].name, 0, UINT64_MAX);
        const uint64_t ones = pmuv3_get(pmu, cases[i].name, 0);
        pmuv3_set(pmu, cases[i].name, 0, 0);
        const uint64_t zeros = pmuv3_get(pmu, cases[i].name, 0);
        if (ones != cases[i].ones || zeros != cases[i].zeros)
            fail_msg("line %d: %s %#llx, then %#llx", cases[i].line, cases[i].name,
                     (unsigned long long)ones, (unsigned long long)zeros);
    }
}

/* --- What EL1 sees of counters that EL2 keeps ------------------------------------------------- */

static uint64_t read_here(struct armpmu *pmu, const char *name, unsigned n, bool aarch32)
{
    uint64_t value = 0;

    assert_int_equal(armpmu_read(pmu, pmuv3_at(name, n, aarch32), &value), ARMPMU_DONE);
    return value;
}

static void write_here(struct armpmu *pmu, const char *name, unsigned n, bool aarch32,
                       uint64_t value)
{
    assert_int_equal(armpmu_write(pmu, pmuv3_at(name, n, aarch32), value), ARMPMU_DONE);
}

/* HPMN is 2 of 6. */
TEST(el1_does_not_see_what_el2_keeps)
{
    static const char *const sets[] = {"PMCNTENSET", "PMOVSSET", "PMINTENSET"};
    static const char *const clears[] = {"PMCNTENCLR", "PMOVSCLR", "PMINTENCLR"};
    struct armpmu *const pmu = pmuv3_start("neoverse-n2", of_the_core);

    for (unsigned i = 0; i < 3; i++) {
        pmuv3_go(pmu, EL1_A64, "N2");
        write_here(pmu, sets[i], 0, false, UINT32_MAX);
        assert_int_equal(pmuv3_get(pmu, sets[i], 0), 0x80000003);
        pmuv3_set(pmu, sets[i], 0, UINT32_MAX);
        pmuv3_go(pmu, EL1_A64, "N2");
        assert_int_equal(read_here(pmu, sets[i], 0, false), 0x80000003);
        assert_int_equal(read_here(pmu, clears[i], 0, false), 0x80000003);
        write_here(pmu, clears[i], 0, false, UINT32_MAX);
        assert_int_equal(pmuv3_get(pmu, clears[i], 0), 0x3c);
        pmuv3_go(pmu, EL2_A64, "N2");
        assert_int_equal(read_here(pmu, sets[i], 0, false), 0x3c);
        pmuv3_go(pmu, EL1_A64, "N2 NOEL2");
        assert_int_equal(read_here(pmu, sets[i], 0, false), 0x3c);
    }
    pmuv3_go(pmu, EL1_A64, "N2");
    assert_int_equal(read_here(pmu, "PMCR", 0, false), 0x41491000);
    pmuv3_go(pmu, EL0_A64, "N2 EN");
    assert_int_equal(read_here(pmu, "PMCR", 0, false), 0x41491000);
    pmuv3_go(pmu, EL2_A64, "N2");
    assert_int_equal(read_here(pmu, "PMCR", 0, false), 0x41493000);
}

TEST(a_reset_of_counters_stops_at_el2_s)
{
    struct armpmu *const pmu = pmuv3_start("neoverse-n2", of_the_core);

    for (unsigned n = 0; n < 6; n++)
        pmuv3_set(pmu, "PMEVCNTR", n, 100 + n);
    pmuv3_set(pmu, "PMCCNTR", 0, 99);
    pmuv3_go(pmu, EL1_A64, "N2");
    write_here(pmu, "PMCR", 0, false, 2);
    for (unsigned n = 0; n < 6; n++)
        assert_int_equal(pmuv3_get(pmu, "PMEVCNTR", n), n < 2 ? 0 : 100 + n);
    assert_int_equal(pmuv3_get(pmu, "PMCCNTR", 0), 99);
    pmuv3_go(pmu, EL2_A64, "N2");
    write_here(pmu, "PMCR", 0, false, 6);
    for (unsigned n = 0; n < 6; n++)
        assert_int_equal(pmuv3_get(pmu, "PMEVCNTR", n), 0);
    assert_int_equal(pmuv3_get(pmu, "PMCCNTR", 0), 0);
}

/* Without fine-grained traps a counter of EL2, or none at all, is zero. */
TEST(without_fine_traps_a_counter_beyond_is_zero)
{
    struct armpmu *const pmu =
        pmuv3_start("neoverse-n2", (struct armpmu_pmuv3_config){.without_fine_traps = true});

    pmuv3_set(pmu, "PMEVCNTR", 2, 7);
    pmuv3_set(pmu, "PMEVTYPER", 2, 8);
    pmuv3_set(pmu, "PMSELR", 0, 2);
    pmuv3_go(pmu, EL1_A64, "N2");
    assert_int_equal(read_here(pmu, "PMEVCNTR", 2, false), 0);
    assert_int_equal(read_here(pmu, "PMXEVTYPER", 0, false), 0);
    write_here(pmu, "PMXEVCNTR", 0, false, 1);
    write_here(pmu, "PMEVTYPER", 2, false, 1);
    assert_int_equal(pmuv3_get(pmu, "PMEVCNTR", 2), 7);
    assert_int_equal(pmuv3_get(pmu, "PMEVTYPER", 2), 8);
    assert_int_equal(pmuv3_get(pmu, "PMEVCNTR", 6), 0);
}

/* --- Selected counters, AArch32 --------------------------------------------------------------- */

TEST(pmselr_chooses_the_counter)
{
    struct armpmu *const pmu = pmuv3_start("neoverse-n2", of_the_core);

    for (unsigned n = 0; n < 6; n++) {
        pmuv3_set(pmu, "PMSELR", 0, n);
        pmuv3_set(pmu, "PMXEVCNTR", 0, 50 + n);
        pmuv3_set(pmu, "PMXEVTYPER", 0, n);
    }
    for (unsigned n = 0; n < 6; n++) {
        assert_int_equal(pmuv3_get(pmu, "PMEVCNTR", n), 50 + n);
        assert_int_equal(pmuv3_get(pmu, "PMEVTYPER", n), n);
        pmuv3_set(pmu, "PMEVCNTR", n, 60 + n);
        pmuv3_set(pmu, "PMSELR", 0, n);
        assert_int_equal(pmuv3_get(pmu, "PMXEVCNTR", 0), 60 + n);
    }
    for (unsigned n = 6; n < 32; n++) {
        pmuv3_set(pmu, "PMSELR", 0, n);
        amu_stand(pmu, EL3_A64);
        assert_int_equal(try_read(pmu, pmuv3_at("PMXEVCNTR", 0, false)), 'U');
        assert_int_equal(try_read(pmu, pmuv3_at("PMXEVTYPER", 0, false)), n == 31 ? 'D' : 'U');
    }
    pmuv3_set(pmu, "PMXEVTYPER", 0, 0x88000000); /* PMSELR_EL0 is 31: PMCCFILTR_EL0 */
    assert_int_equal(pmuv3_get(pmu, "PMCCFILTR", 0), 0x88000000);
}

TEST(aarch32_has_the_lower_word)
{
    struct armpmu *const pmu = pmuv3_start("neoverse-n2", of_the_core);

    pmuv3_set(pmu, "PMCCNTR", 0, UINT64_C(0x1122334455667788));
    pmuv3_set(pmu, "PMEVCNTR", 3, UINT64_C(0x99aabbccddeeff00));
    pmuv3_set(pmu, "PMEVTYPER", 3, 0xff000008);
    amu_stand(pmu, EL3_A32);
    assert_int_equal(read_here(pmu, "PMCCNTR", 0, true), 0x55667788);
    assert_int_equal(read_here(pmu, "PMCCNTR64", 0, true), UINT64_C(0x1122334455667788));
    assert_int_equal(read_here(pmu, "PMEVCNTR", 3, true), 0xddeeff00);
    assert_int_equal(read_here(pmu, "PMEVTYPER", 3, true), 0xfa000008); /* neither M nor SH */
    write_here(pmu, "PMCCNTR", 0, true, 1);
    write_here(pmu, "PMEVCNTR", 3, true, 2);
    write_here(pmu, "PMEVTYPER", 3, true, 0x11);
    assert_int_equal(pmuv3_get(pmu, "PMCCNTR", 0), UINT64_C(0x1122334400000001));
    assert_int_equal(pmuv3_get(pmu, "PMEVCNTR", 3), UINT64_C(0x99aabbcc00000002));
    assert_int_equal(pmuv3_get(pmu, "PMEVTYPER", 3), 0x05000011);
    amu_stand(pmu, EL3_A32);
    write_here(pmu, "PMCCNTR64", 0, true, UINT64_C(0x0102030405060708));
    assert_int_equal(pmuv3_get(pmu, "PMCCNTR", 0), UINT64_C(0x0102030405060708));
    const uint64_t ids = pmuv3_get(pmu, "PMCEID0", 0);
    amu_stand(pmu, EL3_A32);
    assert_int_equal(read_here(pmu, "PMCEID0", 0, true), ids & UINT32_MAX);
    assert_int_equal(read_here(pmu, "PMCEID2", 0, true), ids >> 32);
}

/* --- The memory-mapped view ------------------------------------------------------------------- */

/* Words of the frame by hand; the others are zero. Of an N2 as fill() leaves it. */
static const struct {
    uint32_t offset, value;
} words[] = {
    {0x000, 0x04030201}, {0x004, 0x08070605}, {0x008, 0x04030202}, {0x00c, 0x08070605},
    {0x010, 0x04030203}, {0x014, 0x08070605}, {0x018, 0x04030204}, {0x01c, 0x08070605},
    {0x020, 0x04030205}, {0x024, 0x08070605}, {0x028, 0x04030206}, {0x02c, 0x08070605},
    {0x0f8, 0x14131211}, {0x0fc, 0x18171615}, {0x400, 0xff000008}, {0x404, 0xff000009},
    {0x408, 0xff00000a}, {0x40c, 0xff00000b}, {0x410, 0xff00000c}, {0x414, 0xff00000d},
    {0x47c, 0xfd000000}, {0xc00, 0x80000015}, {0xc20, 0x80000015}, {0xc40, 0x0000002a},
    {0xc60, 0x0000002a}, {0xc80, 0x80000003}, {0xcc0, 0x80000003}, {0xe00, 0x0009ff06},
    {0xe04, 0x000000d8}, {0xe20, 0x7fff0f3f}, {0xe24, 0xfef2ae7f}, {0xe28, 0x0f0f0a70},
    {0xe2c, 0x00000007}, {0xe40, 0x00000005}, {0xfa8, 0x81020300}, {0xfac, 0x0000000a},
    {0xfb8, 0x000000cc}, {0xfbc, 0x47702a16}, {0xfcc, 0x00000016}, {0xfd0, 0x00000004},
    {0xfe0, 0x00000049}, {0xfe4, 0x000000bd}, {0xfe8, 0x0000000b}, {0xff0, 0x0000000d},
    {0xff4, 0x00000090}, {0xff8, 0x00000005}, {0xffc, 0x000000b1},
};

static struct armpmu *fill(void)
{
    struct armpmu *const pmu =
        pmuv3_start("neoverse-n2", (struct armpmu_pmuv3_config){.affinity = UINT64_C(0xa81020300)});

    for (unsigned n = 0; n < 6; n++) {
        pmuv3_set(pmu, "PMEVCNTR", n, UINT64_C(0x0807060504030201) + n);
        pmuv3_set(pmu, "PMEVTYPER", n, 0xff000008 + n);
    }
    pmuv3_set(pmu, "PMCCNTR", 0, UINT64_C(0x1817161514131211));
    pmuv3_set(pmu, "PMCCFILTR", 0, UINT32_MAX);
    pmuv3_set(pmu, "PMCNTENSET", 0, 0x80000015);
    pmuv3_set(pmu, "PMINTENSET", 0, 0x2a);
    pmuv3_set(pmu, "PMOVSSET", 0, 0x80000003);
    pmuv3_set(pmu, "PMCR", 0, 0xd8);
    return pmu;
}

static uint8_t byte_of_frame(uint32_t offset)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].offset == (offset & ~3u))
            return (uint8_t)(words[i].value >> 8 * (offset & 3));
    return 0;
}

TEST(the_view_has_the_manual_s_offsets)
{
    struct armpmu *const pmu = fill();

    for (unsigned bytes = 1; bytes <= 8; bytes *= 2)
        for (uint32_t offset = 0; offset < 4096; offset += bytes) {
            uint64_t value = 0, expected = 0;
            for (unsigned i = 0; i < bytes; i++)
                expected |= (uint64_t)byte_of_frame(offset + i) << 8 * i;
            assert_int_equal(armpmu_load(pmu, offset, bytes, &value), ARMPMU_DONE);
            if (value != expected)
                fail_msg("%u bytes at %#x: %#llx, want %#llx", bytes, offset,
                         (unsigned long long)value, (unsigned long long)expected);
        }
}

/* Plain registers keep lanes that a store does not have. */
TEST(a_store_changes_its_own_lanes)
{
    static const struct {
        uint32_t offset;
        uint32_t stays; /* bits that are not there */
    } plain[] = {{0x008, 0},          {0x00c, 0},          {0x0f8, 0},         {0x0fc, 0},
                 {0x404, 0x00ff0000}, {0x47c, 0x02ffffff}, {0xe04, 0xffffff00}};
    const uint64_t pattern = UINT64_C(0x5a5a5a5a5a5a5a5a);

    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        for (unsigned bytes = 1; bytes <= 4; bytes *= 2)
            for (unsigned lane = 0; lane < 4; lane += bytes) {
                struct armpmu *const pmu = fill();
                const uint32_t ones = bytes == 4 ? UINT32_MAX : (1u << 8 * bytes) - 1;
                uint64_t before = 0, after = 0;
                assert_int_equal(armpmu_load(pmu, plain[i].offset, 4, &before), ARMPMU_DONE);
                assert_int_equal(armpmu_store(pmu, plain[i].offset + lane, bytes, pattern),
                                 ARMPMU_DONE);
                assert_int_equal(armpmu_load(pmu, plain[i].offset, 4, &after), ARMPMU_DONE);
                const uint32_t lanes = (ones << 8 * lane) & ~plain[i].stays;
                uint64_t expected = (before & ~(uint64_t)lanes) | (pattern & lanes);
                if (plain[i].offset == 0xe04)
                    expected &= ~UINT64_C(0x6); /* P and C read as zero */
                if (after != expected)
                    fail_msg("%#x, %u bytes from lane %u: %#llx, want %#llx", plain[i].offset,
                             bytes, lane, (unsigned long long)after, (unsigned long long)expected);
            }
}

TEST(a_store_of_eight_bytes_writes_two_registers)
{
    struct armpmu *const pmu = fill();

    assert_int_equal(armpmu_store(pmu, 0x400, 8, UINT64_C(0x0000001100000022)), ARMPMU_DONE);
    assert_int_equal(pmuv3_get(pmu, "PMEVTYPER", 0), 0x22);
    assert_int_equal(pmuv3_get(pmu, "PMEVTYPER", 1), 0x11);
    assert_int_equal(armpmu_store(pmu, 0x0f8, 8, 77), ARMPMU_DONE);
    assert_int_equal(pmuv3_get(pmu, "PMCCNTR", 0), 77);
}

TEST(a_store_to_a_set_touches_its_own_lanes)
{
    struct armpmu *const pmu = fill();

    assert_int_equal(armpmu_store(pmu, 0xc03, 1, 0x80), ARMPMU_DONE);
    assert_int_equal(pmuv3_get(pmu, "PMCNTENSET", 0), 0x80000015);
    assert_int_equal(armpmu_store(pmu, 0xc20, 1, 0x05), ARMPMU_DONE);
    assert_int_equal(pmuv3_get(pmu, "PMCNTENSET", 0), 0x80000010);
    assert_int_equal(armpmu_store(pmu, 0xc80, 2, 0x0001), ARMPMU_DONE);
    assert_int_equal(pmuv3_get(pmu, "PMOVSSET", 0), 0x80000002);
    assert_int_equal(armpmu_store(pmu, 0xcc0, 4, 0x20), ARMPMU_DONE);
    assert_int_equal(pmuv3_get(pmu, "PMOVSSET", 0), 0x80000022);
    assert_int_equal(armpmu_store(pmu, 0xc60, 4, 0x08), ARMPMU_DONE);
    assert_int_equal(pmuv3_get(pmu, "PMINTENSET", 0), 0x22);
    assert_int_equal(armpmu_store(pmu, 0xc40, 4, 0x80000000), ARMPMU_DONE);
    assert_int_equal(pmuv3_get(pmu, "PMINTENSET", 0), 0x80000022);
}

/* Read-only words, and offsets without a register. */
TEST(a_store_elsewhere_changes_nothing)
{
    static const uint32_t offsets[] = {0x030, 0x0f0, 0x100, 0x418, 0xe00, 0xe20, 0xe24, 0xe28,
                                       0xe2c, 0xe40, 0xf00, 0xfa8, 0xfb0, 0xfb8, 0xfbc, 0xfe0};
    static union armpmu_memory before, after;
    struct armpmu *const pmu = fill();

    armpmu_snapshot(pmu, &before);
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++)
        assert_int_equal(armpmu_store(pmu, offsets[i], 4, UINT32_MAX), ARMPMU_DONE);
    armpmu_snapshot(pmu, &after);
    assert_memory_equal(&before, &after, armpmu_snapshot_bytes(pmu));
}

/* A pin, its value, and where the unit answers nonetheless: 'D' or 'B' for a counter, PMCFGR,
 * PMDEVAFF0 and PMPIDR0. */
TEST(the_view_fails_where_it_is_kept_out)
{
    static const struct {
        int line;
        struct armpmu_pmuv3_config config;
        enum armpmu_pin pin;
        uint64_t value, world;
        const char *letters;
    } cases[] = {
        {__LINE__, {0}, ARMPMU_PIN_OS_LOCK, 0, 0, "DDDD"},
        {__LINE__, {0}, ARMPMU_PIN_OS_LOCK, 1, 0, "BBBD"},
        {__LINE__, {0}, ARMPMU_PIN_CORE_POWERED_OFF, 1, 0, "BBBD"},
        {__LINE__, {.always_powered = true}, ARMPMU_PIN_CORE_POWERED_OFF, 1, 0, "DDDD"},
        {__LINE__, {0}, ARMPMU_PIN_MDCR_EL3, 1 << 21, 0, "BBBD"},
        {__LINE__, {0}, ARMPMU_PIN_MDCR_EL3, 1 << 21, 1, "DDDD"},
        {__LINE__, {.highest_el = 2}, ARMPMU_PIN_MDCR_EL3, 1 << 21, 0, "DDDD"},
    };
    static const uint32_t offsets[] = {0x000, 0xe00, 0xfa8, 0xfe0};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct armpmu *const pmu = pmuv3_start("neoverse-n2", cases[i].config);
        armpmu_set_pin(pmu, cases[i].pin, cases[i].value);
        armpmu_set_pin(pmu, ARMPMU_PIN_BUS_WORLD, cases[i].world);
        for (unsigned n = 0; n < 4; n++) {
            uint64_t value;
            const char load = amu_letter(armpmu_load(pmu, offsets[n], 4, &value));
            const char store = amu_letter(armpmu_store(pmu, offsets[n], 4, 0));
            if (load != cases[i].letters[n] || store != cases[i].letters[n])
                fail_msg("line %d: %#x comes to %c and %c", cases[i].line, offsets[n], load, store);
        }
    }
}

TEST(no_unit_of_an_odd_shape_is_made)
{
    static const struct armpmu_pmuv3_config bad[] = {
        {.version = 2},   {.version = 3},    {.version = 9},
        {.counters = 32}, {.highest_el = 4}, {.highest_el = 2, .without_el2 = true}};
    static union armpmu_memory memory;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const struct armpmu_config config = {.core = "neoverse-n1", .pmuv3 = bad[i]};
        struct armpmu *pmu = NULL;
        struct armpmu_error error = {""};
        assert_int_equal(armpmu_create(&memory, sizeof memory, &config, &pmu, &error),
                         ARMPMU_BAD_CONFIG);
        assert_null(pmu);
        assert_non_null(strstr(error.message, "pmuv3."));
    }
}

/* Who may use the activity monitors: each row is a line of the accessibility tables of the manual,
 * rows with several controls show which of them comes first. */
#include "../../test.h"

#include <string.h>

#include "../amu_bench.h"

/* What a register is for the rules; the columns of the tables below. Group 1 counters 0 to 7 have a
 * column of their own: HSTR has no bit for them. */
enum column {
    PLAIN_READ,       /* AMCR AMCFGR AMCGCR AMCG1IDR AMEVTYPER0n: no bit in HAFGRTR_EL2 */
    FINE_READ,        /* AMCNTENxxx AMEVCNTR0n AMEVCNTR18-15 AMEVTYPER1n: one bit        */
    LOW_COUNTER_READ, /* AMEVCNTR10-17                                                   */
    USER_READ,        /* AMUSERENR                                                       */
    WRITE,            /* all of the above that can be written                            */
    LOW_COUNTER_WRITE,
    USER_WRITE,
    OFFSET, /* AMEVCNTVOFF, reads and writes */
    NO_WRITE,
};

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static enum column column_of(const char *name, unsigned n, bool write)
{
    if (begins(name, "AMEVCNTVOFF"))
        return OFFSET;
    if (strcmp(name, "AMUSERENR") == 0)
        return write ? USER_WRITE : USER_READ;
    if (strcmp(name, "AMEVCNTR1") == 0 && n < 8)
        return write ? LOW_COUNTER_WRITE : LOW_COUNTER_READ;
    const bool constant = strcmp(name, "AMCFGR") == 0 || strcmp(name, "AMCGCR") == 0 ||
                          strcmp(name, "AMCG1IDR") == 0 || strcmp(name, "AMEVTYPER0") == 0;
    if (write)
        return constant ? NO_WRITE : WRITE;
    return constant || strcmp(name, "AMCR") == 0 ? PLAIN_READ : FINE_READ;
}

struct row {
    int line;
    enum who who;
    const char *controls;
    const char *expected; /* a letter for each column */
};

static void check_access(struct amu_bench *bench, const struct row *row, const char *name,
                         unsigned n, bool write)
{
    const struct armpmu_encoding at = amu_at(name, n, amu_is_aarch32(row->who));
    const enum column column = column_of(name, n, write);
    const char expected = column == NO_WRITE ? 'U' : row->expected[column];
    uint64_t value = 0x5eed;

    if (at.access == ARMPMU_ACCESS_EXT32) /* AArch32 has no such register */
        return;
    amu_go(bench, row->who, row->controls);
    const enum armpmu_outcome outcome =
        write ? armpmu_write(bench->pmu, at, 0) : armpmu_read(bench->pmu, at, &value);
    if (amu_letter(outcome) != expected)
        fail_msg("line %d: %s of %s, %u: got %c, want %c", row->line, write ? "write" : "read",
                 name, n, amu_letter(outcome), expected);
    if (outcome != ARMPMU_DONE)
        assert_int_equal(value, 0x5eed);
    const bool trapped = strchr("123", expected) != NULL;
    const unsigned class = at.access == ARMPMU_ACCESS_MSR   ? 0x18
                           : at.access == ARMPMU_ACCESS_MCR ? 3
                                                            : 4;
    assert_int_equal(armpmu_exception_class(outcome, at.access), trapped ? class : 0);
}

/* Every register and element, read and written. AMEVCNTVOFF01 does not exist. */
static void check_rows(struct armpmu_amu_config config, const struct row *rows, size_t n_rows)
{
    struct amu_bench *const bench = amu_start(config);
    unsigned count = 0;

    for (size_t r = 0; r < n_rows; r++)
        for (size_t i = 0; amu_name(i, &count) != NULL; i++)
            for (unsigned n = 0; n < count; n++)
                if (strcmp(amu_name(i, &count), "AMEVCNTVOFF0") != 0 || n != 1) {
                    check_access(bench, &rows[r], amu_name(i, &count), n, false);
                    check_access(bench, &rows[r], amu_name(i, &count), n, true);
                }
}

#define CHECK(config, rows) check_rows(config, rows, sizeof(rows) / sizeof(rows)[0])

TEST(el0_in_aarch64)
{
    static const struct row rows[] = {
        {__LINE__, EL0_A64, "", "111DUUUU"},
        {__LINE__, EL0_A64, "TGE", "222DUUUU"},
        {__LINE__, EL0_A64, "TGE E2H", "222DUUUU"},
        {__LINE__, EL0_A64, "TGE NOEL2", "111DUUUU"},
        {__LINE__, EL0_A64, "EN", "DDDDUUUU"},
        {__LINE__, EL0_A64, "EN TGE E2H", "DDDDUUUU"},
        {__LINE__, EL0_A64, "EN TAM2", "2222UUUU"},
        {__LINE__, EL0_A64, "EN TAM2 TGE E2H", "2222UUUU"},
        {__LINE__, EL0_A64, "EN TAM2 NOEL2", "DDDDUUUU"},
        {__LINE__, EL0_A64, "TAM2", "1112UUUU"}, /* AMUSERENR before CPTR_EL2 */
        {__LINE__, EL0_A64, "TAM2 TGE", "2222UUUU"},
        {__LINE__, EL0_A64, "EN TAM3", "3333UUUU"},
        {__LINE__, EL0_A64, "TAM3", "1113UUUU"},
        {__LINE__, EL0_A64, "EN TAM2 TAM3", "2222UUUU"}, /* CPTR_EL2 before CPTR_EL3 */
        {__LINE__, EL0_A64, "EN TAM2 TAM3 NOEL2", "3333UUUU"},
        {__LINE__, EL0_A64, "TAM3 UNDEF", "UUUUUUUU"}, /* before AMUSERENR */
        {__LINE__, EL0_A64, "EN TAM2 TAM3 UNDEF", "UUUUUUUU"},
        {__LINE__, EL0_A64, "UNDEF", "111DUUUU"}, /* nothing without CPTR_EL3 */
        {__LINE__, EL0_A64, "EN UNDEF", "DDDDUUUU"},
        {__LINE__, EL0_A64, "EN F FGTEN", "D22DUUUU"},
        {__LINE__, EL0_A64, "EN F", "DDDDUUUU"},
        {__LINE__, EL0_A64, "EN FGTEN", "DDDDUUUU"},
        {__LINE__, EL0_A64, "EN F FGTEN TGE", "D22DUUUU"},
        {__LINE__, EL0_A64, "EN F FGTEN E2H", "D22DUUUU"},
        {__LINE__, EL0_A64, "EN F FGTEN TGE E2H", "DDDDUUUU"}, /* a host's program */
        {__LINE__, EL0_A64, "EN F FGTEN NOEL2", "DDDDUUUU"},
        {__LINE__, EL0_A64, "EN F FGTEN TAM3", "3223UUUU"}, /* HAFGRTR before CPTR_EL3 */
        {__LINE__, EL0_A64, "EN F TAM3", "3333UUUU"},
        {__LINE__, EL0_A64, "F FGTEN", "111DUUUU"}, /* AMUSERENR before HAFGRTR */
        {__LINE__, EL0_A64, "F FGTEN TGE", "222DUUUU"},
        {__LINE__, EL0_A64, "EN H", "DDDDUUUU"}, /* HSTR is for AArch32 */
        {__LINE__, EL0_A64, "EN NV NV2 VS VH", "DDDDUUUU"},
    };
    CHECK(amu_full(), rows);
}

TEST(el1_in_aarch64)
{
    static const struct row rows[] = {
        {__LINE__, EL1_A64, "", "DDDDUUDU"},
        {__LINE__, EL1_A64, "TGE", "DDDDUUDU"},
        {__LINE__, EL1_A64, "TAM2", "2222UU2U"},
        {__LINE__, EL1_A64, "TAM2 NOEL2", "DDDDUUDU"},
        {__LINE__, EL1_A64, "TAM3", "3333UU3U"},
        {__LINE__, EL1_A64, "TAM2 TAM3", "2222UU2U"},
        {__LINE__, EL1_A64, "TAM2 TAM3 NOEL2", "3333UU3U"},
        {__LINE__, EL1_A64, "TAM2 TAM3 UNDEF", "UUUUUUUU"},
        {__LINE__, EL1_A64, "TAM2 UNDEF", "2222UU2U"},
        {__LINE__, EL1_A64, "F FGTEN", "D22DUUDU"}, /* reads only */
        {__LINE__, EL1_A64, "F", "DDDDUUDU"},
        {__LINE__, EL1_A64, "F FGTEN NOEL2", "DDDDUUDU"},
        {__LINE__, EL1_A64, "F FGTEN TGE E2H", "D22DUUDU"},
        {__LINE__, EL1_A64, "F FGTEN TAM3", "3223UU3U"},
        {__LINE__, EL1_A64, "F FGTEN TAM3 UNDEF", "UUUUUUUU"},
        {__LINE__, EL1_A64, "H", "DDDDUUDU"},
        {__LINE__, EL1_A64, "NV", "DDDDUUD2"},
        {__LINE__, EL1_A64, "NV2", "DDDDUUDU"},
        {__LINE__, EL1_A64, "NV NV2", "DDDDUUDR"},
        {__LINE__, EL1_A64, "NV NOEL2", "DDDDUUDU"},
        {__LINE__, EL1_A64, "NV NV2 NOEL2", "DDDDUUDU"},
        {__LINE__, EL1_A64, "NV TAM2 TAM3", "2222UU22"},
        {__LINE__, EL1_A64, "NV TAM3 UNDEF", "UUUUUUU2"}, /* the offsets ask NV first */
        {__LINE__, EL1_A64, "NV NV2 TAM3", "3333UU3R"},
        {__LINE__, EL1_A64, "VS VH", "DDDDUUDU"},
    };
    CHECK(amu_full(), rows);
}

TEST(el2_and_el3_in_aarch64)
{
    static const struct row rows[] = {
        {__LINE__, EL2_A64, "", "DDDDUUD3"},
        {__LINE__, EL2_A64, "VS", "DDDDUUDD"},
        {__LINE__, EL2_A64, "VH", "DDDDUUD3"},
        {__LINE__, EL2_A64, "VS TAM2", "DDDDUUDD"},
        {__LINE__, EL2_A64, "VS F FGTEN", "DDDDUUDD"},
        {__LINE__, EL2_A64, "VS H", "DDDDUUDD"},
        {__LINE__, EL2_A64, "VS NV NV2", "DDDDUUDD"},
        {__LINE__, EL2_A64, "VS TAM3", "3333UU33"},
        {__LINE__, EL2_A64, "TAM3", "3333UU33"},
        {__LINE__, EL2_A64, "UNDEF", "DDDDUUDU"},
        {__LINE__, EL2_A64, "VS UNDEF", "DDDDUUDD"},
        {__LINE__, EL2_A64, "VS TAM3 UNDEF", "UUUUUUUU"},
        {__LINE__, EL3_A64, "", "DDDDDDDD"},
        {__LINE__, EL3_A64, "TGE TAM2 TAM3 UNDEF F FGTEN H NV NV2", "DDDDDDDD"},
        {__LINE__, EL3_A64, "NOEL2", "DDDDDDDD"},
    };
    CHECK(amu_full(), rows);
}

TEST(el0_in_aarch32)
{
    static const struct row rows[] = {
        {__LINE__, EL0_A32_UNDER_A64, "", "111DUUU"},
        {__LINE__, EL0_A32_UNDER_A64, "TGE", "222DUUU"},
        {__LINE__, EL0_A32_UNDER_A64, "TGE NOEL2", "111DUUU"},
        {__LINE__, EL0_A32_UNDER_A64, "EN", "DDDDUUU"},
        {__LINE__, EL0_A32_UNDER_A64, "EN H", "22D2UUU"},
        {__LINE__, EL0_A32_UNDER_A64, "EN H TGE", "22D2UUU"},
        {__LINE__, EL0_A32_UNDER_A64, "EN H E2H", "22D2UUU"},
        {__LINE__, EL0_A32_UNDER_A64, "EN H TGE E2H", "DDDDUUU"},
        {__LINE__, EL0_A32_UNDER_A64, "EN H NOEL2", "DDDDUUU"},
        {__LINE__, EL0_A32_UNDER_A64, "H", "1112UUU"},         /* AMUSERENR before HSTR */
        {__LINE__, EL0_A32_UNDER_A64, "EN H TAM3", "2232UUU"}, /* HSTR before CPTR_EL3 */
        {__LINE__, EL0_A32_UNDER_A64, "EN TAM2", "2222UUU"},
        {__LINE__, EL0_A32_UNDER_A64, "EN TAM3", "3333UUU"},
        {__LINE__, EL0_A32_UNDER_A64, "TAM3 UNDEF", "UUUUUUU"},
        {__LINE__, EL0_A32_UNDER_A64, "EN H TAM3 UNDEF", "UUUUUUU"},
        {__LINE__, EL0_A32_UNDER_A64, "EN F FGTEN", "D22DUUU"},
        {__LINE__, EL0_A32_UNDER_A64, "EN F", "DDDDUUU"},
        {__LINE__, EL0_A32_UNDER_A64, "EN F FGTEN TGE E2H", "DDDDUUU"},
        {__LINE__, EL0_A32_UNDER_A64, "EN F FGTEN TAM3", "3223UUU"},
        {__LINE__, EL0_A32_UNDER_EL2, "", "UUUDUUU"},
        {__LINE__, EL0_A32_UNDER_EL2, "TGE", "222DUUU"},
        {__LINE__, EL0_A32_UNDER_EL2, "TGE NOEL2", "UUUDUUU"},
        {__LINE__, EL0_A32_UNDER_EL2, "EN", "DDDDUUU"},
        {__LINE__, EL0_A32_UNDER_EL2, "EN F FGTEN", "DDDDUUU"}, /* not under AArch32 */
        {__LINE__, EL0_A32_UNDER_EL2, "EN H", "22D2UUU"},
        {__LINE__, EL0_A32_UNDER_EL2, "H", "UUU2UUU"},
        {__LINE__, EL0_A32_UNDER_EL2, "EN TAM2", "2222UUU"},
        {__LINE__, EL0_A32_UNDER_EL2, "EN TAM3", "3333UUU"},
        {__LINE__, EL0_A32_UNDER_EL2, "TAM3", "UUU3UUU"},
        {__LINE__, EL0_A32_UNDER_EL2, "EN TAM3 UNDEF", "UUUUUUU"},
        {__LINE__, EL0_A32_UNDER_EL3, "", "UUUDUUU"},
        {__LINE__, EL0_A32_UNDER_EL3, "TGE", "HHHDUUU"},
        {__LINE__, EL0_A32_UNDER_EL3, "TGE NOEL2", "UUUDUUU"},
        {__LINE__, EL0_A32_UNDER_EL3, "EN TGE", "DDDDUUU"},
        {__LINE__, EL0_A32_UNDER_EL3, "EN TAM2", "2222UUU"},
        {__LINE__, EL0_A32_UNDER_EL3, "EN H TGE E2H", "22D2UUU"}, /* no host in AArch32 */
        {__LINE__, EL0_A32_UNDER_EL3, "EN TAM3", "3333UUU"},
        {__LINE__, EL0_A32_UNDER_EL3, "TGE TAM3 UNDEF", "UUUUUUU"},
        {__LINE__, EL0_A32, "", "UUUDUUU"},
        {__LINE__, EL0_A32, "TGE", "HHHDUUU"},
        {__LINE__, EL0_A32, "EN", "DDDDUUU"},
        {__LINE__, EL0_A32, "EN TAM3 UNDEF", "DDDDUUU"}, /* EL3 has no CPTR_EL3 */
        {__LINE__, EL0_A32, "EN TAM2 TAM3", "2222UUU"},
    };
    CHECK(amu_full(), rows);
}

TEST(el1_to_el3_in_aarch32)
{
    static const struct row rows[] = {
        {__LINE__, EL1_A32_UNDER_EL2, "", "DDDDUUD"},
        {__LINE__, EL1_A32_UNDER_EL2, "TGE", "DDDDUUD"},
        {__LINE__, EL1_A32_UNDER_EL2, "H", "22D22U2"}, /* writes meet HSTR as well */
        {__LINE__, EL1_A32_UNDER_EL2, "H TGE E2H", "22D22U2"},
        {__LINE__, EL1_A32_UNDER_EL2, "H NOEL2", "DDDDUUD"},
        {__LINE__, EL1_A32_UNDER_EL2, "TAM2", "2222UU2"},
        {__LINE__, EL1_A32_UNDER_EL2, "TAM2 NOEL2", "DDDDUUD"},
        {__LINE__, EL1_A32_UNDER_EL2, "TAM3", "3333UU3"},
        {__LINE__, EL1_A32_UNDER_EL2, "H TAM3", "22322U2"},
        {__LINE__, EL1_A32_UNDER_EL2, "H TAM3 UNDEF", "UUUU2UU"},
        {__LINE__, EL1_A32_UNDER_EL2, "F FGTEN", "DDDDUUD"},
        {__LINE__, EL1_A32_UNDER_EL3, "H", "22D22U2"},
        {__LINE__, EL1_A32_UNDER_EL3, "TAM2", "2222UU2"},
        {__LINE__, EL1_A32_UNDER_EL3, "TAM3", "3333UU3"},
        {__LINE__, EL1_A32_UNDER_EL3, "TAM3 UNDEF", "UUUUUUU"},
        {__LINE__, EL1_A32, "", "DDDDUUD"},
        {__LINE__, EL1_A32, "TAM3 UNDEF", "DDDDUUD"},
        {__LINE__, EL1_A32, "TAM2 TAM3", "2222UU2"},
        {__LINE__, EL2_A32_UNDER_EL3, "", "DDDDUUD"},
        {__LINE__, EL2_A32_UNDER_EL3, "H TAM2 TGE", "DDDDUUD"},
        {__LINE__, EL2_A32_UNDER_EL3, "TAM3", "3333UU3"},
        {__LINE__, EL2_A32_UNDER_EL3, "TAM3 UNDEF", "UUUUUUU"},
        {__LINE__, EL2_A32, "TAM3 UNDEF", "DDDDUUD"},
        {__LINE__, EL3_A32, "", "DDDDDDD"},
        {__LINE__, EL3_A32, "TGE TAM2 TAM3 UNDEF F FGTEN H", "DDDDDDD"},
    };
    CHECK(amu_full(), rows);
}

TEST(without_el3)
{
    static const struct row rows[] = {
        {__LINE__, EL0_A64, "", "111DUUUU"},
        {__LINE__, EL0_A64, "EN TAM3 UNDEF", "DDDDUUUU"},
        {__LINE__, EL0_A64, "EN F", "D22DUUUU"}, /* no SCR_EL3 to hold HAFGRTR back */
        {__LINE__, EL1_A64, "F", "D22DUUDU"},
        {__LINE__, EL1_A64, "TAM2 TAM3", "2222UU2U"},
        {__LINE__, EL1_A64, "NV NV2", "DDDDUUDR"},
        {__LINE__, EL2_A64, "", "DDDDDDDD"}, /* the highest: it writes */
        {__LINE__, EL2_A64, "TAM3 UNDEF TAM2", "DDDDDDDD"},
        {__LINE__, EL3_A64, "", "DDDDDDDD"}, /* stands for EL2 */
        {__LINE__, EL1_A32_UNDER_EL2, "TAM3", "DDDDUUD"},
        {__LINE__, EL2_A32, "TAM3", "DDDDDDD"},
    };
    struct armpmu_amu_config config = amu_full();

    config.highest_el = 2;
    CHECK(config, rows);
}

TEST(without_el3_and_el2)
{
    static const struct row rows[] = {
        {__LINE__, EL0_A64, "TGE", "111DUUUU"},
        {__LINE__, EL0_A64, "EN TAM2 TAM3 F FGTEN", "DDDDUUUU"},
        {__LINE__, EL1_A64, "", "DDDDDDDU"},
        {__LINE__, EL1_A64, "TAM2 TAM3 UNDEF F FGTEN NV NV2", "DDDDDDDU"},
        {__LINE__, EL0_A32, "TGE", "UUUDUUU"},
        {__LINE__, EL0_A32, "EN H TAM2", "DDDDUUU"},
        {__LINE__, EL1_A32, "H TAM2 TAM3", "DDDDDDD"},
    };
    struct armpmu_amu_config config = amu_full();

    config.highest_el = 1;
    CHECK(config, rows);
}

TEST(without_el2)
{
    static const struct row rows[] = {
        {__LINE__, EL0_A64, "TGE", "111DUUUU"},
        {__LINE__, EL0_A64, "EN TAM2 F FGTEN", "DDDDUUUU"},
        {__LINE__, EL0_A64, "EN TAM3", "3333UUUU"},
        {__LINE__, EL1_A64, "TAM2 NV NV2", "DDDDUUDU"},
        {__LINE__, EL1_A64, "TAM2 TAM3", "3333UU3U"},
        {__LINE__, EL2_A64, "TAM3", "DDDDDDDD"}, /* stands for EL3 */
        {__LINE__, EL3_A64, "", "DDDDDDDD"},
    };
    struct armpmu_amu_config config = amu_full();

    config.without_el2 = true;
    CHECK(config, rows);
}

TEST(without_fine_traps)
{
    static const struct row rows[] = {
        {__LINE__, EL0_A64, "EN F FGTEN", "DDDDUUUU"},
        {__LINE__, EL1_A64, "F FGTEN", "DDDDUUDU"},
        {__LINE__, EL0_A32_UNDER_A64, "EN F FGTEN", "DDDDUUU"},
    };
    struct armpmu_amu_config config = amu_full();

    config.without_fine_traps = true;
    CHECK(config, rows);
}

/* HAFGRTR_EL2, bit by bit: the register that it traps, and no other. */
static const struct {
    unsigned bit;
    const char *name;
    unsigned n;
} fine_bits[] = {
    {0, "AMCNTENSET0", 0}, {0, "AMCNTENCLR0", 0},  {1, "AMEVCNTR0", 0},    {2, "AMEVCNTR0", 1},
    {3, "AMEVCNTR0", 2},   {4, "AMEVCNTR0", 3},    {17, "AMCNTENSET1", 0}, {17, "AMCNTENCLR1", 0},
    {18, "AMEVCNTR1", 0},  {19, "AMEVTYPER1", 0},  {20, "AMEVCNTR1", 1},   {21, "AMEVTYPER1", 1},
    {22, "AMEVCNTR1", 2},  {23, "AMEVTYPER1", 2},  {24, "AMEVCNTR1", 3},   {25, "AMEVTYPER1", 3},
    {26, "AMEVCNTR1", 4},  {27, "AMEVTYPER1", 4},  {28, "AMEVCNTR1", 5},   {29, "AMEVTYPER1", 5},
    {30, "AMEVCNTR1", 6},  {31, "AMEVTYPER1", 6},  {32, "AMEVCNTR1", 7},   {33, "AMEVTYPER1", 7},
    {34, "AMEVCNTR1", 8},  {35, "AMEVTYPER1", 8},  {36, "AMEVCNTR1", 9},   {37, "AMEVTYPER1", 9},
    {38, "AMEVCNTR1", 10}, {39, "AMEVTYPER1", 10}, {40, "AMEVCNTR1", 11},  {41, "AMEVTYPER1", 11},
    {42, "AMEVCNTR1", 12}, {43, "AMEVTYPER1", 12}, {44, "AMEVCNTR1", 13},  {45, "AMEVTYPER1", 13},
    {46, "AMEVCNTR1", 14}, {47, "AMEVTYPER1", 14}, {48, "AMEVCNTR1", 15},  {49, "AMEVTYPER1", 15},
};

static bool bit_traps(unsigned bit, const char *name, unsigned n)
{
    for (size_t i = 0; i < sizeof fine_bits / sizeof fine_bits[0]; i++)
        if (fine_bits[i].bit == bit && fine_bits[i].n == n && strcmp(fine_bits[i].name, name) == 0)
            return true;
    return false;
}

TEST(each_bit_of_hafgrtr_traps_its_registers_only)
{
    struct amu_bench *const bench = amu_start(amu_full());
    unsigned count = 0;
    uint64_t value = 0;

    amu_go(bench, EL1_A64, "FGTEN");
    for (unsigned bit = 0; bit < 64; bit++) {
        armpmu_set_pin(bench->pmu, ARMPMU_PIN_HAFGRTR, UINT64_C(1) << bit);
        for (size_t i = 0; amu_name(i, &count) != NULL; i++)
            for (unsigned n = 0; n < count; n++) {
                const char *const name = amu_name(i, &count);
                const enum armpmu_outcome outcome =
                    armpmu_read(bench->pmu, amu_at(name, n, false), &value);
                if ((outcome == ARMPMU_TRAP_EL2) != bit_traps(bit, name, n))
                    fail_msg("HAFGRTR_EL2 bit %u: %s, %u: %c", bit, name, n, amu_letter(outcome));
            }
    }
}

/* HSTR: T13 for MRC and MCR, T0 and T5 for counters; the counters in c4 have no bit. */
TEST(each_bit_of_hstr_traps_its_registers_only)
{
    struct amu_bench *const bench = amu_start(amu_full());
    unsigned count = 0;
    uint64_t value = 0;

    amu_go(bench, EL1_A32_UNDER_EL2, "");
    for (unsigned bit = 0; bit < 16; bit++) {
        armpmu_set_pin(bench->pmu, ARMPMU_PIN_HSTR, UINT64_C(1) << bit);
        for (size_t i = 0; amu_name(i, &count) != NULL; i++)
            for (unsigned n = 0; n < count; n++) {
                const char *const name = amu_name(i, &count);
                const struct armpmu_encoding at = amu_at(name, n, true);
                const bool trapped =
                    at.access == ARMPMU_ACCESS_MCR
                        ? bit == 13
                        : (strcmp(name, "AMEVCNTR0") == 0 && bit == 0) ||
                              (strcmp(name, "AMEVCNTR1") == 0 && n >= 8 && bit == 5);
                if (at.access == ARMPMU_ACCESS_EXT32)
                    continue;
                const enum armpmu_outcome outcome = armpmu_read(bench->pmu, at, &value);
                if (outcome != (trapped ? ARMPMU_TRAP_EL2 : ARMPMU_DONE))
                    fail_msg("HSTR bit %u: %s, %u: %c", bit, name, n, amu_letter(outcome));
            }
    }
}

/* A register that is not there is Undefined before anything can trap. */
TEST(what_is_not_there_is_undefined_first)
{
    static const struct {
        const char *name;
        unsigned n;
    } missing[] = {
        {"AMEVCNTR0", 4},     {"AMEVCNTR0", 15},   {"AMEVTYPER0", 4},   {"AMEVTYPER0", 15},
        {"AMEVCNTR1", 0},     {"AMEVCNTR1", 15},   {"AMEVTYPER1", 0},   {"AMCNTENSET1", 0},
        {"AMCNTENCLR1", 0},   {"AMCG1IDR", 0},     {"AMEVCNTVOFF0", 0}, {"AMEVCNTVOFF0", 1},
        {"AMEVCNTVOFF0", 15}, {"AMEVCNTVOFF1", 0},
    };
    static const enum who everybody[] = {EL0_A64, EL1_A64, EL2_A64, EL3_A64,
                                         EL0_A32, EL1_A32, EL2_A32, EL3_A32};
    struct amu_bench *const bench = amu_start((struct armpmu_amu_config){0});
    uint64_t value = 0;

    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++)
        for (size_t w = 0; w < sizeof everybody / sizeof everybody[0]; w++) {
            const struct armpmu_encoding at =
                amu_at(missing[i].name, missing[i].n, amu_is_aarch32(everybody[w]));
            if (at.access == ARMPMU_ACCESS_EXT32)
                continue;
            amu_go(bench, everybody[w], "TAM2 TAM3 F FGTEN H TGE NV NV2");
            assert_int_equal(armpmu_read(bench->pmu, at, &value), ARMPMU_UNDEFINED);
            assert_int_equal(armpmu_write(bench->pmu, at, 0), ARMPMU_UNDEFINED);
        }
}

/* A write to AMEVTYPER1n where the event is fixed; HSTR comes before that. */
TEST(a_fixed_event_cannot_be_written)
{
    struct armpmu_amu_config config = amu_full();
    uint64_t value = 0;

    config.group1_fixed = 0x8002;
    config.group1_events[1] = 0x0301;
    struct amu_bench *const bench = amu_start(config);
    for (unsigned n = 0; n < 16; n++) {
        const bool fixed = n == 1 || n == 15;
        amu_go(bench, EL3_A64, "");
        assert_int_equal(armpmu_write(bench->pmu, amu_at("AMEVTYPER1", n, false), 0x1234),
                         fixed ? ARMPMU_UNDEFINED : ARMPMU_DONE);
        amu_go(bench, EL3_A32, "");
        assert_int_equal(armpmu_write(bench->pmu, amu_at("AMEVTYPER1", n, true), 0x1234),
                         fixed ? ARMPMU_UNDEFINED : ARMPMU_DONE);
        amu_go(bench, EL1_A32_UNDER_EL2, "H13");
        assert_int_equal(armpmu_write(bench->pmu, amu_at("AMEVTYPER1", n, true), 0x1234),
                         ARMPMU_TRAP_EL2);
        assert_int_equal(amu_get(bench, "AMEVTYPER1", n), n == 1 ? 0x0301 : fixed ? 0 : 0x1234);
    }
    const struct armpmu_register *const reg =
        armpmu_register_find(armpmu_core_of(bench->pmu), "AMEVTYPER1<n>", NULL);
    armpmu_poke(bench->pmu, reg, 1, 0xffff);
    assert_int_equal(armpmu_peek(bench->pmu, reg, 1), 0x0301);
    armpmu_poke(bench->pmu, reg, 2, 0xffff);
    assert_int_equal(armpmu_peek(bench->pmu, reg, 2), 0xffff);
    amu_go(bench, EL1_A64, "");
    assert_int_equal(armpmu_read(bench->pmu, amu_at("AMEVTYPER1", 1, false), &value), ARMPMU_DONE);
    assert_int_equal(value, 0x0301);
}

/* Each state has its own instructions. */
TEST(the_other_state_s_instructions_are_undefined)
{
    struct amu_bench *const bench = amu_start(amu_full());
    uint64_t value = 0;

    for (enum who who = EL0_A64; who <= EL3_A32; who++) {
        amu_go(bench, who, "EN");
        assert_int_equal(armpmu_read(bench->pmu, amu_at("AMCR", 0, amu_is_aarch32(who)), &value),
                         ARMPMU_DONE);
        assert_int_equal(armpmu_read(bench->pmu, amu_at("AMCR", 0, !amu_is_aarch32(who)), &value),
                         ARMPMU_UNDEFINED);
        assert_int_equal(
            armpmu_read(bench->pmu, amu_at("AMEVCNTR0", 0, !amu_is_aarch32(who)), &value),
            ARMPMU_UNDEFINED);
    }
}

/* In EL1 the state of EL1 is that of the code: the pin about it need not be set. */
TEST(el1_in_aarch32_needs_no_second_pin)
{
    struct amu_bench *const bench = amu_start(amu_full());
    uint64_t value = 0;

    amu_go(bench, EL1_A32_UNDER_EL2, "F FGTEN");
    armpmu_set_pin(bench->pmu, ARMPMU_PIN_EL1_AARCH32, 0);
    assert_int_equal(armpmu_read(bench->pmu, amu_at("AMEVCNTR0", 0, true), &value), ARMPMU_DONE);
    amu_go(bench, EL0_A32_UNDER_A64, "F FGTEN EN");
    assert_int_equal(armpmu_read(bench->pmu, amu_at("AMEVCNTR0", 0, true), &value),
                     ARMPMU_TRAP_EL2);
}

/* Nested virtualization: 0xA00 + 8n for group 0, 0xA80 + 8n for group 1. */
TEST(redirected_accesses_go_to_memory)
{
    assert_int_equal(armpmu_nested_offset(amu_at("AMEVCNTVOFF0", 0, false)), 0xa00);
    assert_int_equal(armpmu_nested_offset(amu_at("AMEVCNTVOFF0", 2, false)), 0xa10);
    assert_int_equal(armpmu_nested_offset(amu_at("AMEVCNTVOFF0", 3, false)), 0xa18);
    assert_int_equal(armpmu_nested_offset(amu_at("AMEVCNTVOFF1", 0, false)), 0xa80);
    assert_int_equal(armpmu_nested_offset(amu_at("AMEVCNTVOFF1", 7, false)), 0xab8);
    assert_int_equal(armpmu_nested_offset(amu_at("AMEVCNTVOFF1", 8, false)), 0xac0);
    assert_int_equal(armpmu_nested_offset(amu_at("AMEVCNTVOFF1", 15, false)), 0xaf8);
}

TEST(exception_classes_name_the_instruction)
{
    static const enum armpmu_outcome traps[] = {ARMPMU_TRAP_EL1, ARMPMU_TRAP_EL2, ARMPMU_TRAP_EL3};
    static const enum armpmu_outcome others[] = {ARMPMU_DONE, ARMPMU_UNDEFINED,
                                                 ARMPMU_UNDEFINED_TO_EL2, ARMPMU_BUS_FAULT};

    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(armpmu_exception_class(traps[i], ARMPMU_ACCESS_MSR), 0x18);
        assert_int_equal(armpmu_exception_class(traps[i], ARMPMU_ACCESS_MCR), 0x03);
        assert_int_equal(armpmu_exception_class(traps[i], ARMPMU_ACCESS_MCRR), 0x04);
        assert_int_equal(armpmu_exception_class(traps[i], ARMPMU_ACCESS_LDC), 0x06);
        assert_int_equal(armpmu_exception_class(traps[i], ARMPMU_ACCESS_EXT32), 0);
    }
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(armpmu_exception_class(others[i], ARMPMU_ACCESS_MSR), 0);
}

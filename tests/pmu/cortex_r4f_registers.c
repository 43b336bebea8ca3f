/* The Cortex-R4F's performance monitor, validation and fault location registers against the manual.
 * Each row of a table is a line of the manual, written down by hand: nothing here is taken from the
 * catalogue.
 *
 * Source: ARM DDI 0363E, c9 performance monitor registers, c15 validation registers; ARM DDI 0363G,
 * Correctable Fault Location Register. */
#include "../test.h"

#include <string.h>

#include "armv7_bench.h"

/* An access table: | EN | privileged read | privileged write | User read | User write | */
#define Data      ARMPMU_DONE
#define Undefined ARMPMU_UNDEFINED
struct access_row {
    unsigned en;
    enum armpmu_outcome outcome[4];
};

static const struct access_row by_useren[] = {
    {0, {Data, Data, Undefined, Undefined}},
    {1, {Data, Data, Data, Data}},
};

/* USEREN itself: readable in every mode, written in privileged modes. */
static const struct access_row user_reads[] = {
    {0, {Data, Data, Data, Undefined}},
    {1, {Data, Data, Data, Undefined}},
};

/* What generates interrupts, and the CFLR: USEREN does not open them. */
static const struct access_row privileged_only[] = {
    {0, {Data, Data, Undefined, Undefined}},
    {1, {Data, Data, Undefined, Undefined}},
};

/* Every register: who may use it; what it reads after reset, after ones in every bit were written,
 * and after zeros. */
static const struct row {
    int line;
    enum place at;
    const struct access_row *access;
    uint32_t reset, after_ones, after_zeros;
} rows[] = {
    /* clang-format off */
    /* IMP 0x41, IDCODE 0x14, N 3; [10:6] RAZ; C and P read as zero */
    {__LINE__, PMNC,    by_useren,       0x41141800, 0x41141839, 0x41141800},
    /* [30:3] reserved; zeros leave the set as it is */
    {__LINE__, CNTENS,  by_useren,       0, 0x80000007, 0x80000007},
    {__LINE__, CNTENC,  by_useren,       0, 0,          0},
    {__LINE__, FLAG,    by_useren,       0, 0,          0},
    {__LINE__, SWINCR,  by_useren,       0, 0,          0},
    {__LINE__, PMNXSEL, by_useren,       0, 0x0000001f, 0},
    {__LINE__, CCNT,    by_useren,       0, 0xffffffff, 0},
    {__LINE__, EVTSEL,  by_useren,       0, 0x000000ff, 0},
    {__LINE__, PMC,     by_useren,       0, 0xffffffff, 0},
    {__LINE__, USEREN,  user_reads,      0, 0x00000001, 0},
    {__LINE__, INTENS,  privileged_only, 0, 0x80000007, 0x80000007},
    {__LINE__, INTENC,  privileged_only, 0, 0,          0},
    {__LINE__, VALIRQENS,    by_useren,  0, 0x80000007, 0x80000007},
    {__LINE__, VALFIQENS,    by_useren,  0, 0x80000007, 0x80000007},
    {__LINE__, VALRESETENS,  by_useren,  0, 0x80000007, 0x80000007},
    {__LINE__, VALEDBGRQENS, by_useren,  0, 0x80000007, 0x80000007},
    {__LINE__, VALIRQENC,    by_useren,  0, 0,          0},
    {__LINE__, VALFIQENC,    by_useren,  0, 0,          0},
    {__LINE__, VALRESETENC,  by_useren,  0, 0,          0},
    {__LINE__, VALEDBGRQENC, by_useren,  0, 0,          0},
    /* [31:30], [23] and [2] RAZ */
    {__LINE__, CFLR,    privileged_only, 0, 0x3f7ffffb, 0},
    /* clang-format on */
};

#define N_ROWS (sizeof rows / sizeof rows[0])

TEST(each_register_is_accessible_as_its_table_says)
{
    for (size_t i = 0; i < N_ROWS; i++)
        for (unsigned row = 0; row < 2; row++)
            for (unsigned column = 0; column < 4; column++) {
                struct bench *const bench = start();
                set(bench, USEREN, rows[i].access[row].en);
                pin(bench, ARMPMU_PIN_USER_MODE, column >> 1);
                uint32_t value = 0x5eed;
                const enum armpmu_outcome outcome = column & 1
                                                        ? write_outcome(bench, rows[i].at, 0)
                                                        : read_outcome(bench, rows[i].at, &value);
                if (outcome != rows[i].access[row].outcome[column])
                    fail_msg("line %d: EN %u, column %u: outcome %u", rows[i].line, row, column,
                             outcome);
                if (outcome == Undefined)
                    assert_int_equal(value, 0x5eed);
            }
}

/* The core has one security state: the pin of another core means nothing here. */
TEST(security_state_does_not_matter)
{
    struct bench *const bench = start();

    pin(bench, ARMPMU_PIN_NONSECURE, 1);
    pin(bench, ARMPMU_PIN_SPIDEN, 0);
    pin(bench, ARMPMU_PIN_SPNIDEN, 0);
    program(bench, 0, 0x08, 0);
    set(bench, PMNC, 1);
    post(bench, ARMPMU_SIGNAL_INST_RETIRED, 3);
    pin(bench, ARMPMU_PIN_NONSECURE, 0);
    post(bench, ARMPMU_SIGNAL_INST_RETIRED, 3);
    assert_int_equal(count(bench, 0), 6);
}

TEST(a_refused_write_changes_nothing)
{
    for (size_t i = 0; i < N_ROWS; i++) {
        struct bench *const bench = start();
        set(bench, PMNC, 1);
        set(bench, CNTENS, 1);
        const uint32_t before = get(bench, rows[i].at);
        pin(bench, ARMPMU_PIN_USER_MODE, 1);
        assert_int_equal(write_outcome(bench, rows[i].at, 0x39), Undefined);
        pin(bench, ARMPMU_PIN_USER_MODE, 0);
        assert_int_equal(get(bench, rows[i].at), before);
        assert_int_equal(count(bench, 0), 0);
    }
}

/* Also, after reset, of the registers that set and clear: nothing a test wrote stays. */
TEST(fields_take_and_drop_what_the_tables_say)
{
    for (size_t i = 0; i < N_ROWS; i++) {
        struct bench *const bench = start();
        const uint32_t reset = get(bench, rows[i].at);
        set(bench, rows[i].at, 0xffffffff);
        const uint32_t after_ones = get(bench, rows[i].at);
        set(bench, rows[i].at, 0);
        const uint32_t after_zeros = get(bench, rows[i].at);
        if (reset != rows[i].reset || after_ones != rows[i].after_ones ||
            after_zeros != rows[i].after_zeros)
            fail_msg("line %d: 0x%08x, 0x%08x, 0x%08x", rows[i].line, reset, after_ones,
                     after_zeros);
        set(bench, rows[i].at, 0xffffffff);
        armpmu_reset(bench->pmu, ARMPMU_RESET_WARM);
        for (size_t j = 0; j < N_ROWS; j++)
            assert_int_equal(get(bench, rows[j].at), rows[j].reset);
    }
}

TEST(each_bit_of_a_register_stands_alone)
{
    static const struct {
        int line;
        enum place at;
        uint32_t written, read;
    } cases[] = {
        {__LINE__, PMNC, 1u << 0, 0x41141801},  /* E                          */
        {__LINE__, PMNC, 1u << 1, 0x41141800},  /* P reads as zero            */
        {__LINE__, PMNC, 1u << 2, 0x41141800},  /* C reads as zero            */
        {__LINE__, PMNC, 1u << 3, 0x41141808},  /* D                          */
        {__LINE__, PMNC, 1u << 4, 0x41141810},  /* X                          */
        {__LINE__, PMNC, 1u << 5, 0x41141820},  /* DP                         */
        {__LINE__, PMNC, 0x7c0, 0x41141800},    /* [10:6] RAZ                 */
        {__LINE__, PMNC, 0xf800, 0x41141800},   /* N is read only             */
        {__LINE__, PMNC, 0xff0000, 0x41141800}, /* IDCODE                     */
        {__LINE__, PMNC, 0xff000000, 0x41141800}, {__LINE__, PMNXSEL, 0xffffffe0, 0},
        {__LINE__, EVTSEL, 0xffffff00, 0},        {__LINE__, USEREN, 0xfffffffe, 0},
        {__LINE__, CFLR, 0x3c000000, 0x3c000000}, /* Way                      */
        {__LINE__, CFLR, 0x03000000, 0x03000000}, /* Side                     */
        {__LINE__, CFLR, 0x007ffff8, 0x007ffff8}, /* Address                  */
        {__LINE__, CFLR, 0x00000003, 0x00000003}, /* Type                     */
        {__LINE__, CFLR, 0xc0800004, 0x00000000},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench *const bench = start();
        set(bench, cases[i].at, cases[i].written);
        if (get(bench, cases[i].at) != cases[i].read)
            fail_msg("line %d: 0x%08x", cases[i].line, get(bench, cases[i].at));
    }
}

TEST(set_and_clear_registers_share_their_bits_and_no_others)
{
    static const struct {
        enum place set, clear;
    } pairs[] = {{CNTENS, CNTENC},       {INTENS, INTENC},           {VALIRQENS, VALIRQENC},
                 {VALFIQENS, VALFIQENC}, {VALRESETENS, VALRESETENC}, {VALEDBGRQENS, VALEDBGRQENC}};

    for (size_t i = 0; i < 6; i++)
        for (unsigned bit = 0; bit < 32; bit++) {
            struct bench *const bench = start();
            const uint32_t present = 0x80000007 & 1u << bit;
            set(bench, pairs[i].set, 1u << bit);
            assert_int_equal(get(bench, pairs[i].set), present);
            assert_int_equal(get(bench, pairs[i].clear), present);
            for (size_t j = 0; j < 6; j++)
                assert_int_equal(get(bench, pairs[j].clear), j == i ? present : 0);
            set(bench, pairs[i].clear, ~(1u << bit));
            assert_int_equal(get(bench, pairs[i].set), present);
            set(bench, pairs[i].clear, 1u << bit);
            assert_int_equal(get(bench, pairs[i].clear), 0);
        }
}

/* Registers of CP15 c9 c12 to c14 and c15 c1 that exist have opcode 1 of zero and an opcode 2 below
 * this. */
static unsigned registers_at(unsigned crn, unsigned crm)
{
    if (crn == 15)
        return crm == 1 ? 8 : crm == 3 ? 1 : 0;
    return crm == 12 ? 6 : crm == 13 || crm == 14 ? 3 : 0;
}

/* Every encoding of c9 and c15: one of the unit's registers, its own and Undefined, or not its. */
TEST(encodings_that_no_register_has_are_undefined)
{
    static const unsigned crns[] = {9, 15};
    unsigned undefined = 0, registers = 0;

    for (unsigned n = 0; n < 2 * 2 * 8 * 16 * 8; n++) {
        const unsigned op2 = n & 7, crm = n >> 3 & 15, op1 = n >> 7 & 7, crn = crns[n >> 10 & 1];
        struct bench *const bench = start();
        set(bench, USEREN, 1);
        pin(bench, ARMPMU_PIN_USER_MODE, n >> 11);
        if (op1 == 0 && op2 < registers_at(crn, crm)) {
            registers++;
            continue;
        }
        /* All of c9 c12 to c14, whatever opcode 1; of c15 nothing but the registers. */
        const bool ours = crn == 9 && crm >= 12 && crm <= 14;
        const enum armpmu_outcome wanted = ours ? Undefined : ARMPMU_NOT_HERE;
        uint32_t value = 0x5eed;
        undefined += ours;
        assert_int_equal(armpmu_mrc(bench->pmu, 15, op1, crn, crm, op2, &value), wanted);
        assert_int_equal(armpmu_mcr(bench->pmu, 15, op1, crn, crm, op2, 0), wanted);
        assert_int_equal(value, 0x5eed);
    }
    assert_int_equal(registers, 2 * (12 + 9));
    assert_int_equal(undefined, 2 * (3 * 64 - 12));
}

TEST(other_ways_in_do_not_lead_here)
{
    struct bench *const bench = start();
    uint64_t both = 0;
    uint32_t value = 0;

    assert_int_equal(armpmu_mrrc(bench->pmu, 15, 0, 9, &both), Undefined);
    assert_int_equal(armpmu_mcrr(bench->pmu, 15, 3, 9, 0), Undefined);
    for (uint8_t crd = 0; crd < 16; crd++) { /* LDC and STC */
        const struct armpmu_encoding at = {.access = ARMPMU_ACCESS_LDC, .coproc = 15, .crn = crd};
        const enum armpmu_outcome wanted = crd == 9 ? Undefined : ARMPMU_NOT_HERE;
        assert_int_equal(armpmu_read(bench->pmu, at, &both), wanted);
        assert_int_equal(armpmu_write(bench->pmu, at, 0), wanted);
    }
    assert_int_equal(armpmu_mrrc(bench->pmu, 15, 0, 2, &both), ARMPMU_NOT_HERE);
    assert_int_equal(armpmu_mrc(bench->pmu, 15, 0, 10, 12, 0, &value), ARMPMU_NOT_HERE);
    assert_int_equal(armpmu_mrc(bench->pmu, 14, 0, 9, 12, 0, &value), ARMPMU_NOT_HERE);
    assert_int_equal(armpmu_mrc(bench->pmu, 14, 0, 15, 1, 0, &value), ARMPMU_NOT_HERE);
    assert_int_equal(armpmu_mrs(bench->pmu, 3, 3, 9, 12, 0, &both), ARMPMU_NOT_HERE);
}

TEST(the_select_register_chooses_the_counter)
{
    struct bench *const bench = start();

    for (uint32_t n = 0; n < 3; n++) {
        set(bench, PMNXSEL, n);
        set(bench, EVTSEL, 0x40 + n);
        set(bench, PMC, 1000 + n);
    }
    /* A select without a counter, 3 to 31: reads zero, and writes go nowhere. */
    for (uint32_t n = 3; n < 32; n++) {
        set(bench, PMNXSEL, n);
        set(bench, EVTSEL, 0xff);
        set(bench, PMC, 0xffffffff);
    }
    for (uint32_t n = 0; n < 32; n++) {
        set(bench, PMNXSEL, n);
        assert_int_equal(get(bench, PMNXSEL), n);
        assert_int_equal(get(bench, EVTSEL), n < 3 ? 0x40 + n : 0);
        assert_int_equal(get(bench, PMC), n < 3 ? 1000 + n : 0);
    }
}

TEST_OF(p_and_c_zero_their_counters_and_nothing_else, NULL, NULL)

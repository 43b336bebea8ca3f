/* The Cortex-A8's performance monitor registers against the manual. Each row of a table is a line
 * of the manual, written down by hand: nothing here is taken from the catalogue.
 *
 * Source: ARM DDI 0344K, c9 performance monitor registers, tables 3.82 to 3.96. */
#include "../test.h"

#include <string.h>

#include "armv7_bench.h"

/* An access table as the manual prints it:
 *     | Secure privileged | Nonsecure privileged | Secure User | Nonsecure User |
 *  EN | Read | Write      | Read | Write         | Read | Write | Read | Write  | */
#define Data      ARMPMU_DONE
#define Undefined ARMPMU_UNDEFINED
struct access_row {
    unsigned en;
    enum armpmu_outcome outcome[8];
};

/* Tables 3.83 (PMNC) and 3.96 (EVTSEL), and of FLAG, CCNT and all that USEREN opens. */
static const struct access_row by_useren[] = {
    {0, {Data, Data, Data, Data, Undefined, Undefined, Undefined, Undefined}},
    {1, {Data, Data, Data, Data, Data, Data, Data, Data}},
};

/* USEREN itself: readable in every mode, written in privileged modes. */
static const struct access_row user_reads[] = {
    {0, {Data, Data, Data, Data, Data, Undefined, Data, Undefined}},
    {1, {Data, Data, Data, Data, Data, Undefined, Data, Undefined}},
};

/* INTENS and INTENC, table 3.106: USEREN does not open them. */
static const struct access_row privileged_only[] = {
    {0, {Data, Data, Data, Data, Undefined, Undefined, Undefined, Undefined}},
    {1, {Data, Data, Data, Data, Undefined, Undefined, Undefined, Undefined}},
};

TEST(each_register_is_accessible_as_its_table_says)
{
    static const struct {
        int line;
        enum place at;
        const struct access_row *rows;
    } cases[] = {
        {__LINE__, PMNC, by_useren},         {__LINE__, CNTENS, by_useren},
        {__LINE__, CNTENC, by_useren},       {__LINE__, FLAG, by_useren},
        {__LINE__, SWINCR, by_useren},       {__LINE__, PMNXSEL, by_useren},
        {__LINE__, CCNT, by_useren},         {__LINE__, EVTSEL, by_useren},
        {__LINE__, PMC, by_useren},          {__LINE__, USEREN, user_reads},
        {__LINE__, INTENS, privileged_only}, {__LINE__, INTENC, privileged_only},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (unsigned row = 0; row < 2; row++)
            for (unsigned column = 0; column < 8; column++) {
                struct bench *const bench = start();
                set(bench, USEREN, cases[i].rows[row].en);
                pin(bench, ARMPMU_PIN_NONSECURE, column >> 1 & 1);
                pin(bench, ARMPMU_PIN_USER_MODE, column >> 2 & 1);
                const struct armpmu_encoding at = {
                    .access = ARMPMU_ACCESS_MCR,
                    .coproc = 15,
                    .crn = 9,
                    .crm = (unsigned)cases[i].at >> 4 & 15,
                    .op2 = cases[i].at & 7,
                };
                const enum armpmu_outcome tried = armpmu_try(bench->pmu, at, column & 1);
                uint32_t value = 0x5eed;
                const enum armpmu_outcome outcome = column & 1
                                                        ? write_outcome(bench, cases[i].at, 0)
                                                        : read_outcome(bench, cases[i].at, &value);
                assert_int_equal(tried, outcome);
                if (outcome != cases[i].rows[row].outcome[column])
                    fail_msg("line %d: EN %u, column %u: outcome %u", cases[i].line, row, column,
                             outcome);
                if (outcome == Undefined)
                    assert_int_equal(value, 0x5eed);
            }
}

TEST(a_refused_write_changes_nothing)
{
    static const enum place places[] = {PMNC, CNTENS, PMNXSEL, CCNT,  EVTSEL,
                                        PMC,  INTENS, USEREN,  SWINCR};

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct bench *const bench = start();
        set(bench, PMNC, 1);
        set(bench, CNTENS, 1);
        const uint32_t before = get(bench, places[i]);
        pin(bench, ARMPMU_PIN_USER_MODE, 1);
        assert_int_equal(write_outcome(bench, places[i], 0x39), Undefined);
        pin(bench, ARMPMU_PIN_USER_MODE, 0);
        assert_int_equal(get(bench, places[i]), before);
        assert_int_equal(count(bench, 0), 0);
    }
}

/* After reset, and after ones and after a pattern are written to every bit. */
TEST(fields_take_and_drop_what_the_tables_say)
{
    static const struct {
        int line;
        enum place at;
        uint32_t reset, after_ones, after_zeros;
    } cases[] = {
        /* IMP 0x41, IDCODE 0, N 4; [10:6] RAZ; C and P read as zero */
        {__LINE__, PMNC, 0x41002000, 0x41002039, 0x41002000},
        /* [30:4] reserved; writing zeros leaves the set as it is */
        {__LINE__, CNTENS, 0x00000000, 0x8000000f, 0x8000000f},
        {__LINE__, CNTENC, 0x00000000, 0x00000000, 0x00000000},
        {__LINE__, FLAG, 0x00000000, 0x00000000, 0x00000000},
        {__LINE__, SWINCR, 0x00000000, 0x00000000, 0x00000000},
        {__LINE__, PMNXSEL, 0x00000000, 0x0000001f, 0x00000000},
        {__LINE__, CCNT, 0x00000000, 0xffffffff, 0x00000000},
        {__LINE__, EVTSEL, 0x00000000, 0x000000ff, 0x00000000},
        {__LINE__, PMC, 0x00000000, 0xffffffff, 0x00000000},
        {__LINE__, USEREN, 0x00000000, 0x00000001, 0x00000000},
        {__LINE__, INTENS, 0x00000000, 0x8000000f, 0x8000000f},
        {__LINE__, INTENC, 0x00000000, 0x00000000, 0x00000000},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench *const bench = start();
        const uint32_t reset = get(bench, cases[i].at);
        set(bench, cases[i].at, 0xffffffff);
        const uint32_t after_ones = get(bench, cases[i].at);
        set(bench, cases[i].at, 0);
        const uint32_t after_zeros = get(bench, cases[i].at);
        if (reset != cases[i].reset || after_ones != cases[i].after_ones ||
            after_zeros != cases[i].after_zeros)
            fail_msg("line %d: 0x%08x, 0x%08x, 0x%08x", cases[i].line, reset, after_ones,
                     after_zeros);
        armpmu_reset(bench->pmu, ARMPMU_RESET_COLD);
        assert_int_equal(get(bench, cases[i].at), cases[i].reset);
    }
}

TEST(each_bit_of_pmnc_stands_alone)
{
    static const struct {
        int line;
        uint32_t written, read;
    } cases[] = {
        {__LINE__, 1u << 0, 0x41002001},  /* E                        */
        {__LINE__, 1u << 1, 0x41002000},  /* P reads as zero          */
        {__LINE__, 1u << 2, 0x41002000},  /* C reads as zero          */
        {__LINE__, 1u << 3, 0x41002008},  /* D                        */
        {__LINE__, 1u << 4, 0x41002010},  /* X                        */
        {__LINE__, 1u << 5, 0x41002020},  /* DP                       */
        {__LINE__, 0x7c0, 0x41002000},    /* [10:6] RAZ               */
        {__LINE__, 0xf800, 0x41002000},   /* N is read only           */
        {__LINE__, 0xff0000, 0x41002000}, /* IDCODE                   */
        {__LINE__, 0xff000000, 0x41002000},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench *const bench = start();
        set(bench, PMNC, cases[i].written);
        if (get(bench, PMNC) != cases[i].read)
            fail_msg("line %d: 0x%08x", cases[i].line, get(bench, PMNC));
    }
}

TEST(set_and_clear_registers_share_their_bits)
{
    static const struct {
        enum place set, clear;
    } pairs[] = {{CNTENS, CNTENC}, {INTENS, INTENC}};

    for (size_t i = 0; i < 2; i++)
        for (unsigned bit = 0; bit < 32; bit++) {
            struct bench *const bench = start();
            const uint32_t present = 0x8000000f & 1u << bit;
            set(bench, pairs[i].set, 1u << bit);
            assert_int_equal(get(bench, pairs[i].set), present);
            assert_int_equal(get(bench, pairs[i].clear), present);
            set(bench, pairs[i].clear, ~(1u << bit));
            assert_int_equal(get(bench, pairs[i].set), present);
            set(bench, pairs[i].clear, 1u << bit);
            assert_int_equal(get(bench, pairs[i].clear), 0);
        }
}

/* Every encoding of the performance monitor's part of c9, and neighbours that are not its own. */
TEST(encodings_that_no_register_has_are_undefined)
{
    static const unsigned ops[3] = {6, 3, 3}; /* of c12, c13 and c14: registers with op2 below */
    struct bench *const bench = start();

    for (unsigned user = 0; user < 2; user++) {
        set(bench, USEREN, 1);
        pin(bench, ARMPMU_PIN_USER_MODE, user);
        for (unsigned op1 = 0; op1 < 8; op1++)
            for (unsigned crm = 0; crm < 16; crm++)
                for (unsigned op2 = 0; op2 < 8; op2++) {
                    uint32_t value = 0;
                    const bool ours = crm >= 12 && crm <= 14;
                    const bool exists = ours && op1 == 0 && op2 < ops[crm - 12];
                    if (exists)
                        continue;
                    const enum armpmu_outcome wanted = ours ? Undefined : ARMPMU_NOT_HERE;
                    assert_int_equal(armpmu_mrc(bench->pmu, 15, op1, 9, crm, op2, &value), wanted);
                    assert_int_equal(armpmu_mcr(bench->pmu, 15, op1, 9, crm, op2, 0), wanted);
                }
        pin(bench, ARMPMU_PIN_USER_MODE, 0);
    }
    uint64_t both = 0;
    assert_int_equal(armpmu_mrrc(bench->pmu, 15, 0, 9, &both), Undefined);
    assert_int_equal(armpmu_mcrr(bench->pmu, 15, 3, 9, 0), Undefined);
    for (uint8_t crd = 0; crd < 16; crd++) { /* LDC and STC */
        const struct armpmu_encoding at = {.access = ARMPMU_ACCESS_LDC, .coproc = 15, .crn = crd};
        const enum armpmu_outcome wanted = crd == 9 ? Undefined : ARMPMU_NOT_HERE;
        assert_int_equal(armpmu_read(bench->pmu, at, &both), wanted);
        assert_int_equal(armpmu_write(bench->pmu, at, 0), wanted);
    }
    assert_int_equal(armpmu_mrrc(bench->pmu, 15, 0, 2, &both), ARMPMU_NOT_HERE);
    uint32_t value = 0;
    assert_int_equal(armpmu_mrc(bench->pmu, 15, 0, 10, 12, 0, &value), ARMPMU_NOT_HERE);
    assert_int_equal(armpmu_mrc(bench->pmu, 14, 0, 9, 12, 0, &value), ARMPMU_NOT_HERE);
    assert_int_equal(armpmu_mrs(bench->pmu, 3, 3, 9, 12, 0, &both), ARMPMU_NOT_HERE);
}

TEST(the_select_register_chooses_the_counter)
{
    struct bench *const bench = start();

    for (uint32_t n = 0; n < 4; n++) {
        set(bench, PMNXSEL, n);
        set(bench, EVTSEL, 0x40 + n);
        set(bench, PMC, 1000 + n);
    }
    for (uint32_t n = 0; n < 32; n++) {
        set(bench, PMNXSEL, n);
        assert_int_equal(get(bench, PMNXSEL), n);
        assert_int_equal(get(bench, EVTSEL), n < 4 ? 0x40 + n : 0);
        assert_int_equal(get(bench, PMC), n < 4 ? 1000 + n : 0);
    }
    /* A select without a counter: writes go nowhere. */
    for (uint32_t n = 4; n < 32; n++) {
        set(bench, PMNXSEL, n);
        set(bench, EVTSEL, 0xff);
        set(bench, PMC, 0xffffffff);
        assert_int_equal(get(bench, PMC), 0);
    }
    for (uint32_t n = 0; n < 4; n++) {
        set(bench, PMNXSEL, n);
        assert_int_equal(get(bench, EVTSEL), 0x40 + n);
        assert_int_equal(get(bench, PMC), 1000 + n);
    }
}

TEST_OF(p_and_c_zero_their_counters_and_nothing_else, NULL, NULL)

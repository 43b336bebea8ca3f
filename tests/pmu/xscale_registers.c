/* The registers of both XScale performance monitors against the manual. Each row of a table is a
 * line of the manual, written down by hand: nothing here is taken from the catalogue.
 *
 * Source: Intel 273473-002, Performance Monitoring, XSC1 and XSC2 register descriptions; the access
 * rules of CP14 are those of the 80200 and IXP45X/46X manuals. */
#include "../test.h"

#include <string.h>

#include "xscale_bench.h"

#define Data      ARMPMU_DONE
#define Undefined ARMPMU_UNDEFINED
#define NotHere   ARMPMU_NOT_HERE

/* The instructions as words, AL and r0; what they reach. */
static const struct instruction {
    int line;
    unsigned generation;
    uint32_t write, read;
    const char *name;
    unsigned element;
} instructions[] = {
    /* XSC1: MCR and MRC */
    {__LINE__, 1, 0xee000e10, 0xee100e10, "PMNC", 0},
    {__LINE__, 1, 0xee010e10, 0xee110e10, "CCNT", 0},
    {__LINE__, 1, 0xee020e10, 0xee120e10, "PMN0", 0},
    {__LINE__, 1, 0xee030e10, 0xee130e10, "PMN1", 1},
    /* XSC1: LDC and STC */
    {__LINE__, 1, 0xed900e00, 0xed800e00, "PMNC", 0},
    {__LINE__, 1, 0xed901e00, 0xed801e00, "CCNT", 0},
    {__LINE__, 1, 0xed902e00, 0xed802e00, "PMN0", 0},
    {__LINE__, 1, 0xed903e00, 0xed803e00, "PMN1", 1},
    /* XSC2: MCR and MRC only */
    {__LINE__, 2, 0xee000e11, 0xee100e11, "PMNC", 0},
    {__LINE__, 2, 0xee010e11, 0xee110e11, "CCNT", 0},
    {__LINE__, 2, 0xee040e11, 0xee140e11, "INTEN", 0},
    {__LINE__, 2, 0xee050e11, 0xee150e11, "FLAG", 0},
    {__LINE__, 2, 0xee080e11, 0xee180e11, "EVTSEL", 0},
    {__LINE__, 2, 0xee000e12, 0xee100e12, "PMN0", 0},
    {__LINE__, 2, 0xee010e12, 0xee110e12, "PMN1", 1},
    {__LINE__, 2, 0xee020e12, 0xee120e12, "PMN2", 2},
    {__LINE__, 2, 0xee030e12, 0xee130e12, "PMN3", 3},
};
#define N_INSTRUCTIONS (sizeof instructions / sizeof instructions[0])

/* The bits that a write of ones leaves to be read, and those that are there before. */
static uint32_t after_ones(const struct instruction *row)
{
    switch (row->write) {
    case 0xee000e10:
    case 0xed900e00:
        return 0x0ffff079;
    case 0xee000e11:
        return 0x14000009;
    case 0xee040e11:
        return 0x0000001f;
    case 0xee050e11:
        return 0;
    }
    return 0xffffffff;
}

static uint64_t peek(const struct bench *bench, const struct instruction *row)
{
    unsigned element = 0;
    const struct armpmu_register *const reg =
        armpmu_register_find(armpmu_core_of(bench->pmu), row->name, &element);

    assert_non_null(reg);
    assert_int_equal(element, row->element);
    return armpmu_peek(bench->pmu, reg, element);
}

TEST(each_instruction_reaches_its_register_and_no_other)
{
    for (size_t i = 0; i < N_INSTRUCTIONS; i++) {
        const struct instruction *const row = &instructions[i];
        struct bench *const bench = start(row->generation);
        uint64_t before[N_INSTRUCTIONS];
        uint32_t value = 0xffffffff;

        for (size_t j = 0; j < N_INSTRUCTIONS; j++)
            if (instructions[j].generation == row->generation)
                before[j] = peek(bench, &instructions[j]);
        assert_int_equal(execute(bench, row->write, &value), Data);
        value = 0x5eed;
        assert_int_equal(execute(bench, row->read, &value), Data);
        if (value != after_ones(row) || peek(bench, row) != value)
            fail_msg("line %d: 0x%08x", row->line, value);
        for (size_t j = 0; j < N_INSTRUCTIONS; j++) {
            const struct instruction *const other = &instructions[j];
            if (other->generation != row->generation)
                continue;
            if (strcmp(other->name, row->name) != 0 && peek(bench, other) != before[j])
                fail_msg("line %d changes line %d", row->line, other->line);
        }
    }
}

/* Privileged modes only, and nothing opens the unit to User mode. */
TEST(user_mode_is_refused_everywhere)
{
    for (size_t i = 0; i < N_INSTRUCTIONS; i++) {
        const struct instruction *const row = &instructions[i];
        struct bench *const bench = start(row->generation);
        const uint64_t before = peek(bench, row);
        uint32_t value = 0x5eed;

        pin(bench, ARMPMU_PIN_USER_MODE, 1);
        if (execute(bench, row->read, &value) != Undefined || value != 0x5eed)
            fail_msg("line %d: User mode reads", row->line);
        value = 0xffffffff;
        if (execute(bench, row->write, &value) != Undefined || peek(bench, row) != before)
            fail_msg("line %d: User mode writes", row->line);
        pin(bench, ARMPMU_PIN_USER_MODE, 0);
        if (execute(bench, row->read, &value) != Data || execute(bench, row->write, &value) != Data)
            fail_msg("line %d: privileged modes are refused", row->line);
    }
}

/* Bits of a register, as the layouts list them: alone in a write, what does the register read? */
enum rule { RW, W1C, ACTS, RESERVED, CONSTANT };
static const struct bit_row {
    int line;
    unsigned generation;
    uint32_t at;
    unsigned msb, lsb;
    enum rule rule;
    uint32_t constant;
} bit_rows[] = {
    {__LINE__, 1, XSC1_PMNC, 31, 28, RESERVED, 0},
    {__LINE__, 1, XSC1_PMNC, 27, 20, RW, 0}, /* evtCount1 */
    {__LINE__, 1, XSC1_PMNC, 19, 12, RW, 0}, /* evtCount0 */
    {__LINE__, 1, XSC1_PMNC, 11, 11, RESERVED, 0},
    {__LINE__, 1, XSC1_PMNC, 10, 8, W1C, 0}, /* flags of CCNT, PMN1, PMN0 */
    {__LINE__, 1, XSC1_PMNC, 7, 7, RESERVED, 0},
    {__LINE__, 1, XSC1_PMNC, 6, 4, RW, 0}, /* interrupt enables */
    {__LINE__, 1, XSC1_PMNC, 3, 3, RW, 0}, /* D */
    {__LINE__, 1, XSC1_PMNC, 2, 2, ACTS, 0},
    {__LINE__, 1, XSC1_PMNC, 1, 1, ACTS, 0},
    {__LINE__, 1, XSC1_PMNC, 0, 0, RW, 0}, /* E */
    {__LINE__, 1, XSC1_CCNT, 31, 0, RW, 0},
    {__LINE__, 1, XSC1_PMN0, 31, 0, RW, 0},
    {__LINE__, 1, XSC1_PMN1, 31, 0, RW, 0},
    {__LINE__, 2, XSC2_PMNC, 31, 24, CONSTANT, 0x14000000},
    {__LINE__, 2, XSC2_PMNC, 23, 4, RESERVED, 0x14000000},
    {__LINE__, 2, XSC2_PMNC, 3, 3, RW, 0x14000000}, /* D */
    {__LINE__, 2, XSC2_PMNC, 2, 2, ACTS, 0x14000000},
    {__LINE__, 2, XSC2_PMNC, 1, 1, ACTS, 0x14000000},
    {__LINE__, 2, XSC2_PMNC, 0, 0, RW, 0x14000000}, /* E */
    {__LINE__, 2, XSC2_CCNT, 31, 0, RW, 0},
    {__LINE__, 2, XSC2_INTEN, 31, 5, RESERVED, 0},
    {__LINE__, 2, XSC2_INTEN, 4, 0, RW, 0},
    {__LINE__, 2, XSC2_FLAG, 31, 5, RESERVED, 0},
    {__LINE__, 2, XSC2_FLAG, 4, 0, W1C, 0},
    {__LINE__, 2, XSC2_EVTSEL, 31, 0, RW, 0},
    {__LINE__, 2, XSC2_PMN0, 31, 0, RW, 0},
    {__LINE__, 2, XSC2_PMN1, 31, 0, RW, 0},
    {__LINE__, 2, XSC2_PMN2, 31, 0, RW, 0},
    {__LINE__, 2, XSC2_PMN3, 31, 0, RW, 0},
};

TEST(each_bit_follows_its_rule)
{
    for (size_t i = 0; i < sizeof bit_rows / sizeof bit_rows[0]; i++)
        for (unsigned bit = bit_rows[i].lsb; bit <= bit_rows[i].msb; bit++) {
            const struct bit_row *const row = &bit_rows[i];
            struct bench *const bench = start(row->generation);
            const uint32_t one = 1u << bit;
            if (get(bench, row->at) != row->constant)
                fail_msg("line %d: 0x%08x after reset", row->line, get(bench, row->at));
            set(bench, row->at, one);
            const uint32_t with_one = get(bench, row->at);
            if (with_one != (row->constant | (row->rule == RW ? one : 0)))
                fail_msg("line %d: bit %u: 0x%08x", row->line, bit, with_one);
            set(bench, row->at, 0);
            if (get(bench, row->at) != row->constant)
                fail_msg("line %d: bit %u stays", row->line, bit);
        }
}

/* Makes every counter wrap once. */
static void wrap_all(struct bench *bench)
{
    control(bench, 1);
    set(bench, ccnt(bench), 0xffffffff);
    for (unsigned n = 0; n < counters(bench); n++) {
        choose(bench, n, 0x07);
        set(bench, pmn(bench, n), 0xffffffff);
    }
    clocks(bench, 1);
    post(bench, ARMPMU_SIGNAL_INST_RETIRED, 1);
}

TEST(a_one_clears_its_flag_and_a_zero_leaves_it)
{
    static const struct {
        int line;
        unsigned generation;
        uint32_t at, all, written, left;
    } cases[] = {
        {__LINE__, 1, XSC1_PMNC, 0x700, 0x000, 0x700},
        {__LINE__, 1, XSC1_PMNC, 0x700, 0x100, 0x600},
        {__LINE__, 1, XSC1_PMNC, 0x700, 0x200, 0x500},
        {__LINE__, 1, XSC1_PMNC, 0x700, 0x400, 0x300},
        {__LINE__, 1, XSC1_PMNC, 0x700, 0x700, 0x000},
        {__LINE__, 1, XSC1_PMNC, 0x700, 0x880, 0x700},
        {__LINE__, 2, XSC2_FLAG, 0x1f, 0x00, 0x1f},
        {__LINE__, 2, XSC2_FLAG, 0x1f, 0x01, 0x1e},
        {__LINE__, 2, XSC2_FLAG, 0x1f, 0x02, 0x1d},
        {__LINE__, 2, XSC2_FLAG, 0x1f, 0x04, 0x1b},
        {__LINE__, 2, XSC2_FLAG, 0x1f, 0x08, 0x17},
        {__LINE__, 2, XSC2_FLAG, 0x1f, 0x10, 0x0f},
        {__LINE__, 2, XSC2_FLAG, 0x1f, 0xffffffff, 0},
        {__LINE__, 2, XSC2_FLAG, 0x1f, ~0x1fu, 0x1f},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench *const bench = start(cases[i].generation);
        wrap_all(bench);
        assert_int_equal(get(bench, cases[i].at) & cases[i].all, cases[i].all);
        set(bench, cases[i].at, cases[i].written);
        if ((get(bench, cases[i].at) & cases[i].all) != cases[i].left)
            fail_msg("line %d: 0x%08x", cases[i].line, get(bench, cases[i].at));
    }
}

/* Reading PMNC of the first generation and writing it back clears the flags that were read. */
TEST(writing_back_pmnc_clears_flags_only_in_the_first_generation)
{
    struct bench *bench = start(1);
    wrap_all(bench);
    const uint32_t first = get(bench, XSC1_PMNC);
    assert_int_equal(first, 0x00707701);
    set(bench, XSC1_PMNC, first);
    assert_int_equal(get(bench, XSC1_PMNC), 0x00707001);

    /* One event number changed by the book: the flag of the other counter is lost, too. */
    bench = start(1);
    wrap_all(bench);
    set(bench, XSC1_PMNC, (get(bench, XSC1_PMNC) & ~0x000ff000u) | 0x0000b000u);
    assert_int_equal(get(bench, XSC1_PMNC), 0x0070b001);

    bench = start(2);
    wrap_all(bench);
    set(bench, XSC2_PMNC, get(bench, XSC2_PMNC));
    set(bench, XSC2_EVTSEL, get(bench, XSC2_EVTSEL));
    set(bench, XSC2_INTEN, get(bench, XSC2_INTEN));
    assert_int_equal(get(bench, XSC2_FLAG), 0x1f);
}

TEST(p_and_c_zero_their_counters_and_nothing_else)
{
    static const struct {
        int line;
        uint32_t written;
        bool events_zeroed, cycles_zeroed;
    } cases[] = {
        {__LINE__, 0x0, false, false}, {__LINE__, 0x2, true, false}, {__LINE__, 0x4, false, true},
        {__LINE__, 0x6, true, true},   {__LINE__, 0x3, true, false}, {__LINE__, 0x5, false, true},
        {__LINE__, 0x7, true, true},
    };

    for (unsigned generation = 1; generation <= 2; generation++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            struct bench *const bench = start(generation);
            wrap_all(bench);
            set(bench, ccnt(bench), 77);
            for (unsigned n = 0; n < counters(bench); n++)
                set(bench, pmn(bench, n), 100 + n);
            enable_interrupts(bench, 0);
            const uint32_t all = generation == 1 ? 7 : 0x1f;
            control(bench, cases[i].written);
            if (get(bench, ccnt(bench)) != (cases[i].cycles_zeroed ? 0 : 77))
                fail_msg("line %d: CCNT", cases[i].line);
            for (unsigned n = 0; n < counters(bench); n++)
                if (get(bench, pmn(bench, n)) != (cases[i].events_zeroed ? 0 : 100 + n))
                    fail_msg("line %d: PMN%u", cases[i].line, n);
            assert_int_equal(flags(bench), all);
            assert_int_equal(get(bench, pmnc(bench)) & 0xf, cases[i].written & 1);
        }
}

TEST(a_counter_that_is_written_keeps_its_flag)
{
    for (unsigned generation = 1; generation <= 2; generation++) {
        struct bench *const bench = start(generation);
        wrap_all(bench);
        set(bench, ccnt(bench), 5);
        for (unsigned n = 0; n < counters(bench); n++)
            set(bench, pmn(bench, n), 5);
        assert_int_equal(flags(bench), generation == 1 ? 7 : 0x1f);
    }
}

TEST(reset_brings_back_what_power_on_had)
{
    for (unsigned generation = 1; generation <= 2; generation++)
        for (unsigned warm = 0; warm < 2; warm++) {
            struct bench *const bench = start(generation);
            wrap_all(bench);
            enable_interrupts(bench, generation == 1 ? 7 : 0x1f);
            set(bench, pmnc(bench), 9);
            armpmu_reset(bench->pmu, warm ? ARMPMU_RESET_WARM : ARMPMU_RESET_COLD);
            assert_false(requested(bench));
            for (size_t i = 0; i < N_INSTRUCTIONS; i++)
                if (instructions[i].generation == generation)
                    assert_int_equal(peek(bench, &instructions[i]),
                                     instructions[i].write == XSC2_PMNC ? 0x14000000 : 0);
        }
}

/* XSC1 owns CRn 0 to 3 with CRm 0, XSC2 all of CRm 1 and 2; other encodings are not the unit's. */
static enum armpmu_outcome wanted_of(unsigned generation, unsigned crn, unsigned crm, unsigned ops)
{
    static const unsigned xsc2[3] = {0, 1u << 0 | 1u << 1 | 1u << 4 | 1u << 5 | 1u << 8, 0xf};
    const bool ours = generation == 1 ? crm == 0 && crn <= 3 : crm == 1 || crm == 2;

    if (!ours)
        return NotHere;
    const bool exists = ops == 0 && (generation == 1 || (xsc2[crm] >> crn & 1));
    return exists ? Data : Undefined;
}

static void check_encoding(struct bench *bench, uint32_t instruction, enum armpmu_outcome wanted)
{
    for (unsigned user = 0; user < 2; user++)
        for (unsigned load = 0; load < 2; load++) {
            uint32_t value = 0x5eed;
            const enum armpmu_outcome here = user && wanted == Data ? Undefined : wanted;
            pin(bench, ARMPMU_PIN_USER_MODE, user);
            const enum armpmu_outcome got = execute(bench, instruction | load * LOAD, &value);
            if (got != here)
                fail_msg("generation %u, 0x%08x, User %u: outcome %u", bench->generation,
                         instruction | load * LOAD, user, got);
            if (got != Data)
                assert_int_equal(value, 0x5eed);
        }
    pin(bench, ARMPMU_PIN_USER_MODE, 0);
}

TEST(every_other_encoding_of_mcr_is_undefined_or_not_ours)
{
    for (unsigned generation = 1; generation <= 2; generation++) {
        struct bench *const bench = start(generation);
        for (unsigned i = 0; i < 8 * 16 * 16 * 8; i++) {
            const unsigned op1 = i >> 11, crn = i >> 7 & 15, crm = i >> 3 & 15, op2 = i & 7;
            check_encoding(bench, 0xee000e10 | op1 << 21 | crn << 16 | op2 << 5 | crm,
                           wanted_of(generation, crn, crm, op1 | op2));
        }
        /* the same registers of other coprocessors */
        check_encoding(bench, 0xee000d10, NotHere);
        check_encoding(bench, 0xee000f11, NotHere);
        check_encoding(bench, 0xee000f12, NotHere);
    }
}

/* CCLKCFG and PWRMODE, and the debug registers. */
TEST(neighbours_in_coprocessor_14_are_not_ours)
{
    static const uint32_t neighbours[] = {0xee060e10, 0xee070e10, 0xee080e10, 0xee090e10,
                                          0xee0a0e10, 0xee0b0e10, 0xee0c0e10, 0xee0d0e10,
                                          0xee0e0e10, 0xed906e00, 0xed907e00};

    for (unsigned generation = 1; generation <= 2; generation++)
        for (size_t i = 0; i < sizeof neighbours / sizeof neighbours[0]; i++)
            check_encoding(start(generation), neighbours[i], NotHere);
}

TEST(every_encoding_of_ldc_is_settled)
{
    for (unsigned generation = 1; generation <= 2; generation++)
        for (unsigned crd = 0; crd < 16; crd++) {
            check_encoding(start(generation), 0xed800e00 | crd << 12,
                           generation == 1 && crd <= 3 ? Data : NotHere);
            check_encoding(start(generation), 0xed800d00 | crd << 12, NotHere);
        }
}

TEST(mcrr_is_undefined_in_all_of_coprocessor_14)
{
    for (unsigned generation = 1; generation <= 2; generation++) {
        struct bench *const bench = start(generation);
        for (unsigned i = 0; i < 256; i++) {
            check_encoding(bench, 0xec410e00 | i, Undefined);
            check_encoding(bench, 0xec410f00 | i, NotHere);
        }
    }
}

TEST(other_faces_lead_nowhere)
{
    for (unsigned generation = 1; generation <= 2; generation++) {
        struct bench *const bench = start(generation);
        uint64_t value = 0x5eed;
        assert_int_equal(armpmu_mrs(bench->pmu, 3, 3, 9, 12, 0, &value), NotHere);
        assert_int_equal(armpmu_msr(bench->pmu, 3, 3, 9, 12, 0, 0), NotHere);
        assert_int_equal(armpmu_load(bench->pmu, 0, 4, &value), ARMPMU_BUS_FAULT);
        assert_int_equal(armpmu_store(bench->pmu, 0, 4, 0), ARMPMU_BUS_FAULT);
        assert_int_equal(value, 0x5eed);
    }
}

TEST(the_identification_cannot_be_written)
{
    static const uint32_t written[] = {0, 0xff000000, 0xeb000000, 0x14000000};

    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
        struct bench *const bench = start(2);
        set(bench, XSC2_PMNC, written[i]);
        assert_int_equal(get(bench, XSC2_PMNC), 0x14000000);
        set(bench, XSC2_PMNC, written[i] | 9);
        assert_int_equal(get(bench, XSC2_PMNC), 0x14000009);
    }
}

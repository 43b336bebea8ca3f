/* Blocks: IT state, lengths, missing bytes, and properties over random words. */
#include "../test.h"

#include <stdlib.h>
#include <string.h>

#include "render.h"
#include "row.h"
#include "parts/random.h"

static struct block *decode_halves(const uint16_t *halves, uint32_t n_halves, uint32_t n_insns,
                                   uint8_t it_before)
{
    uint8_t bytes[64];

    for (uint32_t i = 0; i < n_halves; i++) {
        bytes[2 * i] = (uint8_t)halves[i];
        bytes[2 * i + 1] = (uint8_t)(halves[i] >> 8);
    }
    return decode_bytes(ARMPMU_T32, 0x8000, bytes, 2 * n_halves, n_insns, it_before);
}

TEST(it_block_gives_each_instruction_its_condition)
{
    /* ittee eq; adds-encoding x2 (eq), subs-encoding x2 (ne), adds outside */
    static const uint16_t code[] = {0xbf07, 0x1840, 0x1840, 0x1a40, 0x1a40, 0x1840};
    static const uint8_t conditions[] = {14, 0, 0, 1, 1, 14};
    struct block *block = decode_halves(code, 6, 6, 0);

    for (unsigned i = 0; i < 6; i++) {
        const struct insn *insn = &block->insns[i];
        const bool inside = i >= 1 && i <= 4;
        assert_int_equal(insn->condition, conditions[i]);
        assert_int_equal((insn->reads & REG_FLAGS) != 0, inside);
        assert_int_equal((insn->writes & REG_FLAGS) != 0, i == 5);
        assert_int_equal(insn_is_conditional(insn), inside);
    }
    assert_int_equal(block->it_after, 0);
    free(block);
}

TEST(it_state_crosses_blocks)
{
    static const uint16_t before[] = {0xbf07, 0x1840}, after[] = {0x1840, 0x1a40, 0x1a40, 0x1840};
    static const uint8_t conditions[] = {0, 1, 1, 14};
    struct block *first = decode_halves(before, 2, 2, 0);
    struct block *second = decode_halves(after, 4, 4, first->it_after);

    assert_int_equal(first->it_after, 0x0e); /* eq, then ne ne */
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(second->insns[i].condition, conditions[i]);
    assert_int_equal(second->it_after, 0);
    free(first);
    free(second);
}

TEST(every_it_block_is_followed_to_its_end)
{
    for (unsigned first = 0; first < 15; first++) {
        for (unsigned mask = 1; mask < 16; mask++) {
            const uint16_t code[] = {
                (uint16_t)(0xbf00 | first << 4 | mask), 0x1840, 0x1840, 0x1840, 0x1840, 0x1840};
            const unsigned length = mask & 1 ? 4 : mask & 2 ? 3 : mask & 4 ? 2 : 1;
            struct block *block = decode_halves(code, 6, 6, 0);
            for (unsigned i = 1; i < 6; i++) {
                const unsigned last_bit = i == 1 ? first & 1 : mask >> (5 - i) & 1;
                const unsigned condition = i > length ? 14 : (first & 14) | last_bit;
                assert_int_equal(block->insns[i].condition, condition == 15 ? 14 : condition);
            }
            assert_int_equal(block->it_after, 0);
            free(block);
        }
    }
}

TEST(it_block_makes_wide_and_vector_instructions_conditional)
{
    /* itttt ne; ldr.w pc,[sp],#4; vadd.f32 s0,s1,s2; vadd.i32 q0,q1,q2; bl */
    static const uint16_t code[] = {0xbf1f, 0xf85d, 0xfb04, 0xee30, 0x0a81,
                                    0xef22, 0x0844, 0xf000, 0xf800};
    struct block *block = decode_halves(code, 9, 5, 0);

    for (unsigned i = 1; i < 5; i++) {
        assert_int_equal(block->insns[i].condition, 1);
        assert_int_equal(block->insns[i].size, 4);
    }
    assert_int_equal(block->insns[1].branch, BRANCH_RETURN);
    assert_int_equal(block->insns[3].klass, CLASS_NEON_ALU);
    assert_true(block->insns[4].links);
    assert_int_equal(block->insns[4].target, 0x8012);
    free(block);
}

TEST(breakpoint_in_an_it_block_is_unconditional)
{
    static const uint16_t code[] = {0xbf08, 0xbe00};
    struct block *block = decode_halves(code, 2, 2, 0);

    assert_int_equal(block->insns[1].condition, 14);
    assert_int_equal(block->insns[1].effect, EFFECT_BREAKPOINT);
    free(block);
}

TEST(comparisons_in_an_it_block_still_set_flags)
{
    static const uint16_t code[] = {0xbf04, 0x4288, 0x2801}; /* itt eq; cmp r0,r1; cmp r0,#1 */
    struct block *block = decode_halves(code, 3, 3, 0);

    assert_true((block->insns[1].writes & REG_FLAGS) != 0);
    assert_true((block->insns[2].writes & REG_FLAGS) != 0);
    free(block);
}

/* The lowest address as a register and a number; the base before a write-back. */
TEST(addresses_of_a_register_and_a_number_are_told)
{
    static const struct {
        enum armpmu_isa isa;
        uint32_t word;
        uint64_t base;
        int32_t offset;
    } rows[] = {
        {ARMPMU_A32, 0xe5912004, REG_R(1), 4},     /* ldr r2, [r1, #4] */
        {ARMPMU_A32, 0xe5112ffc, REG_R(1), -4092}, /* ldr r2, [r1, #-4092] */
        {ARMPMU_A32, 0xe5b12004, REG_R(1), 4},     /* ldr r2, [r1, #4]! */
        {ARMPMU_A32, 0xe4912004, REG_R(1), 0},     /* ldr r2, [r1], #4 */
        {ARMPMU_A32, 0xe7912003, 0, 0},            /* ldr r2, [r1, r3] */
        {ARMPMU_A32, 0xe59f2004, 0, 0},            /* ldr r2, [pc, #4] */
        {ARMPMU_A32, 0xe1c120d8, REG_R(1), 8},     /* ldrd r2, r3, [r1, #8] */
        {ARMPMU_A32, 0xe89100f0, REG_R(1), 0},     /* ldm r1, {r4-r7} */
        {ARMPMU_A32, 0xe8b100f0, REG_R(1), 0},     /* ldm r1!, {r4-r7} */
        {ARMPMU_A32, 0xe91100f0, REG_R(1), -16},   /* ldmdb r1, {r4-r7} */
        {ARMPMU_A32, 0xe81100f0, REG_R(1), -12},   /* ldmda r1, {r4-r7} */
        {ARMPMU_A32, 0xe99100f0, REG_R(1), 4},     /* ldmib r1, {r4-r7} */
        {ARMPMU_A32, 0xe92d4030, REG_SP, -12},     /* push {r4, r5, lr} */
        {ARMPMU_A32, 0xe8bd8030, REG_SP, 0},       /* pop {r4, r5, pc} */
        {ARMPMU_A32, 0xed910b02, REG_R(1), 8},     /* vldr d0, [r1, #8] */
        {ARMPMU_A32, 0xf5d1f040, REG_R(1), 64},    /* pld [r1, #64] */
        {ARMPMU_A32, 0xf551f040, REG_R(1), -64},   /* pld [r1, #-64] */
        {ARMPMU_A32, 0xf7d1f003, 0, 0},            /* pld [r1, r3] */
        {ARMPMU_A32, 0xf4d1f040, 0, 0},            /* pli [r1, #64]: no data */
        {ARMPMU_A32, 0xf421021f, REG_R(1), 0},     /* vld1.8 {d0-d3}, [r1:64] */
        {ARMPMU_A32, 0xf4210292, REG_R(1), 0},     /* vld1.32 {d0-d3}, [r1:64], r2 */
        {ARMPMU_T32, 0xf811fc40, REG_R(1), -64},   /* pld [r1, #-64] */
        {ARMPMU_T32, 0xe9d12302, REG_R(1), 8},     /* ldrd r2, r3, [r1, #8] */
        {ARMPMU_T32, 0xf8512904, REG_R(1), 0},     /* ldr r2, [r1], #-4 */
        {ARMPMU_T32, 0xf8512c04, REG_R(1), -4},    /* ldr r2, [r1, #-4] */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t bytes[4];
        store_insn(rows[i].isa, rows[i].word, 4, bytes);
        struct block *block = decode_bytes(rows[i].isa, 0x8000, bytes, 4, 1, 0);
        const struct insn *insn = &block->insns[0];
        if (insn_plain_base(insn) != rows[i].base ||
            (rows[i].base != 0 && insn->sum.number != rows[i].offset))
            fail_msg("%08x: base %llx offset %d", rows[i].word,
                     (unsigned long long)insn_plain_base(insn), insn->sum.number);
        free(block);
    }
}

/* What an instruction adds: the address, what a write-back adds to the base, the result. */
TEST(sums_of_registers_and_numbers_are_told)
{
    static const struct {
        enum armpmu_isa isa;
        uint8_t size;
        uint32_t word;
        struct insn_sum sum;
    } rows[] = {
        {ARMPMU_A32, 4, 0xe7912103, {true, .base = REG_R(1), .index = REG_R(3), .shift = 2}},
        {ARMPMU_A32,
         4,
         0xe7112103,
         {true, .subtracts = true, .base = REG_R(1), .index = REG_R(3), .shift = 2}},
        {ARMPMU_A32,
         4,
         0xe79120e3, /* ldr r2, [r1, r3, ror #1] */
         {true, .base = REG_R(1), .index = REG_R(3), .shift_by = SHIFT_ROR, .shift = 1}},
        {ARMPMU_A32,
         4,
         0xe7912063, /* ldr r2, [r1, r3, rrx] */
         {true, .base = REG_R(1), .index = REG_R(3), .shift_by = SHIFT_ROR}},
        {ARMPMU_A32, 4, 0xe59f2004, {true, .base = REG_PC, .number = 4, .step = 4}},
        {ARMPMU_A32,
         4,
         0xe4112004, /* ldr r2, [r1], #-4 */
         {true, .subtracts = true, .indexed_after = true, .base = REG_R(1), .step = -4}},
        {ARMPMU_A32,
         4,
         0xe82d4030, /* stmda sp!, {r4, r5, lr} */
         {true, .base = REG_SP, .number = -8, .step = -12}},
        {ARMPMU_A32,
         4,
         0xed2d8b04, /* vpush {d8, d9} */
         {true, .base = REG_SP, .number = -16, .step = -16}},
        {ARMPMU_A32,
         4,
         0xf4210a02, /* vld1.8 {d0, d1}, [r1], r2 */
         {true, .indexed_after = true, .base = REG_R(1), .index = REG_R(2)}},
        {ARMPMU_A32,
         4,
         0xf7d1f103, /* pld [r1, r3, lsl #2] */
         {true, .base = REG_R(1), .index = REG_R(3), .shift = 2}},
        {ARMPMU_A32, 4, 0xe2812ff0, {true, .base = REG_R(1), .number = 0x3c0}},
        {ARMPMU_A32, 4, 0xe24ff008, {true, .base = REG_PC, .number = -8}},
        {ARMPMU_A32, 4, 0xe3a02c01, {true, .number = 0x100}},
        {ARMPMU_A32, 4, 0xe1a02183, {true, .index = REG_R(3), .shift = 3}},
        {ARMPMU_A32, 4, 0xe3012234, {true, .number = 0x1234}},
        {ARMPMU_A32,
         4,
         0xe3412234,
         {true, .keeps_low_half = true, .base = REG_R(2), .number = 0x12340000}},
        {ARMPMU_A32, 4, 0xe0412003, {false}}, /* sub r2, r1, r3 */
        {ARMPMU_T32, 2, 0x4a01, {true, .base = REG_PC, .number = 4, .step = 4}},
        {ARMPMU_T32, 2, 0xb083, {true, .base = REG_SP, .number = -12}},
        {ARMPMU_T32, 2, 0xa203, {true, .base = REG_PC, .number = 12}},
        {ARMPMU_T32, 2, 0x449a, {true, .base = REG_R(10), .index = REG_R(3)}},
        {ARMPMU_T32, 2, 0x447a, {false, .base = REG_R(2), .index = REG_PC}},
        {ARMPMU_T32, 2, 0x1e8b, {true, .base = REG_R(1), .number = -2}},
        {ARMPMU_T32, 2, 0x00cb, {true, .index = REG_R(1), .shift = 3}},
        {ARMPMU_T32, 4, 0xf8512023, {true, .base = REG_R(1), .index = REG_R(3), .shift = 2}},
        {ARMPMU_T32,
         4,
         0xf85f2004,
         {true, .subtracts = true, .base = REG_PC, .number = -4, .step = -4}},
        {ARMPMU_T32, 4, 0xf50172c0, {true, .base = REG_R(1), .number = 0x180}},
        {ARMPMU_T32, 4, 0xf2a11234, {true, .base = REG_R(1), .number = -0x134}},
        {ARMPMU_T32, 4, 0xf2412234, {true, .number = 0x1234}},
        {ARMPMU_T32, 4, 0xeb011203, {true, .base = REG_R(1), .index = REG_R(3), .shift = 4}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t bytes[4];
        store_insn(rows[i].isa, rows[i].word, rows[i].size, bytes);
        struct block *block = decode_bytes(rows[i].isa, 0x8000, bytes, rows[i].size, 1, 0);
        const struct insn_sum *is = &block->insns[0].sum, *want = &rows[i].sum;
        const bool same = is->known == want->known && is->subtracts == want->subtracts &&
                          is->indexed_after == want->indexed_after &&
                          is->keeps_low_half == want->keeps_low_half &&
                          is->shift_by == want->shift_by && is->shift == want->shift &&
                          is->base == want->base && is->index == want->index &&
                          is->number == want->number && is->step == want->step;
        if (!same)
            fail_msg("%08x: base %llx index %llx number %d step %d", rows[i].word,
                     (unsigned long long)is->base, (unsigned long long)is->index, is->number,
                     is->step);
        free(block);
    }
}

TEST(a_wait_for_an_interrupt_is_told_from_other_hints)
{
    static const struct {
        enum armpmu_isa isa;
        uint8_t size;
        uint32_t word;
        bool waits;
    } rows[] = {
        {ARMPMU_A32, 4, 0xe320f003, true},  {ARMPMU_A32, 4, 0xe320f002, false},
        {ARMPMU_A32, 4, 0xee070f90, true},  {ARMPMU_A32, 4, 0xee070f95, false},
        {ARMPMU_T32, 2, 0xbf30, true},      {ARMPMU_T32, 2, 0xbf20, false},
        {ARMPMU_T32, 4, 0xf3af8003, true},  {ARMPMU_T32, 4, 0xf3af8004, false},
        {ARMPMU_T32, 4, 0xee070f90, true},  {ARMPMU_A64, 4, 0xd503207f, true},
        {ARMPMU_A64, 4, 0xd503205f, false},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t bytes[4];
        store_insn(rows[i].isa, rows[i].word, rows[i].size, bytes);
        struct block *block = decode_bytes(rows[i].isa, 0x8000, bytes, rows[i].size, 1, 0);
        if (block->insns[0].waits_for_interrupt != rows[i].waits)
            fail_msg("%08x", rows[i].word);
        free(block);
    }
}

/* What the timing of an XScale depends on. */
TEST(shifts_calls_and_multiplies_are_told_apart)
{
    static const struct {
        enum armpmu_isa isa;
        uint32_t word;
        unsigned size;
        bool shifts_by_register, other_isa, word_by_half;
        uint64_t writes_high;
    } rows[] = {
        {ARMPMU_A32, 0xe0810312, 4, true, false, false, 0},         /* add r0, r1, r2, lsl r3 */
        {ARMPMU_A32, 0xe0810102, 4, false, false, false, 0},        /* add r0, r1, r2, lsl #2 */
        {ARMPMU_A32, 0xe0810062, 4, true, false, false, 0},         /* add r0, r1, r2, rrx */
        {ARMPMU_A32, 0xe1a00211, 4, true, false, false, 0},         /* mov r0, r1, lsl r2 */
        {ARMPMU_A32, 0xe1a00101, 4, false, false, false, 0},        /* mov r0, r1, lsl #2 */
        {ARMPMU_A32, 0xe1a00061, 4, true, false, false, 0},         /* mov r0, r1, rrx */
        {ARMPMU_A32, 0xe1500311, 4, true, false, false, 0},         /* cmp r0, r1, lsl r3 */
        {ARMPMU_A32, 0xe7910102, 4, false, false, false, 0},        /* ldr r0, [r1, r2, lsl #2] */
        {ARMPMU_T32, 0x4088, 2, true, false, false, 0},             /* lsls r0, r1 */
        {ARMPMU_T32, 0x0088, 2, false, false, false, 0},            /* lsls r0, r1, #2 */
        {ARMPMU_A32, 0xfa000000, 4, false, true, false, 0},         /* blx .+8 */
        {ARMPMU_A32, 0xeb000000, 4, false, false, false, 0},        /* bl .+8 */
        {ARMPMU_A32, 0xe12fff31, 4, false, false, false, 0},        /* blx r1 */
        {ARMPMU_T32, 0xf000e800, 4, false, true, false, 0},         /* blx .+4 */
        {ARMPMU_T32, 0xf000f800, 4, false, false, false, 0},        /* bl .+4 */
        {ARMPMU_A32, 0xe12002a1, 4, false, false, true, 0},         /* smulwb r0, r1, r2 */
        {ARMPMU_A32, 0xe1203281, 4, false, false, true, 0},         /* smlawb r0, r1, r2, r3 */
        {ARMPMU_A32, 0xe1600281, 4, false, false, false, 0},        /* smulbb r0, r1, r2 */
        {ARMPMU_A32, 0xe0803291, 4, false, false, false, REG_R(0)}, /* umull r3, r0, r1, r2 */
        {ARMPMU_A32, 0xe0f03291, 4, false, false, false, REG_R(0)}, /* smlals r3, r0, r1, r2 */
        {ARMPMU_A32, 0xe1403281, 4, false, false, false, REG_R(0)}, /* smlalbb r3, r0, r1, r2 */
        {ARMPMU_A32, 0xe0203291, 4, false, false, false, 0},        /* mla r0, r1, r2, r3 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t bytes[4];
        store_insn(rows[i].isa, rows[i].word, rows[i].size, bytes);
        struct block *block = decode_bytes(rows[i].isa, 0x8000, bytes, rows[i].size, 1, 0);
        const struct insn *insn = &block->insns[0];
        if (insn->shifts_by_register != rows[i].shifts_by_register ||
            insn->other_isa != rows[i].other_isa || insn->word_by_half != rows[i].word_by_half ||
            insn->writes_high != rows[i].writes_high)
            fail_msg("0x%x: shifts by register %d, other ISA %d, word by half %d, high 0x%llx",
                     rows[i].word, insn->shifts_by_register, insn->other_isa, insn->word_by_half,
                     (unsigned long long)insn->writes_high);
        free(block);
    }
}

TEST(missing_bytes_are_undefined_instructions)
{
    static const uint8_t move[] = {0x01, 0x00, 0xa0, 0xe1, 0x01, 0x00};
    static const uint8_t half_of_bl[] = {0x08, 0x46, 0x00, 0xf0};
    struct block *a32 = decode_bytes(ARMPMU_A32, 0x8000, move, 6, 3, 0);
    struct block *t32 = decode_bytes(ARMPMU_T32, 0x8000, half_of_bl, 4, 3, 0);
    struct block *none = decode_bytes(ARMPMU_T32, 0x8000, NULL, 100, 2, 0);

    assert_int_equal(a32->n_insns, 3);
    assert_int_equal(a32->n_bytes, 12);
    assert_int_equal(a32->insns[0].effect, EFFECT_NONE);
    assert_int_equal(a32->insns[1].effect, EFFECT_UNDEFINED);
    assert_int_equal(a32->insns[2].effect, EFFECT_UNDEFINED);
    assert_int_equal(t32->n_insns, 3);
    assert_int_equal(t32->n_bytes, 6);
    assert_int_equal(t32->insns[0].effect, EFFECT_NONE);
    assert_int_equal(t32->insns[1].effect, EFFECT_UNDEFINED);
    assert_int_equal(none->n_insns, 2);
    assert_int_equal(none->insns[1].effect, EFFECT_UNDEFINED);
    assert_int_equal(none->insns[1].offset, 2);
    free(a32);
    free(t32);
    free(none);
}

TEST(undefined_instructions_follow_the_length_rule)
{
    static const uint16_t code[] = {0xde00, 0xf7f0, 0xa000, 0xe800, 0xffff, 0xb1f0};
    struct block *block = decode_halves(code, 5, 3, 0);

    assert_int_equal(block->insns[0].size, 2);
    assert_int_equal(block->insns[1].size, 4);
    assert_int_equal(block->insns[2].size, 4);
    assert_int_equal(block->n_bytes, 10);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(block->insns[i].effect, EFFECT_UNDEFINED);
    free(block);
}

TEST(too_long_a_block_is_refused)
{
    const struct armpmu_block_source source = {.address = 0x8000,
                                               .bytes = NULL,
                                               .n_bytes = 0,
                                               .n_insns = BLOCK_INSNS_MAX + 1,
                                               .isa = ARMPMU_A32};
    struct decoder *decoder;
    struct block *block;

    assert_int_equal(decoder_new(&decoder, NULL), ARMPMU_OK);
    assert_int_equal(decode_block(decoder, &source, 0, &block), ARMPMU_BAD_INPUT);
    assert_null(block);
    decoder_free(decoder);
}

/* What holds for every instruction, whatever its bits. */
static const char *broken_invariant(const struct insn *insn)
{
    const uint64_t known = REGS_NEON | ((UINT64_C(1) << 20) - 1);
    const bool loads_or_stores = insn->memory.load || insn->memory.store;

    if (insn->size != 2 && insn->size != 4)
        return "size";
    if (insn->condition > 14)
        return "condition";
    if (((insn->reads | insn->writes) & ~known) != 0)
        return "registers that are none";
    if ((insn->reads_early & ~insn->reads) != 0 || (insn->reads_late & ~insn->reads) != 0 ||
        (insn->reads_early & insn->reads_late) != 0)
        return "early and late reads";
    if ((insn->writes_back & ~insn->writes) != 0)
        return "written back, not written";
    if (((insn->writes & REG_PC) != 0) != (insn->branch != BRANCH_NONE))
        return "branch and write of the PC";
    if (insn->condition != 14 && (insn->reads & REG_FLAGS) == 0)
        return "condition without flags";
    if (insn->memory.bytes > 256 ||
        (loads_or_stores && insn->memory.bytes == 0 && insn->klass != CLASS_LOAD_MULTIPLE &&
         insn->klass != CLASS_STORE_MULTIPLE))
        return "bytes of memory";
    if (!loads_or_stores && insn->memory.bytes != 0)
        return "memory without load or store";
    if (insn->memory.bytes != 0 &&
        (insn->memory.align == 0 || (insn->memory.align & (insn->memory.align - 1)) != 0))
        return "alignment";
    if (insn->operations == 0 || insn->operations > 32)
        return "operations";
    if (insn->effect == EFFECT_UNDEFINED && (insn->reads & ~REG_FLAGS) + insn->writes != 0)
        return "an undefined instruction that does something";
    return NULL;
}

enum { RANDOM_INSNS = 500, RANDOM_BLOCKS = 2000 }; /* a million instructions an instruction set */

static void check_insn(enum armpmu_isa isa, const struct insn *insn, const uint8_t *bytes,
                       uint64_t seed)
{
    const char *broken = broken_invariant(insn);
    char text[400];

    if (broken == NULL)
        return;
    render_insn(insn, 0, text, sizeof text);
    fail_msg("seed %#llx, %s %02x%02x%02x%02x: %s: %s", (unsigned long long)seed,
             isa == ARMPMU_A32 ? "A32" : "T32", bytes[0], bytes[1], bytes[2], bytes[3], broken,
             text);
}

/* A block is its instructions one by one, the IT state handed on. */
static void check_alone(const struct block *block, const uint8_t *bytes, uint32_t n_bytes,
                        uint8_t it)
{
    for (unsigned i = 0; i < block->n_insns; i++) {
        const struct insn *insn = &block->insns[i];
        struct block *alone = decode_bytes(block->isa, block->address + insn->offset,
                                           bytes + insn->offset, n_bytes - insn->offset, 1, it);
        struct insn moved = alone->insns[0];
        char together[400], apart[400];

        moved.offset = insn->offset;
        render_insn(insn, block->address + insn->offset, together, sizeof together);
        render_insn(&moved, block->address + insn->offset, apart, sizeof apart);
        assert_string_equal(together, apart);
        assert_int_equal(insn->size, moved.size);
        it = alone->it_after;
        free(alone);
    }
    assert_int_equal(block->it_after, it);
}

static void decode_random(enum armpmu_isa isa)
{
    const uint64_t seed = 0x1517;
    struct random random = {seed};
    static uint8_t bytes[4 * RANDOM_INSNS];

    for (unsigned round = 0; round < RANDOM_BLOCKS; round++) {
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(random_next(&random) >> 32);
        const uint8_t it = (uint8_t)(random_next(&random) & (isa == ARMPMU_T32 ? 0xff : 0));
        struct block *block = decode_bytes(isa, 0xfffff000, bytes, sizeof bytes, RANDOM_INSNS, it);
        uint32_t offset = 0;
        assert_int_equal(block->n_insns, RANDOM_INSNS);
        for (unsigned i = 0; i < RANDOM_INSNS; i++) {
            assert_int_equal(block->insns[i].offset, offset);
            offset += block->insns[i].size;
            check_insn(isa, &block->insns[i], bytes + block->insns[i].offset, seed);
        }
        assert_int_equal(block->n_bytes, offset);
        if (round < 20)
            check_alone(block, bytes, sizeof bytes, it);
        free(block);
    }
}

TEST(random_a32_words_keep_the_invariants)
{
    decode_random(ARMPMU_A32);
}

TEST(random_t32_words_keep_the_invariants)
{
    decode_random(ARMPMU_T32);
}

TEST(all_halfwords_keep_the_invariants)
{
    for (uint32_t half = 0; half < 0xe800; half++) {
        const uint8_t bytes[4] = {(uint8_t)half, (uint8_t)(half >> 8), 0, 0};
        struct block *block = decode_bytes(ARMPMU_T32, 0x8000, bytes, 2, 1, 0);
        check_insn(ARMPMU_T32, &block->insns[0], bytes, half);
        free(block);
    }
}

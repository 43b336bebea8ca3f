/* The recorder decides from the bits how it records an instruction's accesses, the decoder tells
 * the core model what to expect. Both must agree on every instruction that accesses memory: all
 * 16-bit records, and a million random A32, T32 and A64 records from a fixed seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/arm.h"
#include "qemu/plugin/mem_class.h"
#include "isa/insn.h"

#define RANDOM_WORDS 1000000

static struct decoder *decoder;
static unsigned n_checked;

static uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static struct block *decode(uint32_t word, unsigned size, enum armpmu_isa isa)
{
    uint8_t bytes[4];
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> 8 * i);
    const struct armpmu_block_source source = {
        .address = 0x8000, .bytes = bytes, .n_bytes = size, .n_insns = 1, .isa = isa};
    struct block *block;
    assert_int_equal(decode_block(decoder, &source, 0, &block), ARMPMU_OK);
    return block;
}

/* T32 LDRD and STRD of one register twice: no compiler writes it, and the decoder sees one
 * register. Both ways of recording it count the same. */
static bool is_dual_of_one(uint32_t word, enum armpmu_isa isa)
{
    uint32_t first = word & 0xffff, second = word >> 16;
    return isa == ARMPMU_T32 && (first & 0xfe40) == 0xe840 && second >> 12 == (second >> 8 & 0xf);
}

static void check(uint32_t word, unsigned size, enum armpmu_isa isa, enum memory_shape shape)
{
    struct block *block = decode(word, size, isa);
    const struct insn *insn = &block->insns[0];
    const struct insn_memory memory = insn->memory;
    bool undefined = insn->effect == EFFECT_UNDEFINED;
    free(block);
    if (undefined || memory.bytes == 0 || is_dual_of_one(word, isa))
        return;
    enum memory_shape expected = memory.multiple ? MEM_CLASS_MULTIPLE : MEM_CLASS_SINGLE;
    if (shape != expected)
        fail_msg("%s word %08x: the recorder has shape %d, the decoder %d",
                 isa == ARMPMU_A64   ? "A64"
                 : isa == ARMPMU_A32 ? "A32"
                                     : "T32",
                 word, shape, expected);
    n_checked++;
}

static void all_16_bit_words(void **state)
{
    (void)state;
    n_checked = 0;
    for (uint32_t half = 0; half < 0xe800; half++)
        check(half, 2, ARMPMU_T32, mem_class_t32((uint16_t)half, 0));
    assert_true(n_checked > 20000);
}

static void random_t32_words(void **state)
{
    (void)state;
    uint64_t seed = 1;
    n_checked = 0;
    for (unsigned i = 0; i < RANDOM_WORDS; i++) {
        uint32_t word = (uint32_t)random_next(&seed) | 0xe800;
        uint16_t first = (uint16_t)word, second = (uint16_t)(word >> 16);
        if (t32_is_long(first))
            check(word, 4, ARMPMU_T32, mem_class_t32(first, second));
    }
    assert_true(n_checked > RANDOM_WORDS / 20);
}

static void random_a32_words(void **state)
{
    (void)state;
    uint64_t seed = 2;
    n_checked = 0;
    for (unsigned i = 0; i < RANDOM_WORDS; i++) {
        uint32_t word = (uint32_t)random_next(&seed);
        check(word, 4, ARMPMU_A32, mem_class_a32(word));
    }
    assert_true(n_checked > RANDOM_WORDS / 20);
}

/* An A64 word, and whether its access may be missing: what the decoder calls exclusive. A vector of
 * SVE may have no active element. */
static void check_a64(uint32_t word)
{
    const bool scalable = (word & 0x9e000000) == 0x84000000;
    struct block *block = decode(word, 4, ARMPMU_A64);
    const struct insn_memory memory = block->insns[0].memory;
    free(block);
    check(word, 4, ARMPMU_A64, mem_class_a64(word));
    if (memory.bytes != 0 && !scalable)
        assert_int_equal(access_is_conditional_a64(word), memory.exclusive && memory.store);
    if (memory.bytes != 0)
        assert_int_not_equal(mem_class_a64(word), MEM_CLASS_NONE);
}

static void random_a64_words(void **state)
{
    (void)state;
    uint64_t seed = 4;
    n_checked = 0;
    for (unsigned i = 0; i < RANDOM_WORDS; i++)
        check_a64((uint32_t)random_next(&seed));
    assert_true(n_checked > RANDOM_WORDS / 20);
}

/* A64: exclusives, structures, what is relative to the PC, pairs, atomics, tags, DC. */
static void chosen_a64_spaces(void **state)
{
    static const struct {
        uint32_t fixed, free;
    } spaces[] = {
        {0x08007c00, 0xc0ff83ff}, {0x0c000000, 0x419fffff}, {0x0d000000, 0x40ffffff},
        {0x18000000, 0xc4ffffff}, {0x28000000, 0xc5ffffff}, {0x38200000, 0xc0dffcff},
        {0xd9000000, 0x00ffffff}, {0xd50b7400, 0x000000ff}, {0xf83f9000, 0x0000d3ff},
    };
    (void)state;
    uint64_t seed = 5;
    n_checked = 0;
    for (unsigned s = 0; s < sizeof spaces / sizeof spaces[0]; s++)
        for (unsigned i = 0; i < 20000; i++)
            check_a64(spaces[s].fixed | ((uint32_t)random_next(&seed) & spaces[s].free));
    assert_true(n_checked > 60000);
}

/* The spaces that random records rarely hit: unconditional loads, exclusives, coprocessor
 * transfers.
 */
static void chosen_spaces(void **state)
{
    static const uint32_t spaces[] = {0xf4000000, 0xe1000090, 0xec000a00, 0xed000b00, 0xe00000d0};
    (void)state;
    uint64_t seed = 3;
    n_checked = 0;
    for (unsigned s = 0; s < sizeof spaces / sizeof spaces[0]; s++) {
        for (unsigned i = 0; i < 20000; i++) {
            uint32_t word = spaces[s] | ((uint32_t)random_next(&seed) & 0x01ffff6f);
            check(word, 4, ARMPMU_A32, mem_class_a32(word));
        }
    }
    for (unsigned i = 0; i < 20000; i++) {
        uint32_t bits = (uint32_t)random_next(&seed);
        uint16_t first = (uint16_t)(0xe800 | (bits & 0x7ff)), second = (uint16_t)(bits >> 16);
        check((uint32_t)second << 16 | first, 4, ARMPMU_T32, mem_class_t32(first, second));
    }
    assert_true(n_checked > 10000);
}

static void conditional_accesses(void **state)
{
    (void)state;
    assert_true(access_is_conditional_a32(0x15912000));  /* ldrne r2, [r1] */
    assert_false(access_is_conditional_a32(0xe5912000)); /* ldr r2, [r1] */
    assert_true(access_is_conditional_a32(0xe1812f93));  /* strex r2, r3, [r1] */
    assert_true(access_is_conditional_a32(0xe1c12f93));  /* strexb r2, r3, [r1] */
    assert_false(access_is_conditional_a32(0xe1912f9f)); /* ldrex r2, [r1] */
    assert_false(access_is_conditional_a32(0xf421000f)); /* vst4.8 {d0-d3}, [r1] */
    assert_true(access_is_conditional_t32(0x680a, 0, 0x04 | 1 << 4));
    assert_false(access_is_conditional_t32(0x680a, 0, 0));
    assert_false(access_is_conditional_t32(0x680a, 0, 0xe8));   /* it al */
    assert_true(access_is_conditional_t32(0xe841, 0x3200, 0));  /* strex r2, r3, [r1] */
    assert_true(access_is_conditional_t32(0xe8c1, 0x3f42, 0));  /* strexb r2, r3, [r1] */
    assert_false(access_is_conditional_t32(0xe851, 0x3f00, 0)); /* ldrex r3, [r1] */
}

static void it_blocks_end(void **state)
{
    (void)state;
    uint8_t it = it_after(0, 0xbf1e); /* ittt ne: three instructions */
    assert_int_equal(it, 0x1e);
    for (int i = 0; i < 3; i++) {
        assert_true((it & 0xf) != 0);
        it = it_after(it, 0x680a);
    }
    assert_int_equal(it, 0);
    assert_int_equal(it_after(0, 0xbf00), 0); /* nop */
}

static int set_up(void **state)
{
    (void)state;
    return decoder_new(&decoder, NULL) == ARMPMU_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    decoder_free(decoder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_16_bit_words),     cmocka_unit_test(random_t32_words),
        cmocka_unit_test(random_a32_words),     cmocka_unit_test(chosen_spaces),
        cmocka_unit_test(random_a64_words),     cmocka_unit_test(chosen_a64_spaces),
        cmocka_unit_test(conditional_accesses), cmocka_unit_test(it_blocks_end),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

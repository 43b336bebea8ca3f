/* The decoder against the independent one of reference/: all facts of an instruction must be the
 * same, whether it is defined included.
 *
 *     differential              every form, every 16-bit instruction inside and outside an IT
 * block, a million random words of each instruction set differential words        lines "A32|T32
 * ENCODING" (hexadecimal, four or eight digits) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../reference/isa/reference.h"
#include "render.h"
#include "row.h"
#include "parts/random.h"

enum { RANDOM_WORDS = 1000000, SHOWN = 20 };

struct comparison {
    struct decoder *decoder;
    unsigned long compared, undefined, differing;
};

static const uint64_t address = 0x8000;

static void show(enum armpmu_isa isa, uint32_t word, unsigned size, const struct insn *got,
                 const struct insn *want)
{
    char text[400];

    fprintf(stderr, "%s %0*x\n", isa == ARMPMU_A32 ? "A32" : "T32", (int)(2 * size), word);
    render_insn(want, address, text, sizeof text);
    fprintf(stderr, "  reference %u %s\n", want->size, text);
    render_insn(got, address, text, sizeof text);
    fprintf(stderr, "  decoder   %u %s\n", got->size, text);
}

static void compare(struct comparison *comparison, enum armpmu_isa isa, uint32_t word,
                    unsigned size, uint8_t it)
{
    const struct insn want = reference_decode(isa, word, size, address, it);
    uint8_t bytes[4];
    struct block *block;

    store_insn(isa, word, size, bytes);
    const struct armpmu_block_source source = {
        .address = address, .bytes = bytes, .n_bytes = size, .n_insns = 1, .isa = isa};
    if (decode_block(comparison->decoder, &source, it, &block) != ARMPMU_OK)
        exit(2);
    comparison->compared++;
    comparison->undefined += want.effect == EFFECT_UNDEFINED;
    if (!insn_is_same(&block->insns[0], &want) && comparison->differing++ < SHOWN)
        show(isa, word, size, &block->insns[0], &want);
    free(block);
}

static void compare_forms(struct comparison *comparison)
{
    for (size_t i = 0; i < n_forms; i++)
        compare(comparison, forms[i].isa, forms[i].word, forms[i].size, 0);
}

static void compare_halfwords(struct comparison *comparison)
{
    const uint8_t last_of_ne = 0x18;

    for (uint32_t half = 0; half < 0xe800; half++) {
        compare(comparison, ARMPMU_T32, half, 2, 0);
        compare(comparison, ARMPMU_T32, half, 2, last_of_ne);
    }
}

/* 0b11101, 0b11110 or 0b11111 on top: a 32-bit instruction of T32. */
static uint32_t long_prefix(uint32_t word)
{
    const uint32_t prefix = word | 0xe0000000;

    return prefix >> 27 == 0x1c ? prefix | 0x08000000 : prefix;
}

static void compare_random_words(struct comparison *comparison)
{
    struct random random = {0xd1ff};

    for (unsigned i = 0; i < RANDOM_WORDS; i++) {
        const uint32_t word = (uint32_t)(random_next(&random) >> 32);
        const uint8_t it = i % 4 == 0 ? (uint8_t)(i & 0xf0) | 8 : 0;
        compare(comparison, ARMPMU_A32, word, 4, 0);
        compare(comparison, ARMPMU_T32, long_prefix(word), 4, it);
    }
}

static void compare_listed_words(struct comparison *comparison)
{
    char isa[8], encoding[16];

    while (scanf("%7s %15s", isa, encoding) == 2)
        compare(comparison, strcmp(isa, "A32") == 0 ? ARMPMU_A32 : ARMPMU_T32,
                (uint32_t)strtoul(encoding, NULL, 16), (unsigned)strlen(encoding) / 2, 0);
}

int main(int argc, char **argv)
{
    struct comparison comparison = {0};

    if (decoder_new(&comparison.decoder, NULL) != ARMPMU_OK)
        return 2;
    if (argc > 1 && strcmp(argv[1], "words") == 0) {
        compare_listed_words(&comparison);
    } else {
        compare_forms(&comparison);
        compare_halfwords(&comparison);
        compare_random_words(&comparison);
    }
    decoder_free(comparison.decoder);
    printf("%lu instructions, %lu of them undefined, %lu differ\n", comparison.compared,
           comparison.undefined, comparison.differing);
    return comparison.differing != 0 || comparison.compared == comparison.undefined;
}

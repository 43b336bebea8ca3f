#include "row.h"

#include <stdio.h>
#include <stdlib.h>

#define A32 ARMPMU_A32
#define T32 ARMPMU_T32

/* The encoding as text tells its length. */
#define FORM(isa, word, text, facts) {__LINE__, isa, word, (sizeof #word - 3) / 2, text, facts},
const struct form forms[] = {
#include "forms.def"
};
#undef FORM

const size_t n_forms = sizeof forms / sizeof forms[0];

void store_insn(enum armpmu_isa isa, uint32_t word, unsigned size, uint8_t *bytes)
{
    if (isa == ARMPMU_T32 && size == 4)
        word = word << 16 | word >> 16;
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (uint8_t)(word >> 8 * i);
}

struct block *decode_bytes(enum armpmu_isa isa, uint64_t address, const uint8_t *bytes,
                           uint32_t n_bytes, uint32_t n_insns, uint8_t it_before)
{
    const struct armpmu_block_source source = {
        .address = address, .bytes = bytes, .n_bytes = n_bytes, .n_insns = n_insns, .isa = isa};
    static struct decoder *decoder; /* one for all: making it takes longer than most blocks */
    struct block *block;

    if ((decoder == NULL && decoder_new(&decoder, NULL) != ARMPMU_OK) ||
        decode_block(decoder, &source, it_before, &block) != ARMPMU_OK) {
        fprintf(stderr, "decoding failed\n");
        exit(1);
    }
    return block;
}

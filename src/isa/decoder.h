/* What the parts of the decoder share: blocks (decode.c), what capstone says (capstone.c), what it
 * does not (capstone_gaps.c), the rows of A64 (a64.h), and the instruction set's guesser (guess.c).
 * Private to this folder.
 */
#ifndef ISA_DECODER_H
#define ISA_DECODER_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/insn.h"

/* One instruction as it lies in memory. */
struct encoding {
    enum armpmu_isa isa;
    uint8_t size;  /* 2 or 4 */
    bool in_it;    /* inside an IT block */
    uint32_t word; /* with the first halfword on top for 4 bytes of T32 */
    uint64_t address;
};

/* Whether a halfword is the first of a 32-bit T32 instruction. */
bool t32_is_long(uint32_t half);

/* How many of the block's instructions are undefined if it is of that instruction set. */
unsigned decode_count_undefined(struct decoder *decoder, const struct armpmu_block_source *source,
                                enum armpmu_isa isa);

/* The rows of A64 (a64.h); they live as long as the decoder. */
struct a64;
const struct a64 *decoder_a64(const struct decoder *decoder);

/* Fills in *insn, prepared by the caller (offset, size, the IT block's condition, operations 1, the
 * rest zero), from what capstone says. Returns false for what is no instruction of ARMv7-A. */
bool capstone_decode(struct decoder *decoder, const struct encoding *code, struct insn *insn);

/* Capstone's text of an instruction: into mnemonic and operands, valid until the next call. Returns
 * false when capstone has none. */
bool capstone_text(struct decoder *decoder, enum armpmu_isa isa, const uint8_t *bytes,
                   uint64_t address, const char **mnemonic, const char **operands);

/* Whether ARMv7-A leaves a word undefined that capstone takes for an instruction. */
bool encoding_is_undefined(const struct encoding *code);

/* The word with its should-be bits as the manual prints them; most words are so already. */
uint32_t encoding_as_it_should_be(const struct encoding *code);

static inline uint32_t field(uint32_t word, unsigned msb, unsigned lsb)
{
    return word >> lsb & ((2u << (msb - lsb)) - 1);
}

static inline bool bit(uint32_t word, unsigned n)
{
    return (word >> n & 1) != 0;
}

#endif

/* Declarations that the parts of the decoder share: blocks (decode.c), the rows of A32 and T32
 * (a32.h) and of A64 (a64.h), what tells A32 from T32 (isa_of_text.c) and the text it goes by
 * (capstone.c). Private to this folder, but for the text. */
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

struct decoder {
    struct a32 *a32; /* NULL, as a64: not learnt */
    struct a64 *a64;
    struct capstone *capstone;
    unsigned vector_bytes; /* 0: as a64 has it at first */
};

struct capstone *capstone_new(void);           /* NULL without memory */
void capstone_free(struct capstone *capstone); /* NULL is fine */

struct insn_text {
    const char *mnemonic, *operands;
};

/* The text of an instruction, valid until the next call. Returns false where there is none. */
bool capstone_text(struct capstone *capstone, enum armpmu_isa isa, const uint8_t *bytes,
                   uint64_t address, struct insn_text *text);

/* The same, in the IT block of the previous instruction if it directly follows that one. */
bool capstone_text_in_order(struct capstone *capstone, enum armpmu_isa isa, const uint8_t *bytes,
                            uint64_t address, struct insn_text *text);

static inline uint32_t field(uint32_t word, unsigned msb, unsigned lsb)
{
    return word >> lsb & ((2u << (msb - lsb)) - 1);
}

static inline bool bit(uint32_t word, unsigned n)
{
    return (word >> n & 1) != 0;
}

#endif

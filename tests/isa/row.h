/* Decoding single instructions and small blocks in tests. */
#ifndef TESTS_ISA_ROW_H
#define TESTS_ISA_ROW_H

#include <stdint.h>

#include "isa/insn.h"

struct form {
    int line;
    enum armpmu_isa isa;
    uint32_t word;
    unsigned size;
    const char *text, *facts;
};

extern const struct form forms[];
extern const size_t n_forms;

/* Writes the instruction as it lies in memory. */
void store_insn(enum armpmu_isa isa, uint32_t word, unsigned size, uint8_t *bytes);

/* Decodes a block that must decode; the caller frees it. */
struct block *decode_bytes(enum armpmu_isa isa, uint64_t address, const uint8_t *bytes,
                           uint32_t n_bytes, uint32_t n_insns, uint8_t it_before);

/* Whether all facts are the same but where an instruction stands. */
bool insn_is_same(const struct insn *a, const struct insn *b);

#endif

/* Facts about SVE instructions that QEMU does not provide to plugins, from the registers before
 * they execute: the active elements of their predicates. */
#ifndef QEMU_PLUGIN_SCALABLE_H
#define QEMU_PLUGIN_SCALABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/insn.h"

#define SCALABLE_BYTES_MAX 256u /* of a vector that QEMU has */

/* Returns whether a word is in the encoding group of SVE. */
static inline bool scalable_may_be(uint32_t word)
{
    return (word >> 25 & 0xf) == 2;
}

/* Returns whether QEMU shows predicates and vectors; looks for them in the current processor at
 * first. */
bool scalable_sees_registers(void);

/* In a callback with QEMU_CB_R_REGS: the elements that a predicate has active, of element_bytes
 * bytes, as bits: bit n, element n; and the length of vectors. */
uint64_t scalable_active(unsigned predicate, unsigned element_bytes, unsigned vector_bytes);
unsigned scalable_vector_bytes(void);

/* The first fault register, and a vector of n_bytes bytes, in the same. */
uint64_t scalable_first_fault(void);
void scalable_vector(unsigned n, uint8_t *bytes, unsigned n_bytes);

/* Packs what a callback needs to know of an instruction that a predicate governs, as its argument.
 */
void *scalable_pack(const struct insn *insn, unsigned index);

/* The PROGRESS record of one, before it executes. */
uint64_t scalable_record(const void *packed, unsigned vector_bytes);

#endif

/* The decoder of A64: rows of bit patterns (a64.def and its includes), and functions for the
 * meaning of other bits (a64_operations.c). Private to this folder. */
#ifndef ISA_A64_H
#define ISA_A64_H

#include "isa/decoder.h"

/* The meaning of a word's other bits: a function of a64_operations.c each. */
enum a64_operation {
    A64_UNDEFINED,
    A64_PLAIN,
    A64_LOGICAL_IMMEDIATE,
    A64_SHIFTED,
    A64_EXTENDED,
    A64_BRANCH_CONDITIONAL,
    A64_BRANCH_ALWAYS,
    A64_COMPARE_AND_BRANCH,
    A64_TEST_AND_BRANCH,
    A64_BRANCH_REGISTER,
    A64_CALL_REGISTER,
    A64_RETURN,
    A64_RETURN_SIGNED,
    A64_EXCEPTION_RETURN,
    A64_SUPERVISOR_CALL,
    A64_BREAKPOINT,
    A64_PRIVILEGED,
    A64_READ_SYSTEM,
    A64_WRITE_SYSTEM,
    A64_WAIT,
    A64_WAIT_FOR_INTERRUPT,
    A64_ORDER_STORES,
    A64_ORDER_MEMORY,
    A64_ORDER_INSTRUCTIONS,
    A64_HINT,
    A64_SIGN_LINK,
    A64_SIGN_LINK_SP,
    A64_SIGN_X17,
    A64_ZERO_LINE,
    A64_TAGS,
    A64_TRANSFER,
    A64_WRITE_BACK,
    A64_PAIR,
    A64_PAIR_WRITE_BACK,
    A64_ORDERED,
    A64_EXCLUSIVE,
    A64_EXCLUSIVE_PAIR,
    A64_ATOMIC,
    A64_COMPARE_AND_SWAP,
    A64_COMPARE_AND_SWAP_PAIR,
    A64_BLOCK_64,
    A64_LIST,
    A64_LIST_WRITE_BACK,
    A64_LANE,
    A64_LANE_WRITE_BACK,
    A64_REPLICATE,
    A64_REPLICATE_WRITE_BACK,
    A64_TABLE,
    A64_SVE, /* no access; those below are of SVE, too */
    A64_WHOLE,
    A64_WHOLE_PREDICATE,
    A64_CONTIGUOUS,
    A64_FIRST,
    A64_GATHERED,
    A64_REPLICATED,
    A64_QUADWORD,
    A64_VECTORS,
};

enum { A64_ROLES_MAX = 4 };

/* A register of a form: what is done with it, in which bank, in which field. */
struct a64_role {
    char what, bank;
    uint8_t lsb, width;
};

/* A row, as it is looked up. */
struct a64_form {
    uint8_t klass, operation, bytes;
    uint8_t kind; /* of SVE: enum sve_kind */
    char work[5]; /* as in the row; "" for none */
    bool reads_flags, writes_flags;
    struct a64_role roles[A64_ROLES_MAX]; /* what 0: none */
};

struct a64;

/* *out is owned by the caller, NULL without memory. */
struct a64 *a64_new(void);
void a64_free(struct a64 *a64); /* NULL is fine */

/* How long a vector of SVE is; 16 bytes at first. */
void a64_set_vector(struct a64 *a64, unsigned bytes);

/* Fills in *insn, prepared by the caller (offset, size, condition 14, operations 1, the rest zero).
 * Returns false for what is no instruction. */
bool a64_decode(const struct a64 *a64, uint32_t word, uint64_t address, struct insn *insn);

/* Returns whether N, immr and imms of a logical instruction, in bits 22, 21:16 and 15:10, name a
 * pattern; bit 31: of 64 bits. */
bool a64_is_bit_mask(uint32_t word);

/* Size of the largest elements, from the row's work; 1 if it has none. */
unsigned a64_element_bytes(const struct a64_form *form, uint32_t word);

/* The kind of result that it computes. */
struct insn_work a64_work(const struct a64_form *form, uint32_t word);

/* Completes *insn, whose registers are in their sets already. Returns false for what is no
 * instruction. */
bool a64_complete(const struct a64_form *form, uint32_t word, uint64_t address, struct insn *insn);

/* The same of SVE, with vectors of vector_bytes bytes. */
bool a64_complete_sve(const struct a64_form *form, uint32_t word, unsigned vector_bytes,
                      struct insn *insn);

#endif

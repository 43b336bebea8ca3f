/* Predicts the addresses that a code block accesses, and the registers after it, before it
 * executes.
 *
 * A call at each access costs more than the access. Where all addresses follow from the registers
 * at the start of a code block, by additions of numbers and shifted registers, those registers are
 * read once and no call is needed. Nor are they read when they follow from what the block before
 * had, as in a loop that moves a pointer.
 *
 * Does not cover: A64, accesses that may be left out, addresses that come from memory or from
 * other arithmetic. A code block with one of them is watched access by access. */
#ifndef UNICORN_ADDRESS_SUMMARY_H
#define UNICORN_ADDRESS_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

struct block;

#define ADDRESS_SUMMARY_REGISTERS 15u /* R0 to R14 */
#define ADDRESS_SUMMARY_VALUES    16u /* of them, and 0 */
#define ADDRESS_SUMMARY_WORD      8u  /* bytes of an access that is not multiple, at most */

/* values[base] + (values[index] << shift) + number. */
struct address_summary_sum {
    uint32_t number;
    uint8_t base, index, shift;
};

struct address_summary_access {
    uint64_t word; /* ACCESS or BURST */
    struct address_summary_sum address;
    uint16_t insn;
    uint16_t bytes; /* of all that the instruction accesses */
    uint16_t span;  /* the same, for one that is not multiple the most there may be */
    bool write, multiple;
    uint8_t align; /* as of struct slot */
    bool faults;
};

/* A register after the block, by its .reads before it. */
struct address_summary_move {
    struct address_summary_sum sum;
    uint8_t reg;
};

/* One that only moves by a number. */
struct address_summary_add {
    uint32_t number;
    uint8_t reg;
};

struct address_summary {
    uint16_t reads;   /* a bit for each register that an address depends on */
    uint16_t changes; /* and for each that may hold something else after the block */
    uint16_t moved;   /* those of them that are in .moves and .adds */
    uint8_t n_registers, n_moves, n_adds;
    uint16_t n;
    bool writes;
    bool repeats; /* what it reads is known after it: of a loop, nothing is to be read again */
    int registers[ADDRESS_SUMMARY_REGISTERS];   /* those read: 0 to 14 */
    void *values_at[ADDRESS_SUMMARY_REGISTERS]; /* for the owner: where each is to be read to */
    struct address_summary_move
        moves[ADDRESS_SUMMARY_REGISTERS]; /* of the registers that it changes */
    struct address_summary_add adds[ADDRESS_SUMMARY_REGISTERS];
    struct address_summary_access accesses[];
};

/* The summary of a block that executes from its first instruction.  NULL if there
 * is none, or without memory. The caller frees it with free(). */
struct address_summary *address_summary_new(const struct block *block);

static inline uint32_t address_summary_value(const struct address_summary_sum *sum,
                                             const uint32_t *values)
{
    return values[sum->base] + (values[sum->index] << sum->shift) + sum->number;
}

/* Finds what registers hold after the block, by what .reads held before it. values: all of
 * ADDRESS_SUMMARY_VALUES, the last 0. Returns which of the `known` ones still are. */
static inline uint16_t address_summary_leave(const struct address_summary *summary,
                                             uint32_t *values, uint16_t known)
{
    for (unsigned i = 0; i < summary->n_moves; i++)
        values[summary->moves[i].reg] = address_summary_value(&summary->moves[i].sum, values);
    for (unsigned i = 0; i < summary->n_adds; i++)
        values[summary->adds[i].reg] += summary->adds[i].number;
    return (known & ~summary->changes) | summary->moved;
}

/* The first instruction that accesses an address; the last of all if none does. */
unsigned address_summary_insn(const struct address_summary *summary, const uint32_t *values,
                              uint32_t address, bool write);

#endif

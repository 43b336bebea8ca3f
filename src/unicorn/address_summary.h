/* The addresses that a code block accesses, known before it executes.
 *
 * A call at each access costs more than the access. Where all addresses follow from the registers
 * at the start of a code block, by additions of numbers and shifted registers, those registers are
 * read once and no call is needed.
 *
 * Does not cover: A64, accesses that may be left out, addresses that come from memory or from
 * other arithmetic. A code block with one of them is watched access by access. */
#ifndef UNICORN_ADDRESS_SUMMARY_H
#define UNICORN_ADDRESS_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

struct block;

#define ADDRESS_SUMMARY_REGISTERS 16u /* none, then R0 to R14 */

/* The address is values[base] + (values[index] << shift) + number. */
struct address_summary_access {
    uint64_t word; /* ACCESS or RUN */
    uint32_t number;
    uint16_t insn;
    uint16_t bytes; /* of all that the instruction accesses */
    uint8_t base, index, shift;
    bool write, multiple;
};

struct address_summary {
    uint8_t n_registers; /* values[0] is 0, values[1] on are of registers[0] on */
    int registers[ADDRESS_SUMMARY_REGISTERS - 1]; /* 0 to 14 */
    bool writes;
    uint16_t n;
    struct address_summary_access accesses[];
};

/* The summary of a block that executes from its first instruction.  NULL if there
 * is none, without an access, or without memory. The caller frees it with free(). */
struct address_summary *address_summary_new(const struct block *block);

static inline uint32_t address_summary_address(const struct address_summary_access *access,
                                               const uint32_t *values)
{
    return values[access->base] + (values[access->index] << access->shift) + access->number;
}

/* The first instruction that accesses an address; the last of all if none does. */
unsigned address_summary_insn(const struct address_summary *summary, const uint32_t *values,
                              uint32_t address, bool write);

#endif

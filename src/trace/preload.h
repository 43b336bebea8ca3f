/* Preloads of data, PLD, whose addresses an engine may not see.
 *
 * An engine that sees registers ends the block with the preload and records its address
 * (ARMPMU_SYSTEM_PRELOAD). CHOICE(preload-address): of one that does not, QEMU before version 9,
 * the address is that of an access of the same block by the same register plus a number; where
 * there is none the preload does nothing. */
#ifndef TRACE_PRELOAD_H
#define TRACE_PRELOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/insn.h"

struct preload {
    uint16_t index;   /* the preload */
    uint16_t beside;  /* the instruction whose access tells the address */
    int32_t distance; /* from the address that it accesses */
};

/* Returns whether an instruction of a block is a preload whose address follows from another one's
 * access.
 */
bool preload_find(const struct block *code, unsigned index, struct preload *out);

static inline uint32_t preload_at(const struct preload *preload, uint64_t beside)
{
    return (uint32_t)beside + (uint32_t)preload->distance;
}

#endif

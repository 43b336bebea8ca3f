/* What the block decoder and the instruction set's guesser share. Private to this folder. */
#ifndef ISA_DECODER_H
#define ISA_DECODER_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/sim.h"

/* Whether a halfword is the first of a 32-bit T32 instruction. */
bool t32_is_long(uint32_t half);

/* How many of the block's instructions are undefined if it is of that instruction set. */
unsigned decode_count_undefined(const struct armpmu_block_source *source, enum armpmu_isa isa);

#endif

/* A program's blocks for the core models: by id, decoded once, shared. */
#ifndef ISA_CODE_H
#define ISA_CODE_H

#include <stdint.h>

#include "armpmu/sim.h"
#include "isa/insn.h"

/* The block of an engine's id, when it starts with ITSTATE it_before. Equal code at the same
 * address with the same IT state is the same block however often the engine translated it: the
 * pointer and its dense index, from 0, are its identity. Takes a lock; core models remember what
 * they got. The block is borrowed and lives as long as code. Returns NULL on failure, with *status
 * ARMPMU_BAD_INPUT (unknown id, too long a block) or ARMPMU_NO_MEMORY; ARMPMU_OK otherwise. */
const struct block *code_block(struct armpmu_code *code, uint32_t id, uint8_t it_before,
                               enum armpmu_status *status);

/* How many different blocks there are so far: one more than the highest index. */
uint32_t code_block_count(struct armpmu_code *code);

#endif

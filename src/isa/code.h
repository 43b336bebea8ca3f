/* A program's decoded blocks, for the core models: found by an engine's number, decoded once,
 * shared by models, forgotten when no model uses them.
 *
 * Several numbers are one decoded block where the code is the same: engines number what they
 * translate (isa/block_store.h; in a ring, qemu/plugin/block_index.h), again and again. */
#ifndef ISA_CODE_H
#define ISA_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"
#include "isa/insn.h"

/* Core models keep tables by id: engines number blocks from 0 on. */
#define CODE_IDS_MAX (UINT32_C(1) << 28)

/* The instruction sets that a core executes, as bits. */
#define CODE_ISA(isa) (1u << (isa))
#define CODE_AARCH32  (CODE_ISA(ARMPMU_A32) | CODE_ISA(ARMPMU_T32))
#define CODE_AARCH64  CODE_ISA(ARMPMU_A64)

/* The block of an engine's id, when it starts with ITSTATE it_before. Equal code at the same
 * address with the same IT state is the same block however often the engine translated it: the
 * pointer and its index are its identity, until it was released as often as it was got. Indices
 * are dense, from 0; one that is free is given again. Takes a lock; core models remember what they
 * got. isas: CODE_ISA bits. *out is NULL on failure. Returns ARMPMU_OK, ARMPMU_BAD_INPUT (unknown
 * id, one above CODE_IDS_MAX, another instruction set, what decode_block() refuses) or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status code_decoded(struct armpmu_code *code, uint32_t id,
                                                uint8_t it_before, unsigned isas,
                                                const struct block **out, struct armpmu_error *err);
void code_release(struct armpmu_code *code, const struct block *block);

/* The bytes that a block was made of, n_bytes of them: NULL where the engine had none. Valid as
 * long as the block. */
const uint8_t *code_bytes(struct armpmu_code *code, const struct block *block, uint32_t *n_bytes);

/* Vectors of SVE are at least so long: as those of the core that a model is of, 16 bytes at first.
 * Before any block is decoded. */
void code_have_vectors(struct armpmu_code *code, unsigned bytes);

/* The offset that armpmu_code_move has set. */
uint64_t code_offset(const struct armpmu_code *code);

/* How many different blocks are in use. */
uint32_t code_block_count(struct armpmu_code *code);

/* One core model's share of the memory that armpmu_code_limit bounds. It belongs to the model's
 * thread, except for the sums in code. A model that is full forgets blocks, which changes no count:
 * everything it knows of a block can be made again. */
struct code_share {
    struct armpmu_code *code; /* NULL: has not joined */
    size_t bytes;
};

void code_join(struct code_share *share, struct armpmu_code *code);
void code_leave(struct code_share *share);

/* The model has allocated memory for a block, is about to free it. NULL is fine. */
void code_hold(struct code_share *share, const void *memory);
void code_drop(struct code_share *share, const void *memory);

/* The model keeps a block that it got from code_decoded, beyond that one's release; does no more.
 */
void code_use(struct code_share *share, const struct block *block);
void code_unuse(struct code_share *share, const struct block *block);

/* The model has forgotten blocks; before, it held this number of bytes. Gives memory back to the
 * system.
 */
void code_forgot(const struct code_share *share, size_t bytes_before);

/* The bytes that a model may hold when all together hold too much. */
size_t code_allowed(const struct code_share *share);

/* Returns whether all hold too much and this one more than its part. */
bool code_is_full(const struct code_share *share);

#endif

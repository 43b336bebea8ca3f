/* Where the counts of a profile are: a row of signals for each instruction of each block, made when
 * something happens there.
 *
 * A core model that attributes writes into the row of the instruction at hand what it would write
 * into its one tally. What it remembers of whole blocks it adds when somebody asks
 * (core_model.profile). Rows outlive the block that the reader knows: forgetting a block loses no
 * count.
 *
 * Plain data; one thread at a time. */
#ifndef TRACE_PROFILE_ROWS_H
#define TRACE_PROFILE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/profile.h"
#include "base/compiler.h"
#include "isa/code.h"

/* A block in a call path. */
struct profile_block {
    struct profile_block *next;
    uint64_t address;
    enum armpmu_isa isa;
    uint32_t path, file, n_insns;
    uint16_t *offsets;    /* of its instructions, and of its end */
    const uint8_t *bytes; /* NULL: the engine had none */
    uint64_t *rows[];     /* ARMPMU_SIGNAL_COUNT each; NULL: nothing happened */
};

struct profile_rows {
    enum armpmu_profile_detail detail;
    struct profile_block *blocks; /* the latest first */
    size_t n_blocks;
    uint64_t elsewhere[ARMPMU_SIGNAL_COUNT]; /* at no instruction */
    bool lost;                               /* for want of memory, what happened is elsewhere */
};

/* The block, without rows; NULL without memory, where its counts go elsewhere. */
struct profile_block *profile_rows_block(struct profile_rows *rows, struct armpmu_code *code,
                                         const struct block *block, uint32_t path);
void profile_rows_free(struct profile_rows *rows);

/* The row of an instruction of a block, which may be NULL. */
uint64_t *profile_rows_new(struct profile_rows *rows, struct profile_block *block, unsigned index);

static inline uint64_t *profile_rows_at(struct profile_rows *rows, struct profile_block *block,
                                        unsigned index)
{
    if (likely(block != NULL && index < block->n_insns && block->rows[index] != NULL))
        return block->rows[index];
    return profile_rows_new(rows, block, index);
}

/* Adds all rows to tally. */
void profile_rows_sum(const struct profile_rows *rows, uint64_t *tally);

/* As armpmu_sim_profile: by path, address, and for the same in the order in which they were met. */
ARMPMU_MUST_USE enum armpmu_status profile_rows_each(const struct profile_rows *rows,
                                                     armpmu_profile_fn call, void *user,
                                                     struct armpmu_error *err);

#endif

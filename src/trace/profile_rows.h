/* Storage for the counts of a profile: a row of signals for each instruction of each block, created
 * with its first count.
 *
 * A core model that attributes writes into the row of the current instruction what it would write
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

/* A block in a call path. Its rows are tables of the core's signals while something happens there
 * (dense); packed they take a tenth of that. */
struct profile_block {
    struct profile_block *next, *next_dense;
    uint8_t *packed; /* of its rows: those are NULL then */
    uint64_t address;
    enum armpmu_isa isa;
    uint32_t path, file, n_insns;
    uint16_t *offsets;    /* of its instructions, and of its end */
    const uint8_t *bytes; /* NULL: the engine had none */
    bool is_dense;        /* it is in that list */
    uint64_t *rows[];     /* profile_rows.n_signals each; NULL: nothing happened, or see packed */
};

struct profile_rows {
    enum armpmu_profile_detail detail;
    unsigned n_signals;           /* core_ops.n_signals */
    unsigned index_mask;          /* 0: all that happens in a block is at its first instruction */
    struct profile_block *blocks; /* the latest first */
    size_t n_blocks;
    struct profile_block *dense_blocks;
    size_t n_dense; /* rows */
    size_t n_again; /* that had been packed, since rows were last */
    unsigned dense_shift;
    uint64_t *spare; /* a row that is to be used again */
    uint8_t *packing;
    size_t packing_room;
    uint64_t in_packed[ARMPMU_SIGNAL_COUNT]; /* the sum of all packed rows */
    uint64_t elsewhere[ARMPMU_SIGNAL_COUNT]; /* at no instruction */
    struct data_access_log *accesses;        /* NULL: not kept */
    bool lost;                               /* for lack of memory, what happened is elsewhere */
};

/* The block, without rows; NULL without memory, where its counts go elsewhere. */
struct profile_block *profile_rows_block(struct profile_rows *rows, struct armpmu_code *code,
                                         const struct block *block, uint32_t path);
void profile_rows_free(struct profile_rows *rows);

/* The count of a signal in a row, which ends before those that the core does not count. */
static inline uint64_t profile_rows_counted(const uint64_t *row, unsigned n_signals,
                                            enum armpmu_signal signal)
{
    return signal < n_signals ? row[signal] : 0;
}

/* The row of an instruction of a block, which may be NULL. */
uint64_t *profile_rows_new(struct profile_rows *rows, struct profile_block *block, unsigned index);

/* The same of one that has counts; NULL else. */
static inline uint64_t *profile_rows_known(const struct profile_rows *rows,
                                           const struct profile_block *block, unsigned index)
{
    const unsigned at = index & rows->index_mask;
    return likely(block != NULL && at < block->n_insns) ? block->rows[at] : NULL;
}

static inline uint64_t *profile_rows_at(struct profile_rows *rows, struct profile_block *block,
                                        unsigned index)
{
    uint64_t *const row = profile_rows_known(rows, block, index);
    return likely(row != NULL) ? row : profile_rows_new(rows, block, index & rows->index_mask);
}

/* The row of a block's first instruction: of all of it, where detail is ARMPMU_PROFILE_BLOCKS. */
static inline uint64_t *profile_rows_first(struct profile_rows *rows, struct profile_block *block)
{
    return likely(block != NULL && block->rows[0] != NULL) ? block->rows[0]
                                                           : profile_rows_new(rows, block, 0);
}

/* So many rows should be packed: as many as the host's caches hold, but more where those that were
 * packed are soon used again. */
#define PROFILE_ROWS_DENSE (UINT32_C(1) << 12)
#define PROFILE_ROWS_SHIFT 4 /* at most */

static inline bool profile_rows_are_many(const struct profile_rows *rows)
{
    return rows->n_dense >= PROFILE_ROWS_DENSE << rows->dense_shift;
}

/* Packs all rows but those of blocks that a core model has pointers into: n_held of them, NULL
 * among them is fine. Other pointers to rows are void afterwards. */
void profile_rows_pack(struct profile_rows *rows, uint64_t *const *held, size_t n_held);

/* Opens the rows of a block, which may be NULL, for a change. Returns whether profile_rows_close
 * packs them: if they were packed, or there were none. Nothing else comes to them soon, and the
 * next block uses the same memory. */
bool profile_rows_open(struct profile_rows *rows, struct profile_block *block);
void profile_rows_close(struct profile_rows *rows, struct profile_block *block, bool packs);

/* Adds all rows to tally. */
void profile_rows_sum(const struct profile_rows *rows, uint64_t *tally);

/* As armpmu_sim_profile: by path, address, and for the same in the order in which they were met. */
ARMPMU_MUST_USE enum armpmu_status profile_rows_each(const struct profile_rows *rows,
                                                     armpmu_profile_fn call, void *user,
                                                     struct armpmu_error *err);

#endif

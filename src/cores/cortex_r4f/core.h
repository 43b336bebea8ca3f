/* The inside of the Cortex-R4F core model: what its files share.
 *
 *   core.c       executed blocks, one after the other
 *   block.c      blocks and their schedules, made once
 *   issue.c      which instructions issue when, and which pair
 *   predictor.c  where the front end expects branches to go
 *   stores.c     store queue and store buffer
 *   memory.c     caches, linefills, evictions, TCMs
 *   errors.c     injected errors, and who finds them */
#ifndef CORES_CORTEX_R4F_CORE_H
#define CORES_CORTEX_R4F_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/sim.h"
#include "isa/insn.h"
#include "cores/cortex_r4f/issue.h"
#include "cores/cortex_r4f/memory.h"
#include "cores/cortex_r4f/predictor.h"
#include "trace/preload.h"
#include "trace/trace_reader.h"

enum r4f_point_kind { POINT_ACCESS, POINT_DRAIN, POINT_PRELOAD };

/* An instruction of a block that has to do with memory. */
struct r4f_point {
    uint16_t index;
    enum r4f_point_kind kind;
    struct preload preload;
    /* Of an access. */
    uint32_t spread; /* cycles over which the registers of a list go */
    bool only_loads;
    uint8_t align_mask;
    uint16_t bytes;
};

/* A block's schedule from one state. */
struct r4f_schedule_memo {
    struct r4f_schedule_memo *sibling; /* of the same block */
    struct r4f_issue_state before;
    struct r4f_issue_result result;
    uint32_t issued_at[]; /* cycle of each point, from the start of the block */
};

/* What a block counts each time it executes whole. */
struct r4f_increments {
    uint32_t insns, immediates, context_writes, increments, divides, doubles;
};

struct r4f_block {
    const struct block *code;
    uint64_t start, end;
    uint32_t fetched_at; /* memory.fetch_epoch when its lines were last seen to be there */
    struct r4f_increments increments;
    struct r4f_branch branch; /* of its last instruction */
    bool branches, returns_exception;
    bool only_accesses;              /* no point is anything else */
    struct r4f_schedule_memo *memos; /* the last one used first */
    uint32_t n_points;
    struct r4f_point points[];
};

struct r4f {
    const struct armpmu_machine *machine;
    struct trace_reader *reader;
    struct r4f_memory memory;
    struct r4f_predictor predictor;
    struct r4f_issue_state issue;
    uint64_t tally[ARMPMU_SIGNAL_COUNT];
    struct r4f_schedule_memo *scratch; /* of a block that does not execute whole */
    uint32_t scratch_points;
    bool jumped; /* the next block is not fetched after the last one */

    unsigned masks;        /* enum armpmu_masks now ... */
    uint64_t masked_since; /* ... and since when */

    /* An exception at the first instruction of an exception's own vector. */
    bool entered;        /* the next block is entered by an exception */
    bool at_vector;      /* the last block was, and none of it executed */
    uint64_t last_start; /* of the last block */
    uint64_t stuck_at;   /* the vector at which an exception was taken, 1 for none */
};

/* ---- block.c ---- */

/* As core_ops.new_block and core_ops.free_block. */
void *r4f_define(void *core, const struct block *code);
void r4f_forget(void *core, void *data);

/* The schedule of the first n instructions from the state the core is in. Valid until the next
 * call. */
const struct r4f_schedule_memo *r4f_schedule(struct r4f *core, struct r4f_block *block, uint32_t n);

/* The branch a block ends with, without its outcome. */
struct r4f_branch r4f_branch_of(const struct block *code);

/* Adds what the first n instructions always count. */
void r4f_add_increments(const struct block *code, uint32_t n, struct r4f_increments *increments);

extern const struct core_model core_model_cortex_r4f;

#endif

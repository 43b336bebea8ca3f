/* The inside of the Cortex-R4F core model: what its files share.
 *
 *   model.c      the core model, made, asked and freed
 *   core.c       executed blocks, one after the other
 *   block.c      blocks and their schedules, made once
 *   counts.c     what they count, and the counts so far
 *   exits.c      how a block ends: branches, flushes, exceptions, interrupted blocks
 *   issue.c      which instructions issue when, and which pair
 *   predictor.c  where the front end expects branches to go
 *   stores.c     store queue and store buffer
 *   memory.c     caches, linefills, evictions, TCMs
 *   errors.c     injected errors, and who finds them
 *   attribution.c  what all that belongs to, for a profile */
#ifndef CORES_CORTEX_R4F_CORE_H
#define CORES_CORTEX_R4F_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "cores/core.h"
#include "armpmu/sim.h"
#include "isa/insn.h"
#include "cores/cortex_r4f/issue.h"
#include "cores/cortex_r4f/memory.h"
#include "cores/cortex_r4f/predictor.h"
#include "parts/schedule_memo.h"
#include "trace/preload.h"
#include "trace/trace_reader_internal.h"

enum r4f_point_kind { POINT_ACCESS, POINT_DRAIN, POINT_PRELOAD };

/* An instruction of a block that has to do with memory. */
struct r4f_point {
    uint16_t index, number; /* number: among the block's points */
    uint16_t at;            /* of an access: which of the block's records, as of reader_access */
    uint8_t kind;           /* enum r4f_point_kind */
    /* For an access. */
    bool simple, store; /* simple: it only loads, or only stores and no access is cured */
    /* A load: counted as one hit with the runs; of one doubleword, so that a hit needs no look. */
    bool plain, hits_once; /* plain: simple, no exclusive, and no access is cured */
    uint16_t bytes;
    uint16_t span;      /* bytes - 1, or 0 when no aligned address makes it cross a doubleword */
    uint32_t spread;    /* cycles over which the registers of a list go */
    uint32_t line_mask; /* bits of a line's address, and those that an aligned address has clear */
    const struct line_filter *filter; /* lines where a simple one needs no closer look */
    struct preload preload;
};

/* The pipeline refills after a misprediction: of the state before, always the same. */
struct r4f_flush {
    bool is_known;
    uint16_t closed, written; /* as r4f_issue_close returns, of both */
    uint32_t cycles;          /* until it is refilled */
    uint32_t after;           /* the state */
};

/* A block's schedule from one state. */
struct r4f_schedule_memo {
    struct schedule_memo memo; /* cycles: by which the clock moves on; key: the entry state */
    uint64_t runs;
    uint64_t exits[2]; /* runs that of retire_whole, [taken]; not among the others */
    uint64_t flushes;  /* those whose branch went the wrong way ... */
    struct r4f_flush flush;
    uint32_t after; /* the exit state, SCHEDULE_NO_STATE: core.scratch_after is it */
    struct r4f_issue_counts counts;
    uint32_t issued_at[]; /* cycle of each point, from the start of the block */
};

enum r4f_end {
    END_PLAIN,
    END_ALWAYS,   /* direct branch, no call, with prediction on: the common cases ... */
    END_FORWARD,  /* ... conditional ... */
    END_BACKWARD, /* ... told apart for speed */
    END_CALL,     /* a direct one that is always made, with prediction on ... */
    END_RETURN,   /* ... or such a return, no call */
    END_ANY_BRANCH,
    END_EXCEPTION_RETURN,
};

struct r4f_block {
    struct memo_block memos;
    const struct block *code;
    uint64_t start, end;
    uint32_t fetched_at;        /* memory.fetch_epoch when its lines were last seen to be there */
    uint32_t groups[2];         /* fetches that takes, [jumped] */
    uint32_t n_loads, n_stores; /* of all its accesses */
    uint32_t n_only_loads;      /* those that do not store, too */
    struct run_increment *increments;
    uint32_t n_increments;
    struct r4f_branch branch; /* of its last instruction */
    uint8_t ends;             /* enum r4f_end */
    bool is_perfect;          /* predicted right, whatever the predictor says */
    bool is_regular;          /* its points are accesses, and no profile keeps them */
    uint64_t fetches[2];      /* runs that found all lines again, [jumped] */
    struct profile_block *profile;
    uint32_t n_points;
    struct r4f_point points[];
};

/* The latest store to a line. */
struct r4f_stored {
    uint64_t line;
    uint64_t *row;   /* where it counts */
    uint64_t number; /* of the store, from 1; one may be to several lines; 0: it is not logged */
    struct armpmu_data_access access; /* as it was added to the data accesses */
};

enum r4f_vectors {
    R4F_ENTERED = 1,   /* the next block is entered by an exception */
    R4F_AT_VECTOR = 2, /* the last block was, and none of it executed */
};

#define R4F_ACCESS_LINES 8 /* more than the largest access has */

struct r4f {
    struct core core;
    struct r4f_memory memory;
    struct r4f_predictor predictor;
    struct schedule_states states;
    uint32_t state;               /* of the pipeline; SCHEDULE_NO_STATE: it is `issue` */
    struct r4f_issue_state issue; /* a state that has no number */
    struct r4f_flush *flushes;    /* two for each state: after either kind of misprediction */
    size_t flush_room;
    uint64_t tally[ARMPMU_SIGNAL_COUNT]; /* counts that are in no memo, and no profile */
    struct memo_block *dirty_blocks;
    struct r4f_schedule_memo *scratch; /* of a block that does not execute whole */
    uint32_t scratch_points;
    struct r4f_issue_state scratch_after;
    bool jumped; /* the next block is not fetched after the last one */

    unsigned masks;        /* enum armpmu_masks now ... */
    uint64_t masked_since; /* ... and since when */

    /* An exception at the first instruction of an exception's own vector. */
    uint8_t vectors;     /* enum r4f_vectors */
    uint64_t last_start; /* of the last block */
    uint64_t stuck_at;   /* the vector at which an exception was taken, 1 for none */

    /* For a profile. */
    bool is_attributing;
    bool by_insn;       /* its rows are of instructions, not of blocks */
    r4f_leave_fn leave; /* the memory's */
    struct r4f_stored stored[R4F_SLOTS_MAX + 2 * R4F_ACCESS_LINES];
    uint32_t n_lines; /* of stored: those that wait, and some that have left the store buffer */
    uint64_t n_stored, storing; /* storing: the number of the one that is being made, 0: none */
};

/* ---- block.c ---- */

/* As core_ops.describe_access, core_ops.new_block and core_ops.free_block. */
void r4f_describe_access(const void *core, const struct block *code, struct reader_access *access);
void *r4f_define(void *core, const struct block *code);
void r4f_forget(void *core, void *data);

/* The pipeline's state. */
static inline const struct r4f_issue_state *r4f_state(const struct r4f *core)
{
    return core->state != SCHEDULE_NO_STATE ? schedule_states_at(&core->states, core->state)
                                            : &core->issue;
}

void r4f_set_state(struct r4f *core, const struct r4f_issue_state *state);

/* The schedule of the first n instructions from the state the core is in. Valid until the next
 * call. */
struct r4f_schedule_memo *r4f_schedule_part(struct r4f *core, const struct r4f_block *block,
                                            uint32_t n);

/* The same of all instructions: remembered where there is memory, else core.scratch. */
struct r4f_schedule_memo *r4f_schedule_new(struct r4f *core, struct r4f_block *block);

/* The branch a block ends with, without its outcome. */
struct r4f_branch r4f_branch_of(const struct block *code);

/* ---- counts.c ---- */

/* Adds what runs of an instruction always count, but for its accesses. */
void r4f_add_insn(const struct insn *insn, uint64_t runs, uint64_t *tally);

/* The same of one run of the first n instructions. */
void r4f_add_insns(const struct block *code, uint32_t n, uint64_t *tally);

/* Returns how often a schedule ran since the last read. */
static inline uint64_t r4f_runs(const struct r4f_schedule_memo *memo)
{
    return memo->runs + memo->exits[0] + memo->exits[1];
}

/* Adds what the branch at a block's end counts, if it is one of the common cases. */
static inline void r4f_add_branches(const struct r4f_block *block, uint64_t runs, uint64_t taken,
                                    uint64_t *tally)
{
    if (block->ends < END_ALWAYS || block->ends > END_RETURN)
        return;
    tally[ARMPMU_SIGNAL_BRANCH_RETURN] += block->ends == END_RETURN ? taken : 0;
    tally[ARMPMU_SIGNAL_PC_WRITE] += taken;
    tally[ARMPMU_SIGNAL_BRANCH_PREDICTABLE] += runs;
}

/* Adds what runs of a schedule count, but for its cycles. */
void r4f_add_schedule(const struct r4f_issue_counts *counts, uint64_t runs, uint64_t *tally);

/* The same of flushes. */
void r4f_add_flushes(const struct r4f_flush *flush, uint64_t times, uint64_t *tally);

/* Returns the cycles that the memo's runs took, with those of its flushes. */
static inline uint64_t r4f_memo_flushed(const struct r4f_schedule_memo *memo)
{
    return memo->flushes * (memo->flush.closed + memo->flush.cycles);
}

/* Adds the counts that a block holds, but for its cycles. */
void r4f_add_block(const struct r4f_block *block, uint64_t *tally);

/* Moves what the blocks hold that ran since the last read into the tally. */
void r4f_sync(struct r4f *core);

/* The interrupts that are masked from now on: enum armpmu_masks. */
void r4f_set_masks(struct r4f *core, unsigned masks);

/* As core_model.signals. */
void r4f_signals(const void *state, uint64_t *out);

/* ---- exits.c ---- */

/* The pipeline refills after an exception or a return from one: nothing issues for so long. */
void r4f_refill(struct r4f *core, uint32_t cycles);

/* A branch went elsewhere than the front end expected. Returns what follows from that. */
struct r4f_flush r4f_mispredict(struct r4f *core, enum r4f_flow flow);

/* The branch at the end of a whole block went one way: a return, or none of the common cases. */
void r4f_other_branch(struct r4f *core, struct r4f_block *block, bool taken, uint64_t target);

/* A block that was interrupted, or that an exception ended. */
RARE void r4f_exit_otherwise(struct r4f *core, const struct retired_block *executed,
                             enum block_exit exit);

/* The block is the first one after an exception. */
void r4f_watch_vectors(struct r4f *core, const struct retired_block *executed);

/* Returns whether the branch at an address is predicted right, whatever the predictor says. */
static inline bool r4f_is_perfect(const struct r4f *core, uint64_t address)
{
    return core->predictor.enabled && machine_predicts(core->core.machine, address);
}

/* As in struct core_ops. */
void r4f_late_branch(void *user, const struct retired_block *executed, bool taken);
void r4f_exception(void *user);
void r4f_exception_return(void *user);

/* ---- attribution.c ---- */

/* Attributes what happens from now on to an instruction of a block. */
static inline void r4f_attribute_to(struct r4f *core, struct profile_block *profile, unsigned index)
{
    core->memory.tally = profile_rows_at(&core->core.reader->profile, profile, index);
}

/* The same of a block that runs, of a profile by block. */
static inline void r4f_attribute_to_block(struct r4f *core, struct profile_block *profile)
{
    if (core->is_attributing && !core->by_insn)
        core->memory.tally = profile_rows_first(&core->core.reader->profile, profile);
}

/* The same where a block was left: to the instruction at which it stopped, else its last one. */
void r4f_attribute_exit(struct r4f *core, const struct retired_block *executed,
                        enum block_exit exit);

/* The same of the branch that ends a whole block, if there is a profile. */
static inline void r4f_attribute_to_branch(struct r4f *core, const struct r4f_block *block)
{
    if (unlikely(core->is_attributing))
        r4f_attribute_to(core, block->profile, block->code->n_insns - 1u);
}

/* The current instruction is about to store. */
void r4f_attribute_store(struct r4f *core, uint64_t address, uint32_t bytes);

/* As core_model.tell_accesses. */
void r4f_tell_accesses(void *state);

/* For a profile that keeps accesses: one of the current instruction begins, and has been made. */
void r4f_log_begin(struct r4f *core, const struct retired_block *executed,
                   const struct retired_access *access);
void r4f_log_end(struct r4f *core, const struct retired_block *executed,
                 const struct retired_access *access, uint64_t cycles);

/* For retire_whole: a load that needs no closer look takes more doublewords than one, which is
 * counted with the runs; an access does need it. */
void r4f_attribute_hits(struct r4f *core, const struct r4f_block *block,
                        const struct r4f_point *point, uint32_t more);
void r4f_attribute_access(struct r4f *core, const struct r4f_block *block,
                          const struct r4f_point *point, uint64_t address);

/* Cycles of an instruction, masked or not. */
static inline void r4f_attribute_cycles(const struct r4f *core, uint64_t *row, uint64_t cycles)
{
    row[ARMPMU_SIGNAL_CPU_CYCLES] += cycles;
    if (likely(core->masks == 0))
        return;
    row[ARMPMU_SIGNAL_FIQ_MASKED] += core->masks & ARMPMU_MASKS_FIQ ? cycles : 0;
    row[ARMPMU_SIGNAL_IRQ_MASKED] += core->masks & ARMPMU_MASKS_IRQ ? cycles : 0;
}

/* The clock has moved on since then for the current instruction. */
static inline void r4f_attribute_time(struct r4f *core, uint64_t since)
{
    if (core->memory.now != since)
        r4f_attribute_cycles(core, core->memory.tally, core->memory.now - since);
}

static inline void r4f_charge(struct r4f *core, uint64_t since)
{
    if (unlikely(core->is_attributing))
        r4f_attribute_time(core, since);
}

/* Fetches the first n instructions of a block, at least one, for each of them. */
void r4f_attribute_fetch(struct r4f *core, const struct r4f_block *block, uint32_t n);

/* The first n instructions of a block ran a number of times from that state. */
void r4f_attribute_insns(struct r4f *core, const struct r4f_block *block, uint32_t n,
                         const struct r4f_issue_state *state, uint64_t runs);

/* Adds the counts that a block holds to the rows of its instructions. */
void r4f_attribute_block(struct r4f *core, const struct r4f_block *block);

/* As core_model.attribute and core_model.sync_rows. */
enum armpmu_status r4f_attribute_all(void *state);
/* As core_ops.pack_rows. */
void r4f_pack_rows(void *state);
void r4f_sync_rows(void *state);

/* ---- core.c ---- */

/* The core as the reader sees it: its `core` is a struct r4f. */
extern const struct core_ops r4f_ops;

/* As core_model.run. */
enum armpmu_status r4f_run(void *state, const uint64_t *records, size_t n_records,
                           struct armpmu_error *err);

/* ---- model.c ---- */

extern const struct core_model core_model_cortex_r4f;

#endif

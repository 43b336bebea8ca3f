/* The inside of the Cortex-A8 core model: what its files share.
 *
 *   core.c         what the reader of the trace calls, with the fast path
 *   block.c        blocks and their schedules, made once
 *   exits.c        how a block ends: branches, flushes, exceptions, interrupted blocks
 *   data_access.c  data accesses that need a closer look
 *   memory.h       caches, TLBs, write buffer, level 2: files of their own, in memory_internal.h
 *   neon_issue.c   NEON and VFP instructions of a block, handed to their unit
 *   counters.c     the tallies, put together
 *   attribution.c  the same by instruction, for a profile */
#ifndef CORES_CORTEX_A8_CORE_H
#define CORES_CORTEX_A8_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cores/core.h"
#include "armpmu/sim.h"
#include "isa/code.h"
#include "isa/insn.h"
#include "cores/cortex_a8/memory.h"
#include "cores/cortex_a8/neon.h"
#include "parts/branch_predictor.h"
#include "trace/preload.h"
#include "trace/trace_reader_positions.h"
#include "cores/cortex_a8/schedule.h"
#include "parts/schedule_memo.h"

#define IDLE_KEY (SCHEDULE_IDLE << 1) /* nothing in flight, entered by a jump */

struct a8_access {
    struct reader_access known;
    uint8_t span;            /* bytes - 1, or 0 when no aligned address makes it cross a line */
    bool store, neon, cured; /* cured: CHOICE(cures), of data it may be */
    uint16_t number;         /* among the block's */
    uint64_t happened;       /* an optional one, since the last read */
    uint64_t aliased;        /* FILTER_ALIAS for each hit of a colour alias since then */
};

/* A block's schedule from one entry state, and where it led: what running it again needs comes
 * first. Its key is the number of the entry state, twice, plus 1 if the block before it in memory
 * was executed before it. */
struct a8_schedule_memo {
    /* Where it went when nothing special happened: on to the next block in memory, or to where its
     * branch, correctly predicted, went. */
    struct trace_position position;
    uint64_t exits[2];       /* times it ran and was left, [1]: to position.next[1] */
    uint32_t exit_cycles[2]; /* of the block and its exit: of a jump that is predicted right */
    struct schedule_memo memo;
    uint32_t flush_cycles; /* of the block and a flush after it */
    uint64_t flushes[2];   /* times it ran besides, and its direct branch, [1]: taken, flushed */
    uint32_t after[2];     /* interned states: of going on, of a jump */
    struct schedule_counts schedule;
    uint32_t fetches;
    uint32_t open_cycles; /* 1 for a half-filled last cycle, which a jump closes */
    /* In the same memory, after it: the cycle of each access's instruction, from the start of the
     * block; the cycle in which each NEON and VFP instruction issues. */
    uint32_t *issued_at, *handed_at, *asked_at;
};

/* The branch at a block's end. */
enum a8_branch {
    A8_NO_BRANCH,
    A8_CONDITIONAL, /* direct, predicted, no call: the common cases ... */
    A8_JUMP,        /* ... told apart for speed; or a call that is always made */
    A8_OTHER_BRANCH,
};

/* The cures of accesses. */
#define A8_CURES_ACCESS                                                                            \
    (1u << CURE_LEVEL1 | 1u << CURE_LEVEL2 | 1u << CURE_TLB | 1u << CURE_STORES |                  \
     1u << CURE_PREFETCH)

/* A flag beside it: the block has NEON or VFP instructions, or waits for those before. */
#define A8_VECTORS 4u

/* Lines of code. */
struct a8_lines {
    uint32_t first, last;
    const struct a8_code_pages *pages; /* of them; of memory.code_pages */
};

/* Its accesses follow it in memory. */
struct a8_block {
    struct reader_entry entry;
    struct a8_lines lines;
    struct a8_epoch fetched_at; /* when they were last seen to hit; 0: never since a read */
    uint32_t n_vectors;
    enum a8_branch branch;
    uint8_t flags;           /* branch, A8_VECTORS */
    uint8_t counter;         /* branch_predictor_hash of the branch */
    bool is_perfect;         /* the branch is predicted right, whatever the predictor knows */
    bool is_plain;           /* it is indirect and always taken, and only the predictor decides */
    struct btb_entry wanted; /* what the BTB has of a direct branch, if it has that */
    struct btb_entry *btb;   /* where the branch was last found in the BTB, or one of none */
    const uint64_t *entered; /* branch_predictor_entered of the branch */
    uint64_t absent_at;      /* *entered, plus 1, when it was not in the BTB; 0: not known */
    struct flow flow;        /* of the last branch */
    struct a8_lines
        wrong[2]; /* [taken] of A8_CONDITIONAL: what is fetched when that was mispredicted */
    struct a8_epoch wrong_at[2]; /* when those were last seen to hit */

    uint64_t taken;                /* times its branch was taken, without those in its memos */
    struct memo_block memos;       /* of struct a8_schedule_memo */
    struct a8_schedule_memo *idle; /* the one of IDLE_KEY, which every flush leads to */
    struct neon_insn *vectors;     /* its NEON and VFP instructions */
    struct preload *preloads;
    uint32_t n_preloads;
};

struct a8_busy;

/* A page that an access brought into the data TLB, and when. */
struct a8_new_page {
    uint32_t page;
    uint64_t since;
};

#define A8_NEW_PAGES 16

struct a8 {
    struct core core;
    struct a8_memory memory;
    struct branch_predictor predictor;
    struct schedule_states states;
    struct neon_unit neon;
    uint32_t next_vector;   /* of the running block: the first that is not handed over yet */
    uint32_t vectors_ahead; /* handed over, but still to come in blocks of their own */
    bool vectors_handed;    /* those of the running block, for a read */
    uint64_t
        sysreg_insn_arrives;   /* when the data of the latest moves from NEON comes, 0: no wait */
    uint64_t sysreg_insn_next; /* when the instruction after them would issue ... */
    uint32_t sysreg_insn_end;  /* ... and its index in the running block */
    uint64_t tally[ARMPMU_SIGNAL_COUNT]; /* counts that are in no block, no memo and no profile */
    struct memo_block *dirty_blocks;     /* may hold counts: all that ran since the last read */

    struct a8_busy *busy; /* of a profile: a ring of the latest A8_BUSY_MAX; NULL without one */
    uint32_t next_busy, first_busy; /* the latter: that ended after the last wait began ... */
    uint64_t busy_since;            /* ... which it did here */
    unsigned waits;                 /* A8_VECTORS while sysreg_insn_arrives is not 0 */

    uint32_t key;               /* of the next block's schedule, once the last one was left */
    struct schedule_state part; /* after a block that executed in part */
    bool partly;                /* the last one did, and was not left yet */
    bool cut;       /* an access of the last block is missing; those before it are in the tally */
    bool predicted; /* it was left to where its schedule continues, as predicted */
    bool is_of_system; /* a front met what only systems do */

    struct a8_new_page new_pages[A8_NEW_PAGES]; /* of CURE_PREFETCH: the latest, by number */
};

/* ~63, and the bits below that an aligned address has clear. */
static inline uint32_t a8_line_mask(const struct a8_access *access)
{
    return (uint32_t)access->known.hit_mask;
}

static inline struct a8_block *a8_block_of(const struct reader_entry *entry)
{
    return (struct a8_block *)(uintptr_t)entry;
}

static inline struct a8_schedule_memo *a8_memo_of(const struct trace_position *position)
{
    return (struct a8_schedule_memo *)(uintptr_t)position;
}

static inline struct a8_schedule_memo *a8_found_memo(const struct schedule_memo *memo)
{
    const uintptr_t begin = (uintptr_t)memo - offsetof(struct a8_schedule_memo, memo);
    return memo != NULL ? (struct a8_schedule_memo *)begin : NULL;
}

static inline struct a8 *a8_of_memory(struct a8_memory *memory)
{
    return (struct a8 *)((uintptr_t)memory - offsetof(struct a8, memory));
}

/* A block of the list of dirty ones. */
static inline struct a8_block *a8_dirty_block(const struct memo_block *block)
{
    return (struct a8_block *)((uintptr_t)block - offsetof(struct a8_block, memos));
}

static inline struct a8_schedule_memo *a8_first_memo(const struct a8_block *block)
{
    return a8_found_memo(block->memos.memos.all);
}

static inline struct a8_schedule_memo *a8_next_memo(const struct a8_schedule_memo *memo)
{
    return a8_found_memo(memo->memo.sibling);
}

static inline struct a8_block *a8_memo_block(const struct a8_schedule_memo *memo)
{
    return a8_block_of(memo->position.entry);
}

static inline struct a8_access *a8_accesses(const struct a8_block *block)
{
    return (struct a8_access *)(uintptr_t)(block + 1);
}

/* Returns whether the direct branch at the block's end is in the BTB where it was found last. */
static inline bool a8_hits_btb_again(const struct a8_block *block)
{
    return memcmp(block->btb, &block->wanted, sizeof block->wanted) == 0;
}

/* Returns whether a plain branch is in the BTB where it was last time. */
static inline bool a8_finds_plain(const struct a8_block *block)
{
    return block->is_plain && block->btb->pc == block->flow.pc;
}

/* Returns whether the direct branch was in no entry, and no entry made since can be its. */
static inline bool a8_misses_btb_again(const struct a8_block *block)
{
    return block->absent_at == *block->entered + 1;
}

/* Looks for the branch at the block's end in the BTB. */
static inline void a8_find_branch(const struct a8 *a8, struct a8_block *block)
{
    struct btb_entry *const entry = branch_predictor_find(&a8->predictor, block->flow.pc);
    block->btb = entry != NULL ? entry : block->btb;
    block->absent_at = entry != NULL ? 0 : *block->entered + 1;
}

static inline uint64_t a8_times_taken(const struct a8_schedule_memo *memo)
{
    return memo->exits[1] + memo->flushes[1];
}

static inline uint64_t a8_runs(const struct a8_schedule_memo *memo)
{
    return memo->exits[0] + memo->flushes[0] + a8_times_taken(memo);
}

static inline uint32_t sequential_key(const struct a8_schedule_memo *memo)
{
    return memo->after[0] << 1 | 1;
}

static inline uint32_t jump_key(const struct a8_schedule_memo *memo)
{
    return memo->after[1] << 1;
}

/* The pipeline's state of a number; valid until the next is numbered. */
static inline const struct schedule_state *a8_state(const struct a8 *a8, uint32_t number)
{
    return schedule_states_at(&a8->states, number);
}

/* The memo of the block that runs, while nothing is known against its executing to its end; NULL if
 * none does. */
static inline const struct a8_schedule_memo *a8_open(const struct a8 *a8)
{
    const struct trace_reader *reader = a8->core.reader;
    if (reader->from->entry != NULL)
        return a8_memo_of(reader->from);
    const bool open = reader->last != NULL && !reader->was_retired && !reader->cut;
    return open ? a8_memo_of(reader->position) : NULL;
}

/* Returns whether a block began that was interrupted, and it is not known yet where. */
static inline bool a8_is_part(const struct a8 *a8)
{
    return a8->partly || a8->core.reader->cut;
}

/* ---- attribution.c ---- */

/* Cycles in which NEON has work, by the row of the instruction whose work it is. */
struct a8_busy {
    uint64_t *row;
    uint64_t begin, end;
};

/* From here on what happens belongs to an instruction of a block. */
static inline void a8_attribute(struct a8 *a8, const struct a8_block *block, unsigned index)
{
    if (unlikely(a8->busy != NULL))
        a8->memory.tally = profile_rows_at(&a8->core.reader->profile, block->entry.profile, index);
}

static inline void a8_attribute_to_last(struct a8 *a8, const struct a8_block *block)
{
    a8_attribute(a8, block, block->entry.n_insns - 1);
}

/* The clock has moved on since then for the current instruction. Without a profile this is not
 * read: the clock is the count. */
static inline void a8_charge(struct a8 *a8, uint64_t since)
{
    a8->memory.tally[ARMPMU_SIGNAL_CPU_CYCLES] += a8->memory.now - since;
}

/* Two notes for a profile: that the integer pipeline waited for NEON, and what NEON did for the
 * current instruction, which entered its queue at a time. */
void a8_waited_for_neon(struct a8 *a8, uint64_t begin, uint64_t end);
void a8_neon_worked(struct a8 *a8, uint64_t at, struct neon_outcome outcome);

/* The cycles after now in which it has work still. */
uint64_t a8_neon_ahead(const struct a8 *a8);

/* Moves the counts of a block into the rows of its instructions. */
void a8_attribute_block(struct a8 *a8, const struct a8_block *block);

/* The same for its fetches up to an address, before which its first n instructions begin; they
 * were made `times` times. */
void a8_attribute_fetches(struct a8 *a8, const struct a8_block *block, uint32_t n, uint64_t end,
                          bool sequential, uint64_t times);

/* As core_model.attribute and core_model.sync_rows. */
enum armpmu_status a8_attribute_all(void *state);
void a8_sync_rows(void *state);

/* As core_ops.pack_rows. */
void a8_pack_rows(void *core);

/* ---- block.c ---- */

/* Adds what the branch at a block's end counts that runs some times, and is taken some times. */
void a8_add_branch(const struct a8 *a8, const struct reader_entry *entry, uint64_t runs,
                   uint64_t taken, uint64_t *tally);

/* As in struct core_ops and struct position_ops. */
void a8_describe_access(const void *core, const struct block *code, struct reader_access *access);
bool a8_describe(void *core, struct reader_entry *entry);
void a8_free_block(void *core, void *data);
void a8_forget_exits(void *core, struct reader_entry *entry);
void a8_forget_states(void *core);

/* The block's schedule from an entry state, made if it is new; NULL without memory. */
struct a8_schedule_memo *a8_find_memo(struct a8 *a8, struct a8_block *block, uint32_t key);

/* Turns branch prediction on or off, where the machine has it. */
void a8_switch_prediction(struct a8 *a8, bool on);

/* Counts the instruction cache accesses that a block makes when it executes a number of times. */
void a8_add_fetches(struct a8 *a8, const struct a8_schedule_memo *memo, uint64_t times);

/* Instruction fetches of the bytes from start to end. sequential: the group that holds start may
 * have been fetched for the block before. */
uint32_t a8_fetch_groups(const struct a8 *a8, uint64_t start, uint64_t end, bool sequential);

/* Add what an instruction that executes n times always does; what an access that happens n times
 * does, its first line included; and one line of an access, presumed to hit. */
void a8_add_insn(const struct insn *insn, uint64_t n, uint64_t *tally);
void a8_add_access(const struct a8_access *access, const struct insn *insn, uint64_t n,
                   uint64_t *tally);
void a8_add_line(const struct a8_access *access, uint64_t *tally);

/* A line that was presumed to hit, but no cache was asked. */
void a8_remove_line(const struct a8_access *access, uint64_t *tally);

/* ---- counters.c ---- */

/* Adds the block's counts since they were read, but for its cycles. */
void a8_add_block(const struct a8 *a8, const struct a8_block *block, uint64_t *tally);

/* The counts that the jumps and flushes of a memo add to those of its runs and taken branches. */
void a8_add_exits(const struct a8 *a8, const struct a8_schedule_memo *memo, uint64_t *tally);

/* Adds n times the kinds of cycles between a memo's schedule and the target of a jump. */
static inline void a8_add_jumps(const struct a8 *a8, const struct a8_schedule_memo *memo,
                                uint64_t n, uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_ISSUE_SINGLE] += n * memo->open_cycles;
    tally[ARMPMU_SIGNAL_STALL_FRONTEND_FLOW] += n * a8->core.machine->branch_taken_bubble_cycles;
}

/* Adds n times the kinds of cycles of a schedule. */
static inline void a8_add_issue(const struct schedule_counts *schedule, uint64_t n, uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_INST_ISSUED] += n * schedule->issued;
    tally[ARMPMU_SIGNAL_OPERATION_ISSUED] += n * schedule->operations;
    tally[ARMPMU_SIGNAL_ISSUE_PAIR] += n * schedule->pairs;
    tally[ARMPMU_SIGNAL_ISSUE_SINGLE] += n * schedule->singles;
    tally[ARMPMU_SIGNAL_ISSUE_STEP] += n * (schedule->operations - schedule->issued);
    tally[ARMPMU_SIGNAL_STALL_BACKEND_ILOCK] += n * schedule->waits;
}

/* Moves what blocks hold into the tally; afterwards only those that run again hold anything. */
void a8_sync(void *core);

void a8_signals(const void *state, uint64_t *signals);
void a8_signals_of(const void *front, const void *back, uint64_t *signals);
void a8_sync_all(void *state);

/* ---- exits.c ---- */

/* The lines that the front end fetches from an address on until a flush stops it. */
struct a8_lines a8_wrong_path(const struct a8 *a8, uint64_t address);

/* Returns whether they hit as they did in an epoch. */
static inline bool a8_hit_since(const struct a8_lines *lines, const struct a8_epoch *then)
{
    return memcmp(&lines->pages->epoch, then, sizeof *then) == 0;
}

/* Those of bytes, of which the last is at least the first. */
static inline struct a8_lines a8_lines_of(const struct a8 *a8, uint64_t first, uint64_t last)
{
    const bool one = first >> PAGE_SHIFT == last >> PAGE_SHIFT;
    return (struct a8_lines){
        .first = (uint32_t)(first >> LINE_SHIFT),
        .last = (uint32_t)(last >> LINE_SHIFT),
        .pages =
            &a8->memory.code_pages[one ? (first >> PAGE_SHIFT) % A8_CODE_PAGES : A8_CODE_PAGES],
    };
}

/* The last block, which retired, leads to the address `next` by an exit that its last instruction
 * explains. */
void a8_leave_regularly(struct a8 *a8, const struct a8_schedule_memo *memo, bool taken,
                        uint64_t next);

/* Follow an exit taken before: of A8_OTHER_BRANCH, and one whose branch is not predicted so this
 * time. */
struct trace_position *a8_follow_other(struct a8 *a8, struct a8_schedule_memo *from, bool taken,
                                       struct trace_position *next);
struct trace_position *a8_leave_flushed(struct a8 *a8, struct a8_schedule_memo *from, bool taken,
                                        struct reader_entry *next);

/* As in struct core_ops and struct position_ops. */
void a8_cut_short(void *core, const struct reader_entry *entry, unsigned n);
void a8_retire_block(void *core, const struct retired_block *executed);
void a8_block_exit(void *core, const struct retired_block *executed, enum block_exit exit,
                   uint64_t next);
void a8_late_branch(void *core, const struct retired_block *executed, bool taken);
void a8_exception(void *core);
void a8_exception_return(void *core);

/* ---- data_access.c ---- */

/* An access in one line that may miss or be unaligned; record: what the trace says of it. */
void a8_access_data(struct a8 *a8, const struct a8_schedule_memo *memo,
                    const struct a8_access *access, uint64_t record);

/* One that crosses a line or goes to Device memory. */
void a8_access_crossing(struct a8 *a8, const struct a8_schedule_memo *memo,
                        const struct a8_access *access, uint64_t record);

/* As position_ops.reached: the preloads among them. */
void a8_reached(void *core, const struct reader_entry *entry, unsigned first, unsigned index,
                const uint64_t *records, const uint64_t *end);

/* ---- neon_issue.c ---- */

/* Hand the NEON and VFP instructions of the block that runs to their unit: those before an
 * instruction whose access is about to move the clock, and at the block's end the rest of its
 * first n. The clock, which is at the block's start, moves on by the cycles that the pipeline
 * waits for the unit. */
void a8_vectors_before(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned index);

/* The same for the ones before a preload, which waits for nothing. */
void a8_vectors_reached(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned index);
void a8_retire_vectors(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned n);

/* As if the block that runs were to execute to its end: before tallies are read. */
void a8_hand_over_open(struct a8 *a8);

/* Returns whether there may be something to hand over or to wait for. */
static inline bool a8_has_vectors(const struct a8 *a8, const struct a8_block *block)
{
    return (block->n_vectors | a8->sysreg_insn_arrives) != 0;
}

extern const struct core_model core_model_cortex_a8;

#endif

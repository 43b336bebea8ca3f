/* The inside of the Cortex-A8 core model: what its files share.
 *
 *   core.c         the trace, and the fast path through all of it
 *   block.c        blocks and their schedules, made once
 *   forget.c       blocks that have not run for long
 *   exits.c        from one block to the next: branches, flushes, exceptions, blocks cut short
 *   data_access.c  data accesses that need a closer look
 *   memory.c       caches, TLBs, write buffer, level 2
 *   neon_issue.c   NEON and VFP instructions of a block, handed to their unit
 *   counters.c     the tallies, put together */
#ifndef CORES_CORTEX_A8_CORE_H
#define CORES_CORTEX_A8_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"
#include "isa/code.h"
#include "isa/insn.h"
#include "cores/cortex_a8/memory.h"
#include "cores/cortex_a8/neon.h"
#include "trace/inside_block.h"
#include "parts/branch_predictor.h"
#include "trace/preload.h"
#include "cores/cortex_a8/schedule.h"
#include "parts/schedule_memo.h"

#define IDLE_KEY (SCHEDULE_IDLE << 1) /* nothing in flight, entered by a jump */

struct a8_access {
    uint16_t tag;       /* bits 63..48 of its ACCESS or BURST record */
    uint16_t at;        /* which of the block's records that is, where all come each time */
    uint32_t line_mask; /* ~63, and the bits below that an aligned address has clear */
    uint16_t bytes;
    uint8_t span; /* bytes - 1, or 0 when no aligned address makes it cross a line */
    bool store;
    uint16_t index; /* instruction */
    bool multiple : 1, neon : 1;
    bool optional : 1;     /* may not happen although execution goes on: condition, STREX */
    bool mark_follows : 1; /* the engine must mark the instruction after it */
    bool marked : 1;       /* the engine does: also where it is not sure of the condition */
    uint64_t happened;     /* an optional one, since the last read */
};

/* A block's schedule from one entry state, and where it led: what running it again needs comes
 * first. */
struct a8_schedule_memo {
    /* The BLOCK record that came next when last nothing special happened, the schedule it led to
     * and the cycles up to the end of that: on to the next block in memory, or to where its branch,
     * correctly predicted, went. 0 where that never happened. */
    uint64_t next_word[2]; /* [taken] */
    struct a8_schedule_memo *next_memo[2];
    uint64_t exits[2]; /* times it ran and was left, [1]: to next_memo[1] */
    uint32_t next_cycles[2];
    struct a8_block *block;
    uint32_t cycles;
    uint32_t key; /* interned entry state, bit 0: entered from the block before it in memory */
    struct a8_schedule_memo *sibling; /* of the same block */
    uint32_t after[2];                /* interned states: of going on, of a jump */
    uint32_t issued, operations, fetches;
    uint32_t open_cycles; /* 1 for a half-filled last cycle, which a jump closes */
    uint32_t jump_cycles; /* what a right predicted jump costs besides */
    /* In the same memory, after it: the cycle of each access's instruction, from the start of the
     * block; the cycle in which each NEON and VFP instruction issues. */
    uint32_t *issued_at, *handed_at;
};

enum a8_block_end {
    END_FALL_THROUGH,
    END_CONDITIONAL, /* direct branch, no call: the common cases of END_BRANCH ... */
    END_JUMP,        /* ... told apart for speed */
    END_BRANCH,
    END_SYSCALL,
};

/* The records that a block's accesses come as. */
enum a8_block_records {
    RECORDS_NONE,
    RECORDS_SINGLE,    /* one ACCESS each, every time */
    RECORDS_FIXED,     /* some as BURST, but every time */
    RECORDS_MIXED,     /* some left out, some marked */
    RECORDS_IRREGULAR, /* some as two of the same instruction (SWP, store-exclusive); any that tell
                        * the address of a preload */
};

/* What a block adds to a signal each time it runs, and each time its branch is taken besides. */
struct a8_increment {
    enum armpmu_signal signal;
    uint32_t per_run, per_taken;
};

/* Lines of code. */
struct a8_lines {
    uint32_t first, last;
};

/* What running it again needs comes first, its accesses after it. */
struct a8_block {
    uint32_t fetched_at; /* memory.fetch_epoch when its lines were last seen to hit */
    uint32_t first_line, last_line, n_vectors;
    uint16_t n_accesses, n_records; /* records: of all accesses, where they come every time */
    uint8_t end;                    /* enum a8_block_end */
    uint8_t records;                /* enum a8_block_records */
    bool indirect;                  /* target not known from the instruction */
    bool returns_exception;
    bool holds;            /* it is in the list of those that hold counts */
    bool forgettable;      /* it is about to be forgotten */
    struct btb_entry *btb; /* where the branch was last found in the BTB */
    struct flow flow;      /* of the last branch */
    struct a8_lines
        wrong[2]; /* [taken] of END_CONDITIONAL: what is fetched when that was mispredicted */

    uint64_t start, fall_through;
    uint64_t taken;                 /* times its branch was taken, without those in its memos */
    struct a8_schedule_memo *memos; /* the last one used first */
    struct a8_schedule_memo *idle;  /* the one of IDLE_KEY, which every flush leads to */
    struct neon_insn *vectors;      /* its NEON and VFP instructions */
    struct preload *preloads;
    uint32_t n_insns;
    uint32_t n_increments;
    uint32_t n_preloads;
    const struct block *code;
    struct a8_increment *increments;
    struct a8_block *next_dirty;

    struct a8_access accesses[]; /* n_accesses */
};

/* A conditional branch whose direction a signal or an interrupt hid: it is known when the handler
 * returns. */
#define INTERRUPTED_MAX 16

struct a8 {
    struct a8_memory memory;
    struct branch_predictor predictor;
    struct schedule_states states;
    struct neon_unit neon;
    uint32_t next_vector;   /* of the running block: the first that is not handed over yet */
    uint32_t vectors_ahead; /* handed over, but still to come in blocks of their own */
    uint64_t
        sysreg_insn_arrives;   /* when the data of the latest moves from NEON comes, 0: no wait */
    uint64_t sysreg_insn_next; /* when the instruction after them would issue ... */
    uint32_t sysreg_insn_end;  /* ... and its index in the running block */
    uint64_t tally[ARMPMU_SIGNAL_COUNT]; /* counts that are in no block and no memo */
    struct a8_block
        *dirty_blocks; /* blocks that may hold counts: all that ran since the last read */
    uint64_t last_read[ARMPMU_SIGNAL_COUNT]; /* as of the last read */

    uint64_t flushed_taken; /* branches predicted taken that flushed, or that an exception hid */

    struct a8_schedule_memo *memo;   /* of the last block; nowhere at a start and after a fault */
    struct a8_schedule_memo nowhere; /* of no block, leads to none */
    struct a8_block **by_id, **by_index; /* by dense block number */
    size_t n_ids, n_index;

    bool system; /* the trace is a system's: every exception is announced */
    bool cut;    /* the last block was cut short by a fault */
    struct a8_schedule_memo
        *cut_memo;   /* of a system: the block that was cut short, while it is not known why ... */
    unsigned cut_at; /* ... and the first instruction known not to have executed */
    bool
        memo_valid; /* the last block was left by the way its schedule goes on, with nothing lost */
    bool called;    /* the last block ended with a system call that was made */
    uint32_t syscall;
    struct a8_block *interrupted[INTERRUPTED_MAX];
    uint32_t n_interrupted;

    /* Intervals; period 0 for none. clock: cycles or instructions, the latter counted only here. */
    enum armpmu_signal clock;
    uint64_t retired, next_end, period, interval;
    armpmu_interval_fn on_interval;
    void *interval_user;

    struct code_share share; /* its part of the decoded code */
    const struct armpmu_machine *machine;
};

static inline bool ends_with_branch(const struct a8_block *block)
{
    return block->end == END_CONDITIONAL || block->end == END_JUMP || block->end == END_BRANCH;
}

/* Whether the direct branch at the block's end is in the BTB where it was found last. */
static inline bool a8_hits_btb_again(const struct a8_block *block)
{
    return block->btb != NULL && block->btb->pc == block->flow.pc &&
           block->btb->target == block->flow.target;
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

/* ---- block.c ---- */

/* The block of an id met for the first time: decoded, described and entered in the tables. */
enum armpmu_status a8_define_block(struct a8 *a8, uint32_t id, struct a8_block **out,
                                   struct armpmu_error *err);
void a8_free_block(struct a8 *a8, struct a8_block *block);

/* The ITSTATE that the last block leaves, as far as it is known. */
static inline uint8_t a8_it(const struct a8 *a8)
{
    return a8->memo->block != NULL ? a8->memo->block->code->it_after : 0;
}

/* Whether the id that names the block would name another one now. */
static inline bool a8_is_other(const struct a8 *a8, const struct a8_block *block)
{
    return block->code->it_open && block->code->it_before != a8_it(a8);
}

/* The block's schedule from an entry state, made if it is new; NULL without memory. */
struct a8_schedule_memo *a8_find_memo(struct a8 *a8, struct a8_block *block, uint32_t key);

/* ---- forget.c ---- */

/* Whether blocks take too much memory, or their schedules have met too many states. */
bool a8_is_full(const struct a8 *a8);

/* Forgets blocks, those first that did not run since the last time; not the last one. */
void a8_forget_blocks(struct a8 *a8);

/* From here on ids may name other blocks. */
void a8_rename(void *state);

/* ---- block.c ---- */

/* Instruction fetches of the bytes from start to end. sequential: the group that holds start may
 * have been fetched for the block before. */
uint32_t a8_fetch_groups(const struct a8 *a8, uint64_t start, uint64_t end, bool sequential);

/* Add what an instruction always does; what an access that happens n times does, its first line
 * included; and one line of an access, presumed to hit. */
void a8_add_insn(const struct insn *insn, uint64_t *tally);
void a8_add_access(const struct a8_access *access, const struct insn *insn, uint64_t n,
                   uint64_t *tally);
void a8_add_line(const struct a8_access *access, uint64_t *tally);

/* ---- counters.c ---- */

/* A block is about to count something in itself or in its memos. */
static inline void a8_mark_dirty(struct a8 *a8, struct a8_block *block)
{
    if (block->holds)
        return;
    block->holds = true;
    block->next_dirty = a8->dirty_blocks;
    a8->dirty_blocks = block;
}

/* Moves what blocks hold into the tally; afterwards only those that run again hold anything. */
void a8_sync(struct a8 *a8);

void a8_signals(const void *state, uint64_t *signals);
void a8_read_delta(void *state, uint64_t *delta);

/* ---- exits.c ---- */

/* Leaves the last block for the one a record names; returns that one's schedule, NULL without
 * memory. */
struct a8_schedule_memo *a8_enter(struct a8 *a8, struct a8_block *block, uint64_t word);

/* The lines that the front end fetches from an address on until a flush stops it. */
struct a8_lines a8_wrong_path(const struct a8 *a8, uint64_t address);

/* The same by a way taken before, whose branch is not predicted so this time. */
struct a8_schedule_memo *a8_enter_flushed(struct a8 *a8, bool taken);

/* The last block executed only its first n instructions, which nothing announced: corrects its
 * tallies. */
void a8_cut_short(struct a8 *a8, unsigned n);

/* The trace ended before it was known why the last block was cut short. */
void a8_end_cut(struct a8 *a8);

/* The processor took an exception in the last block, as the record says. Returns ARMPMU_OK or
 * ARMPMU_BAD_INPUT. */
enum armpmu_status a8_exception(struct a8 *a8, uint64_t word, struct armpmu_error *err);

/* Whether an instruction of this kind can raise an exception without a record in the trace. */
bool a8_may_trap(enum insn_effect effect);

/* Count an exception; return the key of a block entered with nothing in flight. */
uint32_t a8_exception_entry(struct a8 *a8);
uint32_t a8_exception_return(struct a8 *a8);

/* ---- data_access.c ---- */

/* An access that may miss, cross a line, be unaligned or go to Device memory; record: what the
 * trace says of it. */
void a8_access_data(struct a8 *a8, const struct a8_access *access, uint64_t word);

/* Accesses of a block, from number `next` on, of which some may be missing. Returns the record
 * after them. */
const uint64_t *a8_slow_accesses(struct a8 *a8, struct a8_block *block, uint32_t next,
                                 const uint64_t *word, const uint64_t *end);

/* ---- neon_issue.c ---- */

/* Hand the NEON and VFP instructions of the block that runs to their unit: those before an
 * instruction whose access is about to move the clock, and at the block's end the rest of its first
 * n. The clock, which stands at the end of the block, moves on by what the pipeline waits for the
 * unit. */
void a8_vectors_before(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned index);
void a8_end_vectors(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned n);

/* Whether there may be something to hand over or to wait for. */
static inline bool a8_has_vectors(const struct a8 *a8, const struct a8_block *block)
{
    return (block->n_vectors | a8->sysreg_insn_arrives) != 0;
}

extern const struct core_model core_model_cortex_a8;

#endif

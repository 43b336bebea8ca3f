/* A memo of a block's effect on a pipeline, for each state at its entry:
 *
 *   (block, entry state) -> (cycles, increments, exit state)
 *
 * A core numbers the states of its pipeline (schedule_states): relative to the clock, canonical, so
 * that equal states have equal futures; programs meet a few hundred. A block has a memo for each
 * state (schedule_memo), and what it counts each time it runs is added up once (run_increment).
 * Running it again is a look-up and one addition: memos count how often they ran. The core puts the
 * tallies together when somebody reads them. A read asks only the blocks that ran since the read
 * before (dirty_blocks).
 *
 * A core's own memo begins with a struct schedule_memo, its block with a struct memo_block.
 *
 * Assumes: nothing of a core, but that its state with nothing in flight is all zero.
 * Does not model: anything. What a memo makes the core do is the core's, and so is the meaning of
 * what it counts.
 *
 * Plain data; one thread at a time. */
#ifndef PARTS_SCHEDULE_MEMO_H
#define PARTS_SCHEDULE_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "base/intern.h"

/* ---- states by number ---- */

#define SCHEDULE_IDLE     0          /* the state of nothing but zeros, always there */
#define SCHEDULE_NO_STATE UINT32_MAX /* the number of a state that has none */

/* Numbers are dense and in order of first appearance: the same program gives the same on every
 * host. */
struct schedule_states {
    unsigned char *states; /* by number */
    uint32_t n;
    size_t state_bytes, room; /* room: in bytes */
    struct intern numbers;
};

/* The most that are numbered: some 15 MB of them. */
#define SCHEDULE_STATES_MAX (UINT32_C(1) << 18)

/* A core that forgets states does so when there is no room for this number more. */
#define SCHEDULE_STATES_SPARE 256

/* No state but SCHEDULE_IDLE. state_bytes: of one, without padding, since they are compared
 * bytewise; a multiple of four. Freed with schedule_states_free; on failure nothing needs freeing.
 * Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status schedule_states_init(struct schedule_states *states,
                                                        size_t state_bytes);

/* A table that was never filled (all zero) is fine. */
void schedule_states_free(struct schedule_states *states);

/* The number of a state, new if the state is; SCHEDULE_NO_STATE, with the table as it was, where
 * there are SCHEDULE_STATES_MAX of them or no memory for another. */
uint32_t schedule_states_number(struct schedule_states *states, const void *state);

/* The state of a number; valid until the next schedule_states_number. */
static inline const void *schedule_states_at(const struct schedule_states *states, uint32_t number)
{
    return states->states + number * states->state_bytes;
}

static inline bool schedule_states_are_full(const struct schedule_states *states)
{
    return states->n >= SCHEDULE_STATES_MAX - SCHEDULE_STATES_SPARE;
}

/* ---- memos of a block ---- */

struct schedule_memo {
    struct schedule_memo *sibling; /* of the same block */
    uint32_t key;                  /* number of the entry state, and whatever else decides */
    uint32_t cycles;
};

#define SCHEDULE_RECENT 4 /* a power of two */

/* Memos among which one is found by its key. */
struct schedule_memos {
    struct schedule_memo *all;
    struct schedule_memo *recent[SCHEDULE_RECENT]; /* by the low bits of their keys */
};

/* schedule_memo_find for a memo that is not the last one of its slot. */
struct schedule_memo *schedule_memo_search(struct schedule_memos *memos, uint32_t key);

/* The memo of a key; NULL if there is none. Where a block is entered in two states by turns, no
 * search is needed. */
static inline struct schedule_memo *schedule_memo_find(struct schedule_memos *memos, uint32_t key)
{
    struct schedule_memo *const recent = memos->recent[key % SCHEDULE_RECENT];
    if (recent != NULL && recent->key == key)
        return recent;
    return schedule_memo_search(memos, key);
}

/* Adds the memo of a key that has none. */
static inline void schedule_memo_add(struct schedule_memos *memos, struct schedule_memo *memo)
{
    memo->sibling = memos->all;
    memos->all = memo;
    memos->recent[memo->key % SCHEDULE_RECENT] = memo;
}

/* ---- what runs count ---- */

/* The increment of a tally each time a block runs. */
struct run_increment {
    uint32_t tally; /* its index */
    uint32_t per_run;
};

/* Lists the increments, among n, that are not zero; NULL without memory. */
struct run_increment *run_increments_new(const uint64_t *per_run, uint32_t n,
                                         uint32_t *n_increments);

static inline void run_increments_add(const struct run_increment *increments, uint32_t n,
                                      uint64_t runs, uint64_t *tally)
{
    for (uint32_t i = 0; i < n; i++)
        tally[increments[i].tally] += runs * increments[i].per_run;
}

/* The beginning of a core's block. */
struct memo_block {
    struct schedule_memos memos;
    struct memo_block *next_dirty;
    bool is_dirty;
};

/* The block is about to count something in itself or in its memos: it is in a list from its first
 * run after a read on. */
static inline void memo_block_mark(struct memo_block **dirty, struct memo_block *block)
{
    if (block->is_dirty)
        return;
    block->is_dirty = true;
    block->next_dirty = *dirty;
    *dirty = block;
}

#endif

/* The inside of the walk: what its files share.
 *
 *   walk_block.c   blocks, made once
 *   walk_access.c  which of a block's accesses happened
 *   walk_leave.c   how a block ended, and what is told of it
 *   walk.c         the records */
#ifndef TRACE_TRACE_READER_INTERNAL_H
#define TRACE_TRACE_READER_INTERNAL_H

#include "isa/code.h"
#include "trace/trace_reader.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
/* Functions whose bodies would be in the way of what comes more often. */
#define RARE __attribute__((noinline, cold))

/* An instruction of a block that may access data, and how the engine says so. */
struct walk_shape {
    uint16_t tag; /* bits 63..48 of its ACCESS or RUN word */
    uint16_t index;
    uint16_t bytes;
    bool multiple;
    bool optional;     /* may not happen although execution goes on: condition, store-exclusive */
    bool mark_follows; /* the engine must mark the instruction after it */
    bool marked;       /* the engine does: also where it is not sure of the condition */
};

enum block_end { END_FALL_THROUGH, END_BRANCH, END_SYSCALL };

/* The records that a block's accesses come as. */
enum block_words {
    WORDS_NONE,
    WORDS_SINGLE, /* one ACCESS each, every time */
    WORDS_MIXED,  /* some as RUN, some left out, some marked */
};

struct walk_entry {
    const struct block *code;
    void *data; /* the core model's */
    uint64_t start, fall_through;
    uint64_t target; /* of a direct branch at its end */
    uint8_t it_before, it_after;
    uint8_t it_open;  /* 0xff if its id may name a block with another it_before, too; else 0 */
    bool ran;         /* lately */
    bool forgettable; /* is about to be forgotten */
    enum block_end end;
    enum block_words records;
    bool conditional, indirect, returns_exception; /* the branch at its end */
    uint32_t n_insns, n_shapes;
    struct walk_shape shapes[];
};

/* A conditional branch whose direction a signal or an interrupt hid: it shows when its handler
 * returns. */
#define HIDDEN_MAX 16

struct walk_change {
    uint64_t word, second;
};

struct walk_changes {
    struct walk_change *change;
    size_t n, room;
};

struct walk {
    const struct walk_model *model;
    void *core;
    struct code_share share; /* its part of the decoded code */

    struct walk_entry **by_id, **by_index;
    uint32_t n_ids, n_index;

    /* The last block, of which it is open how it ended; NULL at a start and behind an exception. */
    struct walk_entry *last;
    struct walk_block now;        /* what is told of it */
    struct walk_access *accesses; /* room for those of any block */
    size_t accesses_room;
    bool told;       /* executed was told: it was settled */
    bool cut;        /* an access is missing */
    unsigned cut_at; /* the first instruction known not to have executed, if cut */
    uint32_t ahead;  /* told instructions that are still to come, in blocks of their own */
    bool faulted;    /* of a user program: an exception cut the last block short */
    bool called;     /* the last block ended with a system call that was made */
    bool sigreturn;  /* it was a signal handler's return */
    bool system;     /* the stream is a system's: every exception is announced */

    /* What a system changed behind the last block, of which it is open what executed. */
    struct walk_changes changes;

    const struct walk_entry *hidden[HIDDEN_MAX];
    uint32_t n_hidden;

    /* Intervals; period 0 for none. */
    enum armpmu_signal clock;
    uint64_t retired, next_end, period, interval;
    armpmu_interval_fn on_interval;
    void *interval_user;
};

/* ---- walk_block.c ---- */

/* The block of an id met for the first time. */
enum armpmu_status walk_define(struct walk *walk, uint32_t id, struct walk_entry **out,
                               struct armpmu_error *err);
void walk_forget(struct walk *walk, struct walk_entry *entry);

/* The ITSTATE that the last block leaves, as far as it is known. */
static inline uint8_t walk_it(const struct walk *walk)
{
    return walk->last != NULL ? walk->last->it_after : 0;
}

/* ---- walk_access.c ---- */

/* The accesses of the last block; returns the word behind them. */
const uint64_t *walk_accesses(struct walk *walk, const uint64_t *word, const uint64_t *end);

/* ---- walk_leave.c ---- */

/* Whether an instruction of this effect may be refused instead of executed. */
bool walk_may_trap(enum insn_effect effect);

/* The last block, which there must be, executed its first n instructions. What was told before
 * stays told. */
void walk_tell(struct walk *walk, uint32_t n);

/* It ended so. */
void walk_leave(struct walk *walk, uint32_t n, enum walk_exit exit, uint64_t next);

/* It executed those, then an exception was taken. */
static inline void walk_stop(struct walk *walk, uint32_t n)
{
    walk_leave(walk, n, WALK_EXCEPTION, 0);
}

/* It executed whole before an exception that is announced; execution would have gone on at
 * `address`, 0 if that is not known. */
void walk_leave_whole(struct walk *walk, uint64_t address);

/* Settles how the last block ended, now that the next one is known. */
void walk_arrive(struct walk *walk, uint64_t next);

/* An access of the last block is missing: it executed at most its first n instructions. */
void walk_cut_short(struct walk *walk, unsigned n);

/* Something has ended: a block that was left, an exception. */
void walk_close_intervals(struct walk *walk);

static inline void walk_end_intervals(struct walk *walk)
{
    if (unlikely(walk->period != 0))
        walk_close_intervals(walk);
}

#endif

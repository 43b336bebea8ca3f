/* Declarations that the files of the reader share.
 *
 *   trace_reader_loop.inc     the fast path from block to block, which a core inlines
 *   trace_reader_records.c  the records that it does not know
 *   trace_reader_block.c    blocks, made once
 *   trace_reader_access.c   which of a block's accesses happened, where some are missing
 *   trace_reader_exit.c     how a block ended, and which callbacks of the core follow
 *   edges.c                 where branches led, for a profile of that
 *   trace_reader_path.c     in which call path the next one runs, for a profile */
#ifndef TRACE_TRACE_READER_INTERNAL_H
#define TRACE_TRACE_READER_INTERNAL_H

#include "base/compiler.h"
#include "isa/code.h"
#include "parts/line_filter.h"
#include "trace/call_paths.h"
#include "trace/edges.h"
#include "trace/access_log.h"
#include "trace/profile_rows.h"
#include "trace/trace_reader.h"

/* An instruction of a block that may access data, and how the engine says so. */
struct reader_access {
    uint16_t tag; /* bits 63..48 of its ACCESS or BURST record */
    uint16_t at;  /* which of the block's records that is, where all come each time */
    uint16_t bytes;
    uint16_t index;    /* of the instruction */
    bool multiple : 1; /* comes as BURST */
    bool optional : 1; /* may not happen although execution continues: condition, store-exclusive */
    bool partial : 1;  /* may cover fewer bytes: a predicate */
    bool scattered : 1;    /* of elements with addresses of their own */
    bool mark_follows : 1; /* the engine must mark the instruction after it */
    bool marked : 1;       /* the engine does: also where it is not sure of the condition */
    /* For core_ops.retire_hits and position_ops.hits: the access is known to hit if the bits of
     * hit_mask of its record equal hit_tag and its entry in the filter. NULL: it is not known. */
    uint8_t hit_shift; /* the logarithm of the bytes of the filter's lines */
    const struct line_filter *hits;
    uint64_t hit_mask, hit_tag;
};

/* Describes an access to a core with such a filter. address_mask: as of line_filter_matches. */
static inline void reader_hits_where(struct reader_access *access, const struct line_filter *filter,
                                     uint32_t address_mask, unsigned line_shift)
{
    access->hits = filter;
    access->hit_shift = (uint8_t)line_shift;
    access->hit_mask = UINT64_MAX << ARMPMU_RECORD_INDEX_LSB | address_mask;
    access->hit_tag = (uint64_t)access->tag << ARMPMU_RECORD_INDEX_LSB;
}

enum block_end { END_FALL_THROUGH, END_BRANCH, END_SYSCALL };

/* Where a block led when it ended regularly: the fast path goes there again. */
struct trace_position {
    /* [taken]: the BLOCK record that came next, and what it led to; 0 and NULL where it never did.
     */
    uint64_t next_record[2];
    struct trace_position *next[2];
    struct reader_entry *entry;
};

/* Its accesses follow it in memory, after what the core adds to it. */
struct reader_entry {
    enum block_records records;
    uint16_t n_accesses;
    bool may_hit; /* each access, which comes as one record, has a filter */
    uint32_t n_insns;
    size_t whole_bytes; /* of the records of its accesses and its exit, where it executes whole;
                           SIZE_MAX: the accesses do not all come each time */
    enum block_end end;
    uint8_t it_before, it_after;
    uint8_t it_open;  /* 0xff if its id may name a block with another it_before, too; else 0 */
    bool ran;         /* since blocks were forgotten last */
    bool forgettable; /* is about to be forgotten */
    bool conditional, indirect, returns_exception, calls; /* the branch at its end */
    const struct block *code;
    void *data;                     /* the core model's; itself for a core with positions */
    struct trace_position position; /* of a core that has no others */
    uint64_t start, fall_through;
    uint64_t target;               /* of a direct branch at its end */
    uint32_t path;                 /* call path, in a profile of call paths: else 0 */
    enum armpmu_mark mark;         /* what its start is to the profile's region */
    struct profile_block *profile; /* NULL without a profile */
    struct reader_entry *clone;    /* the same block in another call path */
    struct reader_entry *next_by_path;
};

/* ops: constant where the loop is inlined. */
static inline size_t reader_access_bytes(const struct core_ops *ops)
{
    return ops->access_bytes;
}

static inline struct reader_access *reader_access_at(const struct core_ops *ops,
                                                     const struct reader_entry *entry, uint32_t i)
{
    return (struct reader_access *)((uintptr_t)entry + ops->block_bytes +
                                    i * reader_access_bytes(ops));
}

/* A conditional branch whose direction a signal or an interrupt hid: it is known when the handler
 * returns. */
#define HIDDEN_MAX 16

/* How execution came from the last block to the next, as far as call paths go. */
enum reader_mode {
    MODE_ON,      /* no branch was taken */
    MODE_BRANCH,  /* the last instruction's */
    MODE_HANDLER, /* an exception or a signal came between */
    MODE_RESUMED, /* a handler returned */
    MODE_KERNEL, /* the kernel did something, and went on at resumes_at, or with a signal handler */
};

struct reader_change {
    uint64_t word, second;
};

struct reader_changes {
    struct reader_change *change;
    size_t n, room;
};

struct trace_reader {
    const struct core_ops *model;
    void *core;
    struct code_share share; /* its part of the decoded code */

    /* by_index: the first of its clones. by_id: any of them. */
    struct reader_entry **by_id, **by_index;
    size_t n_ids, n_index;
    /* For a profile: every entry, in lists by block and path; a power of two of them, or none. */
    struct reader_entry **by_path;
    size_t n_by_path, n_entries;

    /* The last block, whose end is not known yet; NULL at a start and after an exception. */
    struct reader_entry *last;
    struct trace_position *position; /* its */
    struct trace_position *from;     /* the same, or nowhere when more than its exit is open */
    struct trace_position nowhere;   /* leads to no block */
    int8_t repeatable; /* of its exit: 1 taken, 0 not, -1: the same record may mean another */
    struct retired_block now;        /* as the core sees it */
    struct retired_access *accesses; /* room for those of any block */
    size_t accesses_room;
    struct retired_predicate *predicates; /* the same */
    struct data_access_log *blocks; /* of memory, without accesses; NULL: they are not followed */
    size_t predicates_room;
    bool out_of_memory; /* no block follows */
    bool was_retired;   /* it has retired */
    bool cut;           /* an access is missing */
    unsigned cut_at;    /* the first instruction known not to have executed, if cut */
    uint32_t ahead;     /* retired instructions that are still to come, in blocks of their own */
    bool faulted;       /* of a user program: an exception cut the last block short */
    bool called;        /* the last block ended with a system call that was made */
    bool sigreturn;     /* it was a signal handler's return */
    bool system;        /* the trace is a system's: every exception is announced */
    uint64_t n_helper_calls; /* of a kernel's helper page, which no block has */
    struct trace_counted counted;

    /* The changes by a system after the last block, while it is not known how much of that
     * executed.
     */
    struct reader_changes changes;

    const struct reader_entry *hidden[HIDDEN_MAX];
    uint32_t n_hidden;

    /* For a profile. */
    struct profile_rows profile;
    struct call_paths paths;
    struct edges edges;
    bool has_calls;  /* which path a block runs in depends on calls ... */
    bool has_region; /* ... and on this */
    struct armpmu_region region;
    bool is_delayed; /* its delay is not over */
    enum reader_mode mode;
    uint64_t resumes_at; /* of MODE_HANDLER and MODE_KERNEL: 0 where that is not known */
    uint32_t path;       /* of the last block, once it was left */
    uint32_t context;    /* of the next block */
    bool has_clones;     /* a block may be in several paths */

    /* UINTPTR_MAX while there are intervals, or edges: the fast path does not pass over exits to
     * positions up to here. Else 0. */
    uintptr_t watched;

    /* Intervals; period 0 for none. */
    enum armpmu_signal clock;
    uint64_t retired, next_end, period, interval;
    armpmu_interval_fn on_interval;
    void *interval_user;
    uint64_t n_system_calls[TRACE_READER_CALLS]; /* by number */
};

/* Every block that is known, in every call path: for (struct reader_entry *entry ...). None may go
 * meanwhile. */
#define READER_EACH_ENTRY(entry, reader)                                                           \
    for (uint32_t entry##_i = 0; entry##_i < (reader)->n_index; entry##_i++)                       \
        for (struct reader_entry *entry = (reader)->by_index[entry##_i]; entry != NULL;            \
             entry = entry->clone)

/* ---- trace_reader_block.c ---- */

/* The block of an id met for the first time. */
enum armpmu_status reader_new_block(struct trace_reader *reader, uint32_t id,
                                    struct reader_entry **out, struct armpmu_error *err);
void reader_free_block(struct trace_reader *reader, struct reader_entry *entry);

/* Returns whether to forget blocks. */
static inline bool reader_is_full(const struct trace_reader *reader, const struct core_ops *ops)
{
    return code_is_full(&reader->share) || ops->positions->is_full(reader->core);
}

/* Forgets blocks that did not run for long. */
void reader_make_room(struct trace_reader *reader);

/* Forgets where blocks led. */
void reader_forget_exits(struct trace_reader *reader);

/* The ITSTATE that the last block leaves, as far as it is known. */
static inline uint8_t reader_it_state(const struct trace_reader *reader)
{
    return reader->last != NULL ? reader->last->it_after : 0;
}

/* The block in a call path, which is new where that is; NULL without memory. */
struct reader_entry *reader_clone(struct trace_reader *reader, const struct reader_entry *entry,
                                  uint32_t path);

/* ---- trace_reader_path.c ---- */

/* The path in which the next block runs, any of its clones. last: the block before it, NULL after
 * an exception, of which reader->mode tells the rest. *repeatable is cleared where that may be
 * another path next time. */
uint32_t reader_next_path(struct trace_reader *reader, const struct reader_entry *last,
                          const struct reader_entry *next, bool *repeatable);

/* The last block was left by its branch, to an address where nothing executed before an exception.
 */
void reader_branched(struct trace_reader *reader, const struct reader_entry *last, uint64_t to);

/* ARMPMU_SYSTEM_ALLOCATION. */
void reader_allocates(struct trace_reader *reader, uint64_t word);

/* ARMPMU_SYSTEM_CONTEXT. */
void reader_set_context(struct trace_reader *reader, uint32_t context);

static inline void reader_goes(struct trace_reader *reader, enum reader_mode mode,
                               uint64_t resumes_at)
{
    reader->mode = mode;
    reader->resumes_at = resumes_at;
}

/* ---- trace_reader_records.c ---- */

/* Records up to the next block, and that one's BLOCK record, by which no exit was left before.
 * *next: the block's position, NULL if the records end before. *word moves after them. */
enum armpmu_status reader_slow_records(struct trace_reader *reader, const uint64_t **word,
                                       const uint64_t *end, struct trace_position **next,
                                       struct armpmu_error *err);

/* ---- trace_reader_access.c ---- */

/* Accesses of the last block, from number `next` on, of which some may be missing. Returns the
 * record after them. */
const uint64_t *reader_slow_accesses(struct trace_reader *reader, uint32_t next,
                                     const uint64_t *word, const uint64_t *end);

/* ---- trace_reader_exit.c ---- */

/* Returns whether an instruction of this effect may be refused instead of executed. */
bool reader_may_trap(enum insn_effect effect);

/* The last block, which there must be, executed its first n instructions. What has retired stays
 * retired. */
void reader_retire(struct trace_reader *reader, uint32_t n);

/* Tells the core how the last block ended (core_ops.block_exit), and notes the edge. */
void reader_exit_by_edge(struct trace_reader *reader, const struct reader_entry *entry,
                         enum block_exit exit, uint64_t next);

/* It ended so. */
void reader_leave(struct trace_reader *reader, uint32_t n, enum block_exit exit, uint64_t next);

/* It executed those, then an exception was taken. */
static inline void reader_stop(struct trace_reader *reader, uint32_t n)
{
    reader_leave(reader, n, EXIT_EXCEPTION, 0);
}

/* It executed whole before an exception that is announced; execution would have gone on at
 * `address`, 0 if that is not known. */
void reader_leave_whole(struct trace_reader *reader, uint64_t address);

/* 1 if a block that leads to `next` took the branch at its end, 0 if not; -1 if its last
 * instruction explains neither. */
static inline int reader_regular_exit(const struct reader_entry *entry, uint64_t next)
{
    if (entry->end != END_BRANCH)
        return entry->end == END_FALL_THROUGH && next == entry->fall_through ? 0 : -1;
    if (entry->indirect)
        return !entry->conditional || next != entry->fall_through;
    if (next == entry->fall_through && entry->conditional)
        return 0;
    return next == entry->target ? 1 : -1;
}

/* Decides how the last block ended, now that the next one is known. */
void reader_arrive(struct trace_reader *reader, uint64_t next);

/* In a user program: a signal for a fault came, and the program would have gone on at `address`. */
void reader_fault(struct trace_reader *reader, uint64_t address);

/* No instruction could be fetched after the last block, which ended the program: it is not known
 * where. */
void reader_fetch_fault(struct trace_reader *reader);

/* An access of the last block is missing: it executed at most its first n instructions. */
void reader_cut_short(struct trace_reader *reader, unsigned n);

/* A program's exception, whose kind no record says. */
void reader_take_exception(const struct trace_reader *reader, enum armpmu_exception kind);

/* The fast path only moves `from`: what else is known of the last block follows. */
static inline void reader_catch_up(struct trace_reader *reader)
{
    struct reader_entry *entry = reader->from->entry;
    if (entry == NULL) /* nowhere */
        return;
    reader->position = reader->from;
    reader->last = entry;
    reader->was_retired = false;
    reader->now.block = entry->code;
    reader->now.data = entry->data;
    reader->now.profile = entry->profile;
}

/* Packs the rows of a profile if they are many. Pointers to rows that the core does not hold are
 * void afterwards. */
static inline void reader_limit_rows(struct trace_reader *reader)
{
    if (unlikely(profile_rows_are_many(&reader->profile)) && reader->model->pack_rows != NULL)
        reader->model->pack_rows(reader->core);
}

/* profile_rows_open where a core adds what many blocks hold, one after the other. */
static inline bool reader_open_rows(struct trace_reader *reader, struct profile_block *block)
{
    reader_limit_rows(reader);
    return profile_rows_open(&reader->profile, block);
}

/* The last block was left, and there is no memory to enter the next one. */
static inline void reader_out_of_memory(struct trace_reader *reader)
{
    reader->from = &reader->nowhere;
    reader->last = NULL;
    reader->out_of_memory = true;
}

/* Something has ended: a block that was left, an exception. reader->retired counts as long as there
 * are intervals. */
void reader_close_intervals(struct trace_reader *reader);

static inline void reader_end_intervals(struct trace_reader *reader)
{
    if (unlikely(reader->period != 0))
        reader_close_intervals(reader);
}

/* A block was left, with its branch. */
static inline void reader_end_intervals_after(struct trace_reader *reader)
{
    if (reader->model->positions->retires_late)
        reader_end_intervals(reader);
}

#endif

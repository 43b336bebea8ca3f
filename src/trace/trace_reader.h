/* The reader of the execution trace, for all core models.
 *
 * It turns the records of armpmu/trace.h into blocks that executed: which of their instructions,
 * with which data accesses, and where execution went from there.
 *
 * The core hears of a block twice: core_ops.retire_block when its accesses are known,
 * core_ops.block_exit when it is known where it led. The two follow each other, once for each
 * block, in program order, when the next record shows how the block ended; trace_reader_sync
 * retires before that what is known already. Blocks of no instructions are left out.
 *
 * A core that remembers what a block does in each state of its pipeline has a position for each
 * (struct position_ops): the reader then goes from one to the next, and hands accesses over as
 * their records come.
 *
 * Assumes, of interrupted blocks, handlers that return and branches that an exception
 * hides: the rows silent-cut, engine-restart, engine-call and
 * hidden-branch of docs/choices.md. For a user program a system call, and a fault that the program
 * handles, is an exception taken and an exception return.
 * Models nothing: it only reads. */
#ifndef TRACE_TRACE_READER_H
#define TRACE_TRACE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/profile.h"
#include "armpmu/sim.h"
#include "isa/code.h"
#include "isa/insn.h"

/* A data access that happened: one for each instruction that made any, all its registers together
 * (struct insn_memory says how many bytes, whether it read, wrote or both). */
struct retired_access {
    uint64_t address; /* the lowest */
    uint16_t index;   /* of the instruction in its block */
    bool device;      /* to Device or Strongly-ordered memory */
};

enum block_exit {
    EXIT_SEQUENTIAL, /* on to the next instruction in memory; a branch at the end was not taken */
    EXIT_BRANCH,     /* the branch at its end was taken */
    EXIT_EXCEPTION,  /* an exception was taken after the executed instructions */
    EXIT_HIDDEN,     /* an exception was taken after a branch whose direction does not show (yet) */
    EXIT_END,        /* the trace ended, or the engine lost the thread */
};

/* The state of an instruction of SVE: enum armpmu_predicate. */
struct retired_predicate {
    uint16_t index;
    uint8_t state;
};

struct profile_block;

/* A block that executed. Valid during the call. */
struct retired_block {
    const struct block *block;
    void *data;          /* what core_ops.new_block made of the block */
    uint32_t n_executed; /* how many of its first instructions: block->n_insns unless it was
                            interrupted */
    const struct retired_access
        *accesses; /* n_accesses of them, of rising index below n_executed */
    uint32_t n_accesses;
    struct profile_block *profile; /* where to attribute; NULL: nowhere */
    /* For a block that has instructions of SVE with predicates; else they do not matter. */
    const struct retired_predicate *predicates;
    uint32_t n_predicates;
};

/* The access of an instruction, NULL if it made none. */
static inline const struct retired_access *retired_access_of(const struct retired_block *executed,
                                                             unsigned insn)
{
    for (uint32_t i = 0; i < executed->n_accesses; i++)
        if (executed->accesses[i].index == insn)
            return &executed->accesses[i];
    return NULL;
}

struct reader_access;
struct reader_entry;
struct trace_position;

/* How many records a block's accesses come as, each time it runs. */
enum block_records {
    RECORDS_NONE,
    RECORDS_SINGLE,    /* one ACCESS each, every time */
    RECORDS_FIXED,     /* some as BURST, but every time */
    RECORDS_MIXED,     /* some left out, some marked */
    RECORDS_IRREGULAR, /* some as two of the same instruction (SWP, store-exclusive) */
};

/* A position is a block in a state of the core's pipeline, and where its exits led. A core that
 * remembers what each block does in each state has a position for each of them, and hears of
 * accesses as their records come, before it is known how the block ended. Any other core has one
 * position for each block, block_positions. trace_reader_internal.h has the types. */
struct position_ops {
    /* The core hears of a block and its accesses when the block retires: core_ops.new_block,
     * retire_block and block_exit in place of describe, access, follow and leave. */
    bool retires_late;

    /* An indirect branch that is always taken has the other exit for where it led before: `follow`
     * is called so. */
    bool keeps_two;

    /* In place of new_block: describes a block, whose reader_entry is complete; false without
     * memory. free_block frees what that took, and gets the block. */
    bool (*describe)(void *core, struct reader_entry *entry);

    /* The position in which a block is entered; NULL without memory. *repeatable is cleared where
     * the exit that led there, taken again, may lead to another. */
    struct trace_position *(*enter)(void *core, struct reader_entry *entry, bool *repeatable);

    /* The block of a position starts. */
    void (*start)(void *core, struct trace_position *position);

    /* Returns whether a record is that of an access, where all come each time, and a hit about
     * which the core need not hear more; NULL: it does not know. */
    bool (*hits)(struct reader_access *access, uint64_t record);

    /* An instruction of it accessed memory; record: what the trace says of it. What it returns is
     * added up, and passed on after the block's accesses. */
    uint32_t (*access)(void *core, const struct trace_position *position,
                       const struct reader_access *access, uint64_t record,
                       enum block_records records);

    void (*accessed)(void *core, uint32_t sum);

    /* Instructions from `first` on below `index` have executed, or an exception was taken at
     * `index`; records: of the block. */
    void (*reached)(void *core, const struct reader_entry *entry, unsigned first, unsigned index,
                    const uint64_t *records, const uint64_t *end);

    /* The access of instruction n is missing; the next record shows how far the block executed. */
    void (*cut_short)(void *core, const struct reader_entry *entry, unsigned n);

    /* retire_block and block_exit in one, for an exit that was taken before, to `next`: returns the
     * position that it leads to this time, of the same block, NULL without memory. */
    struct trace_position *(*follow)(void *core, struct trace_position *from, bool taken,
                                     struct trace_position *next);

    /* retire_block, block_exit and enter in one, for an exit that another block may follow. */
    struct trace_position *(*leave)(void *core, struct trace_position *from, bool taken,
                                    struct reader_entry *entry, bool *repeatable);

    /* At which cycle the last block, in `position`, ends; UINT64_MAX if that is not known before.
     */
    uint64_t (*end_of_block)(const void *core, const struct trace_position *position);

    /* Forgets where a block's positions lead. */
    void (*forget_exits)(void *core, struct reader_entry *entry);

    /* Besides memory, so much is remembered that all blocks should be forgotten; blocks are about
     * to be, and were. */
    bool (*is_full)(const void *core);
    void (*before_forgetting)(void *core);
    void (*after_forgetting)(void *core);
};

/* A core model as the reader sees it. core: what trace_reader_new was given. NULL may be what the
 * core has no use for: retire_whole, late_branch, all from map_page to system. */
struct core_ops {
    unsigned isas;      /* that the core executes: CODE_ISA bits */
    unsigned n_signals; /* it counts none from this one on */

    /* A block is new, or new again after free_block, which must make no difference. Returns what
     * the core model remembers of it, in one piece of memory, which comes back as
     * retired_block.data and in free_block; NULL without memory. Of what it allocates for the block
     * later the core tells the reader: reader_hold, and reader_drop in free_block. */
    void *(*new_block)(void *core, const struct block *block);
    void (*free_block)(void *core, void *data);

    void (*retire_block)(void *core, const struct retired_block *block);

    /* How the block that retired last ended. next: EXIT_BRANCH and EXIT_SEQUENTIAL: the
     * address execution went on at; 0 of a branch to where nothing can be fetched. */
    void (*block_exit)(void *core, const struct retired_block *block, enum block_exit exit,
                       uint64_t next);

    /* Both in one, where nothing is special: the block of a position executed whole, made all its
     * accesses, of which none is to Device memory, and leads to position->next[taken]. records: of
     * its accesses. The reader calls it instead of the two wherever it can. */
    void (*retire_whole)(void *core, const struct trace_position *position, const uint64_t *records,
                         bool taken);

    /* The same of a block without accesses, or whose accesses are all known to hit and so change
     * nothing; NULL: the core does not know such hits. */
    void (*retire_hits)(void *core, const struct trace_position *position, const uint64_t *records,
                        bool taken);

    /* Sets how to know a hit of an access of a new block (struct reader_access, hits). */
    void (*describe_access)(const void *core, const struct block *block,
                            struct reader_access *access);

    /* The direction of a branch that exited as EXIT_HIDDEN is known now: the handler returned. For
     * an unconditional branch the call comes at once. */
    void (*late_branch)(void *core, const struct retired_block *block, bool taken);

    /* An exception is taken (after block_exit; a signal that comes between two instructions of a
     * user program is none); an exception returned that no instruction shows, since the handler is
     * not in the trace (of a user program). */
    /* For a program's exception, which follows. NULL: it makes no difference. */
    void (*exception_kind)(void *core, enum armpmu_exception kind);
    void (*exception)(void *core);
    void (*exception_return)(void *core);

    /* In the trace of a system, after the last block: pages of 4 KiB. map_page returns ARMPMU_OK or
     * ARMPMU_NO_MEMORY. */
    enum armpmu_status (*map_page)(void *core, uint64_t virtual_page, uint64_t physical_page);
    enum armpmu_status (*set_uncached)(void *core, uint64_t virtual_page, bool uncached);
    void (*flush_tlbs)(void *core);
    void (*flush_page)(void *core, uint64_t virtual_page);
    void (*set_mmu)(void *core, bool on);

    /* An instruction did something to the core; a model may ignore what it does not know. bits
     * and operand: as in the trace's SYSTEM record. */
    void (*system)(void *core, enum armpmu_system about, unsigned bits, uint64_t operand);

    /* Packs the rows of a profile (trace/profile_rows.h), all but those that it has pointers into;
     * NULL: they stay as they are. */
    void (*pack_rows)(void *core);

    /* Cycles so far, for intervals. */
    uint64_t (*cycles)(const void *core);

    /* Its blocks begin with a struct reader_entry, its accesses with a struct reader_access. */
    size_t block_bytes, access_bytes;
    const struct position_ops *positions;
};

/* For a core with one position for each block, whose core_ops has ONE_POSITION_A_BLOCK. */
extern const struct position_ops block_positions;
#define ONE_POSITION_A_BLOCK                                                                       \
    .block_bytes = sizeof(struct reader_entry), .access_bytes = sizeof(struct reader_access),      \
    .positions = &block_positions

#define TRACE_READER_CALLS 512u /* numbers of system calls that are told apart */

struct trace_reader;

/* model, core and code are borrowed. Returns ARMPMU_OK or ARMPMU_NO_MEMORY with *out NULL. */
ARMPMU_MUST_USE enum armpmu_status trace_reader_new(const struct core_ops *model, void *core,
                                                    struct armpmu_code *code,
                                                    struct trace_reader **out,
                                                    struct armpmu_error *err);
void trace_reader_free(struct trace_reader *reader); /* NULL is fine */

/* Memory that the core allocated for a block, or is about to free. */
void reader_hold(struct trace_reader *reader, const void *memory);
void reader_drop(struct trace_reader *reader, const void *memory);

/* As armpmu_sim_run (a core's own is trace_reader_loop, compiled with its callbacks),
 * armpmu_sim_rename, armpmu_sim_finish, armpmu_sim_set_interval. An interval
 * ends when the block is left that completes it, after its branch, or before that for a core with
 * positions. */
ARMPMU_MUST_USE enum armpmu_status trace_reader_run(struct trace_reader *reader,
                                                    const uint64_t *records, size_t n_records,
                                                    struct armpmu_error *err);
void reader_rename(struct trace_reader *reader);
void trace_reader_finish(struct trace_reader *reader, enum armpmu_end end);
void trace_reader_set_interval(struct trace_reader *reader, enum armpmu_signal signal,
                               uint64_t period, armpmu_interval_fn call, void *user);

/* A profile: as armpmu_sim_set_profile, of what the reader knows, and the others of
 * armpmu/profile.h. */
ARMPMU_MUST_USE enum armpmu_status trace_reader_set_profile(struct trace_reader *reader,
                                                            enum armpmu_profile_detail detail,
                                                            struct armpmu_error *err);
void trace_reader_set_region(struct trace_reader *reader, const struct armpmu_region *region);
/* Returns ARMPMU_NO_MEMORY once a part of the profile was lost. */
ARMPMU_MUST_USE enum armpmu_status trace_reader_check_profile(const struct trace_reader *reader,
                                                              struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status trace_reader_profile(const struct trace_reader *reader,
                                                        armpmu_profile_fn call, void *user,
                                                        struct armpmu_error *err);
/* As armpmu_sim_keep_accesses of any core, and armpmu_sim_accesses. */
ARMPMU_MUST_USE enum armpmu_status trace_reader_keep_accesses(struct trace_reader *reader,
                                                              struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status trace_reader_accesses(const struct trace_reader *reader,
                                                         const struct armpmu_data_access **accesses,
                                                         size_t *n, struct armpmu_error *err);
/* NULL where accesses are not kept. */
/* From here on knows blocks of memory as armpmu_sim_allocations does, without a profile. Returns
 * ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status trace_reader_follow_blocks(struct trace_reader *reader,
                                                              struct armpmu_error *err);

/* Then: returns whether an address is in a block; *call: where the call returns to that got it. */
bool trace_reader_block_from(const struct trace_reader *reader, uint64_t address, uint64_t *call);

struct data_access_log;
const struct data_access_log *trace_reader_access_log(const struct trace_reader *reader);
/* Repeated reads take time only for what happened since the last: all rows are packed. */
void trace_reader_pack(struct trace_reader *reader);
const struct armpmu_profile_path *trace_reader_paths(struct trace_reader *reader, size_t *n_paths);
const struct armpmu_profile_edge *trace_reader_edges(const struct trace_reader *reader,
                                                     size_t *n_edges);

/* The counts of the engine that no block has, by ARMPMU_SYSTEM_COUNTED. The core does not know
 * it. */
struct trace_counted {
    uint64_t insns, branches;
};

const struct trace_counted *trace_reader_counted(const struct trace_reader *reader);

/* As armpmu_sim_helper_calls. */
uint64_t trace_reader_helper_calls(const struct trace_reader *reader);
/* As armpmu_sim_system_calls. */
uint64_t trace_reader_system_calls(const struct trace_reader *reader, uint32_t number);

/* Retires the last block to its end, if it has not retired: before tallies are read between two
 * calls of trace_reader_run. Its exit follows with the next record. Nothing retires twice: if
 * the engine restarts a block that has retired, the rest is skipped. A block of a system that is
 * known to have been interrupted does not retire before the next record. */
void trace_reader_sync(struct trace_reader *reader);

#endif

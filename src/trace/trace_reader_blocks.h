/* The fast path of a core without positions: it is told of a block and its accesses when the block
 * retires, then of its exit; or of both at once (core_ops.retire_whole). */
#ifndef TRACE_TRACE_READER_BLOCKS_H
#define TRACE_TRACE_READER_BLOCKS_H

#include "trace/trace_reader_next.h"

/* An access waits until its block retires. */
static ALWAYS_INLINE uint32_t reader_take_access(struct trace_reader *reader,
                                                 const struct core_ops *ops, void *core,
                                                 const struct trace_position *position,
                                                 const struct reader_access *access, uint64_t word,
                                                 enum block_records records)
{
    (void)ops, (void)core, (void)position, (void)records;
    reader_add_access(reader, access, word);
    return 0;
}

static ALWAYS_INLINE void reader_took_accesses(const struct core_ops *ops, void *core, uint32_t sum)
{
    (void)ops, (void)core, (void)sum;
}

/* The last block retires, and leaves by an exit taken before to `next`. */
static ALWAYS_INLINE void reader_leave_again(struct trace_reader *reader,
                                             const struct core_ops *ops,
                                             const struct trace_position *from, bool taken,
                                             const struct trace_position *next)
{
    const uint32_t n = from->entry->n_insns;
    reader->from = &reader->nowhere;
    reader->was_retired = true;
    reader->now.n_executed = n;
    ops->retire_block(reader->core, &reader->now);
    const enum block_exit exit = taken ? EXIT_BRANCH : EXIT_SEQUENTIAL;
    if (unlikely(reader->edges.are_kept))
        reader_exit_by_edge(reader, from->entry, exit, next->entry->start);
    else
        ops->block_exit(reader->core, &reader->now, exit, next->entry->start);
    if (unlikely(reader->period != 0)) {
        reader->retired += n;
        reader_close_intervals(reader);
    }
}

/* Leaves the last block by an exit taken before, if the record names one; returns where that leads,
 * else NULL. */
static ALWAYS_INLINE struct trace_position *reader_follow(struct trace_reader *reader,
                                                          const struct core_ops *ops, void *core,
                                                          struct trace_position *from,
                                                          uint64_t word)
{
    (void)core;
    const bool taken = word == from->next_record[1];
    if (!taken && unlikely(word != from->next_record[0]))
        return NULL;
    struct trace_position *next = from->next[taken];
    if (likely(next != NULL)) /* else no exit was taken yet, and the record is 0: malformed */
        reader_leave_again(reader, ops, from, taken, next);
    return next;
}

/* Leaves it to a known block that this exit did not lead to before. */
static ALWAYS_INLINE struct trace_position *reader_leave_to(struct trace_reader *reader,
                                                            const struct core_ops *ops, void *core,
                                                            struct trace_position *from, bool taken,
                                                            struct reader_entry *entry,
                                                            bool *repeatable)
{
    (void)core, (void)repeatable;
    reader_leave_again(reader, ops, from, taken, &entry->position);
    return &entry->position;
}

static ALWAYS_INLINE void reader_enter(struct trace_reader *reader, struct trace_position *position)
{
    reader->from = position;
    reader_catch_up(reader);
    reader->now.n_accesses = 0;
}

/* ---- several blocks, of a core with retire_whole ---- */

/* Compares the records of a block that may hit with those of known hits. Returns the bits in which
 * any of them differs: 0 if all accesses are known to hit; some of 63..48 if a record is of another
 * access. It has no branch for each record, because the host could not predict it. */
static ALWAYS_INLINE uint64_t reader_misses(const struct core_ops *ops,
                                            const struct reader_entry *entry,
                                            const uint64_t *records)
{
    const struct reader_access *access = reader_access_at(ops, entry, 0);
    const uint64_t *const end = records + entry->n_accesses;
    uint64_t differs = 0;
    do {
        differs |= reader_differs(access, *records, access->hit_shift);
        access++;
    } while (++records != end);
    return differs;
}

/* Returns whether the records are those of all accesses of a block that makes them each time. */
static ALWAYS_INLINE bool reader_all_came(const struct core_ops *ops,
                                          const struct reader_entry *entry, const uint64_t *records)
{
    const struct reader_access *access = reader_access_at(ops, entry, 0);
    uint64_t wrong = 0;
    if (entry->whole_bytes == 2 * sizeof *records)
        return *records >> ARMPMU_RECORD_INDEX_LSB == access->tag;
    if (entry->records == RECORDS_SINGLE) {
        for (uint32_t i = 0; i < entry->n_accesses; i++)
            wrong |= records[i] >> ARMPMU_RECORD_INDEX_LSB ^ access[i].tag;
        return wrong == 0;
    }
    for (uint32_t i = 0; i < entry->n_accesses; i++, access++) {
        const uint64_t *word = records + access->at;
        wrong |= *word >> ARMPMU_RECORD_INDEX_LSB ^ access->tag;
        wrong |= access->multiple ? word[1] ^ access->bytes : 0;
    }
    return wrong == 0;
}

/* The same; *hit: whether they are also known to hit. */
static ALWAYS_INLINE bool reader_all_are_there(const struct core_ops *ops,
                                               const struct reader_entry *entry,
                                               const uint64_t *records, bool *hit)
{
    *hit = entry->n_accesses == 0;
    if (*hit)
        return true;
    if (ops->retire_hits == NULL || !entry->may_hit)
        return reader_all_came(ops, entry, records);
    const uint64_t differs = reader_misses(ops, entry, records);
    *hit = differs == 0;
    return differs >> ARMPMU_RECORD_INDEX_LSB == 0;
}

/* By which exit a block that executed whole was left, known from before or from now on; -1 for
 * another. A long, since it is an index: an int would take one more instruction. */
static ALWAYS_INLINE long reader_exit_of(struct trace_reader *reader, struct trace_position *from,
                                         uint64_t word)
{
    const long again = word == from->next_record[1];
    int taken;
    if (likely(word == from->next_record[again] && word != 0)) /* 0: no exit, a malformed record */
        return again;
    struct reader_entry *entry = reader_new_exit(reader, from->entry, word, &taken);
    if (unlikely(entry == NULL))
        return -1;
    entry->ran = true;
    from->next_record[taken] = word;
    from->next[taken] = &entry->position;
    return taken != 0; /* it is 0 or 1, which the compiler now knows */
}

/* Retires blocks as long as each executed whole and led to one that is known. Their accesses stay
 * where they are in the trace. *position: the first, afterwards the last that was entered. Returns
 * the record after the one that entered it. */
static ALWAYS_INLINE const uint64_t *reader_whole_blocks(struct trace_reader *reader,
                                                         const struct core_ops *ops, void *core,
                                                         struct trace_position **position,
                                                         const uint64_t *word, const uint64_t *end)
{
    struct trace_position *from = *position;
    reader->from = &reader->nowhere; /* as for a block that has retired, if tallies are read */
    reader->was_retired = true;
    for (;;) {
        const struct reader_entry *entry = from->entry;
        bool hit;
        if (unlikely((uintptr_t)end - (uintptr_t)word < entry->whole_bytes))
            break;
        if (unlikely(!reader_all_are_there(ops, entry, word, &hit)))
            break;
        const uint64_t *const after = (const uint64_t *)((uintptr_t)word + entry->whole_bytes);
        long taken;
        /* The exit is looked up in both branches: after it, the compiler would test `hit` again. */
        if (ops->retire_hits != NULL && hit) {
            taken = reader_exit_of(reader, from, after[-1]);
            if (unlikely(taken < 0))
                break;
            ops->retire_hits(core, from, word, taken);
        } else {
            taken = reader_exit_of(reader, from, after[-1]);
            if (unlikely(taken < 0))
                break;
            ops->retire_whole(core, from, word, taken);
        }
        from = from->next[taken];
        word = after;
    }
    *position = from;
    reader_enter(reader, from);
    return word;
}

/* A block of retire_whole as retire_block and block_exit are told. */
static inline const struct retired_block *reader_whole_block(struct trace_reader *reader,
                                                             const struct core_ops *ops,
                                                             const struct trace_position *position,
                                                             const uint64_t *records)
{
    const struct reader_entry *entry = position->entry;
    reader->now.block = entry->code;
    reader->now.data = entry->data;
    reader->now.profile = entry->profile;
    reader->now.n_executed = entry->n_insns;
    reader->now.n_accesses = 0;
    for (uint32_t i = 0; i < entry->n_accesses; i++) {
        const struct reader_access *access = reader_access_at(ops, entry, i);
        reader_add_access(reader, access, records[access->at]);
    }
    return &reader->now;
}

/* Called when a block was entered. */
static ALWAYS_INLINE const uint64_t *reader_start(struct trace_reader *reader,
                                                  const struct core_ops *ops, void *core,
                                                  struct trace_position **position,
                                                  const uint64_t *word, const uint64_t *end)
{
    if (ops->retire_whole != NULL && likely(reader->watched == 0 && reader->from == *position))
        return reader_whole_blocks(reader, ops, core, position, word, end);
    return word;
}

#include "trace/trace_reader_loop.inc"

#endif

/* The fast path of a core with positions (struct position_ops): accesses reach it as they come, and
 * it says to which position an exit leads. */
#ifndef TRACE_TRACE_READER_POSITIONS_H
#define TRACE_TRACE_READER_POSITIONS_H

#include "trace/trace_reader_next.h"

static ALWAYS_INLINE uint32_t reader_take_access(struct trace_reader *reader,
                                                 const struct core_ops *ops, void *core,
                                                 const struct trace_position *position,
                                                 const struct reader_access *access, uint64_t word,
                                                 enum block_records records)
{
    (void)reader;
    return ops->positions->access(core, position, access, word, records);
}

static ALWAYS_INLINE void reader_took_accesses(const struct core_ops *ops, void *core, uint32_t sum)
{
    if (sum != 0)
        ops->positions->accessed(core, sum);
}

/* Returns whether an interval may end with the last block: if so, the slow path closes it. And that
 * notes edges. */
static inline bool reader_interval_may_end(struct trace_reader *reader, const struct core_ops *ops,
                                           const struct trace_position *from)
{
    if (reader->edges.are_kept)
        return true;
    if (reader->clock != ARMPMU_SIGNAL_INST_RETIRED)
        return ops->positions->end_of_block(reader->core, from) >= reader->next_end;
    if (reader->retired + from->entry->n_insns >= reader->next_end)
        return true;
    reader->retired += from->entry->n_insns;
    return false;
}

static ALWAYS_INLINE struct trace_position *
reader_follow_exit(struct trace_reader *reader, const struct core_ops *ops, void *core,
                   struct trace_position *from, bool taken)
{
    struct trace_position *const next = from->next[taken];
    /* NULL: no exit was taken yet, and the record is 0: malformed. */
    if (unlikely((uintptr_t)next <= reader->watched) &&
        (next == NULL || reader_interval_may_end(reader, ops, from)))
        return NULL;
    if (next == NULL)
        __builtin_unreachable(); /* as the comparison says, which the compiler does not see */
    return ops->positions->follow(core, from, taken, next);
}

/* Leaves the last block by an exit taken before, if the record names one; returns where that leads,
 * else NULL.
 *
 * A branch, not an index, chooses between the exits: the host predicts it, and the next position
 * does not wait for the record. */
static ALWAYS_INLINE struct trace_position *reader_follow(struct trace_reader *reader,
                                                          const struct core_ops *ops, void *core,
                                                          struct trace_position *from,
                                                          uint64_t word)
{
    if (word == from->next_record[1])
        return reader_follow_exit(reader, ops, core, from, true);
    if (likely(word == from->next_record[0]))
        return reader_follow_exit(reader, ops, core, from, false);
    return NULL;
}

/* Leaves it to a known block that this exit did not lead to before. */
static ALWAYS_INLINE struct trace_position *reader_leave_to(struct trace_reader *reader,
                                                            const struct core_ops *ops, void *core,
                                                            struct trace_position *from, bool taken,
                                                            struct reader_entry *entry,
                                                            bool *repeatable)
{
    if (unlikely(reader_is_full(reader, ops)))
        return NULL;
    return ops->positions->leave(core, from, taken, entry, repeatable);
}

static ALWAYS_INLINE void reader_enter(struct trace_reader *reader, struct trace_position *position)
{
    reader->from = position;
}

/* Called when a block was entered. */
static ALWAYS_INLINE const uint64_t *reader_start(struct trace_reader *reader,
                                                  const struct core_ops *ops, void *core,
                                                  struct trace_position **position,
                                                  const uint64_t *word, const uint64_t *end)
{
    (void)reader, (void)end;
    ops->positions->start(core, *position);
    return word;
}

#include "trace/trace_reader_loop.inc"

#endif

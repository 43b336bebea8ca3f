/* The next record of the trace, as far as the last block predicts it. */
#ifndef TRACE_TRACE_READER_NEXT_H
#define TRACE_TRACE_READER_NEXT_H

#include "trace/inside_block.h"
#include "trace/trace_reader_internal.h"

static inline void reader_add_access(struct trace_reader *reader,
                                     const struct reader_access *access, uint64_t word)
{
    struct retired_access *to = &reader->accesses[reader->now.n_accesses++];
    to->address = armpmu_record_address(word);
    to->index = access->index;
    to->device = armpmu_record_kind(word) == ARMPMU_RECORD_DEVICE;
}

static inline struct reader_access *reader_next_access(const struct core_ops *ops,
                                                       const struct reader_access *access)
{
    return (struct reader_access *)((uintptr_t)access + reader_access_bytes(ops));
}

/* Returns the bits in which a record of an access differs from that of a known hit. */
static inline uint64_t reader_differs(const struct reader_access *access, uint64_t record,
                                      unsigned line_shift)
{
    const uint32_t known = line_filter_entry(access->hits, (uint32_t)record, line_shift);
    return (record & access->hit_mask) ^ access->hit_tag ^ known;
}

/* Returns whether the next record is about the inside of the last block. */
static inline bool reader_is_inside(const uint64_t *word, const uint64_t *end)
{
    return word < end && record_is_inside_block(*word);
}

static inline bool reader_is_marked(const struct reader_access *access, const uint64_t *word,
                                    const uint64_t *end)
{
    return word < end && (*word & ~(uint64_t)ARMPMU_PREDICATE_BITS) ==
                             armpmu_record(ARMPMU_RECORD_PROGRESS, access->index + 1u);
}

/* Returns whether the records start with an access, whole. */
static inline bool reader_comes_next(const struct reader_access *access, const uint64_t *word,
                                     const uint64_t *end)
{
    if (word == end || *word >> ARMPMU_RECORD_INDEX_LSB != access->tag)
        return false;
    return !access->multiple || (end - word >= 2 && word[1] == access->bytes);
}

/* reader_slow_accesses; *from: what the next record leaves. */
static inline const uint64_t *reader_odd_accesses(struct trace_reader *reader, uint32_t next,
                                                  const uint64_t *word, const uint64_t *end,
                                                  struct trace_position **from)
{
    word = reader_slow_accesses(reader, next, word, end);
    *from = reader->from;
    return word;
}

/* The known block that a record names, and by which exit a block leads there, if it is a regular
 * one and there is nothing else to it; NULL else. */
static ALWAYS_INLINE struct reader_entry *reader_new_exit(const struct trace_reader *reader,
                                                          const struct reader_entry *last,
                                                          uint64_t word, int *taken)
{
    const uint32_t id = (uint32_t)word;
    if (unlikely(last == NULL || armpmu_record_kind(word) != ARMPMU_RECORD_BLOCK ||
                 id >= reader->n_ids || last->returns_exception || last->n_insns == 0 ||
                 reader->watched != 0 || reader->has_clones))
        return NULL;
    struct reader_entry *entry = reader->by_id[id];
    if (unlikely(entry == NULL || ((entry->it_before ^ last->it_after) & entry->it_open) != 0))
        return NULL;
    *taken = reader_regular_exit(last, entry->start);
    return likely(*taken >= 0) ? entry : NULL;
}

#endif

/* The fast path of the reader: from one block to the next by an exit that was taken before, and
 * through the accesses that each block makes. A core's file inlines it with its own callbacks,
 * which so become direct calls; everything rare is out of line.
 *
 * trace_reader_run is the same for any core. */
#ifndef TRACE_TRACE_READER_LOOP_H
#define TRACE_TRACE_READER_LOOP_H

#include "trace/inside_block.h"
#include "trace/trace_reader_internal.h"

/* ---- accesses ---- */

static inline void reader_add_access(struct trace_reader *reader,
                                     const struct reader_access *access, uint64_t word)
{
    struct retired_access *to = &reader->accesses[reader->now.n_accesses++];
    to->address = armpmu_record_address(word);
    to->index = access->index;
    to->device = armpmu_record_kind(word) == ARMPMU_RECORD_DEVICE;
}

/* Whether the next record is about the inside of the last block. */
static inline bool reader_is_inside(const uint64_t *word, const uint64_t *end)
{
    return word < end && record_is_inside_block(*word);
}

static inline bool reader_is_marked(const struct reader_access *access, const uint64_t *word,
                                    const uint64_t *end)
{
    return word < end && *word == armpmu_record(ARMPMU_RECORD_PROGRESS, access->index + 1u);
}

/* Accesses that come as one ACCESS record each. */
static inline const uint64_t *reader_single_accesses(struct trace_reader *reader,
                                                     const struct reader_entry *entry,
                                                     const uint64_t *word, const uint64_t *end)
{
    const uint32_t n = entry->n_accesses;
    struct retired_access *to = reader->accesses;
    if (unlikely((size_t)(end - word) < n))
        return reader_slow_accesses(reader, 0, word, end);
    for (uint32_t i = 0; i < n; i++) {
        const struct reader_access *access = &entry->accesses[i];
        if (unlikely(word[i] >> ARMPMU_RECORD_INDEX_LSB != access->tag)) {
            reader->now.n_accesses = i;
            return reader_slow_accesses(reader, i, word + i, end);
        }
        to[i].address = armpmu_record_address(word[i]);
        to[i].index = access->index;
        to[i].device = armpmu_record_kind(word[i]) == ARMPMU_RECORD_DEVICE;
    }
    reader->now.n_accesses = n;
    return word + n;
}

/* Whether the records start with an access, whole. */
static inline bool reader_comes_next(const struct reader_access *access, const uint64_t *word,
                                     const uint64_t *end)
{
    if (word == end || *word >> ARMPMU_RECORD_INDEX_LSB != access->tag)
        return false;
    return !access->multiple || (end - word >= 2 && word[1] == access->bytes);
}

/* Accesses of which some are register lists or conditional. */
static inline const uint64_t *reader_mixed_accesses(struct trace_reader *reader,
                                                    const struct reader_entry *entry,
                                                    const uint64_t *word, const uint64_t *end)
{
    for (uint32_t i = 0; i < entry->n_accesses; i++) {
        const struct reader_access *access = &entry->accesses[i];
        const bool happened = reader_comes_next(access, word, end);
        const uint64_t *mark = word + (happened ? 1 + access->multiple : 0);
        if (unlikely(!happened &&
                     (!access->optional || (!access->marked && reader_is_inside(word, end)))) ||
            (access->marked && unlikely(!reader_is_marked(access, mark, end))))
            return reader_slow_accesses(reader, i, word, end);
        if (happened)
            reader_add_access(reader, access, *word);
        word = mark + access->marked;
    }
    return word;
}

/* The accesses of the last block; returns the record after them. */
static inline const uint64_t *reader_accesses(struct trace_reader *reader,
                                              const struct reader_entry *entry,
                                              const uint64_t *word, const uint64_t *end)
{
    switch (entry->records) {
    case RECORDS_NONE:
        return word;
    case RECORDS_SINGLE:
        return reader_single_accesses(reader, entry, word, end);
    case RECORDS_MIXED:
        return reader_mixed_accesses(reader, entry, word, end);
    }
    return word;
}

/* ---- from block to block ---- */

/* Leaves the last block by an exit taken before, if the record names one; returns where that leads,
 * else NULL. */
static ALWAYS_INLINE struct trace_position *reader_follow(struct trace_reader *reader,
                                                          const struct core_ops *ops,
                                                          const struct trace_position *from,
                                                          uint64_t word)
{
    const bool taken = word == from->next_word[1];
    if (!taken && unlikely(word != from->next_word[0]))
        return NULL;
    struct trace_position *next = from->next[taken];
    if (unlikely(next == NULL)) /* no exit was taken yet, and the record is 0: malformed */
        return NULL;
    const uint32_t n = from->entry->n_insns;
    reader->was_retired = true;
    reader->now.n_executed = n;
    ops->retire_block(reader->core, &reader->now);
    ops->block_exit(reader->core, &reader->now, taken ? EXIT_BRANCH : EXIT_SEQUENTIAL,
                    next->entry->start);
    if (unlikely(reader->period != 0)) {
        reader->retired += n;
        reader_close_intervals(reader);
    }
    return next;
}

static ALWAYS_INLINE void reader_enter(struct trace_reader *reader, struct trace_position *position)
{
    struct reader_entry *entry = position->entry;
    reader->from = position;
    reader->last = entry;
    reader->was_retired = false;
    reader->now.block = entry->code;
    reader->now.data = entry->data;
    reader->now.n_accesses = 0;
}

/* As trace_reader_run. ops: those that the reader was made with. */
static ALWAYS_INLINE enum armpmu_status trace_reader_loop(struct trace_reader *reader,
                                                          const struct core_ops *ops,
                                                          const uint64_t *records, size_t n_records,
                                                          struct armpmu_error *err)
{
    const uint64_t *word = records, *const end = records + n_records;
    const struct trace_position *from = reader->from;
    while (word < end) {
        struct trace_position *next = reader_follow(reader, ops, from, *word);
        if (unlikely(next == NULL)) {
            const enum armpmu_status status = reader_slow_records(reader, &word, end, &next, err);
            if (unlikely(next == NULL))
                return status;
            from = reader->from; /* nowhere while instructions come that have retired */
        } else {
            word++;
            reader_enter(reader, next);
            from = next;
        }
        word = reader_accesses(reader, next->entry, word, end);
        if (unlikely(reader->from != from))
            from = reader->from;
    }
    return ARMPMU_OK;
}

#endif

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

/* An access that happened: for the core at once, or when its block retires. Returns what
 * position_ops.access adds up. */
static ALWAYS_INLINE uint32_t reader_take_access(struct trace_reader *reader,
                                                 const struct core_ops *ops, void *core,
                                                 const struct trace_position *position,
                                                 const struct reader_access *access, uint64_t word,
                                                 enum block_records records)
{
    if (ops->positions != NULL)
        return ops->positions->access(core, position, access, word, records);
    reader_add_access(reader, access, word);
    return 0;
}

static ALWAYS_INLINE void reader_took_accesses(const struct core_ops *ops, void *core, uint32_t sum)
{
    if (ops->positions != NULL && sum != 0)
        ops->positions->accessed(core, sum);
}

static inline const struct reader_access *reader_next_access(const struct core_ops *ops,
                                                             const struct reader_access *access)
{
    return (const struct reader_access *)((uintptr_t)access + reader_access_bytes(ops));
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

/* reader_slow_accesses; *from: what the next record leaves. */
static inline const uint64_t *reader_odd_accesses(struct trace_reader *reader, uint32_t next,
                                                  const uint64_t *word, const uint64_t *end,
                                                  struct trace_position **from)
{
    word = reader_slow_accesses(reader, next, word, end);
    *from = reader->from;
    return word;
}

/* Accesses that all come each time, as one ACCESS record each or some as BURST. */
static ALWAYS_INLINE const uint64_t *
reader_fixed_accesses(struct trace_reader *reader, const struct core_ops *ops, void *core,
                      struct trace_position **from, const uint64_t *records, const uint64_t *end,
                      enum block_records how)
{
    const struct trace_position *const position = *from;
    const struct reader_entry *entry = position->entry;
    const uint32_t n_records = how == RECORDS_SINGLE ? entry->n_accesses : entry->n_records;
    if (unlikely((uintptr_t)end - (uintptr_t)records < n_records * sizeof *records))
        return reader_odd_accesses(reader, 0, records, end, from);
    const uint64_t *behind = records + n_records, *word = records;
    const struct reader_access *access = reader_access_at(ops, entry, 0);
    const struct reader_access *const last =
        how == RECORDS_SINGLE ? NULL : reader_access_at(ops, entry, entry->n_accesses);
    uint32_t sum = 0;
    do {
        if (how != RECORDS_SINGLE)
            word = records + access->at;
        if (unlikely(*word >> ARMPMU_RECORD_INDEX_LSB != access->tag ||
                     (how != RECORDS_SINGLE && access->multiple && word[1] != access->bytes))) {
            const size_t done = (uintptr_t)access - (uintptr_t)reader_access_at(ops, entry, 0);
            behind = reader_odd_accesses(reader, (uint32_t)(done / reader_access_bytes(ops)), word,
                                         end, from);
            break;
        }
        sum += reader_take_access(reader, ops, core, position, access, *word, how);
        access = reader_next_access(ops, access);
        word++;
    } while (how == RECORDS_SINGLE ? word != behind : access != last);
    reader_took_accesses(ops, core, sum);
    return behind;
}

/* Whether the records start with an access, whole. */
static inline bool reader_comes_next(const struct reader_access *access, const uint64_t *word,
                                     const uint64_t *end)
{
    if (word == end || *word >> ARMPMU_RECORD_INDEX_LSB != access->tag)
        return false;
    return !access->multiple || (end - word >= 2 && word[1] == access->bytes);
}

/* Accesses of which some are conditional. */
static ALWAYS_INLINE const uint64_t *
reader_mixed_accesses(struct trace_reader *reader, const struct core_ops *ops, void *core,
                      struct trace_position **from, const uint64_t *word, const uint64_t *end)
{
    const struct trace_position *const position = *from;
    const struct reader_entry *entry = position->entry;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < entry->n_accesses; i++) {
        const struct reader_access *access = reader_access_at(ops, entry, i);
        const bool happened = reader_comes_next(access, word, end);
        const uint64_t *mark = word + (happened ? 1 + access->multiple : 0);
        if (unlikely(!happened &&
                     (!access->optional || (!access->marked && reader_is_inside(word, end)))) ||
            (access->marked && unlikely(!reader_is_marked(access, mark, end)))) {
            word = reader_odd_accesses(reader, i, word, end, from);
            break;
        }
        if (happened)
            sum += reader_take_access(reader, ops, core, position, access, *word, RECORDS_MIXED);
        word = mark + access->marked;
    }
    reader_took_accesses(ops, core, sum);
    return word;
}

/* The accesses of the last block; returns the record after them. *from: the block's position,
 * afterwards reader->from. */
static ALWAYS_INLINE const uint64_t *reader_accesses(struct trace_reader *reader,
                                                     const struct core_ops *ops, void *core,
                                                     struct trace_position **from,
                                                     const uint64_t *word, const uint64_t *end)
{
    const enum block_records records = (*from)->entry->records;
    if (records == RECORDS_NONE)
        return word;
    if (likely(records == RECORDS_SINGLE))
        return reader_fixed_accesses(reader, ops, core, from, word, end, RECORDS_SINGLE);
    switch (records) {
    case RECORDS_FIXED:
        return reader_fixed_accesses(reader, ops, core, from, word, end, RECORDS_FIXED);
    case RECORDS_MIXED:
        return reader_mixed_accesses(reader, ops, core, from, word, end);
    default:
        return reader_odd_accesses(reader, 0, word, end, from);
    }
}

/* ---- from block to block ---- */

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
    ops->block_exit(reader->core, &reader->now, taken ? EXIT_BRANCH : EXIT_SEQUENTIAL,
                    next->entry->start);
    if (unlikely(reader->period != 0)) {
        reader->retired += n;
        reader_close_intervals(reader);
    }
}

/* Whether an interval may end with the last block, of a core with positions: if so, the slow path
 * closes it. */
static inline bool reader_interval_may_end(struct trace_reader *reader, const struct core_ops *ops,
                                           const struct trace_position *from)
{
    if (reader->clock != ARMPMU_SIGNAL_INST_RETIRED)
        return ops->positions->end_of_block(reader->core, from) >= reader->next_end;
    if (reader->retired + from->entry->n_insns >= reader->next_end)
        return true;
    reader->retired += from->entry->n_insns;
    return false;
}

/* reader_follow for a core with positions, by one of the two exits. */
static ALWAYS_INLINE struct trace_position *
reader_follow_exit(struct trace_reader *reader, const struct core_ops *ops, void *core,
                   struct trace_position *from, bool taken)
{
    struct trace_position *const next = from->next[taken];
    if (unlikely(next == NULL)) /* as below */
        return NULL;
    if (unlikely(reader->period != 0) && reader_interval_may_end(reader, ops, from))
        return NULL;
    return ops->positions->follow(core, from, taken, next);
}

/* Leaves the last block by an exit taken before, if the record names one; returns where that leads,
 * else NULL.
 *
 * A branch, not an index, chooses between the exits of a core with positions: the host predicts it,
 * and the next position does not wait for the record. */
static ALWAYS_INLINE struct trace_position *reader_follow(struct trace_reader *reader,
                                                          const struct core_ops *ops, void *core,
                                                          struct trace_position *from,
                                                          uint64_t word)
{
    if (ops->positions != NULL) {
        if (word == from->next_word[1])
            return reader_follow_exit(reader, ops, core, from, true);
        if (likely(word == from->next_word[0]))
            return reader_follow_exit(reader, ops, core, from, false);
        return NULL;
    }
    const bool taken = word == from->next_word[1];
    if (!taken && unlikely(word != from->next_word[0]))
        return NULL;
    struct trace_position *next = from->next[taken];
    if (likely(next != NULL)) /* else no exit was taken yet, and the record is 0: malformed */
        reader_leave_again(reader, ops, from, taken, next);
    return next;
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
                 reader->period != 0 || reader->has_clones))
        return NULL;
    struct reader_entry *entry = reader->by_id[id];
    if (unlikely(entry == NULL || ((entry->it_before ^ last->it_after) & entry->it_open) != 0))
        return NULL;
    *taken = reader_regular_exit(last, entry->start);
    return likely(*taken >= 0) ? entry : NULL;
}

/* Leaves the last block to one that is known, by a regular exit that led elsewhere before, if there
 * is nothing else to it; returns where that leads, else NULL. */
static ALWAYS_INLINE struct trace_position *
reader_follow_new(struct trace_reader *reader, const struct core_ops *ops, void *core,
                  struct trace_position *from, uint64_t word)
{
    int taken;
    struct reader_entry *entry = reader_new_exit(reader, from->entry, word, &taken);
    if (unlikely(entry == NULL) ||
        (ops->positions != NULL && unlikely(reader_is_full(reader, ops))))
        return NULL;
    bool repeatable = true;
    struct trace_position *next = &entry->position;
    if (ops->positions != NULL)
        next = ops->positions->leave(core, from, taken, entry, &repeatable);
    else
        reader_leave_again(reader, ops, from, taken, next);
    if (likely(repeatable && next != NULL)) {
        from->next_word[taken] = word;
        from->next[taken] = next;
    }
    entry->ran = true;
    return next;
}

static ALWAYS_INLINE void reader_enter(struct trace_reader *reader, const struct core_ops *ops,
                                       struct trace_position *position)
{
    reader->from = position;
    if (ops->positions != NULL)
        return;
    reader_catch_up(reader);
    reader->now.n_accesses = 0;
}

/* ---- several blocks, of a core with retire_whole ---- */

/* Whether the records are those of all accesses of a block that makes them each time. Without a
 * branch for each, which the host could foresee no better than their number. */
static ALWAYS_INLINE bool reader_all_came(const struct core_ops *ops,
                                          const struct reader_entry *entry, const uint64_t *records)
{
    const struct reader_access *access = reader_access_at(ops, entry, 0);
    uint64_t wrong = 0;
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

/* By which exit a block that executed whole was left, known from before or from now on; -1 for
 * another. */
static ALWAYS_INLINE int reader_exit_of(struct trace_reader *reader, struct trace_position *from,
                                        uint64_t word)
{
    int taken = word == from->next_word[1];
    if (likely(word == from->next_word[taken] && word != 0)) /* 0: no exit, a malformed record */
        return taken;
    struct reader_entry *entry = reader_new_exit(reader, from->entry, word, &taken);
    if (unlikely(entry == NULL))
        return -1;
    entry->ran = true;
    from->next_word[taken] = word;
    from->next[taken] = &entry->position;
    return taken;
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
        const uint32_t n = entry->n_records;
        if (unlikely(entry->records > RECORDS_FIXED || (size_t)(end - word) <= n))
            break;
        if (n != 0 && unlikely(!reader_all_came(ops, entry, word)))
            break;
        const int taken = reader_exit_of(reader, from, word[n]);
        if (unlikely(taken < 0))
            break;
        ops->retire_whole(core, from, word, taken);
        from = from->next[taken];
        word += n + 1;
    }
    *position = from;
    reader_enter(reader, ops, from);
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

/* As trace_reader_run. ops: those that the reader was made with. */
static ALWAYS_INLINE enum armpmu_status trace_reader_loop(struct trace_reader *reader,
                                                          const struct core_ops *ops,
                                                          const uint64_t *records, size_t n_records,
                                                          struct armpmu_error *err)
{
    const uint64_t *word = records, *const end = records + n_records;
    struct trace_position *from = reader->from;
    void *const core = reader->core;
    while (word < end) {
        struct trace_position *next = reader_follow(reader, ops, core, from, *word);
        if (unlikely(next == NULL))
            next = reader_follow_new(reader, ops, core, reader->from, *word);
        if (likely(next != NULL)) {
            word++;
            reader_enter(reader, ops, next);
        } else {
            const uint64_t *at = word;
            struct trace_position *entered;
            const enum armpmu_status status = reader_slow_records(reader, &at, end, &entered, err);
            if (unlikely(entered == NULL))
                return status;
            next = entered;
            word = at;
        }
        if (ops->positions != NULL)
            ops->positions->start(core, next);
        if (ops->retire_whole != NULL && likely(reader->period == 0 && reader->from == next))
            word = reader_whole_blocks(reader, ops, core, &next, word, end);
        from = next;
        word = reader_accesses(reader, ops, core, &from, word, end);
    }
    return ARMPMU_OK;
}

#endif

/* Which of a block's accesses happened. */
#include "trace/inside_block.h"
#include "trace/trace_reader_internal.h"

static inline void add_access(struct trace_reader *reader, const struct reader_access *access,
                              uint64_t word)
{
    reader->accesses[reader->now.n_accesses++] = (struct retired_access){
        .address = armpmu_record_address(word),
        .index = access->index,
        .device = armpmu_record_kind(word) == ARMPMU_RECORD_DEVICE,
    };
}

/* Where a block ended early, when its accesses from `next` on are missing and execution is known
 * to have passed all instructions before `reached`: n_insns if nothing is missing. */
static unsigned first_missing(const struct reader_entry *entry, uint32_t next, unsigned reached)
{
    for (uint32_t i = next; i < entry->n_accesses; i++) {
        const struct reader_access *access = &entry->accesses[i];
        if (!access->optional || (access->mark_follows && access->index >= reached))
            return access->index;
    }
    return entry->n_insns;
}

/* Whether the next record is about the inside of the last block. */
static inline bool is_inside(const uint64_t *word, const uint64_t *end)
{
    return word < end && record_is_inside_block(*word);
}

static inline bool is_marked(const struct reader_access *access, const uint64_t *word,
                             const uint64_t *end)
{
    return word < end && *word == armpmu_record(ARMPMU_RECORD_PROGRESS, access->index + 1u);
}

/* How far a block is known to have executed, while its records are read one after the other. */
struct progress {
    uint32_t next;    /* the first access that has not come yet */
    unsigned reached; /* the instruction that the last record is about */
    unsigned stop;    /* the first instruction known not to have executed, n_insns for none */
};

/* An ACCESS, BURST or DEVICE record. Returns the record after it.
 *
 * A block whose instruction set the engine did not know has records for the worst case: BURST for
 * one access, PROGRESS where nothing is conditional. What came is remembered, so that the block
 * takes a faster way the next time. */
static const uint64_t *slow_access(struct trace_reader *reader, struct reader_entry *entry,
                                   struct progress *progress, const uint64_t *word,
                                   const uint64_t *end)
{
    const uint64_t at = *word++;
    const bool multiple = armpmu_record_kind(at) == ARMPMU_RECORD_BURST;
    const uint32_t covered = multiple && word < end ? (uint32_t)*word++ : 0;
    struct reader_access *access = &entry->accesses[progress->next];
    if (progress->next == entry->n_accesses || access->index != progress->reached)
        return word; /* the second half of a swap or of a store-exclusive */
    if (multiple && covered < access->bytes) {
        progress->stop = access->index;
        return word;
    }
    add_access(reader, access, at);
    progress->next++;
    access->tag = (uint16_t)(at >> ARMPMU_RECORD_INDEX_LSB);
    access->multiple = multiple;
    access->marked = is_marked(access, word, end);
    if (access->multiple || access->marked)
        entry->records = RECORDS_MIXED;
    return word;
}

/* Accesses of the last block, from number `next` on, of which some may be missing. Returns the
 * record after them. */
static RARE const uint64_t *slow_accesses(struct trace_reader *reader, uint32_t next,
                                          const uint64_t *word, const uint64_t *end)
{
    struct reader_entry *entry = reader->last;
    struct progress progress = {next, 0, entry->n_insns};
    while (progress.stop == entry->n_insns && is_inside(word, end)) {
        if (unlikely(!word_fits(word, end, entry->n_insns)))
            return word; /* which is refused */
        progress.reached = armpmu_record_index(*word);
        while (progress.next < entry->n_accesses &&
               entry->accesses[progress.next].index < progress.reached)
            progress.next++;
        if (armpmu_record_kind(*word) == ARMPMU_RECORD_PROGRESS)
            word++;
        else
            word = slow_access(reader, entry, &progress, word, end);
    }
    if (word < end && armpmu_record_kind(*word) == ARMPMU_RECORD_EXCEPTION)
        return word; /* which says where the block ended */
    if (progress.stop == entry->n_insns)
        progress.stop = first_missing(entry, progress.next, progress.reached);
    if (progress.stop != entry->n_insns)
        reader_cut_short(reader, progress.stop);
    return word;
}

/* Accesses that come as one ACCESS record each. */
static inline const uint64_t *single_accesses(struct trace_reader *reader, const uint64_t *word,
                                              const uint64_t *end)
{
    const struct reader_entry *entry = reader->last;
    for (uint32_t i = 0; i < entry->n_accesses; i++, word++) {
        const struct reader_access *access = &entry->accesses[i];
        if (unlikely(word == end || *word >> ARMPMU_RECORD_INDEX_LSB != access->tag))
            return slow_accesses(reader, i, word, end);
        add_access(reader, access, *word);
    }
    return word;
}

/* Whether the records start with an access, whole. */
static inline bool comes_next(const struct reader_access *access, const uint64_t *word,
                              const uint64_t *end)
{
    if (word == end || *word >> ARMPMU_RECORD_INDEX_LSB != access->tag)
        return false;
    return !access->multiple || (end - word >= 2 && word[1] == access->bytes);
}

/* Accesses of which some are register lists or conditional. */
static const uint64_t *mixed_accesses(struct trace_reader *reader, const uint64_t *word,
                                      const uint64_t *end)
{
    const struct reader_entry *entry = reader->last;
    for (uint32_t i = 0; i < entry->n_accesses; i++) {
        const struct reader_access *access = &entry->accesses[i];
        const bool happened = comes_next(access, word, end);
        const uint64_t *mark = word + (happened ? 1 + access->multiple : 0);
        if (unlikely(!happened &&
                     (!access->optional || (!access->marked && is_inside(word, end)))) ||
            (access->marked && unlikely(!is_marked(access, mark, end))))
            return slow_accesses(reader, i, word, end);
        if (happened)
            add_access(reader, access, *word);
        word = mark + access->marked;
    }
    return word;
}

const uint64_t *reader_accesses(struct trace_reader *reader, const uint64_t *word,
                                const uint64_t *end)
{
    switch (reader->last->records) {
    case RECORDS_NONE:
        return word;
    case RECORDS_SINGLE:
        return single_accesses(reader, word, end);
    case RECORDS_MIXED:
        return mixed_accesses(reader, word, end);
    }
    return word;
}

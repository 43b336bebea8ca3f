/* Finds which of a block's accesses happened. */
#include "trace/trace_reader_next.h"

/* Where a block ended early, when its accesses from `next` on are missing and execution is known
 * to have passed all instructions before `reached`: n_insns if nothing is missing. */
static unsigned first_missing(const struct core_ops *model, const struct reader_entry *entry,
                              uint32_t next, unsigned reached)
{
    for (uint32_t i = next; i < entry->n_accesses; i++) {
        const struct reader_access *access = reader_access_at(model, entry, i);
        if (!access->optional || (access->mark_follows && access->index >= reached))
            return access->index;
    }
    return entry->n_insns;
}

/* How far a block is known to have executed, while its records are read one after the other. */
struct progress {
    uint32_t next;    /* the first access that has not come yet */
    unsigned reached; /* the instruction that the last record is about */
    unsigned stop;    /* the first instruction known not to have executed, n_insns for none */
    unsigned known;   /* the core knows that the ones before it executed */
    const uint64_t *records, *end; /* of the block */
};

static void tell_reached(const struct trace_reader *reader, struct progress *progress,
                         unsigned index)
{
    if (index > progress->known)
        reader->model->positions->reached(reader->core, reader->last, progress->known, index,
                                          progress->records, progress->end);
    progress->known = index > progress->known ? index : progress->known;
}

/* The records of an access are remembered, but not Device memory by a core whose fast path is
 * about lines; core_ops.retire_whole has no Device memory either. */
static void learn_record(const struct trace_reader *reader, struct reader_entry *entry,
                         struct reader_access *access, uint64_t at, bool marked)
{
    const enum armpmu_record_kind kind = armpmu_record_kind(at);
    const bool multiple = kind == ARMPMU_RECORD_BURST;
    if (kind == ARMPMU_RECORD_DEVICE && !reader->model->positions->retires_late)
        return;
    if (entry->records != RECORDS_IRREGULAR &&
        (multiple != access->multiple || marked || kind == ARMPMU_RECORD_DEVICE)) {
        entry->records = RECORDS_MIXED;
        entry->whole_bytes = SIZE_MAX;
    }
    access->tag = (uint16_t)(at >> ARMPMU_RECORD_INDEX_LSB);
    access->multiple = multiple;
    access->marked = marked;
}

/* Returns whether a burst of too few bytes is a whole access: its predicate leaves elements out,
 * elements between two that come each begin a burst, and execution continues after it. */
static bool is_partial(const struct reader_access *access, const uint64_t *word,
                       const uint64_t *end)
{
    if (!access->partial)
        return false;
    while (end - word >= 2 && *word >> ARMPMU_RECORD_INDEX_LSB == access->tag)
        word += 2;
    return !access->mark_follows || reader_is_marked(access, word, end);
}

/* An access that happened: for a core with positions at once, else when its block retires. */
static void hand_over(struct trace_reader *reader, const struct reader_access *access, uint64_t at)
{
    const struct position_ops *const positions = reader->model->positions;

    if (positions->retires_late) {
        reader_add_access(reader, access, at);
        return;
    }
    const uint32_t sum =
        positions->access(reader->core, reader->position, access, at, RECORDS_IRREGULAR);
    if (sum != 0)
        positions->accessed(reader->core, sum);
}

/* Returns whether the record is of a further element of a gather or scatter: of a core that takes
 * them. */
static bool takes_another_element(const struct trace_reader *reader,
                                  const struct reader_entry *entry, const struct progress *progress)
{
    const struct reader_access *const before =
        progress->next > 0 ? reader_access_at(reader->model, entry, progress->next - 1) : NULL;

    return before != NULL && before->scattered && before->index == progress->reached &&
           reader->model->positions->retires_late && reader->now.n_accesses < reader->accesses_room;
}

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
    struct reader_access *access = reader_access_at(reader->model, entry, progress->next);
    if (takes_another_element(reader, entry, progress)) {
        reader_add_access(reader, reader_access_at(reader->model, entry, progress->next - 1), at);
        return word;
    }
    if (progress->next == entry->n_accesses || access->index != progress->reached)
        return word; /* the second half of a swap or of a store-exclusive */
    if (multiple && covered < access->bytes && !is_partial(access, word, end)) {
        progress->stop = access->index;
        return word;
    }
    hand_over(reader, access, at);
    progress->next++;
    learn_record(reader, entry, access, at, reader_is_marked(access, word, end));
    return word;
}

/* The position of an exception's record, if there is one: its kind precedes it. */
static const uint64_t *announced_at(const uint64_t *word, const uint64_t *end)
{
    const bool is_kind = word < end && armpmu_record_kind(*word) == ARMPMU_RECORD_SYSTEM &&
                         armpmu_record_system(*word) == ARMPMU_SYSTEM_EXCEPTION;
    return word + is_kind;
}

static void add_predicate(struct trace_reader *reader, uint64_t word)
{
    if ((word & ARMPMU_PREDICATE_BITS) != 0 && reader->now.n_predicates < reader->predicates_room)
        reader->predicates[reader->now.n_predicates++] = (struct retired_predicate){
            (uint16_t)armpmu_record_index(word), (uint8_t)(word & ARMPMU_PREDICATE_BITS)};
}

RARE const uint64_t *reader_slow_accesses(struct trace_reader *reader, uint32_t next,
                                          const uint64_t *word, const uint64_t *end)
{
    reader_catch_up(reader);
    struct reader_entry *entry = reader->last;
    reader->now.n_predicates = 0;
    struct progress progress = {.next = next, .stop = entry->n_insns, .records = word, .end = end};
    while (progress.stop == entry->n_insns && reader_is_inside(word, end)) {
        if (unlikely(!word_fits(word, end, entry->n_insns)))
            return word; /* which is refused */
        progress.reached = armpmu_record_index(*word);
        while (progress.next < entry->n_accesses &&
               reader_access_at(reader->model, entry, progress.next)->index < progress.reached)
            progress.next++;
        tell_reached(reader, &progress, progress.reached);
        if (armpmu_record_kind(*word) == ARMPMU_RECORD_PROGRESS)
            add_predicate(reader, *word++);
        else
            word = slow_access(reader, entry, &progress, word, end);
    }
    const uint64_t *const exception = announced_at(word, end);
    if (exception < end && armpmu_record_kind(*exception) == ARMPMU_RECORD_EXCEPTION) {
        tell_reached(reader, &progress, armpmu_record_index(*exception));
        return word; /* which says where the block ended */
    }
    if (progress.stop == entry->n_insns)
        progress.stop = first_missing(reader->model, entry, progress.next, progress.reached);
    tell_reached(reader, &progress, progress.stop);
    if (progress.stop != entry->n_insns)
        reader_cut_short(reader, progress.stop);
    return word;
}

/* Handles single records of the trace: those that concern the executing block, and invalid ones. */
#ifndef TRACE_INSIDE_BLOCK_H
#define TRACE_INSIDE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "armpmu/trace.h"

/* Its accesses, and how far it is known to have executed. */
static inline bool record_is_inside_block(uint64_t word)
{
    const enum armpmu_record_kind kind = armpmu_record_kind(word);
    return kind == ARMPMU_RECORD_ACCESS || kind == ARMPMU_RECORD_BURST ||
           kind == ARMPMU_RECORD_DEVICE || kind == ARMPMU_RECORD_PROGRESS;
}

/* Returns whether a second record, a plain number, belongs to it. */
static inline bool word_takes_two(uint64_t word)
{
    const enum armpmu_record_kind kind = armpmu_record_kind(word);
    return kind == ARMPMU_RECORD_BURST || kind == ARMPMU_RECORD_MAP64;
}

/* The number of records before `end` that it takes. */
static inline size_t word_length(const uint64_t *word, const uint64_t *end)
{
    return word_takes_two(*word) && end - word >= 2 ? 2 : 1;
}

/* Returns whether a record about the inside of a block of n_insns instructions is about one of
 * them, and has its second record if it takes one: the end of a program may have cut that off. A
 * PROGRESS may be about the block's end. */
static inline bool word_fits(const uint64_t *word, const uint64_t *end, unsigned n_insns)
{
    const enum armpmu_record_kind kind = armpmu_record_kind(*word);
    return armpmu_record_index(*word) < n_insns + (kind == ARMPMU_RECORD_PROGRESS) &&
           (kind != ARMPMU_RECORD_BURST || end - word < 2 ||
            armpmu_record_kind(word[1]) == ARMPMU_RECORD_BYTES);
}

/* Returns true if a record may be where one begins, after a block of n_insns instructions, 0 after
 * none.
 */
static inline bool word_is_possible(const uint64_t *word, const uint64_t *end, unsigned n_insns)
{
    if (record_is_inside_block(*word))
        return word_fits(word, end, n_insns != 0 ? n_insns : ARMPMU_RECORD_INDEX_MAX + 1);
    return armpmu_record_kind(*word) != ARMPMU_RECORD_BYTES &&
           (word_length(word, end) == 1 || armpmu_record_kind(word[1]) == ARMPMU_RECORD_BYTES);
}

/* Says that a record is not possible, or not known to the core: returns ARMPMU_BAD_INPUT. */
enum armpmu_status record_refuse(uint64_t word, struct armpmu_error *err);

#endif

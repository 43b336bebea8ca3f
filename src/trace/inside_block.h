/* Words of the stream one by one: those about the inside of the block that executes, and those that
 * cannot be. */
#ifndef TRACE_INSIDE_BLOCK_H
#define TRACE_INSIDE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "armpmu/stream.h"

/* Its accesses, and how far it is known to have executed. */
static inline bool word_is_inside(uint64_t word)
{
    const enum armpmu_word_kind kind = armpmu_word_kind(word);
    return kind == ARMPMU_WORD_ACCESS || kind == ARMPMU_WORD_RUN || kind == ARMPMU_WORD_DEVICE ||
           kind == ARMPMU_WORD_MARK;
}

/* Whether a second word, a plain number, belongs to it. */
static inline bool word_takes_two(uint64_t word)
{
    const enum armpmu_word_kind kind = armpmu_word_kind(word);
    return kind == ARMPMU_WORD_RUN || kind == ARMPMU_WORD_PLACE;
}

/* Words that it takes of those before end. */
static inline size_t word_length(const uint64_t *word, const uint64_t *end)
{
    return word_takes_two(*word) && end - word >= 2 ? 2 : 1;
}

/* Whether a word about the inside of a block of n_insns instructions is about one of them, and has
 * its second word if it takes one: the end of a program may have cut that off. A MARK may be about
 * the block's end. */
static inline bool word_fits(const uint64_t *word, const uint64_t *end, unsigned n_insns)
{
    const enum armpmu_word_kind kind = armpmu_word_kind(*word);
    return armpmu_word_index(*word) < n_insns + (kind == ARMPMU_WORD_MARK) &&
           (kind != ARMPMU_WORD_RUN || end - word < 2 ||
            armpmu_word_kind(word[1]) == ARMPMU_WORD_BYTES);
}

/* Whether a word may stand where one begins, behind a block of n_insns instructions, 0 behind none.
 */
static inline bool word_is_possible(const uint64_t *word, const uint64_t *end, unsigned n_insns)
{
    if (word_is_inside(*word))
        return word_fits(word, end, n_insns != 0 ? n_insns : ARMPMU_WORD_INDEX_MAX + 1);
    return armpmu_word_kind(*word) != ARMPMU_WORD_BYTES &&
           (word_length(word, end) == 1 || armpmu_word_kind(word[1]) == ARMPMU_WORD_BYTES);
}

/* Says that a word is not possible, or not known to the core: returns ARMPMU_BAD_INPUT. */
enum armpmu_status word_refuse(uint64_t word, struct armpmu_error *err);

#endif

/* Words of the stream one by one: those about the inside of the block that executes, and those that
 * cannot be. */
#ifndef UARCH_INSIDE_H
#define UARCH_INSIDE_H

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

/* Whether a word may stand where one begins, behind a block of n_insns instructions, 0 behind none:
 * it is not a second word, has its own if it takes one (the end of a program may have cut it off),
 * and is about an instruction of the block if it is about one. A MARK may be about its end. */
static inline bool word_is_possible(const uint64_t *word, const uint64_t *end, unsigned n_insns)
{
    const enum armpmu_word_kind kind = armpmu_word_kind(*word);
    if (kind == ARMPMU_WORD_BYTES)
        return false;
    if (word_length(word, end) == 2 && armpmu_word_kind(word[1]) != ARMPMU_WORD_BYTES)
        return false;
    return n_insns == 0 || !word_is_inside(*word) ||
           armpmu_word_index(*word) < n_insns + (kind == ARMPMU_WORD_MARK);
}

/* Says that a word is not possible, or not known to the core: returns ARMPMU_BAD_INPUT. */
enum armpmu_status word_refuse(uint64_t word, struct armpmu_error *err);

#endif

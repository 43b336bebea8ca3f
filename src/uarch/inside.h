/* Words of the stream that are about the inside of the block that executes. */
#ifndef UARCH_INSIDE_H
#define UARCH_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/stream.h"

/* Its accesses, and how far it is known to have executed. */
static inline bool word_is_inside(uint64_t word)
{
    const enum armpmu_word_kind kind = armpmu_word_kind(word);
    return kind == ARMPMU_WORD_ACCESS || kind == ARMPMU_WORD_RUN || kind == ARMPMU_WORD_DEVICE ||
           kind == ARMPMU_WORD_MARK;
}

#endif

/* The cycles in which data misses of the last private cache are intervals: a set of spans.
 *
 * Assumes: spans are added in any order, and questions come in rising order; what lies before the
 * latest question is forgotten. Does not model: which misses they are. */
#ifndef PARTS_MISS_INTERVALS_H
#define PARTS_MISS_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"

struct miss_intervals_span {
    uint64_t from, until; /* cycles from <= c < until */
};

struct miss_intervals {
    struct miss_intervals_span *spans; /* disjoint, not even touching, rising */
    size_t n_spans;
};

/* capacity: the most spans that can be ahead of a question at once, at least 1. Returns ARMPMU_OK
 * or ARMPMU_NO_MEMORY, then there is nothing to release. */
ARMPMU_MUST_USE enum armpmu_status miss_intervals_init(struct miss_intervals *intervals,
                                                       size_t capacity, struct armpmu_error *err);

/* Releases what miss_intervals_init took. A zeroed or a freed one is fine. */
void miss_intervals_free(struct miss_intervals *intervals);

/* A miss is intervals in [from, until), which may be empty. */
void miss_intervals_add(struct miss_intervals *intervals, uint64_t from, uint64_t until);

/* In how many of the cycles [from, until) a miss is intervals. No later question is about cycles
 * before until. */
uint64_t miss_intervals_within(struct miss_intervals *intervals, uint64_t from, uint64_t until);

/* No later question is about cycles before `cycle`. */
void miss_intervals_forget(struct miss_intervals *intervals, uint64_t cycle);

#endif

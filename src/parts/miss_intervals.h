/* When data misses of the last private cache are outstanding: a set of spans of cycles.
 *
 * Assumes: spans are told in any order, and asked about in rising order; what lies before the
 * latest question is forgotten.
 * Does not model: which misses they are. */
#ifndef PARTS_MISS_INTERVALS_H
#define PARTS_MISS_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"

struct outstanding_span {
    uint64_t from, until; /* cycles from <= c < until */
};

struct outstanding {
    struct outstanding_span *spans; /* disjoint, not even touching, rising */
    size_t n_spans;
};

/* capacity: the most spans that can be ahead of a question at once, at least 1. Returns ARMPMU_OK
 * or ARMPMU_NO_MEMORY, then there is nothing to release. */
ARMPMU_MUST_USE enum armpmu_status outstanding_init(struct outstanding *outstanding,
                                                    size_t capacity, struct armpmu_error *err);

/* Releases what outstanding_init took. A zeroed or a freed one is fine. */
void outstanding_free(struct outstanding *outstanding);

/* A miss is outstanding in [from, until), which may be empty. */
void outstanding_add(struct outstanding *outstanding, uint64_t from, uint64_t until);

/* In how many of the cycles [from, until) a miss is outstanding. No later question is about cycles
 * before until. */
uint64_t outstanding_within(struct outstanding *outstanding, uint64_t from, uint64_t until);

/* No later question is about cycles before `cycle`. */
void outstanding_forget(struct outstanding *outstanding, uint64_t cycle);

#endif

/* The write buffer between the core and level 2.
 *
 * Assumes: an entry holds one cache line of stores or one cast-out; entries drain one after the
 * other, oldest first, each taking the cycles it was given; a store to a line that waits in the
 * buffer, drain not yet begun, merges into it.
 * Does not model: byte lanes, barriers, forwarding to loads.
 *
 *     oldest                newest
 *     [draining] [waiting] [waiting] [free] ...
 *      its drained time is known; the next one's follows it without a gap
 *
 * Times are cycles of the core's clock and never go back from one call to the next. */
#ifndef UARCH_STORE_BUFFER_H
#define UARCH_STORE_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/status.h"

#define STORE_BUFFER_MAX 64 /* a power of two: the entries are a ring of this size */

struct store_buffer {
    uint32_t n_entries;  /* capacity */
    uint32_t head, used; /* slot of the oldest entry, how many are taken */
    uint64_t line[STORE_BUFFER_MAX];
    uint64_t drained[STORE_BUFFER_MAX]; /* cycle at which the entry is free */
    bool mergeable[STORE_BUFFER_MAX];
};

/* An empty buffer. n_entries: 1 to STORE_BUFFER_MAX, which the machine file guarantees. */
void store_buffer_init(struct store_buffer *buffer, uint32_t n_entries);

/* Retires the entries that have drained by cycle now. */
void store_buffer_advance(struct store_buffer *buffer, uint64_t now);

/* Whether a store to the line merges into a waiting entry (call after advance). An entry waits
 * while its drain has not begun: it is not the oldest. */
bool store_buffer_merges(const struct store_buffer *buffer, uint64_t line);

/* Cycles from now until an entry is free, 0 when one is. */
uint64_t store_buffer_full_for(const struct store_buffer *buffer, uint64_t now);

/* Takes an entry (there must be a free one) that drains in drain_cycles (at least 1), from now or
 * from the end of the entry before it, whichever is later. mergeable: later stores to the line may
 * join it; false for a cast-out. */
void store_buffer_push(struct store_buffer *buffer, uint64_t now, uint64_t line,
                       uint32_t drain_cycles, bool mergeable);

#endif

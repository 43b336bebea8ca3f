/* The Cortex-A8's write buffer, before level 2: stores that miss L1D, cast-outs, writes to devices.
 *
 *     oldest                newest
 *     [draining] [waiting] [waiting] [free] ...
 *
 * Assumes: an entry holds stores to one line, a cast-out or a device's write; entries drain one
 * after the other, oldest first, an entry of stores not before their data has come from NEON; a
 * store to a line whose entry does not drain yet merges into it; level 2 is asked, and its line
 * allocated, when an entry is made, but a line for which it has to ask memory is asked for when the
 * entry drains, and not at all if it is wholly written by then. Does not model: barriers,
 * forwarding to loads. */
#ifndef CORES_CORTEX_A8_WRITE_BUFFER_H
#define CORES_CORTEX_A8_WRITE_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

#define WRITE_BUFFER_MAX 64 /* a power of two: the entries are a ring of this size */

enum write_kind {
    WRITE_TO_L2,     /* level 2 has the line, or a cast-out takes one */
    WRITE_FETCHES,   /* level 2 has to read the line unless it is wholly written */
    WRITE_TO_MEMORY, /* level 2 does not have it, and does not allocate */
    WRITE_TO_DEVICE,
};

struct write_entry {
    uint64_t line;    /* physical */
    uint64_t written; /* a bit for each of its bytes; of stores */
    uint64_t since;   /* it can drain */
    uint8_t kind;     /* enum write_kind */
    uint8_t parts;    /* of 16 bytes that are written */
    bool merges;      /* of stores */
    bool awaits_neon; /* its data comes from an instruction that NEON does not have yet */
};

struct write_buffer {
    struct write_entry entries[WRITE_BUFFER_MAX];
    uint32_t n_entries;  /* capacity */
    uint32_t head, used; /* place of the oldest entry, how many are taken */
    bool drains;         /* the oldest does */
    bool awaits_neon;    /* an entry does */
    uint64_t drained;    /* when the oldest has, while it drains; when the last one had */
};

static inline struct write_entry *write_buffer_entry(struct write_buffer *buffer, uint32_t i)
{
    return &buffer->entries[(buffer->head + i) & (WRITE_BUFFER_MAX - 1)]; /* the i-th oldest */
}

#endif

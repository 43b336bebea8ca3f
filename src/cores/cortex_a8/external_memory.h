/* Memory after the Cortex-A8's level 2, and the lines on their way from there.
 *
 *   read   |<- minimum + latency ->|beat|beat|beat| ...   the word asked for first, then round the
 * line write  |beat|beat| ...
 *
 * CHOICE(a8-memory).
 *
 * Assumes: a read begins when all is written that was written before it; several are on their way
 * at once, no more than level 2's fill buffers, and their beats take turns on the bus. A write
 * begins when all lines that were asked for before it are there; or, where it overlaps, when the
 * bus is free, which a read takes for its beats only. CHOICE(memory-turnaround): a write after a
 * read occupies the bus longer. Does not model: banks, rows and refresh of DRAM, other masters. */
#ifndef CORES_CORTEX_A8_EXTERNAL_MEMORY_H
#define CORES_CORTEX_A8_EXTERNAL_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arithmetic.h"
#include "base/compiler.h"

#define A8_FILL_BUFFERS_MAX 16 /* check_geometry allows no more */

struct a8_fill {
    uint64_t line;     /* physical */
    uint64_t complete; /* when its last word comes */
    uint32_t offset;   /* of the word asked for, which comes first */
};

struct external_memory {
    struct a8_fill fills[A8_FILL_BUFFERS_MAX]; /* ring */
    uint32_t n_fills, next;
    uint32_t read_cycles;                    /* from a request to its first beat */
    uint32_t beat_cycles, write_beat_cycles; /* of the bus */
    uint32_t line_beats, beat_shift;
    uint32_t line_cycles;       /* of all beats of a line */
    uint32_t turnaround_cycles; /* more of a write after a read... */
    bool has_read;              /* ...which the latest was */
    uint64_t complete;          /* the last line on its way is there */
    uint64_t free;              /* all that was written is in memory; of reads: above */
    bool overlaps;              /* writes overlap lines on their way */
};

/* Asks for a line; returns when the word at an offset in it comes. */
static inline uint64_t external_memory_read(struct external_memory *memory, uint64_t line,
                                            uint32_t offset, uint64_t now)
{
    struct a8_fill *const fill = &memory->fills[memory->next];
    uint64_t begins = later(now, memory->free), first = begins + memory->read_cycles;
    if (unlikely(now < memory->complete)) {
        begins = later(begins, fill->complete); /* the buffer is free */
        first = later(begins + memory->read_cycles, memory->complete);
    }
    memory->next = memory->next + 1 == memory->n_fills ? 0 : memory->next + 1;
    memory->complete = first + memory->line_cycles;
    memory->has_read = true;
    if (memory->overlaps)
        memory->free = begins + memory->line_cycles;
    *fill = (struct a8_fill){.line = line, .complete = memory->complete, .offset = offset};
    return first;
}

/* Writes a number of beats; returns when memory takes them. */
static inline uint64_t external_memory_write(struct external_memory *memory, uint64_t beats,
                                             uint64_t now)
{
    if (beats == 0)
        return now;
    uint64_t begins = later(now, memory->free);
    if (!memory->overlaps)
        begins = later(begins, memory->complete);
    memory->free = begins + beats * memory->write_beat_cycles +
                   (memory->has_read ? memory->turnaround_cycles : 0);
    memory->has_read = false;
    return begins;
}

/* Returns whether a line is on its way. */
static inline bool external_memory_fetches(const struct external_memory *memory, uint64_t line,
                                           uint64_t now)
{
    bool any = false;
    if (likely(now >= memory->complete))
        return false;
    for (uint32_t i = 0; i < memory->n_fills; i++)
        any |= memory->fills[i].line == line && memory->fills[i].complete > now;
    return any;
}

/* When the word of a line that is in a cache is there: the line may be on its way. */
static inline uint64_t external_memory_arrival(const struct external_memory *memory, uint64_t line,
                                               uint32_t offset, uint64_t now)
{
    if (likely(now >= memory->complete))
        return now;
    uint64_t arrives = now;
    for (uint32_t i = 0; i < memory->n_fills; i++) {
        const struct a8_fill *const fill = &memory->fills[i];
        if (fill->line != line)
            continue;
        const uint32_t beat = offset >> memory->beat_shift,
                       first = fill->offset >> memory->beat_shift;
        const uint32_t beats_left =
            memory->line_beats - ((beat - first) & (memory->line_beats - 1));
        const uint64_t rest = (uint64_t)beats_left * memory->beat_cycles;
        arrives = later(arrives + rest, fill->complete) - rest;
    }
    return arrives;
}

#endif

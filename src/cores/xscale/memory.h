/* The memory system of the XScale core: caches, TLBs, fill, pend and write buffers, the bus.
 *
 *            TLB, data cache                    fill buffers: a line on its way each
 *   access -----------------> miss or pending -> pend buffers: a word that waits for one each
 *                     |                         -> write buffer: 16 bytes on their way out each
 *                     +-> hit                       (stores that miss, dirty half lines)
 *
 * Times are cycles of the core's clock. A call gets the time at which an access is made and
 * returns, or moves it to, the time at which the core continues: later when it had to wait for a
 * walk or for a free buffer.
 *
 * Assumes: caches are indexed and tagged by virtual address, so that a page's place in memory does
 * not matter; round robin fills invalid ways first, CHOICE(xscale-invalid-way); a line's words come
 * in the order that begins with the one asked for, CHOICE(xscale-critical-word); reads share the
 * bus, writes have their own time on it, CHOICE(xscale-bus); the choices xscale-* marked in the
 * code.
 * Does not model: lockdown, data RAM, reads of what waits in the write buffer, the mini instruction
 * cache, ECC. */
#ifndef CORES_XSCALE_MEMORY_H
#define CORES_XSCALE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/catalog.h"
#include "armpmu/trace.h"
#include "base/compiler.h"
#include "machine/machine.h"
#include "parts/access_table.h"
#include "parts/cache.h"
#include "parts/line_filter.h"
#include "parts/miss_map.h"
#include "parts/store_buffer.h"
#include "parts/tlb.h"
#include "cores/xscale/bus_unit.h"

#define XS_LINE_SHIFT  5
#define XS_LINE_BYTES  (1u << XS_LINE_SHIFT)
#define XS_LINE_WORDS  (XS_LINE_BYTES / 4)
#define XS_HALF_SHIFT  4
#define XS_HALF_BYTES  (1u << XS_HALF_SHIFT)
#define XS_PAGE_SHIFT  12
#define XS_BUFFERS_MAX 16 /* as machine/machine.def has it */

/* A line on its way in. */
struct xs_fill {
    uint32_t line;
    uint32_t critical; /* the word that comes first */
    uint64_t first;    /* when it comes */
    uint64_t done;     /* when the whole line is there */
};

struct xs_memory {
    uint64_t *tally; /* ARMPMU_SIGNAL_COUNT, the core's */
    const struct armpmu_machine *machine;
    struct cache l1i, l1d, mini;
    struct miss_maps misses; /* sets of the mini data cache follow those of the data cache */
    struct tlb itlb, dtlb;
    uint32_t data_page; /* that the data TLB was asked for last, and has */
    bool translates;    /* the MMU is on */
    bool no_data_cache, no_code_cache;
    uint32_t buffered[2]; /* while the instruction cache is off: lines of the fetch buffers */
    uint32_t next_buffer;

    /* Lines and pages that are known to hit without changing any state: in the cache, its page
     * in the TLB. Lines of code, lines of data that have come, and dirty halves of lines, so that a
     * store changes nothing either. */
    struct line_filter fetch, loads, stores;
    bool knows_data;      /* false when a hit changes state (LRU) */
    uint32_t fetch_epoch; /* moves on when fetch loses a line, or a line is on its way: where it
                             has not, what hit while none was still does */

    struct xs_fill fills[XS_BUFFERS_MAX]; /* a ring: they end in the order they began */
    uint32_t fill_lines[XS_BUFFERS_MAX];  /* their lines, compared four at a time */
    uint64_t pends[XS_BUFFERS_MAX];       /* when each is free; a ring as well */
    uint32_t next_fill, next_pend;        /* the one used longest ago */
    struct xs_fill fetching;              /* of code, the last one asked for */
    struct store_buffer writes;           /* named by address / 16 */
    struct xs_bus_unit unit;
    uint64_t bus_free;       /* the last word asked for has come */
    uint64_t stall_end;      /* the last wait for a buffer */
    uint32_t beat_shift;     /* the logarithm of the words of a beat */
    struct access_seen seen; /* of the latest data access, for who asks */
};

/* memory: zeroed. */
ARMPMU_MUST_USE enum armpmu_status xs_memory_init(struct xs_memory *memory,
                                                  const struct armpmu_machine *machine,
                                                  uint64_t *tally, struct armpmu_error *err);
void xs_memory_free(struct xs_memory *memory);

/* The instruction at an address is wanted at a time: returns when it is there. */
uint64_t xs_fetch(struct xs_memory *memory, uint64_t now, uint32_t address);

/* Returns whether xs_fetch would return the time it is given for every line of a range, and change
 * nothing, if no code is on its way. */
bool xs_fetch_hits(const struct xs_memory *memory, uint32_t first_line, uint32_t last_line);

/* A word is read, or some of its bytes are written, at a time, which is moved to when the access
 * was taken. stored: bytes that are written, 0 of a read. Returns when a word read is there, 0 for
 * at once. */
uint64_t xs_access(struct xs_memory *memory, uint64_t *now, uint32_t address, unsigned stored);

/* The same, without a count of the access, and without asking first whether it is known to hit. */
uint64_t xs_access_unknown(struct xs_memory *memory, uint64_t *now, uint32_t address,
                           unsigned stored);

/* CHOICE(cures): the lines of an access come into their cache, at no cost. */
void xs_cure(struct xs_memory *memory, uint32_t address, uint32_t bytes);

/* The same: a PLD asked for the line of an address at a time that is over. now: moved by what the
 * core waited for it. */
void xs_cure_by_preload(struct xs_memory *memory, uint64_t *now, uint32_t address, uint64_t at);

/* The same: the data TLB has the page of an address; the instruction cache has its line. */
void xs_cure_page(struct xs_memory *memory, uint32_t address);
void xs_cure_fetch(struct xs_memory *memory, uint32_t address);

/* The outcome of the latest data access, to these bytes. */
struct access_seen xs_seen(struct xs_memory *memory, uint32_t address, uint32_t bytes);

/* xs_access for Device and Strongly-ordered memory, and for any while the cache or the MMU is off.
 */
uint64_t xs_uncached(struct xs_memory *memory, uint64_t *now, uint32_t address, unsigned stored);

/* A PLD names an address at a time, which is moved to when it was taken. */
void xs_preload(struct xs_memory *memory, uint64_t *now, uint32_t address);

/* All that data accesses asked for before a time is waited for: returns when it is there. */
uint64_t xs_drain(struct xs_memory *memory, uint64_t now);

/* Returns whether a filter has all lines of an access. */
static inline bool xs_filter_has(const struct line_filter *filter, uint32_t address, uint32_t bytes,
                                 unsigned line_shift)
{
    const uint32_t last = address + bytes - 1, line_bytes = 1u << line_shift;
    if (last < address)
        return false;
    for (uint32_t at = address & -line_bytes; line_filter_has(filter, at, line_shift);
         at += line_bytes)
        if (last - at < line_bytes)
            return true;
    return false;
}

/* A store to bytes of lines that are known to be there makes their halves dirty: whether that is
 * all it does. */
bool xs_dirties(struct xs_memory *memory, uint32_t address, uint32_t bytes);

/* Returns whether xs_access of a word hits and does nothing but make a line dirty, which is done;
 * xs_hits: of words. */
static inline bool xs_word_hits(struct xs_memory *memory, uint32_t address, bool store)
{
    if (!store)
        return line_filter_has(&memory->loads, address, XS_LINE_SHIFT);
    return line_filter_has(&memory->stores, address, XS_HALF_SHIFT) ||
           xs_dirties(memory, address, 4);
}

static inline bool xs_hits(struct xs_memory *memory, uint32_t address, uint32_t bytes, bool store)
{
    if (!store)
        return xs_filter_has(&memory->loads, address, bytes, XS_LINE_SHIFT);
    return likely(xs_filter_has(&memory->stores, address, bytes, XS_HALF_SHIFT)) ||
           xs_dirties(memory, address, bytes);
}

void xs_flush_tlbs(struct xs_memory *memory);
void xs_flush_page(struct xs_memory *memory, uint32_t page);
void xs_translate(struct xs_memory *memory, bool on);

/* The caches that are off from now on: ARMPMU_CONTROL_ bits. */
void xs_switch_caches(struct xs_memory *memory, unsigned off);

/* Returns whether data goes through the cache: it needs the MMU as well. */
static inline bool xs_caches_data(const struct xs_memory *memory)
{
    return memory->translates && !memory->no_data_cache;
}

/* Cache maintenance at a time, as in the trace's SYSTEM record. */
void xs_maintain(struct xs_memory *memory, uint64_t *now, unsigned bits, uint32_t operand);

#endif

/* The memory system of the Cortex-R4F: caches, linefill and eviction buffers, store buffer, TCMs.
 *
 * Assumes: addresses are physical (the core has an MPU); lines of 32 bytes; one access moves at
 * most an aligned doubleword; a load that misses, and a load from memory that is not cacheable,
 * stops the pipeline until its word is there; stores do not, as long as there is room for them.
 * Does not model: data; the order of a line's doublewords; contention on the bus; speculative
 * accesses and fetches down a wrong path.
 *
 * Counts what happens in signals; the clock is `now`. */
#ifndef CORES_CORTEX_R4F_MEMORY_H
#define CORES_CORTEX_R4F_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/pmu.h"
#include "armpmu/sim.h"
#include "machine/machine.h"
#include "parts/access_table.h"
#include "parts/cache.h"
#include "parts/line_filter.h"
#include "parts/miss_map.h"
#include "cores/cortex_r4f/stores.h"

#define R4F_LINE_SHIFT 5
#define R4F_LINE_BYTES (1u << R4F_LINE_SHIFT)
#define R4F_FILLS_MAX  8
#define R4F_ERRORS_MAX 64
#define R4F_STORED     256
#define R4F_LINE_MASK  (~(R4F_LINE_BYTES - 1))

/* Kinds of memory. */
enum r4f_place {
    PLACE_WRITE_BACK,
    PLACE_WRITE_THROUGH,
    PLACE_NONCACHEABLE, /* Normal, Shared */
    PLACE_DEVICE,
    PLACE_ORDERED,
    PLACE_ATCM,
    PLACE_BTCM,
};

/* Addresses [first, end). */
struct r4f_range {
    uint64_t first, end;
};

struct r4f_fill {
    uint64_t line, done; /* done: the cycle at which the line is complete */
};

struct r4f_error {
    enum armpmu_injection kind;
    uint64_t address;
    unsigned met; /* of one that comes back: how often */
};

struct r4f_memory {
    const struct armpmu_machine *machine;
    uint64_t *tally; /* of a profile: the row of the current instruction */
    uint64_t now;
    struct cache l1i, l1d;
    struct miss_maps misses;
    bool has_l1i, has_l1d, write_allocate;
    struct r4f_range atcm, btcm, write_through, noncacheable, ordered;
    bool has_ranges; /* any of them is not empty */
    enum r4f_place elsewhere_data, elsewhere_code;
    struct r4f_fill fills[R4F_FILLS_MAX];
    uint32_t n_fills;
    uint64_t eviction_free; /* the cycle from which the eviction buffer is free */
    struct r4f_stores stores;
    struct line_filter loads;     /* lines known to be in the data cache, complete */
    struct line_filter stores_to; /* lines known to be write-back memory */
    bool filters;                 /* the replacement policy need not hear of every hit */
    uint32_t fetch_epoch;         /* changes when a line leaves the instruction cache */
    /* By line: where data left the store buffer for, if that line is there still. */
    struct cache_line *stored[R4F_STORED];

    struct r4f_error errors[R4F_ERRORS_MAX];
    uint32_t n_errors;
    struct access_seen seen; /* of the latest access, for who asks */
    uint64_t flash_read;     /* of what the ATCM reads at once, the last fetched from */
    void (*on_fault)(void *user, const struct armpmu_fault *fault);
    void *fault_user;
};

/* Freed with r4f_memory_free, after a failure too. */
ARMPMU_MUST_USE enum armpmu_status r4f_memory_init(struct r4f_memory *memory,
                                                   const struct armpmu_machine *machine,
                                                   uint64_t *tally, struct armpmu_error *err);
void r4f_memory_free(struct r4f_memory *memory);

/* The properties of a data access. */
struct r4f_access {
    uint64_t address;
    uint32_t bytes;
    bool load, store, device, exclusive;
    uint32_t spread; /* cycles over which the stores of a register list came, the last one now */
};

/* Makes a data access at cycle now, and lets the pipeline wait for it. */
void r4f_memory_access(struct r4f_memory *memory, const struct r4f_access *access);

/* Returns whether all bytes of an access lie in lines of a filter, and its address is a multiple:
 * mask has the bits that are clear in one, and those of a line. */
static inline bool r4f_filter_has(const struct line_filter *filter, uint32_t address,
                                  uint32_t bytes, uint32_t mask)
{
    const uint32_t last = address + bytes - 1;
    const uint32_t entry = line_filter_entry(filter, address, R4F_LINE_SHIFT);

    if (!line_filter_matches(entry, address, mask, 0))
        return false;
    return (address ^ last) < R4F_LINE_BYTES ||
           (last > address && last - address <= R4F_LINE_BYTES &&
            line_filter_has(filter, last, R4F_LINE_SHIFT));
}

/* The accesses to the cache that a load makes: one for each doubleword. */
static inline uint32_t r4f_doublewords(uint32_t address, uint32_t bytes)
{
    return (address + bytes - 1) / R4F_SLOT_BYTES - address / R4F_SLOT_BYTES + 1;
}

/* A load that is not exclusive, and no access to Device memory. */
void r4f_memory_load(struct r4f_memory *memory, uint64_t address, uint32_t bytes);

/* A store to memory of a kind. spread: as in struct r4f_access. */
void r4f_memory_store_chunks(struct r4f_memory *memory, enum r4f_place place, uint64_t address,
                             uint32_t bytes, uint32_t spread);

/* A PLD of an address. */
void r4f_memory_preload(struct r4f_memory *memory, uint64_t address);

/* CHOICE(cures): the lines of an access come into the data cache, at no cost. */
void r4f_memory_cure(struct r4f_memory *memory, uint32_t address, uint32_t bytes);

/* The same: a store is in these lines, and never was in the store buffer. Returns false, and does
 * nothing, where lines are not written back. */
bool r4f_memory_cure_store(struct r4f_memory *memory, uint32_t address, uint32_t bytes);

/* The same: a PLD asked for the line of an address in the cycle `at`, which is over. */
void r4f_memory_cure_by_preload(struct r4f_memory *memory, uint32_t address, uint64_t at);

/* The same: the instruction cache has the line at an address from here on. */
void r4f_memory_cure_fetch(struct r4f_memory *memory, uint64_t address);

/* Everything stored leaves the store buffer, and the pipeline waits. CHOICE(r4f-empty-drain):
 * counts also when there is nothing in it. */
void r4f_memory_drain(struct r4f_memory *memory);

/* The end: what waits in the store buffer leaves it, and nothing waits for that. */
void r4f_memory_finish(struct r4f_memory *memory);

/* Fetches the code [start, end). jumped: it was jumped to, else it follows what was fetched last.
 */
void r4f_memory_fetch(struct r4f_memory *memory, uint64_t start, uint64_t end, bool jumped);

/* Looks for a line of cacheable code, which is part of that. */
void r4f_memory_fetch_line(struct r4f_memory *memory, uint64_t line);

/* How many fetches that takes. */
static inline uint64_t r4f_fetch_groups(const struct r4f_memory *memory, uint64_t start,
                                        uint64_t end, bool jumped)
{
    const uint64_t bytes = memory->machine->l1i_fetch_bytes;
    return (end - 1) / bytes - start / bytes + 1 - (!jumped && start % bytes != 0);
}

/* Cache maintenance; bits and operand as those of the trace's SYSTEM record. */
void r4f_memory_maintain(struct r4f_memory *memory, unsigned bits, uint32_t operand);

/* The caches that are off from now on: ARMPMU_CONTROL_ bits. */
void r4f_memory_switch(struct r4f_memory *memory, unsigned off);

/* The pipeline stalls. why: the signal of that, among the signals into which all cycles are
 * split. */
static inline void r4f_memory_stall(struct r4f_memory *memory, enum armpmu_signal signal,
                                    enum armpmu_signal why, uint64_t cycles)
{
    memory->now += cycles;
    memory->tally[signal] += cycles;
    memory->tally[why] += cycles;
}

enum r4f_place r4f_memory_place(const struct r4f_memory *memory, uint64_t address, bool code);

static inline bool r4f_is_cached(enum r4f_place place)
{
    return place == PLACE_WRITE_BACK || place == PLACE_WRITE_THROUGH;
}

/* A store to a doubleword of write-back memory, or to bytes of it, made at cycle `at`. */
void r4f_memory_store_chunk(struct r4f_memory *memory, uint64_t chunk, uint8_t bytes, uint64_t at);

/* A store to lines known to be write-back memory. spread: as in struct r4f_access. */
static inline void r4f_memory_store(struct r4f_memory *memory, uint32_t address, uint32_t bytes,
                                    uint32_t spread)
{
    const uint32_t first = address % R4F_SLOT_BYTES;

    if (likely(first + bytes <= R4F_SLOT_BYTES))
        r4f_memory_store_chunk(memory, address / R4F_SLOT_BYTES,
                               (uint8_t)(((1u << bytes) - 1) << first), memory->now);
    else
        r4f_memory_store_chunks(memory, PLACE_WRITE_BACK, address, bytes, spread);
}

/* ---- between the files of the memory system ---- */

/* A line leaves the data cache: written back if dirty, from cycle `at` on. Returns the cycle from
 * which the eviction buffer has it. */
uint64_t r4f_evict(struct r4f_memory *memory, const struct cache_line *line, uint64_t at);

/* ---- errors.c ---- */

/* An access finds a line in the data cache; may be called for each one when n_errors is not 0.
 * reads: the data too. Returns whether it is there no more: an error was found and the line
 * invalidated. */
bool r4f_meet_data_error(struct r4f_memory *memory, struct cache_line *line, bool reads);

/* The same of a fetch. */
bool r4f_meet_code_error(struct r4f_memory *memory, struct cache_line *line);

/* A doubleword of a TCM is read. */
enum r4f_reader { READER_FETCH, READER_DATA, READER_SLAVE };
void r4f_meet_tcm_error(struct r4f_memory *memory, uint64_t address, enum r4f_place tcm,
                        enum r4f_reader reader);

/* As armpmu_sim_inject. */
ARMPMU_MUST_USE enum armpmu_status r4f_inject(struct r4f_memory *memory, enum armpmu_injection kind,
                                              uint64_t address, struct armpmu_error *err);

#endif

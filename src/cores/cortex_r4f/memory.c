/* The memory system of the Cortex-R4F. Each event of its manual that memory causes is counted here
 * or in errors.c. */
#include "cores/cortex_r4f/memory.h"

#include <string.h>

#include "base/arithmetic.h"
#include "base/compiler.h"
#include "base/error.h"

#define DIRTY 1 /* one bit for the whole line */

static struct r4f_range range_of(uint64_t first_kb, uint64_t size_kb)
{
    return (struct r4f_range){first_kb << 10, (first_kb + size_kb) << 10};
}

static bool holds(const struct r4f_range *range, uint64_t address)
{
    return address >= range->first && address < range->end;
}

/* CHOICE(r4f-no-cache): cacheable memory of a core without a cache is read and written as if it
 * were not cacheable. CHOICE(r4f-parity): a data cache with parity writes through. */
enum r4f_place r4f_memory_place(const struct r4f_memory *memory, uint64_t address, bool code)
{
    if (likely(!memory->has_ranges))
        return code ? memory->elsewhere_code : memory->elsewhere_data;
    if (holds(&memory->atcm, address))
        return PLACE_ATCM;
    if (holds(&memory->btcm, address))
        return PLACE_BTCM;
    if (holds(&memory->ordered, address))
        return PLACE_ORDERED;
    if (holds(&memory->noncacheable, address))
        return PLACE_NONCACHEABLE;
    const enum r4f_place place = code ? memory->elsewhere_code : memory->elsewhere_data;
    if (place == PLACE_WRITE_BACK && !code && holds(&memory->write_through, address))
        return PLACE_WRITE_THROUGH;
    return place;
}

/* ---- linefills and evictions ---- */

static void forget_line(struct r4f_memory *memory, uint64_t line)
{
    line_filter_drop(&memory->loads, (uint32_t)line << R4F_LINE_SHIFT, R4F_LINE_SHIFT);
}

uint64_t r4f_evict(struct r4f_memory *memory, const struct cache_line *line, uint64_t at)
{
    if (!line->valid)
        return at;
    forget_line(memory, line->physical);
    if (line->dirty == 0)
        return at;
    const uint64_t start = later(at, memory->eviction_free);
    memory->eviction_free = start + memory->machine->eviction_cycles;
    memory->tally[ARMPMU_SIGNAL_L1D_WRITE_BACK]++;
    memory->tally[ARMPMU_SIGNAL_EXTERNAL_REQUEST]++;
    return start;
}

/* The linefill buffer that is free first. */
static struct r4f_fill *next_fill(struct r4f_memory *memory)
{
    struct r4f_fill *first = &memory->fills[0];

    for (uint32_t i = 1; i < memory->n_fills; i++)
        if (memory->fills[i].done < first->done)
            first = &memory->fills[i];
    return first;
}

static void data_miss(struct r4f_memory *memory, uint64_t line)
{
    memory->tally[ARMPMU_SIGNAL_L1D_REFILL]++;
    miss_map_note(&memory->misses, ARMPMU_MISS_L1D, (uint32_t)cache_set(&memory->l1d, line),
                  line << R4F_LINE_SHIFT, memory->now);
}

/* When a line that is in the cache is complete: now or later. */
static uint64_t complete_at(const struct r4f_memory *memory, uint64_t line, uint64_t now)
{
    for (uint32_t i = 0; i < memory->n_fills; i++)
        if (memory->fills[i].line == line)
            now = later(now, memory->fills[i].done);
    return now;
}

/* Starts the linefill of a line that is not in the data cache, at cycle `at` or when there is a
 * buffer. The victim moves to the eviction buffer first. Returns the cycle at which it began. */
static ALWAYS_INLINE uint64_t start_fill(struct r4f_memory *memory, uint64_t line, uint64_t at)
{
    struct r4f_fill *fill = next_fill(memory);
    struct cache_line victim;
    uint64_t start = later(at, fill->done);

    cache_fill(&memory->l1d, line, line, &victim);
    start = r4f_evict(memory, &victim, start);
    fill->line = line;
    fill->done =
        start + memory->machine->memory_latency_cycles + memory->machine->linefill_transfer_cycles;
    memory->tally[ARMPMU_SIGNAL_EXTERNAL_REQUEST]++;
    return start;
}

/* ---- stores on their way out ---- */

/* Returns whether a doubleword, or a word of it, is written in part. */
static bool covers_part(const struct r4f_memory *memory, uint8_t bytes)
{
    const unsigned low = bytes & 15, high = bytes >> 4;

    if (memory->machine->tcm_ecc_bits == 32)
        return (low != 0 && low != 15) || (high != 0 && high != 15);
    return bytes != 0 && bytes != 0xff;
}

/* Fewer bytes than an ECC covers are read, changed and written. */
static void read_modify_write(struct r4f_memory *memory, const struct r4f_leaving *group)
{
    const enum r4f_place tcm = (enum r4f_place)group->place;
    const enum machine_protection protection =
        tcm == PLACE_ATCM ? memory->machine->atcm_protection : memory->machine->btcm_protection;

    for (unsigned i = 0; i < 4 && protection == PROTECTION_ECC; i++)
        if (covers_part(memory, r4f_leaving_bytes(group, i)))
            r4f_meet_tcm_error(memory, (group->line << R4F_LINE_SHIFT) + 8 * i, tcm, READER_DATA);
}

static uint64_t leave_for_bus(struct r4f_memory *memory, uint64_t start)
{
    memory->tally[ARMPMU_SIGNAL_EXTERNAL_REQUEST]++;
    return start + memory->machine->store_buffer_bus_cycles;
}

static bool writes_partly(const struct r4f_leaving *group)
{
    for (unsigned i = 0; i < 4; i++) {
        const uint8_t bytes = r4f_leaving_bytes(group, i);
        if (bytes != 0 && bytes != R4F_ALL_BYTES)
            return true;
    }
    return false;
}

/* The line that a store group is for, if it is there and without error. */
static inline struct cache_line *stored_line(struct r4f_memory *memory,
                                             const struct r4f_leaving *group)
{
    struct cache_line **const known = &memory->stored[group->line % R4F_STORED];
    struct cache_line *line = *known;

    if (unlikely(line->physical != group->line || !line->valid || !memory->filters)) {
        line = cache_lookup(&memory->l1d, group->line, group->line);
        *known = line != NULL ? line : *known;
    }
    if (line != NULL && memory->n_errors != 0 &&
        r4f_meet_data_error(memory, line, writes_partly(group)))
        return NULL;
    return line;
}

static inline uint64_t write_slots(const struct r4f_memory *memory, const struct r4f_leaving *group,
                                   uint64_t start)
{
    return start + (uint64_t)group->n_slots * memory->machine->store_buffer_drain_cycles;
}

static OUT_OF_LINE uint64_t leave_missing(struct r4f_memory *memory, struct r4f_leaving group,
                                          uint64_t start)
{
    if (!memory->write_allocate) {
        access_comes_from(&memory->seen, ARMPMU_FROM_PAST);
        return leave_for_bus(memory, start);
    }
    access_comes_from(&memory->seen, ARMPMU_FROM_RAM);
    data_miss(memory, group.line);
    start = start_fill(memory, group.line, start);
    cache_peek(&memory->l1d, group.line, group.line)->dirty |= DIRTY;
    return write_slots(memory, &group, start);
}

static inline uint64_t leave_write_back(struct r4f_memory *memory, const struct r4f_leaving *group,
                                        uint64_t start)
{
    struct cache_line *line = stored_line(memory, group);

    if (unlikely(line == NULL))
        return leave_missing(memory, *group, start);
    line->dirty |= DIRTY;
    return write_slots(memory, group, start);
}

static OUT_OF_LINE uint64_t leave_otherwise(struct r4f_memory *memory, struct r4f_leaving group,
                                            uint64_t start)
{
    switch ((enum r4f_place)group.place) {
    case PLACE_WRITE_BACK:
        return leave_write_back(memory, &group, start);
    case PLACE_WRITE_THROUGH:
        stored_line(memory, &group);
        return leave_for_bus(memory, start);
    case PLACE_NONCACHEABLE:
    case PLACE_DEVICE:
    case PLACE_ORDERED:
        memory->tally[ARMPMU_SIGNAL_NONCACHEABLE_REQUEST]++;
        return leave_for_bus(memory, start);
    case PLACE_ATCM:
    case PLACE_BTCM:
        if (memory->n_errors != 0)
            read_modify_write(memory, &group);
        return write_slots(memory, &group, start);
    }
    return start;
}

static inline uint64_t leave(void *user, const struct r4f_leaving *group, uint64_t start)
{
    struct r4f_memory *memory = user;

    if (likely(group->place == PLACE_WRITE_BACK && memory->n_errors == 0))
        return leave_write_back(memory, group, start);
    return leave_otherwise(memory, *group, start);
}

/* ---- loads ---- */

/* A load of the line needs no closer look from now on: it has met what error there was. (An access
 * across two kinds of memory may have brought in a line that is not cacheable when it is asked for
 * alone.) */
static void filter_line(struct r4f_memory *memory, uint64_t line)
{
    if (memory->filters && r4f_is_cached(r4f_memory_place(memory, line << R4F_LINE_SHIFT, false)))
        line_filter_add(&memory->loads, (uint32_t)line << R4F_LINE_SHIFT, 0, R4F_LINE_SHIFT);
}

static void wait_for_fill(struct r4f_memory *memory, uint64_t line)
{
    const uint64_t complete = complete_at(memory, line, memory->now);
    if (complete > memory->now)
        access_comes_from(&memory->seen, ARMPMU_FROM_FILL);
    r4f_memory_stall(memory, ARMPMU_SIGNAL_LSU_BUSY_STALL, ARMPMU_SIGNAL_STALL_BACKEND_MEM,
                     complete - memory->now);
}

/* CHOICE(r4f-miss-blocks): the pipeline waits for the word; for a line on its way, until it is
 * complete. */
static ALWAYS_INLINE void load_line(struct r4f_memory *memory, uint64_t line)
{
    struct cache_line *present = cache_lookup(&memory->l1d, line, line);

    if (present != NULL && memory->n_errors != 0 && r4f_meet_data_error(memory, present, true))
        present = NULL;
    if (present == NULL) {
        const uint64_t start = start_fill(memory, line, memory->now);
        data_miss(memory, line);
        access_comes_from(&memory->seen, ARMPMU_FROM_RAM);
        r4f_memory_stall(memory, ARMPMU_SIGNAL_LSU_BUSY_STALL, ARMPMU_SIGNAL_STALL_BACKEND_MEM,
                         start + memory->machine->memory_latency_cycles - memory->now);
        r4f_stores_meet_fill(&memory->stores, line, memory->now);
        return;
    }
    wait_for_fill(memory, line);
    filter_line(memory, line);
}

static void load_tcm(struct r4f_memory *memory, enum r4f_place tcm, uint64_t first, uint64_t last)
{
    const uint32_t wait =
        tcm == PLACE_ATCM ? memory->machine->atcm_wait_cycles : memory->machine->btcm_wait_cycles;

    r4f_memory_stall(memory, ARMPMU_SIGNAL_LSU_BUSY_STALL, ARMPMU_SIGNAL_STALL_BACKEND_TCM, wait);
    for (uint64_t chunk = first; memory->n_errors != 0 && chunk <= last; chunk++)
        r4f_meet_tcm_error(memory, chunk * R4F_SLOT_BYTES, tcm, READER_DATA);
}

/* CHOICE(r4f-bursts): one request reads what an instruction wants of a line. */
static void load_external(struct r4f_memory *memory, enum r4f_place place)
{
    if (place == PLACE_ORDERED)
        r4f_memory_drain(memory);
    memory->tally[ARMPMU_SIGNAL_EXTERNAL_REQUEST]++;
    memory->tally[ARMPMU_SIGNAL_NONCACHEABLE_REQUEST]++;
    r4f_memory_stall(memory, ARMPMU_SIGNAL_LSU_BUSY_STALL, ARMPMU_SIGNAL_STALL_BACKEND_DEVICE,
                     memory->machine->memory_latency_cycles);
}

/* The doublewords first to last of one line. */
static void load_chunks(struct r4f_memory *memory, enum r4f_place place, uint64_t first,
                        uint64_t last)
{
    switch (place) {
    case PLACE_WRITE_BACK:
    case PLACE_WRITE_THROUGH:
        memory->tally[ARMPMU_SIGNAL_L1D_ACCESS] += last - first + 1;
        load_line(memory, first / (R4F_LINE_BYTES / R4F_SLOT_BYTES));
        break;
    case PLACE_NONCACHEABLE:
    case PLACE_DEVICE:
    case PLACE_ORDERED:
        load_external(memory, place);
        break;
    case PLACE_ATCM:
    case PLACE_BTCM:
        load_tcm(memory, place, first, last);
        break;
    }
}

/* ---- stores ---- */

/* CHOICE(r4f-store-access): a store is an access to the cache when it is made, one for each
 * doubleword, merged or not. */
static ALWAYS_INLINE void store_chunk(struct r4f_memory *memory, enum r4f_place place,
                                      uint64_t chunk, uint8_t bytes, uint64_t at)
{
    const struct r4f_store store = {.chunk = chunk,
                                    .bytes = bytes,
                                    .place = (uint8_t)place,
                                    .at_once = place == PLACE_DEVICE || place == PLACE_ORDERED};
    const struct r4f_store_result result = r4f_stores_put_by(&memory->stores, &store, at, leave);

    memory->tally[ARMPMU_SIGNAL_L1D_ACCESS] += r4f_is_cached(place);
    memory->tally[ARMPMU_SIGNAL_STORE_MERGED] += result.merged;
    if (likely((result.clash | result.buffer_stall | result.queue_stall) == 0))
        return;
    memory->tally[ARMPMU_SIGNAL_STORE_ATTRIBUTE_CLASH] += result.clash;
    memory->tally[ARMPMU_SIGNAL_STORE_BUFFER_STALL] += result.buffer_stall;
    memory->tally[ARMPMU_SIGNAL_STORE_QUEUE_STALL] += result.queue_stall;
    r4f_memory_stall(memory, ARMPMU_SIGNAL_LSU_BUSY_STALL, ARMPMU_SIGNAL_STALL_BACKEND_ST,
                     result.queue_stall);
}

void r4f_memory_store_chunk(struct r4f_memory *memory, uint64_t chunk, uint8_t bytes, uint64_t at)
{
    store_chunk(memory, PLACE_WRITE_BACK, chunk, bytes, at);
}

static OUT_OF_LINE void store_elsewhere(struct r4f_memory *memory, enum r4f_place place,
                                        uint64_t chunk, uint8_t bytes, uint64_t at)
{
    store_chunk(memory, place, chunk, bytes, at);
}

static uint8_t bytes_of(uint64_t chunk, uint64_t address, uint64_t end)
{
    const uint64_t start = chunk * R4F_SLOT_BYTES;
    const unsigned low = address > start ? (unsigned)(address - start) : 0;
    const unsigned high = end < start + R4F_SLOT_BYTES ? (unsigned)(end - start) : R4F_SLOT_BYTES;
    return (uint8_t)((0xffu << low) & (0xffu >> (R4F_SLOT_BYTES - high)));
}

void r4f_memory_store_chunks(struct r4f_memory *memory, enum r4f_place place, uint64_t address,
                             uint32_t bytes, uint32_t spread)
{
    const uint64_t end = address + bytes;
    const uint64_t first = address / R4F_SLOT_BYTES, last = (end - 1) / R4F_SLOT_BYTES;
    uint64_t left = last - first;

    for (uint64_t chunk = first; chunk <= last; chunk++, left--) {
        const uint64_t made = memory->now - (left < spread ? left : spread);
        const uint8_t mask = bytes_of(chunk, address, end);
        if (likely(place == PLACE_WRITE_BACK))
            r4f_memory_store_chunk(memory, chunk, mask, made);
        else
            store_elsewhere(memory, place, chunk, mask, made);
    }
}

/* Kinds of memory are whole KB: where a line begins, all of it lies. */
static void filter_store(struct r4f_memory *memory, uint64_t address)
{
    if (address <= UINT32_MAX && r4f_memory_place(memory, address, false) == PLACE_WRITE_BACK)
        line_filter_add(&memory->stores_to, (uint32_t)address, 0, R4F_LINE_SHIFT);
}

/* ---- accesses ---- */

static void load(struct r4f_memory *memory, enum r4f_place place, const struct r4f_access *access)
{
    const uint64_t last = (access->address + access->bytes - 1) / R4F_SLOT_BYTES;
    const uint64_t per_line = R4F_LINE_BYTES / R4F_SLOT_BYTES;

    for (uint64_t chunk = access->address / R4F_SLOT_BYTES; chunk <= last;) {
        const uint64_t line_last = chunk / per_line * per_line + per_line - 1;
        const uint64_t part_last = line_last < last ? line_last : last;
        load_chunks(memory, place, chunk, part_last);
        chunk = part_last + 1;
    }
}

/* CHOICE(r4f-shared): Normal memory that is not cacheable is Shared. An exclusive to it, and SWP,
 * drain the store buffer first. */
static bool drains_first(enum r4f_place place, const struct r4f_access *access)
{
    if (place == PLACE_ORDERED)
        return access->store;
    return place == PLACE_NONCACHEABLE && (access->exclusive || (access->load && access->store));
}

/* CHOICE(r4f-crossing): an access across two kinds of memory is one to the kind of its first byte.
 */
static void access_slowly(struct r4f_memory *memory, const struct r4f_access *access)
{
    const enum r4f_place place =
        access->device ? PLACE_DEVICE : r4f_memory_place(memory, access->address, false);

    if (drains_first(place, access) && !(place == PLACE_ORDERED && access->load))
        r4f_memory_drain(memory);
    if (access->load)
        load(memory, place, access);
    if (!access->store)
        return;
    r4f_memory_store_chunks(memory, place, access->address, access->bytes, access->spread);
    if (!access->device && place == PLACE_WRITE_BACK) {
        filter_store(memory, access->address);
        filter_store(memory, access->address + access->bytes - 1);
    }
}

void r4f_memory_load(struct r4f_memory *memory, uint64_t address, uint32_t bytes)
{
    const enum r4f_place place = r4f_memory_place(memory, address, false);
    const uint64_t line = address >> R4F_LINE_SHIFT;

    if (likely(r4f_is_cached(place) && (address + bytes - 1) >> R4F_LINE_SHIFT == line)) {
        memory->tally[ARMPMU_SIGNAL_L1D_ACCESS] += r4f_doublewords((uint32_t)address, bytes);
        load_line(memory, line);
        return;
    }
    load(memory, place, &(struct r4f_access){.address = address, .bytes = bytes, .load = true});
}

void r4f_memory_access(struct r4f_memory *memory, const struct r4f_access *access)
{
    const uint32_t address = (uint32_t)access->address;
    const bool simple = access->load != access->store && !access->device;
    const struct line_filter *filter = access->store ? &memory->stores_to : &memory->loads;

    if (!simple || !r4f_filter_has(filter, address, access->bytes, R4F_LINE_MASK))
        access_slowly(memory, access);
    else if (access->store)
        r4f_memory_store(memory, address, access->bytes, access->spread);
    else
        memory->tally[ARMPMU_SIGNAL_L1D_ACCESS] += r4f_doublewords(address, access->bytes);
}

void r4f_memory_cure(struct r4f_memory *memory, uint32_t address, uint32_t bytes)
{
    const uint32_t last = (address + bytes - 1) >> R4F_LINE_SHIFT;
    const uint64_t eviction_free = memory->eviction_free;
    uint64_t aside[ARMPMU_SIGNAL_COUNT] = {0}, *const tally = memory->tally;

    if (!memory->has_l1d || !r4f_is_cached(r4f_memory_place(memory, address, false)))
        return;
    memory->tally = aside;
    for (uint32_t line = address >> R4F_LINE_SHIFT; line <= last; line++) {
        struct cache_line victim;
        if (cache_peek(&memory->l1d, line, line) != NULL)
            continue;
        cache_fill(&memory->l1d, line, line, &victim);
        (void)r4f_evict(memory, &victim, memory->now);
    }
    memory->eviction_free = eviction_free;
    memory->tally = tally;
}

bool r4f_memory_cure_store(struct r4f_memory *memory, uint32_t address, uint32_t bytes)
{
    const uint32_t last = (address + bytes - 1) >> R4F_LINE_SHIFT;

    if (!memory->has_l1d || r4f_memory_place(memory, address, false) != PLACE_WRITE_BACK)
        return false;
    r4f_memory_cure(memory, address, bytes);
    for (uint32_t line = address >> R4F_LINE_SHIFT; line <= last; line++)
        cache_peek(&memory->l1d, line, line)->dirty |= DIRTY;
    return true;
}

/* CHOICE(r4f-preload-refill): a preload's linefill counts in 0x55, not as a data cache miss.
 * A PLD never waits: without a free linefill buffer it is dropped. One that finds its line does
 * nothing, nor does one of memory that is not cacheable. */
void r4f_memory_preload(struct r4f_memory *memory, uint64_t address)
{
    const uint64_t line = address >> R4F_LINE_SHIFT;

    if (!r4f_is_cached(r4f_memory_place(memory, address, false)))
        return;
    if (cache_peek(&memory->l1d, line, line) != NULL)
        return;
    if (next_fill(memory)->done > memory->now) {
        memory->tally[ARMPMU_SIGNAL_PRELOAD_DROPPED]++;
        return;
    }
    memory->tally[ARMPMU_SIGNAL_PRELOAD_REFILL]++;
    start_fill(memory, line, memory->now);
    r4f_stores_meet_fill(&memory->stores, line, memory->now);
}

/* The linefill buffer that was idle at a time before now, or NULL: what began after it does not
 * count, as it would have found the line requested. */
static struct r4f_fill *idle_fill(struct r4f_memory *memory, uint64_t at)
{
    const uint64_t takes =
        memory->machine->memory_latency_cycles + memory->machine->linefill_transfer_cycles;

    for (uint32_t i = 0; i < memory->n_fills; i++)
        if (memory->fills[i].done <= at || memory->fills[i].done - takes > at)
            return &memory->fills[i];
    return NULL;
}

void r4f_memory_cure_by_preload(struct r4f_memory *memory, uint32_t address, uint64_t at)
{
    const uint64_t line = address >> R4F_LINE_SHIFT, now = memory->now;
    struct r4f_fill *const fill = idle_fill(memory, at);

    if (fill == NULL || cache_peek(&memory->l1d, line, line) != NULL)
        return;
    fill->done = 0;
    memory->now = at;
    r4f_memory_preload(memory, address);
    memory->now = now;
}

void r4f_memory_drain(struct r4f_memory *memory)
{
    const uint64_t empty = r4f_stores_drain(&memory->stores, memory->now);

    memory->tally[ARMPMU_SIGNAL_STORE_BUFFER_DRAIN]++;
    r4f_memory_stall(memory, ARMPMU_SIGNAL_LSU_BUSY_STALL, ARMPMU_SIGNAL_STALL_BACKEND_ST,
                     empty - memory->now);
}

void r4f_memory_finish(struct r4f_memory *memory)
{
    (void)r4f_stores_drain(&memory->stores, memory->now);
}

/* ---- instruction side ---- */

void r4f_memory_fetch_line(struct r4f_memory *memory, uint64_t line)
{
    struct cache_line *present = cache_lookup(&memory->l1i, line, line), victim;

    if (present != NULL && memory->n_errors != 0 && r4f_meet_code_error(memory, present))
        present = NULL;
    if (present != NULL)
        return;
    cache_fill(&memory->l1i, line, line, &victim);
    memory->fetch_epoch++;
    memory->tally[ARMPMU_SIGNAL_L1I_REFILL]++;
    miss_map_note(&memory->misses, ARMPMU_MISS_L1I, (uint32_t)cache_set(&memory->l1i, line),
                  line << R4F_LINE_SHIFT, memory->now);
    memory->tally[ARMPMU_SIGNAL_EXTERNAL_REQUEST]++;
    r4f_memory_stall(memory, ARMPMU_SIGNAL_ISSUE_EMPTY, ARMPMU_SIGNAL_STALL_FRONTEND_MEM,
                     memory->machine->memory_latency_cycles);
}

void r4f_memory_cure_fetch(struct r4f_memory *memory, uint64_t address)
{
    const uint64_t line = address >> R4F_LINE_SHIFT;
    struct cache_line victim;

    if (!r4f_is_cached(r4f_memory_place(memory, address, true)) ||
        cache_peek(&memory->l1i, line, line) != NULL)
        return;
    cache_fill(&memory->l1i, line, line, &victim);
    memory->fetch_epoch++;
}

static void fetch_external(struct r4f_memory *memory, uint64_t groups)
{
    memory->tally[ARMPMU_SIGNAL_EXTERNAL_REQUEST] += groups;
    memory->tally[ARMPMU_SIGNAL_NONCACHEABLE_REQUEST] += groups;
    r4f_memory_stall(memory, ARMPMU_SIGNAL_ISSUE_EMPTY, ARMPMU_SIGNAL_STALL_FRONTEND_MEM,
                     groups * memory->machine->memory_latency_cycles);
}

/* The wait states of a fetch after a jump into the ATCM, which ends before an address.
 *
 * CHOICE(r4f-flash): the flash of the ATCM reads this number of bytes at once and the same
 * number ahead; a jump into the last that was fetched from, or into the next ones, finds them
 * read. */
static uint32_t jump_wait(struct r4f_memory *memory, uint64_t start, uint64_t end)
{
    const uint32_t bytes = memory->machine->atcm_read_bytes;
    const uint64_t last = memory->flash_read;

    if (bytes == 0)
        return memory->machine->atcm_wait_cycles;
    memory->flash_read = (end - 1) / bytes;
    return start / bytes - last <= 1 ? 0 : memory->machine->atcm_wait_cycles;
}

static void fetch_tcm(struct r4f_memory *memory, enum r4f_place tcm, uint64_t start, uint64_t end,
                      bool jumped)
{
    const uint32_t wait =
        tcm == PLACE_ATCM ? jump_wait(memory, start, end) : memory->machine->btcm_wait_cycles;

    if (jumped)
        r4f_memory_stall(memory, ARMPMU_SIGNAL_ISSUE_EMPTY, ARMPMU_SIGNAL_STALL_FRONTEND_TCM, wait);
    for (uint64_t at = start & ~UINT64_C(7); memory->n_errors != 0 && at < end; at += 8)
        r4f_meet_tcm_error(memory, at, tcm, READER_FETCH);
}

void r4f_memory_fetch(struct r4f_memory *memory, uint64_t start, uint64_t end, bool jumped)
{
    const uint64_t groups = r4f_fetch_groups(memory, start, end, jumped);
    const enum r4f_place place = r4f_memory_place(memory, start, true);

    switch (place) {
    case PLACE_WRITE_BACK:
    case PLACE_WRITE_THROUGH:
        memory->tally[ARMPMU_SIGNAL_L1I_ACCESS] += groups;
        for (uint64_t line = start >> R4F_LINE_SHIFT; line <= (end - 1) >> R4F_LINE_SHIFT; line++)
            r4f_memory_fetch_line(memory, line);
        break;
    case PLACE_NONCACHEABLE:
    case PLACE_DEVICE:
    case PLACE_ORDERED:
        fetch_external(memory, groups);
        break;
    case PLACE_ATCM:
    case PLACE_BTCM:
        fetch_tcm(memory, place, start, end, jumped);
        break;
    }
}

/* ---- maintenance ---- */

/* CHOICE(r4f-maintenance): cleaning writes a dirty line back as an eviction does; finding the line
 * costs no time and is no access. */
static void treat(struct r4f_memory *memory, struct cache_line *line, unsigned bits)
{
    struct cache_line copy = *line;

    if (!line->valid)
        return;
    if ((bits & ARMPMU_CACHE_CLEAN) == 0)
        copy.dirty = 0;
    else
        line->dirty = 0;
    (void)r4f_evict(memory, &copy, memory->now);
    if (bits & ARMPMU_CACHE_INVALIDATE)
        cache_drop(&memory->l1d, line);
}

static void at_address(struct r4f_memory *memory, unsigned bits, uint64_t line)
{
    struct cache_line *present;

    if ((bits & ARMPMU_CACHE_INSTRUCTION) && memory->has_l1i &&
        (present = cache_peek(&memory->l1i, line, line)) != NULL) {
        cache_drop(&memory->l1i, present);
        memory->fetch_epoch++;
    }
    if ((bits & ARMPMU_CACHE_DATA) && memory->has_l1d &&
        (present = cache_peek(&memory->l1d, line, line)) != NULL)
        treat(memory, present, bits);
}

/* The way is in the topmost bits, the set above the offset in a line. */
static void at_set_and_way(struct r4f_memory *memory, unsigned bits, uint32_t operand)
{
    const struct cache *cache = &memory->l1d;
    const uint32_t way = cache->ways > 1 ? operand >> __builtin_clz(cache->ways - 1) : 0;

    if (memory->has_l1d)
        treat(memory,
              &cache->lines[(operand >> R4F_LINE_SHIFT & (cache->sets - 1)) * cache->ways + way],
              bits);
}

static void everywhere(struct r4f_memory *memory, unsigned bits)
{
    const uint32_t code = memory->l1i.sets * memory->l1i.ways;
    const uint32_t data = memory->l1d.sets * memory->l1d.ways;

    for (uint32_t i = 0; (bits & ARMPMU_CACHE_INSTRUCTION) && i < code; i++)
        if (memory->l1i.lines[i].valid)
            cache_drop(&memory->l1i, &memory->l1i.lines[i]);
    memory->fetch_epoch++;
    for (uint32_t i = 0; (bits & ARMPMU_CACHE_DATA) && i < data; i++)
        treat(memory, &memory->l1d.lines[i], bits);
}

void r4f_memory_maintain(struct r4f_memory *memory, unsigned bits, uint32_t operand)
{
    if (bits & ARMPMU_CACHE_ADDRESS)
        at_address(memory, bits, operand >> R4F_LINE_SHIFT);
    else if (bits & ARMPMU_CACHE_SET_WAY)
        at_set_and_way(memory, bits, operand);
    else
        everywhere(memory, bits);
}

/* ---- caches off ---- */

static enum r4f_place elsewhere_of(const struct armpmu_machine *m, bool cached,
                                   enum r4f_place place, enum r4f_place tcm)
{
    return m->memory_elsewhere == ELSEWHERE_TCM                   ? tcm
           : cached && m->memory_elsewhere == ELSEWHERE_CACHEABLE ? place
                                                                  : PLACE_NONCACHEABLE;
}

/* CHOICE(caches-off): memory is read and written as if it were not cacheable; what a cache holds
 * stays there. */
void r4f_memory_switch(struct r4f_memory *memory, unsigned off)
{
    const struct armpmu_machine *const m = memory->machine;

    memory->elsewhere_code = elsewhere_of(
        m, memory->has_l1i && !(off & ARMPMU_CONTROL_NO_CODE_CACHE), PLACE_WRITE_BACK, PLACE_ATCM);
    memory->elsewhere_data = elsewhere_of(
        m, memory->has_l1d && !(off & ARMPMU_CONTROL_NO_DATA_CACHE),
        m->l1d_protection == PROTECTION_PARITY ? PLACE_WRITE_THROUGH : PLACE_WRITE_BACK,
        PLACE_BTCM);
    line_filter_clear(&memory->loads, R4F_LINE_SHIFT);
    line_filter_clear(&memory->stores_to, R4F_LINE_SHIFT);
    memory->fetch_epoch++;
}

/* ---- life ---- */

static enum armpmu_status make_cache(struct cache *cache, uint32_t size_kb, uint32_t ways,
                                     enum machine_replacement policy, uint64_t seed,
                                     struct armpmu_error *err)
{
    if (size_kb == 0)
        return ARMPMU_OK;
    return cache_init(cache, size_kb * (1024 / R4F_LINE_BYTES) / ways, ways, policy, seed, err);
}

static enum armpmu_status check_lines(const struct armpmu_machine *machine,
                                      struct armpmu_error *err)
{
    const bool code = machine->l1i_line_bytes != R4F_LINE_BYTES;

    if (!code && machine->l1d_line_bytes == R4F_LINE_BYTES)
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_CONFIG,
                "machine %s: %s.line_bytes = %u: a Cortex-R4F has lines of %u bytes; give that",
                machine->name, code ? "l1i" : "l1d",
                code ? machine->l1i_line_bytes : machine->l1d_line_bytes, R4F_LINE_BYTES);
}

static void place_memory(struct r4f_memory *memory, const struct armpmu_machine *m)
{
    memory->atcm = range_of(m->atcm_base_kb, m->atcm_size_kb);
    memory->btcm = range_of(m->btcm_base_kb, m->btcm_size_kb);
    memory->write_through = range_of(m->regions_write_through_kb, m->regions_write_through_size_kb);
    memory->noncacheable = range_of(m->regions_noncacheable_kb, m->regions_noncacheable_size_kb);
    memory->ordered = range_of(m->regions_ordered_kb, m->regions_ordered_size_kb);
    memory->has_ranges = (m->atcm_size_kb | m->btcm_size_kb | m->regions_write_through_size_kb |
                          m->regions_noncacheable_size_kb | m->regions_ordered_size_kb) != 0;
    r4f_memory_switch(memory, 0);
}

enum armpmu_status r4f_memory_init(struct r4f_memory *memory, const struct armpmu_machine *machine,
                                   uint64_t *tally, struct armpmu_error *err)
{
    memset(memory, 0, sizeof *memory);
    memory->machine = machine;
    memory->tally = tally;
    memory->has_l1i = machine->l1i_size_kb != 0;
    memory->has_l1d = machine->l1d_size_kb != 0;
    memory->write_allocate = machine->l1d_write_allocate == YESNO_YES;
    memory->n_fills = machine->linefill_buffers;
    memory->filters = machine->l1d_replacement != REPLACEMENT_LRU;
    memory->fetch_epoch = 1;
    memory->flash_read = UINT64_MAX - 1; /* nothing, and no number follows it */
    place_memory(memory, machine);
    r4f_stores_init(&memory->stores, machine->store_buffer_entries, machine->store_queue_entries,
                    leave, memory);
    enum armpmu_status status = check_lines(machine, err);
    if (status == ARMPMU_OK)
        status = make_cache(&memory->l1i, machine->l1i_size_kb, machine->l1i_ways,
                            machine->l1i_replacement, machine->random_seed ^ 1, err);
    if (status == ARMPMU_OK)
        status = make_cache(&memory->l1d, machine->l1d_size_kb, machine->l1d_ways,
                            machine->l1d_replacement, machine->random_seed ^ 2, err);
    for (unsigned i = 0; i < R4F_STORED; i++)
        memory->stored[i] = memory->l1d.lines; /* any line: what it holds is compared */
    return status;
}

void r4f_memory_free(struct r4f_memory *memory)
{
    cache_free(&memory->l1i);
    cache_free(&memory->l1d);
}

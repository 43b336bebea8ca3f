#include "memory.h"

#include <stdlib.h>
#include <string.h>

static uint64_t latest(uint64_t a, uint64_t b)
{
    return a < b ? b : a;
}

static void wait_until(struct slow_memory *memory, uint64_t cycle, enum armpmu_signal why)
{
    while (memory->now < cycle) {
        memory->now++;
        memory->count[why]++;
    }
}

/* ---- what lies where ---- */

static bool lies_in(uint32_t address, uint32_t base_kb, uint32_t size_kb)
{
    return address / 1024 >= base_kb && address / 1024 - base_kb < size_kb;
}

/* 'A', 'B' TCMs; 'O' Strongly ordered, 'N' Normal and not cacheable, 'D' Device; 'W' write-back,
 * 'T' write-through. */
static char kind_of(const struct slow_memory *memory, uint32_t address, bool code)
{
    const struct armpmu_machine *m = memory->machine;
    if (lies_in(address, m->atcm_base_kb, m->atcm_size_kb))
        return 'A';
    if (lies_in(address, m->btcm_base_kb, m->btcm_size_kb))
        return 'B';
    if (lies_in(address, m->regions_ordered_kb, m->regions_ordered_size_kb))
        return 'O';
    if (lies_in(address, m->regions_noncacheable_kb, m->regions_noncacheable_size_kb))
        return 'N';
    if (m->memory_elsewhere == ELSEWHERE_TCM)
        return code ? 'A' : 'B';
    if (m->memory_elsewhere == ELSEWHERE_NONCACHEABLE ||
        (code ? memory->code.sets : memory->data.sets) == 0)
        return 'N';
    if (code)
        return 'W';
    return m->l1d_protection == PROTECTION_PARITY ||
                   lies_in(address, m->regions_write_through_kb, m->regions_write_through_size_kb)
               ? 'T'
               : 'W';
}

/* ---- caches ---- */

static struct slow_cache new_cache(unsigned size_kb, unsigned ways)
{
    struct slow_cache cache = {.sets = size_kb * 1024 / SLOW_LINE / ways, .ways = ways};
    cache.used = calloc(cache.sets + 1, sizeof *cache.used);
    cache.lines = calloc(cache.sets + 1, sizeof *cache.lines);
    if (cache.used == NULL || cache.lines == NULL)
        abort();
    return cache;
}

/* Where a line is in its set, or -1. */
static int place_of(const struct slow_cache *cache, uint32_t line)
{
    for (unsigned i = 0; cache->sets != 0 && i < cache->used[line % cache->sets]; i++)
        if (cache->lines[line % cache->sets][i].line == line)
            return (int)i;
    return -1;
}

static struct slow_line take_out(struct slow_cache *cache, uint32_t line, int place)
{
    struct slow_line *set = cache->lines[line % cache->sets];
    const struct slow_line out = set[place];
    const unsigned left = --cache->used[line % cache->sets];
    memmove(&set[place], &set[place + 1], (left - (unsigned)place) * sizeof set[0]);
    return out;
}

static struct slow_line *put_first(struct slow_cache *cache, struct slow_line line)
{
    struct slow_line *set = cache->lines[line.line % cache->sets];
    memmove(&set[1], &set[0], cache->used[line.line % cache->sets]++ * sizeof set[0]);
    set[0] = line;
    return set;
}

/* The line, now the newest; NULL when it is not there. */
static struct slow_line *touch(struct slow_cache *cache, uint32_t line)
{
    const int place = place_of(cache, line);
    return place < 0 ? NULL : put_first(cache, take_out(cache, line, place));
}

/* Makes room; returns what left, line UINT32_MAX for nothing. */
static struct slow_line make_room(struct slow_cache *cache, uint32_t line)
{
    const unsigned used = cache->used[line % cache->sets];
    return used < cache->ways ? (struct slow_line){UINT32_MAX, false}
                              : take_out(cache, line, (int)used - 1);
}

static uint64_t write_back(struct slow_memory *memory, uint64_t at)
{
    at = latest(at, memory->eviction_free);
    memory->eviction_free = at + memory->machine->eviction_cycles;
    memory->count[ARMPMU_SIGNAL_L1D_WRITE_BACK]++;
    memory->count[ARMPMU_SIGNAL_EXTERNAL_REQUEST]++;
    return at;
}

/* The linefill buffer that has been free longest. */
static unsigned idle_buffer(const struct slow_memory *memory)
{
    unsigned best = 0;
    for (unsigned i = 0; i < memory->machine->linefill_buffers; i++)
        best = memory->buffers[i].done < memory->buffers[best].done ? i : best;
    return best;
}

static uint64_t bring(struct slow_memory *memory, uint32_t line, uint64_t at)
{
    const unsigned buffer = idle_buffer(memory);
    at = latest(at, memory->buffers[buffer].done);
    if (make_room(&memory->data, line).dirty)
        at = write_back(memory, at);
    put_first(&memory->data, (struct slow_line){line, false});
    memory->buffers[buffer].line = line;
    memory->buffers[buffer].done =
        at + memory->machine->memory_latency_cycles + memory->machine->linefill_transfer_cycles;
    memory->count[ARMPMU_SIGNAL_EXTERNAL_REQUEST]++;
    return at;
}

/* ---- errors ---- */

static void report(struct slow_memory *memory, enum armpmu_signal signal, char kind,
                   uint32_t address)
{
    memory->count[signal]++;
    memory->reported = memory->reported * 5 + signal;
    memory->reported = memory->reported * 5 + (kind == 'A' ? 1 : kind == 'B' ? 2 : 0);
    memory->reported = memory->reported * 5 + address;
}

static void forget_error(struct slow_memory *memory, unsigned i)
{
    for (memory->n_errors--; i < memory->n_errors; i++)
        memory->errors[i] = memory->errors[i + 1];
}

/* 'I' of the instruction cache, 'D' of the data cache, 'T' of a TCM. */
static char where_is(enum armpmu_injection kind)
{
    switch (kind) {
    case ARMPMU_INJECT_ICACHE_TAG:
    case ARMPMU_INJECT_ICACHE_DATA:
    case ARMPMU_INJECT_ICACHE_DATA_HARD:
        return 'I';
    case ARMPMU_INJECT_TCM:
    case ARMPMU_INJECT_TCM_FATAL:
    case ARMPMU_INJECT_SLAVE_READ:
        return 'T';
    default:
        return 'D';
    }
}

static bool is_fatal(enum armpmu_injection kind)
{
    return kind == ARMPMU_INJECT_DCACHE_TAG_FATAL || kind == ARMPMU_INJECT_DCACHE_DATA_FATAL ||
           kind == ARMPMU_INJECT_TCM_FATAL;
}

/* The signal of an error in a cache, and whether one sees it without looking at the data. */
static enum armpmu_signal signal_of(enum armpmu_injection kind, bool *in_tag)
{
    *in_tag = kind == ARMPMU_INJECT_ICACHE_TAG || kind == ARMPMU_INJECT_DCACHE_TAG ||
              kind == ARMPMU_INJECT_DCACHE_TAG_FATAL;
    if (where_is(kind) == 'I')
        return *in_tag ? ARMPMU_SIGNAL_L1I_TAG_ERROR : ARMPMU_SIGNAL_L1I_DATA_ERROR;
    if (is_fatal(kind))
        return *in_tag ? ARMPMU_SIGNAL_L1D_TAG_FATAL : ARMPMU_SIGNAL_L1D_DATA_FATAL;
    return *in_tag ? ARMPMU_SIGNAL_L1D_TAG_ERROR : ARMPMU_SIGNAL_L1D_DATA_ERROR;
}

/* The error of a line that is looked at, its data too or only its tag: -1 for none. */
static int error_of_line(const struct slow_memory *memory, char cache, uint32_t line, bool data)
{
    for (unsigned i = 0; i < memory->n_errors; i++) {
        bool in_tag;
        signal_of(memory->errors[i].kind, &in_tag);
        if (where_is(memory->errors[i].kind) == cache &&
            memory->errors[i].address / SLOW_LINE == line && (data || in_tag))
            return (int)i;
    }
    return -1;
}

/* A line that is there is looked at. Returns whether it is there no more. */
static bool meet_in_line(struct slow_memory *memory, char cache, uint32_t line, bool data)
{
    struct slow_cache *lines = cache == 'I' ? &memory->code : &memory->data;
    const int i = error_of_line(memory, cache, line, data);
    bool in_tag;
    if (i < 0)
        return false;
    struct slow_error *error = &memory->errors[i];
    report(memory, signal_of(error->kind, &in_tag), cache, error->address);
    if (take_out(lines, line, place_of(lines, line)).dirty && !is_fatal(error->kind))
        write_back(memory, memory->now);
    const bool comes_back = error->kind == ARMPMU_INJECT_ICACHE_DATA_HARD ||
                            error->kind == ARMPMU_INJECT_DCACHE_DATA_HARD;
    if (comes_back && !error->met) {
        error->met = true;
        return true;
    }
    memory->count[ARMPMU_SIGNAL_LIVELOCK] += comes_back;
    forget_error(memory, (unsigned)i);
    return true;
}

static enum machine_protection protection_of(const struct slow_memory *memory, char kind)
{
    return kind == 'A' ? memory->machine->atcm_protection : memory->machine->btcm_protection;
}

/* By the fetch 'F', a load or store 'L', another master 'S'. */
static enum armpmu_signal seen_by(char reader, bool fatal)
{
    if (reader == 'F')
        return fatal ? ARMPMU_SIGNAL_TCM_FATAL_FETCH : ARMPMU_SIGNAL_TCM_CORRECTABLE_FETCH;
    if (reader == 'L')
        return fatal ? ARMPMU_SIGNAL_TCM_FATAL_DATA : ARMPMU_SIGNAL_TCM_CORRECTABLE_DATA;
    return fatal ? ARMPMU_SIGNAL_TCM_FATAL_SLAVE : ARMPMU_SIGNAL_TCM_CORRECTABLE_SLAVE;
}

static enum armpmu_signal port_of(char kind, uint32_t address, bool fatal)
{
    if (kind == 'A')
        return fatal ? ARMPMU_SIGNAL_ATCM_FATAL : ARMPMU_SIGNAL_ATCM_CORRECTABLE;
    if (address % 16 < 8)
        return fatal ? ARMPMU_SIGNAL_B0TCM_FATAL : ARMPMU_SIGNAL_B0TCM_CORRECTABLE;
    return fatal ? ARMPMU_SIGNAL_B1TCM_FATAL : ARMPMU_SIGNAL_B1TCM_CORRECTABLE;
}

/* A doubleword of a TCM is read. */
static void meet_in_tcm(struct slow_memory *memory, char kind, uint32_t address, char reader)
{
    for (unsigned i = 0; i < memory->n_errors; i++) {
        const struct slow_error error = memory->errors[i];
        if (where_is(error.kind) != 'T' ||
            error.address / SLOW_DOUBLEWORD != address / SLOW_DOUBLEWORD)
            continue;
        const bool fatal = is_fatal(error.kind) || protection_of(memory, kind) == PROTECTION_PARITY;
        report(memory, port_of(kind, address, fatal), kind, error.address);
        report(memory, seen_by(reader, fatal), kind, error.address);
        forget_error(memory, i);
        return;
    }
}

/* A line that is looked up, made the newest: NULL when it is not there, or not any more. */
static struct slow_line *look_at(struct slow_memory *memory, uint32_t line, bool data)
{
    struct slow_line *there = touch(&memory->data, line);
    return there != NULL && meet_in_line(memory, 'D', line, data) ? NULL : there;
}

bool slow_memory_inject(struct slow_memory *memory, enum armpmu_injection kind, uint32_t address)
{
    const struct armpmu_machine *m = memory->machine;
    const char where = where_is(kind);
    char tcm = kind_of(memory, address, false);
    if (tcm != 'A' && tcm != 'B')
        tcm = kind_of(memory, address, true);
    if (where == 'T' && tcm != 'A' && tcm != 'B')
        return false;
    if (kind == ARMPMU_INJECT_SLAVE_READ) {
        meet_in_tcm(memory, kind_of(memory, address, false) == 'A' ? 'A' : 'B', address, 'S');
        return true;
    }
    if (where != 'T' && (where == 'I' ? memory->code.sets : memory->data.sets) == 0)
        return false;
    const enum machine_protection protection = where == 'I'   ? m->l1i_protection
                                               : where == 'D' ? m->l1d_protection
                                                              : protection_of(memory, tcm);
    if (protection == PROTECTION_NONE || (protection == PROTECTION_PARITY && is_fatal(kind)) ||
        memory->n_errors == SLOW_ERRORS)
        return false;
    memory->errors[memory->n_errors++] = (struct slow_error){kind, address, false};
    return true;
}

/* ---- stores ---- */

/* What bytes of a line a group of stores has: masks by doubleword. */
struct slow_group {
    uint32_t line;
    char kind;
    unsigned n, bytes[4];
};

/* An ECC covers 32 or 64 bits: where only some of them are written, the doubleword is read first.
 */
static void read_first(struct slow_memory *memory, const struct slow_group *group)
{
    const unsigned covered = memory->machine->tcm_ecc_bits / 8;
    if (protection_of(memory, group->kind) != PROTECTION_ECC)
        return;
    for (unsigned i = 0; i < 4; i++) {
        bool part = false;
        for (unsigned at = 0; at < 8; at += covered) {
            unsigned written = 0;
            for (unsigned byte = at; byte < at + covered; byte++)
                written += group->bytes[i] >> byte & 1;
            part |= written != 0 && written != covered;
        }
        if (part)
            meet_in_tcm(memory, group->kind, group->line * SLOW_LINE + i * SLOW_DOUBLEWORD, 'L');
    }
}

/* Whether data of the line must be read for what is written: a doubleword is written in part. */
static bool reads_data(const struct slow_group *group)
{
    for (unsigned i = 0; i < 4; i++)
        if (group->bytes[i] != 0 && group->bytes[i] != 0xff)
            return true;
    return false;
}

/* What a group of stores does when it leaves from cycle `at` on; returns when it has left. */
static uint64_t arrive(struct slow_memory *memory, const struct slow_group *group, uint64_t at)
{
    const struct armpmu_machine *m = memory->machine;
    struct slow_line *there;
    switch (group->kind) {
    case 'A':
    case 'B':
        read_first(memory, group);
        return at + group->n * m->store_buffer_drain_cycles;
    case 'N':
    case 'O':
    case 'D':
        memory->count[ARMPMU_SIGNAL_NONCACHEABLE_REQUEST]++;
        break;
    case 'T':
        look_at(memory, group->line, reads_data(group));
        break;
    default:
        there = look_at(memory, group->line, reads_data(group));
        if (there == NULL && m->l1d_write_allocate == YESNO_YES) {
            memory->count[ARMPMU_SIGNAL_L1D_REFILL]++;
            at = bring(memory, group->line, at);
            there = &memory->data.lines[group->line % memory->data.sets][0];
        }
        if (there != NULL) {
            there->dirty = true;
            return at + group->n * m->store_buffer_drain_cycles;
        }
    }
    memory->count[ARMPMU_SIGNAL_EXTERNAL_REQUEST]++;
    return at + m->store_buffer_bus_cycles;
}

/* What waits of a line, of one kind of memory, leaves together. */
static void leave(struct slow_memory *memory, uint32_t line, char kind, uint64_t at)
{
    struct slow_group group = {.line = line, .kind = kind};
    for (unsigned i = 0; i < memory->n_stores; i++) {
        struct slow_store *store = &memory->stores[i];
        if (store->waits && store->doubleword / 4 == line && store->kind == kind) {
            store->waits = false;
            store->left = UINT64_MAX; /* not known yet */
            group.bytes[store->doubleword % 4] |= store->bytes;
            group.n++;
        }
    }
    memory->port_free = arrive(memory, &group, latest(at, memory->port_free));
    for (unsigned i = 0; i < memory->n_stores; i++)
        if (memory->stores[i].left == UINT64_MAX)
            memory->stores[i].left = memory->port_free;
}

static void leave_oldest(struct slow_memory *memory, uint64_t at)
{
    for (unsigned i = 0; i < memory->n_stores; i++) {
        if (memory->stores[i].waits) {
            leave(memory, memory->stores[i].doubleword / 4, memory->stores[i].kind, at);
            return;
        }
    }
}

static void forget_stores(struct slow_memory *memory, uint64_t now)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < memory->n_stores; i++)
        if (memory->stores[i].waits || memory->stores[i].left > now)
            memory->stores[kept++] = memory->stores[i];
    memory->n_stores = kept;
}

/* The cycle from which the buffer takes another store: something is made to leave if need be. */
static uint64_t wait_for_room(struct slow_memory *memory, uint64_t at)
{
    bool all_wait = true;
    if (memory->n_stores < memory->machine->store_buffer_entries)
        return at;
    for (unsigned i = 0; i < memory->n_stores; i++)
        all_wait = all_wait && memory->stores[i].waits;
    if (all_wait)
        leave_oldest(memory, at);
    for (;; at++) {
        const unsigned before = memory->n_stores;
        forget_stores(memory, at);
        if (memory->n_stores < before)
            return at;
    }
}

/* Whether it joined a doubleword that waits. */
static bool join(struct slow_memory *memory, const struct slow_store *new, uint64_t at)
{
    for (unsigned i = 0; i < memory->n_stores; i++) {
        struct slow_store *store = &memory->stores[i];
        if (!store->waits || store->doubleword != new->doubleword || store->kind != new->kind)
            continue;
        store->bytes |= new->bytes;
        if (store->bytes == 0xff)
            leave(memory, new->doubleword / 4, new->kind, at);
        memory->count[ARMPMU_SIGNAL_STORE_MERGED]++;
        return true;
    }
    return false;
}

static void put_store(struct slow_memory *memory, const struct slow_store *new, uint64_t at)
{
    const unsigned queue = memory->machine->store_queue_entries;
    const bool at_once = new->kind == 'D' || new->kind == 'O';
    bool clash = false;
    const uint64_t queued = latest(at, memory->departures[queue - 1]);
    const uint64_t head = latest(queued, memory->departures[0] + 1);
    uint64_t taken = head;
    forget_stores(memory, head);
    for (unsigned i = 0; i < memory->n_stores; i++)
        clash |= memory->stores[i].doubleword / 4 == new->doubleword / 4 &&
                 memory->stores[i].kind != new->kind;
    memory->count[ARMPMU_SIGNAL_STORE_ATTRIBUTE_CLASH] += clash;
    if (at_once || !join(memory, new, head)) {
        taken = wait_for_room(memory, head);
        memory->stores[memory->n_stores++] = *new;
        if (at_once || new->bytes == 0xff)
            leave(memory, new->doubleword / 4, new->kind, taken);
        if (memory->n_stores >= memory->machine->store_buffer_entries ||
            memory->n_stores + 1 == memory->machine->store_buffer_entries)
            leave_oldest(memory, taken);
    }
    memory->count[ARMPMU_SIGNAL_STORE_BUFFER_STALL] += taken - head;
    memory->count[ARMPMU_SIGNAL_STORE_QUEUE_STALL] += queued - at;
    memmove(&memory->departures[1], &memory->departures[0], 15 * sizeof memory->departures[0]);
    memory->departures[0] = taken;
    wait_until(memory, memory->now + (queued - at), ARMPMU_SIGNAL_LSU_BUSY_STALL);
}

/* Everything leaves behind what the queue still has; returns when it has. */
static uint64_t empty(struct slow_memory *memory)
{
    uint64_t at = latest(memory->now, memory->departures[0]);
    for (unsigned i = 0; i < memory->n_stores; i++)
        if (memory->stores[i].waits)
            leave(memory, memory->stores[i].doubleword / 4, memory->stores[i].kind, at);
    for (unsigned i = 0; i < memory->n_stores; i++)
        at = latest(at, memory->stores[i].left);
    memory->n_stores = 0;
    return at;
}

void slow_memory_drain(struct slow_memory *memory)
{
    memory->count[ARMPMU_SIGNAL_STORE_BUFFER_DRAIN]++;
    wait_until(memory, empty(memory), ARMPMU_SIGNAL_LSU_BUSY_STALL);
}

void slow_memory_finish(struct slow_memory *memory)
{
    empty(memory);
}

static void store(struct slow_memory *memory, char kind, const struct slow_access *access)
{
    const uint32_t last = access->address + access->bytes - 1;
    for (uint32_t at = access->address; at <= last;) {
        const uint32_t doubleword = at / SLOW_DOUBLEWORD;
        struct slow_store new = {.doubleword = doubleword, .kind = kind, .waits = true};
        for (; at <= last && at / SLOW_DOUBLEWORD == doubleword; at++)
            new.bytes |= 1u << at % SLOW_DOUBLEWORD;
        memory->count[ARMPMU_SIGNAL_L1D_ACCESS] += kind == 'W' || kind == 'T';
        const uint32_t to_come = last / SLOW_DOUBLEWORD - doubleword;
        put_store(memory, &new,
                  memory->now - (to_come < access->spread ? to_come : access->spread));
    }
}

/* ---- loads ---- */

static void take_along(struct slow_memory *memory, uint32_t line)
{
    for (unsigned i = 0; i < memory->n_stores; i++)
        if (memory->stores[i].waits && memory->stores[i].doubleword / 4 == line)
            leave(memory, line, memory->stores[i].kind, memory->now);
}

static void load_line(struct slow_memory *memory, uint32_t line)
{
    if (look_at(memory, line, true) != NULL) {
        for (unsigned i = 0; i < memory->machine->linefill_buffers; i++)
            if (memory->buffers[i].line == line)
                wait_until(memory, memory->buffers[i].done, ARMPMU_SIGNAL_LSU_BUSY_STALL);
        return;
    }
    const uint64_t start = bring(memory, line, memory->now);
    memory->count[ARMPMU_SIGNAL_L1D_REFILL]++;
    wait_until(memory, start + memory->machine->memory_latency_cycles,
               ARMPMU_SIGNAL_LSU_BUSY_STALL);
    take_along(memory, line);
}

/* What an instruction wants of a line. */
static void load_part(struct slow_memory *memory, char kind, uint32_t first, uint32_t last)
{
    const struct armpmu_machine *m = memory->machine;
    if (kind == 'W' || kind == 'T') {
        memory->count[ARMPMU_SIGNAL_L1D_ACCESS] +=
            last / SLOW_DOUBLEWORD - first / SLOW_DOUBLEWORD + 1;
        load_line(memory, first / SLOW_LINE);
    } else if (kind == 'A' || kind == 'B') {
        wait_until(memory, memory->now + (kind == 'A' ? m->atcm_wait_cycles : m->btcm_wait_cycles),
                   ARMPMU_SIGNAL_LSU_BUSY_STALL);
        for (uint32_t at = first / SLOW_DOUBLEWORD; at <= last / SLOW_DOUBLEWORD; at++)
            meet_in_tcm(memory, kind, at * SLOW_DOUBLEWORD, 'L');
    } else {
        if (kind == 'O')
            slow_memory_drain(memory);
        memory->count[ARMPMU_SIGNAL_EXTERNAL_REQUEST]++;
        memory->count[ARMPMU_SIGNAL_NONCACHEABLE_REQUEST]++;
        wait_until(memory, memory->now + m->memory_latency_cycles, ARMPMU_SIGNAL_LSU_BUSY_STALL);
    }
}

void slow_memory_access(struct slow_memory *memory, const struct slow_access *access)
{
    const char kind = access->device ? 'D' : kind_of(memory, access->address, false);
    const uint32_t last = access->address + access->bytes - 1;
    if (kind == 'O' && access->store && !access->load)
        slow_memory_drain(memory); /* a load sees to it itself */
    if (kind == 'N' && (access->exclusive || (access->load && access->store)))
        slow_memory_drain(memory);
    for (uint32_t at = access->address; access->load && at <= last;) {
        const uint32_t line_last = at | (SLOW_LINE - 1);
        load_part(memory, kind, at, line_last < last ? line_last : last);
        at = line_last + 1;
    }
    if (access->store)
        store(memory, kind, access);
}

void slow_memory_preload(struct slow_memory *memory, uint32_t address)
{
    const char kind = kind_of(memory, address, false);
    if ((kind != 'W' && kind != 'T') || place_of(&memory->data, address / SLOW_LINE) >= 0)
        return;
    if (memory->buffers[idle_buffer(memory)].done > memory->now) {
        memory->count[ARMPMU_SIGNAL_PRELOAD_DROPPED]++;
        return;
    }
    memory->count[ARMPMU_SIGNAL_PRELOAD_REFILL]++;
    bring(memory, address / SLOW_LINE, memory->now);
    take_along(memory, address / SLOW_LINE);
}

/* ---- code ---- */

void slow_memory_fetch(struct slow_memory *memory, uint32_t start, uint32_t end, bool jumped)
{
    const struct armpmu_machine *m = memory->machine;
    const uint32_t bytes = m->l1i_fetch_bytes;
    const char kind = kind_of(memory, start, true);
    uint32_t fetches = 0;
    for (uint32_t at = start / bytes * bytes; at < end; at += bytes)
        fetches += at >= start || jumped; /* else it came with what is in front of it */
    if (kind == 'A' || kind == 'B') {
        const bool read = kind == 'A' && start >= memory->flash_from && start < memory->flash_to;
        if (jumped && !read)
            wait_until(memory,
                       memory->now + (kind == 'A' ? m->atcm_wait_cycles : m->btcm_wait_cycles),
                       ARMPMU_SIGNAL_ISSUE_EMPTY);
        if (kind == 'A' && m->atcm_read_bytes != 0) {
            memory->flash_from = (end - 1) & -m->atcm_read_bytes;
            memory->flash_to = memory->flash_from + 2 * m->atcm_read_bytes;
        }
        for (uint32_t at = start / SLOW_DOUBLEWORD; at * SLOW_DOUBLEWORD < end; at++)
            meet_in_tcm(memory, kind, at * SLOW_DOUBLEWORD, 'F');
        return;
    }
    if (kind != 'W') {
        memory->count[ARMPMU_SIGNAL_EXTERNAL_REQUEST] += fetches;
        memory->count[ARMPMU_SIGNAL_NONCACHEABLE_REQUEST] += fetches;
        wait_until(memory, memory->now + (uint64_t)fetches * m->memory_latency_cycles,
                   ARMPMU_SIGNAL_ISSUE_EMPTY);
        return;
    }
    memory->count[ARMPMU_SIGNAL_L1I_ACCESS] += fetches;
    for (uint32_t line = start / SLOW_LINE; line * SLOW_LINE < end; line++) {
        if (touch(&memory->code, line) != NULL && !meet_in_line(memory, 'I', line, true))
            continue;
        make_room(&memory->code, line);
        put_first(&memory->code, (struct slow_line){line, false});
        memory->count[ARMPMU_SIGNAL_L1I_REFILL]++;
        memory->count[ARMPMU_SIGNAL_EXTERNAL_REQUEST]++;
        wait_until(memory, memory->now + m->memory_latency_cycles, ARMPMU_SIGNAL_ISSUE_EMPTY);
    }
}

/* ---- maintenance ---- */

void slow_memory_treat_line(struct slow_memory *memory, uint32_t line, bool code, bool data,
                            bool clean, bool invalidate)
{
    const int in_code = code ? place_of(&memory->code, line) : -1;
    const int in_data = data ? place_of(&memory->data, line) : -1;
    if (in_code >= 0)
        take_out(&memory->code, line, in_code);
    if (in_data < 0)
        return;
    struct slow_line *found = &memory->data.lines[line % memory->data.sets][in_data];
    if (clean && found->dirty) {
        write_back(memory, memory->now);
        found->dirty = false;
    }
    if (invalidate)
        take_out(&memory->data, line, in_data);
}

void slow_memory_treat_all(struct slow_memory *memory, bool code, bool data, bool clean,
                           bool invalidate)
{
    for (unsigned set = 0; code && set < memory->code.sets; set++)
        memory->code.used[set] = 0;
    for (unsigned set = 0; data && set < memory->data.sets; set++)
        for (unsigned i = memory->data.used[set]; i-- > 0;)
            slow_memory_treat_line(memory, memory->data.lines[set][i].line, false, true, clean,
                                   invalidate);
}

/* ---- life ---- */

void slow_memory_init(struct slow_memory *memory, const struct armpmu_machine *machine)
{
    memset(memory, 0, sizeof *memory);
    memory->machine = machine;
    memory->code = new_cache(machine->l1i_size_kb, machine->l1i_ways);
    memory->data = new_cache(machine->l1d_size_kb, machine->l1d_ways);
    for (unsigned i = 0; i < 8; i++)
        memory->buffers[i].line = UINT32_MAX;
}

void slow_memory_free(struct slow_memory *memory)
{
    free(memory->code.used);
    free(memory->code.lines);
    free(memory->data.used);
    free(memory->data.lines);
}

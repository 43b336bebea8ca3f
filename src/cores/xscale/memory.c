#include "cores/xscale/memory.h"

#include "base/error.h"

enum { MINI_WAYS = 2, MINI_SHARE = 16 /* of the data cache */ };

#define NO_LINE UINT32_MAX
#define NO_PAGE UINT32_MAX

static void count(struct xs_memory *memory, enum armpmu_signal signal, uint64_t n)
{
    memory->tally[signal] += n;
}

/* ---- the filters ---- */

/* Besides the dirty halves of a line of data: the filters may have it. Many lines leave before they
 * are asked for twice. */
#define IS_KNOWN 4

static uint32_t half_bit(uint32_t address)
{
    return 1u << (address >> XS_HALF_SHIFT & 1);
}

/* A line has come. */
static void know_data(struct xs_memory *memory, struct cache_line *line)
{
    const uint32_t address = line->physical << XS_LINE_SHIFT;
    if (!memory->knows_data)
        return;
    line_filter_add(&memory->loads, address, 0, XS_LINE_SHIFT);
    for (uint32_t at = address; at - address < XS_LINE_BYTES; at += XS_HALF_BYTES)
        if (line->dirty & half_bit(at))
            line_filter_add(&memory->stores, at, 0, XS_HALF_SHIFT);
    line->dirty |= IS_KNOWN;
}

static void forget_data(struct xs_memory *memory, const struct cache_line *line)
{
    const uint32_t address = line->physical << XS_LINE_SHIFT;
    if ((line->dirty & IS_KNOWN) == 0)
        return;
    line_filter_drop(&memory->loads, address, XS_LINE_SHIFT);
    line_filter_drop(&memory->stores, address, XS_HALF_SHIFT);
    line_filter_drop(&memory->stores, address + XS_HALF_BYTES, XS_HALF_SHIFT);
}

static void forget_fetches(struct xs_memory *memory)
{
    line_filter_clear(&memory->fetch, XS_LINE_SHIFT);
    memory->fetch_epoch++;
}

static void forget_all(struct xs_memory *memory)
{
    line_filter_clear(&memory->loads, XS_LINE_SHIFT);
    line_filter_clear(&memory->stores, XS_HALF_SHIFT);
    forget_fetches(memory);
}

/* ---- set-up ---- */

/* The sizes that the core can have. Smaller and narrower caches are taken for experiments.
 * Source: Intel XScale Core Developer's Manual, Instruction Cache, Data Cache. */
static enum armpmu_status check_geometry(const struct armpmu_machine *machine,
                                         struct armpmu_error *err)
{
    const struct {
        const char *key;
        uint32_t value, low, high;
    } limits[] = {
        {"l1i.size_kb", machine->l1i_size_kb, 1, 32},
        {"l1i.line_bytes", machine->l1i_line_bytes, XS_LINE_BYTES, XS_LINE_BYTES},
        {"l1d.size_kb", machine->l1d_size_kb, 1, 32},
        {"l1d.line_bytes", machine->l1d_line_bytes, XS_LINE_BYTES, XS_LINE_BYTES},
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (limits[i].value < limits[i].low || limits[i].value > limits[i].high)
            return fail(
                err, ARMPMU_BAD_CONFIG,
                "machine %s: %s = %u: an XScale core has %u to %u; change its file or --set",
                machine->name, limits[i].key, limits[i].value, limits[i].low, limits[i].high);
    }
    return ARMPMU_OK;
}

static enum armpmu_status init_caches(struct xs_memory *memory,
                                      const struct armpmu_machine *machine,
                                      struct armpmu_error *err)
{
    const uint64_t seed = machine->random_seed;
    const uint32_t i_lines = machine->l1i_size_kb * 1024 / XS_LINE_BYTES;
    const uint32_t d_lines = machine->l1d_size_kb * 1024 / XS_LINE_BYTES;
    enum armpmu_status status =
        cache_init(&memory->l1i, i_lines / machine->l1i_ways, machine->l1i_ways,
                   machine->l1i_replacement, seed ^ 1, err);
    if (status == ARMPMU_OK)
        status = cache_init(&memory->l1d, d_lines / machine->l1d_ways, machine->l1d_ways,
                            machine->l1d_replacement, seed ^ 2, err);
    if (status == ARMPMU_OK)
        status = cache_init(&memory->mini, d_lines / MINI_SHARE / MINI_WAYS, MINI_WAYS,
                            REPLACEMENT_ROUND_ROBIN, seed ^ 3, err);
    if (status == ARMPMU_OK)
        status = tlb_init(&memory->itlb, machine->itlb_entries, machine->itlb_replacement, seed ^ 4,
                          err);
    if (status == ARMPMU_OK)
        status = tlb_init(&memory->dtlb, machine->dtlb_entries, machine->dtlb_replacement, seed ^ 5,
                          err);
    return status;
}

enum armpmu_status xs_memory_init(struct xs_memory *memory, const struct armpmu_machine *machine,
                                  uint64_t *tally, struct armpmu_error *err)
{
    const enum armpmu_status status = check_geometry(machine, err);
    if (status != ARMPMU_OK)
        return status;
    memory->machine = machine;
    memory->tally = tally;
    memory->translates = true;
    memory->data_page = NO_PAGE;
    memory->knows_data =
        machine->l1d_replacement != REPLACEMENT_LRU && machine->dtlb_replacement != REPLACEMENT_LRU;
    memory->beat_shift = (uint32_t)__builtin_ctz(machine->bus_width_bits / 32);
    store_buffer_init(&memory->writes, machine->write_buffer_entries);
    xs_bus_unit_init(&memory->unit, machine, tally);
    forget_all(memory);
    return init_caches(memory, machine, err);
}

void xs_memory_free(struct xs_memory *memory)
{
    cache_free(&memory->l1i);
    cache_free(&memory->l1d);
    cache_free(&memory->mini);
    tlb_free(&memory->itlb);
    tlb_free(&memory->dtlb);
}

/* ---- the bus ---- */

/* Asks for words at a time; returns when the first comes.
 *
 * CHOICE(xscale-bus): what is read comes one beat after the other; writes do not get in its way. */
static uint64_t read_words(struct xs_memory *memory, uint64_t now, uint32_t words)
{
    const uint64_t beat = memory->machine->bus_beat_cycles;
    const uint32_t beats = ((words - 1) >> memory->beat_shift) + 1;
    const bool has_unit = memory->unit.room != 0;
    const uint64_t taken = has_unit ? xs_bus_unit_read(&memory->unit, now) : now;
    uint64_t first = taken + memory->machine->memory_latency_cycles;
    if (first < memory->bus_free + beat && memory->bus_free > taken)
        first = memory->bus_free + beat;
    memory->bus_free = first + (beats - 1) * beat;
    if (has_unit)
        xs_bus_unit_ends(&memory->unit, memory->bus_free);
    return first;
}

/* CHOICE(xscale-critical-word): the word that missed comes first, the line wraps round after it.
 */
static struct xs_fill read_line(struct xs_memory *memory, uint64_t now, uint32_t address)
{
    const uint32_t wanted = address >> 2 & (XS_LINE_WORDS - 1);
    struct xs_fill fill = {.line = address >> XS_LINE_SHIFT,
                           .critical = wanted >> memory->beat_shift << memory->beat_shift};
    fill.first = read_words(memory, now, XS_LINE_WORDS);
    fill.done = memory->bus_free;
    return fill;
}

/* When a word of a line on its way comes. */
static uint64_t arrival(const struct xs_memory *memory, const struct xs_fill *fill,
                        uint32_t address)
{
    const uint32_t word = ((address >> 2) - fill->critical) & (XS_LINE_WORDS - 1);
    return fill->first + (word >> memory->beat_shift) * memory->machine->bus_beat_cycles;
}

/* ---- translation ---- */

/* CHOICE(xscale-walk): the tables are read from memory, nothing else happens meanwhile. */
static uint64_t walk(struct xs_memory *memory, uint64_t now)
{
    now += memory->machine->walk_cycles;
    for (uint32_t level = 0; level < memory->machine->walk_levels; level++)
        now = read_words(memory, now, 1);
    return now;
}

void xs_flush_tlbs(struct xs_memory *memory)
{
    tlb_flush(&memory->itlb);
    tlb_flush(&memory->dtlb);
    memory->data_page = NO_PAGE;
    forget_all(memory);
}

void xs_flush_page(struct xs_memory *memory, uint32_t page)
{
    tlb_flush_page(&memory->itlb, page);
    tlb_flush_page(&memory->dtlb, page);
    memory->data_page = NO_PAGE;
    line_filter_drop_page(&memory->loads, page, XS_LINE_SHIFT);
    line_filter_drop_page(&memory->stores, page, XS_HALF_SHIFT);
    line_filter_drop_page(&memory->fetch, page, XS_LINE_SHIFT);
    memory->fetch_epoch++;
}

void xs_translate(struct xs_memory *memory, bool on)
{
    if (on != memory->translates)
        forget_all(memory);
    memory->translates = on;
}

static void empty_fetch_buffers(struct xs_memory *memory)
{
    memory->buffered[0] = memory->buffered[1] = NO_LINE;
}

/* CHOICE(caches-off): what a cache holds stays there, and is not looked for while it is off; but
 * code that the instruction cache has is found. Source: Intel 273473-002, Instruction Cache, The
 * instruction cache is disabled. */
void xs_switch_caches(struct xs_memory *memory, unsigned off)
{
    memory->no_data_cache = (off & ARMPMU_CONTROL_NO_DATA_CACHE) != 0;
    memory->no_code_cache = (off & ARMPMU_CONTROL_NO_CODE_CACHE) != 0;
    empty_fetch_buffers(memory);
    forget_all(memory);
}

/* ---- instruction side ---- */

static uint64_t fetch_wait(struct xs_memory *memory, uint64_t now, uint64_t until,
                           enum armpmu_signal why)
{
    if (until <= now)
        return now;
    count(memory, ARMPMU_SIGNAL_FETCH_STALL, until - now);
    count(memory, why, until - now);
    return until;
}

static void fill_l1i(struct xs_memory *memory, uint32_t line)
{
    struct cache_line victim;
    cache_fill(&memory->l1i, line, line, &victim);
    if (!victim.valid)
        return;
    line_filter_drop(&memory->fetch, victim.physical << XS_LINE_SHIFT, XS_LINE_SHIFT);
    memory->fetch_epoch++;
}

/* One for each line asked for: a fetch that finds it on its way does not count again. No other is
 * on its way: the core waits for the first word, which comes after the last of the line before. */
static uint64_t fetch_miss(struct xs_memory *memory, uint64_t now, uint32_t address)
{
    struct xs_fill *coming = &memory->fetching;
    count(memory, ARMPMU_SIGNAL_L1I_REFILL, 1);
    miss_map_note(&memory->misses, ARMPMU_MISS_L1I,
                  (uint32_t)cache_set(&memory->l1i, address >> XS_LINE_SHIFT), address, now);
    *coming = read_line(memory, now, address);
    memory->fetch_epoch++;
    if (memory->no_code_cache) {
        memory->buffered[memory->next_buffer] = coming->line;
        memory->next_buffer ^= 1;
        return fetch_wait(memory, now, coming->first, ARMPMU_SIGNAL_STALL_FRONTEND_MEM);
    }
    fill_l1i(memory, coming->line);
    return fetch_wait(memory, now, coming->first, ARMPMU_SIGNAL_STALL_FRONTEND_MEM);
}

void xs_cure_fetch(struct xs_memory *memory, uint32_t address)
{
    const uint32_t line = address >> XS_LINE_SHIFT;
    if (memory->fetching.line == line)
        memory->fetching.done = 0; /* it has come */
    if (!memory->no_code_cache && cache_peek(&memory->l1i, line, line) == NULL)
        fill_l1i(memory, line);
}

static uint64_t translate_fetch(struct xs_memory *memory, uint64_t now, uint32_t address)
{
    const uint64_t page = address >> XS_PAGE_SHIFT;
    struct tlb_entry left;
    if (!memory->translates || tlb_lookup(&memory->itlb, page) != NULL)
        return now;
    tlb_fill(&memory->itlb, page, page, &left);
    if (left.valid)
        line_filter_set_away(&memory->fetch, (uint32_t)left.virtual_page, true, XS_LINE_SHIFT);
    line_filter_set_away(&memory->fetch, (uint32_t)page, false, XS_LINE_SHIFT);
    count(memory, ARMPMU_SIGNAL_ITLB_WALK, 1);
    memory->fetch_epoch++;
    return fetch_wait(memory, now, walk(memory, now), ARMPMU_SIGNAL_STALL_FRONTEND_TLB);
}

static bool is_buffered(const struct xs_memory *memory, uint32_t line)
{
    return memory->no_code_cache && (memory->buffered[0] == line || memory->buffered[1] == line);
}

uint64_t xs_fetch(struct xs_memory *memory, uint64_t now, uint32_t address)
{
    const uint32_t line = address >> XS_LINE_SHIFT;
    const struct xs_fill *coming = &memory->fetching;
    if (coming->done > now && coming->line == line)
        return fetch_wait(memory, now, arrival(memory, coming, address),
                          ARMPMU_SIGNAL_STALL_FRONTEND_MEM);
    if (line_filter_has(&memory->fetch, address, XS_LINE_SHIFT))
        return now;
    now = translate_fetch(memory, now, address);
    if (is_buffered(memory, line))
        return now;
    const bool present = cache_lookup(&memory->l1i, line, line) != NULL;
    if (!present)
        now = fetch_miss(memory, now, address);
    if (!present && memory->no_code_cache)
        return now;
    if (memory->machine->l1i_replacement != REPLACEMENT_LRU &&
        memory->machine->itlb_replacement != REPLACEMENT_LRU)
        line_filter_add(&memory->fetch, address, 0, XS_LINE_SHIFT);
    return now;
}

bool xs_fetch_hits(const struct xs_memory *memory, uint32_t first_line, uint32_t last_line)
{
    for (uint32_t line = first_line; line <= last_line; line++)
        if (!line_filter_has(&memory->fetch, line << XS_LINE_SHIFT, XS_LINE_SHIFT))
            return false;
    return true;
}

/* ---- buffers ---- */

/* The entry of a ring after one. */
static uint32_t next_of(uint32_t entry, uint32_t n_entries)
{
    return entry + 1 == n_entries ? 0 : entry + 1;
}

/* The core waits for a buffer: one run for each unbroken sequence of such cycles. */
static void wait_for_buffer(struct xs_memory *memory, uint64_t *now, uint64_t until)
{
    if (until <= *now)
        return;
    count(memory, ARMPMU_SIGNAL_DATA_BUFFER_STALL, until - *now);
    count(memory, ARMPMU_SIGNAL_DATA_BUFFER_STALL_RUN, *now != memory->stall_end);
    *now = memory->stall_end = until;
}

static void retire_writes(struct xs_memory *memory, uint64_t now)
{
    if (memory->unit.ecc)
        xs_bus_unit_retire(&memory->unit, &memory->writes, now);
    store_buffer_advance(&memory->writes, now);
}

/* Puts some of 16 bytes into the write buffer. */
static void write_out(struct xs_memory *memory, uint64_t *now, uint32_t address, uint16_t lanes,
                      bool mergeable)
{
    retire_writes(memory, *now);
    wait_for_buffer(memory, now, *now + store_buffer_full_for(&memory->writes, *now));
    retire_writes(memory, *now);
    store_buffer_push(&memory->writes, *now, address >> XS_HALF_SHIFT,
                      memory->machine->write_buffer_drain_cycles, mergeable);
    xs_bus_unit_write(&memory->unit, &memory->writes, *now, lanes);
}

static uint16_t lanes_of(uint32_t address, unsigned bytes)
{
    return (uint16_t)(((1u << bytes) - 1) << (address & (XS_HALF_BYTES - 1)));
}

static void write_bytes(struct xs_memory *memory, uint64_t *now, uint32_t address, unsigned bytes)
{
    const bool coalesces = memory->machine->write_buffer_coalesce == YESNO_YES;
    const uint32_t half = address >> XS_HALF_SHIFT;
    retire_writes(memory, *now);
    if (coalesces && store_buffer_merges(&memory->writes, half))
        xs_bus_unit_join(&memory->unit, &memory->writes, half, lanes_of(address, bytes));
    else
        write_out(memory, now, address, lanes_of(address, bytes), coalesces);
}

/* When all that is in the write buffer has gone out. */
static uint64_t last_write(const struct xs_memory *memory)
{
    const struct store_buffer *writes = &memory->writes;
    return writes->used == 0 ? 0 : writes->drained[store_buffer_slot(writes, writes->used - 1)];
}

/* CHOICE(xscale-cast-out): dirty halves leave through the write buffer when the line that takes
 * their place is asked for, and wait for room in it. */
static void write_back(struct xs_memory *memory, uint64_t *now, uint32_t line, uint8_t dirty)
{
    for (uint32_t half = 0; half < 2; half++) {
        if ((dirty >> half & 1) == 0)
            continue;
        count(memory, ARMPMU_SIGNAL_L1D_HALF_LINE_WRITE_BACK, 1);
        write_out(memory, now, line << XS_LINE_SHIFT | half << XS_HALF_SHIFT, UINT16_MAX, false);
    }
}

/* Takes the pend buffer entry used longest ago, for an access that is served at a time. */
static void pend(struct xs_memory *memory, uint64_t served)
{
    memory->pends[memory->next_pend] = served;
    memory->next_pend = next_of(memory->next_pend, memory->machine->pend_buffer_entries);
}

static uint64_t pend_free(const struct xs_memory *memory)
{
    return memory->pends[memory->next_pend];
}

/* ---- data side ---- */

static const struct xs_fill *fill_of(const struct xs_memory *memory, uint64_t now, uint32_t line)
{
    uint32_t matches = 0; /* those that have come included */
    for (uint32_t i = 0; i < memory->machine->fill_buffer_entries; i += 4)
        matches |= match_four(memory->fill_lines + i, line) << i;
    for (; unlikely(matches != 0); matches &= matches - 1) {
        const struct xs_fill *const fill = &memory->fills[__builtin_ctz(matches)];
        if (fill->done > now)
            return fill;
    }
    return NULL;
}

/* CHOICE(xscale-mini-data): pages with the mini data cache's attribute are a range of addresses. */
static struct cache *cache_of(struct xs_memory *memory, uint32_t address)
{
    const uint32_t megabyte = address >> 20;
    const bool mini =
        megabyte - memory->machine->mini_data_first_mb < memory->machine->mini_data_size_mb;
    return mini ? &memory->mini : &memory->l1d;
}

static void word_miss(struct xs_memory *memory, uint64_t now, const struct cache *cache,
                      uint32_t address)
{
    const uint32_t others = cache == &memory->mini ? memory->l1d.sets : 0;

    count(memory, ARMPMU_SIGNAL_L1D_WORD_MISS, 1);
    miss_map_note(&memory->misses, ARMPMU_MISS_L1D,
                  others + (uint32_t)cache_set(cache, address >> XS_LINE_SHIFT), address, now);
}

/* CHOICE(xscale-pending-miss): a word of a line that is on its way misses; it needs a pend buffer
 * entry, but no fill buffer of its own. */
static uint64_t pending_miss(struct xs_memory *memory, uint64_t *now, uint32_t address)
{
    wait_for_buffer(memory, now, pend_free(memory));
    const struct xs_fill *fill = fill_of(memory, *now, address >> XS_LINE_SHIFT);
    access_comes_from(&memory->seen, ARMPMU_FROM_FILL);
    if (fill == NULL) /* it came during the wait */
        return 0;
    const uint64_t served = arrival(memory, fill, address);
    pend(memory, served);
    return served;
}

void xs_cure(struct xs_memory *memory, uint32_t address, uint32_t bytes)
{
    const uint32_t last = (address + bytes - 1) >> XS_LINE_SHIFT;

    for (uint32_t line = address >> XS_LINE_SHIFT; line <= last; line++) {
        struct cache *const cache = cache_of(memory, line << XS_LINE_SHIFT);
        struct cache_line victim;
        if (cache_peek(cache, line, line) != NULL)
            continue;
        cache_fill(cache, line, line, &victim);
        if (victim.valid)
            forget_data(memory, &victim);
    }
}

static ALWAYS_INLINE const struct xs_fill *fill_line(struct xs_memory *memory, uint64_t *now,
                                                     struct cache *cache, uint32_t address,
                                                     uint8_t dirty)
{
    struct xs_fill *fill = &memory->fills[memory->next_fill];
    struct cache_line victim;
    wait_for_buffer(memory, now, fill->done);
    const uint32_t line = address >> XS_LINE_SHIFT;
    memory->fill_lines[memory->next_fill] = line;
    memory->next_fill = next_of(memory->next_fill, memory->machine->fill_buffer_entries);
    cache_fill(cache, line, line, &victim)->dirty = dirty;
    if (victim.valid) {
        forget_data(memory, &victim);
        write_back(memory, now, victim.physical, victim.dirty);
    }
    *fill = read_line(memory, *now, address);
    return fill;
}

static uint64_t fill_miss(struct xs_memory *memory, uint64_t *now, struct cache *cache,
                          uint32_t address, bool store)
{
    const bool dirties = store && memory->machine->l1d_write_back == YESNO_YES;
    wait_for_buffer(memory, now, pend_free(memory));
    const struct xs_fill *fill =
        fill_line(memory, now, cache, address, dirties ? (uint8_t)half_bit(address) : 0);
    pend(memory, fill->first);
    return fill->first;
}

static void store_hit(struct xs_memory *memory, uint64_t *now, struct cache_line *present,
                      uint32_t address, unsigned bytes)
{
    if (memory->machine->l1d_write_back == YESNO_YES) {
        present->dirty |= (uint8_t)half_bit(address);
        return;
    }
    access_comes_from(&memory->seen, ARMPMU_FROM_THROUGH);
    write_bytes(memory, now, address, bytes);
}

static uint64_t access_missing(struct xs_memory *memory, uint64_t *now, struct cache *cache,
                               uint32_t address, unsigned stored)
{
    word_miss(memory, *now, cache, address);
    if (stored != 0 && memory->machine->l1d_write_allocate == YESNO_NO) {
        access_comes_from(&memory->seen, ARMPMU_FROM_PAST);
        write_bytes(memory, now, address, stored);
        return 0;
    }
    access_comes_from(&memory->seen, ARMPMU_FROM_RAM);
    const uint64_t served = fill_miss(memory, now, cache, address, stored != 0);
    if (stored != 0 && memory->machine->l1d_write_back == YESNO_NO)
        write_bytes(memory, now, address, stored);
    return served;
}

/* The data TLB gets the page. */
static void bring_page(struct xs_memory *memory, uint64_t page)
{
    struct tlb_entry left;
    tlb_fill(&memory->dtlb, page, page, &left);
    if (left.valid) {
        line_filter_set_away(&memory->loads, (uint32_t)left.virtual_page, true, XS_LINE_SHIFT);
        line_filter_set_away(&memory->stores, (uint32_t)left.virtual_page, true, XS_HALF_SHIFT);
    }
}

static OUT_OF_LINE void walk_for_data(struct xs_memory *memory, uint64_t *now, uint32_t address)
{
    bring_page(memory, address >> XS_PAGE_SHIFT);
    count(memory, ARMPMU_SIGNAL_DTLB_WALK, 1);
    access_page_from(&memory->seen, ARMPMU_TLB_WALK);
    const uint64_t since = *now;
    *now = walk(memory, since);
    count(memory, ARMPMU_SIGNAL_STALL_BACKEND_TLB, *now - since);
}

/* Returns whether the data TLB lacks the page of an address, which it gets then. */
static inline bool lacks_page(struct xs_memory *memory, uint32_t address)
{
    const uint32_t page = address >> XS_PAGE_SHIFT;
    if (!memory->translates || page == memory->data_page)
        return false;
    memory->data_page = page;
    return tlb_lookup(&memory->dtlb, page) == NULL;
}

/* An access to data has to walk for its page, if the TLB does not have it. */
static inline void translate_data(struct xs_memory *memory, uint64_t *now, uint32_t address)
{
    if (lacks_page(memory, address))
        walk_for_data(memory, now, address);
}

void xs_cure_page(struct xs_memory *memory, uint32_t address)
{
    if (lacks_page(memory, address))
        bring_page(memory, address >> XS_PAGE_SHIFT);
}

uint64_t xs_access(struct xs_memory *memory, uint64_t *now, uint32_t address, unsigned stored)
{
    count(memory, ARMPMU_SIGNAL_L1D_WORD_ACCESS, 1);
    if (xs_word_hits(memory, address & -4u, stored != 0))
        return 0;
    return xs_access_unknown(memory, now, address, stored);
}

uint64_t xs_access_unknown(struct xs_memory *memory, uint64_t *now, uint32_t address,
                           unsigned stored)
{
    const uint32_t line = address >> XS_LINE_SHIFT;
    translate_data(memory, now, address);
    if (line_filter_restore(&memory->loads, address, 0, XS_LINE_SHIFT) && stored == 0)
        return 0;
    struct cache *cache = cache_of(memory, address);
    struct cache_line *present = cache_lookup(cache, line, line);
    if (present == NULL)
        return access_missing(memory, now, cache, address, stored);
    if (stored != 0)
        store_hit(memory, now, present, address, stored);
    if (fill_of(memory, *now, line) != NULL) {
        word_miss(memory, *now, cache, address);
        return pending_miss(memory, now, address);
    }
    know_data(memory, present);
    return 0;
}

bool xs_dirties(struct xs_memory *memory, uint32_t address, uint32_t bytes)
{
    if (memory->machine->l1d_write_back == YESNO_NO ||
        !xs_filter_has(&memory->loads, address, bytes, XS_LINE_SHIFT))
        return false;
    const uint32_t last = (address + bytes - 1) >> XS_HALF_SHIFT;
    for (uint32_t half = address >> XS_HALF_SHIFT; half <= last; half++) {
        const uint32_t at = half << XS_HALF_SHIFT, line = at >> XS_LINE_SHIFT;
        cache_peek(cache_of(memory, at), line, line)->dirty |= (uint8_t)half_bit(at);
        line_filter_add(&memory->stores, at, 0, XS_HALF_SHIFT);
    }
    return true;
}

/* CHOICE(xscale-preload) */
void xs_preload(struct xs_memory *memory, uint64_t *now, uint32_t address)
{
    const uint32_t line = address >> XS_LINE_SHIFT;
    struct cache *cache = cache_of(memory, address);
    if (!xs_caches_data(memory))
        return;
    translate_data(memory, now, address);
    if (cache_lookup(cache, line, line) == NULL)
        fill_line(memory, now, cache, address, 0);
}

void xs_cure_by_preload(struct xs_memory *memory, uint64_t *now, uint32_t address, uint64_t at)
{
    struct xs_fill *const fill = &memory->fills[memory->next_fill];
    const uint32_t line = address >> XS_LINE_SHIFT;
    uint64_t asked = at;
    translate_data(memory, now, address); /* as long as the access would wait for its page */
    if (cache_peek(cache_of(memory, address), line, line) != NULL)
        return;
    if (fill->first > at + memory->machine->memory_latency_cycles)
        fill->done = 0; /* the buffer was taken since */
    xs_preload(memory, &asked, address);
    *now += asked - at;
}

uint64_t xs_drain(struct xs_memory *memory, uint64_t now)
{
    uint64_t done = last_write(memory);
    for (uint32_t i = 0; i < memory->machine->fill_buffer_entries; i++)
        done = memory->fills[i].done > done ? memory->fills[i].done : done;
    xs_bus_unit_drain(&memory->unit);
    return done > now ? done : now;
}

static void wait_for_device(struct xs_memory *memory, uint64_t *now, uint64_t until)
{
    count(memory, ARMPMU_SIGNAL_STALL_BACKEND_DEVICE, until - *now);
    *now = until;
}

/* CHOICE(xscale-device): it waits for what was asked for before, then for memory; it misses no
 * cache, as it looks into none. Source: Intel 252480-006, Write Buffer/Fill Buffer Operation. */
uint64_t xs_uncached(struct xs_memory *memory, uint64_t *now, uint32_t address, unsigned stored)
{
    count(memory, ARMPMU_SIGNAL_L1D_WORD_ACCESS, 1);
    translate_data(memory, now, address);
    wait_for_device(memory, now, xs_drain(memory, *now));
    if (stored != 0) {
        write_out(memory, now, address, lanes_of(address, stored), false);
        wait_for_device(memory, now, last_write(memory));
    } else {
        wait_for_device(memory, now, read_words(memory, *now, 1));
    }
    return 0;
}

struct access_seen xs_seen(struct xs_memory *memory, uint32_t address, uint32_t bytes)
{
    struct access_seen seen = memory->seen;
    if (seen.source == ARMPMU_FROM_L1 && (cache_of(memory, address) == &memory->mini ||
                                          cache_of(memory, address + bytes - 1) == &memory->mini))
        seen.source = ARMPMU_FROM_MINI;
    if (!memory->translates)
        seen.tlb = ARMPMU_TLB_NONE;
    return seen;
}

/* ---- maintenance ---- */

static void maintain_line(struct xs_memory *memory, uint64_t *now, struct cache *cache,
                          struct cache_line *line, unsigned bits)
{
    if (bits & ARMPMU_CACHE_CLEAN) {
        write_back(memory, now, line->physical, line->dirty);
    }
    forget_data(memory, line);
    if (bits & ARMPMU_CACHE_CLEAN)
        line->dirty = 0;
    if (bits & ARMPMU_CACHE_INVALIDATE)
        cache_drop(cache, line);
}

static void maintain_data(struct xs_memory *memory, uint64_t *now, struct cache *cache,
                          unsigned bits, uint32_t operand)
{
    const uint32_t line = operand >> XS_LINE_SHIFT;
    if (bits & ARMPMU_CACHE_ADDRESS) {
        struct cache_line *present = cache_peek(cache, line, line);
        if (present != NULL)
            maintain_line(memory, now, cache, present, bits);
        return;
    }
    for (uint32_t i = 0; i < cache->sets * cache->ways; i++)
        if (cache->lines[i].valid)
            maintain_line(memory, now, cache, &cache->lines[i], bits);
}

static void maintain_fetch(struct xs_memory *memory, unsigned bits, uint32_t operand)
{
    struct cache *cache = &memory->l1i;
    const uint32_t line = operand >> XS_LINE_SHIFT;
    for (uint32_t i = 0; i < cache->sets * cache->ways; i++) {
        struct cache_line *at = &cache->lines[i];
        if (at->valid && (!(bits & ARMPMU_CACHE_ADDRESS) || at->physical == line))
            cache_drop(cache, at);
    }
    empty_fetch_buffers(memory);
    forget_fetches(memory);
}

/* The core has no operation on a set and way.
 *
 * CHOICE(xscale-maintenance): it takes the time that half lines wait for the write buffer. */
void xs_maintain(struct xs_memory *memory, uint64_t *now, unsigned bits, uint32_t operand)
{
    if (bits & ARMPMU_CACHE_SET_WAY)
        return;
    if (bits & ARMPMU_CACHE_DATA) {
        maintain_data(memory, now, &memory->l1d, bits, operand);
        maintain_data(memory, now, &memory->mini, bits, operand);
    }
    if ((bits & ARMPMU_CACHE_INSTRUCTION) && (bits & ARMPMU_CACHE_INVALIDATE))
        maintain_fetch(memory, bits, operand);
}

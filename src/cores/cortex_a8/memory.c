#include "cores/cortex_a8/memory.h"

#include <stddef.h>
#include <stdlib.h>

#include "armpmu/trace.h"
#include "base/error.h"

#define PART_BYTES 16 /* level 2 keeps a dirty bit for each */
#define ALL_PARTS  ((1u << LINE_BYTES / PART_BYTES) - 1)

/* Where the page tables lie: above the 32-bit space that pages map to. */
#define TABLE_BASE        (UINT64_C(1) << 32)
#define SECOND_TABLE_BASE (TABLE_BASE + (UINT64_C(1) << 16))

static void count(struct a8_memory *memory, enum armpmu_signal signal, uint64_t n)
{
    memory->tally[signal] += n;
}

/* ---- the filters ---- */

/* By number: addresses lie LINE_SHIFT bits higher. */
static void drop_line(struct line_filter *filter, uint32_t line)
{
    line_filter_drop(filter, line << LINE_SHIFT, LINE_SHIFT);
}

static inline void add_line(struct line_filter *filter, uint64_t line, uint32_t flags)
{
    line_filter_add(filter, (uint32_t)line << LINE_SHIFT, flags, LINE_SHIFT);
}

static struct a8_page *data_page_slot(struct a8_memory *memory, uint32_t page)
{
    return &memory->data_pages[page % A8_DATA_PAGES];
}

/* A page is no longer in the data TLB. */
static void forget_data_page(struct a8_memory *memory, uint32_t page)
{
    struct a8_page *const known = data_page_slot(memory, page);
    if (known->page == page)
        known->page = A8_NO_PAGE;
}

static void forget_page(struct a8_memory *memory, uint32_t page)
{
    forget_data_page(memory, page);
    memory->fetch_epoch += line_filter_drop_page(&memory->fetch, page, LINE_SHIFT);
    line_filter_drop_page(&memory->data[0], page, LINE_SHIFT);
    line_filter_drop_page(&memory->data[1], page, LINE_SHIFT);
}

void a8_forget_fetches(struct a8_memory *memory)
{
    line_filter_clear(&memory->fetch, LINE_SHIFT);
    memory->fetch_epoch++;
}

static void forget_all(struct a8_memory *memory)
{
    a8_forget_fetches(memory);
    for (uint32_t i = 0; i < A8_DATA_PAGES; i++)
        memory->data_pages[i].page = A8_NO_PAGE;
    line_filter_clear(&memory->data[0], LINE_SHIFT);
    line_filter_clear(&memory->data[1], LINE_SHIFT);
}

void a8_forget_fetch_line(struct a8_memory *memory, uint32_t line)
{
    drop_line(&memory->fetch, line);
    memory->fetch_epoch++;
}

void a8_forget_data_line(struct a8_memory *memory, uint32_t line)
{
    drop_line(&memory->data[0], line);
    drop_line(&memory->data[1], line);
}

/* ---- set-up ---- */

static uint32_t sets_of(uint32_t size_kb, uint32_t ways)
{
    return size_kb * 1024 / ways / LINE_BYTES;
}

/* The largest caches the core can have, and its only line size. Smaller and narrower caches are
 * taken for experiments. Source: ARM DDI 0344, Level 1 Memory System, Level 2 Memory System. */
static enum armpmu_status check_geometry(const struct armpmu_machine *machine,
                                         struct armpmu_error *err)
{
    const bool has_l2 = machine->l2_size_kb != 0;
    const struct {
        const char *key;
        uint32_t value, low, high;
    } limits[] = {
        {"l1i.size_kb", machine->l1i_size_kb, 1, 32},
        {"l1i.line_bytes", machine->l1i_line_bytes, LINE_BYTES, LINE_BYTES},
        {"l1d.size_kb", machine->l1d_size_kb, 1, 32},
        {"l1d.line_bytes", machine->l1d_line_bytes, LINE_BYTES, LINE_BYTES},
        {"l2.size_kb", machine->l2_size_kb, 0, 1024},
        {"l2.line_bytes", has_l2 ? machine->l2_line_bytes : LINE_BYTES, LINE_BYTES, LINE_BYTES},
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (limits[i].value < limits[i].low || limits[i].value > limits[i].high)
            return fail(err, ARMPMU_BAD_CONFIG,
                        "machine %s: %s = %u: a cortex-a8 has %u to %u; change the machine file",
                        machine->name, limits[i].key, limits[i].value, limits[i].low,
                        limits[i].high);
    }
    return ARMPMU_OK;
}

static enum armpmu_status init_hashes(struct a8_memory *memory, struct armpmu_error *err)
{
    const struct cache *l1i = &memory->l1i, *l1d = &memory->l1d;
    const enum armpmu_status status =
        way_predictor_init(&memory->l1i_hash, l1i->sets, l1i->ways, err);
    return status != ARMPMU_OK ? status
                               : way_predictor_init(&memory->l1d_hash, l1d->sets, l1d->ways, err);
}

static enum armpmu_status init_caches(struct a8_memory *memory,
                                      const struct armpmu_machine *machine,
                                      struct armpmu_error *err)
{
    const uint64_t seed = machine->random_seed;
    enum armpmu_status status =
        cache_init(&memory->l1i, sets_of(machine->l1i_size_kb, machine->l1i_ways),
                   machine->l1i_ways, machine->l1i_replacement, seed ^ 1, err);
    if (status == ARMPMU_OK)
        status = cache_init(&memory->l1d, sets_of(machine->l1d_size_kb, machine->l1d_ways),
                            machine->l1d_ways, machine->l1d_replacement, seed ^ 2, err);
    if (status == ARMPMU_OK && machine->way_hash_enabled == YESNO_YES)
        status = init_hashes(memory, err);
    if (status == ARMPMU_OK && memory->has_l2)
        status = cache_init(&memory->l2, sets_of(machine->l2_size_kb, machine->l2_ways),
                            machine->l2_ways, machine->l2_replacement, seed ^ 3, err);
    if (status == ARMPMU_OK)
        status = tlb_init(&memory->itlb, machine->itlb_entries, machine->itlb_replacement, seed ^ 4,
                          err);
    if (status == ARMPMU_OK)
        status = tlb_init(&memory->dtlb, machine->dtlb_entries, machine->dtlb_replacement, seed ^ 5,
                          err);
    return status;
}

enum armpmu_status a8_memory_init(struct a8_memory *memory, const struct armpmu_machine *machine,
                                  uint64_t *tally, struct armpmu_error *err)
{
    const enum armpmu_status status = check_geometry(machine, err);
    if (status != ARMPMU_OK)
        return status;
    memory->machine = machine;
    memory->tally = tally;
    memory->translates = true;
    memory->has_l2 = machine->l2_size_kb != 0;
    const uint32_t bus_bytes = machine->bus_width_bits / 8;
    memory->line_beats = (LINE_BYTES + bus_bytes - 1) / bus_bytes;
    memory->part_beats = (PART_BYTES + bus_bytes - 1) / bus_bytes;
    const uint32_t way_bytes = machine->l1d_size_kb * 1024 / machine->l1d_ways;
    memory->colour_mask = way_bytes > 1u << PAGE_SHIFT ? (way_bytes >> PAGE_SHIFT) - 1 : 0;
    memory->fetch_filtered =
        machine->l1i_replacement != REPLACEMENT_LRU && machine->itlb_replacement != REPLACEMENT_LRU;
    memory->data_filtered =
        machine->l1d_replacement != REPLACEMENT_LRU && machine->dtlb_replacement != REPLACEMENT_LRU;
    page_map_init(&memory->pages, machine->memory_page_map, machine->random_seed ^ 6);
    forget_all(memory); /* which moves the epoch on from 0: never */
    store_buffer_init(&memory->stores, machine->store_buffer_entries);
    return init_caches(memory, machine, err);
}

void a8_memory_free(struct a8_memory *memory)
{
    cache_free(&memory->l1i);
    cache_free(&memory->l1d);
    cache_free(&memory->l2);
    way_predictor_free(&memory->l1i_hash);
    way_predictor_free(&memory->l1d_hash);
    tlb_free(&memory->itlb);
    tlb_free(&memory->dtlb);
    page_map_free(&memory->pages);
    free(memory->uncached);
}

/* ---- level 2 and the bus ---- */

static uint32_t memory_cycles(const struct a8_memory *memory)
{
    return memory->machine->memory_minimum_cycles + memory->machine->memory_latency_cycles;
}

/* Beats that write dirty parts of a line. */
static uint64_t beats_of(const struct a8_memory *memory, uint8_t parts)
{
    static const uint8_t ones[ALL_PARTS + 1] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return (uint64_t)ones[parts & ALL_PARTS] * memory->part_beats;
}

void a8_write_back(struct a8_memory *memory, const struct cache_line *line)
{
    count(memory, ARMPMU_SIGNAL_BUS_WRITE_BEAT, beats_of(memory, line->dirty));
}

static void l2_fill(struct a8_memory *memory, uint64_t line, uint8_t dirty)
{
    struct cache *const l2 = &memory->l2;
    const size_t set = cache_set(l2, line);
    const uint32_t way = cache_way_to_fill(l2, set);
    const struct cache_line *const victim = cache_line_at(l2, set, way);
    if (victim->valid && victim->dirty != 0)
        a8_write_back(memory, victim);
    cache_replace(l2, set, way, line, line)->dirty = dirty;
}

static RARE void note_miss(const struct a8_memory *memory, enum armpmu_miss_cache which,
                           const struct cache *cache, uint64_t line)
{
    miss_maps_add(&memory->misses, which, (uint32_t)cache_set(cache, line), line << LINE_SHIFT,
                  memory->now);
}

static inline void l2_miss(struct a8_memory *memory, uint64_t line)
{
    count(memory, ARMPMU_SIGNAL_L2_MISS, 1);
    if (unlikely(memory->misses.are_kept))
        note_miss(memory, ARMPMU_MISS_L2, &memory->l2, line);
}

static OUT_OF_LINE void read_memory(struct a8_memory *memory, uint64_t line)
{
    if (memory->has_l2) {
        l2_miss(memory, line);
        l2_fill(memory, line, 0);
    }
    count(memory, ARMPMU_SIGNAL_BUS_READ_BEAT, memory->line_beats);
}

/* Reads a physical line; returns whether level 2 had it. */
static inline bool l2_read(struct a8_memory *memory, uint64_t line)
{
    count(memory, ARMPMU_SIGNAL_L2_ACCESS, memory->has_l2);
    if (likely(memory->has_l2) && cache_lookup(&memory->l2, line, line) != NULL)
        return true;
    read_memory(memory, line);
    return false;
}

/* Writes parts of a physical line; returns whether the write had to fetch it from memory. whole:
 * nothing of the old line is needed (a cast-out). */
static bool l2_write(struct a8_memory *memory, uint64_t line, uint8_t parts, bool whole, bool *hit)
{
    *hit = false;
    const uint64_t beats = beats_of(memory, parts);
    if (!memory->has_l2) {
        count(memory, ARMPMU_SIGNAL_BUS_WRITE_BEAT, beats);
        return false;
    }
    count(memory, ARMPMU_SIGNAL_L2_ACCESS, 1);
    struct cache_line *present = cache_lookup(&memory->l2, line, line);
    if (present != NULL) {
        present->dirty |= parts;
        *hit = true;
        return false;
    }
    l2_miss(memory, line);
    if (whole) {
        l2_fill(memory, line, parts);
        return false;
    }
    if (memory->machine->l2_write_allocate == YESNO_NO) {
        count(memory, ARMPMU_SIGNAL_BUS_WRITE_BEAT, beats);
        return false;
    }
    count(memory, ARMPMU_SIGNAL_BUS_READ_BEAT, memory->line_beats);
    l2_fill(memory, line, parts);
    return true;
}

/* ---- translation ---- */

/* As l2_read, of the line that the last walk's first level lay in: where that was last is looked at
 * first. */
static inline bool l2_read_table(struct a8_memory *memory, uint64_t line)
{
    struct cache *const l2 = &memory->l2;
    if (unlikely(!memory->has_l2 || l2->policy == REPLACEMENT_LRU))
        return l2_read(memory, line);
    if (likely(l2->tags[memory->table_tag] == (uint32_t)line + 1)) {
        count(memory, ARMPMU_SIGNAL_L2_ACCESS, 1);
        return true;
    }
    const bool hit = l2_read(memory, line);
    const size_t set = cache_set(l2, line);
    memory->table_tag = set * l2->tag_ways + cache_find_way(l2, set, line);
    return hit;
}

/* Walks the tables for a page; returns what it costs.
 *
 * CHOICE(one-table): all address spaces have the same. */
static inline uint32_t walk(struct a8_memory *memory, uint32_t page)
{
    const struct armpmu_machine *const machine = memory->machine;
    const uint64_t section = page >> 8;
    const uint64_t first = TABLE_BASE + section * 4;
    const uint64_t second = SECOND_TABLE_BASE + section * 1024 + (page & 0xff) * 4;
    uint32_t cycles = machine->walk_cycles;
    if (machine->walk_levels > 0 && !l2_read_table(memory, first >> LINE_SHIFT))
        cycles += memory_cycles(memory);
    if (machine->walk_levels > 1 && !l2_read(memory, second >> LINE_SHIFT))
        cycles += memory_cycles(memory);
    return cycles;
}

static uint64_t physical_line(uint64_t frame, uint64_t virtual_line)
{
    return frame << PAGE_LINE_SHIFT | (virtual_line & ((1u << PAGE_LINE_SHIFT) - 1));
}

uint64_t a8_physical_line(const struct a8_memory *memory, uint64_t virtual_line)
{
    const uint64_t page = virtual_line >> PAGE_LINE_SHIFT;
    const uint64_t frame = memory->translates ? page_map_physical(&memory->pages, page) : page;
    return physical_line(frame, virtual_line);
}

static RARE uint64_t name_placed(const struct a8_memory *memory, uint64_t page)
{
    return page | (page_map_physical(&memory->pages, page) + 1) << 32;
}

/* The name of a page in the TLBs.
 *
 * CHOICE(page-pairs): once a system places its pages it is the pair of virtual and physical page,
 * so that pages of several processes stay side by side as with ASIDs. */
static inline uint64_t page_name(const struct a8_memory *memory, uint64_t page)
{
    return likely(!page_map_is_placed(&memory->pages)) ? page : name_placed(memory, page);
}

/* Whether an entry that left a TLB translated a page of the running address space: only then are
 * the page's lines out of use. */
static bool was_in_use(const struct a8_memory *memory, const struct tlb_entry *victim)
{
    return victim->valid &&
           victim->virtual_page == page_name(memory, (uint32_t)victim->virtual_page);
}

static uint64_t translate_fetch(struct a8_memory *memory, uint64_t page, uint32_t *cycles)
{
    if (unlikely(!memory->translates))
        return page;
    const uint64_t name = page_name(memory, page);
    const struct tlb_entry *entry = tlb_lookup(&memory->itlb, name);
    if (entry != NULL)
        return entry->physical_page;
    count(memory, ARMPMU_SIGNAL_ITLB_WALK, 1);
    *cycles += walk(memory, (uint32_t)page);
    struct tlb_entry victim;
    entry = tlb_fill(&memory->itlb, name, page_map_walk(&memory->pages, (uint32_t)page), &victim);
    if (was_in_use(memory, &victim)) {
        line_filter_set_away(&memory->fetch, (uint32_t)victim.virtual_page, true, LINE_SHIFT);
        memory->fetch_epoch++;
    }
    line_filter_set_away(&memory->fetch, (uint32_t)page, false, LINE_SHIFT);
    return entry->physical_page;
}

static uint64_t walk_for_data(struct a8_memory *memory, uint32_t page, uint64_t name)
{
    count(memory, ARMPMU_SIGNAL_DTLB_WALK, 1);
    count(memory, ARMPMU_SIGNAL_REPLAY, 1);
    memory->now += walk(memory, page);
    struct tlb_entry victim;
    const struct tlb_entry *entry =
        tlb_fill(&memory->dtlb, name, page_map_walk(&memory->pages, page), &victim);
    if (was_in_use(memory, &victim)) {
        const uint32_t left = (uint32_t)victim.virtual_page;
        forget_data_page(memory, left);
        line_filter_set_away(&memory->data[0], left, true, LINE_SHIFT);
        line_filter_set_away(&memory->data[1], left, true, LINE_SHIFT);
    }
    line_filter_set_away(&memory->data[0], page, false, LINE_SHIFT);
    line_filter_set_away(&memory->data[1], page, false, LINE_SHIFT);
    return entry->physical_page;
}

static inline uint64_t translate_data(struct a8_memory *memory, uint32_t page)
{
    const uint64_t name = page_name(memory, page);
    const struct tlb_entry *entry = tlb_lookup(&memory->dtlb, name);
    return entry != NULL ? entry->physical_page : walk_for_data(memory, page, name);
}

/* Translates, and remembers the page unless a hit in the TLB changes its state. */
static OUT_OF_LINE const struct a8_page *new_data_page(struct a8_memory *memory, uint32_t page)
{
    const uint64_t frame = translate_data(memory, page);
    struct a8_page *const known = data_page_slot(memory, page);
    *known = (struct a8_page){
        .page = memory->dtlb.policy != REPLACEMENT_LRU ? page : A8_NO_PAGE,
        .first_line = (uint32_t)frame << PAGE_LINE_SHIFT,
        .way_hash = way_predictor_hash((uint64_t)page << PAGE_LINE_SHIFT),
        .filter_flags = (page ^ frame) & memory->colour_mask ? FILTER_ALIAS : 0,
    };
    return known;
}

static inline const struct a8_page *data_page(struct a8_memory *memory, uint32_t page)
{
    const struct a8_page *const known = data_page_slot(memory, page);
    return likely(known->page == page) ? known : new_data_page(memory, page);
}

/* ---- what a system changes ----
 *
 * With pages placed, a line may be reached by several virtual ones. The filters know it by the one
 * it was last found through, which is the one in the cache: only that is dropped with it. */

enum armpmu_status a8_place_page(struct a8_memory *memory, uint32_t virtual_page,
                                 uint32_t physical_page)
{
    const bool first = !page_map_is_placed(&memory->pages);
    if (!first && page_map_physical(&memory->pages, virtual_page) == physical_page)
        return ARMPMU_OK;
    const enum armpmu_status status = page_map_place(&memory->pages, virtual_page, physical_page);
    if (first)
        forget_all(memory); /* every page has moved */
    else
        forget_page(memory, virtual_page);
    return status;
}

/* Pages that are in use before they are known as uncached have lines in the filters. */
enum armpmu_status a8_set_uncached(struct a8_memory *memory, uint32_t virtual_page, bool uncached)
{
    if (memory->uncached == NULL && !uncached)
        return ARMPMU_OK;
    if (memory->uncached == NULL)
        memory->uncached = calloc((ARMPMU_RECORD_PAGE_MASK + 1) / 64, sizeof *memory->uncached);
    if (memory->uncached == NULL)
        return ARMPMU_NO_MEMORY;
    uint64_t *const pages = &memory->uncached[virtual_page / 64];
    const uint64_t bit = UINT64_C(1) << virtual_page % 64;
    if (uncached && !(*pages & bit))
        forget_page(memory, virtual_page);
    *pages = uncached ? *pages | bit : *pages & ~bit;
    return ARMPMU_OK;
}

void a8_flush_tlbs(struct a8_memory *memory)
{
    tlb_flush(&memory->itlb);
    tlb_flush(&memory->dtlb);
    forget_all(memory);
}

void a8_flush_page(struct a8_memory *memory, uint32_t virtual_page)
{
    tlb_flush_page(&memory->itlb, virtual_page);
    tlb_flush_page(&memory->dtlb, virtual_page);
    forget_page(memory, virtual_page);
}

void a8_translate(struct a8_memory *memory, bool on)
{
    if (on == memory->translates)
        return;
    memory->translates = on;
    forget_all(memory);
}

/* ---- way prediction ----
 *
 * CHOICE(hash-miss): the hash misleads when it names a way and the line is not there, or names none
 * while the line is present.
 * Source: ARM DDI 0344K, Values for predefined events, 0x49 and 0x4A. */

/* An access to a level 1 cache: the line, the hash of its page plus 1, and the way that the hash
 * names. */
struct line_access {
    uint64_t line, physical;
    size_t set;
    uint32_t way; /* CACHE_NO_WAY: it misses */
    uint32_t way_hash, predicted;
};

static inline void look_up(const struct cache *cache, const struct way_predictor *hash,
                           struct line_access *access)
{
    access->set = cache_set(cache, access->line);
    access->way = cache_find_way(cache, access->set, access->physical);
    access->predicted = way_predictor_is_on(hash)
                            ? way_predictor_find(hash, access->line, access->way_hash)
                            : access->way;
}

/* A line was found or filled: its way gets the hash. Returns the line that lost it, and will be
 * mispredicted; NULL if none did. */
static inline const struct cache_line *train(const struct cache *cache, struct way_predictor *hash,
                                             const struct line_access *access)
{
    if (!way_predictor_is_on(hash))
        return NULL;
    const uint32_t loser =
        way_predictor_retrain(hash, access->line, access->way_hash, access->way, access->predicted);
    return loser != WAY_NONE ? cache_line_at(cache, access->set, loser) : NULL;
}

void a8_drop_line(struct cache *cache, struct way_predictor *hash, struct cache_line *line)
{
    if (way_predictor_is_on(hash))
        way_predictor_take(hash, line->virtual_line, cache_way(cache, line->virtual_line, line));
    cache_drop(cache, line);
}

/* ---- instruction side ---- */

static void train_fetch(struct a8_memory *memory, const struct line_access *access)
{
    const struct cache_line *const loser = train(&memory->l1i, &memory->l1i_hash, access);
    if (loser != NULL)
        a8_forget_fetch_line(memory, loser->virtual_line);
}

/* Returns the cycles. */
static uint32_t refill_l1i(struct a8_memory *memory, struct line_access *access)
{
    count(memory, ARMPMU_SIGNAL_L1I_REFILL, 1);
    if (unlikely(memory->misses.are_kept))
        note_miss(memory, ARMPMU_MISS_L1I, &memory->l1i, access->line);
    const bool hit = l2_read(memory, access->physical);
    access->way = cache_way_to_fill(&memory->l1i, access->set);
    const struct cache_line *const victim = cache_line_at(&memory->l1i, access->set, access->way);
    if (victim->valid)
        a8_forget_fetch_line(memory, victim->virtual_line);
    cache_replace(&memory->l1i, access->set, access->way, access->line, access->physical);
    train_fetch(memory, access);
    return memory->machine->l2_fetch_hit_cycles + (hit ? 0 : memory_cycles(memory));
}

/* Returns the cycles. */
static uint32_t hit_l1i(struct a8_memory *memory, const struct line_access *access)
{
    cache_touch(&memory->l1i, access->set, access->way);
    if (likely(access->predicted == access->way))
        return 0;
    train_fetch(memory, access);
    return memory->machine->way_hash_replay_cycles;
}

void a8_fetch_line(struct a8_memory *memory, uint64_t line, bool speculative)
{
    uint32_t cycles = 0;
    const uint64_t frame = translate_fetch(memory, line >> PAGE_LINE_SHIFT, &cycles);
    struct line_access access = {
        .line = line, .physical = physical_line(frame, line), .way_hash = way_predictor_hash(line)};
    look_up(&memory->l1i, &memory->l1i_hash, &access);
    count(memory, ARMPMU_SIGNAL_L1I_WAY_MISS, access.predicted != access.way);
    cycles += access.way == CACHE_NO_WAY ? refill_l1i(memory, &access) : hit_l1i(memory, &access);
    struct cache_line *const present = cache_line_at(&memory->l1i, access.set, access.way);
    if (unlikely(page_map_is_placed(&memory->pages)) && present->virtual_line != (uint32_t)line) {
        a8_forget_fetch_line(memory, present->virtual_line);
        present->virtual_line = (uint32_t)line;
    }
    if (memory->fetch_filtered)
        add_line(&memory->fetch, line, 0);
    if (!speculative) {
        memory->now += cycles;
        count(memory, ARMPMU_SIGNAL_ISSUE_EMPTY, cycles);
    }
}

/* ---- write buffer ---- */

/* Waits until the write buffer has room. */
static void make_room(struct a8_memory *memory)
{
    store_buffer_advance(&memory->stores, memory->now);
    const uint64_t full = store_buffer_full_for(&memory->stores, memory->now);
    if (full == 0)
        return;
    const uint64_t least = memory->machine->store_buffer_full_cycles;
    count(memory, ARMPMU_SIGNAL_STORE_BUFFER_FULL, full);
    count(memory, ARMPMU_SIGNAL_REPLAY, 1);
    memory->now += full > least ? full : least;
    store_buffer_advance(&memory->stores, memory->now);
}

void a8_cast_out(struct a8_memory *memory, const struct cache_line *victim)
{
    make_room(memory);
    bool hit;
    l2_write(memory, victim->physical, ALL_PARTS, true, &hit);
    store_buffer_push(&memory->stores, memory->now, victim->physical,
                      memory->machine->store_buffer_drain_cycles, false);
}

/* A store that missed L1D goes to level 2 through the write buffer. */
static void store_to_l2(struct a8_memory *memory, uint64_t physical, uint8_t parts, bool neon)
{
    count(memory, ARMPMU_SIGNAL_STORE_TO_L2, 1);
    store_buffer_advance(&memory->stores, memory->now);
    if (store_buffer_merges(&memory->stores, physical)) {
        count(memory, ARMPMU_SIGNAL_STORE_MERGED, 1);
        struct cache_line *present =
            memory->has_l2 ? cache_peek(&memory->l2, physical, physical) : NULL;
        if (present != NULL)
            present->dirty |= parts;
        return;
    }
    make_room(memory);
    bool hit;
    uint32_t drain = memory->machine->store_buffer_drain_cycles;
    if (l2_write(memory, physical, parts, false, &hit))
        drain += memory_cycles(memory);
    if (neon) {
        count(memory, ARMPMU_SIGNAL_NEON_L2_ACCESS, 1);
        count(memory, ARMPMU_SIGNAL_NEON_L2_HIT, hit);
    }
    store_buffer_push(&memory->stores, memory->now, physical, drain, true);
}

/* ---- data side ---- */

static inline void train_data(struct a8_memory *memory, const struct line_access *access)
{
    const struct cache_line *const loser = train(&memory->l1d, &memory->l1d_hash, access);
    if (loser != NULL)
        a8_forget_data_line(memory, loser->virtual_line);
}

static inline void fill_l1d(struct a8_memory *memory, struct line_access *access, bool dirty)
{
    count(memory, ARMPMU_SIGNAL_L1D_REFILL, 1);
    if (unlikely(memory->misses.are_kept))
        note_miss(memory, ARMPMU_MISS_L1D, &memory->l1d, access->line);
    access->way = cache_way_to_fill(&memory->l1d, access->set);
    const struct cache_line victim = *cache_line_at(&memory->l1d, access->set, access->way);
    cache_replace(&memory->l1d, access->set, access->way, access->line, access->physical)->dirty =
        dirty;
    train_data(memory, access);
    if (!victim.valid)
        return;
    a8_forget_data_line(memory, victim.virtual_line);
    if (unlikely(victim.dirty))
        a8_cast_out(memory, &victim);
}

/* A NEON read miss: the integer pipeline goes on, the NEON unit waits for the data. */
static void neon_read_miss(struct a8_memory *memory, bool l2_hit)
{
    const uint64_t done =
        memory->now + memory->machine->l2_hit_cycles + (l2_hit ? 0 : memory_cycles(memory));
    if (done > memory->neon_data)
        memory->neon_data = done;
}

static inline void load_miss(struct a8_memory *memory, struct line_access *access, bool neon)
{
    const bool hit = l2_read(memory, access->physical);
    if (unlikely(neon)) {
        memory->tally[ARMPMU_SIGNAL_NEON_L1D_HIT]--;
        count(memory, ARMPMU_SIGNAL_NEON_L2_ACCESS, 1);
        count(memory, ARMPMU_SIGNAL_NEON_L2_HIT, hit);
        neon_read_miss(memory, hit);
        if (memory->machine->l1d_neon_allocate == YESNO_NO)
            return;
    } else {
        count(memory, ARMPMU_SIGNAL_REPLAY, hit ? 1 : 2);
        memory->now += memory->machine->l2_hit_cycles + (hit ? 0 : memory_cycles(memory));
    }
    fill_l1d(memory, access, false);
}

/* The parts of a line that bytes from an address on lie in. */
static uint8_t parts_of(uint32_t address, uint32_t bytes)
{
    const uint32_t first = address & (LINE_BYTES - 1);
    const uint32_t low = first / PART_BYTES, high = (first + bytes - 1) / PART_BYTES;
    return (uint8_t)((2u << high) - (1u << low));
}

static void store_miss(struct a8_memory *memory, struct line_access *access, uint8_t parts,
                       bool neon)
{
    memory->tally[ARMPMU_SIGNAL_NEON_L1D_HIT] -= neon;
    if (memory->machine->l1d_write_allocate == YESNO_NO) {
        store_to_l2(memory, access->physical, parts, neon);
        return;
    }
    l2_read(memory, access->physical);
    fill_l1d(memory, access, true);
}

/* CHOICE(one-colour): a physical line lies in L1D once. Under another colour it is cast out before
 * it comes in again. */
static RARE void cast_out_aliases(struct a8_memory *memory, uint64_t line, uint64_t physical)
{
    for (uint64_t colour = 1; colour <= memory->colour_mask; colour++) {
        const uint64_t other = line ^ colour << PAGE_LINE_SHIFT;
        struct cache_line *present = cache_peek(&memory->l1d, other, physical);
        if (present == NULL)
            continue;
        const struct cache_line alias = *present;
        a8_drop_line(&memory->l1d, &memory->l1d_hash, present);
        a8_forget_data_line(memory, alias.virtual_line);
        if (alias.dirty)
            a8_cast_out(memory, &alias);
    }
}

/* CHOICE(device): a load waits for memory, a store in the write buffer. */
void a8_device_access(struct a8_memory *memory, uint64_t address, uint32_t bytes, bool store)
{
    const uint32_t bus_bytes = memory->machine->bus_width_bits / 8;
    const uint32_t beats = (bytes + bus_bytes - 1) / bus_bytes;
    if (memory->translates)
        translate_data(memory, (uint32_t)address >> PAGE_SHIFT);
    if (!store) {
        count(memory, ARMPMU_SIGNAL_BUS_READ_BEAT, beats);
        memory->now += memory_cycles(memory);
        return;
    }
    count(memory, ARMPMU_SIGNAL_BUS_WRITE_BEAT, beats);
    make_room(memory);
    store_buffer_push(&memory->stores, memory->now, address >> LINE_SHIFT,
                      memory->machine->store_buffer_drain_cycles + memory_cycles(memory), false);
}

/* A page was placed, and the line was found through another address than the last time. */
static RARE void rename_line(struct a8_memory *memory, struct cache_line *present, uint64_t line)
{
    a8_forget_data_line(memory, present->virtual_line);
    present->virtual_line = (uint32_t)line;
}

static inline void data_hit(struct a8_memory *memory, const struct line_access *access, bool store,
                            uint32_t filter_flags)
{
    struct cache_line *const present = cache_line_at(&memory->l1d, access->set, access->way);
    cache_touch(&memory->l1d, access->set, access->way);
    if (unlikely(access->predicted != access->way)) {
        count(memory, ARMPMU_SIGNAL_REPLAY, 1);
        memory->now += memory->machine->way_hash_replay_cycles;
        train_data(memory, access);
    }
    if (unlikely(page_map_is_placed(&memory->pages)) &&
        present->virtual_line != (uint32_t)access->line)
        rename_line(memory, present, access->line);
    present->dirty |= store;
    if (!memory->data_filtered || (memory->watches_aliases && filter_flags != 0))
        return;
    add_line(&memory->data[0], access->line, filter_flags);
    if (present->dirty)
        add_line(&memory->data[1], access->line, filter_flags);
}

static inline void access_data(struct a8_memory *memory, uint32_t address, uint32_t bytes,
                               bool store, bool neon)
{
    const uint32_t known = line_filter_entry(&memory->data[store], address, LINE_SHIFT);
    if (line_filter_matches(known, address, LINE_MASK, FILTER_ALIAS)) {
        count(memory, ARMPMU_SIGNAL_L1D_COLOUR_ALIAS, (known & FILTER_ALIAS) != 0);
        return;
    }
    const struct a8_page *const page = data_page(memory, address >> PAGE_SHIFT);
    struct line_access access = {
        .line = address >> LINE_SHIFT,
        .physical = page->first_line | (address >> LINE_SHIFT & ((1u << PAGE_LINE_SHIFT) - 1)),
        .way_hash = page->way_hash,
    };
    look_up(&memory->l1d, &memory->l1d_hash, &access);
    count(memory, ARMPMU_SIGNAL_L1D_COLOUR_ALIAS, page->filter_flags / FILTER_ALIAS);
    count(memory, ARMPMU_SIGNAL_L1D_WAY_MISS, access.predicted != access.way);
    if (access.way != CACHE_NO_WAY) {
        data_hit(memory, &access, store, page->filter_flags);
        return;
    }
    if (unlikely(page_map_is_placed(&memory->pages)))
        cast_out_aliases(memory, access.line, access.physical);
    if (store)
        store_miss(memory, &access, parts_of(address, bytes), neon);
    else
        load_miss(memory, &access, neon);
}

void a8_data_access(struct a8_memory *memory, uint32_t address, uint32_t bytes, bool store,
                    bool neon, uint32_t later)
{
    memory->now += later;
    access_data(memory, address, bytes, store, neon);
    memory->now -= later;
}

/* CHOICE(a8-preload): it brings a line into level 2, if the TLB has its page, and takes no time. */
void a8_preload(struct a8_memory *memory, uint32_t address)
{
    const uint64_t line = address >> LINE_SHIFT, page = line >> PAGE_LINE_SHIFT;
    if (!memory->has_l2 || !memory->translates || a8_is_uncached(memory, address) ||
        tlb_lookup(&memory->dtlb, page_name(memory, page)) == NULL)
        return;
    const uint64_t physical = a8_physical_line(memory, line);
    if (cache_peek(&memory->l1d, line, physical) == NULL)
        l2_read(memory, physical);
}

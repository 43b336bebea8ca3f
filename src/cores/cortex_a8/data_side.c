/* The data side of the Cortex-A8's level 1: accesses that are not known to hit.
 *
 * The path of an access is compiled twice: for the usual machine (is_usual), with constant cache
 * geometry, and for all others. */
#include "cores/cortex_a8/memory_internal.h"

static ALWAYS_INLINE void train_data(struct a8_memory *memory, const struct a8_shape *shape,
                                     const struct line_access *access)
{
    const struct cache_line *const loser =
        train(&memory->l1d, shape->l1d, &memory->l1d_hash, shape->hashes_ways, access);
    if (unlikely(loser != NULL))
        a8_forget_data_line(memory, loser->virtual_line);
}

static ALWAYS_INLINE uint64_t fill_l1d(struct a8_memory *memory, const struct a8_shape *shape,
                                       struct line_access *access, bool dirty, uint64_t now)
{
    struct cache *const l1d = &memory->l1d;
    count(memory, ARMPMU_SIGNAL_L1D_REFILL, 1);
    note_miss(memory, shape->keeps_misses, ARMPMU_MISS_L1D, l1d, access->line, now);
    access->way = cache_way_to_fill(l1d, shape->l1d, access->set);
    const struct cache_line victim = *cache_line_at(l1d, shape->l1d, access->set, access->way);
    cache_replace(l1d, shape->l1d, access->set, access->way,
                  (struct cache_line){.physical = (uint32_t)access->physical,
                                      .virtual_line = (uint32_t)access->line,
                                      .dirty = dirty,
                                      .valid = true});
    train_data(memory, shape, access);
    if (unlikely(!victim.valid))
        return now;
    a8_forget_data_line(memory, victim.virtual_line);
    return unlikely(victim.dirty) ? a8_evict(memory, &victim, now) : now;
}

/* A NEON read miss: the integer pipeline continues, the NEON unit waits for the data. */
static OUT_OF_LINE void neon_read_miss(struct a8_memory *memory, bool l2_hit, uint64_t arrives)
{
    count(memory, ARMPMU_SIGNAL_NEON_L2_ACCESS, 1);
    count(memory, ARMPMU_SIGNAL_NEON_L2_HIT, l2_hit);
    memory->tally[ARMPMU_SIGNAL_NEON_L1D_HIT]--;
    memory->neon_data = later(memory->neon_data, arrives);
}

/* Level 2 and memory serve a load that misses level 1. */
static ALWAYS_INLINE uint64_t await_load(struct a8_memory *memory, const struct a8_shape *shape,
                                         const struct line_access *access, bool neon, uint64_t now)
{
    bool hit;
    if (unlikely(memory->writes.used != 0))
        now = a8_await_writes(memory, access->physical, now);
    const uint64_t arrives = l2_read(memory, shape, access->physical, access->offset, now,
                                     memory->machine->l2_hit_cycles, &hit);
    access_comes_from(&memory->seen, hit ? ARMPMU_FROM_L2 : ARMPMU_FROM_RAM);
    if (unlikely(neon)) {
        neon_read_miss(memory, hit, arrives);
        return now;
    }
    count(memory, ARMPMU_SIGNAL_REPLAY, hit ? 1 : 2);
    count(memory,
          arrives - now <= memory->machine->l2_hit_cycles && hit ? ARMPMU_SIGNAL_STALL_BACKEND_L1D
                                                                 : ARMPMU_SIGNAL_STALL_BACKEND_MEM,
          arrives - now);
    return arrives;
}

/* From here on a line of L1D, which is all there, is known to hit. */
static ALWAYS_INLINE void learn_line(struct a8_memory *memory, struct a8_page *page, uint64_t line,
                                     bool dirty)
{
    const uint32_t flags = page->aliased ? FILTER_ALIAS : 0;
    page->has_lines |= (uint8_t)(dirty ? 3 : 1);
    add_line(&memory->data[0], line, flags);
    if (dirty)
        add_line(&memory->data[1], line, flags);
}

static uint64_t await_load_in(struct a8_memory *back, const struct line_access *access, bool neon,
                              uint64_t now)
{
    const struct a8_shape usual = A8_USUAL_SHAPE(false, false);
    if (likely(back->is_usual))
        return await_load(back, &usual, access, neon, now);
    const struct a8_shape shape = a8_shape_of(back);
    return await_load(back, &shape, access, neon, now);
}

static OUT_OF_LINE void load_in_backs(struct a8_memory *front, const struct line_access *access,
                                      bool neon, uint64_t now)
{
    A8_EACH_BACK(back, front)
    {
        back->ahead = await_load_in(back, access, neon, now + back->ahead) - now;
    }
}

static ALWAYS_INLINE uint64_t load_miss(struct a8_memory *memory, const struct a8_shape *shape,
                                        struct line_access *access, struct a8_page *page, bool neon,
                                        uint64_t now)
{
    if (shape->is_front)
        load_in_backs(memory, access, neon, now);
    else
        now = await_load(memory, shape, access, neon, now);
    if (unlikely(neon) && memory->machine->l1d_neon_allocate == YESNO_NO)
        return now;
    now = fill_l1d(memory, shape, access, false, now);
    if (!shape->is_front && now >= memory->external.complete && memory->data_filtered)
        learn_line(memory, page, access->line, false);
    return now;
}

/* A bit for each byte of a part of a line, which begins at an offset. */
static inline uint64_t bytes_at(uint32_t offset, uint32_t bytes)
{
    return UINT64_MAX >> (LINE_BYTES - bytes) << offset;
}

/* Reads a line that nothing waits for; returns whether level 2 has it, of a front false. */
static OUT_OF_LINE bool read_aside(struct a8_memory *memory, uint64_t physical, uint32_t offset,
                                   uint64_t now, bool takes_cycles)
{
    bool hit = false;
    A8_EACH_BACK(back, memory)
    {
        read_aside(back, physical, offset, now + back->ahead, takes_cycles);
    }
    if (memory->backs == NULL)
        a8_l2_read(memory, physical, offset, now, takes_cycles ? memory->machine->l2_hit_cycles : 0,
                   &hit);
    return hit;
}

static ALWAYS_INLINE uint64_t store_miss(struct a8_memory *memory, const struct a8_shape *shape,
                                         struct line_access *access, uint32_t bytes, bool neon,
                                         uint64_t now)
{
    memory->tally[ARMPMU_SIGNAL_NEON_L1D_HIT] -= neon;
    access_comes_from(&memory->seen, ARMPMU_FROM_PAST);
    if (!shape->stores_allocate)
        return a8_store_to_l2(memory, access->physical, bytes_at(access->offset, bytes), neon, now);
    const bool hit = read_aside(memory, access->physical, access->offset, now, false);
    access_comes_from(&memory->seen, hit ? ARMPMU_FROM_L2 : ARMPMU_FROM_RAM);
    return fill_l1d(memory, shape, access, true, now);
}

/* CHOICE(one-colour): a physical line lies in L1D once. Under another colour it is cast out before
 * it comes in again. */
static RARE uint64_t cast_out_aliases(struct a8_memory *memory, uint64_t line, uint64_t physical,
                                      uint64_t now)
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
            now = a8_evict(memory, &alias, now);
    }
    return now;
}

/* A page was placed, and the line was found through another address than the last time. */
static RARE void rename_line(struct a8_memory *memory, struct cache_line *present, uint64_t line)
{
    a8_forget_data_line(memory, present->virtual_line);
    present->virtual_line = (uint32_t)line;
}

/* A hit of a line that is on its way: what is loaded may not be there yet. The filters do not learn
 * of it. */
static OUT_OF_LINE uint64_t on_its_way(struct a8_memory *memory, const struct line_access *access,
                                       bool store, bool neon, uint64_t now)
{
    const uint64_t arrives =
        external_memory_arrival(&memory->external, access->physical, access->offset, now);
    if (store)
        return now;
    if (arrives > now)
        access_comes_from(&memory->seen, ARMPMU_FROM_FILL);
    if (!neon) {
        count(memory, ARMPMU_SIGNAL_STALL_BACKEND_MEM, arrives - now);
        return arrives;
    }
    memory->neon_data = later(memory->neon_data, arrives > now ? arrives : 0);
    return now;
}

/* The same of a front: returns whether lines are on their way on any machine. */
static bool are_on_their_way(struct a8_memory *front, const struct line_access *access, bool store,
                             bool neon, uint64_t now)
{
    bool any = false;
    A8_EACH_BACK(back, front)
    {
        const uint64_t its = now + back->ahead;
        if (its >= back->external.complete)
            continue;
        any = true;
        back->ahead = on_its_way(back, access, store, neon, its) - now;
    }
    return any;
}

static ALWAYS_INLINE uint64_t data_hit(struct a8_memory *memory, const struct a8_shape *shape,
                                       const struct line_access *access, struct a8_page *page,
                                       bool store, bool neon, uint64_t now)
{
    struct cache_line *const present =
        cache_line_at(&memory->l1d, shape->l1d, access->set, access->way);
    cache_touch(&memory->l1d, shape->l1d, access->set, access->way);
    if (unlikely(access->predicted != access->way)) {
        count(memory, ARMPMU_SIGNAL_REPLAY, 1);
        now += memory->machine->way_hash_replay_cycles;
        count(memory, ARMPMU_SIGNAL_STALL_BACKEND_REPLAY, memory->machine->way_hash_replay_cycles);
        train_data(memory, shape, access);
    }
    if (unlikely(page_map_is_placed(&memory->pages)) &&
        present->virtual_line != (uint32_t)access->line)
        rename_line(memory, present, access->line);
    present->dirty |= store;
    if (shape->is_front && are_on_their_way(memory, access, store, neon, now))
        return now;
    if (unlikely(external_memory_fetches(&memory->external, access->physical, now)))
        return on_its_way(memory, access, store, neon, now);
    if (memory->data_filtered)
        learn_line(memory, page, access->line, present->dirty);
    return now;
}

/* Returns whether a line was out of use with its page: then that was all. */
static inline bool is_back(struct a8_memory *memory, struct a8_page *page, uint32_t address,
                           bool store)
{
    if (!line_filter_restore(&memory->data[store], address, FILTER_ALIAS, LINE_SHIFT))
        return false;
    page->has_lines |= (uint8_t)(1u << store);
    count(memory, ARMPMU_SIGNAL_L1D_COLOUR_ALIAS, page->aliased);
    return true;
}

/* Returns the time after it. */
static ALWAYS_INLINE uint64_t access_data(struct a8_memory *memory, const struct a8_shape *shape,
                                          uint32_t address, uint32_t bytes, bool store, bool neon,
                                          uint64_t now)
{
    struct a8_page *const page = data_page_slot(memory, address >> PAGE_SHIFT);
    if (unlikely(page->page != address >> PAGE_SHIFT))
        now = a8_bring_page(memory, page, address >> PAGE_SHIFT, now);
    if (is_back(memory, page, address, store))
        return now;
    struct line_access access = {
        .line = address >> LINE_SHIFT,
        .physical = page->first_line | (address >> LINE_SHIFT & ((1u << PAGE_LINE_SHIFT) - 1)),
        .way_hash = page->way_hash,
        .offset = address & (LINE_BYTES - 1),
    };
    look_up(&memory->l1d, shape->l1d, &memory->l1d_hash, shape->hashes_ways, &access);
    count(memory, ARMPMU_SIGNAL_L1D_COLOUR_ALIAS, page->aliased);
    if (unlikely(access.predicted != access.way))
        count(memory, ARMPMU_SIGNAL_L1D_WAY_MISS, 1);
    if (access.way != CACHE_NO_WAY)
        return data_hit(memory, shape, &access, page, store, neon, now);
    if (unlikely(page_map_is_placed(&memory->pages)))
        now = cast_out_aliases(memory, access.line, access.physical, now);
    return store ? store_miss(memory, shape, &access, bytes, neon, now)
                 : load_miss(memory, shape, &access, page, neon, now);
}

/* On a machine that is not usual. */
static OUT_OF_LINE void access_unusual(struct a8_memory *memory, uint32_t address, uint32_t bytes,
                                       bool store, bool neon, uint32_t later)
{
    const struct a8_shape shape = a8_shape_of(memory);
    memory->now =
        access_data(memory, &shape, address, bytes, store, neon, memory->now + later) - later;
}

static ALWAYS_INLINE void access_usual(struct a8_memory *memory, struct a8_shape usual,
                                       uint32_t address, uint32_t bytes, bool store, bool neon,
                                       uint32_t later)
{
    memory->now =
        access_data(memory, &usual, address, bytes, store, neon, memory->now + later) - later;
}

static ALWAYS_INLINE void access_plain(struct a8_memory *memory, uint32_t address, uint32_t bytes,
                                       bool store, uint32_t later)
{
    const uint64_t since = memory->now;
    access_usual(memory, A8_USUAL_SHAPE(memory->misses.are_kept, false), address, bytes, store,
                 false, later);
    count(memory, ARMPMU_SIGNAL_CPU_CYCLES, memory->now - since);
}

void a8_load(struct a8_memory *memory, uint32_t address, uint32_t later)
{
    access_plain(memory, address, 0, false, later);
}

void a8_store(struct a8_memory *memory, uint32_t address, uint32_t bytes, uint32_t later)
{
    access_plain(memory, address, bytes, true, later);
}

void a8_data_access(struct a8_memory *memory, uint32_t address, uint32_t bytes, bool store,
                    bool neon, uint32_t later)
{
    if (unlikely(!memory->is_usual))
        access_unusual(memory, address, bytes, store, neon, later);
    else if (memory->backs != NULL)
        access_usual(memory, A8_USUAL_SHAPE(false, true), address, bytes, store, neon, later);
    else
        access_usual(memory, A8_USUAL_SHAPE(memory->misses.are_kept, false), address, bytes, store,
                     neon, later);
}

void a8_cure_level1(struct a8_memory *memory, uint32_t address)
{
    const struct a8_shape shape = a8_shape_of(memory);
    uint64_t aside[ARMPMU_SIGNAL_COUNT] = {0}, *const tally = memory->tally;
    struct line_access access = {
        .line = address >> LINE_SHIFT,
        .physical = a8_physical_line(memory, address >> LINE_SHIFT),
        .way_hash =
            (uint8_t)way_predictor_hash((uint64_t)(address >> PAGE_SHIFT) << PAGE_LINE_SHIFT),
    };

    look_up(&memory->l1d, shape.l1d, &memory->l1d_hash, shape.hashes_ways, &access);
    if (access.way != CACHE_NO_WAY)
        return;
    memory->tally = aside;
    if (page_map_is_placed(&memory->pages))
        (void)cast_out_aliases(memory, access.line, access.physical, memory->now);
    (void)fill_l1d(memory, &shape, &access, false, memory->now);
    memory->tally = tally;
}

static void translate_device(struct a8_memory *memory, uint32_t page)
{
    struct a8_page *const known = data_page_slot(memory, page);
    if (known->page != page)
        memory->now = a8_bring_page(memory, known, page, memory->now);
}

/* CHOICE(device): a load waits for memory, a store in the write buffer. */
void a8_device_access(struct a8_memory *memory, uint64_t address, uint32_t bytes, bool store)
{
    const uint32_t bus_bytes = memory->machine->bus_width_bits / 8;
    const uint32_t beats = (bytes + bus_bytes - 1) / bus_bytes;
    if (memory->translates)
        translate_device(memory, (uint32_t)address >> PAGE_SHIFT);
    if (!store) {
        count(memory, ARMPMU_SIGNAL_BUS_READ_BEAT, beats);
        const uint64_t there =
            later(memory->now, memory->external.free) + memory->external.read_cycles;
        count(memory, ARMPMU_SIGNAL_STALL_BACKEND_DEVICE, there - memory->now);
        memory->now = there;
        return;
    }
    count(memory, ARMPMU_SIGNAL_BUS_WRITE_BEAT, beats);
    memory->now = a8_write_device(memory, address >> LINE_SHIFT, memory->now);
}

/* CHOICE(a8-preload): it brings a line into level 2, if the TLB has its page, and takes no time. */
void a8_preload(struct a8_memory *memory, uint32_t address, uint32_t later)
{
    const uint64_t line = address >> LINE_SHIFT, page = line >> PAGE_LINE_SHIFT;
    if (!memory->has_l2 || !memory->translates || a8_is_uncached(memory, address) ||
        !a8_has_page(memory, (uint32_t)page))
        return;
    const uint64_t physical = a8_physical_line(memory, line);
    if (cache_peek(&memory->l1d, line, physical) == NULL)
        read_aside(memory, physical, address & (LINE_BYTES - 1), memory->now + later, true);
}

bool a8_has_page(struct a8_memory *memory, uint32_t page)
{
    return tlb_lookup(&memory->dtlb, page_name(memory, page)) != NULL;
}

void a8_cure_by_preload(struct a8_memory *memory, uint32_t address, uint64_t at)
{
    const uint64_t now = memory->now;

    memory->now = at;
    a8_preload(memory, address, 0);
    memory->now = now;
}

/* The slow Cortex-A8's caches, TLBs, walks, write buffer and bus. */
#include "armpmu/trace.h"
#include "../../cores/model.h"
#include "core_internal.h"

enum { PART = 16, LINES_IN_PAGE = 64 };

/* ---- level 2 and memory ---- */

static uint64_t memory_time(const struct slow *slow)
{
    return slow->machine->memory_minimum_cycles + slow->machine->memory_latency_cycles;
}

static uint64_t beats(const struct slow *slow, uint64_t bytes)
{
    const uint64_t width = slow->machine->bus_width_bits / 8;
    return bytes / width + (bytes % width != 0);
}

static uint64_t parts_beats(const struct slow *slow, unsigned parts)
{
    uint64_t sum = 0;
    for (; parts != 0; parts >>= 1)
        sum += parts % 2 * beats(slow, PART);
    return sum;
}

static void bring_into_l2(struct slow *slow, uint64_t line, unsigned dirty)
{
    struct cache_line out;
    cache_fill(&slow->l2, line, line, &out)->dirty = (uint8_t)dirty;
    if (out.valid)
        COUNT(BUS_WRITE_BEAT, parts_beats(slow, out.dirty));
}

/* Returns the time it takes besides that of a hit. */
static uint64_t read_below(struct slow *slow, uint64_t line, bool *hit)
{
    *hit = false;
    if (slow->machine->l2_size_kb != 0) {
        COUNT(L2_ACCESS, 1);
        *hit = cache_lookup(&slow->l2, line, line) != NULL;
        if (*hit)
            return 0;
        COUNT(L2_MISS, 1);
        bring_into_l2(slow, line, 0);
    }
    COUNT(BUS_READ_BEAT, beats(slow, LINE));
    return memory_time(slow);
}

static uint64_t write_below(struct slow *slow, uint64_t line, unsigned parts, bool whole, bool *hit)
{
    struct cache_line *present = NULL;
    if (slow->machine->l2_size_kb != 0) {
        COUNT(L2_ACCESS, 1);
        present = cache_lookup(&slow->l2, line, line);
        COUNT(L2_MISS, present == NULL);
    }
    *hit = present != NULL;
    if (present != NULL) {
        present->dirty |= (uint8_t)parts;
    } else if (slow->machine->l2_size_kb != 0 &&
               (whole || slow->machine->l2_write_allocate == YESNO_YES)) {
        if (!whole)
            COUNT(BUS_READ_BEAT, beats(slow, LINE));
        bring_into_l2(slow, line, parts);
        return whole ? 0 : memory_time(slow);
    } else {
        COUNT(BUS_WRITE_BEAT, parts_beats(slow, parts));
    }
    return 0;
}

/* ---- the write buffer ---- */

static void wait_for_room(struct slow *slow)
{
    uint64_t least = slow->machine->store_buffer_full_cycles, full = 0;
    store_buffer_advance(&slow->stores, slow->now);
    while (slow->stores.used == slow->stores.n_entries) {
        full++;
        store_buffer_advance(&slow->stores, slow->now + full);
    }
    if (full == 0)
        return;
    COUNT(STORE_BUFFER_FULL, full);
    COUNT(REPLAY, 1);
    slow->now += full > least ? full : least;
    store_buffer_advance(&slow->stores, slow->now);
}

static void buffer(struct slow *slow, uint64_t line, uint64_t more, bool mergeable)
{
    const uint64_t time = slow->machine->store_buffer_drain_cycles + more;
    store_buffer_push(&slow->stores, slow->now, line, (uint32_t)time, mergeable);
}

static void cast_out(struct slow *slow, uint64_t line)
{
    bool hit;
    wait_for_room(slow);
    write_below(slow, line, 15, true, &hit);
    buffer(slow, line, 0, false);
}

static void store_past_l1(struct slow *slow, uint64_t line, unsigned parts, bool neon)
{
    bool hit;
    COUNT(STORE_TO_L2, 1);
    store_buffer_advance(&slow->stores, slow->now);
    if (store_buffer_merges(&slow->stores, line)) {
        COUNT(STORE_MERGED, 1);
        struct cache_line *present =
            slow->machine->l2_size_kb != 0 ? cache_peek(&slow->l2, line, line) : NULL;
        if (present != NULL)
            present->dirty |= (uint8_t)parts;
        return;
    }
    wait_for_room(slow);
    const uint64_t more = write_below(slow, line, parts, false, &hit);
    COUNT(NEON_L2_ACCESS, neon);
    COUNT(NEON_L2_HIT, neon && hit);
    buffer(slow, line, more, true);
}

/* ---- translation ---- */

static uint64_t walk_tables(struct slow *slow, uint64_t page)
{
    const uint64_t first = UINT64_C(0x100000000) + page / 256 * 4;
    const uint64_t second = UINT64_C(0x100010000) + page / 256 * 1024 + page % 256 * 4;
    bool hit;
    uint64_t time = slow->machine->walk_cycles;
    if (slow->machine->walk_levels >= 1)
        time += read_below(slow, first / LINE, &hit);
    if (slow->machine->walk_levels >= 2)
        time += read_below(slow, second / LINE, &hit);
    return time;
}

/* The frame of a page; *time: of a walk, 0 for none. */
static uint64_t translate(struct slow *slow, struct tlb *tlb, uint64_t page, uint64_t *time)
{
    const uint64_t frame = page_map_physical(&slow->pages, page);
    const uint64_t name = page_map_is_placed(&slow->pages) ? page | (frame + 1) << 32 : page;
    struct tlb_entry out;
    *time = 0;
    if (slow->untranslated)
        return page;
    if (tlb_lookup(tlb, name) != NULL)
        return frame;
    *time = walk_tables(slow, page);
    COUNT(ITLB_WALK, tlb == &slow->code.tlb);
    COUNT(DTLB_WALK, tlb == &slow->data.tlb);
    tlb_fill(tlb, name, frame, &out);
    return frame;
}

/* ---- level 1 ---- */

static uint32_t way_of(const struct cache *cache, const struct cache_line *line)
{
    return line == NULL ? WAY_NONE : (uint32_t)(line - cache->lines) % cache->ways;
}

static bool is_mispredicted(const struct level1 *level1, uint64_t line,
                            const struct cache_line *present)
{
    return way_predictor_is_on(&level1->hash) &&
           way_predictor_predict(&level1->hash, line) != way_of(&level1->cache, present);
}

static void train(struct level1 *level1, uint64_t line, const struct cache_line *present)
{
    if (way_predictor_is_on(&level1->hash))
        way_predictor_train(&level1->hash, line, way_of(&level1->cache, present));
}

void slow_fetch(struct slow *slow, uint64_t line, bool speculative)
{
    struct level1 *l1i = &slow->code;
    uint64_t time;
    bool hit;
    const uint64_t frame = translate(slow, &l1i->tlb, line / LINES_IN_PAGE, &time);
    const uint64_t physical = frame * LINES_IN_PAGE + line % LINES_IN_PAGE;
    struct cache_line out, *present = cache_lookup(&l1i->cache, line, physical);
    const bool mispredicted = is_mispredicted(l1i, line, present);
    COUNT(L1I_WAY_MISS, mispredicted);
    if (present == NULL) {
        COUNT(L1I_REFILL, 1);
        time += slow->machine->l2_fetch_hit_cycles + read_below(slow, physical, &hit);
        present = cache_fill(&l1i->cache, line, physical, &out);
    } else if (mispredicted) {
        time += slow->machine->way_hash_replay_cycles;
    }
    train(l1i, line, present);
    present->virtual_line = (uint32_t)line;
    if (speculative)
        return;
    slow->now += time;
    COUNT(ISSUE_EMPTY, time);
}

/* A line is in the data cache once: under its other colours it is cast out. */
static void leave_other_colours(struct slow *slow, uint64_t line, uint64_t physical)
{
    struct level1 *l1d = &slow->data;
    const uint64_t way_pages = slow->machine->l1d_size_kb / slow->machine->l1d_ways / 4;
    for (uint64_t colour = 1; colour < way_pages; colour++) {
        const uint64_t other = line ^ colour * LINES_IN_PAGE;
        struct cache_line *present = cache_peek(&l1d->cache, other, physical);
        if (present == NULL)
            continue;
        const bool dirty = present->dirty != 0;
        if (way_predictor_is_on(&l1d->hash))
            way_predictor_take(&l1d->hash, other, way_of(&l1d->cache, present));
        cache_drop(&l1d->cache, present);
        if (dirty)
            cast_out(slow, physical);
    }
}

static void bring_into_l1d(struct slow *slow, uint64_t line, uint64_t physical, bool dirty)
{
    struct cache_line out;
    struct cache_line *present = cache_fill(&slow->data.cache, line, physical, &out);
    COUNT(L1D_REFILL, 1);
    present->dirty = dirty;
    train(&slow->data, line, present);
    if (out.valid && out.dirty)
        cast_out(slow, out.physical);
}

static void miss_load(struct slow *slow, uint64_t line, uint64_t physical, bool neon)
{
    bool hit;
    const uint64_t time = read_below(slow, physical, &hit) + slow->machine->l2_hit_cycles;
    if (!neon) {
        COUNT(REPLAY, hit ? 1 : 2);
        slow->now += time;
    } else {
        COUNT(NEON_L2_ACCESS, 1);
        COUNT(NEON_L2_HIT, hit);
        if (slow->now + time > slow->neon_data)
            slow->neon_data = slow->now + time;
    }
    if (!neon || slow->machine->l1d_neon_allocate == YESNO_YES)
        bring_into_l1d(slow, line, physical, false);
}

static void miss_store(struct slow *slow, uint64_t line, uint64_t physical, unsigned parts,
                       bool neon)
{
    bool hit;
    if (slow->machine->l1d_write_allocate == YESNO_NO) {
        store_past_l1(slow, physical, parts, neon);
    } else {
        read_below(slow, physical, &hit);
        bring_into_l1d(slow, line, physical, true);
    }
}

/* Bytes of one line. */
static void access_line(struct slow *slow, uint64_t address, unsigned bytes,
                        const struct insn_memory *memory)
{
    struct level1 *l1d = &slow->data;
    uint64_t time;
    const uint64_t line = address / LINE, page = line / LINES_IN_PAGE;
    const uint64_t colours = slow->machine->l1d_size_kb / slow->machine->l1d_ways / 4;
    const uint64_t frame = translate(slow, &l1d->tlb, page, &time);
    const uint64_t physical = frame * LINES_IN_PAGE + line % LINES_IN_PAGE;
    COUNT(REPLAY, time != 0);
    slow->now += time;
    struct cache_line *present = cache_lookup(&l1d->cache, line, physical);
    const bool mispredicted = is_mispredicted(l1d, line, present);
    COUNT(L1D_ACCESS, 1);
    COUNT(NEON_L1D_ACCESS, memory->neon);
    COUNT(NEON_L1D_HIT, memory->neon && present != NULL);
    COUNT(L1D_COLOUR_ALIAS, colours > 1 && page % colours != frame % colours);
    COUNT(L1D_WAY_MISS, mispredicted);
    if (present != NULL) {
        COUNT(REPLAY, mispredicted);
        slow->now += mispredicted ? slow->machine->way_hash_replay_cycles : 0;
        train(l1d, line, present);
        present->virtual_line = (uint32_t)line;
        present->dirty |= memory->store;
        return;
    }
    leave_other_colours(slow, line, physical);
    unsigned parts = 0;
    for (unsigned i = 0; i < bytes; i++)
        parts |= 1u << (address + i) % LINE / PART;
    if (memory->store)
        miss_store(slow, line, physical, parts, memory->neon);
    else
        miss_load(slow, line, physical, memory->neon);
}

static void access_device(struct slow *slow, uint64_t address, const struct insn_memory *memory)
{
    uint64_t time;
    translate(slow, &slow->data.tlb, address >> PAGE_SHIFT, &time);
    COUNT(REPLAY, time != 0);
    slow->now += time;
    if (memory->store) {
        COUNT(BUS_WRITE_BEAT, beats(slow, memory->bytes));
        wait_for_room(slow);
        buffer(slow, address / LINE, memory_time(slow), false);
    } else {
        COUNT(BUS_READ_BEAT, beats(slow, memory->bytes));
        slow->now += memory_time(slow);
    }
}

static void replay_unaligned(struct slow *slow, uint64_t address, const struct insn_memory *memory)
{
    const uint64_t bound = memory->store ? slow->machine->replay_store_boundary_bytes
                                         : slow->machine->replay_load_boundary_bytes;
    if (address % memory->align == 0)
        return;
    COUNT(UNALIGNED_RETIRED, 1);
    if (memory->neon || address / bound == (address + memory->bytes - 1) / bound)
        return;
    COUNT(UNALIGNED_REPLAY, 1);
    COUNT(REPLAY, 1);
    slow->now += slow->machine->replay_unaligned_cycles;
}

void slow_access(struct slow *slow, const struct retired_access *access,
                 const struct insn_memory *memory)
{
    const uint32_t address = (uint32_t)access->address;
    COUNT(LOAD_RETIRED, memory->load);
    COUNT(STORE_RETIRED, memory->store);
    if (access->device || slow->untranslated) {
        access_device(slow, address, memory);
        return;
    }
    replay_unaligned(slow, address, memory);
    for (unsigned done = 0; done < memory->bytes;) {
        const unsigned room = LINE - (address + done) % LINE, left = memory->bytes - done;
        const unsigned here = room < left ? room : left;
        access_line(slow, address + done, here, memory);
        done += here;
    }
}

/* ---- maintenance ---- */

static void maintain_line(struct slow *slow, struct level1 *level1, struct cache_line *line,
                          unsigned bits)
{
    if (line == NULL || !line->valid)
        return;
    if ((bits & ARMPMU_CACHE_CLEAN) && line->dirty) {
        line->dirty = 0;
        cast_out(slow, line->physical);
    }
    if (!(bits & ARMPMU_CACHE_INVALIDATE))
        return;
    if (way_predictor_is_on(&level1->hash))
        way_predictor_take(&level1->hash, line->virtual_line, way_of(&level1->cache, line));
    cache_drop(&level1->cache, line);
}

static void maintain_l2_line(struct slow *slow, struct cache_line *line, unsigned bits)
{
    if (line == NULL || !line->valid)
        return;
    if (bits & ARMPMU_CACHE_CLEAN) {
        COUNT(BUS_WRITE_BEAT, parts_beats(slow, line->dirty));
        line->dirty = 0;
    }
    if (bits & ARMPMU_CACHE_INVALIDATE)
        cache_drop(&slow->l2, line);
}

static void maintain_address(struct slow *slow, unsigned bits, uint64_t address)
{
    const uint64_t line = address / LINE, page = line / LINES_IN_PAGE;
    const uint64_t way_pages = slow->machine->l1d_size_kb / slow->machine->l1d_ways / 4;
    const uint64_t frame = slow->untranslated ? page : page_map_physical(&slow->pages, page);
    const uint64_t physical = frame * LINES_IN_PAGE + line % LINES_IN_PAGE;
    if (bits & ARMPMU_CACHE_INSTRUCTION)
        maintain_line(slow, &slow->code, cache_peek(&slow->code.cache, line, physical),
                      ARMPMU_CACHE_INVALIDATE);
    if (!(bits & ARMPMU_CACHE_DATA))
        return;
    for (uint64_t colour = 0; colour == 0 || colour < way_pages; colour++)
        maintain_line(slow, &slow->data,
                      cache_peek(&slow->data.cache, line ^ colour * LINES_IN_PAGE, physical), bits);
    if ((bits & ARMPMU_CACHE_COHERENCY) && slow->machine->l2_size_kb != 0)
        maintain_l2_line(slow, cache_peek(&slow->l2, physical, physical), bits);
}

void slow_preload(struct slow *slow, uint32_t address)
{
    const uint64_t page = address / LINE / LINES_IN_PAGE;
    const uint64_t frame = page_map_physical(&slow->pages, page);
    const uint64_t name = page_map_is_placed(&slow->pages) ? page | (frame + 1) << 32 : page;
    const uint64_t physical = frame * LINES_IN_PAGE + address / LINE % LINES_IN_PAGE;
    bool hit;
    if (slow->machine->l2_size_kb == 0 || slow->untranslated)
        return;
    if (tlb_lookup(&slow->data.tlb, name) != NULL &&
        cache_peek(&slow->data.cache, address / LINE, physical) == NULL)
        read_below(slow, physical, &hit);
}

/* The line of a way and a set. The way's number stands in as many topmost bits as it needs. */
static struct cache_line *line_at(const struct cache *cache, uint32_t operand)
{
    uint64_t way = operand;
    for (uint32_t ways = 1; ways < cache->ways; ways *= 2)
        way *= 2;
    way >>= 32;
    return &cache->lines[operand / LINE % cache->sets * cache->ways + way];
}

void slow_maintain(struct slow *slow, unsigned bits, uint32_t operand)
{
    const struct cache *l1i = &slow->code.cache, *l1d = &slow->data.cache;
    if (bits & ARMPMU_CACHE_ADDRESS) {
        maintain_address(slow, bits, operand);
        return;
    }
    if (bits & ARMPMU_CACHE_SET_WAY) {
        if (operand % 16 / 2 == 0)
            maintain_line(slow, &slow->data, line_at(l1d, operand), bits);
        else if (operand % 16 / 2 == 1 && slow->machine->l2_size_kb != 0)
            maintain_l2_line(slow, line_at(&slow->l2, operand), bits);
        return;
    }
    for (uint32_t i = 0; (bits & ARMPMU_CACHE_INSTRUCTION) && i < l1i->sets * l1i->ways; i++)
        maintain_line(slow, &slow->code, &l1i->lines[i], ARMPMU_CACHE_INVALIDATE);
    for (uint32_t i = 0; (bits & ARMPMU_CACHE_DATA) && i < l1d->sets * l1d->ways; i++)
        maintain_line(slow, &slow->data, &l1d->lines[i], bits);
}

/* ---- the whole ---- */

static void init_level1(struct level1 *level1, uint32_t kb, uint32_t ways,
                        enum machine_replacement replacement, uint64_t seed, bool hashed)
{
    struct armpmu_error err = {""};
    const uint32_t sets = kb * 1024 / LINE / ways;
    assert_int_equal(cache_init(&level1->cache, sets, ways, replacement, seed, &err), ARMPMU_OK);
    if (hashed)
        assert_int_equal(way_predictor_init(&level1->hash, sets, ways, &err), ARMPMU_OK);
}

void slow_memory_init(struct slow *slow)
{
    const struct armpmu_machine *machine = slow->machine;
    struct armpmu_error err = {""};
    const uint64_t seed = machine->random_seed;
    const bool hashed = machine->way_hash_enabled == YESNO_YES;
    init_level1(&slow->code, machine->l1i_size_kb, machine->l1i_ways, machine->l1i_replacement,
                seed ^ 1, hashed);
    init_level1(&slow->data, machine->l1d_size_kb, machine->l1d_ways, machine->l1d_replacement,
                seed ^ 2, hashed);
    if (machine->l2_size_kb != 0)
        assert_int_equal(cache_init(&slow->l2, machine->l2_size_kb * 1024 / LINE / machine->l2_ways,
                                    machine->l2_ways, machine->l2_replacement, seed ^ 3, &err),
                         ARMPMU_OK);
    assert_int_equal(
        tlb_init(&slow->code.tlb, machine->itlb_entries, machine->itlb_replacement, seed ^ 4, &err),
        ARMPMU_OK);
    assert_int_equal(
        tlb_init(&slow->data.tlb, machine->dtlb_entries, machine->dtlb_replacement, seed ^ 5, &err),
        ARMPMU_OK);
    page_map_init(&slow->pages, machine->memory_page_map, seed ^ 6);
    store_buffer_init(&slow->stores, machine->store_buffer_entries);
}

void slow_memory_free(struct slow *slow)
{
    cache_free(&slow->code.cache);
    cache_free(&slow->data.cache);
    cache_free(&slow->l2);
    way_predictor_free(&slow->code.hash);
    way_predictor_free(&slow->data.hash);
    tlb_free(&slow->code.tlb);
    tlb_free(&slow->data.tlb);
    page_map_free(&slow->pages);
}

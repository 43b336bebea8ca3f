/* The slow Cortex-A8's caches, TLBs, walks, write buffer and bus. */
#include <string.h>

#include "armpmu/trace.h"
#include "../../cores/model.h"
#include "core_internal.h"

enum { PART = 16, LINES_IN_PAGE = 64 };

/* ---- memory ---- */

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

static bool overlaps(const struct slow *slow)
{
    return slow->machine->bus_overlaps_writes == YESNO_YES;
}

/* When memory begins with what is asked of it: it is not writing, and, to write, sends no line, or,
 * where writes overlap, has had time for the beats of each read since that began. */
static uint64_t write_memory(struct slow *slow, uint64_t n_beats, uint64_t time)
{
    if (n_beats == 0)
        return time;
    if (time < slow->written)
        time = slow->written;
    for (unsigned i = 0; i < 16 && !overlaps(slow); i++)
        if (time < slow->requests[i].complete)
            time = slow->requests[i].complete;
    slow->written = time + n_beats * slow->machine->bus_write_beat_cycles;
    if (slow->latest_was_read)
        slow->written += slow->machine->memory_turnaround_cycles;
    slow->latest_was_read = false;
    return time;
}

static uint64_t ask_memory(struct slow *slow, uint64_t line, uint64_t offset, uint64_t time)
{
    struct slow_request request = {.line = line, .offset = offset};
    const uint64_t buffer_free = slow->requests[slow->machine->l2_fill_buffers - 1].complete;
    COUNT(BUS_READ_BEAT, beats(slow, LINE));
    if (time < slow->written)
        time = slow->written;
    if (time < buffer_free)
        time = buffer_free;
    request.first = time + memory_time(slow);
    if (request.first < slow->requests[0].complete)
        request.first = slow->requests[0].complete;
    request.complete = request.first + beats(slow, LINE) * slow->machine->bus_beat_cycles;
    slow->latest_was_read = true;
    if (overlaps(slow))
        slow->written = time + beats(slow, LINE) * slow->machine->bus_beat_cycles;
    memmove(slow->requests + 1, slow->requests, 15 * sizeof request);
    slow->requests[0] = request;
    return request.first;
}

/* A line of a cache may be on its way: when its word at an offset is there. */
static uint64_t arrival(const struct slow *slow, uint64_t line, uint64_t offset, uint64_t time)
{
    const uint64_t width = slow->machine->bus_width_bits / 8;
    for (unsigned i = 0; i < slow->machine->l2_fill_buffers; i++) {
        const struct slow_request *request = &slow->requests[i];
        uint64_t comes = request->first;
        for (uint64_t at = request->offset / width; at != offset / width;
             at = (at + 1) % beats(slow, LINE))
            comes += slow->machine->bus_beat_cycles;
        if (request->line == line && request->complete != 0 && time < comes)
            time = comes;
    }
    return time;
}

/* ---- the write buffer ---- */

static unsigned parts_of(const bool *bytes)
{
    unsigned parts = 0;
    for (unsigned i = 0; i < LINE; i++)
        parts |= (unsigned)bytes[i] << i / PART;
    return parts;
}

static bool is_whole(const struct slow_write *write)
{
    for (unsigned i = 0; i < LINE; i++)
        if (!write->bytes[i])
            return false;
    return true;
}

static uint64_t beginning(const struct slow *slow)
{
    const uint64_t since = slow->writes[0].since;
    return since > slow->drained ? since : slow->drained;
}

static void begin(struct slow *slow)
{
    const struct slow_write *oldest = &slow->writes[0];
    uint64_t time = beginning(slow) + slow->machine->store_buffer_drain_cycles;
    if (oldest->kind == FETCHES && !is_whole(oldest))
        time = ask_memory(slow, oldest->line, 0, time);
    else if (oldest->kind == TO_MEMORY)
        time = write_memory(slow, parts_beats(slow, parts_of(oldest->bytes)), time);
    else if (oldest->kind == TO_DEVICE)
        time = (time > slow->written ? time : slow->written) + memory_time(slow);
    slow->drained = time;
    slow->draining = true;
}

static void drain_until(struct slow *slow, uint64_t time)
{
    while (slow->n_writes > 0) {
        if (!slow->draining && (slow->writes[0].awaits_neon || beginning(slow) > time))
            return;
        if (!slow->draining)
            begin(slow);
        if (slow->drained > time)
            return;
        memmove(slow->writes, slow->writes + 1, --slow->n_writes * sizeof slow->writes[0]);
        slow->draining = false;
    }
}

static uint64_t drain_one(struct slow *slow, uint64_t time)
{
    if (!slow->draining)
        begin(slow);
    if (time < slow->drained)
        time = slow->drained;
    drain_until(slow, time);
    return time;
}

static void wait_for_writes(struct slow *slow, uint64_t line)
{
    drain_until(slow, slow->now);
    for (unsigned i = 0; i < slow->n_writes; i++)
        if (slow->writes[i].line == line) {
            slow->now = drain_one(slow, slow->now);
            i = UINT32_MAX;
        }
}

static void wait_for_room(struct slow *slow)
{
    const uint64_t least = slow->now + slow->machine->store_buffer_full_cycles;
    drain_until(slow, slow->now);
    if (slow->n_writes < slow->machine->store_buffer_entries)
        return;
    const uint64_t room = drain_one(slow, slow->now);
    COUNT(STORE_BUFFER_FULL, room - slow->now);
    COUNT(REPLAY, 1);
    slow->now = room > least ? room : least;
    drain_until(slow, slow->now);
}

static struct slow_write *add_write(struct slow *slow, uint64_t line, uint64_t since)
{
    struct slow_write *write = &slow->writes[slow->n_writes++];
    *write = (struct slow_write){.line = line, .since = since};
    return write;
}

void slow_vector_stored(struct slow *slow, uint64_t time)
{
    for (unsigned i = 0; i < slow->n_writes; i++) {
        struct slow_write *write = &slow->writes[i];
        if (write->awaits_neon && write->since < time)
            write->since = time;
        write->awaits_neon = false;
    }
}

/* ---- level 2 ---- */

/* Returns the beats that write the line that leaves. */
static uint64_t bring_into_l2(struct slow *slow, uint64_t line, unsigned dirty)
{
    struct cache_line out;
    cache_fill(&slow->l2, line, line, &out)->dirty = (uint8_t)dirty;
    COUNT(BUS_WRITE_BEAT, out.valid ? parts_beats(slow, out.dirty) : 0);
    return out.valid ? parts_beats(slow, out.dirty) : 0;
}

/* A fetch or a walk: a time of its own, which nothing else in memory changes. */
static uint64_t fetch_below(struct slow *slow, uint64_t line)
{
    if (slow->machine->l2_size_kb != 0) {
        COUNT(L2_ACCESS, 1);
        if (cache_lookup(&slow->l2, line, line) != NULL)
            return 0;
        COUNT(L2_MISS, 1);
        bring_into_l2(slow, line, 0);
    }
    COUNT(BUS_READ_BEAT, beats(slow, LINE));
    return memory_time(slow);
}

/* Returns when the word at an offset is there, after the cycles of a hit at least. */
static uint64_t read_below(struct slow *slow, uint64_t line, uint64_t offset, uint64_t time,
                           uint64_t cycles, bool *hit)
{
    *hit = false;
    if (slow->machine->l2_size_kb != 0) {
        COUNT(L2_ACCESS, 1);
        *hit = cache_lookup(&slow->l2, line, line) != NULL;
        if (*hit)
            return arrival(slow, line, offset, time + cycles);
        COUNT(L2_MISS, 1);
        drain_until(slow, time);
        write_memory(slow, bring_into_l2(slow, line, 0), time + cycles);
    }
    return ask_memory(slow, line, offset, time + cycles);
}

/* Makes the entry of a write to a line. */
static struct slow_write *write_below(struct slow *slow, uint64_t line, unsigned parts,
                                      bool cast_out)
{
    struct cache_line *present = NULL;
    const bool has_l2 = slow->machine->l2_size_kb != 0;
    const bool takes = cast_out || slow->machine->l2_write_allocate == YESNO_YES;
    uint64_t since = slow->now;
    if (has_l2) {
        COUNT(L2_ACCESS, 1);
        present = cache_lookup(&slow->l2, line, line);
        COUNT(L2_MISS, present == NULL);
    }
    if (present != NULL)
        present->dirty |= (uint8_t)parts;
    else if (has_l2 && takes)
        since = write_memory(slow, bring_into_l2(slow, line, parts), since);
    struct slow_write *write = add_write(slow, line, since);
    if (present == NULL && (!has_l2 || !takes))
        write->kind = TO_MEMORY;
    else if (present == NULL && !cast_out)
        write->kind = FETCHES;
    return write;
}

static void cast_out(struct slow *slow, uint64_t line)
{
    wait_for_room(slow);
    struct slow_write *write = write_below(slow, line, 15, true);
    memset(write->bytes, true, sizeof write->bytes);
    if (write->kind == TO_MEMORY)
        COUNT(BUS_WRITE_BEAT, parts_beats(slow, 15));
}

static void write_bytes(struct slow *slow, struct slow_write *write, const bool *bytes, bool neon)
{
    const unsigned before = parts_of(write->bytes);
    for (unsigned i = 0; i < LINE; i++)
        write->bytes[i] |= bytes[i];
    if (write->kind == TO_MEMORY)
        COUNT(BUS_WRITE_BEAT, parts_beats(slow, parts_of(write->bytes) & ~before));
    write->awaits_neon |= neon;
}

/* The newest that a store to a line can merge into. */
static struct slow_write *mergeable(struct slow *slow, uint64_t line)
{
    struct slow_write *found = NULL;
    for (unsigned i = slow->draining; i < slow->n_writes; i++)
        if (slow->writes[i].store && slow->writes[i].line == line)
            found = &slow->writes[i];
    return found;
}

static void store_past_l1(struct slow *slow, uint64_t line, const bool *bytes, bool neon)
{
    COUNT(STORE_TO_L2, 1);
    drain_until(slow, slow->now);
    struct slow_write *write = mergeable(slow, line);
    if (write != NULL) {
        COUNT(STORE_MERGED, 1);
        struct cache_line *present = slow->machine->l2_size_kb != 0 && write->kind != TO_MEMORY
                                         ? cache_peek(&slow->l2, line, line)
                                         : NULL;
        if (present != NULL)
            present->dirty |= (uint8_t)(parts_of(bytes) & ~parts_of(write->bytes));
        write_bytes(slow, write, bytes, neon);
        return;
    }
    wait_for_room(slow);
    write = write_below(slow, line, parts_of(bytes), false);
    COUNT(NEON_L2_ACCESS, neon);
    COUNT(NEON_L2_HIT, neon && write->kind == TO_L2);
    write->store = true;
    write_bytes(slow, write, bytes, neon);
}

/* ---- translation ---- */

static uint64_t walk_tables(struct slow *slow, uint64_t page)
{
    const uint64_t first = UINT64_C(0x100000000) + page / 256 * 4;
    const uint64_t second = UINT64_C(0x100010000) + page / 256 * 1024 + page % 256 * 4;
    uint64_t time = slow->machine->walk_cycles;
    if (slow->machine->walk_levels >= 1)
        time += fetch_below(slow, first / LINE);
    if (slow->machine->walk_levels >= 2)
        time += fetch_below(slow, second / LINE);
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
    const uint64_t frame = translate(slow, &l1i->tlb, line / LINES_IN_PAGE, &time);
    const uint64_t physical = frame * LINES_IN_PAGE + line % LINES_IN_PAGE;
    struct cache_line out, *present = cache_lookup(&l1i->cache, line, physical);
    const bool mispredicted = is_mispredicted(l1i, line, present);
    COUNT(L1I_WAY_MISS, mispredicted);
    if (present == NULL) {
        COUNT(L1I_REFILL, 1);
        time += slow->machine->l2_fetch_hit_cycles + fetch_below(slow, physical);
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

/* What a load waits for has come. */
static void come(struct slow *slow, bool neon, uint64_t time)
{
    if (!neon)
        slow->now = time;
    else if (time > slow->neon_data)
        slow->neon_data = time;
}

static void miss_load(struct slow *slow, uint64_t line, uint64_t physical, uint64_t offset,
                      bool neon)
{
    bool hit;
    wait_for_writes(slow, physical);
    const uint64_t time =
        read_below(slow, physical, offset, slow->now, slow->machine->l2_hit_cycles, &hit);
    COUNT(NEON_L2_ACCESS, neon);
    COUNT(NEON_L2_HIT, neon && hit);
    COUNT(REPLAY, neon ? 0 : hit ? 1 : 2);
    come(slow, neon, time);
    if (!neon || slow->machine->l1d_neon_allocate == YESNO_YES)
        bring_into_l1d(slow, line, physical, false);
}

static void miss_store(struct slow *slow, uint64_t line, uint64_t physical, uint64_t offset,
                       unsigned n, bool neon)
{
    bool hit, bytes[LINE] = {false};
    memset(bytes + offset, true, n);
    if (slow->machine->l1d_write_allocate == YESNO_NO) {
        store_past_l1(slow, physical, bytes, neon);
    } else {
        read_below(slow, physical, offset, slow->now, 0, &hit);
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
        if (!memory->store && arrival(slow, physical, address % LINE, slow->now) > slow->now)
            come(slow, memory->neon, arrival(slow, physical, address % LINE, slow->now));
        return;
    }
    leave_other_colours(slow, line, physical);
    if (memory->store)
        miss_store(slow, line, physical, address % LINE, bytes, memory->neon);
    else
        miss_load(slow, line, physical, address % LINE, memory->neon);
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
        add_write(slow, address / LINE, slow->now)->kind = TO_DEVICE;
    } else {
        COUNT(BUS_READ_BEAT, beats(slow, memory->bytes));
        slow->now = (slow->now > slow->written ? slow->now : slow->written) + memory_time(slow);
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
        write_memory(slow, parts_beats(slow, line->dirty), slow->now);
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
        read_below(slow, physical, address % LINE, slow->now, slow->machine->l2_hit_cycles, &hit);
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

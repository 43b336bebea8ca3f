/* The Cortex-A8's memory system: set-up, and the filter of accesses known to hit. */
#include <stddef.h>
#include <stdlib.h>

#include "base/error.h"
#include "cores/cortex_a8/memory_internal.h"

/* ---- the filters ---- */

/* Nothing is known of a page of data. */
static void forget_data_page(struct a8_memory *memory, uint32_t page)
{
    struct a8_page *const known = data_page_slot(memory, page);
    if ((known->page & ~A8_PAGE_AWAY) == page)
        known->page = A8_NO_PAGE;
}

void a8_forget_code_page(struct a8_memory *memory, uint32_t page)
{
    struct a8_code_pages *const pages = a8_code_pages_of(memory, page);
    if (pages->epoch.page == page)
        pages->epoch.page = A8_NO_PAGE;
    memory->code_pages[A8_CODE_PAGES].epoch.number++;
}

void a8_forget_page(struct a8_memory *memory, uint32_t page)
{
    forget_data_page(memory, page);
    a8_forget_code_page(memory, page);
    a8_code_pages_of(memory, page)->epoch.number++;
    line_filter_drop_page(&memory->fetch, page, LINE_SHIFT);
    line_filter_drop_page(&memory->data[0], page, LINE_SHIFT);
    line_filter_drop_page(&memory->data[1], page, LINE_SHIFT);
}

void a8_forget_fetches(struct a8_memory *memory)
{
    line_filter_clear(&memory->fetch, LINE_SHIFT);
    for (uint32_t i = 0; i <= A8_CODE_PAGES; i++) {
        memory->code_pages[i].epoch.page = A8_NO_PAGE;
        memory->code_pages[i].epoch.number++;
    }
}

void a8_forget_all(struct a8_memory *memory)
{
    a8_forget_fetches(memory);
    for (uint32_t i = 0; i < A8_DATA_PAGES; i++)
        memory->data_pages[i].page = A8_NO_PAGE;
    line_filter_clear(&memory->data[0], LINE_SHIFT);
    line_filter_clear(&memory->data[1], LINE_SHIFT);
}

void a8_forget_fetch_line(struct a8_memory *memory, uint32_t line)
{
    line_filter_drop(&memory->fetch, line << LINE_SHIFT, LINE_SHIFT);
    a8_code_pages_of(memory, line >> PAGE_LINE_SHIFT)->epoch.number++;
    memory->code_pages[A8_CODE_PAGES].epoch.number++;
}

void a8_drop_line(struct cache *cache, struct way_predictor *hash, struct cache_line *line)
{
    if (way_predictor_is_on(hash))
        way_predictor_take(hash, line->virtual_line, cache_way(cache, line->virtual_line, line));
    cache_drop(cache, line);
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
        {"l2.fill_buffers", machine->l2_fill_buffers, 1, A8_FILL_BUFFERS_MAX},
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (limits[i].value < limits[i].low || limits[i].value > limits[i].high)
            return fail(err, ARMPMU_BAD_CONFIG,
                        "machine %s: %s = %u: a cortex-a8 has %u to %u; change its file or --set",
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

/* Returns whether the machine is of A8_USUAL_SHAPE. */
static bool is_usual(const struct a8_memory *memory)
{
    const struct a8_shape is = a8_shape_of(memory), usual = A8_USUAL_SHAPE(false, false);
    return is.l1d.ways == usual.l1d.ways && is.l1d.policy == usual.l1d.policy &&
           is.l2.ways == usual.l2.ways && is.l2.policy == usual.l2.policy &&
           is.has_l2 == usual.has_l2 && is.hashes_ways == usual.hashes_ways &&
           is.stores_allocate == usual.stores_allocate;
}

static void init_external(struct a8_memory *memory, const struct armpmu_machine *machine)
{
    const uint32_t bus_bytes = machine->bus_width_bits / 8;
    memory->part_beats = (PART_BYTES + bus_bytes - 1) / bus_bytes;
    const uint32_t line_beats = greater(LINE_BYTES / bus_bytes, 1);
    memory->external = (struct external_memory){
        .n_fills = machine->l2_fill_buffers,
        .read_cycles = machine->memory_minimum_cycles + machine->memory_latency_cycles,
        .beat_cycles = machine->bus_beat_cycles,
        .write_beat_cycles = machine->bus_write_beat_cycles,
        .turnaround_cycles = machine->memory_turnaround_cycles,
        .line_beats = line_beats,
        .line_cycles = line_beats * machine->bus_beat_cycles,
        .beat_shift = (uint32_t)__builtin_ctz(bus_bytes),
        .overlaps = machine->bus_overlaps_writes == YESNO_YES,
    };
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
    const uint32_t way_bytes = machine->l1d_size_kb * 1024 / machine->l1d_ways;
    memory->colour_mask = way_bytes > 1u << PAGE_SHIFT ? (way_bytes >> PAGE_SHIFT) - 1 : 0;
    memory->fetch_filtered =
        machine->l1i_replacement != REPLACEMENT_LRU && machine->itlb_replacement != REPLACEMENT_LRU;
    memory->data_filtered =
        machine->l1d_replacement != REPLACEMENT_LRU && machine->dtlb_replacement != REPLACEMENT_LRU;
    memory->keeps_places = memory->has_l2 && machine->l2_replacement != REPLACEMENT_LRU;
    page_map_init(&memory->pages, machine->memory_page_map, machine->random_seed ^ 6);
    a8_forget_all(memory); /* which moves the epochs on from 0: never */
    memory->writes.n_entries = machine->store_buffer_entries;
    init_external(memory, machine);
    const enum armpmu_status made = init_caches(memory, machine, err);
    memory->is_usual = made == ARMPMU_OK && is_usual(memory);
    memory->is_plain = memory->is_usual && machine->cures == NULL;
    return made;
}

void a8_add_back(struct a8_memory *memory, struct a8_memory *back)
{
    struct a8_memory **link = &memory->backs;

    while (*link != NULL)
        link = &(*link)->next_back;
    *link = back;
    memory->is_plain = false; /* a front's accesses are looked at closely */
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

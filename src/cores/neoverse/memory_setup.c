/* The memory system of the server cores, made and freed, and where its pages lie. */
#include "cores/neoverse/memory.h"

#include <stdlib.h>
#include <string.h>

#include "armpmu/trace.h"
#include "base/error.h"

/* size_kb 0: a cache of one line that is never asked. */
static enum armpmu_status make_cache(struct tag_array *cache, uint32_t size_kb, uint32_t ways,
                                     uint32_t line_bytes, enum machine_replacement policy,
                                     uint64_t seed, struct armpmu_error *err)
{
    if (size_kb == 0)
        return tag_array_init(cache, 1, 1, policy, seed, err);
    return tag_array_init(cache, size_kb * 1024 / ways / line_bytes, ways, policy, seed, err);
}

static enum armpmu_status make_caches(struct neoverse_memory *memory, struct armpmu_error *err)
{
    const struct armpmu_machine *m = memory->machine;
    const uint64_t seed = m->random_seed;
    enum armpmu_status status = make_cache(&memory->l1i, m->l1i_size_kb, m->l1i_ways,
                                           m->l1i_line_bytes, m->l1i_replacement, seed, err);
    if (status == ARMPMU_OK)
        status = make_cache(&memory->l1d, m->l1d_size_kb, m->l1d_ways, m->l1d_line_bytes,
                            m->l1d_replacement, seed + 1, err);
    if (status == ARMPMU_OK)
        status = make_cache(&memory->own_l2.tags, m->l2_size_kb, m->l2_ways, m->l2_line_bytes,
                            m->l2_replacement, seed + 2, err);
    if (status == ARMPMU_OK)
        status = make_cache(&memory->own_llc.tags, m->llc_size_kb, m->llc_ways, m->l2_line_bytes,
                            m->llc_replacement, seed + 3, err);
    if (status == ARMPMU_OK)
        status = tag_array_init(&memory->l2tlb, m->l2tlb_entries / m->l2tlb_ways, m->l2tlb_ways,
                                m->l2tlb_replacement, seed + 4, err);
    if (status == ARMPMU_OK)
        status = tag_array_init(&memory->walk_cache, 1,
                                m->walk_cache_entries != 0 ? m->walk_cache_entries : 1,
                                REPLACEMENT_LRU, seed, err);
    if (status == ARMPMU_OK)
        status = tlb_init(&memory->tlbs[SIDE_FETCH], m->itlb_entries, m->itlb_replacement, seed + 5,
                          err);
    if (status == ARMPMU_OK)
        status =
            tlb_init(&memory->tlbs[SIDE_DATA], m->dtlb_entries, m->dtlb_replacement, seed + 6, err);
    return status;
}

static enum armpmu_status make_lines(struct memory_line **lines, const struct tag_array *cache,
                                     struct armpmu_error *err)
{
    *lines = calloc((size_t)cache->sets * cache->ways, sizeof **lines);
    if (*lines == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "no memory for %u cache lines",
                    cache->sets * cache->ways);
    return ARMPMU_OK;
}

static enum armpmu_status make_filled(struct neoverse_memory *memory, struct armpmu_error *err)
{
    memory->filled = calloc(memory->l1d.sets, sizeof *memory->filled);
    return memory->filled != NULL ? ARMPMU_OK : fail_no_memory(err, "sets of the data cache");
}

static enum armpmu_status make_llc_flags(struct memory_llc *llc, struct armpmu_error *err)
{
    llc->dirty = calloc((size_t)llc->tags.sets * llc->tags.ways, sizeof *llc->dirty);
    return llc->dirty != NULL ? ARMPMU_OK : fail_no_memory(err, "lines of the shared cache");
}

static void set_page_shift(struct neoverse_memory *memory, unsigned page_shift)
{
    memory->page_shift = page_shift;
    memory->page_lines_shift = page_shift - memory->line_shift;
}

/* CHOICE(neoverse-l1-index): returns how many bits of a page number choose a set of level 1. */
static unsigned index_bits(const struct neoverse_memory *memory)
{
    const struct armpmu_machine *const m = memory->machine;
    const unsigned way = (unsigned)__builtin_ctz(m->l1d_size_kb * 1024 / m->l1d_ways);

    return m->l1d_index == INDEX_VIRTUAL && way > memory->page_shift ? way - memory->page_shift : 0;
}

/* The lines that level 1 would have with a single set. */
static enum armpmu_status make_recency(struct neoverse_memory *memory, struct armpmu_error *err)
{
    const struct cures *const cures = memory->machine->cures;

    if (cures == NULL || cures->kind != CURE_CONFLICTS)
        return ARMPMU_OK;
    return recency_init(&memory->recency, memory->l1d.sets * memory->l1d.ways)
               ? ARMPMU_OK
               : fail_no_memory(err, "lines of level 1");
}

/* The host has memory only for the part of it that is written. */
static enum armpmu_status make_huge_pages(struct neoverse_memory *memory, struct armpmu_error *err)
{
    const struct armpmu_machine *const m = memory->machine;

    if (!m->memory_huge_pages)
        return ARMPMU_OK;
    if (m->memory_page_kb != 4)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "memory.page_kb: %u, must be 4 with memory.huge_pages = yes",
                    m->memory_page_kb);
    memory->huge = calloc(MEMORY_HUGE_PAGES, sizeof *memory->huge);
    return memory->huge != NULL ? ARMPMU_OK : fail_no_memory(err, "huge pages");
}

static void set_up_prefetch(struct neoverse_memory *memory, const struct armpmu_machine *m)
{
    memory->strides_mask = m->prefetch_entries - 1;
    memory->follows[0] = m->prefetch_lines != 0;
    memory->follows[1] = m->prefetch_store_lines != 0;
    memory->reach[0] = (struct memory_reach){.strides = {m->prefetch_l1_lines, m->prefetch_lines},
                                             .wide = m->prefetch_wide_lines,
                                             .rising = m->prefetch_downwards == YESNO_NO,
                                             .pages = m->prefetch_pages};
    memory->reach[1] = (struct memory_reach){.strides = {0, m->prefetch_store_lines},
                                             .wide = m->prefetch_store_lines};
}

enum armpmu_status memory_init(struct neoverse_memory *memory, const struct armpmu_machine *machine,
                               struct ooo_timing *window, uint64_t *tally, struct armpmu_error *err)
{
    memset(memory, 0, sizeof *memory);
    memory->machine = machine;
    memory->window = window;
    memory->tally = tally;
    memory->l2 = &memory->own_l2;
    memory->llc = &memory->own_llc;
    memory->translations = 1;
    memory->forgotten = MEMORY_FORGET;
    memory->line_shift = (unsigned)__builtin_ctz(machine->l1d_line_bytes);
    set_page_shift(memory, (unsigned)__builtin_ctz(machine->memory_page_kb * 1024));
    set_up_prefetch(memory, machine);
    memory->drain_shift = memory->line_shift;
    memory->row_mask = machine->units_load_row_bytes != 0 ? machine->units_load_row_bytes - 1 : 0;
    if (machine->store_buffer_merge_bytes != 0 &&
        machine->store_buffer_merge_bytes < machine->l1d_line_bytes)
        memory->drain_shift = (unsigned)__builtin_ctz(machine->store_buffer_merge_bytes);
    memory->drain_mask = (UINT64_C(1) << memory->drain_shift) - 1;
    memory->whole_line = UINT64_MAX >> (64 - machine->l1d_line_bytes) % 64;
    memory->line_beats = memory_beats(machine, machine->l1d_line_bytes);
    page_map_init(&memory->page_map, machine->memory_page_map, machine->random_seed);
    memory->page_map.run_shift = (unsigned)__builtin_ctz(machine->memory_page_run);
    memory->page_map.kept_shift = index_bits(memory);
    memory->huge_map = memory->page_map;
    memory->huge_map.run_shift = MEMORY_HUGE_SHIFT;
    enum armpmu_status status = make_caches(memory, err);
    if (status == ARMPMU_OK)
        status = make_recency(memory, err);
    if (status == ARMPMU_OK)
        status = make_huge_pages(memory, err);
    if (status == ARMPMU_OK)
        status = make_lines(&memory->l1d_lines, &memory->l1d, err);
    if (status == ARMPMU_OK)
        status = make_filled(memory, err);
    if (status == ARMPMU_OK)
        status = make_lines(&memory->own_l2.lines, &memory->own_l2.tags, err);
    if (status == ARMPMU_OK)
        status = make_llc_flags(&memory->own_llc, err);
    if (status != ARMPMU_OK)
        memory_free(memory);
    return status;
}

void memory_free_level2(struct memory_level2 *level2)
{
    tag_array_free(&level2->tags);
    free(level2->lines);
    *level2 = (struct memory_level2){0};
}

void memory_free_llc(struct memory_llc *llc)
{
    tag_array_free(&llc->tags);
    free(llc->dirty);
    *llc = (struct memory_llc){0};
}

void memory_free(struct neoverse_memory *memory)
{
    memory_leave(memory);
    tag_array_free(&memory->l1i);
    tag_array_free(&memory->l1d);
    memory_free_level2(&memory->own_l2);
    memory_free_llc(&memory->own_llc);
    tag_array_free(&memory->l2tlb);
    tag_array_free(&memory->walk_cache);
    tlb_free(&memory->tlbs[SIDE_FETCH]);
    tlb_free(&memory->tlbs[SIDE_DATA]);
    page_map48_free(&memory->page_map48);
    free(memory->l1d_lines);
    free(memory->filled);
    recency_free(&memory->recency);
    free(memory->huge);
    memset(memory, 0, sizeof *memory);
}

/* ---- pages ---- */

/* Stale TLB hits are caught by tlb_hits_again(). */
void memory_forget_pages(struct neoverse_memory *memory)
{
    memory->translations++;
    memset(memory->pages, 0, sizeof memory->pages);
    memory->forgotten = (memory->forgotten + MEMORY_FORGET) & MEMORY_FORGOTTEN;
    if (memory->forgotten != 0)
        return;
    memset(memory->recent, 0, sizeof memory->recent);
    memory->forgotten = MEMORY_FORGET;
}

enum armpmu_status memory_place(struct neoverse_memory *memory, uint64_t virtual_page,
                                uint64_t physical)
{
    memory_forget_pages(memory);
    if (memory->page_map48.entries == NULL) { /* names of entries change */
        set_page_shift(memory, PAGE_SHIFT);
        tlb_flush(&memory->tlbs[SIDE_FETCH]);
        tlb_flush(&memory->tlbs[SIDE_DATA]);
        tag_array_clear(&memory->l2tlb);
        tag_array_clear(&memory->walk_cache);
    }
    return page_map48_place(&memory->page_map48, virtual_page & MEMORY_PAGE_MASK, physical);
}

void memory_set_caches(struct neoverse_memory *memory, bool no_data_cache, bool no_code_cache)
{
    memory_forget_pages(memory);
    memory->no_data_cache = no_data_cache;
    memory->no_code_cache = no_code_cache;
}

void memory_translate(struct neoverse_memory *memory, bool on)
{
    memory_forget_pages(memory);
    memory->mmu_off = !on;
}

void memory_map(struct neoverse_memory *memory, unsigned bits, uint64_t operand)
{
    const uint64_t first = (operand & ARMPMU_RECORD_ADDRESS) >> ARMPMU_MAPPED_SHIFT;
    const uint64_t blocks = (operand & ((UINT64_C(1) << ARMPMU_MAPPED_SHIFT) - 1)) + 1;

    memory_forget_pages(memory);
    if (memory->cluster != NULL)
        cluster_forget_pages(memory);
    for (uint64_t block = first; block < first + blocks && block < MEMORY_HUGE_PAGES; block++)
        memory->huge[block] = (bits & ARMPMU_MAPPED_NO_MORE) == 0;
}

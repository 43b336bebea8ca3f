/* TLBs, page walks, and the effects of system instructions on them. */
#include <stdlib.h>

#include "armpmu/trace.h"
#include "cores/cortex_a8/memory_internal.h"

/* Where the page tables lie, as numbers of lines: above the 32-bit space that pages map to. A
 * descriptor of the first level is for 256 pages, one of the second for one; each has four bytes.
 */
#define FIRST_TABLE_LINE       (UINT64_C(1) << (32 - LINE_SHIFT))
#define SECOND_TABLE_LINE      (FIRST_TABLE_LINE + (1u << (16 - LINE_SHIFT)))
#define LINE_DESCRIPTORS_SHIFT (LINE_SHIFT - 2) /* of a line's descriptors */

uint64_t a8_physical_line(const struct a8_memory *memory, uint64_t virtual_line)
{
    const uint64_t page = virtual_line >> PAGE_LINE_SHIFT;
    const uint64_t frame = memory->translates ? page_map_physical(&memory->pages, page) : page;
    return physical_line(frame, virtual_line);
}

/* ---- walks ---- */

/* Reads a line of the tables that was not where it was last; returns the cycles. */
static OUT_OF_LINE uint32_t find_table(struct a8_memory *memory, uint64_t line, uint16_t *place,
                                       uint64_t now)
{
    const struct cache *const l2 = &memory->l2;
    const uint32_t cycles = a8_l2_fetch(memory, line, now) ? 0 : memory->external.read_cycles;
    if (!memory->keeps_places)
        return cycles;
    const size_t set = cache_set(l2, line);
    *place = (uint16_t)(set * l2->tag_ways + cache_find_way(l2, cache_shape(l2), set, line));
    return cycles;
}

/* Reads a line of the tables; returns the cycles. *place: of level 2, where it was last, which is
 * looked at first. */
static inline uint32_t read_table(struct a8_memory *memory, uint64_t line, uint16_t *place,
                                  uint64_t now)
{
    if (likely(memory->keeps_places && memory->l2.tags[*place] == (uint32_t)line + 1)) {
        count(memory, ARMPMU_SIGNAL_L2_ACCESS, 1);
        return 0;
    }
    return find_table(memory, line, place, now);
}

/* Walks the tables for a page; returns what it costs.
 *
 * CHOICE(one-table): all address spaces have the same. */
static inline uint32_t walk(struct a8_memory *memory, uint32_t page, uint16_t *second_place,
                            uint64_t now)
{
    const struct armpmu_machine *const machine = memory->machine;
    uint32_t cycles = machine->walk_cycles;
    if (machine->walk_levels > 0)
        cycles += read_table(memory, FIRST_TABLE_LINE + (page >> 8 >> LINE_DESCRIPTORS_SHIFT),
                             &memory->first_table_place, now);
    if (machine->walk_levels > 1)
        cycles += read_table(memory, SECOND_TABLE_LINE + (page >> LINE_DESCRIPTORS_SHIFT),
                             second_place, now);
    return cycles;
}

/* Returns whether an entry that left a TLB translated a page of the running address space: only
 * then are the page's lines out of use. */
static bool was_in_use(const struct a8_memory *memory, const struct tlb_entry *victim)
{
    return victim->valid &&
           victim->virtual_page == page_name(memory, (uint32_t)victim->virtual_page);
}

/* ---- fetches ---- */

uint32_t a8_walk_for_fetch(struct a8_memory *memory, uint64_t page, uint64_t now)
{
    return walk(memory, (uint32_t)page, &a8_code_pages_of(memory, page)->table_place, now);
}

uint64_t a8_translate_fetch(struct a8_memory *memory, uint64_t page, bool *walks)
{
    a8_code_pages_of(memory, page)->epoch.page = (uint32_t)page; /* from here on */
    if (unlikely(!memory->translates))
        return page;
    const uint64_t name = page_name(memory, page);
    const struct tlb_entry *entry = tlb_lookup(&memory->itlb, name);
    if (entry != NULL)
        return entry->physical_page;
    count(memory, ARMPMU_SIGNAL_ITLB_WALK, 1);
    *walks = true;
    struct tlb_entry victim;
    entry = tlb_fill(&memory->itlb, name, page_map_walk(&memory->pages, (uint32_t)page), &victim);
    if (was_in_use(memory, &victim))
        a8_forget_code_page(memory, (uint32_t)victim.virtual_page);
    return entry->physical_page;
}

/* ---- data ---- */

static inline void data_page_leaves(struct a8_memory *memory, uint32_t page)
{
    struct a8_page *const known = data_page_slot(memory, page);
    const bool is_known = known->page == page;
    const unsigned lines = is_known ? known->has_lines : 3;
    if (lines & 1)
        line_filter_set_away(&memory->data[0], page, true, LINE_SHIFT);
    if (lines & 2)
        line_filter_set_away(&memory->data[1], page, true, LINE_SHIFT);
    if (!is_known)
        return;
    known->page = page | A8_PAGE_AWAY;
    known->has_lines = 0;
}

/* Returns the time after a walk. *place: as read_table has it. */
static inline uint64_t wait_for_walk(struct a8_memory *memory, uint32_t page, uint16_t *place,
                                     uint64_t now)
{
    const uint32_t cycles = walk(memory, page, place, now);
    count(memory, ARMPMU_SIGNAL_STALL_BACKEND_TLB, cycles);
    return now + cycles;
}

static OUT_OF_LINE void walk_in_backs(struct a8_memory *front, uint32_t page, uint64_t now)
{
    A8_EACH_BACK(back, front)
    {
        uint16_t *const place = &data_page_slot(back, page)->table_place;
        back->ahead = wait_for_walk(back, page, place, now + back->ahead) - now;
    }
}

/* Walks for a page that is not in the data TLB, of which all else is known. */
static inline uint64_t walk_for_data(struct a8_memory *memory, struct a8_page *known, uint32_t page,
                                     uint64_t now)
{
    struct tlb_entry victim;
    count(memory, ARMPMU_SIGNAL_DTLB_WALK, 1);
    access_page_from(&memory->seen, ARMPMU_TLB_WALK);
    if (likely(!memory->walks_for_nothing)) {
        if (likely(memory->backs == NULL))
            now = wait_for_walk(memory, page, &known->table_place, now);
        else
            walk_in_backs(memory, page, now);
    }
    tlb_fill(&memory->dtlb, page_name(memory, page), known->first_line >> PAGE_LINE_SHIFT, &victim);
    if (was_in_use(memory, &victim))
        data_page_leaves(memory, (uint32_t)victim.virtual_page);
    count(memory, ARMPMU_SIGNAL_REPLAY, 1);
    return now;
}

/* A page of which nothing is known; returns whether it is in the TLB. */
static OUT_OF_LINE bool find_page(struct a8_memory *memory, struct a8_page *known, uint32_t page)
{
    const struct tlb_entry *const entry = tlb_lookup(&memory->dtlb, page_name(memory, page));
    const uint64_t frame =
        entry != NULL ? entry->physical_page : page_map_walk(&memory->pages, page);
    *known = (struct a8_page){
        .page = page | A8_PAGE_AWAY,
        .first_line = (uint32_t)frame << PAGE_LINE_SHIFT,
        .way_hash = (uint8_t)way_predictor_hash((uint64_t)page << PAGE_LINE_SHIFT),
        .aliased = ((page ^ frame) & memory->colour_mask) != 0,
        .has_lines = 3,
    };
    return entry != NULL;
}

uint64_t a8_bring_page(struct a8_memory *memory, struct a8_page *known, uint32_t page, uint64_t now)
{
    if (likely(known->page == (page | A8_PAGE_AWAY)) || !find_page(memory, known, page))
        now = walk_for_data(memory, known, page, now);

    /* It is remembered unless a hit in the TLB changes its state. */
    known->page = memory->dtlb.policy != REPLACEMENT_LRU ? page : A8_NO_PAGE;
    return now;
}

void a8_cure_page(struct a8_memory *memory, uint32_t address)
{
    const uint32_t page = address >> PAGE_SHIFT;
    struct a8_page *const known = data_page_slot(memory, page);
    uint64_t aside[ARMPMU_SIGNAL_COUNT] = {0}, *const tally = memory->tally;

    if (!memory->translates || known->page == page)
        return;
    memory->tally = aside;
    memory->walks_for_nothing = true;
    (void)a8_bring_page(memory, known, page, memory->now);
    memory->walks_for_nothing = false;
    memory->tally = tally;
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
        a8_forget_all(memory); /* every page has moved */
    else
        a8_forget_page(memory, virtual_page);
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
        a8_forget_page(memory, virtual_page);
    *pages = uncached ? *pages | bit : *pages & ~bit;
    memory->is_plain = false;
    return ARMPMU_OK;
}

void a8_flush_tlbs(struct a8_memory *memory)
{
    tlb_flush(&memory->itlb);
    tlb_flush(&memory->dtlb);
    a8_forget_all(memory);
}

void a8_flush_page(struct a8_memory *memory, uint32_t virtual_page)
{
    tlb_flush_page(&memory->itlb, virtual_page);
    tlb_flush_page(&memory->dtlb, virtual_page);
    a8_forget_page(memory, virtual_page);
}

/* All memory is accessed in another way. */
static void change_kind(struct a8_memory *memory)
{
    memory->is_plain = memory->is_usual && memory->translates && !memory->no_data_cache &&
                       memory->uncached == NULL && memory->data_filtered &&
                       memory->machine->cures == NULL;
    a8_forget_all(memory);
}

void a8_translate(struct a8_memory *memory, bool on)
{
    if (on == memory->translates)
        return;
    memory->translates = on;
    change_kind(memory);
}

/* CHOICE(caches-off): what the caches hold stays there. */
void a8_switch_caches(struct a8_memory *memory, unsigned off)
{
    memory->no_data_cache = (off & ARMPMU_CONTROL_NO_DATA_CACHE) != 0;
    memory->no_code_cache = (off & ARMPMU_CONTROL_NO_CODE_CACHE) != 0;
    change_kind(memory);
}

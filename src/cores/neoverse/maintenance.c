/* Cache and TLB maintenance on the server cores: an instruction acts on the lines and entries of
 * the model.
 *
 * CHOICE(pmuv3-maintenance): a line that is cleaned is written back if it was written: by level 1
 * to level 2, and where the instruction goes to the point of coherency, by level 2 past the shared
 * cache, which has no write for that. Finding it costs no time and is no access; neither is looking
 * up its address in a TLB.
 * Source: ARM DDI 0487, A64 system instructions for cache maintenance. */
#include "cores/neoverse/memory.h"

#include "armpmu/trace.h"

static void send_out(struct neoverse_memory *memory)
{
    memory->tally[ARMPMU_SIGNAL_EXTERNAL_REQUEST]++;
    memory->tally[ARMPMU_SIGNAL_BUS_WRITE_BEAT] += memory->line_beats;
}

/* CHOICE(l2-victims): a level 2 without the line passes it on. */
static void clean_l1d(struct neoverse_memory *memory, struct memory_line *state, uint64_t line)
{
    if (!state->dirty)
        return;
    state->dirty = false;
    memory->tally[ARMPMU_SIGNAL_L1D_CLEANED]++;
    if (memory_l2_has_victims(memory))
        send_out(memory);
    else
        memory->l2->lines[tag_array_peek(&memory->l2->tags, line)].dirty = true;
}

void memory_maintain_l1d(struct neoverse_memory *memory, uint64_t line, unsigned bits)
{
    const uint32_t slot = tag_array_peek(&memory->l1d, line);

    if (bits & ARMPMU_CACHE_INVALIDATE)
        memory_forget_line(memory, line);
    if (slot == TAG_ARRAY_NO_SLOT)
        return;
    if (bits & ARMPMU_CACHE_CLEAN)
        clean_l1d(memory, &memory->l1d_lines[slot], line);
    if (bits & ARMPMU_CACHE_INVALIDATE) {
        tag_array_drop(&memory->l1d, slot);
        memory->tally[ARMPMU_SIGNAL_L1D_INVALIDATED]++;
    }
}

static void clean_l2(struct neoverse_memory *memory, struct memory_line *state)
{
    if (!state->dirty)
        return;
    state->dirty = false;
    memory->tally[ARMPMU_SIGNAL_L2_CLEANED]++;
    send_out(memory);
}

/* A line that leaves level 2 has left the data cache. */
static void treat_l2(struct neoverse_memory *memory, uint64_t line, unsigned bits)
{
    const uint32_t slot = tag_array_peek(&memory->l2->tags, line);

    if (slot == TAG_ARRAY_NO_SLOT)
        return;
    if (bits & ARMPMU_CACHE_CLEAN)
        clean_l2(memory, &memory->l2->lines[slot]);
    if (bits & ARMPMU_CACHE_INVALIDATE) {
        tag_array_drop(&memory->l2->tags, slot);
        memory->tally[ARMPMU_SIGNAL_L2_INVALIDATED]++;
    }
}

void memory_maintain_line(struct neoverse_memory *memory, uint64_t line, unsigned bits)
{
    memory_maintain_l1d(memory, line, bits);
    treat_l2(memory, line, bits);
}

static void drop_line(struct tag_array *cache, uint64_t line)
{
    const uint32_t slot = tag_array_peek(cache, line);

    if (slot != TAG_ARRAY_NO_SLOT)
        tag_array_drop(cache, slot);
}

/* ---- by address ---- */

static void at_address(struct neoverse_memory *memory, unsigned bits, uint64_t address)
{
    const uint64_t line = memory_line_at(memory, address);

    if (bits & ARMPMU_CACHE_INSTRUCTION)
        drop_line(&memory->l1i, line);
    if (!(bits & ARMPMU_CACHE_DATA))
        return;
    memory_maintain_l1d(memory, line, bits);
    if (!(bits & ARMPMU_CACHE_COHERENCY))
        return;
    treat_l2(memory, line, bits);
    if (bits & ARMPMU_CACHE_INVALIDATE)
        drop_line(&memory->llc->tags, line);
}

/* ---- by set and way ---- */

/* Returns the name in the slot that the operand selects, or TAG_ARRAY_NO_NAME. The operand has the
 * way in the topmost of 32 bits, and the set above the offset in a line. */
static uint64_t name_at(const struct neoverse_memory *memory, const struct tag_array *cache,
                        uint64_t operand)
{
    const unsigned way_bits = cache->ways > 1 ? 32u - (unsigned)__builtin_clz(cache->ways - 1) : 0;
    const uint32_t way = (uint32_t)((operand & UINT32_MAX) << way_bits >> 32);
    const uint32_t set = (uint32_t)(operand >> memory->line_shift) % cache->sets;

    return way < cache->ways ? cache->names[set * cache->ways + way] - 1 : TAG_ARRAY_NO_NAME;
}

/* The level is in bits 3:1. */
static void at_set_and_way(struct neoverse_memory *memory, unsigned bits, uint64_t operand)
{
    const struct tag_array *const levels[] = {&memory->l1d, &memory->l2->tags, &memory->llc->tags};
    const unsigned level = operand >> 1 & 7;

    if (level >= sizeof levels / sizeof levels[0])
        return;
    const uint64_t line = name_at(memory, levels[level], operand);
    if (line == TAG_ARRAY_NO_NAME)
        return;
    if (level <= 1)
        memory_maintain_l1d(memory, line, bits);
    if (level == 1)
        treat_l2(memory, line, bits);
    if (level == 2 && (bits & ARMPMU_CACHE_INVALIDATE))
        drop_line(&memory->llc->tags, line);
}

/* ---- all ---- */

static void everywhere(struct neoverse_memory *memory, unsigned bits)
{
    if (bits & ARMPMU_CACHE_INSTRUCTION)
        tag_array_clear(&memory->l1i);
    if (!(bits & ARMPMU_CACHE_DATA))
        return;
    for (uint32_t slot = 0; slot < memory->l1d.sets * memory->l1d.ways; slot++)
        if (memory->l1d.names[slot] != 0)
            memory_maintain_l1d(memory, memory->l1d.names[slot] - 1, bits);
}

void memory_maintain(struct neoverse_memory *memory, unsigned bits, uint64_t operand)
{
    if (bits & ARMPMU_CACHE_ADDRESS)
        at_address(memory, bits, operand);
    else if (bits & ARMPMU_CACHE_SET_WAY)
        at_set_and_way(memory, bits, operand);
    else
        everywhere(memory, bits);
}

/* ---- TLBs ---- */

void memory_flush_tlbs(struct neoverse_memory *memory)
{
    tlb_flush(&memory->tlbs[SIDE_FETCH]);
    tlb_flush(&memory->tlbs[SIDE_DATA]);
    tag_array_clear(&memory->l2tlb);
    tag_array_clear(&memory->walk_cache);
}

void memory_flush_page(struct neoverse_memory *memory, uint64_t virtual_page)
{
    tlb_flush_masked(&memory->tlbs[SIDE_FETCH], virtual_page, MEMORY_PAGE_MASK);
    tlb_flush_masked(&memory->tlbs[SIDE_DATA], virtual_page, MEMORY_PAGE_MASK);
    /* In an empty slot, name - 1 is a page, too: it is emptied once more. */
    for (uint32_t slot = 0; slot < memory->l2tlb.sets * memory->l2tlb.ways; slot++)
        if (((memory->l2tlb.names[slot] - 1 - virtual_page) & MEMORY_PAGE_MASK) == 0)
            tag_array_drop(&memory->l2tlb, slot);
    tag_array_clear(&memory->walk_cache);
}

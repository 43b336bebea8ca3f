/* Cache maintenance on the Cortex-A8: an instruction acts on the lines of the model.
 *
 * CHOICE(maintenance): a line that is cleaned is a cast-out like any other. Finding it costs no
 * time and is no access; neither is looking up its address in a TLB.
 * Source: ARM DDI 0344K, c7, Cache operations; ARM DDI 0406C, Cache and branch predictor
 * maintenance operations. */
#include "cores/cortex_a8/memory.h"

#include "armpmu/trace.h"

static void clean_l1d(struct a8_memory *memory, struct cache_line *line)
{
    const struct cache_line copy = *line;

    line->dirty = 0;
    if (copy.dirty != 0)
        a8_cast_out(memory, &copy);
}

/* Stores to it must ask the cache again, which no longer has it or no longer has it dirty. */
static void treat_l1d(struct a8_memory *memory, struct cache_line *line, unsigned bits)
{
    if (!line->valid)
        return;
    a8_forget_data_line(memory, line->virtual_line);
    if (bits & ARMPMU_CACHE_CLEAN)
        clean_l1d(memory, line);
    if (bits & ARMPMU_CACHE_INVALIDATE)
        a8_drop_line(&memory->l1d, &memory->l1d_hash, line);
}

static void treat_l2(struct a8_memory *memory, struct cache_line *line, unsigned bits)
{
    if (!line->valid)
        return;
    if ((bits & ARMPMU_CACHE_CLEAN) && line->dirty != 0) {
        a8_write_back(memory, line, memory->now);
        line->dirty = 0;
    }
    if (bits & ARMPMU_CACHE_INVALIDATE)
        cache_drop(&memory->l2, line);
}

static void invalidate_l1i(struct a8_memory *memory, struct cache_line *line)
{
    if (line->valid)
        a8_drop_line(&memory->l1i, &memory->l1i_hash, line);
}

static uint32_t lines_of(const struct cache *cache)
{
    return cache->sets * cache->ways;
}

/* ---- by address ---- */

static void at_address(struct a8_memory *memory, unsigned bits, uint32_t address)
{
    const uint64_t line = address >> LINE_SHIFT;
    const uint64_t physical = a8_physical_line(memory, line);
    struct cache_line *present;

    if (bits & ARMPMU_CACHE_INSTRUCTION) {
        if ((present = cache_peek(&memory->l1i, line, physical)) != NULL)
            invalidate_l1i(memory, present);
        a8_forget_fetches(memory);
    }
    if (!(bits & ARMPMU_CACHE_DATA))
        return;
    for (uint64_t colour = 0; colour <= memory->colour_mask; colour++) {
        const uint64_t other = line ^ colour << PAGE_LINE_SHIFT;
        if ((present = cache_peek(&memory->l1d, other, physical)) != NULL)
            treat_l1d(memory, present, bits);
    }
    if ((bits & ARMPMU_CACHE_COHERENCY) && memory->has_l2 &&
        (present = cache_peek(&memory->l2, physical, physical)) != NULL)
        treat_l2(memory, present, bits);
}

/* ---- by set and way ---- */

/* The way is in the topmost bits, the set above the offset in a line, the level in bits 3:1. The
 * machine file has powers of two for both. */
static struct cache_line *line_named(const struct cache *cache, uint32_t operand)
{
    const uint32_t way = (uint32_t)((uint64_t)operand << __builtin_ctz(cache->ways) >> 32);
    const uint32_t set = operand >> LINE_SHIFT & (cache->sets - 1);

    return &cache->lines[set * cache->ways + way];
}

static void at_set_and_way(struct a8_memory *memory, unsigned bits, uint32_t operand)
{
    const unsigned level = operand >> 1 & 7;

    if (level == 0)
        treat_l1d(memory, line_named(&memory->l1d, operand), bits);
    else if (level == 1 && memory->has_l2)
        treat_l2(memory, line_named(&memory->l2, operand), bits);
}

/* ---- all ---- */

static void everywhere(struct a8_memory *memory, unsigned bits)
{
    if (bits & ARMPMU_CACHE_INSTRUCTION) {
        for (uint32_t i = 0; i < lines_of(&memory->l1i); i++)
            invalidate_l1i(memory, &memory->l1i.lines[i]);
        a8_forget_fetches(memory);
    }
    if (bits & ARMPMU_CACHE_DATA)
        for (uint32_t i = 0; i < lines_of(&memory->l1d); i++)
            treat_l1d(memory, &memory->l1d.lines[i], bits);
}

void a8_maintain(struct a8_memory *memory, unsigned bits, uint32_t operand)
{
    if (bits & ARMPMU_CACHE_ADDRESS)
        at_address(memory, bits, operand);
    else if (bits & ARMPMU_CACHE_SET_WAY)
        at_set_and_way(memory, bits, operand);
    else
        everywhere(memory, bits);
}

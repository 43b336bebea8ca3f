/* Level 2 and the bus. */
#include "cores/cortex_a8/memory_internal.h"

void a8_note_miss(const struct a8_memory *memory, enum armpmu_miss_cache which,
                  const struct cache *cache, uint64_t line, uint64_t now)
{
    miss_maps_add(&memory->misses, which, (uint32_t)cache_set(cache, line), line << LINE_SHIFT,
                  now);
}

uint64_t a8_write_back(struct a8_memory *memory, const struct cache_line *line, uint64_t now)
{
    const uint64_t beats = part_beats(memory, line->dirty);
    count(memory, ARMPMU_SIGNAL_BUS_WRITE_BEAT, beats);
    return external_memory_write(&memory->external, beats, now);
}

uint64_t a8_l2_read(struct a8_memory *memory, uint64_t line, uint32_t offset, uint64_t now,
                    uint32_t cycles, bool *hit)
{
    const struct a8_shape shape = a8_shape_of(memory);
    return l2_read(memory, &shape, line, offset, now, cycles, hit);
}

void a8_cure_level2(struct a8_memory *memory, uint32_t address)
{
    const uint64_t line = address >> LINE_SHIFT, physical = a8_physical_line(memory, line);
    uint64_t aside[ARMPMU_SIGNAL_COUNT] = {0}, *const tally = memory->tally;

    if (!memory->has_l2 || cache_peek(&memory->l1d, line, physical) != NULL ||
        cache_peek(&memory->l2, physical, physical) != NULL)
        return;
    memory->tally = aside;
    (void)l2_fill(memory, cache_shape(&memory->l2), physical, 0);
    memory->tally = tally;
}

bool a8_l2_fetch(struct a8_memory *memory, uint64_t line, uint64_t now)
{
    struct cache *const l2 = &memory->l2;
    if (memory->has_l2) {
        count(memory, ARMPMU_SIGNAL_L2_ACCESS, 1);
        if (cache_lookup(l2, line, line) != NULL)
            return true;
        count(memory, ARMPMU_SIGNAL_L2_MISS, 1);
        note_miss(memory, memory->misses.are_kept, ARMPMU_MISS_L2, l2, line, now);
        l2_fill(memory, cache_shape(l2), line, 0);
    }
    count(memory, ARMPMU_SIGNAL_BUS_READ_BEAT, memory->external.line_beats);
    return false;
}

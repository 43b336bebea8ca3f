/* Level 2, the bus, and the write buffer before them. */
#include "cores/cortex_a8/memory_internal.h"

void a8_note_miss(const struct a8_memory *memory, enum armpmu_miss_cache which,
                  const struct cache *cache, uint64_t line, uint64_t now)
{
    miss_maps_add(&memory->misses, which, (uint32_t)cache_set(cache, line), line << LINE_SHIFT,
                  now);
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

bool a8_l2_read(struct a8_memory *memory, uint64_t line, uint64_t now)
{
    const struct a8_shape shape = a8_shape_of(memory);
    return l2_read(memory, &shape, line, now);
}

/* ---- writes ---- */

enum l2_outcome { L2_HIT, L2_MISS, L2_FETCHED /* a miss that had to read the line from memory */ };

/* Writes parts of a physical line. whole: nothing of the old line is needed (a cast-out). */
static ALWAYS_INLINE enum l2_outcome l2_write(struct a8_memory *memory,
                                              const struct a8_shape *shape, uint64_t line,
                                              uint8_t parts, bool whole, uint64_t now)
{
    if (!shape->has_l2) {
        count(memory, ARMPMU_SIGNAL_BUS_WRITE_BEAT, beats_of(memory, parts));
        return L2_MISS;
    }
    const size_t set = cache_set(&memory->l2, line);
    const uint32_t way = cache_find_way(&memory->l2, shape->l2, set, line);
    count(memory, ARMPMU_SIGNAL_L2_ACCESS, 1);
    if (way != CACHE_NO_WAY) {
        cache_touch(&memory->l2, shape->l2, set, way);
        cache_line_at(&memory->l2, shape->l2, set, way)->dirty |= parts;
        return L2_HIT;
    }
    count(memory, ARMPMU_SIGNAL_L2_MISS, 1);
    note_miss(memory, ARMPMU_MISS_L2, &memory->l2, line, now);
    if (!whole && memory->machine->l2_write_allocate == YESNO_NO) {
        count(memory, ARMPMU_SIGNAL_BUS_WRITE_BEAT, beats_of(memory, parts));
        return L2_MISS;
    }
    count(memory, ARMPMU_SIGNAL_BUS_READ_BEAT, whole ? 0 : memory->line_beats);
    l2_fill(memory, shape->l2, line, parts);
    return whole ? L2_MISS : L2_FETCHED;
}

/* ---- the write buffer ---- */

static RARE uint64_t wait_for_room(struct a8_memory *memory, uint64_t full, uint64_t now)
{
    const uint64_t least = memory->machine->store_buffer_full_cycles;
    count(memory, ARMPMU_SIGNAL_STORE_BUFFER_FULL, full);
    count(memory, ARMPMU_SIGNAL_REPLAY, 1);
    now += full > least ? full : least;
    store_buffer_advance(&memory->stores, now);
    return now;
}

uint64_t a8_make_room(struct a8_memory *memory, uint64_t now)
{
    store_buffer_advance(&memory->stores, now);
    const uint64_t full = store_buffer_full_for(&memory->stores, now);
    return full == 0 ? now : wait_for_room(memory, full, now);
}

uint64_t a8_evict(struct a8_memory *memory, const struct cache_line *victim, uint64_t now)
{
    const struct a8_shape shape = a8_shape_of(memory);
    now = a8_make_room(memory, now);
    l2_write(memory, &shape, victim->physical, ALL_PARTS, true, now);
    store_buffer_push(&memory->stores, now, victim->physical,
                      memory->machine->store_buffer_drain_cycles, false);
    return now;
}

void a8_cast_out(struct a8_memory *memory, const struct cache_line *victim)
{
    memory->now = a8_evict(memory, victim, memory->now);
}

/* The store joins one that waits for the same line. */
static ALWAYS_INLINE void merge(struct a8_memory *memory, const struct a8_shape *shape,
                                uint64_t physical, uint8_t parts)
{
    count(memory, ARMPMU_SIGNAL_STORE_MERGED, 1);
    if (!shape->has_l2)
        return;
    const size_t set = cache_set(&memory->l2, physical);
    const uint32_t way = cache_find_way(&memory->l2, shape->l2, set, physical);
    if (way != CACHE_NO_WAY)
        cache_line_at(&memory->l2, shape->l2, set, way)->dirty |= parts;
}

static ALWAYS_INLINE uint64_t store_to_l2(struct a8_memory *memory, const struct a8_shape *shape,
                                          uint64_t physical, uint8_t parts, bool neon, uint64_t now)
{
    count(memory, ARMPMU_SIGNAL_STORE_TO_L2, 1);
    store_buffer_advance(&memory->stores, now);
    if (store_buffer_merges(&memory->stores, physical)) {
        merge(memory, shape, physical, parts);
        return now;
    }
    const uint64_t full = store_buffer_full_for(&memory->stores, now);
    if (full != 0)
        now = wait_for_room(memory, full, now);
    const enum l2_outcome outcome = l2_write(memory, shape, physical, parts, false, now);
    if (neon) {
        count(memory, ARMPMU_SIGNAL_NEON_L2_ACCESS, 1);
        count(memory, ARMPMU_SIGNAL_NEON_L2_HIT, outcome == L2_HIT);
    }
    store_buffer_push(&memory->stores, now, physical,
                      memory->machine->store_buffer_drain_cycles +
                          (outcome == L2_FETCHED ? memory_cycles(memory) : 0),
                      true);
    return now;
}

uint64_t a8_store_to_l2(struct a8_memory *memory, uint64_t physical, uint8_t parts, bool neon,
                        uint64_t now)
{
    if (likely(memory->is_usual)) {
        const struct a8_shape usual = A8_USUAL_SHAPE;
        return store_to_l2(memory, &usual, physical, parts, neon, now);
    }
    const struct a8_shape shape = a8_shape_of(memory);
    return store_to_l2(memory, &shape, physical, parts, neon, now);
}

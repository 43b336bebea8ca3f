/* Counts the misses of a cache by set, by address and by time, in bounded memory.
 *
 * Assumes: one map for each cache of each core model; a miss is counted once.
 * Does not model: anything; a core model that keeps none spends a test on each miss.
 *
 * Rows are regions of addresses that had a miss, columns are spans of time. Both begin narrow and
 * double, all at once, when one more would not fit: what is close stays in one row or column, and
 * no count is lost. The widths are the smallest that fit, whatever the order of the misses. */
#ifndef PARTS_MISS_MAP_H
#define PARTS_MISS_MAP_H

#include <stdbool.h>

#include "armpmu/profile.h"
#include "base/compiler.h"

struct miss_maps {
    bool are_kept;
    struct armpmu_miss_map *of[ARMPMU_MISS_CACHES]; /* NULL: there is none */
};

/* Without memory NULL. */
struct armpmu_miss_map *miss_map_new(uint32_t n_sets);

void miss_map_add(struct armpmu_miss_map *map, uint32_t set, uint64_t address, uint64_t cycle);

RARE void miss_maps_add(const struct miss_maps *maps, enum armpmu_miss_cache cache, uint32_t set,
                        uint64_t address, uint64_t cycle);

/* A miss, where maps are kept. */
static inline void miss_map_note(const struct miss_maps *maps, enum armpmu_miss_cache cache,
                                 uint32_t set, uint64_t address, uint64_t cycle)
{
    if (unlikely(maps->are_kept))
        miss_maps_add(maps, cache, set, address, cycle);
}

#endif

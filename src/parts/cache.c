#include "parts/cache.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/error.h"

static enum armpmu_status check_geometry(uint32_t sets, uint32_t ways, struct armpmu_error *err)
{
    if (sets == 0 || (sets & (sets - 1)) != 0)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "cache sets: %u, must be a power of two and at least 1; change the size, the "
                    "ways or the line bytes (sets = size / ways / line)",
                    sets);
    if (ways < 1 || ways > CACHE_MAX_WAYS)
        return fail(err, ARMPMU_BAD_CONFIG, "cache ways: %u, must be 1 to %d", ways,
                    CACHE_MAX_WAYS);
    return ARMPMU_OK;
}

enum armpmu_status cache_init(struct cache *cache, uint32_t sets, uint32_t ways,
                              enum machine_replacement policy, uint64_t seed,
                              struct armpmu_error *err)
{
    *cache = (struct cache){0};
    enum armpmu_status status = check_geometry(sets, ways, err);
    if (status != ARMPMU_OK)
        return status;
    *cache =
        (struct cache){.sets = sets,
                       .ways = ways,
                       .n_empty = sets * ways,
                       .tag_ways = (ways + CACHE_TAG_GROUP - 1) / CACHE_TAG_GROUP * CACHE_TAG_GROUP,
                       .policy = policy};
    cache->lines = calloc((size_t)sets * ways, sizeof *cache->lines);
    cache->tags = calloc((size_t)sets * cache->tag_ways, sizeof *cache->tags);
    if (!replacement_init(&cache->replacement, policy, seed, sets, ways) || cache->lines == NULL ||
        cache->tags == NULL) {
        cache_free(cache);
        return fail(err, ARMPMU_NO_MEMORY,
                    "cache: no memory for %u sets of %u ways; make the cache smaller", sets, ways);
    }
    return ARMPMU_OK;
}

void cache_free(struct cache *cache)
{
    free(cache->lines);
    free(cache->tags);
    replacement_free(&cache->replacement);
    *cache = (struct cache){0};
}

uint32_t cache_choose_way(struct cache *cache, size_t set)
{
    const uint32_t invalid =
        cache->n_empty != 0 ? cache_ways_with(cache, cache_shape(cache), set, 0) : 0;
    const uint32_t way = invalid != 0 ? (uint32_t)__builtin_ctz(invalid) : cache->ways;
    if (way >= cache->ways) /* more tags are compared than there are ways */
        return replacement_choose(&cache->replacement, cache->policy, set, cache->ways);
    cache->n_empty--;
    return way;
}

void cache_drop(struct cache *cache, struct cache_line *line)
{
    const size_t at = (size_t)(line - cache->lines);
    line->valid = false;
    cache->tags[at / cache->ways * cache->tag_ways + at % cache->ways] = 0;
    cache->n_empty++;
}

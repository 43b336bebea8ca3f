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

static bool take_memory(struct cache *cache)
{
    const size_t n_lines = (size_t)cache->sets * cache->ways;
    cache->lines = calloc(n_lines, sizeof *cache->lines);
    cache->tags = calloc((size_t)cache->sets * cache->tag_ways, sizeof *cache->tags);
    if (cache->lines == NULL || cache->tags == NULL)
        return false;
    switch (cache->policy) {
    case REPLACEMENT_RANDOM:
        return true;
    case REPLACEMENT_ROUND_ROBIN:
        cache->next_victim = calloc(cache->sets, sizeof *cache->next_victim);
        return cache->next_victim != NULL;
    case REPLACEMENT_LRU:
        cache->used = calloc(n_lines, sizeof *cache->used);
        return cache->used != NULL;
    }
    return false;
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
                       .policy = policy,
                       .random = {seed}};
    if (!take_memory(cache)) {
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
    free(cache->used);
    free(cache->next_victim);
    *cache = (struct cache){0};
}

static uint32_t oldest(const struct cache *cache, size_t set)
{
    const uint64_t *used = cache->used + set * cache->ways;
    uint32_t found = 0;
    for (uint32_t way = 1; way < cache->ways; way++)
        found = used[way] < used[found] ? way : found;
    return found;
}

static uint32_t choose_victim(struct cache *cache, size_t set)
{
    switch (cache->policy) {
    case REPLACEMENT_RANDOM:
        return random_below(&cache->random, cache->ways);
    case REPLACEMENT_ROUND_ROBIN: {
        uint32_t way = cache->next_victim[set];
        cache->next_victim[set] = way + 1 == cache->ways ? 0 : (uint8_t)(way + 1);
        return way;
    }
    case REPLACEMENT_LRU:
        return oldest(cache, set);
    }
    return 0;
}

uint32_t cache_choose_way(struct cache *cache, size_t set)
{
    if (cache->n_empty == 0)
        return choose_victim(cache, set);
    const uint32_t invalid = cache_ways_with(cache, cache_shape(cache), set, 0);
    const uint32_t way = invalid != 0 ? (uint32_t)__builtin_ctz(invalid) : cache->ways;
    if (way >= cache->ways) /* that many tags are compared, there are fewer ways */
        return choose_victim(cache, set);
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

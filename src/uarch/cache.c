#include "uarch/cache.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/fail.h"

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
    cache->lines = calloc(cache->sets, cache->ways * sizeof *cache->lines);
    if (cache->lines == NULL || cache->policy != REPLACEMENT_ROUND_ROBIN)
        return cache->lines != NULL;
    cache->next_victim = calloc(cache->sets, sizeof *cache->next_victim);
    return cache->next_victim != NULL;
}

enum armpmu_status cache_init(struct cache *cache, uint32_t sets, uint32_t ways,
                              enum machine_replacement policy, uint64_t seed,
                              struct armpmu_error *err)
{
    *cache = (struct cache){0};
    enum armpmu_status status = check_geometry(sets, ways, err);
    if (status != ARMPMU_OK)
        return status;
    *cache = (struct cache){.sets = sets, .ways = ways, .policy = policy, .random = {seed}};
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
    free(cache->next_victim);
    *cache = (struct cache){0};
}

static size_t set_of(const struct cache *cache, uint64_t virtual_line)
{
    return virtual_line & (cache->sets - 1);
}

/* Looks at every way without leaving early: which way it is is what the host cannot predict, and a
 * misprediction costs more than the compares: 5.1 ns a hit in 4 ways, 8.8 ns when leaving early. */
static struct cache_line *find(const struct cache *cache, size_t set, uint64_t physical_line)
{
    struct cache_line *ways = cache->lines + set * cache->ways;
    uint32_t found = 0; /* way + 1; a line is in a set once at most */
    for (uint32_t way = 0; way < cache->ways; way++) {
        uint32_t matches = (uint32_t)(ways[way].physical == physical_line) & ways[way].valid;
        found |= (way + 1) * matches;
    }
    return found == 0 ? NULL : &ways[found - 1];
}

struct cache_line *cache_peek(const struct cache *cache, uint64_t virtual_line,
                              uint64_t physical_line)
{
    return find(cache, set_of(cache, virtual_line), physical_line);
}

struct cache_line *cache_lookup(struct cache *cache, uint64_t virtual_line, uint64_t physical_line)
{
    struct cache_line *line = find(cache, set_of(cache, virtual_line), physical_line);
    if (line != NULL && cache->policy == REPLACEMENT_LRU)
        line->used = ++cache->clock;
    return line;
}

static uint32_t oldest(const struct cache *cache, size_t set)
{
    const struct cache_line *ways = cache->lines + set * cache->ways;
    uint32_t found = 0;
    for (uint32_t way = 1; way < cache->ways; way++)
        found = ways[way].used < ways[found].used ? way : found;
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

static struct cache_line *way_to_fill(struct cache *cache, size_t set)
{
    struct cache_line *ways = cache->lines + set * cache->ways;
    for (uint32_t way = 0; way < cache->ways; way++)
        if (!ways[way].valid)
            return &ways[way];
    return &ways[choose_victim(cache, set)];
}

struct cache_line *cache_fill(struct cache *cache, uint64_t virtual_line, uint64_t physical_line,
                              struct cache_line *victim)
{
    size_t set = set_of(cache, virtual_line);
    struct cache_line *line = way_to_fill(cache, set);
    *victim = *line;
    *line = (struct cache_line){.physical = physical_line,
                                .virtual_line = virtual_line,
                                .used = ++cache->clock,
                                .valid = true};
    return line;
}

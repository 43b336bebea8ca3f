#include "parts/tag_array.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static enum armpmu_status check_geometry(uint32_t sets, uint32_t ways, struct armpmu_error *err)
{
    if (sets == 0)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "sets: 0, must be at least 1; change the size or the ways "
                    "(sets = size / ways)");
    if (ways < 1 || ways > TAG_ARRAY_MAX_WAYS)
        return fail(err, ARMPMU_BAD_CONFIG, "ways: %u, must be 1 to %d", ways, TAG_ARRAY_MAX_WAYS);
    return ARMPMU_OK;
}

enum armpmu_status tag_array_init(struct tag_array *cache, uint32_t sets, uint32_t ways,
                                  enum machine_replacement policy, uint64_t seed,
                                  struct armpmu_error *err)
{
    *cache = (struct tag_array){0};
    enum armpmu_status status = check_geometry(sets, ways, err);
    if (status != ARMPMU_OK)
        return status;
    *cache = (struct tag_array){
        .sets = sets, .ways = ways, .by_mask = (sets & (sets - 1)) == 0, .policy = policy};
    cache->names = calloc((size_t)sets * ways, sizeof *cache->names);
    cache->latest = calloc(sets, sizeof *cache->latest);
    if (!replacement_init(&cache->replacement, policy, seed, sets, ways) || cache->names == NULL ||
        cache->latest == NULL) {
        tag_array_free(cache);
        return fail(err, ARMPMU_NO_MEMORY,
                    "no memory for %u sets of %u ways; make the machine's cache smaller", sets,
                    ways);
    }
    return ARMPMU_OK;
}

void tag_array_free(struct tag_array *cache)
{
    free(cache->names);
    replacement_free(&cache->replacement);
    free(cache->latest);
    *cache = (struct tag_array){0};
}

static inline uint32_t find_in_set(const struct tag_array *cache, uint32_t set, uint64_t name)
{
    const size_t first = (size_t)set * cache->ways;
    const uint64_t *const names = &cache->names[first], *const end = names + cache->ways;
    for (const uint64_t *at = names; at != end; at++)
        if (*at == name + 1)
            return (uint32_t)(first + (size_t)(at - names));
    return TAG_ARRAY_NO_SLOT;
}

uint32_t tag_array_peek(const struct tag_array *cache, uint64_t name)
{
    return find_in_set(cache, tag_array_set(cache, name), name);
}

/* A slot is hit, or filled. */
static inline void make_latest(struct tag_array *cache, uint32_t set, uint32_t slot)
{
    cache->latest[set] = slot;
    if (cache->replacement.used != NULL)
        cache->replacement.used[slot] = ++cache->replacement.clock;
}

uint32_t tag_array_search(struct tag_array *cache, uint64_t name)
{
    const uint32_t set = tag_array_set(cache, name), slot = find_in_set(cache, set, name);
    if (slot != TAG_ARRAY_NO_SLOT)
        make_latest(cache, set, slot);
    return slot;
}

static uint32_t way_to_fill(struct tag_array *cache, size_t first)
{
    const size_t set = first / cache->ways;
    if (cache->policy == REPLACEMENT_LRU) /* an empty slot is older than any other */
        return replacement_oldest(&cache->replacement, set, cache->ways);
    for (uint32_t way = 0; way < cache->ways; way++)
        if (cache->names[first + way] == 0)
            return way;
    return replacement_choose(&cache->replacement, cache->policy, set, cache->ways);
}

uint32_t tag_array_fill(struct tag_array *cache, uint64_t name, uint64_t *victim)
{
    const uint32_t set = tag_array_set(cache, name);
    const size_t first = (size_t)set * cache->ways;
    const size_t slot = first + way_to_fill(cache, first);
    *victim = cache->names[slot] - 1; /* of an empty slot: TAG_ARRAY_NO_NAME */
    cache->names[slot] = name + 1;
    make_latest(cache, set, (uint32_t)slot);
    return (uint32_t)slot;
}

uint32_t tag_array_take(struct tag_array *cache, uint32_t set, uint64_t name, bool *was_there)
{
    const size_t first = (size_t)set * cache->ways;
    uint64_t *const names = &cache->names[first], *at = names, *const end = names + cache->ways;
    const uint64_t *used = &cache->replacement.used[first];
    uint64_t *taken = names, least = UINT64_MAX;

    for (; at != end && *at != name + 1; at++, used++) {
        taken = *used < least ? at : taken;
        least = *used < least ? *used : least;
    }
    *was_there = at != end;
    taken = *was_there ? at : taken;
    *taken = name + 1;
    make_latest(cache, set, (uint32_t)(first + (size_t)(taken - names)));
    return cache->latest[set];
}

void tag_array_drop(struct tag_array *cache, uint32_t slot)
{
    cache->names[slot] = 0;
    if (cache->replacement.used != NULL)
        cache->replacement.used[slot] = 0;
}

void tag_array_clear(struct tag_array *cache)
{
    const size_t n_slots = (size_t)cache->sets * cache->ways;
    memset(cache->names, 0, n_slots * sizeof *cache->names);
    if (cache->replacement.used != NULL)
        memset(cache->replacement.used, 0, n_slots * sizeof *cache->replacement.used);
}

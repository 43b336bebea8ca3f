/* A set-associative cache that remembers which lines it holds.
 *
 * Assumes: lines are named by number (address / line size). The set comes from the virtual line
 * number, the match from the physical one; a physically indexed cache is given the physical number
 * twice. Dirtiness is a mask of parts of the line, kept by the caller.
 * Line numbers are below 2^32 - 1.
 * Does not model: data, timing, way prediction, what a miss costs.
 *
 * Victims: parts/replacement.h, once no way of the set is invalid. */
#ifndef PARTS_CACHE_H
#define PARTS_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "base/compiler.h"
#include "base/match.h"
#include "machine/machine.h"
#include "parts/replacement.h"

#define CACHE_MAX_WAYS 32 /* those of an XScale, whose compare is a special case */

struct cache_line {
    uint32_t physical;     /* line number, valid lines only */
    uint32_t virtual_line; /* the line number it was filled through */
    uint8_t dirty;         /* mask of dirty parts, the caller's */
    bool valid;            /* cleared by cache_drop only */
};

struct cache {
    uint32_t *tags;           /* sets * tag_ways: physical line + 1, 0 for an invalid way */
    struct cache_line *lines; /* sets * ways */
    uint32_t sets, ways, tag_ways;
    uint32_t n_empty; /* lines */
    enum machine_replacement policy;
    struct replacement replacement;
};

/* Makes an empty cache. sets: a power of two, at least 1; ways: 1 to CACHE_MAX_WAYS; seed: of the
 * random policy. The cache owns its lines, cache_free releases them; after a failure there is
 * nothing to release. Returns ARMPMU_OK, ARMPMU_BAD_CONFIG or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status cache_init(struct cache *cache, uint32_t sets, uint32_t ways,
                                              enum machine_replacement policy, uint64_t seed,
                                              struct armpmu_error *err);

/* Releases what cache_init took. A zeroed or a freed cache is fine. */
void cache_free(struct cache *cache);

/* ---- inline: half of what a miss costs is looking for lines ---- */

#define CACHE_TAG_GROUP 4 /* ways compared at a time */

/* The values that finding and filling depend on: a constant where the caller knows it, so that
 * nothing is looked up and no loop is left; else cache_shape. */
struct cache_shape {
    uint32_t ways, tag_ways;
    enum machine_replacement policy;
};

static inline struct cache_shape cache_shape(const struct cache *cache)
{
    return (struct cache_shape){
        .ways = cache->ways, .tag_ways = cache->tag_ways, .policy = cache->policy};
}

static inline size_t cache_set(const struct cache *cache, uint64_t virtual_line)
{
    return virtual_line & (cache->sets - 1);
}

/* The ways of a set that hold a tag, as a mask. Looks at every way without leaving early: which one
 * it is is what the host cannot predict, and a misprediction costs more than the compares. */
static ALWAYS_INLINE uint32_t cache_ways_with(const struct cache *cache, struct cache_shape shape,
                                              size_t set, uint32_t tag)
{
    const uint32_t *tags = cache->tags + set * shape.tag_ways;
    if (shape.tag_ways == CACHE_MAX_WAYS)
        return match_sixteen(tags, tag) | match_sixteen(tags + 16, tag) << 16;
    uint32_t matches = match_four(tags, tag);
    for (uint32_t way = CACHE_TAG_GROUP; way < shape.tag_ways; way += CACHE_TAG_GROUP)
        matches |= match_four(tags + way, tag) << way;
    return matches;
}

#define CACHE_NO_WAY UINT32_MAX

/* The way that holds a line, CACHE_NO_WAY if none does; changes nothing under any policy. */
static ALWAYS_INLINE uint32_t cache_find_way(const struct cache *cache, struct cache_shape shape,
                                             size_t set, uint64_t physical_line)
{
    const uint32_t matches = cache_ways_with(cache, shape, set, (uint32_t)physical_line + 1);
    return matches != 0 ? (uint32_t)__builtin_ctz(matches) : CACHE_NO_WAY;
}

static ALWAYS_INLINE struct cache_line *
cache_line_at(const struct cache *cache, struct cache_shape shape, size_t set, uint32_t way)
{
    return &cache->lines[set * shape.ways + way];
}

/* A hit. With LRU the line is the newest of its set. */
static ALWAYS_INLINE void cache_touch(struct cache *cache, struct cache_shape shape, size_t set,
                                      uint32_t way)
{
    if (unlikely(shape.policy == REPLACEMENT_LRU))
        cache->replacement.used[set * shape.ways + way] = ++cache->replacement.clock;
}

/* As cache_lookup, but changes nothing under any policy. */
static inline struct cache_line *cache_peek(const struct cache *cache, uint64_t virtual_line,
                                            uint64_t physical_line)
{
    const struct cache_shape shape = cache_shape(cache);
    const size_t set = cache_set(cache, virtual_line);
    const uint32_t way = cache_find_way(cache, shape, set, physical_line);
    return way != CACHE_NO_WAY ? cache_line_at(cache, shape, set, way) : NULL;
}

/* The line if present, NULL if not. With LRU a hit makes the line the newest of its set, so a hit
 * on the line that already is the newest changes nothing. With random and round robin no lookup
 * changes any state at all. A caller may leave out lookups that change nothing. The pointer is
 * valid until the next cache_fill of the same set. */
static inline struct cache_line *cache_lookup(struct cache *cache, uint64_t virtual_line,
                                              uint64_t physical_line)
{
    const struct cache_shape shape = cache_shape(cache);
    const size_t set = cache_set(cache, virtual_line);
    const uint32_t way = cache_find_way(cache, shape, set, physical_line);
    if (way == CACHE_NO_WAY)
        return NULL;
    cache_touch(cache, shape, set, way);
    return cache_line_at(cache, shape, set, way);
}

/* The way that holds a line; virtual_line: any that has its set. */
static inline uint32_t cache_way(const struct cache *cache, uint64_t virtual_line,
                                 const struct cache_line *line)
{
    return (uint32_t)(line - cache->lines) - (uint32_t)cache_set(cache, virtual_line) * cache->ways;
}

/* Which way a line goes into where that is not simply a random one: the lowest invalid one, else
 * the policy's victim. */
uint32_t cache_choose_way(struct cache *cache, size_t set);

/* The way that a line which is not present goes into: the lowest invalid one of its set, else that
 * of the policy's victim. Call cache_replace with it. */
static ALWAYS_INLINE uint32_t cache_way_to_fill(struct cache *cache, struct cache_shape shape,
                                                size_t set)
{
    if (unlikely(cache->n_empty != 0 || shape.policy == REPLACEMENT_LRU))
        return cache_choose_way(cache, set);
    if (shape.policy == REPLACEMENT_RANDOM)
        return random_below(&cache->replacement.random, shape.ways);
    return replacement_next(&cache->replacement, set, shape.ways);
}

/* Brings in a line in place of what the way held. The new line is newest. */
static ALWAYS_INLINE void cache_replace(struct cache *cache, struct cache_shape shape, size_t set,
                                        uint32_t way, struct cache_line line)
{
    *cache_line_at(cache, shape, set, way) = line;
    cache->tags[set * shape.tag_ways + way] = line.physical + 1;
    cache_touch(cache, shape, set, way);
}

/* Brings in a line that is not present, clean. What it displaces is copied to *victim
 * (victim->valid false when that was nothing). */
static inline struct cache_line *cache_fill(struct cache *cache, uint64_t virtual_line,
                                            uint64_t physical_line, struct cache_line *victim)
{
    const struct cache_shape shape = cache_shape(cache);
    const size_t set = cache_set(cache, virtual_line);
    const uint32_t way = cache_way_to_fill(cache, shape, set);
    *victim = *cache_line_at(cache, shape, set, way);
    cache_replace(cache, shape, set, way,
                  (struct cache_line){.physical = (uint32_t)physical_line,
                                      .virtual_line = (uint32_t)virtual_line,
                                      .valid = true});
    return cache_line_at(cache, shape, set, way);
}

/* ---- */

/* Removes a valid line: its way is the next of its set to be filled. */
void cache_drop(struct cache *cache, struct cache_line *line);

#endif

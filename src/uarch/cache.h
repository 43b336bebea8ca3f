/* A set-associative cache that remembers which lines it holds.
 *
 * Assumes: lines are named by number (address / line size). The set comes from the virtual line
 * number, the match from the physical one; a physically indexed cache is given the physical number
 * twice. Dirtiness is a mask of parts of the line, kept by the caller.
 * Does not model: data, timing, way prediction, what a miss costs. */
#ifndef UARCH_CACHE_H
#define UARCH_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "catalog/machine.h"
#include "uarch/random.h"

struct cache_line {
    uint64_t physical; /* line number, valid lines only */
    uint64_t virtual_line; /* the line number it was filled through */
    uint8_t dirty;     /* mask of dirty parts, the caller's */
    bool valid;
};

struct cache {
    struct cache_line *lines; /* sets * ways */
    uint32_t sets, ways;
    enum machine_replacement policy;
    struct random random;
    uint8_t *order; /* LRU: ways of each set from newest to oldest; round robin: next victim a set */
};

/* sets a power of two, at least 1; ways 1 to 32. */
enum armpmu_status cache_init(struct cache *cache, uint32_t sets, uint32_t ways,
                              enum machine_replacement policy, uint64_t seed,
                              struct armpmu_error *err);
void cache_free(struct cache *cache);

/* The line if present, NULL if not. A hit makes the line the newest of its set. The pointer is valid
 * until the next cache_fill of the same set. */
struct cache_line *cache_lookup(struct cache *cache, uint64_t virtual_line, uint64_t physical_line);

/* As cache_lookup, but changes nothing. */
struct cache_line *cache_peek(struct cache *cache, uint64_t virtual_line, uint64_t physical_line);

/* Brings a line in that is not present: an invalid way of the set first, else the policy's victim,
 * which is copied to *victim (victim->valid false when none was displaced). The new line is clean and
 * newest. */
struct cache_line *cache_fill(struct cache *cache, uint64_t virtual_line, uint64_t physical_line,
                              struct cache_line *victim);

#endif

/* A set-associative array that remembers names of 64 bits: caches and TLBs of a core whose
 * addresses do not fit the 32-bit line numbers of parts/cache.h.
 *
 * Assumes: a name is below 2^64 - 1. It belongs to the set that is its remainder by their number:
 * its low bits, where that is a power of two. What belongs to a name (its dirtiness, when it
 * arrives, where a page lies) is the caller's, in arrays by slot. CHOICE(sets-by-remainder)
 * Does not model: data, timing, what a miss costs.
 *
 * Victims: parts/replacement.h, once no slot of the set is empty. */
#ifndef PARTS_TAG_ARRAY_H
#define PARTS_TAG_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "base/compiler.h"
#include "machine/machine.h"
#include "parts/replacement.h"

#define TAG_ARRAY_MAX_WAYS 32
#define TAG_ARRAY_NO_SLOT  UINT32_MAX /* the name is not there */
#define TAG_ARRAY_NO_NAME  UINT64_MAX /* the slot was empty */

struct tag_array {
    uint64_t *names;  /* sets * ways: name + 1, 0 for an empty slot */
    uint32_t *latest; /* by set: the slot of its last hit or fill */
    uint32_t sets, ways;
    bool by_mask; /* sets is a power of two */
    enum machine_replacement policy;
    struct replacement replacement;
};

/* Makes an empty one. sets: at least 1; ways: 1 to TAG_ARRAY_MAX_WAYS; seed: of
 * the random policy. It owns its arrays, tag_array_free releases them; after a failure there is
 * nothing to release. Returns ARMPMU_OK, ARMPMU_BAD_CONFIG or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status tag_array_init(struct tag_array *cache, uint32_t sets,
                                                  uint32_t ways, enum machine_replacement policy,
                                                  uint64_t seed, struct armpmu_error *err);

/* Releases what tag_array_init took. A zeroed or a freed one is fine. */
void tag_array_free(struct tag_array *cache);

/* The set that a name belongs to. */
static inline uint32_t tag_array_set(const struct tag_array *cache, uint64_t name)
{
    return (uint32_t)(likely(cache->by_mask) ? name & (cache->sets - 1) : name % cache->sets);
}

/* tag_array_lookup of a name that is not in the latest slot of its set. */
uint32_t tag_array_search(struct tag_array *cache, uint64_t name);

/* The slot of a name, or TAG_ARRAY_NO_SLOT. With LRU a hit makes it the newest of its set, and the
 * latest one is the newest already. */
static inline uint32_t tag_array_lookup(struct tag_array *cache, uint64_t name)
{
    const uint32_t slot = cache->latest[tag_array_set(cache, name)];
    return cache->names[slot] == name + 1 ? slot : tag_array_search(cache, name);
}

/* With LRU a slot becomes the newest of its set, whose latest one that is. */
static inline void tag_array_use(struct tag_array *cache, uint32_t *latest, uint32_t slot)
{
    if (*latest == slot)
        return;
    *latest = slot;
    if (cache->replacement.used != NULL)
        cache->replacement.used[slot] = ++cache->replacement.clock;
}

/* Returns whether a slot that had a name has it still; then this was a hit of tag_array_lookup. */
static inline bool tag_array_hits_again(struct tag_array *cache, uint32_t slot, uint64_t name)
{
    if (cache->names[slot] != name + 1)
        return false;
    if (cache->replacement.used != NULL)
        tag_array_use(cache, &cache->latest[tag_array_set(cache, name)], slot);
    return true;
}

/* As tag_array_lookup, but changes nothing under any policy. */
uint32_t tag_array_peek(const struct tag_array *cache, uint64_t name);

/* Brings in a name that is not there and returns its slot; *victim is the name that had it, or
 * TAG_ARRAY_NO_NAME. */
uint32_t tag_array_fill(struct tag_array *cache, uint64_t name, uint64_t *victim);

/* Looks a name up in its set and, if it is not there, fills it in, in one scan. LRU only. Returns
 * its slot. */
uint32_t tag_array_take(struct tag_array *cache, uint32_t set, uint64_t name, bool *was_there);

/* Empties a slot that has a name; empties all. What the policy knows of the others stays. */
void tag_array_drop(struct tag_array *cache, uint32_t slot);
void tag_array_clear(struct tag_array *cache);

#endif

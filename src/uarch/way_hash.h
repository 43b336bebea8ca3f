/* The hash that predicts which way of a set holds a line, so that only one way is read.
 *
 * Assumes: a way has the hash of the virtual address its line was last found or filled through; a
 * hash belongs to one way of a set at most, the one that got it last. Lines are 64 bytes, pages 4
 * KiB.
 * Does not model: the hash of a real core, which is not published: CHOICE(way-hash), 6 bits,
 * VA[31:12] folded by exclusive OR. */
#ifndef UARCH_WAY_HASH_H
#define UARCH_WAY_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"

#define WAY_NONE UINT32_MAX

struct way_hash {
    uint8_t *way_of;  /* [set][hash]: way + 1, 0 for none */
    uint8_t *hash_of; /* [set][way]: hash + 1, 0 for none */
    uint32_t sets, ways;
};

/* No way has a hash yet. sets: a power of two; ways: below 255. way_hash_free releases it; after a
 * failure there is nothing to release. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status way_hash_init(struct way_hash *hash, uint32_t sets,
                                                 uint32_t ways, struct armpmu_error *err);
void way_hash_free(struct way_hash *hash); /* a zeroed one is fine */

static inline bool way_hash_is_on(const struct way_hash *hash)
{
    return hash->way_of != NULL;
}

/* The way that has the hash of a virtual line in its set, WAY_NONE if none has. */
uint32_t way_hash_predict(const struct way_hash *hash, uint64_t virtual_line);

/* Gives a way of the line's set the line's hash instead of its own. Returns the other way that lost
 * it, WAY_NONE if none did. */
uint32_t way_hash_give(struct way_hash *hash, uint64_t virtual_line, uint32_t way);

/* A way of the line's set is empty: it has no hash. */
void way_hash_take(struct way_hash *hash, uint64_t virtual_line, uint32_t way);

#endif

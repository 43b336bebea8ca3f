/* Predicts which way of a set holds a line, by a hash of the address, so that only one way is read.
 *
 * Assumes: a way has the hash of the virtual address its line was last found or filled through; a
 * hash belongs to one way of a set at most, the one that got it last. Lines are 64 bytes, pages 4
 * KiB.
 * Does not model: the hash of a real core, which is not published: CHOICE(way-hash), 6 bits,
 * VA[31:12] folded by exclusive OR. */
#ifndef PARTS_WAY_PREDICTOR_H
#define PARTS_WAY_PREDICTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"

#define WAY_NONE UINT32_MAX

#define WAY_HASH_BITS       6
#define WAY_HASHES          (1u << WAY_HASH_BITS)
#define WAY_HASH_PAGE_SHIFT 6  /* lines of 64 bytes in pages of 4 KiB */
#define WAY_HASH_PAGE_BITS  20 /* of a 32-bit address */

struct way_predictor {
    uint8_t *way_of;  /* [set][hash]: way + 1, 0 for none */
    uint8_t *hash_of; /* [set][way]: hash + 1, 0 for none */
    uint32_t sets, ways;
};

/* No way has a hash yet. sets: a power of two; ways: below 255. way_predictor_free releases it;
 * after a failure there is nothing to release. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status way_predictor_init(struct way_predictor *hash, uint32_t sets,
                                                      uint32_t ways, struct armpmu_error *err);
void way_predictor_free(struct way_predictor *hash); /* a zeroed one is fine */

static inline bool way_predictor_is_on(const struct way_predictor *hash)
{
    return hash->way_of != NULL;
}

/* Where the way that has the line's hash stands. */
static inline uint8_t *way_predictor_slot(const struct way_predictor *hash, uint64_t virtual_line)
{
    uint32_t page =
        (uint32_t)(virtual_line >> WAY_HASH_PAGE_SHIFT) & ((1u << WAY_HASH_PAGE_BITS) - 1);
    uint32_t folded = 0;
    for (unsigned bit = 0; bit < WAY_HASH_PAGE_BITS; bit += WAY_HASH_BITS)
        folded ^= page >> bit & (WAY_HASHES - 1);
    return &hash->way_of[(virtual_line & (hash->sets - 1)) * WAY_HASHES + folded];
}

/* The way that has the hash of a virtual line in its set, WAY_NONE if none has. */
static inline uint32_t way_predictor_predict(const struct way_predictor *hash,
                                             uint64_t virtual_line)
{
    return *way_predictor_slot(hash, virtual_line) - 1u; /* 0 gives WAY_NONE */
}

/* Gives a way of the line's set the line's hash instead of its own. Returns the other way that lost
 * it, WAY_NONE if none did. */
uint32_t way_predictor_train(struct way_predictor *hash, uint64_t virtual_line, uint32_t way);

/* A way of the line's set is empty: it has no hash. */
void way_predictor_take(struct way_predictor *hash, uint64_t virtual_line, uint32_t way);

#endif

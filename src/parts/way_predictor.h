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
#include "base/compiler.h"

#define WAY_NONE UINT32_MAX

#define WAY_HASH_BITS       6
#define WAY_HASHES          (1u << WAY_HASH_BITS)
#define WAY_HASH_PAGE_SHIFT 6  /* lines of 64 bytes in pages of 4 KiB */
#define WAY_HASH_PAGE_BITS  20 /* of a 32-bit address */

/* Hashes of four ways side by side, so that all are compared at once: way w in bits 8w to 8w + 7.
 */
#define WAY_GROUP 4u

struct way_predictor {
    uint32_t *hashes; /* [set][way / WAY_GROUP]: a byte for each way: hash + 1, 0 for none */
    uint32_t sets, ways;
};

/* No way has a hash yet. sets: a power of two; ways: below 255. way_predictor_free releases it;
 * after a failure there is nothing to release. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status way_predictor_init(struct way_predictor *hash, uint32_t sets,
                                                      uint32_t ways, struct armpmu_error *err);
void way_predictor_free(struct way_predictor *hash); /* a zeroed one is fine */

/* ---- inline: asked and told at every miss ---- */

static inline bool way_predictor_is_on(const struct way_predictor *hash)
{
    return hash->hashes != NULL;
}

/* The number of the set of a line. */
static inline size_t way_predictor_set(const struct way_predictor *hash, uint64_t virtual_line)
{
    return virtual_line & (hash->sets - 1);
}

/* The word with the hash of a way. ways: as of way_predictor_init, a constant where the caller
 * knows it; so below. */
static inline uint32_t *way_predictor_group(const struct way_predictor *hash, size_t set,
                                            uint32_t ways, uint32_t way)
{
    return &hash->hashes[set * ((ways + WAY_GROUP - 1) / WAY_GROUP) + way / WAY_GROUP];
}

/* The hash of a line's page, plus 1. */
static inline uint32_t way_predictor_hash(uint64_t virtual_line)
{
    const uint32_t page =
        (uint32_t)(virtual_line >> WAY_HASH_PAGE_SHIFT) & ((1u << WAY_HASH_PAGE_BITS) - 1);
    uint32_t folded = 0;
    for (unsigned bit = 0; bit < WAY_HASH_PAGE_BITS; bit += WAY_HASH_BITS)
        folded ^= page >> bit;
    return (folded & (WAY_HASHES - 1)) + 1;
}

/* The way of a set that has a hash, WAY_NONE if none has. Adding 0x7f to a byte below 0x80 sets its
 * bit 7 unless the byte is 0, and carries nowhere. */
static ALWAYS_INLINE uint32_t way_predictor_find(const struct way_predictor *hash, size_t set,
                                                 uint32_t ways, uint32_t hash_plus_1)
{
    const uint32_t wanted = hash_plus_1 * UINT32_C(0x01010101);
    for (uint32_t first = 0; first < ways; first += WAY_GROUP) {
        const uint32_t group = *way_predictor_group(hash, set, ways, first);
        const uint32_t equal = ~((group ^ wanted) + UINT32_C(0x7f7f7f7f)) & UINT32_C(0x80808080);
        if (equal != 0)
            return first + (uint32_t)__builtin_ctz(equal) / 8;
    }
    return WAY_NONE;
}

/* The way that has the hash of a virtual line in its set, WAY_NONE if none has. */
static inline uint32_t way_predictor_predict(const struct way_predictor *hash,
                                             uint64_t virtual_line)
{
    return way_predictor_find(hash, way_predictor_set(hash, virtual_line), hash->ways,
                              way_predictor_hash(virtual_line));
}

static ALWAYS_INLINE void way_predictor_give(struct way_predictor *hash, size_t set, uint32_t ways,
                                             uint32_t way, uint32_t hash_plus_1)
{
    uint8_t *const hashes = (uint8_t *)way_predictor_group(hash, set, ways, way);
    const bool first_is_low = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    hashes[first_is_low ? way % WAY_GROUP : WAY_GROUP - 1 - way % WAY_GROUP] = (uint8_t)hash_plus_1;
}

/* A way of the line's set is empty: it has no hash. */
static inline void way_predictor_take(struct way_predictor *hash, uint64_t virtual_line,
                                      uint32_t way)
{
    way_predictor_give(hash, way_predictor_set(hash, virtual_line), hash->ways, way, 0);
}

/* Gives a way of a set a hash instead of its own. predicted: what way_predictor_find says of the
 * hash now. Returns the other way that lost it, WAY_NONE if none did. */
static ALWAYS_INLINE uint32_t way_predictor_retrain(struct way_predictor *hash, size_t set,
                                                    uint32_t ways, uint32_t hash_plus_1,
                                                    uint32_t way, uint32_t predicted)
{
    if (unlikely(predicted == way))
        return WAY_NONE;
    if (predicted != WAY_NONE)
        way_predictor_give(hash, set, ways, predicted, 0);
    way_predictor_give(hash, set, ways, way, hash_plus_1);
    return predicted;
}

/* Gives a way of the line's set the line's hash. */
static inline uint32_t way_predictor_train(struct way_predictor *hash, uint64_t virtual_line,
                                           uint32_t way)
{
    const size_t set = way_predictor_set(hash, virtual_line);
    const uint32_t hash_plus_1 = way_predictor_hash(virtual_line);
    return way_predictor_retrain(hash, set, hash->ways, hash_plus_1, way,
                                 way_predictor_find(hash, set, hash->ways, hash_plus_1));
}

#endif

/* Finds the numbers that equal a given one: one compare for four of them where the host has
 * vectors. */
#ifndef BASE_MATCH_H
#define BASE_MATCH_H

#include <stdint.h>

/* Four numbers, and what a comparison says of each: all bits or none. */
typedef uint32_t match_lanes __attribute__((vector_size(4 * sizeof(uint32_t))));

#if defined(__SSE2__)

#include <emmintrin.h>

/* A bit for each, the first in bit 0. */
static inline uint32_t match_four(const uint32_t *numbers, uint32_t wanted)
{
    const __m128i four = _mm_loadu_si128((const __m128i *)(const void *)numbers);
    const __m128i equal = _mm_cmpeq_epi32(four, _mm_set1_epi32((int)wanted));
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(equal));
}

static inline uint32_t match_bits(match_lanes equal)
{
    return (uint32_t)_mm_movemask_ps((__m128)equal);
}

static inline uint32_t match_sixteen(const uint32_t *numbers, uint32_t wanted)
{
    const __m128i *const fours = (const __m128i *)(const void *)numbers;
    const __m128i all = _mm_set1_epi32((int)wanted);
    __m128i equal[4];
    for (unsigned i = 0; i < 4; i++)
        equal[i] = _mm_cmpeq_epi32(_mm_loadu_si128(fours + i), all);
    return (uint32_t)_mm_movemask_epi8(
        _mm_packs_epi16(_mm_packs_epi32(equal[0], equal[1]), _mm_packs_epi32(equal[2], equal[3])));
}

#else

static inline uint32_t match_four(const uint32_t *numbers, uint32_t wanted)
{
    return (uint32_t)(numbers[0] == wanted) | (uint32_t)(numbers[1] == wanted) << 1 |
           (uint32_t)(numbers[2] == wanted) << 2 | (uint32_t)(numbers[3] == wanted) << 3;
}

static inline uint32_t match_bits(match_lanes equal)
{
    return (equal[0] & 1) | (equal[1] & 2) | (equal[2] & 4) | (equal[3] & 8);
}

static inline uint32_t match_sixteen(const uint32_t *numbers, uint32_t wanted)
{
    uint32_t matches = 0;
    for (unsigned i = 0; i < 16; i += 4)
        matches |= match_four(numbers + i, wanted) << i;
    return matches;
}

#endif

#endif

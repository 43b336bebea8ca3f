/* Which of four numbers equal a wanted one: one compare where the host has vectors. */
#ifndef BASE_MATCH_H
#define BASE_MATCH_H

#include <stdint.h>

#if defined(__SSE2__)

#include <emmintrin.h>

/* A bit for each, the first in bit 0. */
static inline uint32_t match_four(const uint32_t *numbers, uint32_t wanted)
{
    const __m128i four = _mm_loadu_si128((const __m128i *)(const void *)numbers);
    const __m128i equal = _mm_cmpeq_epi32(four, _mm_set1_epi32((int)wanted));
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(equal));
}

#else

static inline uint32_t match_four(const uint32_t *numbers, uint32_t wanted)
{
    return (uint32_t)(numbers[0] == wanted) | (uint32_t)(numbers[1] == wanted) << 1 |
           (uint32_t)(numbers[2] == wanted) << 2 | (uint32_t)(numbers[3] == wanted) << 3;
}

#endif

#endif

/* Differences and maxima of cycles, shares of counts. */
#ifndef BASE_ARITHMETIC_H
#define BASE_ARITHMETIC_H

#include <stdint.h>

/* The later of two times. */
static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static inline uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* a - b, not below zero. */
static inline uint32_t minus(uint32_t a, uint32_t b)
{
    return a > b ? a - b : 0;
}

/* 0 of nothing. */
static inline double percent(uint64_t part, uint64_t whole)
{
    return whole != 0 ? 100.0 * (double)part / (double)whole : 0;
}

#endif

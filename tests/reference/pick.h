/* Random choices of the tests: xorshift64*, not the generator of the models. */
#ifndef TESTS_REFERENCE_PICK_H
#define TESTS_REFERENCE_PICK_H

#include <stdbool.h>
#include <stdint.h>

/* A number from 0 to n - 1. *state: never 0. */
static inline uint32_t pick(uint64_t *state, uint32_t n)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)((*state * UINT64_C(0x2545f4914f6cdd1d) >> 33) % n);
}

/* True once in n, on average. */
static inline bool one_in(uint64_t *state, uint32_t n)
{
    return pick(state, n) == 0;
}

#endif

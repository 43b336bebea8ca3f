/* How often a test repeats itself: `make test-long` runs every seed, any other run a part of them.
 * Sanitizers make a test three to eight times as slow, and look for errors in memory: fewer seeds
 * find those. */
#ifndef TESTS_SEEDS_H
#define TESTS_SEEDS_H

#include <stdint.h>
#include <stdlib.h>

#ifdef __SANITIZE_ADDRESS__
enum { SEEDS_PART = 12 };
#else
enum { SEEDS_PART = 6 };
#endif

/* Of n; at least 1. */
static inline uint64_t seeds_of(uint64_t n)
{
    return getenv("ARMPMU_TEST_LONG") != NULL ? n : (n + SEEDS_PART - 1) / SEEDS_PART;
}

#endif

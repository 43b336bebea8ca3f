/* Comparisons for qsort and bsearch. */
#ifndef BASE_ORDER_H
#define BASE_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* Compares numbers pair by pair, ORDER(a->line, b->line, a->thread, b->thread): the first pair that
 * differs decides. A pair the other way round sorts from the greatest down. Returns -1, 0 or 1. */
#define ORDER(...)                                                                                 \
    order_pairs((const uint64_t[]){__VA_ARGS__},                                                   \
                sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static inline int order_pairs(const uint64_t *pairs, size_t n)
{
    for (size_t i = 0; i < n; i += 2)
        if (pairs[i] != pairs[i + 1])
            return pairs[i] < pairs[i + 1] ? -1 : 1;
    return 0;
}

/* Compares two uint64_t of an array. */
static inline int order_numbers(const void *a, const void *b)
{
    return ORDER(*(const uint64_t *)a, *(const uint64_t *)b);
}

#endif

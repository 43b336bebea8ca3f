/* Arrays of numbers most of which are zero. */
#ifndef BASE_SPARSE_H
#define BASE_SPARSE_H

#include <stdbool.h>
#include <stdint.h>

#define SPARSE_GROUP 16 /* numbers that are skipped at once */

static inline bool sparse_is_zero(const uint64_t *group)
{
    uint64_t any = 0;

    for (unsigned i = 0; i < SPARSE_GROUP; i++)
        any |= group[i];
    return any == 0;
}

static inline bool sparse_is_skipped(const uint64_t *numbers, uint32_t n, uint32_t i)
{
    return i + SPARSE_GROUP <= n && sparse_is_zero(&numbers[i]);
}

/* Runs what follows for each index i of n numbers that is not that of a zero. */
#define SPARSE_EACH(i, numbers, n)                                                                 \
    for (uint32_t i##_group = 0; i##_group < (n); i##_group += SPARSE_GROUP)                       \
        if (!sparse_is_skipped(numbers, n, i##_group))                                             \
            for (uint32_t i = i##_group; i < i##_group + SPARSE_GROUP && i < (n); i++)             \
                if ((numbers)[i] != 0)

#endif

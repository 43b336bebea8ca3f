/* Chooses the way of a set to replace: the replacement policy of set-associative arrays.
 *
 * Random draws a way from the seed; round robin keeps one pointer a set, which moves on by one when
 * it has chosen a victim; LRU takes the way whose last hit or fill is longest ago. Empty ways are
 * the array's own business: it fills those first. */
#ifndef PARTS_REPLACEMENT_H
#define PARTS_REPLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/machine.h"
#include "parts/random.h"

struct replacement {
    uint64_t *used;       /* LRU: the clock at each way's last hit or fill; else NULL */
    uint8_t *next_victim; /* round robin: a way for each set; else NULL */
    uint64_t clock;       /* LRU: hits and fills so far */
    struct random random;
};

/* Takes the memory that the policy needs; false without. replacement_free in any case. */
bool replacement_init(struct replacement *replacement, enum machine_replacement policy,
                      uint64_t seed, uint32_t sets, uint32_t ways);

void replacement_free(struct replacement *replacement);

/* LRU: the lowest way of a set among those that were used longest ago. */
uint32_t replacement_oldest(const struct replacement *replacement, size_t set, uint32_t ways);

static inline uint32_t replacement_next(struct replacement *replacement, size_t set, uint32_t ways)
{
    const uint32_t way = replacement->next_victim[set];
    replacement->next_victim[set] = way + 1 == ways ? 0 : (uint8_t)(way + 1);
    return way;
}

/* The victim of a full set. */
static inline uint32_t replacement_choose(struct replacement *replacement,
                                          enum machine_replacement policy, size_t set,
                                          uint32_t ways)
{
    if (policy == REPLACEMENT_RANDOM)
        return random_below(&replacement->random, ways);
    return policy == REPLACEMENT_LRU ? replacement_oldest(replacement, set, ways)
                                     : replacement_next(replacement, set, ways);
}

#endif

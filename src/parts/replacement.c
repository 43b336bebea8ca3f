#include "parts/replacement.h"

#include <stdlib.h>

bool replacement_init(struct replacement *replacement, enum machine_replacement policy,
                      uint64_t seed, uint32_t sets, uint32_t ways)
{
    *replacement = (struct replacement){.random = {seed}};
    if (policy == REPLACEMENT_LRU)
        replacement->used = calloc((size_t)sets * ways, sizeof *replacement->used);
    if (policy == REPLACEMENT_ROUND_ROBIN)
        replacement->next_victim = calloc(sets, sizeof *replacement->next_victim);
    return (policy != REPLACEMENT_LRU || replacement->used != NULL) &&
           (policy != REPLACEMENT_ROUND_ROBIN || replacement->next_victim != NULL);
}

void replacement_free(struct replacement *replacement)
{
    free(replacement->used);
    free(replacement->next_victim);
}

uint32_t replacement_oldest(const struct replacement *replacement, size_t set, uint32_t ways)
{
    const uint64_t *const used = replacement->used + set * ways;
    uint64_t least = used[0];
    uint32_t found = 0;
    for (uint32_t way = 1; way < ways && least != 0; way++) {
        const bool is_older = used[way] < least;
        found = is_older ? way : found;
        least = is_older ? used[way] : least;
    }
    return found;
}

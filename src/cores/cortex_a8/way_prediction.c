/* Way prediction on the Cortex-A8: which accesses the hash of the address misleads, and what it
 * learns from them.
 *
 * CHOICE(hash-miss): the hash misleads when it names a way and the line is not there, or names none
 * while the line is present.
 * Source: ARM DDI 0344K, Values for predefined events, 0x49 and 0x4A. */
#include "cores/cortex_a8/memory.h"

#include <stddef.h>

/* A line was found or filled through virtual_line: its way gets the hash. Returns the line whose
 * way lost it, NULL if none did: that one will mislead. */
static const struct cache_line *train(const struct cache *cache, struct way_predictor *hash,
                                      uint64_t virtual_line, const struct cache_line *line)
{
    if (!way_predictor_is_on(hash))
        return NULL;
    const uint32_t way = cache_way(cache, virtual_line, line);
    const uint32_t loser = way_predictor_train(hash, virtual_line, way);
    return loser != WAY_NONE ? line - way + loser : NULL;
}

void a8_train_fetch(struct a8_memory *memory, uint64_t line, const struct cache_line *present)
{
    const struct cache_line *loser = train(&memory->l1i, &memory->l1i_hash, line, present);
    if (loser != NULL)
        a8_forget_fetch_line(memory, loser->virtual_line);
}

void a8_train_data(struct a8_memory *memory, uint64_t line, const struct cache_line *present)
{
    const struct cache_line *loser = train(&memory->l1d, &memory->l1d_hash, line, present);
    if (loser != NULL)
        a8_forget_data_line(memory, loser->virtual_line);
}

void a8_drop_line(struct cache *cache, struct way_predictor *hash, struct cache_line *line)
{
    if (way_predictor_is_on(hash))
        way_predictor_take(hash, line->virtual_line, cache_way(cache, line->virtual_line, line));
    cache_drop(cache, line);
}

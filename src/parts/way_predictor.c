#include "parts/way_predictor.h"

#include <stdlib.h>

#include "base/error.h"

enum armpmu_status way_predictor_init(struct way_predictor *hash, uint32_t sets, uint32_t ways,
                                      struct armpmu_error *err)
{
    *hash = (struct way_predictor){.sets = sets, .ways = ways};
    hash->way_of = calloc((size_t)sets * WAY_HASHES, sizeof *hash->way_of);
    hash->hash_of = calloc((size_t)sets * ways, sizeof *hash->hash_of);
    if (hash->way_of != NULL && hash->hash_of != NULL)
        return ARMPMU_OK;
    way_predictor_free(hash);
    return fail(err, ARMPMU_NO_MEMORY, "out of memory for the way prediction of %u sets", sets);
}

void way_predictor_free(struct way_predictor *hash)
{
    free(hash->way_of);
    free(hash->hash_of);
    *hash = (struct way_predictor){0};
}

static uint8_t *hash_of(const struct way_predictor *hash, uint64_t virtual_line, uint32_t way)
{
    return &hash->hash_of[(virtual_line & (hash->sets - 1)) * hash->ways + way];
}

void way_predictor_take(struct way_predictor *hash, uint64_t virtual_line, uint32_t way)
{
    uint8_t *const own = hash_of(hash, virtual_line, way);
    if (*own != 0)
        hash->way_of[(virtual_line & (hash->sets - 1)) * WAY_HASHES + *own - 1u] = 0;
    *own = 0;
}

uint32_t way_predictor_train(struct way_predictor *hash, uint64_t virtual_line, uint32_t way)
{
    uint8_t *const slot = way_predictor_slot(hash, virtual_line);
    const uint32_t before = *slot - 1u;
    if (before == way)
        return WAY_NONE;
    if (before != WAY_NONE)
        *hash_of(hash, virtual_line, before) = 0;
    way_predictor_take(hash, virtual_line, way);
    *slot = (uint8_t)(way + 1);
    *hash_of(hash, virtual_line, way) =
        (uint8_t)(slot - &hash->way_of[(virtual_line & (hash->sets - 1)) * WAY_HASHES] + 1);
    return before;
}

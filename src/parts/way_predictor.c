#include "parts/way_predictor.h"

#include <stdlib.h>

#include "base/error.h"

enum armpmu_status way_predictor_init(struct way_predictor *hash, uint32_t sets, uint32_t ways,
                                      struct armpmu_error *err)
{
    *hash = (struct way_predictor){.sets = sets, .ways = ways};
    hash->hashes =
        calloc((size_t)sets * ((ways + WAY_GROUP - 1) / WAY_GROUP), sizeof *hash->hashes);
    if (hash->hashes != NULL)
        return ARMPMU_OK;
    return fail(err, ARMPMU_NO_MEMORY, "out of memory for the way prediction of %u sets", sets);
}

void way_predictor_free(struct way_predictor *hash)
{
    free(hash->hashes);
    *hash = (struct way_predictor){0};
}

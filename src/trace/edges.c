#include "trace/edges.h"

#include <stdlib.h>

#include "base/array.h"

static bool is_same(const void *edges, uint32_t number, const void *key)
{
    const struct armpmu_profile_edge *const a = &((const struct edges *)edges)->at[number];
    const struct armpmu_profile_edge *const b = key;

    return a->from == b->from && a->to == b->to && a->path == b->path;
}

struct armpmu_profile_edge *edges_find(struct edges *edges, uint32_t path, uint64_t from,
                                       uint64_t to)
{
    const struct armpmu_profile_edge key = {.path = path, .from = from, .to = to};
    const uint64_t parts[] = {path, from, to};
    const uint32_t hash = hash_bytes(HASH_START, parts, sizeof parts);
    uint32_t number = intern_find(&edges->numbers, hash, is_same, edges, &key);

    if (number == INTERN_NONE) {
        number = (uint32_t)edges->n;
        if (!ARRAY_RESERVE(edges->at, edges->room, edges->n + 1) ||
            !intern_add(&edges->numbers, hash, number))
            return NULL;
        edges->at[edges->n++] = key;
    }
    return &edges->at[number];
}

void edges_free(struct edges *edges)
{
    free(edges->at);
    intern_free(&edges->numbers);
    *edges = (struct edges){0};
}

/* Maps the edges of branches from addresses to the instructions of a profile. */
#include <stdlib.h>

#include "base/array.h"
#include "base/order.h"
#include "profile/collect.h"
#include "profile/collect_internal.h"

bool collect_edge(struct collected_thread *thread, const struct armpmu_profile_edge *edge)
{
    if (edge->n == 0)
        return true;
    return ARRAY_APPEND(thread->edges, thread->n_edges, thread->edges_room, *edge);
}

/* PROFILE_NONE: nothing ran there. */
static uint32_t insn_at(const struct collected_thread *thread, const struct by_address *sorted,
                        uint32_t path, uint64_t address)
{
    size_t at = first_row_at(sorted, thread->n_rows, thread->paths[path].context, address, 0);
    if (at == thread->n_rows) /* the branch led to another context */
        at = first_row_at(sorted, thread->n_rows, 0, address, 0);
    return at < thread->n_rows ? thread->insn_numbers[sorted[at].row] : PROFILE_NONE;
}

bool number_edges(struct profile_collection *collection, const struct collected_thread *thread,
                  const struct by_address *sorted)
{
    const size_t n = collection->n_edges;

    if (!ARRAY_RESERVE(collection->edges, collection->edges_room, n + thread->n_edges))
        return false;
    for (size_t i = 0; i < thread->n_edges; i++) {
        const struct armpmu_profile_edge *const edge = &thread->edges[i];
        collection->edges[n + i] = (struct profile_edge){
            insn_at(thread, sorted, edge->path, edge->from),
            insn_at(thread, sorted, edge->path, edge->to), edge->n, edge->n_mispredicted};
    }
    collection->n_edges += thread->n_edges;
    return true;
}

static int by_ends(const void *a, const void *b)
{
    const struct profile_edge *x = a, *y = b;

    return ORDER(x->from, y->from, x->to, y->to);
}

enum armpmu_status fill_edges(struct profile_collection *collection, struct profile *profile,
                              struct armpmu_error *err)
{
    struct profile_edge *const edges = collection->edges;
    enum armpmu_status status = ARMPMU_OK;

    if (collection->n_edges != 0)
        qsort(edges, collection->n_edges, sizeof *edges, by_ends);
    for (size_t first = 0, next; first < collection->n_edges && status == ARMPMU_OK; first = next) {
        for (next = first + 1;
             next < collection->n_edges && by_ends(&edges[first], &edges[next]) == 0; next++) {
            edges[first].n += edges[next].n;
            edges[first].n_mispredicted += edges[next].n_mispredicted;
        }
        if (edges[first].from != PROFILE_NONE)
            status = profile_add_edge(profile, &edges[first], err);
    }
    return status;
}

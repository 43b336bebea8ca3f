/* The edges of a profile: how often each branch went to each of its targets. Kept only on request.
 *
 * Plain data, empty when zeroed; one thread at a time. */
#ifndef TRACE_EDGES_H
#define TRACE_EDGES_H

#include "armpmu/profile.h"
#include "base/intern.h"

struct edges {
    bool are_kept;
    struct armpmu_profile_edge *at; /* in the order in which they were met */
    size_t n, room;
    struct intern numbers;
};

/* The edge, which is new where it was not met before; NULL without memory. */
struct armpmu_profile_edge *edges_find(struct edges *edges, uint32_t path, uint64_t from,
                                       uint64_t to);
void edges_free(struct edges *edges);

#endif

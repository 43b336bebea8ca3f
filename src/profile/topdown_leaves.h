/* Where cycles go, in a profile: an event for each leaf of armpmu/topdown.def, which counts the
 * leaf's cycles. A cycle is in one leaf at most, so the leaves explain the cycles of any part of a
 * profile, and add up to the tree of the whole run. */
#ifndef PROFILE_TOPDOWN_LEAVES_H
#define PROFILE_TOPDOWN_LEAVES_H

#include "armpmu/catalog.h"
#include "profile/profile.h"

#define TOPDOWN_NUMBER      0x10000u /* of the first leaf's event; catalogues have less */
#define TOPDOWN_LEAVES_MOST 40

static inline bool topdown_is_leaf(uint32_t number)
{
    return number - TOPDOWN_NUMBER < TOPDOWN_LEAVES_MOST;
}

/* The event of a leaf, "TOPDOWN_STALL_BACKEND_L1D"; NULL after the last. */
const struct armpmu_event *topdown_leaf_event(size_t leaf);

/* Adds those events to a profile, in their order. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status topdown_leaves_add(struct profile *profile,
                                                      struct armpmu_error *err);

/* Part of some cycles. */
struct topdown_part {
    const char *name; /* "Memory bound: L1D misses" */
    uint32_t event;   /* the profile's; PROFILE_NONE of what is in no leaf */
    uint64_t cycles;
    double percent;
};

/* The parts of counts, which are of all events of the profile: greatest first, without zeros, then
 * what is in no leaf. Returns how many; 0 where the profile does not have the events. */
size_t topdown_parts(const struct profile *profile, const uint64_t *counts,
                     struct topdown_part parts[TOPDOWN_LEAVES_MOST]);

#endif

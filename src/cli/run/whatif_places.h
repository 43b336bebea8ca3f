/* The most expensive places of an execution, found in a profile by their misses and
 * mispredictions, each with the changes to try. */
#ifndef CLI_RUN_WHATIF_PLACES_H
#define CLI_RUN_WHATIF_PLACES_H

#include "cli/run/whatif_trials.h"
#include "profile/collect.h"

#define WHATIF_PLACES_MAX 100

enum whatif_by { BY_LINE, BY_FUNCTION, BY_INSN, BY_DATA };

/* The kind of place that is searched for, and how many. */
struct whatif_wanted {
    enum whatif_by by;
    size_t n;
};

/* Makes the collection that places are found in: of events of no core, signals that cost cycles.
 * Returns as profile_collection_new. */
ARMPMU_MUST_USE enum armpmu_status whatif_collection_new(struct profile_collection **out,
                                                         struct armpmu_error *err);

/* Adds these events to an empty profile, before its rows. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status whatif_add_events(struct profile *profile,
                                                     struct armpmu_error *err);

/* Adds trials for the candidates of most cost, a place and a cure that the core model can do.
 * Lines are taken for functions where no line is known. Beside lines are data, unless one line has
 * nearly all of their misses, and these are nearly all of the line's. Returns ARMPMU_OK or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status whatif_add_places(struct whatif_trials *trials,
                                                     const struct whatif_base *base,
                                                     const struct profile *profile,
                                                     const struct whatif_wanted *wanted,
                                                     struct armpmu_error *err);

#endif

/* Describes to which instruction each event of a core belongs. The table attribution.def is printed
 * into docs/profiling.md and docs/events. */
#ifndef PROFILE_ATTRIBUTION_H
#define PROFILE_ATTRIBUTION_H

#include "armpmu/catalog.h"

enum event_owner_id {
#define OWNER(id, who, why) EVENT_OWNER_##id,
#define SIGNAL_OF(signal, owner)
#define SIGNAL_OF_MODEL(model, signal, owner)
#include "profile/attribution.def"
#undef OWNER
#undef SIGNAL_OF
#undef SIGNAL_OF_MODEL
    EVENT_OWNER_COUNT
};

struct event_owner {
    enum event_owner_id id;
    const char *who; /* "the access" */
    const char *why;
};

/* The attribution of a core's signal. Static; NULL: the table does not have it. */
const struct event_owner *event_owner_of_signal(const struct armpmu_core *core,
                                                enum armpmu_signal signal);

/* The attribution of an event: that of its first signal. NULL: it has none. */
const struct event_owner *event_owner_of(const struct armpmu_core *core,
                                         const struct armpmu_event *event);

#endif

/* The chosen events of a profile, in order. */
#ifndef PROFILE_EVENT_CHOICE_H
#define PROFILE_EVENT_CHOICE_H

#include "profile/profile.h"

struct event_choice {
    uint32_t *events; /* of the profile, in the order wanted, none twice */
    size_t n;
    size_t n_beside; /* more of them after those n: added up with them, but not shown */
};

/* Chooses the events of a list separated by ',': names of the profile, names, aliases and numbers
 * that the core's catalogue knows, globs, "all". list NULL: all, that is cycles first, and last
 * what never happened. choice is freed by event_choice_free, also after a failure. Returns
 * ARMPMU_OK, ARMPMU_NOT_FOUND (the message names the events that the profile has) or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status event_choice_make(const struct profile *profile,
                                                     const char *list, struct event_choice *choice,
                                                     struct armpmu_error *err);

/* Chooses what most look for first: cycles, instructions, cache misses and branch misses, as far as
 * they were recorded. All events where there are no more than those, or none of them. Returns
 * ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status event_choice_usual(const struct profile *profile,
                                                      struct event_choice *choice,
                                                      struct armpmu_error *err);

/* How many are added up. */
size_t event_choice_n_counts(const struct event_choice *choice);

/* Adds an event of the profile up with those of a choice, which is made already. */
void event_choice_add_beside(struct event_choice *choice, uint32_t event);

void event_choice_free(struct event_choice *choice);

/* Writes the names of all events of a profile, as many as fit; the last word is "..." where not all
 * do. */
void event_choice_name(const struct profile *profile, char *text, size_t size);

#endif

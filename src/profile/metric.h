/* Derived figures of the catalogue: their values, events and formulas. */
#ifndef PROFILE_METRIC_H
#define PROFILE_METRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "armpmu/catalog.h"

#define METRIC_FORMULA_BYTES 256

/* The count of an event; false where it was not counted. */
typedef bool (*metric_count_of)(void *user, const struct armpmu_event *event, double *count);

/* The value of a metric. Returns false where there is none: an event of it was not counted, or it
 * divides by zero. */
bool metric_value(const struct armpmu_core *core, const struct armpmu_metric *metric,
                  metric_count_of count_of, void *user, double *value);

/* Calls for each event that a metric is made of, as often as its formula names it. */
void metric_each_event(const struct armpmu_core *core, const struct armpmu_metric *metric,
                       void (*call)(void *user, const struct armpmu_event *event), void *user);

/* "1000 * L1D_CACHE_REFILL / INST_RETIRED", at most size bytes, terminated. */
void metric_formula(const struct armpmu_core *core, const struct armpmu_metric *metric, char *text,
                    size_t size);

/* Returns whether it is in a group; case and '_' do not matter, as perf has "TopdownL1" for Arm's
 * "Topdown_L1". */
bool metric_is_in_group(const struct armpmu_metric *metric, const char *group);

#endif

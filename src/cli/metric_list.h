/* Which of a core's metrics are asked for. */
#ifndef CLI_METRIC_LIST_H
#define CLI_METRIC_LIST_H

#include <stdbool.h>

#include "armpmu/catalog.h"
#include "cli/event_list.h"

struct suggest;

/* Whether the glob matches the metric's name, or is the name of one of its groups. */
bool metric_list_matches(const struct armpmu_metric *metric, const char *glob);

/* Offers the metric's name and its groups as what a mistyped word may have meant. */
void metric_list_offer(struct suggest *near, const struct armpmu_metric *metric);

/* Marks the metrics that names, globs or groups separated by ',' select, "all" every one; chosen: a
 * mark for each of the core's. Returns ARMPMU_OK or ARMPMU_NOT_FOUND. */
ARMPMU_MUST_USE enum armpmu_status metric_list_parse(const struct armpmu_core *core,
                                                     const char *text, bool *chosen,
                                                     struct armpmu_error *err);

/* Appends the events that the marked metrics are made of, and printed beside. Returns as
 * event_list_add. */
ARMPMU_MUST_USE enum armpmu_status metric_list_events(const struct armpmu_core *core,
                                                      const bool *chosen, struct event_list *list,
                                                      struct armpmu_error *err);

#endif

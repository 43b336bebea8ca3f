/* The metrics of a core that -M selects. */
#ifndef CLI_METRIC_LIST_H
#define CLI_METRIC_LIST_H

#include <stdbool.h>

#include "armpmu/catalog.h"
#include "cli/event_list.h"

struct option_list;
struct suggest;

struct metric_choice {
    const struct armpmu_core *core;
    const struct armpmu_metric **metrics; /* the core's, in its order */
    size_t n;
};

/* Returns whether the glob matches the metric's name, or is the name of one of its groups. */
bool metric_list_matches(const struct armpmu_metric *metric, const char *glob);

/* Offers the metric's name and its groups as what a mistyped word may have meant. */
void metric_list_offer(struct suggest *near, const struct armpmu_metric *metric);

/* Marks the metrics that the lists of -M select: names, globs or groups separated by ',', "all"
 * every one. *chosen: a mark for each of the core's, in memory that the caller frees; NULL where
 * there are no lists. Returns ARMPMU_OK, ARMPMU_NOT_FOUND or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status metric_list_mark(const struct armpmu_core *core,
                                                    const struct option_list *lists, bool **chosen,
                                                    struct armpmu_error *err);

/* The same as a choice, which is freed by metric_choice_free, also after a failure.
 * Returns as metric_list_mark. */
ARMPMU_MUST_USE enum armpmu_status metric_choice_make(const struct armpmu_core *core,
                                                      const struct option_list *lists,
                                                      struct metric_choice *choice,
                                                      struct armpmu_error *err);
void metric_choice_free(struct metric_choice *choice);

/* Appends the events that the marked metrics are made of, and printed beside. Returns as
 * event_list_add. */
ARMPMU_MUST_USE enum armpmu_status metric_list_events(const struct armpmu_core *core,
                                                      const bool *chosen, struct event_list *list,
                                                      struct armpmu_error *err);

#endif

/* Which events `armpmu stat` counts. */
#ifndef CLI_CMD_STAT_EVENTS_H
#define CLI_CMD_STAT_EVENTS_H

#include "cli/event_list.h"
#include "cli/cmd/stat_options.h"

/* Fills in an empty list from -e, -M, -d, -n and --mode: the events named, and those of metrics
 * named, else a default dozen; -d adds what the list does not have yet. In mode hw every event has
 * its counter afterwards. Returns as event_list_parse and event_list_assign; the list is freed by
 * the caller in any case. */
ARMPMU_MUST_USE enum armpmu_status stat_events(const struct stat_options *options,
                                               const struct armpmu_core *core,
                                               struct event_list *list, struct armpmu_error *err);

/* The metrics that -M names, a mark for each of the core's, which the caller frees: *chosen is NULL
 * without -M. Returns as metric_list_parse, and ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status stat_metrics(const struct stat_options *options,
                                                const struct armpmu_core *core, bool **chosen,
                                                struct armpmu_error *err);

#endif

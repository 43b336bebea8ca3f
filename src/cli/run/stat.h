/* The parts of `armpmu stat`: events, threads and the hot spot. */
#ifndef CLI_RUN_STAT_H
#define CLI_RUN_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/run/record_setup.h"
#include "cli/run/stat_options.h"
#include "cli/event_list.h"
#include "cli/run/report.h"
#include "profile/collect.h"
#include "qemu/engine.h"

/* ---- events ----
 * Which events it counts. */

/* Fills in an empty list from -e, -M, -d, -n and --mode: the events named, and those of metrics
 * named, else a default dozen; -d adds what the list does not have yet. In mode hw every event has
 * its counter afterwards. Returns as event_list_parse and event_list_assign; the list is freed by
 * the caller in any case. */
ARMPMU_MUST_USE enum armpmu_status stat_events(const struct stat_options *options,
                                               const struct armpmu_core *core,
                                               struct event_list *list, struct armpmu_error *err);

/* ---- threads ----
 * The counts of each thread or process under a name: "PROGRAM-1.2" is thread 2 of process 1, where
 * perf has the thread's id; "PROGRAM-1" is process 1. */

/* Calls `print` for each in order, and sets the report's program_width before. Returns ARMPMU_OK,
 * ARMPMU_NO_MEMORY, or what `print` returned if that is not ARMPMU_OK. */
ARMPMU_MUST_USE enum armpmu_status
stat_threads(struct report *report, const struct run_result *result,
             enum armpmu_status (*print)(void *user, const char *name, const uint64_t *signals),
             void *user, struct armpmu_error *err);

/* ---- hot spot ----
 * The last line: where most of the cycles went, and of the event that cost most. */

struct hot_spot {
    const struct armpmu_event **events; /* the cycles, then what may cost */
    size_t n_events;
    struct profile_collection *collection; /* NULL: it is not wanted */
    const char *sysroot;                   /* where the program's libraries are; NULL */
};

/* True when a program's file has names for its code; of one that is looked for in PATH, that is not
 * known: true. */
bool hot_spot_has_names(const char *program);

/* Makes one ready to collect, of which only the sysroot is set. hot_spot_close in any case. Returns
 * ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status
hot_spot_open(struct hot_spot *spot, const struct armpmu_core *core, struct armpmu_error *err);
void hot_spot_close(struct hot_spot *spot);

/* After the run; result: NULL of firmware. Prints nothing where no function has a name. Returns
 * ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status hot_spot_print(struct hot_spot *spot,
                                                  const struct record_run *run,
                                                  const struct run_result *result, FILE *stream,
                                                  struct armpmu_error *err);

#endif

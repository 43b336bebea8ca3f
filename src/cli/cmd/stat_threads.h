/* The counts of each thread or process under a name: "PROGRAM-1.2" is thread 2 of process 1, where
 * perf has the thread's id; "PROGRAM-1" is process 1. */
#ifndef CLI_CMD_STAT_THREADS_H
#define CLI_CMD_STAT_THREADS_H

#include <stdint.h>

#include "cli/report/report.h"
#include "qemu/engine.h"

/* Calls `print` for each in order, and sets the report's program_width before. Returns ARMPMU_OK,
 * ARMPMU_NO_MEMORY, or what `print` returned if that is not ARMPMU_OK. */
ARMPMU_MUST_USE enum armpmu_status
stat_threads(struct report *report, const struct engine_result *result,
             enum armpmu_status (*print)(void *user, const char *name, const uint64_t *signals),
             void *user, struct armpmu_error *err);

#endif

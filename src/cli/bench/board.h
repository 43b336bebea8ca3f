/* The board that armpmu runs on: its identity, and the counts of its perf for a program. */
#ifndef CLI_BENCH_BOARD_H
#define CLI_BENCH_BOARD_H

#include "armpmu/catalog.h"
#include "cli/bench/perf_counts.h"
#include "cli/event_list.h"

/* The core with this Main ID Register, whatever its revision; NULL if there is none here. */
const struct armpmu_core *board_core(unsigned long midr);

/* Fills the facts in: the processors' MIDR where Linux shows it, kernel, version of perf. Returns
 * ARMPMU_OK, ARMPMU_BAD_CONFIG (this is no Arm board), ARMPMU_NOT_FOUND (no perf) or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status board_identify(struct perf_counts *counts,
                                                  struct armpmu_error *err);

/* Runs the program under 'perf stat' until all events are counted: as many in a run as the core has
 * counters, so that none has to share one. Appends the counts. Returns ARMPMU_OK, ARMPMU_NOT_FOUND,
 * ARMPMU_BAD_INPUT, ARMPMU_IO or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status board_count(struct perf_counts *counts,
                                               const struct armpmu_core *core,
                                               const struct event_list *events,
                                               char *const *program, struct armpmu_error *err);

#endif

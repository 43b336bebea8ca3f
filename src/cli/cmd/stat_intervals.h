/* The rows of -I: what was counted since the one before, and when each ends. */
#ifndef CLI_CMD_STAT_INTERVALS_H
#define CLI_CMD_STAT_INTERVALS_H

#include "cli/cmd/interval.h"
#include "qemu/engine.h"

/* All zero at first. */
struct stat_intervals {
    uint64_t length;                      /* in cycles; 0 when it is not in cycles */
    uint64_t end;                         /* of the last, by the first thread's clock in cycles */
    uint64_t before[ARMPMU_SIGNAL_COUNT]; /* counts at the end of the last row */
};

/* Sets the job's clock. */
void stat_intervals_open(struct stat_intervals *intervals, const struct interval_choice *choice,
                         struct engine_job *job);

/* How long the run took. */
void stat_intervals_learn(struct stat_intervals *intervals, const struct engine_result *result);

/* The row of this number, from 1; now: tallies since the start. Returns its end in cycles. */
uint64_t stat_intervals_next(struct stat_intervals *intervals, uint64_t number, const uint64_t *now,
                             uint64_t *counts);

/* What is left after the last whole one. Returns its end in cycles, 0 where nothing is left. */
uint64_t stat_intervals_last(struct stat_intervals *intervals, const struct engine_result *result,
                             uint64_t *counts);

#endif

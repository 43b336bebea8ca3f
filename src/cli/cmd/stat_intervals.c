#include "cli/cmd/stat.h"

#include <string.h>

void stat_intervals_open(struct stat_intervals *intervals, const struct interval_choice *choice,
                         struct engine_job *job)
{
    job->period = interval_of(choice, job->machine, &job->every);
    if (job->every == ARMPMU_SIGNAL_CPU_CYCLES)
        intervals->length = job->period;
}

void stat_intervals_learn(struct stat_intervals *intervals, const struct engine_result *result)
{
    for (size_t i = 0; i < result->n_threads; i++) {
        const struct engine_thread *const thread = &result->threads[i];
        const bool is_first = thread->process == 1 && thread->thread == 1;
        const uint64_t end =
            thread->signals[ARMPMU_SIGNAL_CPU_CYCLES] + (is_first ? 0 : result->others_start);
        intervals->end = end > intervals->end ? end : intervals->end;
    }
}

static void subtract(struct stat_intervals *intervals, const uint64_t *now, uint64_t *counts)
{
    for (size_t i = 0; i < ARMPMU_SIGNAL_COUNT; i++)
        counts[i] = now[i] - intervals->before[i];
    memcpy(intervals->before, now, sizeof intervals->before);
}

/* Every thread has a clock of its own. Intervals of cycles end at the same time on each; for
 * intervals of instructions the time is that of all cores together. */
uint64_t stat_intervals_next(struct stat_intervals *intervals, uint64_t number, const uint64_t *now,
                             uint64_t *counts)
{
    subtract(intervals, now, counts);
    return intervals->length > 0 ? number * intervals->length : now[ARMPMU_SIGNAL_CPU_CYCLES];
}

uint64_t stat_intervals_last(struct stat_intervals *intervals, const struct engine_result *result,
                             uint64_t *counts)
{
    if (memcmp(result->signals, intervals->before, sizeof intervals->before) == 0)
        return 0;
    subtract(intervals, result->signals, counts);
    return intervals->length > 0 ? intervals->end : result->signals[ARMPMU_SIGNAL_CPU_CYCLES];
}

/* A line on the terminal while a program of some seconds runs: simulated time, instructions, speed.
 */
#ifndef CLI_CMD_PROGRESS_H
#define CLI_CMD_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/machine.h"

struct progress_line {
    const struct armpmu_machine *machine;
    bool is_shown;
};

/* Whether standard error is a terminal that takes it. is_silent: nothing may be there, or something
 * else is. */
bool progress_is_wanted(bool is_silent);

/* As engine_job.on_progress: shows nothing in the first two seconds. */
void progress_show(struct progress_line *progress, double seconds, uint64_t cycles, uint64_t insns);

/* Takes the line away. */
void progress_end(struct progress_line *progress);

#endif

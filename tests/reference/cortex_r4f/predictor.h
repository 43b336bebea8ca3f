/* A slow reference for the branch prediction of the Cortex-R4F: it keeps complete histories, every
 * outcome of every loop and every call since the start, and shares no code with the model. */
#ifndef TESTS_REFERENCE_CORTEX_R4F_PREDICTOR_H
#define TESTS_REFERENCE_CORTEX_R4F_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"
#include "cores/cortex_r4f/predictor.h" /* what a branch is, and how it went */

enum { SLOW_BRANCHES = 8000, SLOW_COUNTERS = 4096 };

struct slow_outcome {
    uint64_t pc;
    bool taken;
};

struct slow_predictor {
    const struct armpmu_machine *machine;
    struct slow_outcome conditional[SLOW_BRANCHES]; /* all conditional branches so far */
    unsigned n;
    struct slow_outcome backward[SLOW_BRANCHES]; /* those that lead backward */
    unsigned n_backward;
    int counters[SLOW_COUNTERS];
    uint64_t calls[64]; /* return addresses, the oldest first */
    unsigned n_calls;
};

/* The machine is borrowed. Also: forgets everything. */
void slow_predictor_init(struct slow_predictor *slow, const struct armpmu_machine *machine);

enum r4f_flow slow_predictor_branch(struct slow_predictor *slow, const struct r4f_branch *branch);

#endif

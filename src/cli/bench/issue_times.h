/* The cycles in which the instructions of a block issue, and what the late ones wait for. */
#ifndef CLI_BENCH_ISSUE_TIMES_H
#define CLI_BENCH_ISSUE_TIMES_H

#include <stdbool.h>

#include "cli/bench/steady_block.h"

struct issue_time {
    double cycle;   /* its first, from that of the block's first instruction */
    double cycles;  /* of an out-of-order core: from the retirement of the one before to its */
    double steps;   /* cycles after its first in which it still issues */
    bool is_second; /* of a pair */
    int producer; /* instruction of the block that it waits for, -1 for none; if later in the block:
                     the previous execution's */
    uint64_t registers; /* that it waits for, as in struct insn */
};

/* Fills in a time for each instruction of the block. in_order: of an in-order core. Returns the
 * cycles of an execution: of a loop from one to the next, else up to the last issue. */
double issue_times(const struct armpmu_machine *machine, const struct function_code *code,
                   const struct steady_block *block, struct issue_time *times);

/* Returns whether instructions of the machine's core issue in order. */
bool issue_times_are_in_order(const struct armpmu_machine *machine);

/* How often an instruction of the block counts a signal in an execution. */
double issue_times_count(const struct steady_block *block, unsigned insn,
                         enum armpmu_signal signal);

#endif

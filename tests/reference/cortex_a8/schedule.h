/* A slow reference for the issue schedule, which simulates the pipeline clock by clock. */
#ifndef TESTS_REFERENCE_CORTEX_A8_SCHEDULE_H
#define TESTS_REFERENCE_CORTEX_A8_SCHEDULE_H

#include "machine/machine.h"
#include "isa/insn.h"

struct clocked_result {
    unsigned cycles, issued, operations, pairs;
    bool open; /* the last cycle has its younger slot free */
};

/* Runs a program from the idle pipeline. n is at most PROGRAM_MAX. */
struct clocked_result clocked_run(const struct armpmu_machine *machine, const struct insn *insns,
                                  unsigned n);

#endif

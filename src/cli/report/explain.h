/* The schedule of a block, for people and as JSON. */
#ifndef CLI_REPORT_EXPLAIN_H
#define CLI_REPORT_EXPLAIN_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/explain/issue_times.h"

struct explanation {
    const struct armpmu_machine *machine;
    const struct function_code *code;
    const struct steady_block *block;
    const struct issue_time *times; /* one for each instruction of the block */
    double cycles;                  /* of an execution */
    struct capstone *capstone;
    bool color;
};

void explain_print(const struct explanation *e, FILE *out);

/* Prints an object of an array. False without memory. */
bool explain_print_json(const struct explanation *e, bool is_first, FILE *out);

#endif

/* The schedule of a block, for people and as rows. */
#ifndef CLI_BENCH_EXPLAIN_REPORT_H
#define CLI_BENCH_EXPLAIN_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/bench/issue_times.h"
#include "cli/table/table.h"

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

/* JSON has an object for each block, with its instructions in it; other formats have a line for
 * each instruction. */
extern const struct table_form explain_form;
void explain_put(struct report_table *table, const struct explanation *e);

#endif

/* The output of armpmu check. */
#ifndef CLI_BENCH_CHECK_REPORT_H
#define CLI_BENCH_CHECK_REPORT_H

#include <stdio.h>

#include "cli/bench/check_comparison.h"
#include "cli/table/table.h"

struct check_report {
    FILE *out;
    const struct armpmu_core *core;
    const struct check_comparisons *comparisons;
    const struct check_set *set;
    const bool *done; /* of each run of the set */
    const uint64_t (*signals)[ARMPMU_SIGNAL_COUNT];
    size_t n_runs;
    bool interrupted, color;
    const char *left_out; /* why no firmware was run; NULL if it was */
};

void check_print_text(const struct check_report *report);
/* Prints the evidence of each event, the sentences that the programs show, and the cycles of each
 * kernel. */
void check_print_page(const struct check_report *report);
/* A row for each event, in any format but text. Returns what table_end does. */
ARMPMU_MUST_USE enum armpmu_status check_print_rows(const struct check_report *report,
                                                    const struct table_options *options,
                                                    struct armpmu_error *err);

#endif

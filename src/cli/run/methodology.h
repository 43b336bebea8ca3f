/* Arm's top-down methodology: the bottleneck of a run, and the metrics that explain it. */
#ifndef CLI_RUN_METHODOLOGY_H
#define CLI_RUN_METHODOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/run/report.h"

#define METHODOLOGY_ROWS_MAX 40

struct methodology_row {
    const struct armpmu_metric *metric;
    double value;
    const char *group; /* of the second stage, which the highest of the first leads to; else NULL */
    bool is_highest;   /* of the first stage */
};

/* True when the core has one. */
bool methodology_of(const struct armpmu_core *core);

/* Fills in the metrics of the first stage, then group by group those that the highest leads to; one
 * without a value is left out. Returns how many; none where the report has no methodology. */
size_t methodology_rows(const struct report *report, const struct report_section *section,
                        struct methodology_row rows[METHODOLOGY_ROWS_MAX]);

/* Prints them for people, and an empty line. */
void methodology_print(const struct report *report, const struct report_section *section,
                       FILE *stream);

#endif

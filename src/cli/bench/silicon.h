/* `armpmu calibrate --compare`: a board's counts of a program beside the model's. */
#ifndef CLI_BENCH_SILICON_H
#define CLI_BENCH_SILICON_H

#include "cli/bench/perf_counts.h"
#include "cli/run/session.h"
#include "cli/table/table.h"

/* All but the table is borrowed from argv. */
struct silicon_options {
    bool is_asked_for;
    const char *file; /* what perf printed; NULL: run perf */
    struct option_list events;
    struct run_options run;
};

struct silicon_row {
    const struct perf_count *silicon;
    const struct armpmu_event *event; /* NULL: the machine does not have it: */
    char *why;
    uint64_t model;
};

struct silicon_report {
    const struct session *run;
    const struct perf_counts *counts;
    const struct silicon_row *rows; /* one for each of the counts */
    const char *early;              /* NULL; else how the program ended before its end */
};

/* Prints the report. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status silicon_print(const struct silicon_report *report,
                                                 const struct table_options *how, FILE *stream,
                                                 struct armpmu_error *err);

/* Counts the program on both sides and prints the report. Returns the exit status of the process:
 * the program's, or that of an error, which err says. */
int silicon_compare(struct silicon_options *options, const struct table_options *how,
                    char *const *program, FILE *out, struct armpmu_error *err);

#endif

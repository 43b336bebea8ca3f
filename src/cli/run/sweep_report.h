/* The report of `armpmu sweep`: a line for each machine, and a plot. */
#ifndef CLI_RUN_SWEEP_REPORT_H
#define CLI_RUN_SWEEP_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include "armpmu/catalog.h"
#include "cli/event_list.h"
#include "cli/metric_list.h"
#include "cli/options.h"
#include "cli/table/table.h"
#include "cli/run/sweep_machines.h"

/* All pointers are borrowed. */
struct sweep_report {
    const struct sweep_machines *machines;
    const struct event_list *events;               /* of each machine, equally many */
    const struct metric_choice *metrics;           /* of each machine, the same names */
    const uint64_t *first;                         /* the first machine's signals */
    const uint64_t (*others)[ARMPMU_SIGNAL_COUNT]; /* those of the others */
    const char *const *argv;
    const char *identity; /* NULL: without comments in CSV */
    const char *early;    /* why the counts are not of the whole run; NULL: they are */
};

/* Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status sweep_print(const struct sweep_report *report,
                                               const struct table_options *options, FILE *stream,
                                               struct armpmu_error *err);

/* Texts of a table row by row, the names of its columns first. */
struct sweep_results {
    char **cells;
    size_t n, n_columns;
};

/* Prints them: a column of numbers alone is one of numbers. Returns ARMPMU_OK or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status sweep_print_results(const struct sweep_results *results,
                                                       const struct table_options *options,
                                                       FILE *stream, struct armpmu_error *err);

/* The identity of a sweep, all that counts depend on besides the program, a line each: the machines
 * with hashes of all their settings, and variables of fixed surroundings, "NAME=VALUE". The caller
 * frees it; NULL without memory. */
char *sweep_identity(const struct sweep_machines *machines, const struct option_list *variables,
                     const char *qemu, const char *sysroot);

/* The count of an event on a machine. */
uint64_t sweep_count(const struct sweep_report *report, size_t machine, size_t event);

/* A picture for each event: its counts over the last axis, a curve for each combination of the
 * others; or a page. file: its name says which. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status sweep_plot(const struct sweep_report *report, const char *file,
                                              FILE *stream, struct armpmu_error *err);

#endif

/* The options of `armpmu stat`. */
#ifndef CLI_RUN_STAT_OPTIONS_H
#define CLI_RUN_STAT_OPTIONS_H

#include <stdbool.h>

#include "armpmu/status.h"
#include "cli/event_list.h"
#include "cli/options.h"
#include "cli/run/baseline.h"
#include "cli/run/report.h"
#include "cli/run/session.h"

/* How a report is printed. */
struct print_options {
    const struct report_printer *printer; /* NULL: the default */
    char format_option[24];               /* which option chose it */
    const char *argument;                 /* its value, NULL */
    bool append, big_numbers;
    const char *output; /* a file; NULL: standard error */
    enum option_color color;
};

/* Strings are borrowed from argv. */
struct stat_options {
    struct option_list events;  /* the -e lists */
    struct option_list metrics; /* the -M lists */
    unsigned detail;            /* how often -d */
    bool no_events;             /* -n */
    struct run_options run;
    enum count_mode mode;
    unsigned runs, layouts; /* layouts: 0 without; else runs is as many */
    struct baseline_options baseline;
    bool topdown, methodology;
    bool per_thread, per_process, hot_spot, quiet, verbose;
    bool all_cpus; /* changes nothing */
    struct print_options print;
    bool checks_only;  /* of a replay: nothing is counted or written... */
    bool force;        /* ...a trace of another user... */
    const char *slice; /* ...the part of it that is counted, NULL */
    bool gathers;      /* ...what was counted of its parts */
};

/* stat_count_rows: those that a replay has, too. */
extern const struct option_row stat_rows[], stat_count_rows[], print_rows[];
extern const struct stat_options stat_defaults;

/* Refuses options that do not go together. Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
ARMPMU_MUST_USE enum armpmu_status stat_options_check(const struct stat_options *options,
                                                      struct armpmu_error *err);

/* Counts a program, or a trace of it that is not NULL. command: the one that it is for. Returns the
 * exit status of the command; where it is one of armpmu's own, err says why. */
int stat_run(const char *command, struct stat_options *options, char *const *program,
             struct trace_file *trace, struct armpmu_error *err);

/* A report as the options say, of an open session; without its subject and events. */
struct report stat_options_report(const struct stat_options *options, const struct session *run);

#endif

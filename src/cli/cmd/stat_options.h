/* The options of `armpmu stat`. */
#ifndef CLI_CMD_STAT_OPTIONS_H
#define CLI_CMD_STAT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "cli/event_list.h"
#include "cli/machine_choice.h"
#include "cli/options.h"
#include "cli/cmd/baseline.h"
#include "cli/cmd/firmware_options.h"
#include "cli/cmd/interval.h"
#include "cli/cmd/region.h"
#include "cli/cmd/stable_options.h"
#include "cli/report/report.h"

/* How a report is printed. */
struct print_options {
    const struct report_printer *printer; /* NULL: the default */
    char format_option[20];               /* which option chose it */
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
    const char *machine, *sysroot, *qemu;
    struct machine_settings settings;
    bool keep_running;
    enum count_mode mode;
    unsigned runs, layouts; /* layouts: 0 without; else runs is as many */
    struct interval_choice interval;
    struct region_options region;
    struct stable_options stable;
    struct baseline_options baseline;
    bool topdown, methodology;
    bool per_thread, per_process, no_inherit, hot_spot, quiet, verbose;
    bool all_cpus; /* changes nothing */
    enum engine_choice engine;
    struct print_options print;
    struct firmware_options firmware;
    bool has_firmware;           /* one of these was given */
    char *const *program;        /* the program and its arguments, NULL-terminated */
    uint64_t from_insn, to_insn; /* of a replay, as struct engine_job has them */
    bool force;                  /* of a replay: a trace of another user */
};

/* stat_count_rows: those that a replay has, too. */
extern const struct option_row stat_rows[], stat_count_rows[], print_rows[];
extern const struct stat_options stat_defaults;

/* Refuses options that do not go together. Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
ARMPMU_MUST_USE enum armpmu_status stat_options_check(const struct stat_options *options,
                                                      struct armpmu_error *err);

/* Counts a recorded trace instead of a program. Returns the exit status of the command; where that
 * is not 0, err says why. */
struct trace_file;
int stat_replay(struct stat_options *options, struct trace_file *trace, struct armpmu_error *err);

/* What the options say about the report. */
const struct report_printer *print_options_printer(const struct print_options *options);
bool print_options_color(const struct print_options *options);

#endif

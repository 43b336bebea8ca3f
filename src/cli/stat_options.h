/* The options of `armpmu stat`. */
#ifndef CLI_STAT_OPTIONS_H
#define CLI_STAT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "cli/event_list.h"

enum stat_format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };
enum stat_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* The clock of -I. */
enum stat_interval {
    INTERVAL_NONE,
    INTERVAL_MILLISECONDS, /* of simulated time */
    INTERVAL_CYCLES,
    INTERVAL_INSTRUCTIONS,
};

/* Strings are borrowed from argv. */
struct stat_options {
    const char **events; /* the -e lists, n_events of them; freed by stat_options_free */
    size_t n_events;
    unsigned detail; /* how often -d */
    bool no_events;  /* -n */
    const char *machine, *sysroot, *qemu;
    const char *output;
    bool append;
    enum stat_format format;
    const char *separator;
    enum stat_color color;
    enum count_mode mode;
    unsigned runs;
    enum stat_interval interval;
    double period; /* in the interval's unit, > 0 */
    bool per_thread;
    bool big_numbers;
    bool help;
    char *const *program; /* the program and its arguments, NULL-terminated */
};

/* Reads argv of the command. Returns ARMPMU_OK, ARMPMU_BAD_CONFIG or ARMPMU_NO_MEMORY; free the
 * options in any case. */
ARMPMU_MUST_USE enum armpmu_status stat_options_parse(struct stat_options *options, int argc,
                                                      char **argv, struct armpmu_error *err);

void stat_options_free(struct stat_options *options);

/* What --help prints. */
extern const char stat_usage[];

#endif

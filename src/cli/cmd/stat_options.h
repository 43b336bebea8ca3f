/* The options of `armpmu stat`. */
#ifndef CLI_CMD_STAT_OPTIONS_H
#define CLI_CMD_STAT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "cli/event_list.h"
#include "cli/cmd/firmware_options.h"
#include "cli/report/report.h"

enum stat_format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };
enum stat_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* The clock of -I. */
enum stat_interval {
    INTERVAL_NONE,
    INTERVAL_MILLISECONDS, /* of simulated time */
    INTERVAL_CYCLES,
    INTERVAL_INSTRUCTIONS,
};

/* What runs the program; AUTO: the file says. */
enum stat_engine { ENGINE_AUTO, ENGINE_QEMU, ENGINE_UNICORN };

/* Options without a letter. */
enum stat_option {
    OPTION_MODE = 256,
    OPTION_PER_THREAD,
    OPTION_MACHINE,
    OPTION_SYSROOT,
    OPTION_QEMU,
    OPTION_KEEP_RUNNING,
    OPTION_APPEND,
    OPTION_NO_BIG_NUM,
    OPTION_COLOR,
    OPTION_ENGINE,
    OPTIONS_OF_STAT /* the first number for others' */
};

/* Strings are borrowed from argv. */
struct stat_options {
    const char **events; /* the -e lists, n_events of them; freed by stat_options_free */
    size_t n_events;
    unsigned detail; /* how often -d */
    bool no_events;  /* -n */
    const char *machine, *sysroot, *qemu;
    bool keep_running;
    const char *output;
    bool append;
    enum stat_format format; /* the last one asked for */
    bool csv, json;          /* asked for */
    const char *separator;
    enum stat_color color;
    enum count_mode mode;
    unsigned runs;
    enum stat_interval interval;
    double period; /* in the interval's unit, > 0 */
    bool per_thread;
    bool big_numbers;
    bool help;
    enum stat_engine engine;
    struct firmware_options firmware;
    char *const *program; /* the program and its arguments, NULL-terminated */
};

/* Reads argv of the command. Returns ARMPMU_OK, ARMPMU_BAD_CONFIG or ARMPMU_NO_MEMORY; free the
 * options in any case. */
ARMPMU_MUST_USE enum armpmu_status stat_options_parse(struct stat_options *options, int argc,
                                                      char **argv, struct armpmu_error *err);

/* Takes one option, a letter or enum stat_option, for a command that has some of them. Returns as
 * stat_options_parse. */
ARMPMU_MUST_USE enum armpmu_status stat_options_set(struct stat_options *options, int option,
                                                    const char *value, struct armpmu_error *err);

/* Refuses options that do not go together. Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
ARMPMU_MUST_USE enum armpmu_status stat_options_check(const struct stat_options *options,
                                                      struct armpmu_error *err);

void stat_options_free(struct stat_options *options);

/* What the options say about the report. */
const struct report_printer *stat_options_printer(const struct stat_options *options);
bool stat_options_color(const struct stat_options *options);

/* What --help prints. */
extern const char stat_usage[];

#endif

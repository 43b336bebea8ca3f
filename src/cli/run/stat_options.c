#include "cli/run/stat_options.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

/* ---- formats ---- */

static enum armpmu_status choose(struct print_options *o, const struct report_printer *printer,
                                 const char *option, const char *value, struct armpmu_error *err)
{
    if (o->printer != NULL && o->printer != printer)
        return fail(err, ARMPMU_BAD_CONFIG, "%s and %s are two formats; choose one",
                    o->format_option, option);
    o->printer = printer;
    snprintf(o->format_option, sizeof o->format_option, "%s", option);
    return printer->take != NULL ? printer->take(option, value, &o->argument, err) : ARMPMU_OK;
}

#define FORMAT(name, letter, option, metavar, is_optional, help, other_name)                       \
    static enum armpmu_status choose_##name(void *o, const char *as, const char *value,            \
                                            struct armpmu_error *err)                              \
    {                                                                                              \
        return choose(o, &print_##name, as, value, err);                                           \
    }
#define WORD_FORMAT(name)
#include "cli/run/stat_formats.def"
#undef FORMAT
#undef WORD_FORMAT

/* The formats of --format, and their words. */
static const struct report_printer *const printers[] = {
#define FORMAT(name, letter, option, metavar, is_optional, help, other_name) &print_##name,
#define WORD_FORMAT(name)                                                    &print_##name,
#include "cli/run/stat_formats.def"
#undef FORMAT
#undef WORD_FORMAT
};
static const char *const printer_words[] = {
#define FORMAT(name, letter, option, metavar, is_optional, help, other_name) #name,
#define WORD_FORMAT(name)                                                    #name,
#include "cli/run/stat_formats.def"
#undef FORMAT
#undef WORD_FORMAT
    NULL};

/* A separator or version that -x or -j has named before stays. */
static enum armpmu_status set_format(void *options, const char *as, const char *value,
                                     struct armpmu_error *err)
{
    const struct print_options *const o = options;
    char words[80], chosen[24];

    snprintf(chosen, sizeof chosen, "%s %s", as, value);
    for (size_t i = 0; printer_words[i] != NULL; i++)
        if (strcmp(value, printer_words[i]) == 0)
            return choose(options, printers[i], chosen,
                          o->printer == printers[i]   ? o->argument
                          : printers[i] == &print_csv ? ","
                                                      : NULL,
                          err);
    option_choices(printer_words, words, sizeof words);
    return fail(err, ARMPMU_BAD_CONFIG, "%s '%.40s': there are %s", as, value, words);
}

/* ---- the tables ---- */

const struct option_row print_rows[] = {
    {.help = "Output", .kind = OPTION_HEADING},
    {0, "format", "FORMAT", "text, csv (as -x,), json (as -j) or md: a table in Markdown",
     .kind = OPTION_CALL, .set = set_format, .words = printer_words},
#define FORMAT(id, letter, option, metavar, is_optional, help, other)                              \
    {letter,                                                                                       \
     option,                                                                                       \
     metavar,                                                                                      \
     help,                                                                                         \
     .kind = OPTION_CALL,                                                                          \
     .set = choose_##id,                                                                           \
     .other_name = other,                                                                          \
     .optional = is_optional},
#define WORD_FORMAT(name)
#include "cli/run/stat_formats.def"
#undef FORMAT
#undef WORD_FORMAT
    {'o', "output", "FILE", "write the report to a file",
     OPTION_TEXT_TO(struct print_options, output), .completes = COMPLETE_FILE},
    {0, "append", NULL, "add to the file", OPTION_FLAG_TO(struct print_options, append)},
    {'B', "big-num", NULL, "print thousands separators (default), or not",
     OPTION_FLAG_TO(struct print_options, big_numbers), .negated = true},
    OPTION_COLOR_ROW(struct print_options, color),
    {.kind = OPTION_END},
};

static const char *const modes[] = {[MODE_ALL] = "all", [MODE_HW] = "hw", NULL};

const struct option_row stat_count_rows[] = {
    {.help = "What to count", .kind = OPTION_HEADING},
    {'e', "event", "LIST",
     "events, separated by ',': names, r08, 0x08, PMU/event=0x08/, globs, groups {a,b}, all; "
     "'armpmu list' lists them",
     OPTION_LIST_TO(struct stat_options, events), .completes = COMPLETE_EVENTS},
    {'M', "metrics", "LIST",
     "metrics, separated by ',': names, globs, groups such as cache, all, and the events they are "
     "made of; 'armpmu list metric' shows them",
     OPTION_LIST_TO(struct stat_options, metrics)},
    {'d', "detailed", NULL, "more events; -d -d: all",
     OPTION_COUNT_TO(struct stat_options, detail)},
    {0, "topdown", NULL, "where the cycles went: a tree of causes; events only with -e or -d",
     OPTION_FLAG_TO(struct stat_options, topdown)},
    {0, "methodology", NULL,
     "what limits the run, by Arm's top-down methodology, and the metrics that explain it; events "
     "only with -e or -d",
     OPTION_FLAG_TO(struct stat_options, methodology)},
    {'n', "null", NULL, "count nothing: only run the program",
     OPTION_FLAG_TO(struct stat_options, no_events)},
    {0, "mode", "all|hw",
     "all: every event at once, 64 bits (default)\n"
     "hw: the hardware's counters, and the true counts",
     OPTION_CHOICE_TO(struct stat_options, mode, modes)},
    {0, "per-thread", NULL, "a table for each thread of the program",
     OPTION_FLAG_TO(struct stat_options, per_thread)},
    {0, "per-process", NULL, "a table for each process and each executed program",
     OPTION_FLAG_TO(struct stat_options, per_process)},
    {'I', "interval", "SPEC",
     "counts for every N simulated milliseconds (N), cycles (Nc) or instructions (Ni)",
     OPTION_CALL_TO(struct stat_options, run.interval, interval_set),
     .other_name = "interval-print"},
    {.kind = OPTION_END},
};

const struct option_row stat_rows[] = {
    {.kind = OPTION_ROWS, .rows = stat_count_rows},
    NO_INHERIT_ROW(struct stat_options, run),
    {0, "hot-spot", NULL,
     "print the function with most cycles at the end (default), or not; needs a profile",
     OPTION_FLAG_TO(struct stat_options, hot_spot), .negated = true},
    REGION_ROWS_TO(struct stat_options, run.region),
    {0, "regions", NULL,
     "count each region that the program marks (armpmu/mark.h) separately, in one run",
     OPTION_FLAG_TO(struct stat_options, run.region.all_marks)},
    {'a', "all-cpus", NULL, "no effect: only the program runs on the modelled processors",
     OPTION_FLAG_TO(struct stat_options, all_cpus)},
    {'v', "verbose", NULL,
     "before the report, print a line for each event as in perf: its count and, twice, the counted "
     "time in nanoseconds",
     OPTION_FLAG_TO(struct stat_options, verbose)},
    {'q', "quiet", NULL,
     "print no report; the file of -o is written, and --baseline still names what rose",
     OPTION_FLAG_TO(struct stat_options, quiet)},
    {'r', "repeat", "N", "run N times, and print mean and deviation",
     OPTION_NUMBER_TO(struct stat_options, runs), .least = 1, .most = 1000000,
     .expects = "a number of runs from 1 to 1000000"},
    {0, "layouts", "N",
     "run N times with different page maps and code offsets of 0 to 8 instructions, and print the "
     "median and half the range",
     OPTION_NUMBER_TO(struct stat_options, layouts), .least = 1, .most = 1000,
     .expects = "a number of layouts from 1 to 1000"},
    BASELINE_ROWS_TO(struct stat_options, baseline),
    RUN_TARGET_ROWS_TO(struct stat_options, run),
    {OPTION_ROWS_TO(struct stat_options, print, print_rows)},
    {.kind = OPTION_END},
};

const struct stat_options stat_defaults = {
    .runs = 1, .hot_spot = true, .print = {.big_numbers = true}, .run.firmware = FIRMWARE_DEFAULTS};

enum armpmu_status stat_options_check(const struct stat_options *o, struct armpmu_error *err)
{
    const struct {
        bool clash;
        const char *sentence;
    } rules[] = {
        {o->no_events && (o->events.n > 0 || o->detail > 0 || o->metrics.n > 0),
         "-n counts nothing, -e, -M and -d name events; choose one"},
        {o->metrics.n > 0 && o->mode == MODE_HW,
         "-M and --mode hw exclude each other: a metric may need more events than there are "
         "counters; name them with -e"},
        {o->layouts > 0 && o->runs > 1,
         "--layouts runs the program that often itself; leave out -r"},
        {o->layouts > 0 &&
             (o->run.interval.unit != INTERVAL_NONE || o->per_thread || o->per_process ||
              o->topdown || o->methodology || o->mode == MODE_HW || o->run.region.rois.n > 0),
         "--layouts has medians of totals; leave out -I, --per-thread, --per-process, --topdown, "
         "--methodology, --mode hw and --roi"},
        {o->run.interval.unit != INTERVAL_NONE && o->runs > 1,
         "-I and -r exclude each other: intervals are of one run; leave one out"},
        {o->run.interval.unit != INTERVAL_NONE && o->per_thread,
         "-I and --per-thread exclude each other: intervals are sums over the threads; leave one "
         "out"},
        {o->run.interval.unit != INTERVAL_NONE && o->mode == MODE_HW,
         "-I and --mode hw exclude each other: counters are read once, at the end; leave one out"},
        {o->per_thread && o->per_process,
         "--per-thread and --per-process are two tables; choose one"},
        {o->run.interval.unit != INTERVAL_NONE && o->per_process,
         "-I and --per-process exclude each other: intervals are sums over the processes; leave "
         "one out"},
        {o->run.region.all_marks && (o->runs > 1 || o->layouts > 0 || o->per_thread ||
                                     o->per_process || o->mode == MODE_HW),
         "--regions has a table for each region of one run; leave out -r, --layouts, --per-thread, "
         "--per-process and --mode hw"},
        {o->per_process && o->runs > 1,
         "--per-process and -r exclude each other: processes are of one run; leave one out"},
        {o->per_thread && o->runs > 1,
         "--per-thread and -r exclude each other: threads are of one run; leave one out"},
        {o->baseline.file != NULL &&
             (o->run.interval.unit != INTERVAL_NONE || o->per_thread || o->per_process),
         "--baseline compares totals; leave out -I, --per-thread and --per-process"},
        {o->baseline.file != NULL && (o->no_events || o->mode == MODE_HW),
         "--baseline compares true counts; leave out -n and --mode hw"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].clash)
            return fail(err, ARMPMU_BAD_CONFIG, "%s", rules[i].sentence);
    }
    return ARMPMU_OK;
}

static bool wants_color(const struct print_options *o)
{
    const bool hidden = o->output != NULL && o->color == OPTION_COLOR_AUTO;
    return !hidden && option_wants_color(o->color, STDERR_FILENO);
}

struct report stat_options_report(const struct stat_options *o, const struct session *run)
{
    return (struct report){
        .printer = o->print.printer != NULL ? o->print.printer : printers[0],
        .machine = run->machine,
        .result = &run->result,
        .machine_choice = machine_choice_name(o->run.machine),
        .argv = (const char *const *)run->program,
        .mode = o->mode,
        .runs = o->runs,
        .has_medians = o->layouts > 0,
        .per_thread = o->per_thread,
        .per_process = o->per_process,
        .per_region = o->run.region.all_marks,
        .topdown = o->topdown,
        .methodology = o->methodology,
        .intervals = o->run.interval.unit != INTERVAL_NONE,
        .big_numbers = o->print.big_numbers,
        .color = wants_color(&o->print),
        .in_file = o->print.output != NULL,
        .argument = o->print.argument,
    };
}

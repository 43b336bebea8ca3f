#include "cli/cmd/stat_options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

/* "100", "0.5": milliseconds; "100000c": cycles; "50000i": instructions. */
enum armpmu_status stat_set_interval(void *options, const char *option, const char *word,
                                     struct armpmu_error *err)
{
    struct stat_options *const o = options;
    size_t digits = strspn(word, "0123456789"), number = digits;
    if (word[digits] == '.')
        number = digits + 1 + strspn(word + digits + 1, "0123456789");
    const char *unit = word + number;

    if (*unit == '\0')
        o->interval = INTERVAL_MILLISECONDS;
    else if (strcmp(unit, "c") == 0)
        o->interval = INTERVAL_CYCLES;
    else if (strcmp(unit, "i") == 0)
        o->interval = INTERVAL_INSTRUCTIONS;
    else
        number = 0;
    bool whole = number == digits || o->interval == INTERVAL_MILLISECONDS;
    o->period = strtod(word, NULL);
    if (digits == 0 || number == 0 || !whole || number > 18 || o->period <= 0)
        return fail(
            err, ARMPMU_BAD_CONFIG,
            "%s '%.40s': a length above 0 like 10 (simulated milliseconds), 100000c (cycles) "
            "or 50000i (instructions)",
            option, word);
    return ARMPMU_OK;
}

static enum armpmu_status set_separator(void *member, const char *option, const char *word,
                                        struct armpmu_error *err)
{
    if (*word == '\0' || strpbrk(word, "\"\r\n") != NULL)
        return fail(
            err, ARMPMU_BAD_CONFIG,
            "%s: the separator is empty or has a quote or a line end in it; use one like ','",
            option);
    *(const char **)member = strcmp(word, "\\t") == 0 ? "\t" : word;
    return ARMPMU_OK;
}

/* ---- the tables ---- */

const struct option_row print_rows[] = {
    {.help = "How to print", .kind = OPTION_HEADING},
    {'x', "field-separator", "SEP", "separated values, perf's columns first",
     OPTION_CALL_TO(struct print_options, separator, set_separator)},
    {'j', "json", NULL, "one JSON object a line, perf's keys first",
     OPTION_FLAG_TO(struct print_options, json), .other_name = "json-output"},
    {'o', "output", "FILE", "report to a file", OPTION_TEXT_TO(struct print_options, output),
     .completes = COMPLETE_FILE},
    {0, "append", NULL, "add to the file", OPTION_FLAG_TO(struct print_options, append)},
    {'B', "big-num", NULL, "thousands separators (default), or none",
     OPTION_FLAG_TO(struct print_options, big_numbers), .negated = true},
    OPTION_COLOR_ROW(struct print_options, color),
    {.kind = OPTION_END},
};

static const char *const modes[] = {[MODE_ALL] = "all", [MODE_HW] = "hw", NULL};
static const char *const engines[] = {
    [ENGINE_AUTO] = "auto", [ENGINE_QEMU] = "qemu", [ENGINE_UNICORN] = "unicorn", NULL};

const struct option_row stat_rows[] = {
    {.help = "What to count", .kind = OPTION_HEADING},
    {'e', "event", "LIST",
     "events, separated by ',': names, r08, 0x08, PMU/event=0x08/, globs, groups {a,b}, all; "
     "'armpmu list' shows the names",
     OPTION_LIST_TO(struct stat_options, events), .completes = COMPLETE_EVENTS},
    {'d', "detailed", NULL, "more events; -d -d: all",
     OPTION_COUNT_TO(struct stat_options, detail)},
    {'n', "null", NULL, "no events: only run", OPTION_FLAG_TO(struct stat_options, no_events)},
    {0, "mode", "all|hw",
     "all: every event at once, 64 bits (default)\n"
     "hw: the counters the hardware has, beside the true counts",
     OPTION_CHOICE_TO(struct stat_options, mode, modes)},
    {0, "per-thread", NULL, "a table for each thread of the program",
     OPTION_FLAG_TO(struct stat_options, per_thread)},
    {'I', "interval", "SPEC",
     "counts for every N simulated milliseconds (N), cycles (Nc) or instructions (Ni)",
     .kind = OPTION_CALL, .set = stat_set_interval, .other_name = "interval-print"},
    {'r', "repeat", "N", "run N times: mean and deviation",
     OPTION_NUMBER_TO(struct stat_options, runs), .least = 1, .most = 1000000,
     .expects = "a number of runs from 1 to 1000000"},
    {.help = "On what", .kind = OPTION_HEADING},
    OPTION_MACHINE_ROW(struct stat_options, machine),
    {0, "sysroot", "DIR", "where dynamic programs find their libraries",
     OPTION_TEXT_TO(struct stat_options, sysroot), .completes = COMPLETE_FOLDER},
    {0, "qemu", "FILE", "the qemu-arm to use", OPTION_TEXT_TO(struct stat_options, qemu),
     .completes = COMPLETE_FILE},
    {0, "keep-running", NULL,
     "if armpmu is killed (kill -9), let the program run on, uncounted; else it ends with armpmu",
     OPTION_FLAG_TO(struct stat_options, keep_running)},
    {0, "engine", "NAME",
     "qemu for Linux programs, unicorn for firmware; auto (default): as the file says; 'armpmu "
     "help run' lists the options of firmware; they may stand here, too",
     OPTION_CHOICE_TO(struct stat_options, engine, engines)},
    {OPTION_ROWS_TO(struct stat_options, firmware, firmware_rows), .listed_by = "run",
     .given = offsetof(struct stat_options, has_firmware)},
    {OPTION_ROWS_TO(struct stat_options, print, print_rows)},
    {.kind = OPTION_END},
};

const struct stat_options stat_defaults = {
    .runs = 1, .print = {.big_numbers = true}, .firmware = FIRMWARE_DEFAULTS};

enum armpmu_status stat_options_check(const struct stat_options *o, struct armpmu_error *err)
{
    const struct {
        bool clash;
        const char *sentence;
    } rules[] = {
        {o->print.separator != NULL && o->print.json, "-x and -j are two formats; choose one"},
        {o->no_events && (o->events.n > 0 || o->detail > 0),
         "-n counts nothing, -e and -d name events; choose one"},
        {o->print.append && o->print.output == NULL, "--append adds to a file; name it with -o"},
        {o->interval != INTERVAL_NONE && o->runs > 1,
         "-I and -r do not go together: intervals are of one run; leave one out"},
        {o->interval != INTERVAL_NONE && o->per_thread,
         "-I and --per-thread do not go together: intervals are sums over the threads; leave one "
         "out"},
        {o->interval != INTERVAL_NONE && o->mode == MODE_HW,
         "-I and --mode hw do not go together: counters are read once, at the end; leave one out"},
        {o->per_thread && o->runs > 1,
         "--per-thread and -r do not go together: threads are of one run; leave one out"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].clash)
            return fail(err, ARMPMU_BAD_CONFIG, "%s", rules[i].sentence);
    }
    return ARMPMU_OK;
}

const struct report_printer *print_options_printer(const struct print_options *o)
{
    if (o->json)
        return &print_json;
    return o->separator != NULL ? &print_csv : &print_text;
}

bool print_options_color(const struct print_options *o)
{
    const bool hidden = o->output != NULL && o->color == OPTION_COLOR_AUTO;
    return !hidden && option_wants_color(o->color, STDERR_FILENO);
}

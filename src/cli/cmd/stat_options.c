#include "cli/cmd/stat_options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/option_grammar.h"

#define RUNS_MAX 1000000

const char stat_usage[] =
    "usage: armpmu stat [OPTIONS] [--] PROGRAM [ARGUMENTS]\n"
    "\n"
    "Runs an Arm Linux program, or firmware for the bare core, and counts what the machine's\n"
    "performance monitor would.\n"
    "The report goes to standard error; the program's output and exit status are its own.\n"
    "\n"
    "What to count\n"
    "  -e, --event LIST      events, separated by ',': names, r08, 0x08, PMU/event=0x08/, globs,\n"
    "                        groups {a,b}, all; 'armpmu list' shows the names\n"
    "  -d, --detailed        more events; -d -d: all\n"
    "  -n, --null            no events: only run\n"
    "      --mode all|hw     all: every event at once, 64 bits (default)\n"
    "                        hw: the counters the hardware has, beside the true counts\n"
    "      --per-thread      a table for each thread of the program\n"
    "  -I, --interval SPEC   counts for every N simulated milliseconds (N), cycles (Nc) or\n"
    "                        instructions (Ni)\n"
    "  -r, --repeat N        run N times: mean and deviation\n"
    "\n"
    "On what\n"
    "      --machine NAME|FILE  default $ARMPMU_MACHINE, else cortex-a8; 'armpmu list machine'\n"
    "      --sysroot DIR     where dynamic programs find their libraries\n"
    "      --qemu FILE       the qemu-arm to use\n"
    "      --keep-running    if armpmu is killed (kill -9), let the program run on, uncounted;\n"
    "                        else it ends with armpmu\n"
    "      --engine NAME     qemu for Linux programs, unicorn for firmware; auto (default): as "
    "the\n"
    "                        file says. 'armpmu help run' lists the options of firmware; they may\n"
    "                        stand here, too\n"
    "\n"
    "How to print\n"
    "  -x, --field-separator SEP  separated values, perf's columns first\n"
    "  -j, --json            one JSON object a line, perf's keys first\n"
    "  -o, --output FILE     report to a file\n"
    "      --append          add to the file\n"
    "  -B, --big-num         thousands separators (default); --no-big-num: none\n"
    "      --color WHEN      auto, always or never\n"
    "  -h, --help            this text\n"
    "\n"
    "An interrupt (Ctrl-C) ends the program, a second one armpmu; both times the counts so far "
    "are\n"
    "printed.\n"
    "\n"
    "Exit status: the program's; 128+N when signal N ended it; 125 when armpmu failed, 126 when\n"
    "the program cannot be run, 127 when it is not there.\n";

static const struct option long_options[] = {
    {"event", required_argument, NULL, 'e'},
    {"detailed", no_argument, NULL, 'd'},
    {"null", no_argument, NULL, 'n'},
    {"mode", required_argument, NULL, OPTION_MODE},
    {"per-thread", no_argument, NULL, OPTION_PER_THREAD},
    {"interval", required_argument, NULL, 'I'},
    {"interval-print", required_argument, NULL, 'I'}, /* perf's spelling */
    {"repeat", required_argument, NULL, 'r'},
    {"machine", required_argument, NULL, OPTION_MACHINE},
    {"sysroot", required_argument, NULL, OPTION_SYSROOT},
    {"qemu", required_argument, NULL, OPTION_QEMU},
    {"keep-running", no_argument, NULL, OPTION_KEEP_RUNNING},
    {"field-separator", required_argument, NULL, 'x'},
    {"json", no_argument, NULL, 'j'},
    {"json-output", no_argument, NULL, 'j'}, /* perf's spelling */
    {"output", required_argument, NULL, 'o'},
    {"append", no_argument, NULL, OPTION_APPEND},
    {"big-num", no_argument, NULL, 'B'},
    {"no-big-num", no_argument, NULL, OPTION_NO_BIG_NUM},
    {"color", required_argument, NULL, OPTION_COLOR},
    {"engine", required_argument, NULL, OPTION_ENGINE},
    FIRMWARE_LONG_OPTIONS,
    {"help", no_argument, NULL, 'h'},
    {0},
};

static enum armpmu_status add_events(struct stat_options *o, const char *list,
                                     struct armpmu_error *err)
{
    const char **events = realloc(o->events, (o->n_events + 1) * sizeof *events);
    if (events == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for the event list");
    o->events = events;
    o->events[o->n_events++] = list;
    return ARMPMU_OK;
}

static enum armpmu_status set_mode(struct stat_options *o, const char *word,
                                   struct armpmu_error *err)
{
    if (strcmp(word, "all") != 0 && strcmp(word, "hw") != 0)
        return fail(err, ARMPMU_BAD_CONFIG, "--mode '%.40s': there are all and hw", word);
    o->mode = strcmp(word, "hw") == 0 ? MODE_HW : MODE_ALL;
    return ARMPMU_OK;
}

static enum armpmu_status set_color(struct stat_options *o, const char *word,
                                    struct armpmu_error *err)
{
    static const char *const words[] = {"auto", "always", "never"};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(word, words[i]) == 0) {
            o->color = (enum stat_color)i;
            return ARMPMU_OK;
        }
    }
    return fail(err, ARMPMU_BAD_CONFIG, "--color '%.40s': there are auto, always and never", word);
}

static enum armpmu_status set_runs(struct stat_options *o, const char *word,
                                   struct armpmu_error *err)
{
    if (*word == '\0' || strlen(word) > 9 || word[strspn(word, "0123456789")] != '\0' ||
        strtoul(word, NULL, 10) < 1 || strtoul(word, NULL, 10) > RUNS_MAX)
        return fail(err, ARMPMU_BAD_CONFIG, "-r '%.40s': a number of runs from 1 to %d", word,
                    RUNS_MAX);
    o->runs = (unsigned)strtoul(word, NULL, 10);
    return ARMPMU_OK;
}

/* "100", "0.5": milliseconds; "100000c": cycles; "50000i": instructions. */
static enum armpmu_status set_interval(struct stat_options *o, const char *word,
                                       struct armpmu_error *err)
{
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
            "-I '%.40s': a length above 0 like 10 (simulated milliseconds), 100000c (cycles) "
            "or 50000i (instructions)",
            word);
    return ARMPMU_OK;
}

static enum armpmu_status set_separator(struct stat_options *o, const char *word,
                                        struct armpmu_error *err)
{
    if (*word == '\0' || strpbrk(word, "\"\r\n") != NULL)
        return fail(
            err, ARMPMU_BAD_CONFIG,
            "-x: the separator is empty or has a quote or a line end in it; use one like ','");
    o->format = FORMAT_CSV;
    o->separator = strcmp(word, "\\t") == 0 ? "\t" : word;
    return ARMPMU_OK;
}

enum armpmu_status stat_options_set(struct stat_options *o, int option, const char *value,
                                    struct armpmu_error *err)
{
    switch (option) {
    case 'e':
        return add_events(o, value, err);
    case 'd':
        o->detail++;
        break;
    case 'n':
        o->no_events = true;
        break;
    case OPTION_MODE:
        return set_mode(o, value, err);
    case OPTION_PER_THREAD:
        o->per_thread = true;
        break;
    case 'I':
        return set_interval(o, value, err);
    case 'r':
        return set_runs(o, value, err);
    case OPTION_MACHINE:
        o->machine = value;
        break;
    case OPTION_SYSROOT:
        o->sysroot = value;
        break;
    case OPTION_KEEP_RUNNING:
        o->keep_running = true;
        break;
    case OPTION_QEMU:
        o->qemu = value;
        break;
    case 'x':
        o->csv = true;
        return set_separator(o, value, err);
    case 'j':
        o->json = true;
        o->format = FORMAT_JSON;
        break;
    case 'o':
        o->output = value;
        break;
    case OPTION_APPEND:
        o->append = true;
        break;
    case 'B':
        o->big_numbers = true;
        break;
    case OPTION_NO_BIG_NUM:
        o->big_numbers = false;
        break;
    case OPTION_COLOR:
        return set_color(o, value, err);
    case 'h':
        o->help = true;
        break;
    }
    return ARMPMU_OK;
}

enum armpmu_status stat_options_check(const struct stat_options *o, struct armpmu_error *err)
{
    const struct {
        bool clash;
        const char *sentence;
    } rules[] = {
        {o->csv && o->json, "-x and -j are two formats; choose one"},
        {o->no_events && (o->n_events > 0 || o->detail > 0),
         "-n counts nothing, -e and -d name events; choose one"},
        {o->append && o->output == NULL, "--append adds to a file; name it with -o"},
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

static enum armpmu_status set_engine(struct stat_options *o, const char *value,
                                     struct armpmu_error *err)
{
    static const char *const names[] = {
        [ENGINE_AUTO] = "auto", [ENGINE_QEMU] = "qemu", [ENGINE_UNICORN] = "unicorn"};

    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(value, names[i]) == 0) {
            o->engine = (enum stat_engine)i;
            return ARMPMU_OK;
        }
    }
    return fail(err, ARMPMU_BAD_CONFIG, "--engine '%.40s': there are auto, qemu and unicorn",
                value);
}

static enum armpmu_status set(void *options, int option, const char *value,
                              struct armpmu_error *err)
{
    struct stat_options *const o = options;

    if (option == OPTION_ENGINE)
        return set_engine(o, value, err);
    if (option >= OPTIONS_OF_FIRMWARE)
        return firmware_options_set(&o->firmware, option, value, err);
    return stat_options_set(options, option, value, err);
}

enum armpmu_status stat_options_parse(struct stat_options *o, int argc, char **argv,
                                      struct armpmu_error *err)
{
    static const struct option_grammar grammar = {"stat", "+:e:dnI:r:x:jo:Bh", long_options, set};

    *o = (struct stat_options){.runs = 1, .big_numbers = true};
    const enum armpmu_status status =
        option_grammar_parse(&grammar, argc, argv, o, &o->program, err);
    return status != ARMPMU_OK || o->help ? status : stat_options_check(o, err);
}

void stat_options_free(struct stat_options *o)
{
    free(o->events);
    *o = (struct stat_options){0};
}

const struct report_printer *stat_options_printer(const struct stat_options *o)
{
    switch (o->format) {
    case FORMAT_TEXT:
        return &print_text;
    case FORMAT_CSV:
        return &print_csv;
    case FORMAT_JSON:
        return &print_json;
    }
    return &print_text;
}

bool stat_options_color(const struct stat_options *o)
{
    const char *no_color = getenv("NO_COLOR");

    switch (o->color) {
    case COLOR_ALWAYS:
        return true;
    case COLOR_NEVER:
        return false;
    case COLOR_AUTO:
        break;
    }
    return o->output == NULL && (no_color == NULL || *no_color == '\0') && isatty(STDERR_FILENO);
}

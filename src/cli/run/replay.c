/* `armpmu replay`: counts a recorded trace as `armpmu stat` counts the program. */
#include "cli/commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/termination.h"
#include "cli/run/replay_slices.h"
#include "cli/run/stat_options.h"
#include "cli/file_uses.h"
#include "cli/foreign_file.h"
#include "cli/machine_choice.h"
#include "machine/core_descriptor.h"
#include "trace/trace_file.h"

/* The first of a list "NAME,NAME"; *rest is the rest of the list, NULL at its end. The caller frees
 * it.
 */
static char *first_of(const char *names, const char **rest)
{
    const size_t n = strcspn(names, ",");

    *rest = names[n] == ',' ? names + n + 1 : NULL;
    return strndup(names, n);
}

/* One machine after the other; reports of further ones follow in the same file. */
static int replay_each(struct stat_options now, struct trace_file *trace, struct armpmu_error *err)
{
    char *const *const program = (char *const *)(uintptr_t)trace_file_setup(trace)->arguments;
    int worst = 0;

    for (const char *rest = now.run.machine; rest != NULL;
         now.print.append = now.print.output != NULL) {
        char *const name = first_of(rest, &rest);
        if (name == NULL) {
            fail_no_memory(err, "the name of a machine");
            return EXIT_ARMPMU;
        }
        now.run.machine = name;
        const int end = stat_run("replay", &now, program, trace, err);
        free(name);
        if (end == EXIT_ARMPMU)
            return end;
        worst = end != 0 ? end : worst;
    }
    return worst;
}

/* All machines are checked before the report of the first one is printed. */
static int replay_on(const struct stat_options *options, struct trace_file *trace,
                     struct armpmu_error *err)
{
    struct stat_options checks = *options;

    checks.checks_only = true;
    const int end = strchr(options->run.machine, ',') != NULL ? replay_each(checks, trace, err) : 0;
    return end == 0 ? replay_each(*options, trace, err) : end;
}

/* Checks a replay that is a part of another one, or all parts. */
static enum armpmu_status check_slices(const struct stat_options *o, char *const *operands,
                                       struct armpmu_error *err)
{
    if (o->slice == NULL && !o->gathers)
        return ARMPMU_OK;
    if (o->slice != NULL && o->gathers)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--slice counts, and --gather adds up the counts: choose one");
    if (o->slice != NULL && o->print.output == NULL)
        return fail(err, ARMPMU_BAD_CONFIG, "--slice: name its file with -o");
    if (o->gathers && operands[1] == NULL)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--gather: name the files of 'armpmu replay --slice' after the trace");
    if (o->run.interval.unit != INTERVAL_NONE || o->run.from_insn != 0 || o->run.to_insn != 0 ||
        (o->run.machine != NULL && strchr(o->run.machine, ',') != NULL))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "slices need a whole trace and one machine: leave -I, --from, --to and "
                    "further machines out");
    return ARMPMU_OK;
}

static enum armpmu_status check(const struct stat_options *o, char *const *operands,
                                struct armpmu_error *err)
{
    const struct file_use uses[] = {{"the trace", operands[0], false},
                                    {"-o", o->print.output, true}};

    if (operands[0] == NULL)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "replay: no trace to replay; 'armpmu record --trace FILE' writes one");
    if (operands[1] != NULL && !o->gathers)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "replay: '%.80s': one trace at a time; 'armpmu help replay' shows how",
                    operands[1]);
    if (o->run.to_insn != 0 && o->run.to_insn <= o->run.from_insn)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--to must be above --from: there is no instruction between them");
    enum armpmu_status status = check_slices(o, operands, err);
    if (status == ARMPMU_OK)
        status = stat_options_check(o, err);
    return status == ARMPMU_OK ? file_uses_check(uses, sizeof uses / sizeof uses[0], err) : status;
}

/* Names the machine of the recording where none is named. A trace names no file: it comes from
 * anybody. */
static enum armpmu_status choose_machine(struct stat_options *o, const char *path,
                                         const struct trace_file *trace, struct armpmu_error *err)
{
    const char *const recorded = trace_file_setup(trace)->machine;

    if (o->run.machine == NULL && (recorded[0] == '\0' || machine_is_file(recorded)))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "%.100s: it was recorded with a machine file; name one with --machine", path);
    if (o->run.machine == NULL)
        o->run.machine = recorded;
    return ARMPMU_OK;
}

static int replay_as_asked(struct stat_options *o, struct trace_file *trace, char *const *operands,
                           struct armpmu_error *err)
{
    struct trace_slices slices;
    int end = EXIT_ARMPMU;

    if (o->slice != NULL)
        return replay_slice(o, trace, err);
    if (!o->gathers)
        return replay_on(o, trace, err);
    if (replay_gather(o, trace, operands + 1, &slices, err) == ARMPMU_OK) {
        o->run.slices = &slices;
        end = replay_on(o, trace, err);
    }
    trace_slices_free(&slices);
    return end;
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct stat_options *const o = options;
    struct trace_file *trace;

    (void)out;
    termination_catch();
    if (check(o, operands, err) != ARMPMU_OK ||
        foreign_file_check(operands[0], o->force, err) != ARMPMU_OK ||
        trace_file_open(operands[0], &trace, err) != ARMPMU_OK)
        return EXIT_ARMPMU;
    const int end = choose_machine(o, operands[0], trace, err) == ARMPMU_OK
                        ? replay_as_asked(o, trace, operands, err)
                        : EXIT_ARMPMU;
    trace_file_close(trace);
    return end;
}

static const struct option_row rows[] = {
    {.kind = OPTION_ROWS, .rows = stat_count_rows},
    {0, "from", "N", "begin at instruction N of each thread, with empty caches",
     OPTION_NUMBER_TO(struct stat_options, run.from_insn), .least = 0, .most = UINT64_MAX,
     .expects = "a number of instructions, like 1000000, or 1M for 1048576"},
    {0, "to", "N", "end before instruction N of each thread",
     OPTION_NUMBER_TO(struct stat_options, run.to_insn), .least = 1, .most = UINT64_MAX,
     .expects = "a number of instructions from 1 on, like 2000000, or 2M for 2097152"},
    {0, "jobs", "N", "count each thread in slices, by up to N processes at once",
     OPTION_NUMBER_TO(struct stat_options, run.jobs), .least = 1, .most = TRACE_SLICES_MAX,
     .expects = "a number of processes from 1 to 64"},
    {0, "warm-up", "N", "records that a slice simulates before it counts; default: 64K",
     OPTION_NUMBER_TO(struct stat_options, run.warm_up), .least = 0, .most = UINT64_MAX,
     .expects = "a number of records, like 64K"},
    {0, "slice", "K/N", "count slice K of N, into the file of -o, for --gather",
     OPTION_TEXT_TO(struct stat_options, slice)},
    {0, "gather", NULL, "add up slices: their files follow the trace on the command line",
     OPTION_FLAG_TO(struct stat_options, gathers)},
    FOREIGN_FILE_ROW(struct stat_options, force),
    {'q', "quiet", NULL,
     "print no report; the file of -o is written, and --baseline still names what rose",
     OPTION_FLAG_TO(struct stat_options, quiet)},
    BASELINE_ROWS_TO(struct stat_options, baseline),
    {.help = "Target", .kind = OPTION_HEADING},
    {0, "machine", "LIST", "machines, separated by ','; default: the machine of the recording",
     OPTION_TEXT_TO(struct stat_options, run.machine), .completes = COMPLETE_MACHINE},
    MACHINE_SETTING_ROWS_TO(struct stat_options, run.settings),
    {OPTION_ROWS_TO(struct stat_options, print, print_rows)},
    {.kind = OPTION_END},
};

static const struct stat_options defaults = {
    .runs = 1, .run = {.warm_up = TRACE_SLICES_WARM_UP}, .print = {.big_numbers = true}};

const struct command command_replay = {
    .name = "replay",
    .summary = "count a recorded trace",
    .synopsis = "replay [OPTIONS] FILE [SLICE...]",
    .text = "Counts a trace of 'armpmu record --trace FILE'. The counts are exactly those of\n"
            "'armpmu stat' for the recorded run, on any machine with the same emulated\n"
            "processor. It needs neither the program nor QEMU.\n",
    .options = rows,
    .notes = "--from and --to are rounded to blocks of the trace. They count every instruction,\n"
             "including conditional ones whose condition failed.\n"
             "\n"
             "--jobs and --slice give the same counts as one process, on machines with an Armv8\n"
             "core. Others, and -I, --from and --to, are counted by one process whatever --jobs\n"
             "says.\n",
    .operands = COMPLETE_FILE,
    .ends = ENDS_ROSE | ENDS_SIGNAL,
    .options_bytes = sizeof(struct stat_options),
    .defaults = &defaults,
    .run = run,
};

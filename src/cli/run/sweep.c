/* `armpmu sweep`: counts one execution of a program on many machines. */
#include "cli/commands.h"
#include "cli/foreign_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/termination.h"
#include "cli/run/ended.h"
#include "cli/event_list.h"
#include "cli/metric_list.h"
#include "cli/plot.h"
#include "cli/run/sweep_shards.h"
#include "cli/run/sweep_machines.h"
#include "cli/run/sweep_report.h"
#include "cli/run/session.h"
#include "machine/core_descriptor.h"

struct sweep_options {
    const char *machines, *seeds, *plot, *replay, *programs, *slurm, *gather;
    struct run_options run;
    struct option_list settings, events, metrics;
    bool force;
    struct table_options table;
    bool comments;
};

static const struct option_row rows[] = {
    {.help = "What to vary", .kind = OPTION_HEADING},
    {0, "machine", "LIST", "machines, separated by ','; default: stat's",
     OPTION_TEXT_TO(struct sweep_options, machines), .completes = COMPLETE_MACHINE},
    {0, "set", "KEY=LIST",
     "values of a key of the machine, separated by ',', such as l2.size_kb=128,256,512; several "
     "--set make every combination",
     OPTION_LIST_TO(struct sweep_options, settings)},
    {0, "seed", "LIST", "seeds, as --set random.seed=1,2,3",
     OPTION_TEXT_TO(struct sweep_options, seeds)},
    {.help = "What to count", .kind = OPTION_HEADING},
    {'e', "event", "LIST", "events, as in stat -e; default: cycles, instructions and cache misses",
     OPTION_LIST_TO(struct sweep_options, events), .completes = COMPLETE_EVENTS},
    {'M', "metrics", "LIST", "metrics beside the events, separated by ',', as in stat -M",
     OPTION_LIST_TO(struct sweep_options, metrics)},
    {.help = "Target", .kind = OPTION_HEADING},
    REPEATED_ROWS_TO(struct sweep_options, run, replay),
    FOREIGN_FILE_ROW(struct sweep_options, force),
    {.help = "More than one computer", .kind = OPTION_HEADING},
    {0, "slurm", "DIR",
     "run nothing: write a job array for Slurm to DIR, with a job for each program, as with "
     "--stable",
     OPTION_TEXT_TO(struct sweep_options, slurm), .completes = COMPLETE_FOLDER},
    {0, "programs", "FILE", "with --slurm: a file of command lines instead of a program",
     OPTION_TEXT_TO(struct sweep_options, programs), .completes = COMPLETE_FILE},
    {0, "gather", "DIR", "print the results of all jobs in DIR as one table",
     OPTION_TEXT_TO(struct sweep_options, gather), .completes = COMPLETE_FOLDER},
    {.help = "Output", .kind = OPTION_HEADING},
    TABLE_ROWS_TO(struct sweep_options, table, "text, csv, json or md: a line for each machine"),
    {0, "comments", NULL,
     "csv: add lines '# ...' with the version, the machines with hashes of their settings, and "
     "whether the run is complete",
     OPTION_FLAG_TO(struct sweep_options, comments)},
    {0, "plot", "FILE", "plot the counts: .svg, a picture over the last --set, or .html, a page",
     OPTION_TEXT_TO(struct sweep_options, plot), .completes = COMPLETE_FILE},
    {.kind = OPTION_END},
};

struct sweep_session {
    struct sweep_options *options;
    struct session run;
    struct sweep_machines machines;
    struct event_list *events; /* of each machine: the same ones, as its core has them */
    struct metric_choice *metrics;
    struct output plot;
    struct armpmu_error *err;
};

/* One execution is of one emulated processor, that of the first machine. */
static enum armpmu_status check_machines(const struct sweep_session *s)
{
    const struct armpmu_machine *const first = s->machines.machines[0];
    const struct core_descriptor *const core = core_descriptor_of(armpmu_machine_core(first));

    for (size_t i = 1; i < s->machines.n; i++) {
        const struct armpmu_machine *const other = s->machines.machines[i];
        const struct core_descriptor *const its = core_descriptor_of(armpmu_machine_core(other));
        if (!core_descriptor_runs(its, core->emulator.target, core->emulator.cpu))
            return fail(s->err, ARMPMU_BAD_CONFIG,
                        "sweep: %s and %s run programs on different emulated processors (%s and "
                        "%s)%s",
                        armpmu_machine_name(first), armpmu_machine_name(other), core->emulator.cpu,
                        its->emulator.cpu,
                        core_descriptor_runs(core, its->emulator.target, its->emulator.cpu)
                            ? ": name the one with fewer instructions first"
                            : "; sweep them apart");
    }
    return ARMPMU_OK;
}

static enum armpmu_status choose_events(const struct sweep_session *s, size_t machine)
{
    static const char usual[] = "cycles,instructions,cache-misses,branch-misses";
    const struct armpmu_core *const core = armpmu_machine_core(s->machines.machines[machine]);
    const struct option_list *const named = &s->options->events;
    s->events[machine].of_program = true;
    enum armpmu_status status = ARMPMU_OK;

    if (named->n == 0)
        return event_list_parse(&s->events[machine], core, MODE_ALL, usual, s->err);
    for (size_t i = 0; i < named->n && status == ARMPMU_OK; i++)
        status = event_list_parse(&s->events[machine], core, MODE_ALL, named->values[i], s->err);
    if (status == ARMPMU_OK && s->events[machine].count != s->events[0].count)
        return fail(s->err, ARMPMU_BAD_CONFIG,
                    "-e: names %zu events of %s and %zu of %s; name them one by one",
                    s->events[0].count, armpmu_machine_name(s->machines.machines[0]),
                    s->events[machine].count, core->name);
    return status;
}

static enum armpmu_status choose_metrics(const struct sweep_session *s, size_t machine)
{
    const struct armpmu_core *const core = armpmu_machine_core(s->machines.machines[machine]);
    const struct metric_choice *const first = &s->metrics[0], *const its = &s->metrics[machine];
    enum armpmu_status status =
        metric_choice_make(core, &s->options->metrics, &s->metrics[machine], s->err);
    size_t n_same = 0;

    while (status == ARMPMU_OK && n_same < first->n && n_same < its->n &&
           strcmp(first->metrics[n_same]->name, its->metrics[n_same]->name) == 0)
        n_same++;
    if (status == ARMPMU_OK && (n_same < first->n || n_same < its->n))
        status = fail(s->err, ARMPMU_BAD_CONFIG,
                      "-M: selects other metrics on %s than on %s; name those that both have",
                      first->core->name, core->name);
    return status;
}

static enum armpmu_status choose(struct sweep_session *s)
{
    enum armpmu_status status = ARMPMU_OK;

    s->events = calloc(s->machines.n + 1, sizeof *s->events);
    s->metrics = calloc(s->machines.n + 1, sizeof *s->metrics);
    if (s->events == NULL || s->metrics == NULL)
        return fail_no_memory(s->err, "the events of the sweep");
    for (size_t i = 0; i < s->machines.n && status == ARMPMU_OK; i++) {
        status = choose_events(s, i);
        if (status == ARMPMU_OK)
            status = choose_metrics(s, i);
    }
    return status;
}

static enum armpmu_status set_up(struct sweep_session *s)
{
    const struct sweep_options *const o = s->options;

    enum armpmu_status status = o->replay != NULL ? session_open_trace(&s->run, o->replay, o->force)
                                                  : session_needs_linux_program(&s->run);
    if (status == ARMPMU_OK)
        status = sweep_machines_load(o->machines, &o->settings, o->seeds, &s->machines, s->err);
    if (status == ARMPMU_OK)
        status = check_machines(s);
    if (status == ARMPMU_OK)
        status = choose(s);
    if (status == ARMPMU_OK)
        status = plot_check("--plot", o->plot, s->err);
    if (status == ARMPMU_OK)
        status = output_open(&s->run.output, "-o", o->table.output, o->table.append, s->err);
    if (status == ARMPMU_OK && o->plot != NULL)
        status = output_open(&s->plot, "--plot", o->plot, false, s->err);
    if (status != ARMPMU_OK)
        return status;
    s->run.job.machine = s->machines.machines[0];
    s->run.job.beside = (const struct armpmu_machine *const *)s->machines.machines + 1;
    s->run.job.n_beside = s->machines.n - 1;
    return ARMPMU_OK;
}

static enum armpmu_status print(struct sweep_session *s)
{
    const struct run_result *const result = &s->run.result;
    char early[ENDED_TEXT_BYTES];
    char version[ENGINE_VERSION_BYTES];
    const enum armpmu_status asked =
        s->options->comments && s->run.job.trace_from == NULL
            ? engine_qemu_version(s->options->run.qemu, s->machines.machines[0], version, s->err)
            : ARMPMU_OK;
    if (asked != ARMPMU_OK)
        return asked;
    char *const identity = s->options->comments
                               ? sweep_identity(&s->machines, &s->options->run.stable.variables,
                                                s->run.job.trace_from == NULL ? version : NULL,
                                                s->options->run.sysroot)
                               : NULL;
    const struct sweep_report report = {
        .machines = &s->machines,
        .events = s->events,
        .metrics = s->metrics,
        .first = result->signals,
        .others = (const uint64_t(*)[ARMPMU_SIGNAL_COUNT])result->beside,
        .argv = (const char *const *)s->run.program,
        .identity = identity,
        .early = ended_early(result, early) ? early : NULL,
    };
    enum armpmu_status status =
        s->options->comments && identity == NULL
            ? fail_no_memory(s->err, "the report")
            : sweep_print(&report, &s->options->table, s->run.output.stream, s->err);
    free(identity);
    if (status == ARMPMU_OK && s->options->plot != NULL)
        status = sweep_plot(&report, s->options->plot, s->plot.stream, s->err);
    if (status == ARMPMU_OK)
        status = output_close(&s->run.output, s->err);
    if (status == ARMPMU_OK && s->options->plot != NULL)
        status = output_close(&s->plot, s->err);
    return status;
}

static enum armpmu_status count(struct sweep_session *s)
{
    enum armpmu_status status = set_up(s);
    if (status == ARMPMU_OK)
        status = session_run(&s->run);
    if (status != ARMPMU_OK)
        return status;
    session_explain(&s->run, false);
    return print(s);
}

/* ---- more than one computer ------------------------------------------------------------------ */

enum { FIXED_WORDS = 11 };

static size_t put_option(const char **words, size_t n, const char *option, const char *value)
{
    if (value == NULL)
        return n;
    words[n++] = option;
    words[n++] = value;
    return n;
}

static size_t put_options(const char **words, size_t n, const char *option,
                          const struct option_list *values)
{
    for (size_t i = 0; i < values->n; i++)
        n = put_option(words, n, option, values->values[i]);
    return n;
}

/* The words that say the same of machines, events and surroundings, which are fixed: each job has
 * other variables of Slurm's. The caller frees them. */
static const char **words_of(const struct sweep_options *o)
{
    const size_t n_lists = o->settings.n + o->events.n + o->metrics.n + o->run.stable.variables.n;
    const char **const words = calloc(FIXED_WORDS + 2 * n_lists, sizeof *words);
    size_t n = 0;

    if (words == NULL)
        return NULL;
    n = put_option(words, n, "--machine", o->machines);
    n = put_options(words, n, "--set", &o->settings);
    n = put_option(words, n, "--seed", o->seeds);
    n = put_options(words, n, "-e", &o->events);
    n = put_options(words, n, "-M", &o->metrics);
    n = put_option(words, n, "--sysroot", o->run.sysroot);
    n = put_option(words, n, "--qemu", o->run.qemu);
    words[n++] = "--stable";
    (void)put_options(words, n, "--env", &o->run.stable.variables);
    return words;
}

static enum armpmu_status check_array(const struct sweep_options *o, char *const *program,
                                      struct armpmu_error *err)
{
    const bool has_program = program[0] != NULL;

    if (o->comments && o->table.format != TABLE_CSV)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--comments: only CSV has comments; add --format csv, or leave it out");
    if (o->gather != NULL && o->plot != NULL)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--plot: it draws a sweep of one program; leave it out with --gather");
    if (o->slurm != NULL && o->gather != NULL)
        return fail(
            err, ARMPMU_BAD_CONFIG,
            "--slurm and --gather: one writes jobs, the other reads their counts; leave one out");
    if (o->gather != NULL && (has_program || o->programs != NULL))
        return fail(err, ARMPMU_BAD_CONFIG, "--gather: the folder has the programs; name no other");
    if (o->programs != NULL && o->slurm == NULL)
        return fail(err, ARMPMU_BAD_CONFIG, "--programs is for --slurm; name one program");
    if (o->slurm != NULL && has_program == (o->programs != NULL))
        return fail(err, ARMPMU_BAD_CONFIG, "--slurm: name a program, or --programs FILE");
    if (o->slurm != NULL && (o->replay != NULL || o->table.output != NULL || o->plot != NULL))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--slurm writes jobs; leave --replay, -o and --plot out");
    return ARMPMU_OK;
}

static enum armpmu_status write_array(struct sweep_session *s, FILE *out)
{
    enum armpmu_status status = sweep_machines_load(s->options->machines, &s->options->settings,
                                                    s->options->seeds, &s->machines, s->err);
    const char **const words = words_of(s->options);
    char *const identity = status == ARMPMU_OK
                               ? sweep_identity(&s->machines, &s->options->run.stable.variables,
                                                NULL, s->options->run.sysroot)
                               : NULL;

    if (status == ARMPMU_OK && (words == NULL || identity == NULL))
        status = fail_no_memory(s->err, "the jobs of a sweep");
    if (status == ARMPMU_OK)
        status = sweep_shards_write(
            &(struct sweep_shards){.folder = s->options->slurm,
                                   .programs = s->options->programs,
                                   .program = (const char *const *)s->run.program,
                                   .arguments = words,
                                   .identity = identity},
            out, s->err);
    free(identity);
    free(words);
    return status;
}

static enum armpmu_status gather(struct sweep_session *s)
{
    const struct table_options *const table = &s->options->table;
    size_t missing = 0;

    enum armpmu_status status =
        output_open(&s->run.output, "-o", table->output, table->append, s->err);
    if (status == ARMPMU_OK)
        status =
            sweep_shards_gather(s->options->gather, table, s->run.output.stream, &missing, s->err);
    s->run.lacks_results = missing != 0;
    return status == ARMPMU_OK ? output_close(&s->run.output, s->err) : status;
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct sweep_options *const o = options;
    struct sweep_session s = {
        .options = o,
        .run = {.command = "sweep",
                .options = &o->run,
                .program = operands,
                .is_quiet = true, /* no one machine has the progress */
                .err = err},
        .err = err,
    };

    termination_catch();
    enum armpmu_status status = check_array(o, operands, err);
    if (status == ARMPMU_OK && o->slurm != NULL)
        status = write_array(&s, out);
    else if (status == ARMPMU_OK && o->gather != NULL)
        status = gather(&s);
    else if (status == ARMPMU_OK)
        status = count(&s);
    struct trace_file *const trace = s.run.job.trace_from;
    const int end = session_close(&s.run, status);
    output_discard(&s.plot);
    for (size_t i = 0; s.events != NULL && i < s.machines.n; i++)
        event_list_free(&s.events[i]);
    for (size_t i = 0; s.metrics != NULL && i < s.machines.n; i++)
        metric_choice_free(&s.metrics[i]);
    free(s.events);
    free(s.metrics);
    sweep_machines_free(&s.machines);
    trace_file_close(trace);
    return end;
}

const struct command command_sweep = {
    .name = "sweep",
    .summary = "count one execution on many machines",
    .synopsis = "sweep [OPTIONS] [--] PROGRAM [ARGUMENTS]\n"
                "sweep [OPTIONS] --replay FILE\n"
                "sweep [OPTIONS] --slurm DIR [--programs FILE | [--] PROGRAM [ARGUMENTS]]\n"
                "sweep --gather DIR",
    .text = "Runs an Arm Linux program once and counts it on several machines: those of a\n"
            "list, with every combination of the given keys. It uses all processors. Counts\n"
            "are those of 'armpmu stat' on each machine alone.\n",
    .options = rows,
    .operands = COMPLETE_PROGRAM,
    .runs_program = true,
    .ends = ENDS_WRONG | ENDS_AS_PROGRAM,
    .options_bytes = sizeof(struct sweep_options),
    .run = run,
};

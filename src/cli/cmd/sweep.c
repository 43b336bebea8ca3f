/* `armpmu sweep`: counts one execution of a program on many machines. */
#include "cli/commands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/termination.h"
#include "cli/event_list.h"
#include "cli/output.h"
#include "cli/cmd/stable_options.h"
#include "cli/sweep_machines.h"
#include "cli/report/sweep.h"
#include "machine/core_descriptor.h"
#include "qemu/engine.h"

static const char *const formats[] = {
    [SWEEP_TEXT] = "text", [SWEEP_CSV] = "csv", [SWEEP_JSON] = "json", NULL};

struct sweep_options {
    const char *machines, *sysroot, *qemu, *output, *plot;
    struct option_list settings, events;
    enum sweep_format format;
    struct stable_options stable;
};

static const struct option_row rows[] = {
    {.help = "What to vary", .kind = OPTION_HEADING},
    {0, "machine", "LIST", "machines, separated by ','; default: stat's",
     OPTION_TEXT_TO(struct sweep_options, machines), .completes = COMPLETE_MACHINE},
    {0, "set", "KEY=LIST",
     "values of a key of the machine, separated by ',', as l2.size_kb=128,256,512; with several "
     "--set every combination",
     OPTION_LIST_TO(struct sweep_options, settings)},
    {.help = "What to count", .kind = OPTION_HEADING},
    {'e', "event", "LIST", "events, as stat's -e; default: cycles, instructions and cache misses",
     OPTION_LIST_TO(struct sweep_options, events), .completes = COMPLETE_EVENTS},
    {.help = "On what", .kind = OPTION_HEADING},
    {0, "sysroot", "DIR", "where dynamic programs find their libraries",
     OPTION_TEXT_TO(struct sweep_options, sysroot), .completes = COMPLETE_FOLDER},
    {0, "qemu", "FILE", "the qemu-arm to use", OPTION_TEXT_TO(struct sweep_options, qemu),
     .completes = COMPLETE_FILE},
    STABLE_ROWS_TO(struct sweep_options, stable),
    {.help = "How to print", .kind = OPTION_HEADING},
    {0, "format", "FORMAT", "text, csv (a line for each machine) or json (one document)",
     OPTION_CHOICE_TO(struct sweep_options, format, formats)},
    {'o', "output", "FILE", "report to a file", OPTION_TEXT_TO(struct sweep_options, output),
     .completes = COMPLETE_FILE},
    {0, "plot", "FILE", "draw the events over the last --set: .svg, or .html",
     OPTION_TEXT_TO(struct sweep_options, plot), .completes = COMPLETE_FILE},
    {.kind = OPTION_END},
};

struct sweep_session {
    const struct sweep_options *options;
    char *const *program;
    struct sweep_machines machines;
    struct event_list *events; /* of each machine: the same ones, as its core has them */
    struct output output, plot;
    struct armpmu_error *err;
};

/* One execution is of one emulated processor. */
static enum armpmu_status check_machines(const struct sweep_session *s)
{
    const struct armpmu_machine *const first = s->machines.machines[0];
    const struct core_descriptor *const core = core_descriptor_of(armpmu_machine_core(first));

    for (size_t i = 1; i < s->machines.n; i++) {
        const struct armpmu_machine *const other = s->machines.machines[i];
        const struct core_descriptor *const its = core_descriptor_of(armpmu_machine_core(other));
        if (strcmp(core->emulator.target, its->emulator.target) != 0 ||
            strcmp(core->emulator.cpu, its->emulator.cpu) != 0)
            return fail(s->err, ARMPMU_BAD_CONFIG,
                        "sweep: %s and %s run programs on different emulated processors (%s and "
                        "%s); sweep them apart",
                        armpmu_machine_name(first), armpmu_machine_name(other), core->emulator.cpu,
                        its->emulator.cpu);
    }
    return ARMPMU_OK;
}

static enum armpmu_status choose_events(const struct sweep_session *s, size_t machine)
{
    static const char usual[] = "cycles,instructions,cache-misses,branch-misses";
    const struct armpmu_core *const core = armpmu_machine_core(s->machines.machines[machine]);
    const struct option_list *const named = &s->options->events;
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

static enum armpmu_status set_up(struct sweep_session *s)
{
    const struct sweep_options *const o = s->options;

    if (s->program[0] == NULL)
        return fail(s->err, ARMPMU_BAD_CONFIG,
                    "sweep: no program to run; 'armpmu help sweep' shows how to name one");
    enum armpmu_status status =
        sweep_machines_load(o->machines, &o->settings, &s->machines, s->err);
    if (status == ARMPMU_OK)
        status = check_machines(s);
    s->events = calloc(s->machines.n + 1, sizeof *s->events);
    if (status == ARMPMU_OK && s->events == NULL)
        status = fail(s->err, ARMPMU_NO_MEMORY, "out of memory for the events of the sweep");
    for (size_t i = 0; i < s->machines.n && status == ARMPMU_OK; i++)
        status = choose_events(s, i);
    if (status == ARMPMU_OK)
        status = sweep_plot_check(o->plot, s->err);
    if (status == ARMPMU_OK)
        status = output_open(&s->output, "-o", o->output, false, s->err);
    if (status == ARMPMU_OK && o->plot != NULL)
        status = output_open(&s->plot, "--plot", o->plot, false, s->err);
    return status;
}

static enum armpmu_status print(struct sweep_session *s, const struct engine_result *result)
{
    const struct sweep_report report = {
        .machines = &s->machines,
        .events = s->events,
        .first = result->signals,
        .others = (const uint64_t(*)[ARMPMU_SIGNAL_COUNT])result->beside,
        .argv = (const char *const *)s->program,
        .is_cut_short = result->cut_short || result->interrupted != 0,
    };
    enum armpmu_status status = sweep_print(&report, s->options->format, s->output.stream, s->err);
    if (status == ARMPMU_OK && s->options->plot != NULL)
        sweep_plot(&report, s->options->plot, s->plot.stream);
    if (status == ARMPMU_OK)
        status = output_close(&s->output, s->err);
    if (status == ARMPMU_OK && s->options->plot != NULL)
        status = output_close(&s->plot, s->err);
    return status;
}

static int run_session(struct sweep_session *s)
{
    struct engine_result result = {0};

    if (set_up(s) != ARMPMU_OK)
        return EXIT_ARMPMU;
    struct engine_job job = {
        .machine = s->machines.machines[0],
        .beside = (const struct armpmu_machine *const *)s->machines.machines + 1,
        .n_beside = s->machines.n - 1,
        .argv = (const char *const *)s->program,
        .sysroot = s->options->sysroot,
        .qemu = s->options->qemu,
    };
    enum armpmu_status status = stable_options_apply(&s->options->stable, &job, s->err);
    if (status != ARMPMU_OK)
        return EXIT_ARMPMU;
    status = engine_qemu_run(&job, &result, s->err);
    if (status != ARMPMU_OK)
        return engine_failure(status);
    int end = shell_status(result.wait_status);
    if (result.interrupted != 0)
        end = EXIT_SIGNAL + result.interrupted;
    status = print(s, &result);
    if (status == ARMPMU_OK && result.problem.message[0] != '\0') {
        *s->err = result.problem;
        status = ARMPMU_IO;
    }
    engine_result_free(&result);
    return status == ARMPMU_OK ? end : EXIT_ARMPMU;
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct sweep_session s = {.options = options, .program = operands, .err = err};

    (void)out;
    err->message[0] = '\0';
    termination_catch();
    const int status = run_session(&s);
    output_discard(&s.output);
    output_discard(&s.plot);
    for (size_t i = 0; s.events != NULL && i < s.machines.n; i++)
        event_list_free(&s.events[i]);
    free(s.events);
    sweep_machines_free(&s.machines);
    return status;
}

const struct command command_sweep = {
    .name = "sweep",
    .summary = "count one execution on many machines",
    .synopsis = "sweep [OPTIONS] [--] PROGRAM [ARGUMENTS]",
    .text =
        "Runs an Arm Linux program once and counts it on several machines: those of a list, and\n"
        "those that differ in keys. As many are worked on at a time as there are processors.\n"
        "Counts are those of 'armpmu stat' on each machine alone.\n",
    .options = rows,
    .notes = "Exit status: as of stat.\n",
    .operands = COMPLETE_PROGRAM,
    .runs_program = true,
    .options_bytes = sizeof(struct sweep_options),
    .run = run,
};

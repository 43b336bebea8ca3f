/* `armpmu whatif`: replays one execution many times, each time with one change. */
#include "cli/commands.h"
#include "cli/foreign_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/termination.h"
#include "cli/run/record_setup.h"
#include "cli/run/ended.h"
#include "cli/run/whatif.h"
#include "cli/run/session.h"
#include "cli/run/whatif_places.h"
#include "machine/core_descriptor.h"
#include "profile/symbols.h"
#include "trace/trace_temporary.h"

struct whatif_options {
    struct run_options run;
    const char *replay;
    bool force, only_machine;
    unsigned by; /* enum whatif_by */
    unsigned n_places;
    struct table_options table;
};

static const char *const by_words[] = {
    [BY_LINE] = "line", [BY_FUNCTION] = "function", [BY_INSN] = "insn", [BY_DATA] = "data", NULL};

static const struct option_row rows[] = {
    {.help = "What to change", .kind = OPTION_HEADING},
    {0, "by", "WHAT", "kind of place to change: line (default), function, insn or data",
     OPTION_CHOICE_TO(struct whatif_options, by, by_words)},
    {0, "places", "N", "number of changes of places to try, the most promising first; default 10",
     OPTION_NUMBER_TO(struct whatif_options, n_places), .least = 0, .most = WHATIF_PLACES_MAX,
     .expects = "a number of changes from 0 to 100"},
    {0, "machine-ideal", NULL, "only changes of the machine, as --places 0",
     OPTION_FLAG_TO(struct whatif_options, only_machine)},
    {.help = "Target", .kind = OPTION_HEADING},
    OPTION_MACHINE_ROW(struct whatif_options, run.machine),
    MACHINE_SETTING_ROWS_TO(struct whatif_options, run.settings),
    REPEATED_ROWS_TO(struct whatif_options, run, replay),
    FOREIGN_FILE_ROW(struct whatif_options, force),
    {.help = "Output", .kind = OPTION_HEADING},
    TABLE_ROWS_TO(struct whatif_options, table, "text, csv, json or md: a line for each change"),
    {.kind = OPTION_END},
};

struct whatif_session {
    struct whatif_options *options;
    struct session run;
    struct whatif_base base;
    struct whatif_trials ideals, cures;
    struct trace_temporary file;
    struct trace_setup setup;
    struct trace_recording *recording;
    struct run_result ran; /* the program, with the files of its code; of --replay nothing */
    struct profile_collection *collection;
    struct profile *profile;
    uint64_t cycles; /* of the execution as it was */
    bool was_cut;    /* before the replays */
    struct armpmu_error *err;
};

static bool has_places(const struct whatif_session *s)
{
    return !s->options->only_machine && s->options->n_places != 0;
}

/* Data has names where the program ran. */
static enum armpmu_status check_data(const struct whatif_session *s)
{
    if (s->options->by != BY_DATA || s->options->replay == NULL)
        return ARMPMU_OK;
    return fail(s->err, ARMPMU_BAD_CONFIG,
                "whatif --by data: a trace has no names of data: run the program in place of "
                "--replay");
}

static enum armpmu_status set_up(struct whatif_session *s)
{
    const struct run_options *const o = &s->options->run;
    enum armpmu_status status =
        s->options->replay != NULL
            ? session_open_trace(&s->run, s->options->replay, s->options->force)
            : session_needs_linux_program(&s->run);

    s->options->run.engine = ENGINE_QEMU;
    if (status == ARMPMU_OK)
        status = session_open(&s->run, NULL);
    s->base = (struct whatif_base){s->run.machine, o->machine, &o->settings};
    if (status == ARMPMU_OK)
        status = whatif_add_ideals(&s->ideals, &s->base, s->err);
    if (status == ARMPMU_OK && has_places(s))
        status = check_data(s);
    if (status == ARMPMU_OK && has_places(s))
        status = whatif_collection_new(&s->collection, s->err);
    s->run.job.keeps_accesses = status == ARMPMU_OK && has_places(s) &&
                                (s->options->by == BY_LINE || s->options->by == BY_DATA);
    return status;
}

/* ---- the execution --------------------------------------------------------------------------- */

static enum armpmu_status explain_file(const struct whatif_session *s)
{
    return fail(s->err, ARMPMU_IO,
                "whatif: the trace of the program cannot be kept in '%.200s': %s: set TMPDIR to a "
                "folder with more room",
                trace_temporary_folder(), strerror(s->file.cause));
}

/* Executes the program, and opens its trace. */
static enum armpmu_status record(struct whatif_session *s)
{
    struct run *const job = &s->run.job;

    if (!trace_temporary_open(&s->file))
        return explain_file(s);
    s->setup = record_trace_setup(&s->run);
    enum armpmu_status status =
        trace_recording_new(&s->setup, trace_temporary_write, &s->file, &s->recording, s->err);
    job->trace_to = s->recording;
    job->names_files = true;
    job->warn = undefined_warn;
    if (status == ARMPMU_OK)
        status = session_run(&s->run);
    if (status != ARMPMU_OK)
        return status;
    session_explain(&s->run, false);
    status = record_trace_finish(&s->run);
    s->ran = s->run.result;
    s->run.result = (struct run_result){0};
    job->trace_to = NULL;
    job->names_files = false;
    job->trace_made_by = s->recording;
    if (s->file.cause != 0)
        return explain_file(s);
    return status == ARMPMU_OK ? trace_temporary_read(&s->file, &job->trace_from, s->err) : status;
}

/* ---- its replays ----------------------------------------------------------------------------- */

static enum armpmu_status collect(void *user, const struct engine_thread *thread,
                                  struct armpmu_sim *sim, uint32_t file, struct armpmu_error *err)
{
    const struct whatif_session *const s = user;

    return profile_collect(s->collection, thread->process, thread->thread, sim, file, err);
}

/* Replays on the machines of all trials, after a first one, which may have a profile, or NULL. */
static enum armpmu_status replay_all(struct whatif_session *s, const struct armpmu_machine *first,
                                     const struct whatif_trials *trials)
{
    const struct armpmu_machine **const machines = calloc(trials->n + 2, sizeof *machines);
    struct run *const job = &s->run.job;
    size_t n = 0;

    if (machines == NULL)
        return fail_no_memory(s->err, "the replays");
    if (first != NULL)
        machines[n++] = first;
    for (size_t i = 0; i < trials->n; i++)
        if (trials->items[i].machine != NULL && !trials->items[i].is_counted)
            machines[n++] = trials->items[i].machine;
    job->machine = machines[0];
    job->beside = machines + 1;
    job->n_beside = n - 1;
    const enum armpmu_status status = n != 0 ? session_run(&s->run) : ARMPMU_OK;
    job->machine = s->run.machine;
    free(machines);
    return status;
}

/* Takes what the replays counted. n: the number of the first trial's machine. */
static void take_counts(const struct run_result *result, size_t n, struct whatif_trials *trials)
{
    for (size_t i = 0; i < trials->n; i++) {
        struct whatif_trial *const trial = &trials->items[i];
        if (trial->machine == NULL || trial->is_counted)
            continue;
        const uint64_t *const signals = n == 0 ? result->signals : result->beside[n - 1];
        trial->cycles = signals[ARMPMU_SIGNAL_CPU_CYCLES];
        trial->place_after = signals[ARMPMU_SIGNAL_CURED_CYCLES];
        trial->is_counted = true;
        n++;
    }
}

/* Returns whether a signal has cut the replays short, which then say nothing. */
static bool is_cut(const struct whatif_session *s)
{
    return termination_cuts() && !s->was_cut;
}

/* A trace has addresses alone: names of code come with a program that ran. */
static enum armpmu_status find_places(struct whatif_session *s)
{
    const struct whatif_options *const o = s->options;
    const struct whatif_wanted wanted = {(enum whatif_by)o->by, o->n_places};
    enum armpmu_status status = profile_new(&s->profile, s->err);

    if (status == ARMPMU_OK)
        s->profile->setup.engine = "qemu"; /* which has a heap and stacks to be named */
    if (status == ARMPMU_OK)
        status = whatif_add_events(s->profile, s->err);
    if (status == ARMPMU_OK)
        status = record_rows(s->profile, s->collection, &s->ran, s->run.program[0], s->err);
    if (status == ARMPMU_OK)
        status = symbols_resolve(s->profile, o->run.sysroot, NULL, 0, s->err);
    /* As annotate shows it: a library's header is not changed for one program. */
    for (uint32_t i = 0; status == ARMPMU_OK && i < s->profile->n_insns; i++)
        s->profile->insns[i].line = profile_own_line(s->profile, i);
    if (status == ARMPMU_OK)
        status = whatif_add_places(&s->cures, &s->base, s->profile, &wanted, s->err);
    return status;
}

static enum armpmu_status replay_places(struct whatif_session *s)
{
    enum armpmu_status status = find_places(s);

    s->run.job.profile = ARMPMU_PROFILE_OFF;
    s->run.job.keeps_accesses = false;
    if (status != ARMPMU_OK || s->cures.n == 0)
        return status;
    for (size_t n = 0; status == ARMPMU_OK && n != s->cures.n && !is_cut(s);) {
        n = s->cures.n;
        status = replay_all(s, NULL, &s->cures);
        if (status != ARMPMU_OK || is_cut(s))
            break;
        take_counts(&s->run.result, 0, &s->cures);
        status = whatif_add_turns(&s->cures, &s->base, s->err);
    }
    whatif_keep_best(&s->cures);
    return status;
}

static enum armpmu_status replay(struct whatif_session *s)
{
    s->run.job.profile = has_places(s) ? ARMPMU_PROFILE_INSNS : ARMPMU_PROFILE_OFF;
    s->was_cut = termination_cuts();
    const enum armpmu_status status = replay_all(s, s->run.machine, &s->ideals);

    if (status != ARMPMU_OK || is_cut(s))
        return status;
    s->cycles = s->run.result.signals[ARMPMU_SIGNAL_CPU_CYCLES];
    take_counts(&s->run.result, 1, &s->ideals);
    return has_places(s) ? replay_places(s) : ARMPMU_OK;
}

static enum armpmu_status print(struct whatif_session *s, FILE *out)
{
    char early[ENDED_TEXT_BYTES];
    const struct whatif_report report = {
        .machine = armpmu_machine_name(s->run.machine),
        .program = s->run.program[0],
        .ideals = &s->ideals,
        .cures = &s->cures,
        .cycles = s->cycles,
        .early = ended_early(&s->run.result, early) ? early : NULL,
    };

    return whatif_print(&report, &s->options->table, out, s->err);
}

/* Returns the signal. */
static int explain_cut(void)
{
    char name[ENDED_TEXT_BYTES];

    ended_signal(termination_signal(), name);
    print_error("whatif: %s came before all replays had ended: there is no report", name);
    return termination_signal();
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct whatif_options *const o = options;
    struct whatif_session s = {
        .options = o,
        .run = {.command = "whatif",
                .options = &o->run,
                .program = operands,
                .on_profile = collect,
                .err = err},
        .file = {.fd = -1},
        .err = err,
    };

    s.run.user = &s;
    enum armpmu_status status = set_up(&s);
    if (status == ARMPMU_OK && o->replay == NULL)
        status = record(&s);
    if (status == ARMPMU_OK)
        status = replay(&s);
    if (status == ARMPMU_OK && is_cut(&s))
        s.run.result.interrupted = explain_cut();
    else if (status == ARMPMU_OK)
        status = print(&s, out);
    struct trace_file *const trace = s.run.job.trace_from;
    const int end = session_close(&s.run, status);
    trace_file_close(trace);
    trace_recording_free(s.recording);
    trace_temporary_close(&s.file);
    run_result_free(&s.ran);
    profile_collection_free(s.collection);
    profile_free(s.profile);
    whatif_trials_free(&s.ideals);
    whatif_trials_free(&s.cures);
    return end;
}

static const struct whatif_options defaults = {.n_places = 10};

const struct command command_whatif = {
    .name = "whatif",
    .summary = "show how many cycles each improvement would save",
    .synopsis = "whatif [OPTIONS] [--] PROGRAM [ARGUMENTS]\n"
                "whatif --replay FILE [OPTIONS]",
    .text = "Executes a program once, then replays that execution with one thing changed each\n"
            "time: a line whose accesses hit level 1, a branch that is predicted, a larger cache.\n"
            "Prints how many cycles each change saves.\n",
    .options = rows,
    .notes = "For example:\n"
             "  armpmu whatif -- ./program\n"
             "  armpmu whatif --by function --places 20 -- ./program\n"
             "  armpmu whatif --replay program.trace\n",
    .operands = COMPLETE_PROGRAM,
    .runs_program = true,
    .ends = ENDS_AS_PROGRAM,
    COMMAND_REPORT(struct whatif_options, table),
    .defaults = &defaults,
    .run = run,
};

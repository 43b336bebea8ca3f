/* `armpmu stat`: runs a program and prints what its core would have counted. */
#include "cli/commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/error.h"
#include "base/printable.h"
#include "cli/ended.h"
#include "cli/machine_choice.h"
#include "cli/metric_list.h"
#include "cli/output.h"
#include "cli/report/report.h"
#include "cli/cmd/baseline.h"
#include "cli/cmd/progress.h"
#include "cli/cmd/stat.h"
#include "cli/cmd/stat_layouts.h"
#include "cli/cmd/stat_options.h"
#include "cli/fault.h"
#include "cli/undefined.h"
#include "qemu/engine.h"
#include "unicorn/firmware_run.h"
#include "base/termination.h"
#include "trace/trace_file.h"

/* One `armpmu stat`, from its options to its report. */
struct stat_session {
    struct stat_options *options;
    struct armpmu_machine *machine;
    struct event_list events;
    enum engine_only only; /* what they need */
    bool *metrics;         /* those to print, as struct report has them */
    struct output output;
    const struct report_printer *printer;
    struct report report;
    bool began; /* the report's first line is printed */

    struct report_tally tally;           /* of all runs                                     */
    uint64_t busiest_cycles;             /* of the longest-running thread, summed over runs */
    uint64_t first[ARMPMU_SIGNAL_COUNT]; /* the first run's counts                          */
    int wait_status;                     /* the last run's                                  */

    bool firmware;                     /* the program is for the bare core */
    struct engine_firmware_result end; /* how its last run ended */

    struct stat_intervals intervals;
    enum armpmu_status interval_status; /* the first failure inside on_interval   */

    struct trace_file *trace; /* replayed in place of the program; NULL */
    struct report_subject subject;

    struct region region;
    struct hot_spot hot_spot;
    struct baseline baseline;
    struct progress_line progress;

    struct armpmu_error *err;
};

/* --- printing -------------------------------------------------------------------------------- */

static enum armpmu_status begin(struct stat_session *s)
{
    if (s->began)
        return ARMPMU_OK;
    s->began = true;
    return s->printer->begin(&s->report, s->output.stream) ? ARMPMU_OK
                                                           : fail_no_memory(s->err, "the report");
}

/* For the eye: on standard error, wherever the report goes. */
static void print_verbose(const struct report_section *section)
{
    for (size_t i = 0; i < section->n_rows; i++) {
        const struct report_row *const row = &section->rows[i];
        const uint64_t ns = row->state == REPORT_COUNTED ? section->runtime_ns : 0;
        fprintf(stderr, "%s: %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", row->echo, row->count, ns, ns);
    }
}

static enum armpmu_status print_section(struct stat_session *s, const struct report_tally *tally,
                                        double seconds, const char *thread)
{
    struct report_section section = {.seconds = seconds, .thread = thread, .is_first = !s->began};
    enum armpmu_status status = report_section_fill(&s->report, tally, &section, s->err);

    if (status == ARMPMU_OK && s->options->verbose)
        print_verbose(&section);
    if (status == ARMPMU_OK)
        status = begin(s);
    if (status == ARMPMU_OK && !s->printer->section(&s->report, &section, s->output.stream))
        status = fail_no_memory(s->err, "the report");
    report_section_free(&section);
    return status;
}

/* A section of a single tally of signals. */
static enum armpmu_status print_signals(struct stat_session *s, const uint64_t *signals,
                                        double seconds, const char *thread)
{
    struct report_tally tally = {0};
    enum armpmu_status status = report_tally_add(&tally, &s->events, signals, s->err);

    if (status == ARMPMU_OK)
        status = print_section(s, &tally, seconds, thread);
    report_tally_free(&tally);
    return status;
}

static enum armpmu_status print_thread(void *user, const char *name, const uint64_t *signals)
{
    struct stat_session *const s = user;
    const double seconds = report_seconds(s->machine, signals[ARMPMU_SIGNAL_CPU_CYCLES]);

    return print_signals(s, signals, seconds, name);
}

/* --- intervals ------------------------------------------------------------------------------- */

static enum armpmu_status print_interval(struct stat_session *s, const uint64_t *counts,
                                         uint64_t cycles)
{
    const double seconds = report_seconds(s->machine, cycles);
    const enum armpmu_status status = print_signals(s, counts, seconds, NULL);

    return status != ARMPMU_OK ? status : output_flush(&s->output, s->err);
}

static void on_interval(void *user, uint64_t number, const uint64_t *signals)
{
    struct stat_session *const s = user;
    uint64_t counts[ARMPMU_SIGNAL_COUNT];
    const uint64_t cycles = stat_intervals_next(&s->intervals, number, signals, counts);

    if (s->interval_status == ARMPMU_OK)
        s->interval_status = print_interval(s, counts, cycles);
}

static enum armpmu_status print_last_interval(struct stat_session *s,
                                              const struct engine_result *result)
{
    uint64_t counts[ARMPMU_SIGNAL_COUNT];
    const uint64_t cycles = stat_intervals_last(&s->intervals, result, counts);

    if (s->interval_status != ARMPMU_OK || cycles == 0)
        return s->interval_status;
    return print_interval(s, counts, cycles);
}

/* --- running --------------------------------------------------------------------------------- */

static void learn(struct stat_session *s, const struct engine_result *result)
{
    uint64_t busiest = 0;

    for (size_t i = 0; i < result->n_threads; i++) {
        const uint64_t cycles = result->threads[i].signals[ARMPMU_SIGNAL_CPU_CYCLES];
        busiest = cycles > busiest ? cycles : busiest;
    }
    stat_intervals_learn(&s->intervals, result);
    s->busiest_cycles += busiest;
    s->wait_status = result->wait_status;
    s->report.n_threads = result->n_threads;
    s->report.n_processes = result->n_processes;
    s->report.n_programs = result->n_programs;
    s->report.n_execs = result->n_execs;
    s->report.n_helper_calls = result->n_helper_calls;
    s->report.n_clock_calls = result->n_clock_calls;
    s->report.n_perf_calls = result->n_perf_calls;
    s->report.shares_cache = result->shares_cache;
    s->report.lacks_registers = result->lacks_registers;
    s->report.interrupted = result->interrupted;
    s->report.timed_out = result->timed_out;
    s->report.signal = result->interrupted == 0 && WIFSIGNALED(result->wait_status)
                           ? WTERMSIG(result->wait_status)
                           : 0;
    s->report.is_killed = result->killed != 0;
    s->report.cut_short = result->cut_short || result->problem.message[0] != '\0';
    if (s->tally.runs == 0)
        memcpy(s->first, result->signals, sizeof s->first);
    else if (memcmp(s->first, result->signals, sizeof s->first) != 0)
        s->report.runs_differ = true;
}

/* ---- a profile -------------------------------------------------------------------------------
 */

static enum armpmu_mark mark(void *user, const struct engine_file *file, uint64_t address)
{
    struct stat_session *const s = user;

    return region_mark(&s->region, file, address);
}

/* file: the number of the one that all code is from, or 0. */
static enum armpmu_status take_profile(struct stat_session *s, uint32_t process, uint32_t thread,
                                       struct armpmu_sim *sim, uint32_t file,
                                       struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    if (region_is_given(&s->region))
        status = region_count(&s->region, process, thread, sim, err);
    if (status == ARMPMU_OK && s->hot_spot.collection != NULL)
        status = profile_collect(s->hot_spot.collection, process, thread, sim, file, err);
    return status;
}

static enum armpmu_status on_profile(void *user, const struct engine_thread *thread,
                                     struct armpmu_sim *sim, struct armpmu_error *err)
{
    return take_profile(user, thread->process, thread->thread, sim, 0, err);
}

static enum armpmu_status on_firmware_profile(void *user, struct armpmu_sim *sim,
                                              struct armpmu_error *err)
{
    return take_profile(user, 1, 1, sim, 1, err);
}

static enum armpmu_profile_detail detail(const struct stat_session *s)
{
    if (region_is_given(&s->region))
        return ARMPMU_PROFILE_INSNS;
    return s->hot_spot.collection != NULL ? ARMPMU_PROFILE_BLOCKS : ARMPMU_PROFILE_OFF;
}

/* What the events need, where nothing else is asked for. Counters of 32 bits run over, and layouts
 * differ in time. */
static enum engine_only needed(const struct stat_session *s)
{
    const struct stat_options *const o = s->options;
    enum engine_only only = s->events.count > 0 ? ENGINE_INSNS : ENGINE_ALL;

    if (s->firmware || s->trace != NULL || o->mode != MODE_ALL || o->topdown || o->methodology ||
        o->metrics.n != 0 || o->interval.unit != INTERVAL_NONE || o->layouts != 0 ||
        region_is_given(&s->region))
        return ENGINE_ALL;
    for (size_t i = 0; i < s->events.count; i++) {
        const struct armpmu_event *const event = s->events.items[i].event;
        if (!event_needs_execution_alone(event))
            return ENGINE_ALL;
        if (event->signals[0] == ARMPMU_SIGNAL_BRANCH_RETIRED)
            only = ENGINE_BRANCHES;
    }
    return only;
}

/* Only people want to know, and only of a run that they see one report of. */
static bool wants_hot_spot(const struct stat_session *s)
{
    const struct stat_options *const o = s->options;

    return s->trace == NULL && o->hot_spot && !o->quiet && s->printer == &print_text &&
           s->events.count > 0 && s->only == ENGINE_ALL && o->runs == 1 && o->layouts == 0 &&
           o->interval.unit == INTERVAL_NONE && hot_spot_has_names(o->program[0]);
}

static enum armpmu_status print_hot_spot(struct stat_session *s, const struct engine_result *result)
{
    const struct record_run run = {
        .machine = s->machine,
        .machine_choice = machine_choice_name(s->options->machine),
        .engine = "",
        .argv = (const char *const *)s->options->program,
    };

    return hot_spot_print(&s->hot_spot, &run, s->firmware ? NULL : result, s->output.stream,
                          s->err);
}

/* Firmware, as a program of one thread. */
static enum armpmu_status run_firmware(struct stat_session *s, const struct engine_job *job,
                                       struct engine_result *result)
{
    struct engine_firmware_job *const own = &s->options->firmware.job;

    own->every = job->every;
    own->period = job->period;
    own->on_interval = job->on_interval;
    own->profile = job->profile;
    own->on_profile = on_firmware_profile;
    own->on_progress = job->on_progress;
    own->warn = job->warn;
    own->region = region_of_firmware(&s->region);
    own->user = job->user;
    const enum armpmu_status status = firmware_options_run(&s->options->firmware, s->machine,
                                                           s->options->program, &s->end, s->err);
    if (status != ARMPMU_OK)
        return status;
    result->threads = calloc(1, sizeof *result->threads);
    if (result->threads == NULL)
        return fail_no_memory(s->err, "the report");
    result->threads[0] = (struct engine_thread){.process = 1, .thread = 1};
    memcpy(result->threads[0].signals, s->end.signals, sizeof s->end.signals);
    memcpy(result->signals, s->end.signals, sizeof s->end.signals);
    result->n_threads = result->n_processes = 1;
    result->wait_status = s->end.status << 8; /* as waitpid has it */
    result->interrupted = s->end.interrupted;
    if (s->end.end == ENGINE_FIRMWARE_EXIT && s->end.advice[0] != '\0')
        s->report.note = s->end.advice;
    result->cut_short = s->end.end == ENGINE_FIRMWARE_FAILED;
    return ARMPMU_OK;
}

static void on_progress(void *user, double seconds, uint64_t cycles, uint64_t insns)
{
    struct stat_session *const s = user;

    progress_show(&s->progress, seconds, cycles, insns);
}

/* Runs the program as often as asked for; *result is the last run's, freed by the caller. */
/* One of --layouts. */
static enum armpmu_status run_layout(struct stat_session *s, struct engine_job *job, unsigned i,
                                     struct engine_result *result)
{
    struct armpmu_machine *machine;
    enum armpmu_status status = stat_layout_machine(s->options, s->machine, i, &machine, s->err);

    if (status != ARMPMU_OK)
        return status;
    job->machine = machine;
    job->code_offset = stat_layout_offset(i);
    status = engine_qemu_run(job, result, s->err);
    armpmu_machine_free(machine);
    return status;
}

static enum armpmu_status run_program(struct stat_session *s, struct engine_result *result)
{
    const bool is_silent = s->options->quiet || (s->report.intervals && !s->report.in_file);
    struct engine_job job = {
        .machine = s->machine,
        .argv = (const char *const *)s->options->program,
        .sysroot = s->options->sysroot,
        .qemu = s->options->qemu,
        .keep_running = s->options->keep_running,
        .only_first = s->options->no_inherit,
        .only = s->only,
        .on_interval = on_interval,
        .profile = detail(s),
        .on_profile = on_profile,
        .region = region_of(&s->region),
        .mark = mark,
        .timeout_seconds = s->options->firmware.job.timeout_seconds,
        .on_progress = progress_is_wanted(is_silent) ? on_progress : NULL,
        .warn = undefined_warn,
        .trace_from = s->trace,
        .from_insn = s->options->from_insn,
        .to_insn = s->options->to_insn,
        .user = s,
    };

    enum armpmu_status status = stable_options_apply(&s->options->stable, &job, s->err);
    if (status != ARMPMU_OK)
        return status;
    s->progress.machine = s->machine;
    stat_intervals_open(&s->intervals, &s->options->interval, &job);
    for (unsigned i = 0; i < s->options->runs; i++) {
        engine_result_free(result);
        *result = (struct engine_result){0};
        status = s->firmware               ? run_firmware(s, &job, result)
                 : s->options->layouts > 0 ? run_layout(s, &job, i, result)
                                           : engine_qemu_run(&job, result, s->err);
        progress_end(&s->progress);
        if (status != ARMPMU_OK)
            return status;
        job.warn = NULL; /* once is enough */
        if (region_is_given(&s->region))
            region_apply(&s->region, result);
        learn(s, result);
        status = report_tally_add(&s->tally, &s->events, result->signals, s->err);
        if (status != ARMPMU_OK || !report_is_complete(&s->report))
            return status;
        if (i + 1 < s->options->runs && termination_signal() != 0) {
            s->report.interrupted = termination_signal();
            return ARMPMU_OK;
        }
    }
    return ARMPMU_OK;
}

static enum armpmu_status print_report(struct stat_session *s, const struct engine_result *result)
{
    enum armpmu_status status;

    s->report.runs_done = (unsigned)s->tally.runs;
    s->report.seconds =
        report_seconds(s->machine, s->options->layouts > 0 && s->report.n_threads == 1
                                       ? report_tally_cycles(&s->tally)
                                       : s->busiest_cycles / s->tally.runs);
    if (s->report.intervals)
        status = print_last_interval(s, result);
    else if (s->report.per_thread || s->report.per_process)
        status = stat_threads(&s->report, result, print_thread, s, s->err);
    else
        status = print_section(s, &s->tally, s->report.seconds, NULL);
    if (status != ARMPMU_OK)
        return status;
    status = begin(s); /* a program without threads has no section */
    if (status == ARMPMU_OK && !s->printer->end(&s->report, s->output.stream))
        status = fail_no_memory(s->err, "the report");
    if (status != ARMPMU_OK)
        return status;
    return s->hot_spot.collection != NULL ? print_hot_spot(s, result) : ARMPMU_OK;
}

/* After a text report; beside another, whose reader wants nothing else, on standard error. */
static enum armpmu_status compare(struct stat_session *s, int *end)
{
    FILE *const stream = s->printer == &print_text ? s->output.stream : stderr;
    const enum armpmu_status status =
        baseline_compare(&s->baseline, &s->report, &s->tally, stream, s->err);

    if (s->baseline.comparison.has_failed && *end == 0)
        *end = EXIT_ROSE;
    return status;
}

/* --- setting up ------------------------------------------------------------------------------ */

/* Those of the other run, if none is named. */
static enum armpmu_status choose_events(struct stat_session *s)
{
    const struct stat_options *const o = s->options;
    const struct armpmu_core *const core = armpmu_machine_core(s->machine);
    enum armpmu_status status = ARMPMU_OK;

    if (o->events.n == 0 && o->metrics.n == 0 && o->detail == 0)
        status = baseline_events(&s->baseline, core, &s->events, s->err);
    if (status == ARMPMU_OK && s->events.count == 0)
        status = stat_events(o, core, &s->events, s->err);
    if (status == ARMPMU_OK)
        status = metric_list_mark(core, &o->metrics, &s->metrics, s->err);
    return status == ARMPMU_OK ? baseline_check(&s->baseline, core, &s->events, s->err) : status;
}

/* NULL: standard error. */
static const char *report_path(const struct stat_options *o)
{
    return o->print.output == NULL && o->quiet ? "/dev/null" : o->print.output;
}

/* What only a run has. */
static enum armpmu_status choose_engine(struct stat_session *s)
{
    const struct stat_options *const o = s->options;

    if (s->trace != NULL)
        return ARMPMU_OK;
    if (o->program[0] == NULL)
        return fail(s->err, ARMPMU_BAD_CONFIG,
                    "stat: no program to run; 'armpmu help stat' shows how to name one");
    const struct firmware_question asked = {"stat",
                                            firmware_options_engine(&o->firmware, o->engine),
                                            o->program[0], o->has_firmware, o->keep_running};
    const enum armpmu_status status = firmware_options_choose(&asked, &s->firmware, s->err);
    if (status == ARMPMU_OK && s->firmware && o->layouts > 0)
        return fail(s->err, ARMPMU_BAD_CONFIG,
                    "--layouts: firmware lies where its file says; leave it out");
    return status == ARMPMU_OK
               ? firmware_options_check_files(&o->firmware,
                                              firmware_options_file(o->program[0], s->firmware),
                                              o->machine, o->print.output, s->err)
               : status;
}

static enum armpmu_status set_up(struct stat_session *s)
{
    const struct stat_options *o = s->options;

    s->region = (struct region){.program = o->program[0], .sysroot = o->sysroot};
    s->hot_spot.sysroot = o->sysroot;
    enum armpmu_status status = choose_engine(s);
    if (status == ARMPMU_OK)
        status = machine_choice_load(o->machine, &o->settings, &s->machine, s->err);
    if (status == ARMPMU_OK)
        status = region_open(&s->region, &o->region, s->machine, o->interval.unit != INTERVAL_NONE,
                             s->err);
    if (status == ARMPMU_OK)
        status = baseline_open(&s->baseline, &o->baseline, s->err);
    if (status == ARMPMU_OK)
        status = choose_events(s);
    if (status == ARMPMU_OK)
        status = output_open_parts(&s->output, report_path(o), o->print.append,
                                   o->interval.unit != INTERVAL_NONE, s->err);
    s->printer = print_options_printer(&o->print);
    s->only = needed(s);
    if (status == ARMPMU_OK && wants_hot_spot(s))
        status = hot_spot_open(&s->hot_spot, armpmu_machine_core(s->machine), s->err);
    s->subject = report_program;
    if (s->trace != NULL)
        s->subject.command = "replay";
    s->report = (struct report){
        .subject = &s->subject,
        .machine = s->machine,
        .machine_choice = machine_choice_name(o->machine),
        .of_program = !s->firmware,
        .is_stable = s->trace != NULL ? trace_file_setup(s->trace)->is_stable : o->stable.is_stable,
        .events = &s->events,
        .metrics = s->metrics,
        .argv = (const char *const *)o->program,
        .mode = o->mode,
        .runs = o->runs,
        .has_medians = o->layouts > 0,
        .per_thread = o->per_thread,
        .per_process = o->per_process,
        .topdown = o->topdown,
        .methodology = o->methodology,
        .lacks_time = s->only != ENGINE_ALL,
        .intervals = o->interval.unit != INTERVAL_NONE,
        .big_numbers = o->print.big_numbers,
        .color = print_options_color(&o->print),
        .in_file = report_path(o) != NULL,
        .argument = o->print.argument,
    };
    return status;
}

/* Returns the exit status; where it is one of armpmu's own, s->err says why. */
static int run_session(struct stat_session *s)
{
    struct engine_result result = {0};

    s->err->message[0] = '\0';
    termination_catch();
    enum armpmu_status status = set_up(s);
    if (status != ARMPMU_OK)
        return EXIT_ARMPMU;
    status = run_program(s, &result);
    if (status != ARMPMU_OK) {
        engine_result_free(&result);
        return s->trace != NULL ? EXIT_ARMPMU : engine_failure(status);
    }
    int end = s->firmware ? firmware_end(&s->options->firmware, &s->end, s->options->program[0])
                          : shell_status(s->wait_status);
    if (s->report.interrupted != 0)
        end = EXIT_SIGNAL + s->report.interrupted;
    else if (s->report.timed_out)
        end = EXIT_LIMIT;
    s->report.exit_status = end;
    end = s->trace != NULL ? 0 : end;
    undefined_explain(&result, s->machine, s->options->program[0]);
    fault_explain(&result, s->options->program[0], s->options->sysroot);
    if (s->report.in_file) /* else the report says so */
        ended_explain(&result, s->options->program[0]);
    status = region_check(&s->region, result.signals[ARMPMU_SIGNAL_INST_RETIRED] != 0, s->err);
    if (status == ARMPMU_OK)
        status = print_report(s, &result);
    if (status == ARMPMU_OK)
        status = compare(s, &end);
    if (status == ARMPMU_OK)
        status = output_close(&s->output, s->err);
    if (status == ARMPMU_OK && result.problem.message[0] != '\0') {
        *s->err = result.problem;
        status = ARMPMU_IO;
    }
    engine_result_free(&result);
    return status == ARMPMU_OK ? end : EXIT_ARMPMU;
}

static int run_and_close(struct stat_session *s)
{
    const int status = run_session(s);

    if (output_is_cut(&s->output))
        print_error("'%s' has what was printed before the error: it is not complete",
                    s->output.path);
    output_discard(&s->output);
    report_tally_free(&s->tally);
    region_close(&s->region);
    hot_spot_close(&s->hot_spot);
    baseline_close(&s->baseline);
    event_list_free(&s->events);
    free(s->metrics);
    armpmu_machine_free(s->machine);
    return status;
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct stat_session s = {.options = options, .err = err};

    (void)out;
    s.options->program = operands;
    if (stat_options_check(s.options, err) != ARMPMU_OK)
        return EXIT_ARMPMU;
    if (s.options->layouts > 0)
        s.options->runs = s.options->layouts;
    s.tally.has_medians = s.options->layouts > 0;
    return run_and_close(&s);
}

int stat_replay(struct stat_options *options, struct trace_file *trace, struct armpmu_error *err)
{
    struct stat_session s = {.options = options, .trace = trace, .err = err};

    options->program = (char *const *)(uintptr_t)trace_file_setup(trace)->arguments;
    return run_and_close(&s);
}

const struct command command_stat = {
    .name = "stat",
    .summary = "run a program and count its events",
    .synopsis = "stat [OPTIONS] [--] PROGRAM [ARGUMENTS]",
    .text = "Runs an Arm Linux program or firmware and counts the events that the machine's\n"
            "performance monitor would count. The report goes to standard error; standard\n"
            "output and the exit status are the program's.\n",
    .options = stat_rows,
    .notes = "An interrupt (Ctrl-C) ends the program, and a second one ends armpmu. In both\n"
             "cases the counts up to then are printed.\n",
    .operands = COMPLETE_PROGRAM,
    .runs_program = true,
    .ends = ENDS_AS_PROGRAM | ENDS_LIMIT | ENDS_ROSE,
    .options_bytes = sizeof(struct stat_options),
    .defaults = &stat_defaults,
    .run = run,
};

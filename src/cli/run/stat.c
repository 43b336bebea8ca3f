/* `armpmu stat`: runs a program and prints what its core would have counted. */
#include "cli/commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/termination.h"
#include "cli/run/baseline.h"
#include "cli/run/stat.h"
#include "cli/metric_list.h"
#include "cli/run/report.h"
#include "cli/run/session.h"
#include "cli/run/ended.h"

#define INSN_BYTES 4u
#define OFFSETS    9u /* of --layouts, 0 to 8 instructions: more is another line, as fewer is */

/* One `armpmu stat`, from its options to its report. */
struct stat_session {
    struct stat_options *options;
    struct session run;
    struct event_list events;
    enum engine_only only; /* what they need */
    bool *metrics;         /* those to print, as struct report has them */
    struct report report;

    struct report_tally tally;              /* of all runs                                     */
    uint64_t busiest_cycles;                /* of the longest-running thread, summed over runs */
    uint64_t first[ARMPMU_SIGNAL_COUNT];    /* the first run's counts                          */
    uint64_t interval[ARMPMU_SIGNAL_COUNT]; /* counts at the end of the last row of -I    */
    enum armpmu_status interval_status;     /* the first failure inside on_interval   */

    struct report_subject subject;
    struct hot_spot hot_spot;
    struct baseline baseline;
    struct versions versions;

    struct armpmu_error *err;
};

/* --- printing -------------------------------------------------------------------------------- */

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
    struct report_section section = {.seconds = seconds, .thread = thread};
    enum armpmu_status status = report_section_fill(&s->report, tally, &section, s->err);

    if (status == ARMPMU_OK && s->options->verbose)
        print_verbose(&section);
    if (status == ARMPMU_OK)
        status = report_put(&s->report, &section, s->run.output.stream, s->err);
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
    const double seconds = report_seconds(s->run.machine, signals[ARMPMU_SIGNAL_CPU_CYCLES]);

    return print_signals(s, signals, seconds, name);
}

/* A table for each, in the order of the program's symbols. */
static enum armpmu_status print_regions(struct stat_session *s)
{
    const struct region *const region = &s->run.region;
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < region->n_marked && status == ARMPMU_OK; i++)
        status = print_thread(s, region->marked[i].name, region->marked[i].signals);
    return status;
}

/* --- intervals ------------------------------------------------------------------------------- */

static enum armpmu_status print_interval(struct stat_session *s, const uint64_t *counts,
                                         uint64_t cycles)
{
    const double seconds = report_seconds(s->run.machine, cycles);
    const enum armpmu_status status = print_signals(s, counts, seconds, NULL);

    return status != ARMPMU_OK ? status : output_flush(&s->run.output, s->err);
}

/* Takes the counts since the row before. */
static void take_interval(struct stat_session *s, const uint64_t *now, uint64_t *counts)
{
    for (size_t i = 0; i < ARMPMU_SIGNAL_COUNT; i++)
        counts[i] = now[i] - s->interval[i];
    memcpy(s->interval, now, sizeof s->interval);
}

static void on_interval(void *user, uint64_t number, const uint64_t *signals)
{
    struct stat_session *const s = user;
    uint64_t counts[ARMPMU_SIGNAL_COUNT];

    take_interval(s, signals, counts);
    if (s->interval_status != ARMPMU_OK)
        return;
    s->interval_status = print_interval(s, counts, session_interval_end(&s->run, number, signals));
    if (s->interval_status != ARMPMU_OK)
        termination_cut();
}

/* When the last thread ended, by the first thread's clock. */
static uint64_t last_clock(const struct run_result *result)
{
    uint64_t last = 0;

    for (size_t i = 0; i < result->n_threads; i++) {
        const struct engine_thread *const thread = &result->threads[i];
        const bool is_first = thread->process == 1 && thread->thread == 1;
        const uint64_t end =
            thread->signals[ARMPMU_SIGNAL_CPU_CYCLES] + (is_first ? 0 : result->others_start);
        last = end > last ? end : last;
    }
    return last;
}

/* Prints the rest after the last whole interval. */
static enum armpmu_status print_last_interval(struct stat_session *s)
{
    const struct run_result *const result = &s->run.result;
    const uint64_t end =
        s->run.interval_cycles > 0 ? last_clock(result) : result->signals[ARMPMU_SIGNAL_CPU_CYCLES];
    uint64_t counts[ARMPMU_SIGNAL_COUNT];

    if (s->interval_status != ARMPMU_OK || end == 0 ||
        memcmp(result->signals, s->interval, sizeof s->interval) == 0)
        return s->interval_status;
    take_interval(s, result->signals, counts);
    return print_interval(s, counts, end);
}

/* --- running --------------------------------------------------------------------------------- */

static void learn(struct stat_session *s)
{
    const struct run_result *const result = &s->run.result;
    uint64_t busiest = 0;

    for (size_t i = 0; i < result->n_threads; i++) {
        const uint64_t cycles = result->threads[i].signals[ARMPMU_SIGNAL_CPU_CYCLES];
        busiest = cycles > busiest ? cycles : busiest;
    }
    s->busiest_cycles += busiest;
    if (s->tally.runs == 0)
        memcpy(s->first, result->signals, sizeof s->first);
    else if (memcmp(s->first, result->signals, sizeof s->first) != 0)
        s->report.runs_differ = true;
}

static enum armpmu_status on_profile(void *user, const struct engine_thread *thread,
                                     struct armpmu_sim *sim, uint32_t file,
                                     struct armpmu_error *err)
{
    struct stat_session *const s = user;
    enum armpmu_status status = ARMPMU_OK;

    if (region_is_given(&s->run.region))
        status = region_count(&s->run.region, thread->process, thread->thread, sim, err);
    if (status == ARMPMU_OK && s->hot_spot.collection != NULL)
        status = profile_collect(s->hot_spot.collection, thread->process, thread->thread, sim, file,
                                 err);
    return status;
}

static enum armpmu_profile_detail detail(const struct stat_session *s)
{
    if (region_is_given(&s->run.region))
        return ARMPMU_PROFILE_INSNS;
    return s->hot_spot.collection != NULL ? ARMPMU_PROFILE_BLOCKS : ARMPMU_PROFILE_OFF;
}

/* The signals that the events need, where nothing else is asked for. Counters of 32 bits run over,
 * and layouts differ in time. */
static enum engine_only needed(const struct stat_session *s)
{
    const struct stat_options *const o = s->options;
    enum engine_only only = s->events.count > 0 ? ENGINE_INSNS : ENGINE_ALL;

    if (s->run.source != SESSION_PROGRAM || o->mode != MODE_ALL || o->topdown || o->methodology ||
        o->metrics.n != 0 || o->run.interval.unit != INTERVAL_NONE || o->layouts != 0 ||
        region_is_given(&s->run.region))
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

    return s->run.source != SESSION_TRACE && o->hot_spot && !o->quiet &&
           s->report.printer == &print_text && s->events.count > 0 && s->only == ENGINE_ALL &&
           o->runs == 1 && o->layouts == 0 && o->run.interval.unit == INTERVAL_NONE &&
           hot_spot_has_names(s->run.program[0]);
}

static enum armpmu_status print_hot_spot(struct stat_session *s)
{
    const struct record_run run = {
        .machine = s->run.machine,
        .machine_choice = machine_choice_name(s->options->run.machine),
        .engine = "",
        .argv = (const char *const *)s->run.program,
    };

    return hot_spot_print(&s->hot_spot, &run,
                          s->run.source == SESSION_FIRMWARE ? NULL : &s->run.result,
                          s->run.output.stream, s->err);
}

/* Runs one of --layouts: other places of code and pages. The seed is the chosen machine's plus the
 * number of the run. */
static enum armpmu_status run_layout(struct stat_session *s, unsigned run)
{
    const char *const first = armpmu_machine_value(s->run.machine, "random.seed");
    struct machine_settings settings = s->options->run.settings;
    struct armpmu_machine *machine;
    char seed[24];

    snprintf(seed, sizeof seed, "%llu", (first != NULL ? strtoull(first, NULL, 0) : 0) + run);
    settings.seed = seed;
    enum armpmu_status status =
        machine_choice_load(s->options->run.machine, &settings, &machine, s->err);
    if (status != ARMPMU_OK)
        return status;
    s->run.job.machine = machine;
    s->run.job.code_offset = INSN_BYTES * (run % OFFSETS);
    status = session_run(&s->run);
    s->run.job.machine = s->run.machine;
    armpmu_machine_free(machine);
    return status;
}

static enum armpmu_status run_once(struct stat_session *s, unsigned run)
{
    enum armpmu_status status = s->options->layouts > 0 ? run_layout(s, run) : session_run(&s->run);

    if (status != ARMPMU_OK)
        return status;
    s->run.job.warn = NULL; /* once is enough */
    if (s->run.result.firmware.end == ENGINE_FIRMWARE_EXIT &&
        s->run.result.firmware.advice[0] != '\0')
        s->report.note = s->run.result.firmware.advice;
    if (region_is_given(&s->run.region))
        region_apply(&s->run.region, &s->run.result);
    learn(s);
    return report_tally_add(&s->tally, &s->events, s->run.result.signals, s->err);
}

/* Runs the program as often as asked for. */
static enum armpmu_status run_program(struct stat_session *s)
{
    s->run.job.only = s->only;
    s->run.job.profile = detail(s);
    s->run.job.warn = undefined_warn;
    for (unsigned i = 0; i < s->options->runs; i++) {
        const enum armpmu_status status = run_once(s, i);
        if (status != ARMPMU_OK || !report_is_complete(&s->report))
            return status;
        if (i + 1 < s->options->runs && termination_signal() != 0) {
            s->run.result.interrupted = termination_signal();
            return ARMPMU_OK;
        }
    }
    return ARMPMU_OK;
}

static enum armpmu_status print_report(struct stat_session *s)
{
    enum armpmu_status status;

    s->report.exit_status = session_program_status(&s->run);
    if ((s->report.printer == &print_json && s->report.argument != NULL) ||
        s->options->baseline.file != NULL) {
        session_versions(&s->run, &s->versions);
        s->report.versions = &s->versions;
    }
    s->report.runs_done = (unsigned)s->tally.runs;
    s->report.seconds =
        report_seconds(s->run.machine, s->options->layouts > 0 && s->run.result.n_threads == 1
                                           ? report_tally_cycles(&s->tally)
                                           : s->busiest_cycles / s->tally.runs);
    if (s->report.intervals)
        status = print_last_interval(s);
    else if (s->report.per_thread || s->report.per_process)
        status = stat_threads(&s->report, &s->run.result, print_thread, s, s->err);
    else if (s->report.per_region)
        status = print_regions(s);
    else
        status = print_section(s, &s->tally, s->report.seconds, NULL);
    if (status != ARMPMU_OK)
        return status;
    status = report_finish(&s->report, s->run.output.stream, s->err);
    return status == ARMPMU_OK && s->hot_spot.collection != NULL ? print_hot_spot(s) : status;
}

/* After a text report; beside another, whose reader wants nothing else, on standard error. */
static enum armpmu_status compare(struct stat_session *s)
{
    FILE *const stream = s->report.printer == &print_text ? s->run.output.stream : stderr;
    s->baseline.region = &s->run.region;
    const enum armpmu_status status =
        baseline_compare(&s->baseline, &s->report, &s->tally, stream, s->err);

    s->run.has_risen = s->baseline.comparison.has_failed;
    return status;
}

/* --- setting up ------------------------------------------------------------------------------ */

/* Those of the other run, if none is named. */
static enum armpmu_status choose_events(struct stat_session *s)
{
    const struct stat_options *const o = s->options;
    const struct armpmu_core *const core = armpmu_machine_core(s->run.machine);
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

static void set_up_report(struct stat_session *s)
{
    const struct stat_options *const o = s->options;
    struct trace_file *const trace = s->run.job.trace_from;

    s->subject = report_program;
    s->subject.command = s->run.command;
    s->report = stat_options_report(o, &s->run);
    s->report.subject = &s->subject;
    s->report.of_program = s->run.source != SESSION_FIRMWARE;
    s->report.is_stable =
        trace != NULL ? trace_file_setup(trace)->is_stable : o->run.stable.is_stable;
    s->report.events = &s->events;
    s->report.metrics = s->metrics;
    s->report.in_file = report_path(o) != NULL;
    s->run.is_quiet = o->quiet || (s->report.intervals && !s->report.in_file);
}

/* All that can be refused before something is counted or written. */
static enum armpmu_status check_choices(struct stat_session *s)
{
    const struct stat_options *const o = s->options;

    enum armpmu_status status = session_open(&s->run, o->print.output);
    if (status == ARMPMU_OK && s->run.source == SESSION_FIRMWARE && o->layouts > 0)
        status = fail(s->err, ARMPMU_BAD_CONFIG,
                      "--layouts: firmware has the addresses of its file; leave it out");
    if (status == ARMPMU_OK)
        status = baseline_open(&s->baseline, &o->baseline, s->err);
    if (status == ARMPMU_OK && s->run.source == SESSION_TRACE)
        status = engine_trace_check(&s->run.job, s->err);
    return status == ARMPMU_OK ? choose_events(s) : status;
}

static enum armpmu_status set_up(struct stat_session *s)
{
    const struct stat_options *const o = s->options;

    enum armpmu_status status = check_choices(s);
    if (status == ARMPMU_OK)
        status = output_open_parts(&s->run.output, report_path(o), o->print.append,
                                   o->run.interval.unit != INTERVAL_NONE, s->err);
    if (status != ARMPMU_OK)
        return status;
    set_up_report(s);
    s->only = needed(s);
    s->report.lacks_time = s->only != ENGINE_ALL;
    s->hot_spot.sysroot = o->run.sysroot;
    return wants_hot_spot(s)
               ? hot_spot_open(&s->hot_spot, armpmu_machine_core(s->run.machine), s->err)
               : ARMPMU_OK;
}

/* Zeros of a part without a block would look like counts. */
static enum armpmu_status check_part(const struct stat_session *s)
{
    const struct run_options *const o = &s->options->run;

    if ((o->from_insn == 0 && o->to_insn == 0) ||
        s->run.result.signals[ARMPMU_SIGNAL_INST_RETIRED] != 0)
        return ARMPMU_OK;
    return fail(s->err, ARMPMU_NOT_FOUND,
                "%s: the trace has no whole block of instructions there, so nothing was counted; "
                "'armpmu replay -e instructions' counts how many it has",
                o->from_insn != 0 ? "--from" : "--to");
}

static enum armpmu_status count(struct stat_session *s)
{
    enum armpmu_status status = set_up(s);
    if (status == ARMPMU_OK)
        status = run_program(s);
    if (status != ARMPMU_OK)
        return status;
    session_explain(&s->run, !s->report.in_file);
    status = region_check(&s->run.region, s->run.result.signals[ARMPMU_SIGNAL_INST_RETIRED] != 0,
                          s->err);
    if (status == ARMPMU_OK)
        status = check_part(s);
    if (status == ARMPMU_OK)
        status = print_report(s);
    if (status == ARMPMU_OK)
        status = compare(s);
    return status == ARMPMU_OK ? output_close(&s->run.output, s->err) : status;
}

int stat_run(const char *command, struct stat_options *options, char *const *program,
             struct trace_file *trace, struct armpmu_error *err)
{
    struct stat_session s = {
        .options = options,
        .run = {.command = command,
                .options = &options->run,
                .program = program,
                .source = trace != NULL ? SESSION_TRACE : SESSION_PROGRAM,
                .job.trace_from = trace,
                .on_profile = on_profile,
                .on_interval = on_interval,
                .err = err},
        .tally.has_medians = options->layouts > 0,
        .err = err,
    };

    s.run.user = &s;
    const int end = session_close(&s.run, options->checks_only ? check_choices(&s) : count(&s));
    report_tally_free(&s.tally);
    hot_spot_close(&s.hot_spot);
    baseline_close(&s.baseline);
    event_list_free(&s.events);
    free(s.metrics);
    return end;
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct stat_options *const o = options;

    (void)out;
    if (stat_options_check(o, err) != ARMPMU_OK)
        return EXIT_ARMPMU;
    if (o->layouts > 0)
        o->runs = o->layouts;
    return stat_run("stat", o, operands, NULL, err);
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
    .ends = ENDS_AS_PROGRAM | ENDS_LIMIT | ENDS_ROSE | ENDS_FIRMWARE,
    .options_bytes = sizeof(struct stat_options),
    .defaults = &stat_defaults,
    .run = run,
};

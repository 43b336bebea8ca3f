/* `armpmu record`: runs a program and writes where its events happened. */
#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "armpmu/profile.h"
#include "base/array.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/termination.h"
#include "cli/cmd/debuginfod_option.h"
#include "cli/cmd/firmware_options.h"
#include "cli/cmd/interval.h"
#include "cli/cmd/progress.h"
#include "cli/cmd/record_guest.h"
#include "cli/cmd/record_setup.h"
#include "cli/cmd/region.h"
#include "cli/cmd/stable_options.h"
#include "cli/ended.h"
#include "cli/event_list.h"
#include "cli/machine_choice.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/fault.h"
#include "cli/undefined.h"
#include "cli/report/profile_table.h"
#include "profile/collect.h"
#include "profile/profile_file.h"
#include "profile/symbols.h"
#include "qemu/engine.h"
#include "unicorn/firmware_run.h"

struct record_options {
    struct option_list events; /* the -e lists */
    bool paths, quiet;
    char sampling[8]; /* -F or -c, which have no effect; "" */
    struct interval_choice interval;
    struct region_options region;
    struct stable_options stable;
    const char *machine, *sysroot, *qemu, *output, *trace;
    struct machine_settings settings;
    bool keep_running, no_inherit;
    enum engine_choice engine;
    struct firmware_options firmware;
    bool has_firmware; /* one of these was given */
    struct record_guest_options guest;
};

/* The counts at the end of an interval, since the start. */
struct interval_record {
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
};

/* One `armpmu record`, from its options to its file. */
struct record_session {
    struct record_options *options;
    char *const *program;
    struct armpmu_machine *machine;
    struct event_list events;
    const struct armpmu_event **recorded; /* of events */
    struct output output;
    struct profile_collection *collection;
    struct region region;
    struct interval_record *intervals; /* whole ones, in order of time */
    size_t n_intervals, intervals_room;
    uint64_t interval_cycles; /* length of each; 0 when it is not in cycles */
    struct profile *profile;
    struct engine_result result;
    bool firmware;                     /* the program is for the bare core */
    struct engine_firmware_result end; /* how it ended */
    bool is_guest;                     /* the program is QEMU, with a machine */
    struct record_guest guest;
    struct progress_line progress;
    struct armpmu_error *err;
};

/* ---- setting up ------------------------------------------------------------------------------ */

static enum armpmu_status choose_events(struct record_session *s)
{
    const struct armpmu_core *const core = armpmu_machine_core(s->machine);
    const struct option_list *const lists = &s->options->events;
    const enum count_mode mode = s->is_guest ? MODE_MACHINE : MODE_ALL;
    enum armpmu_status status = ARMPMU_OK;

    s->events.of_program = !s->is_guest && !s->firmware;
    for (size_t i = 0; i < lists->n && status == ARMPMU_OK; i++)
        status = event_list_parse(&s->events, core, mode, lists->values[i], s->err);
    if (lists->n == 0)
        status = event_list_parse(&s->events, core, mode, "all", s->err);
    if (status != ARMPMU_OK)
        return status;
    s->recorded = calloc(s->events.count + 1, sizeof *s->recorded);
    if (s->recorded == NULL)
        return fail_no_memory(s->err, "the events");
    for (size_t i = 0; i < s->events.count; i++)
        s->recorded[i] = s->events.items[i].event;
    return ARMPMU_OK;
}

static const char *output_path(const struct record_options *options)
{
    return options->output != NULL ? options->output : PROFILE_FILE_DEFAULT;
}

struct given_option {
    bool is_given;
    const char *name;
};

static enum armpmu_status refuse(const struct given_option *options, size_t n, const char *beside,
                                 struct armpmu_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (options[i].is_given)
            return fail(err, ARMPMU_BAD_CONFIG,
                        "record: %s cannot be combined with %s; leave it out", options[i].name,
                        beside);
    return ARMPMU_OK;
}

/* What a machine has no use for. */
static enum armpmu_status check_guest(const struct record_session *s)
{
    const struct record_options *const o = s->options;
    const struct given_option options[] = {{o->has_firmware, "options of firmware"},
                                           {o->engine != ENGINE_AUTO, "--engine"},
                                           {o->qemu != NULL, "--qemu"},
                                           {o->interval.unit != INTERVAL_NONE, "-I"},
                                           {o->region.rois.n > 0, "--roi"},
                                           {o->stable.is_stable, "--stable"},
                                           {o->firmware.job.timeout_seconds > 0, "--timeout"},
                                           {o->region.delay.unit != INTERVAL_NONE, "-D"}};

    return refuse(options, sizeof options / sizeof options[0], "--guest", s->err);
}

/* What does not matter before a replay, or is no trace of a program for Linux. */
static enum armpmu_status check_trace(const struct record_options *o, struct armpmu_error *err)
{
    const struct given_option options[] = {{o->guest.is_chosen, "--guest"},
                                           {o->has_firmware, "options of firmware"},
                                           {o->engine == ENGINE_UNICORN, "--engine unicorn"},
                                           {o->output != NULL, "-o"},
                                           {o->events.n != 0, "-e"},
                                           {o->paths, "-g"},
                                           {o->interval.unit != INTERVAL_NONE, "-I"},
                                           {o->region.rois.n > 0, "--roi"},
                                           {o->region.delay.unit != INTERVAL_NONE, "-D"},
                                           {o->settings.set.n != 0, "--set"},
                                           {o->settings.seed != NULL, "--seed"}};

    return refuse(options, sizeof options / sizeof options[0],
                  "--trace, which holds what is executed, not what is counted", err);
}

static enum armpmu_status choose_engine(struct record_session *s)
{
    const struct record_options *const o = s->options;

    s->is_guest = o->guest.is_chosen;
    s->guest.options = &o->guest;
    if (s->is_guest)
        return check_guest(s);
    const struct firmware_question asked = {"record",
                                            firmware_options_engine(&o->firmware, o->engine),
                                            s->program[0], o->has_firmware, o->keep_running};
    return firmware_options_choose(&asked, &s->firmware, s->err);
}

static enum armpmu_status set_up(struct record_session *s)
{
    const struct record_options *const o = s->options;

    if (s->program[0] == NULL)
        return fail(s->err, ARMPMU_BAD_CONFIG,
                    "record: no program to run; 'armpmu help record' shows how to name one");
    s->region = (struct region){.program = s->program[0], .sysroot = o->sysroot};
    enum armpmu_status status = choose_engine(s);
    if (status == ARMPMU_OK)
        status = machine_choice_load(o->machine, &o->settings, &s->machine, s->err);
    if (status == ARMPMU_OK)
        status = record_guest_prepare(&s->guest, s->machine, output_path(o), s->err);
    if (status == ARMPMU_OK)
        status = firmware_options_check_files(&o->firmware,
                                              firmware_options_file(s->program[0], s->firmware),
                                              o->machine, output_path(o), s->err);
    if (status == ARMPMU_OK)
        status = choose_events(s);
    if (status == ARMPMU_OK)
        status = output_open(&s->output, "-o", output_path(o), false, s->err);
    if (status == ARMPMU_OK)
        status =
            profile_collection_new(s->recorded, s->events.count, o->paths, &s->collection, s->err);
    if (status == ARMPMU_OK)
        status = region_open(&s->region, &o->region, s->machine, o->interval.unit != INTERVAL_NONE,
                             s->err);
    return status;
}

/* ---- running --------------------------------------------------------------------------------- */

static enum armpmu_status collect(void *user, const struct engine_thread *thread,
                                  struct armpmu_sim *sim, struct armpmu_error *err)
{
    const struct record_session *const s = user;

    return profile_collect(s->collection, thread->process, thread->thread, sim, 0, err);
}

static enum armpmu_mark mark(void *user, const struct engine_file *file, uint64_t address)
{
    struct record_session *const s = user;

    return region_mark(&s->region, file, address);
}

static enum armpmu_profile_detail detail(const struct record_session *s)
{
    return s->options->paths ? ARMPMU_PROFILE_PATHS : ARMPMU_PROFILE_INSNS;
}

/* All code of firmware is from its file, the first. */
static enum armpmu_status collect_firmware(void *user, struct armpmu_sim *sim,
                                           struct armpmu_error *err)
{
    const struct record_session *const s = user;

    return profile_collect(s->collection, 1, 1, sim, 1, err);
}

static void on_interval(void *user, uint64_t count, const uint64_t *signals)
{
    struct record_session *const s = user;

    s->n_intervals = (size_t)count;
    if (!ARRAY_RESERVE(s->intervals, s->intervals_room, (size_t)count))
        return; /* add_intervals says so */
    memcpy(s->intervals[count - 1].signals, signals, sizeof s->intervals->signals);
}

static void set_clock(struct record_session *s, enum armpmu_signal *every, uint64_t *period)
{
    *period = interval_of(&s->options->interval, s->machine, every);
    s->interval_cycles = *every == ARMPMU_SIGNAL_CPU_CYCLES ? *period : 0;
}

static void on_progress(void *user, double seconds, uint64_t cycles, uint64_t insns)
{
    struct record_session *const s = user;

    progress_show(&s->progress, seconds, cycles, insns);
}

static enum armpmu_status run_firmware(struct record_session *s)
{
    struct engine_firmware_job *const job = &s->options->firmware.job;

    set_clock(s, &job->every, &job->period);
    job->on_interval = on_interval;
    job->on_progress = progress_is_wanted(s->options->quiet) ? on_progress : NULL;
    job->profile = detail(s);
    job->on_profile = collect_firmware;
    job->region = region_of_firmware(&s->region);
    job->maps_misses = job->region == NULL;
    job->user = s;
    return firmware_options_run(&s->options->firmware, s->machine, s->program, &s->end, s->err);
}

static enum armpmu_status run_guest(struct record_session *s)
{
    struct engine_guest_job job = {
        .machine = s->machine,
        .machine_choice = machine_choice_name(s->options->machine),
        .argv = (const char *const *)s->program,
        .keep_running = s->options->keep_running,
        .profile = detail(s),
    };

    s->guest.collection = s->collection;
    return record_guest_run(&s->guest, &job, s->err);
}

static enum armpmu_status run_program(struct record_session *s)
{
    struct engine_job job = {
        .machine = s->machine,
        .argv = (const char *const *)s->program,
        .sysroot = s->options->sysroot,
        .qemu = s->options->qemu,
        .keep_running = s->options->keep_running,
        .only_first = s->options->no_inherit,
        .on_interval = on_interval,
        .profile = detail(s),
        .maps_misses = region_of(&s->region) == NULL,
        .on_profile = collect,
        .warn = undefined_warn,
        .region = region_of(&s->region),
        .mark = mark,
        .timeout_seconds = s->options->firmware.job.timeout_seconds,
        .on_progress = progress_is_wanted(s->options->quiet) ? on_progress : NULL,
        .user = s,
    };

    enum armpmu_status status = stable_options_apply(&s->options->stable, &job, s->err);
    if (status != ARMPMU_OK)
        return status;
    if (s->is_guest)
        return run_guest(s);
    set_clock(s, &job.every, &job.period);
    s->progress.machine = s->machine;
    status = s->firmware ? run_firmware(s) : engine_qemu_run(&job, &s->result, s->err);
    progress_end(&s->progress);
    return status;
}

/* The program's exit status as a shell gives it. */
static int exit_status(const struct record_session *s)
{
    const struct engine_result *const result = &s->result;

    if (s->firmware)
        return s->end.end == ENGINE_FIRMWARE_INTERRUPTED ? EXIT_SIGNAL + s->end.interrupted
                                                         : s->end.status;
    if (result->timed_out)
        return EXIT_LIMIT;
    const int interrupted = s->is_guest ? s->guest.result.interrupted : result->interrupted;
    if (interrupted != 0)
        return EXIT_SIGNAL + interrupted;
    return shell_status(s->is_guest ? s->guest.result.wait_status : result->wait_status);
}

/* ---- the file -------------------------------------------------------------------------------- */

static enum armpmu_status add_events(struct record_session *s)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < s->events.count && status == ARMPMU_OK; i++) {
        const struct event_item *const item = &s->events.items[i];
        status = record_event(s->profile, item->event, item->label, s->err);
    }
    return status;
}

/* Whether the program ran to its end, and all of it was counted. */
static bool is_complete(const struct record_session *s)
{
    if (s->firmware)
        return s->end.end == ENGINE_FIRMWARE_EXIT;
    if (s->is_guest)
        return s->guest.result.interrupted == 0 && s->guest.result.complete;
    return engine_is_complete(&s->result);
}

static enum armpmu_status add_setup(struct record_session *s)
{
    const struct record_run run = {
        .machine = s->machine,
        .machine_choice = machine_choice_name(s->options->machine),
        .engine = s->firmware   ? "unicorn"
                  : s->is_guest ? "guest"
                                : "qemu",
        .argv = (const char *const *)s->program,
        .exit_status = exit_status(s),
        .is_complete = is_complete(s),
        .has_paths = s->options->paths,
    };

    return record_setup(s->profile, &run, s->err);
}

static enum armpmu_status add_rows(struct record_session *s)
{
    if (s->is_guest)
        return profile_collection_fill(s->collection, s->guest.files, s->guest.n_files,
                                       record_program_name(s->program[0]), s->profile, s->err);
    return record_rows(s->profile, s->collection, s->firmware ? NULL : &s->result, s->program[0],
                       s->err);
}

/* What was counted in an interval; before: NULL for the first. */
static enum armpmu_status add_interval(struct record_session *s,
                                       const struct interval_record *before,
                                       const struct interval_record *now, uint64_t *counts)
{
    for (size_t i = 0; i < s->events.count; i++)
        counts[i] = armpmu_event_count(s->recorded[i], now->signals) -
                    (before != NULL ? armpmu_event_count(s->recorded[i], before->signals) : 0);
    const uint64_t end = s->interval_cycles != 0
                             ? s->interval_cycles * (uint64_t)(now - s->intervals + 1)
                             : now->signals[ARMPMU_SIGNAL_CPU_CYCLES];
    return profile_add_interval(s->profile, end, counts, s->err);
}

static enum armpmu_status add_intervals(struct record_session *s)
{
    uint64_t *const counts = calloc(s->events.count + 1, sizeof *counts);
    enum armpmu_status status =
        counts != NULL && s->n_intervals <= s->intervals_room
            ? ARMPMU_OK
            : fail(s->err, ARMPMU_NO_MEMORY, "no memory for %zu intervals: choose longer ones",
                   s->n_intervals);

    for (size_t i = 0; i < s->n_intervals && status == ARMPMU_OK; i++)
        status = add_interval(s, i != 0 ? &s->intervals[i - 1] : NULL, &s->intervals[i], counts);
    free(counts);
    return status;
}

static enum armpmu_status write_file(struct record_session *s)
{
    enum armpmu_status status = profile_new(&s->profile, s->err);
    if (status == ARMPMU_OK)
        status = add_setup(s);
    if (status == ARMPMU_OK)
        status = add_events(s);
    if (status == ARMPMU_OK)
        status = add_rows(s);
    if (status == ARMPMU_OK)
        status = add_intervals(s);
    if (status == ARMPMU_OK)
        status = record_guest_sources(&s->guest, s->err);
    if (status == ARMPMU_OK)
        status = symbols_resolve(s->profile, s->options->sysroot, s->guest.sources,
                                 s->guest.n_sources, s->err);
    if (status == ARMPMU_OK)
        status = profile_collection_skip_stubs(s->collection, s->profile, s->err);
    if (status == ARMPMU_OK)
        status = profile_file_write(s->profile, s->output.stream, s->err);
    return status;
}

/* As perf record says goodbye. */
static void say_what_was_written(const struct record_session *s)
{
    char *const path = printable_copy(output_path(s->options));
    struct stat file = {0};

    record_guest_say(&s->guest);
    if (s->options->quiet || path == NULL) {
        free(path);
        return;
    }
    (void)stat(output_path(s->options), &file);
    fprintf(stderr, "[ armpmu record: wrote %.2f MB to %s: %zu events at %zu instructions",
            (double)file.st_size / 1e6, path, s->profile->n_events, s->profile->n_insns);
    if (s->options->paths)
        fprintf(stderr, " in %zu call paths", s->profile->n_paths);
    fprintf(stderr, "%s ]\n", s->profile->setup.is_complete ? "" : ", not to the program's end");
    if (s->options->sampling[0] != '\0')
        fprintf(stderr,
                "[ armpmu record: %s had no effect: nothing is sampled, the counts are "
                "exact ]\n",
                s->options->sampling);
    free(path);
}

/* Returns the exit status; where it is one of armpmu's own, s->err says why. */
static int run_session(struct record_session *s)
{
    s->err->message[0] = '\0';
    termination_catch();
    enum armpmu_status status = set_up(s);
    if (status != ARMPMU_OK)
        return EXIT_ARMPMU;
    status = run_program(s);
    if (status != ARMPMU_OK)
        return engine_failure(status);
    status = region_check(&s->region, profile_collection_has_run(s->collection), s->err);
    if (status == ARMPMU_OK)
        status = write_file(s);
    if (status == ARMPMU_OK)
        status = output_close(&s->output, s->err);
    if (status != ARMPMU_OK)
        return EXIT_ARMPMU;
    say_what_was_written(s);
    if (s->profile->setup.lacks_paths)
        print_error("warning: not all call paths: %s", profile_lacks_paths);
    undefined_explain(&s->result, s->machine, s->program[0]);
    fault_explain(&s->result, s->program[0], s->options->sysroot);
    ended_explain(&s->result, s->program[0]);
    if (s->firmware)
        return firmware_end(&s->options->firmware, &s->end, s->program[0]);
    if (s->result.problem.message[0] == '\0')
        return exit_status(s);
    *s->err = s->result.problem;
    return EXIT_ARMPMU;
}

static int run_trace(const struct record_options *o, char *const *program, struct armpmu_error *err)
{
    const struct record_trace job = {
        .path = o->trace,
        .machine = o->machine,
        .sysroot = o->sysroot,
        .qemu = o->qemu,
        .stable = &o->stable,
        .keep_running = o->keep_running,
        .no_inherit = o->no_inherit,
        .quiet = o->quiet,
        .timeout_seconds = o->firmware.job.timeout_seconds,
        .program = program,
    };

    return check_trace(o, err) == ARMPMU_OK ? record_trace(&job, err) : EXIT_ARMPMU;
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct record_session s = {.options = options, .program = operands, .err = err};

    (void)out;
    if (s.options->trace != NULL)
        return run_trace(s.options, operands, err);
    const int status = run_session(&s);
    output_discard(&s.output);
    profile_free(s.profile);
    profile_collection_free(s.collection);
    region_close(&s.region);
    engine_result_free(&s.result);
    record_guest_free(&s.guest);
    event_list_free(&s.events);
    free(s.recorded);
    free(s.intervals);
    armpmu_machine_free(s.machine);
    return status;
}

/* What perf record takes, perhaps with the size of a stack: "dwarf,16384". */
static enum armpmu_status set_call_graph(void *member, const char *option, const char *value,
                                         struct armpmu_error *err)
{
    static const char *const modes[] = {"fp", "dwarf", "lbr", "no"};
    const size_t length = strcspn(value, ",");
    bool *const paths = member;

    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strlen(modes[i]) == length && strncmp(modes[i], value, length) == 0) {
            *paths = strcmp(modes[i], "no") != 0;
            return ARMPMU_OK;
        }
    return fail(err, ARMPMU_BAD_CONFIG,
                "%s '%.40s': there are fp, dwarf, lbr and no, as perf has them; -g takes no value",
                option, value);
}

static enum armpmu_status set_sampling(void *member, const char *option, const char *value,
                                       struct armpmu_error *err)
{
    uint64_t number;

    if (strcmp(value, "max") != 0 && !options_number(value, &number))
        return fail(err, ARMPMU_BAD_CONFIG, "%s '%.40s': a number, as perf takes it", option,
                    value);
    snprintf(member, sizeof((struct record_options *)NULL)->sampling, "%s", option);
    return ARMPMU_OK;
}

static const struct option_row rows[] = {
    {.help = "What to record", .kind = OPTION_HEADING},
    {'e', "event", "LIST",
     "events, separated by ',': names, r08, 0x08, globs, all (default); 'armpmu list' shows the "
     "names",
     OPTION_LIST_TO(struct record_options, events), .completes = COMPLETE_EVENTS},
    {'g', "call-paths", NULL, "also record call paths",
     OPTION_FLAG_TO(struct record_options, paths)},
    {0, "call-graph", "MODE",
     "the same as -g; perf's modes fp, dwarf and lbr make no difference here",
     OPTION_CALL_TO(struct record_options, paths, set_call_graph)},
    {'F', "freq", "N", "no effect: every event is recorded, nothing is sampled",
     OPTION_CALL_TO(struct record_options, sampling, set_sampling)},
    {'c', "count", "N", "no effect, like -F",
     OPTION_CALL_TO(struct record_options, sampling, set_sampling)},
    {'I', "interval", "SPEC",
     "counts for every N simulated milliseconds (N), cycles (Nc) or instructions (Ni), too",
     OPTION_CALL_TO(struct record_options, interval, interval_set), .other_name = "interval-print"},
    {'o', "output", "FILE", "output file; default armpmu.data",
     OPTION_TEXT_TO(struct record_options, output), .completes = COMPLETE_FILE},
    {0, "trace", "FILE", "record the execution instead; 'armpmu replay' counts it on any machine",
     OPTION_TEXT_TO(struct record_options, trace), .completes = COMPLETE_FILE},
    REGION_ROWS_TO(struct record_options, region),
    {'i', "no-inherit", NULL, "do not count the threads and processes that the program starts",
     OPTION_FLAG_TO(struct record_options, no_inherit)},
    {'q', "quiet", NULL, "print no message when the file is written",
     OPTION_FLAG_TO(struct record_options, quiet)},
    {.help = "Target", .kind = OPTION_HEADING},
    OPTION_MACHINE_ROW(struct record_options, machine),
    MACHINE_SETTING_ROWS_TO(struct record_options, settings),
    {0, "sysroot", "DIR", "folder with the libraries of dynamic programs",
     OPTION_TEXT_TO(struct record_options, sysroot), .completes = COMPLETE_FOLDER},
    DEBUGINFOD_ROW,
    {0, "qemu", "FILE", "the QEMU to use", OPTION_TEXT_TO(struct record_options, qemu),
     .completes = COMPLETE_FILE},
    {0, "keep-running", NULL,
     "if armpmu is killed (kill -9), continue the program, uncounted, instead of ending it",
     OPTION_FLAG_TO(struct record_options, keep_running)},
    STABLE_ROWS_TO(struct record_options, stable),
    TIMEOUT_ROW(struct record_options, firmware),
    ENGINE_CHOICE_ROW(struct record_options, engine),
    {OPTION_ROWS_TO(struct record_options, firmware, firmware_rows), .listed_by = "run",
     .given = offsetof(struct record_options, has_firmware)},
    {OPTION_ROWS_TO(struct record_options, guest, record_guest_rows)},
    {.kind = OPTION_END},
};

static const struct record_options defaults = {.firmware = FIRMWARE_DEFAULTS};

const struct command command_record = {
    .name = "record",
    .summary = "run a program and record where its events happen",
    .synopsis = "record [OPTIONS] [--] PROGRAM [ARGUMENTS]\n"
                "record --trace FILE [OPTIONS] [--] PROGRAM [ARGUMENTS]\n"
                "record --guest [OPTIONS] [--] qemu-system-arm|qemu-system-aarch64 [ARGUMENTS]",
    .text = "Runs an Arm Linux program, firmware, or a machine under QEMU (--guest), and\n"
            "records how often each event happened at each instruction. Nothing is sampled.\n"
            "'armpmu report' shows the file by function, line or instruction. The file is an\n"
            "SQLite database (docs/data.md). With --trace, the command records the execution\n"
            "itself, for 'armpmu replay'.\n",
    .options = rows,
    .notes = "An interrupt (Ctrl-C) ends the program, and a second one ends armpmu. In both\n"
             "cases the counts up to then are written; for a guest, only after the first.\n",
    .operands = COMPLETE_PROGRAM,
    .runs_program = true,
    .ends = ENDS_AS_PROGRAM | ENDS_LIMIT,
    .options_bytes = sizeof(struct record_options),
    .defaults = &defaults,
    .run = run,
};

/* `armpmu record`: runs a program and writes where its events happened. */
#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "armpmu/profile.h"
#include "base/array.h"
#include "base/error.h"
#include "base/printable.h"
#include "cli/run/record_guest.h"
#include "cli/run/record_setup.h"
#include "cli/event_list.h"
#include "cli/options.h"
#include "cli/profile/profile_input.h"
#include "cli/run/session.h"
#include "cli/run/ended.h"
#include "profile/collect.h"
#include "profile/jit_dump.h"
#include "profile/profile_file.h"
#include "profile/symbols.h"
#include "profile/task_names.h"
#include "profile/topdown_leaves.h"

struct record_options {
    struct option_list events; /* the -e lists */
    bool paths, edges, quiet, topdown, accesses;
    char sampling[8]; /* -F or -c, which have no effect; "" */
    const char *output, *trace;
    struct run_options run;
    struct record_guest_options guest;
};

/* The counts at the end of an interval, since the start. */
struct interval_record {
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
};

/* One `armpmu record`, from its options to its file. */
struct record_session {
    struct record_options *options;
    struct session run;
    struct event_list events;
    const struct armpmu_event **recorded; /* of events, then the leaves of --topdown */
    size_t n_recorded;
    bool has_topdown;
    struct profile_collection *collection;
    struct interval_record *intervals; /* whole ones, in order of time */
    size_t n_intervals, intervals_room;
    struct profile *profile;
    struct record_guest guest;
    struct jit_map jit;
    struct armpmu_error *err;
};

/* ---- setting up ------------------------------------------------------------------------------ */

static enum armpmu_status choose_events(struct record_session *s)
{
    const struct armpmu_core *const core = armpmu_machine_core(s->run.machine);
    const struct option_list *const lists = &s->options->events;
    const enum count_mode mode = s->run.source == SESSION_MACHINE ? MODE_MACHINE : MODE_ALL;
    enum armpmu_status status = ARMPMU_OK;

    s->events.of_program = s->run.source == SESSION_PROGRAM;
    for (size_t i = 0; i < lists->n && status == ARMPMU_OK; i++)
        status = event_list_parse(&s->events, core, mode, lists->values[i], s->err);
    if (lists->n == 0)
        status = event_list_parse(&s->events, core, mode, "all", s->err);
    if (status != ARMPMU_OK)
        return status;
    s->has_topdown = s->options->topdown || lists->n == 0;
    s->recorded = calloc(s->events.count + TOPDOWN_LEAVES_MOST, sizeof *s->recorded);
    if (s->recorded == NULL)
        return fail_no_memory(s->err, "the events");
    for (size_t i = 0; i < s->events.count; i++)
        s->recorded[i] = s->events.items[i].event;
    s->n_recorded = s->events.count;
    for (size_t i = 0; s->has_topdown && topdown_leaf_event(i) != NULL; i++)
        s->recorded[s->n_recorded++] = topdown_leaf_event(i);
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

/* Refuses options that a machine has no use for. */
static enum armpmu_status check_guest(const struct record_session *s)
{
    const struct record_options *const o = s->options;
    const struct given_option options[] = {{o->run.has_firmware, "options of firmware"},
                                           {o->run.engine != ENGINE_AUTO, "--engine"},
                                           {o->run.qemu != NULL, "--qemu"},
                                           {o->run.interval.unit != INTERVAL_NONE, "-I"},
                                           {o->run.region.rois.n > 0, "--roi"},
                                           {o->run.stable.is_stable, "--stable"},
                                           {o->run.timeout_seconds > 0, "--timeout"},
                                           {o->run.region.delay.unit != INTERVAL_NONE, "-D"}};

    return refuse(options, sizeof options / sizeof options[0], "--guest", s->err);
}

/* A region confines what is counted, but not the accesses that are kept. */
static enum armpmu_status check_accesses(const struct record_options *o, struct armpmu_error *err)
{
    const struct given_option options[] = {{o->run.region.rois.n > 0, "--roi"},
                                           {o->run.region.delay.unit != INTERVAL_NONE, "-D"}};

    return o->accesses ? refuse(options, sizeof options / sizeof options[0], "--mem", err)
                       : ARMPMU_OK;
}

/* Refuses options that do not matter before a replay, or are not for a Linux program. */
static enum armpmu_status check_trace(const struct record_options *o, struct armpmu_error *err)
{
    const struct given_option options[] = {{o->guest.is_chosen, "--guest"},
                                           {o->run.has_firmware, "options of firmware"},
                                           {o->run.engine == ENGINE_UNICORN, "--engine unicorn"},
                                           {o->output != NULL, "-o"},
                                           {o->events.n != 0, "-e"},
                                           {o->paths, "-g"},
                                           {o->edges, "-b"},
                                           {o->accesses, "--mem"},
                                           {o->run.interval.unit != INTERVAL_NONE, "-I"},
                                           {o->run.region.rois.n > 0, "--roi"},
                                           {o->run.region.delay.unit != INTERVAL_NONE, "-D"},
                                           {o->run.settings.set.n != 0, "--set"},
                                           {o->run.settings.seed != NULL, "--seed"}};

    return refuse(options, sizeof options / sizeof options[0],
                  "--trace, which holds what is executed, not what is counted", err);
}

static enum armpmu_status set_up(struct record_session *s)
{
    const struct record_options *const o = s->options;

    s->guest.options = &o->guest;
    enum armpmu_status status = o->guest.is_chosen ? check_guest(s) : check_accesses(o, s->err);
    if (status == ARMPMU_OK)
        status = session_open(&s->run, output_path(o));
    if (status == ARMPMU_OK)
        status = record_guest_prepare(&s->guest, s->run.machine, output_path(o), s->err);
    if (status == ARMPMU_OK)
        status = choose_events(s);
    if (status == ARMPMU_OK)
        status = output_open(&s->run.output, "-o", output_path(o), false, s->err);
    return status == ARMPMU_OK ? profile_collection_new(s->recorded, s->n_recorded, o->paths,
                                                        &s->collection, s->err)
                               : status;
}

/* ---- running --------------------------------------------------------------------------------- */

static enum armpmu_status on_profile(void *user, const struct engine_thread *thread,
                                     struct armpmu_sim *sim, uint32_t file,
                                     struct armpmu_error *err)
{
    struct record_session *const s = user;

    if (!jit_map_note(&s->jit, thread->pid))
        return fail_no_memory(err, "the processes");
    return profile_collect(s->collection, thread->process, thread->thread, sim, file, err);
}

static enum armpmu_profile_detail detail(const struct record_session *s)
{
    const struct record_options *const o = s->options;

    return (o->paths ? ARMPMU_PROFILE_PATHS : ARMPMU_PROFILE_INSNS) |
           (o->edges ? ARMPMU_PROFILE_EDGES : 0u);
}

static void on_interval(void *user, uint64_t count, const uint64_t *signals)
{
    struct record_session *const s = user;

    s->n_intervals = (size_t)count;
    if (!ARRAY_RESERVE(s->intervals, s->intervals_room, (size_t)count))
        return; /* add_intervals says so */
    memcpy(s->intervals[count - 1].signals, signals, sizeof s->intervals->signals);
}

/* Without memory it keeps the name of its function. */
static void on_task(void *user, uint32_t context, const char *name)
{
    struct record_session *const s = user;

    (void)profile_collection_name_task(s->collection, context, name);
}

static void find_task_names(struct record_session *s)
{
    struct run_task_names *const names = &s->run.job.task_names;

    *names = (struct run_task_names){.call = on_task, .user = s};
    if (s->run.source == SESSION_FIRMWARE &&
        !task_names_find(s->run.program[0], &names->current, &names->offset, &names->n_bytes))
        names->current = 0;
}

static enum armpmu_status run_program(struct record_session *s)
{
    find_task_names(s);
    s->run.job.profile = detail(s);
    s->run.job.keeps_accesses = s->options->accesses;
    if (s->run.source == SESSION_MACHINE) {
        s->guest.collection = s->collection;
        return record_guest_run(&s->guest, &s->run);
    }
    s->run.job.maps_misses = !region_is_given(&s->run.region);
    s->run.job.warn = undefined_warn;
    return session_run(&s->run);
}

/* ---- the file -------------------------------------------------------------------------------- */

static enum armpmu_status add_events(struct record_session *s)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < s->events.count && status == ARMPMU_OK; i++) {
        const struct event_item *const item = &s->events.items[i];
        status = record_event(s->profile, item->event, item->label, s->err);
    }
    if (status == ARMPMU_OK && s->has_topdown)
        status = topdown_leaves_add(s->profile, s->err);
    return status;
}

/* True when the program ran to its end, and all of it was counted. */
static bool is_complete(const struct session *run)
{
    return run->source == SESSION_FIRMWARE ? run->result.firmware.end == ENGINE_FIRMWARE_EXIT
                                           : run_is_complete(&run->result);
}

static enum armpmu_status add_setup(struct record_session *s)
{
    static const char *const engines[] = {
        [SESSION_PROGRAM] = "qemu", [SESSION_FIRMWARE] = "unicorn", [SESSION_MACHINE] = "guest"};
    struct versions versions;
    const struct record_run run = {
        .versions = &versions,
        .machine = s->run.machine,
        .machine_choice = machine_choice_name(s->options->run.machine),
        .engine = engines[s->run.source],
        .argv = (const char *const *)s->run.program,
        .exit_status = session_program_status(&s->run),
        .is_complete = is_complete(&s->run),
        .has_paths = s->options->paths,
    };

    session_versions(&s->run, &versions);
    return record_setup(s->profile, &run, s->err);
}

static enum armpmu_status add_rows(struct record_session *s)
{
    const char *const program = s->run.program[0];

    if (s->run.source == SESSION_MACHINE)
        return profile_collection_fill(s->collection, s->guest.files, s->guest.n_files,
                                       record_program_name(program), s->profile, s->err);
    return record_rows(s->profile, s->collection,
                       s->run.source == SESSION_FIRMWARE ? NULL : &s->run.result, program, s->err);
}

/* Adds the counts of an interval; before: NULL for the first. */
static enum armpmu_status add_interval(struct record_session *s,
                                       const struct interval_record *before,
                                       const struct interval_record *now, uint64_t *counts)
{
    for (size_t i = 0; i < s->n_recorded; i++)
        counts[i] = armpmu_event_count(s->recorded[i], now->signals) -
                    (before != NULL ? armpmu_event_count(s->recorded[i], before->signals) : 0);
    const uint64_t end =
        session_interval_end(&s->run, (uint64_t)(now - s->intervals + 1), now->signals);
    return profile_add_interval(s->profile, end, counts, s->err);
}

static enum armpmu_status add_intervals(struct record_session *s)
{
    uint64_t *const counts = calloc(s->n_recorded + 1, sizeof *counts);
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

/* Programs name the code that they made themselves for perf. */
static enum armpmu_status resolve_symbols(struct record_session *s)
{
    const struct symbol_source made = {.jit = &s->jit};
    const bool is_guest = s->run.source == SESSION_MACHINE;

    if (!jit_map_read(&s->jit) || !jit_dump_read(&s->jit))
        return fail_no_memory(s->err, "symbols");
    return symbols_resolve(s->profile, s->options->run.sysroot, is_guest ? s->guest.sources : &made,
                           is_guest ? s->guest.n_sources : 1, s->err);
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
        status = resolve_symbols(s);
    if (status == ARMPMU_OK)
        status = profile_collection_skip_stubs(s->collection, s->profile, s->err);
    if (status != ARMPMU_OK)
        return status;
    status = profile_collection_name_tasks(s->collection, s->profile, s->err);
    return status == ARMPMU_OK ? profile_file_write(s->profile, s->run.output.stream, s->err)
                               : status;
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

static enum armpmu_status record(struct record_session *s)
{
    enum armpmu_status status = set_up(s);
    if (status == ARMPMU_OK)
        status = run_program(s);
    if (status == ARMPMU_OK)
        status = region_check(&s->run.region, profile_collection_has_run(s->collection), s->err);
    if (status == ARMPMU_OK)
        status = write_file(s);
    if (status == ARMPMU_OK)
        status = output_close(&s->run.output, s->err);
    if (status != ARMPMU_OK)
        return status;
    say_what_was_written(s);
    profile_warn_of_paths(s->profile);
    for (size_t i = 0; i < s->profile->n_objects; i++)
        if (s->profile->objects[i].lacks != NULL)
            print_error("warning: '%s': %s", s->profile->objects[i].path,
                        s->profile->objects[i].lacks);
    session_explain(&s->run, false);
    return ARMPMU_OK;
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct record_options *const o = options;
    struct record_session s = {
        .options = o,
        .jit = {.since = time(NULL)},
        .run = {.command = "record",
                .options = &o->run,
                .program = operands,
                .source = o->guest.is_chosen ? SESSION_MACHINE : SESSION_PROGRAM,
                .is_quiet = o->quiet,
                .on_profile = on_profile,
                .on_interval = on_interval,
                .err = err},
        .err = err};

    (void)out;
    s.run.user = &s;
    if (o->trace != NULL)
        return session_close(&s.run, check_trace(o, err) == ARMPMU_OK
                                         ? record_trace(&s.run, o->trace)
                                         : ARMPMU_BAD_CONFIG);
    const int end = session_close(&s.run, record(&s));
    profile_free(s.profile);
    profile_collection_free(s.collection);
    jit_map_free(&s.jit);
    record_guest_free(&s.guest);
    event_list_free(&s.events);
    free(s.recorded);
    free(s.intervals);
    return end;
}

/* Takes the modes of perf record, perhaps with the size of a stack: "dwarf,16384". */
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
                "%s '%.40s': must be fp, dwarf, lbr or no, as in perf; -g takes no value", option,
                value);
}

static enum armpmu_status set_sampling(void *member, const char *option, const char *value,
                                       struct armpmu_error *err)
{
    uint64_t number;

    if (strcmp(value, "max") != 0 && !options_number(value, &number))
        return fail(err, ARMPMU_BAD_CONFIG, "%s '%.40s': must be a number, as in perf", option,
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
    {0, "topdown", NULL,
     "with -e: also record where cycles go, for report --topdown; without -e always",
     OPTION_FLAG_TO(struct record_options, topdown)},
    {'b', "branches", NULL, "also record where each branch led and how often it was mispredicted",
     OPTION_FLAG_TO(struct record_options, edges)},
    {0, "mem", NULL,
     "also record each data access by instruction: where its data came from, TLB outcome, latency "
     "and address, for report --mem",
     OPTION_FLAG_TO(struct record_options, accesses)},
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
     OPTION_CALL_TO(struct record_options, run.interval, interval_set),
     .other_name = "interval-print"},
    {'o', "output", "FILE", "output file; default armpmu.data",
     OPTION_TEXT_TO(struct record_options, output), .completes = COMPLETE_FILE},
    {0, "trace", "FILE", "record the execution instead; 'armpmu replay' counts it on any machine",
     OPTION_TEXT_TO(struct record_options, trace), .completes = COMPLETE_FILE},
    REGION_ROWS_TO(struct record_options, run.region),
    NO_INHERIT_ROW(struct record_options, run),
    {'q', "quiet", NULL, "print no message when the file is written",
     OPTION_FLAG_TO(struct record_options, quiet)},
    RUN_TARGET_ROWS_TO(struct record_options, run),
    {OPTION_ROWS_TO(struct record_options, guest, record_guest_rows)},
    {.kind = OPTION_END},
};

static const struct record_options defaults = {.run.firmware = FIRMWARE_DEFAULTS};

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
    .ends = ENDS_AS_PROGRAM | ENDS_LIMIT | ENDS_FIRMWARE,
    .options_bytes = sizeof(struct record_options),
    .defaults = &defaults,
    .run = run,
};

#include "cli/run/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/termination.h"
#include "cli/run/guest_devices.h"
#include "cli/commands.h"
#include "cli/foreign_file.h"
#include "cli/run/ended.h"
#include "cli/run/report.h"
#include "unicorn/firmware_run.h"

#define FIRST_SECONDS 2 /* without a line of progress */
#define ERASE_LINE    "\r\033[K"

/* ---- setting up ------------------------------------------------------------------------------ */

enum armpmu_status session_needs_program(const struct session *s)
{
    if (s->program[0] != NULL)
        return ARMPMU_OK;
    return fail(s->err, ARMPMU_BAD_CONFIG,
                "%s: no program to run; 'armpmu help %s' shows how to name one", s->command,
                s->command);
}

enum armpmu_status session_needs_linux_program(const struct session *s)
{
    const enum armpmu_status status = session_needs_program(s);

    if (status != ARMPMU_OK || s->options->engine == ENGINE_QEMU ||
        !engine_firmware_is(s->program[0]))
        return status;
    return fail(s->err, ARMPMU_BAD_CONFIG,
                "%s: '%.200s' looks like firmware, of which there are no traces: count it with "
                "'armpmu stat' or 'record'; if it is a program for Linux, trace it with "
                "'armpmu record --engine qemu --trace FILE'",
                s->command, s->program[0]);
}

enum armpmu_status session_open_trace(struct session *s, const char *path, bool force)
{
    const struct run_options *const o = s->options;

    if (s->program[0] != NULL)
        return fail(s->err, ARMPMU_BAD_CONFIG,
                    "%s: --replay and the program '%.80s': leave one of them out", s->command,
                    s->program[0]);
    if (o->sysroot != NULL || o->qemu != NULL || o->stable.is_stable)
        return fail(s->err, ARMPMU_BAD_CONFIG,
                    "%s: --sysroot, --qemu and --stable are for a program that runs; leave them "
                    "out, and give them to 'armpmu record --trace'",
                    s->command);
    enum armpmu_status status = foreign_file_check(path, force, s->err);
    if (status == ARMPMU_OK)
        status = trace_file_open(path, &s->job.trace_from, s->err);
    if (status != ARMPMU_OK)
        return status;
    s->source = SESSION_TRACE;
    s->program = (char *const *)(uintptr_t)trace_file_setup(s->job.trace_from)->arguments;
    return ARMPMU_OK;
}

/* Looks into the program's file: it may be firmware. */
static enum armpmu_status choose_source(struct session *s)
{
    const struct run_options *const o = s->options;

    if (s->source == SESSION_TRACE)
        return ARMPMU_OK;
    const enum armpmu_status status = session_needs_program(s);
    if (status != ARMPMU_OK || s->source != SESSION_PROGRAM)
        return status;
    const struct firmware_question asked = {s->command,
                                            firmware_options_engine(&o->firmware, o->engine),
                                            s->program[0], o->has_firmware, o->keep_running};
    bool is_firmware;
    const enum armpmu_status chosen = firmware_options_choose(&asked, &is_firmware, s->err);
    if (chosen == ARMPMU_OK && is_firmware)
        s->source = SESSION_FIRMWARE;
    return chosen;
}

static enum armpmu_status check_files(const struct session *s, const char *output)
{
    if (s->source == SESSION_TRACE)
        return ARMPMU_OK;
    return firmware_options_check_files(
        &s->options->firmware, firmware_options_file(s->program[0], s->source == SESSION_FIRMWARE),
        s->options->machine, output, s->err);
}

enum armpmu_status session_open(struct session *s, const char *output)
{
    const struct run_options *const o = s->options;

    termination_catch();
    s->region = (struct region){.program = s->program[0], .sysroot = o->sysroot};
    enum armpmu_status status = choose_source(s);
    if (status == ARMPMU_OK)
        status = check_files(s, output);
    if (status == ARMPMU_OK)
        status = machine_choice_load(o->machine, &o->settings, &s->machine, s->err);
    if (status != ARMPMU_OK)
        return status;
    s->job.machine = s->machine;
    return region_open(&s->region, &o->region, s->machine, o->interval.unit != INTERVAL_NONE,
                       s->err);
}

/* ---- running --------------------------------------------------------------------------------- */

static enum armpmu_status on_profile(void *user, const struct engine_thread *thread,
                                     struct armpmu_sim *sim, struct armpmu_error *err)
{
    const struct session *const s = user;
    const uint32_t file = s->source == SESSION_FIRMWARE ? 1 : 0; /* all its code is from its own */

    return s->on_profile(s->user, thread, sim, file, err);
}

static void on_interval(void *user, uint64_t count, const uint64_t *signals)
{
    const struct session *const s = user;

    s->on_interval(s->user, count, signals);
}

static enum armpmu_mark mark(void *user, const struct engine_file *file, uint64_t address)
{
    struct session *const s = user;

    return region_mark(&s->region, file, address);
}

/* Only a terminal shows progress. */
static bool wants_progress(const struct session *s)
{
    const char *const terminal = getenv("TERM");

    return !s->is_quiet && s->job.trace_to == NULL && isatty(STDERR_FILENO) &&
           (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

/* The cursor goes back to where the program may print. */
static void on_progress(void *user, double seconds, uint64_t cycles, uint64_t insns)
{
    struct session *const s = user;

    if (seconds < FIRST_SECONDS)
        return;
    s->shows_progress = true;
    fprintf(stderr, ERASE_LINE "armpmu: %.0f s, %.1f ms simulated, %.1f M insns, %.1f M insns/s\r",
            seconds, report_seconds(s->job.machine, cycles) * 1e3, (double)insns / 1e6,
            (double)insns / 1e6 / seconds);
    fflush(stderr);
}

static void end_progress(struct session *s)
{
    if (s->shows_progress)
        fputs(ERASE_LINE, stderr);
    s->shows_progress = false;
}

static enum armpmu_status apply_surroundings(const struct stable_options *options, struct run *run,
                                             struct armpmu_error *err)
{
    const struct option_list *const variables = &options->variables;

    for (size_t i = 0; i < variables->n; i++)
        if (variables->values[i][0] == '=' || strchr(variables->values[i], '=') == NULL)
            return fail(err, ARMPMU_BAD_CONFIG,
                        "--env '%.60s': a variable and its value, like TZ=UTC0",
                        variables->values[i]);
    if (variables->n > 0 && !options->is_stable)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--env needs --stable; without it the program has armpmu's environment");
    run->is_stable = options->is_stable;
    run->variables = variables->values;
    return ARMPMU_OK;
}

/* Copies the options, for any engine. */
static enum armpmu_status fill_run(struct session *s)
{
    const struct run_options *const o = s->options;
    struct run *const run = &s->job;
    const bool is_machine = s->source == SESSION_MACHINE;

    run->machine_choice = machine_choice_name(o->machine);
    run->argv = (const char *const *)s->program;
    run->sysroot = o->sysroot;
    run->qemu = o->qemu;
    run->keep_running = o->keep_running;
    run->only_first = o->no_inherit;
    run->timeout_seconds = o->timeout_seconds;
    run->from_insn = o->from_insn;
    run->to_insn = o->to_insn;
    run->jobs = o->jobs;
    run->warm_up = o->warm_up;
    run->slices = o->slices;
    run->period = interval_of(&o->interval, run->machine, &run->every);
    run->on_interval = on_interval;
    run->on_profile = on_profile;
    run->region =
        s->source == SESSION_FIRMWARE ? region_of_firmware(&s->region) : region_of(&s->region);
    run->mark = mark;
    run->on_progress = wants_progress(s) ? on_progress : NULL;
    run->user = is_machine ? s->user : s;
    s->interval_cycles = run->every == ARMPMU_SIGNAL_CPU_CYCLES ? run->period : 0;
    return apply_surroundings(&o->stable, run, s->err);
}

static enum armpmu_status run_engine(struct session *s)
{
    switch (s->source) {
    case SESSION_FIRMWARE:
        return firmware_options_run(&s->options->firmware, &s->job, &s->result, s->err);
    case SESSION_MACHINE:
        guest_icount_warn(s->job.argv);
        return engine_guest_run(&s->job, &s->result, s->err);
    case SESSION_PROGRAM:
    case SESSION_TRACE:
        return engine_qemu_run(&s->job, &s->result, s->err);
    }
    return ARMPMU_BAD_CONFIG;
}

enum armpmu_status session_run(struct session *s)
{
    run_result_free(&s->result);
    s->result = (struct run_result){0};
    enum armpmu_status status = fill_run(s);
    if (status != ARMPMU_OK)
        return status;
    s->is_running = true;
    status = run_engine(s);
    s->is_running = status != ARMPMU_OK;
    end_progress(s);
    return status;
}

void session_versions(const struct session *s, struct versions *out)
{
    *out = (struct versions){.text = {""}};
    if (s->source == SESSION_PROGRAM)
        engine_versions(&s->job, out);
    else if (s->source == SESSION_FIRMWARE)
        versions_of_file(s->program[0], out);
}

/* Every thread has a clock of its own. Intervals of cycles end at the same time on each; for
 * intervals of instructions the time is that of all cores together. */
uint64_t session_interval_end(const struct session *s, uint64_t count, const uint64_t *signals)
{
    return s->interval_cycles > 0 ? count * s->interval_cycles : signals[ARMPMU_SIGNAL_CPU_CYCLES];
}

/* ---- the end --------------------------------------------------------------------------------- */

void session_explain(struct session *s, bool is_reported)
{
    const char *const program = s->program[0];

    if (s->source == SESSION_FIRMWARE)
        s->is_lost = !firmware_explain(&s->options->firmware, &s->result.firmware, program);
    undefined_explain(&s->result, s->job.machine, program);
    fault_explain(&s->result, program, s->options->sysroot);
    if (!is_reported)
        ended_explain(&s->result, program);
}

static int shell_status(int wait_status)
{
    return WIFSIGNALED(wait_status) ? EXIT_SIGNAL + WTERMSIG(wait_status)
                                    : WEXITSTATUS(wait_status);
}

int session_program_status(const struct session *s)
{
    const struct run_result *const result = &s->result;

    if (result->interrupted != 0)
        return EXIT_SIGNAL + result->interrupted;
    if (result->timed_out)
        return EXIT_LIMIT;
    return s->source == SESSION_FIRMWARE ? firmware_status(result)
                                         : shell_status(result->wait_status);
}

/* As env(1) tells it. */
static int failure(const struct session *s, enum armpmu_status status)
{
    if (!s->is_running || s->source == SESSION_TRACE)
        return EXIT_ARMPMU;
    if (status == ARMPMU_NOT_FOUND)
        return EXIT_NOT_FOUND;
    return status == ARMPMU_NOT_ALLOWED || status == ARMPMU_BAD_INPUT ? EXIT_NOT_EXECUTABLE
                                                                      : EXIT_ARMPMU;
}

static int exit_status(const struct session *s, enum armpmu_status status)
{
    if (status != ARMPMU_OK)
        return failure(s, status);
    if (s->result.problem.message[0] != '\0') {
        *s->err = s->result.problem;
        return EXIT_ARMPMU;
    }
    if (s->is_lost || s->result.accesses_lost)
        return EXIT_ARMPMU;
    const int end = s->source == SESSION_TRACE ? EXIT_SUCCESS : session_program_status(s);
    if (end == 0 && s->lacks_results)
        return EXIT_WRONG;
    return end == 0 && s->has_risen ? EXIT_ROSE : end;
}

int session_close(struct session *s, enum armpmu_status status)
{
    const int end = exit_status(s, status);

    if (output_is_cut(&s->output))
        print_error("'%s' ends at the error: it is not complete", s->output.path);
    output_discard(&s->output);
    region_close(&s->region);
    run_result_free(&s->result);
    armpmu_machine_free(s->machine);
    return end;
}

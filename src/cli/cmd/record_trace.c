#include "cli/cmd/record_setup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/printable.h"
#include "base/termination.h"
#include "cli/commands.h"
#include "cli/ended.h"
#include "cli/file_uses.h"
#include "cli/machine_choice.h"
#include "cli/output.h"
#include "cli/undefined.h"
#include "machine/core_descriptor.h"
#include "qemu/engine.h"
#include "trace/trace_file.h"

struct trace_session {
    const struct record_trace *options;
    struct armpmu_machine *machine;
    struct output output;
    struct trace_setup setup;
    struct trace_recording *recording;
    struct engine_result result;
    struct armpmu_error *err;
};

/* A trace_write_fn. Nothing is kept back, so that a full disk is known at once. */
static bool write_bytes(void *user, const void *bytes, size_t n_bytes)
{
    struct output *const output = user;

    (void)!fwrite(bytes, 1, n_bytes, output->stream);
    fflush(output->stream);
    return output->cause == 0;
}

static struct trace_setup setup_of(const struct trace_session *s)
{
    const struct core_emulator *const emulator =
        &core_descriptor_of(armpmu_machine_core(s->machine))->emulator;
    const char *const name = machine_choice_name(s->options->machine);
    struct trace_setup setup = {.version = ARMPMU_VERSION,
                                .target = emulator->target,
                                .cpu = emulator->cpu,
                                .machine = machine_choice_is_file(name) ? "" : name,
                                .word_bits = emulator->elf_class == 1 ? 32 : 64,
                                .is_stable = s->options->stable->is_stable,
                                .arguments = (const char *const *)s->options->program};

    while (setup.arguments[setup.n_arguments] != NULL)
        setup.n_arguments++;
    return setup;
}

static enum armpmu_status set_up(struct trace_session *s)
{
    const struct record_trace *const o = s->options;
    const struct file_use uses[] = {{"--trace", o->path, true},
                                    {"--machine", o->machine, false},
                                    {"the program", o->program[0], false}};
    enum armpmu_status status = file_uses_check(uses, sizeof uses / sizeof uses[0], s->err);

    if (status == ARMPMU_OK)
        status = machine_choice_load(o->machine, NULL, &s->machine, s->err);
    if (status == ARMPMU_OK)
        status = output_open_log(&s->output, "--trace", o->path, s->err);
    if (status != ARMPMU_OK)
        return status;
    s->setup = setup_of(s);
    return trace_recording_new(&s->setup, write_bytes, &s->output, &s->recording, s->err);
}

static enum armpmu_status run_program(struct trace_session *s)
{
    const struct record_trace *const o = s->options;
    struct engine_job job = {
        .machine = s->machine,
        .argv = (const char *const *)o->program,
        .sysroot = o->sysroot,
        .qemu = o->qemu,
        .keep_running = o->keep_running,
        .only_first = o->no_inherit,
        .timeout_seconds = o->timeout_seconds,
        .trace_to = s->recording,
        .warn = undefined_warn,
    };
    const enum armpmu_status status = stable_options_apply(o->stable, &job, s->err);

    return status == ARMPMU_OK ? engine_qemu_run(&job, &s->result, s->err) : status;
}

static enum armpmu_status finish(struct trace_session *s)
{
    const struct engine_result *const result = &s->result;
    const struct trace_outcome outcome = {.wait_status = result->wait_status,
                                          .interrupted = result->interrupted,
                                          .timed_out = result->timed_out,
                                          .cut_short = result->cut_short,
                                          .is_killed = result->killed != 0,
                                          .n_programs = result->n_programs,
                                          .problem = result->problem.message};

    return trace_recording_finish(s->recording, &outcome, s->err);
}

/* As perf record says goodbye. */
static void say_what_was_written(const struct trace_session *s)
{
    const struct trace_size size = trace_recording_size(s->recording);
    const bool is_whole = engine_is_complete(&s->result);
    char *const path = printable_copy(s->options->path);

    if (!s->options->quiet && path != NULL)
        fprintf(stderr,
                "[ armpmu record: wrote %.2f MB to %s: %" PRIu64 " instructions, %" PRIu64
                " thread%s%s ]\n",
                (double)size.n_bytes / 1e6, path, size.n_insns, size.n_threads,
                size.n_threads == 1 ? "" : "s", is_whole ? "" : ", not to the program's end");
    free(path);
}

/* The program's exit status as a shell gives it. */
static int exit_status(const struct engine_result *result)
{
    if (result->timed_out)
        return EXIT_LIMIT;
    return result->interrupted != 0 ? EXIT_SIGNAL + result->interrupted
                                    : shell_status(result->wait_status);
}

static int run_session(struct trace_session *s)
{
    enum armpmu_status status = set_up(s);
    if (status != ARMPMU_OK)
        return EXIT_ARMPMU;
    status = run_program(s);
    if (status != ARMPMU_OK)
        return engine_failure(status);
    const enum armpmu_status written = finish(s);
    struct armpmu_error unused;
    /* A full disk is a better reason than that no more could be written. */
    status = output_close(&s->output, written == ARMPMU_IO ? s->err : &unused);
    if (status != ARMPMU_OK && written == ARMPMU_OK)
        *s->err = unused;
    if (status != ARMPMU_OK || written != ARMPMU_OK)
        return EXIT_ARMPMU;
    say_what_was_written(s);
    undefined_explain(&s->result, s->machine, s->options->program[0]);
    ended_explain(&s->result, s->options->program[0]);
    if (s->result.problem.message[0] == '\0')
        return exit_status(&s->result);
    *s->err = s->result.problem;
    return EXIT_ARMPMU;
}

int record_trace(const struct record_trace *options, struct armpmu_error *err)
{
    struct trace_session s = {.options = options, .err = err};

    err->message[0] = '\0';
    termination_catch();
    const int end = run_session(&s);
    output_discard(&s.output);
    trace_recording_free(s.recording);
    engine_result_free(&s.result);
    armpmu_machine_free(s.machine);
    return end;
}

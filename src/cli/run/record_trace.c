#include "cli/run/record_setup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/printable.h"
#include "cli/file_uses.h"
#include "cli/run/ended.h"
#include "machine/core_descriptor.h"

/* A trace_write_fn. Nothing is kept back, so that a full disk is known at once. */
static bool write_bytes(void *user, const void *bytes, size_t n_bytes)
{
    struct output *const output = user;

    (void)!fwrite(bytes, 1, n_bytes, output->stream);
    fflush(output->stream);
    return output->cause == 0;
}

struct trace_setup record_trace_setup(const struct session *run)
{
    const struct core_emulator *const emulator =
        &core_descriptor_of(armpmu_machine_core(run->machine))->emulator;
    const char *const name = machine_choice_name(run->options->machine);
    struct trace_setup setup = {.version = ARMPMU_VERSION,
                                .target = emulator->target,
                                .cpu = emulator->cpu,
                                .machine = machine_is_file(name) ? "" : name,
                                .word_bits = emulator->elf_class == 1 ? 32 : 64,
                                .is_stable = run->options->stable.is_stable,
                                .arguments = (const char *const *)run->program};

    while (setup.arguments[setup.n_arguments] != NULL)
        setup.n_arguments++;
    return setup;
}

static enum armpmu_status set_up(struct session *run, const char *path, struct trace_setup *setup)
{
    const struct file_use uses[] = {{"--trace", path, true},
                                    {"--machine", run->options->machine, false},
                                    {"the program", run->program[0], false}};
    enum armpmu_status status = file_uses_check(uses, sizeof uses / sizeof uses[0], run->err);

    if (status == ARMPMU_OK)
        status = session_needs_linux_program(run);
    run->options->engine = ENGINE_QEMU;
    if (status == ARMPMU_OK)
        status = session_open(run, path);
    if (status == ARMPMU_OK)
        status = output_open_log(&run->output, "--trace", path, run->err);
    if (status != ARMPMU_OK)
        return status;
    *setup = record_trace_setup(run);
    run->job.warn = undefined_warn;
    return trace_recording_new(setup, write_bytes, &run->output, &run->job.trace_to, run->err);
}

enum armpmu_status record_trace_finish(const struct session *run)
{
    const struct run_result *const result = &run->result;
    const struct trace_outcome outcome = {.wait_status = result->wait_status,
                                          .interrupted = result->interrupted,
                                          .timed_out = result->timed_out,
                                          .cut_short = result->cut_short,
                                          .is_killed = result->killed != 0,
                                          .n_programs = result->n_programs,
                                          .problem = result->problem.message};

    return trace_recording_finish(run->job.trace_to, &outcome, run->err);
}

/* As perf record says goodbye. */
static void say_what_was_written(const struct session *run, const char *file)
{
    const struct trace_size size = trace_recording_size(run->job.trace_to);
    const bool is_whole = run_is_complete(&run->result);
    char *const path = printable_copy(file);

    if (!run->is_quiet && path != NULL)
        fprintf(stderr,
                "[ armpmu record: wrote %.2f MB to %s: %" PRIu64 " instructions in blocks, %" PRIu64
                " thread%s%s ]\n",
                (double)size.n_bytes / 1e6, path, size.n_insns, size.n_threads,
                size.n_threads == 1 ? "" : "s", is_whole ? "" : ", not to the program's end");
    free(path);
}

static enum armpmu_status record_and_finish(struct session *run, const char *path)
{
    struct armpmu_error unused;
    enum armpmu_status status = session_run(run);
    if (status != ARMPMU_OK)
        return status;
    const enum armpmu_status written = record_trace_finish(run);
    /* A full disk is a better reason than that no more could be written. */
    status = output_close(&run->output, written == ARMPMU_IO ? run->err : &unused);
    if (status != ARMPMU_OK && written == ARMPMU_OK)
        *run->err = unused;
    if (status != ARMPMU_OK || written != ARMPMU_OK)
        return ARMPMU_IO;
    say_what_was_written(run, path);
    session_explain(run, false);
    return ARMPMU_OK;
}

enum armpmu_status record_trace(struct session *run, const char *path)
{
    struct trace_setup setup;
    enum armpmu_status status = set_up(run, path, &setup);

    if (status == ARMPMU_OK)
        status = record_and_finish(run, path);
    trace_recording_free(run->job.trace_to);
    return status;
}

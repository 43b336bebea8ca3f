/* Threads that share a cache, of a program that runs. They access it in the order of their
 * simulated times, which is not known while they run. So their records go into a trace in a file
 * without a name. They are counted when the program has ended, as `armpmu replay` counts a recorded
 * trace (trace_process.c): the same records give the same numbers on every run.
 *
 * The models count the first thread of a process while it runs, up to the first system call that
 * starts another thread or process: a program with one thread pays nothing.
 *
 * Assumes room for the compressed trace in $TMPDIR, about a byte for ten instructions. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "cores/sharing.h"
#include "machine/core_descriptor.h"
#include "qemu/launcher/engine_internal.h"
#include "qemu/launcher/trace_replay.h"
#include "trace/trace_file.h"

static bool has_cores_that_share(const struct run *job)
{
    bool shares = sim_shares(job->machine);

    for (size_t i = 0; i < job->n_beside; i++)
        shares |= sim_shares(job->beside[i]);
    return shares;
}

bool engine_keeps_shared(const struct user_run *run)
{
    const struct run *const job = run->job;

    return job->trace_from == NULL && job->trace_to == NULL && !job->only_first &&
           job->only == ENGINE_ALL && has_cores_that_share(job);
}

/* ---- the trace ---- */

void engine_explain_shared(const struct user_run *run, struct armpmu_error *error)
{
    if (run->shared.file.cause != 0)
        fail(error, ARMPMU_IO,
             "the records of threads that share a cache cannot be kept in "
             "'%.200s': %s: set TMPDIR "
             "to a folder with more room, or count each thread alone, with --set "
             "cores.count=1",
             trace_temporary_folder(), strerror(run->shared.file.cause));
}

static struct trace_setup setup_of(const struct user_run *run)
{
    const struct core_emulator *const emulator = &run->core->emulator;
    struct trace_setup setup = {.version = ARMPMU_VERSION,
                                .target = emulator->target,
                                .cpu = emulator->cpu,
                                .machine = "",
                                .word_bits = emulator->elf_class == 1 ? 32 : 64,
                                .is_stable = run->job->is_stable,
                                .arguments = run->job->argv};

    while (setup.arguments[setup.n_arguments] != NULL)
        setup.n_arguments++;
    return setup;
}

/* Called under the lock. */
static enum armpmu_status make_trace(struct user_run *run, struct armpmu_error *err)
{
    struct engine_shared *const shared = &run->shared;

    if (shared->recording != NULL)
        return ARMPMU_OK;
    if (!trace_temporary_open(&shared->file))
        return fail(err, ARMPMU_IO, "the trace cannot be written");
    shared->setup = setup_of(run);
    return trace_recording_new(&shared->setup, trace_temporary_write, &shared->file,
                               &shared->recording, err);
}

/* Called under the lock. */
static enum armpmu_status add_trace(struct trace *trace, struct armpmu_error *err)
{
    struct engine_shared *const shared = &trace->run->shared;
    enum armpmu_status status = make_trace(trace->run, err);

    if (status == ARMPMU_OK && !ARRAY_RESERVE(shared->traces, shared->room, shared->n_traces + 1))
        status = fail_no_memory(err, "another thread");
    if (status == ARMPMU_OK)
        status = trace_stream_open(shared->recording, trace->process, trace->thread,
                                   &trace->written, err);
    if (status == ARMPMU_OK)
        shared->traces[shared->n_traces++] = trace;
    return status;
}

enum armpmu_status engine_keep_shared(struct trace *trace, struct armpmu_error *err)
{
    struct user_run *const run = trace->run;

    pthread_mutex_lock(&run->lock);
    const enum armpmu_status status = add_trace(trace, err);
    pthread_mutex_unlock(&run->lock);
    return status;
}

bool engine_look_up(void *user, uint32_t id, struct armpmu_block_source *out)
{
    struct user_run *const run = user;

    if (run->shared.trace == NULL)
        return recorded_blocks_look_up(&run->blocks, id, out);
    if (!trace_file_look_up(run->shared.trace, id, out))
        return false;
    out->file = trace_recording_file_of(run->shared.recording, id);
    return true;
}

/* ---- its replay, for one machine after the other --------------------------------------------- */

static struct trace **find_trace(struct engine_shared *shared, uint32_t process, uint32_t thread)
{
    for (size_t i = 0; i < shared->n_traces; i++) {
        const struct trace *const trace = shared->traces[i];
        if (trace != NULL && trace->process == process && trace->thread == thread)
            return &shared->traces[i];
    }
    return NULL;
}

/* The model of a machine beside the first. */
static enum armpmu_status open_beside(struct trace *trace, size_t machine, struct armpmu_error *err)
{
    struct user_run *const run = trace->run;

    trace->now = trace->all != NULL ? trace->all[machine] : NULL;
    return trace->now != NULL
               ? ARMPMU_OK
               : armpmu_sim_new(run->job->beside[machine - 1], run->code, &trace->now, err);
}

static void *replayed_open(void *user, uint32_t process, uint32_t thread)
{
    struct user_run *const run = user;
    const size_t machine = run->shared.machine;
    struct armpmu_error error;

    pthread_mutex_lock(&run->lock);
    struct trace *const trace = *find_trace(&run->shared, process, thread);
    pthread_mutex_unlock(&run->lock);
    const enum armpmu_status status = machine != 0         ? open_beside(trace, machine, &error)
                                      : trace->sim == NULL ? engine_open_models(trace, &error)
                                                           : ARMPMU_OK;
    if (status != ARMPMU_OK) {
        engine_report_failure(run, status, &error);
        return NULL;
    }
    if (machine == 0)
        trace->now = trace->sim;
    armpmu_sim_rename(trace->now);
    return trace;
}

static void end_beside(struct trace *trace, enum armpmu_end how)
{
    struct user_run *const run = trace->run;
    const size_t machine = run->shared.machine;
    uint64_t signals[ARMPMU_SIGNAL_COUNT];

    armpmu_sim_finish(trace->now, how);
    armpmu_sim_signals(trace->now, signals);
    armpmu_sim_free(trace->now);
    trace->now = NULL;
    if (trace->all != NULL)
        trace->all[machine] = NULL;
    pthread_mutex_lock(&run->lock);
    for (unsigned s = 0; s < ARMPMU_SIGNAL_COUNT; s++)
        run->beside[machine - 1][s] += signals[s];
    pthread_mutex_unlock(&run->lock);
}

static void replayed_end(void *user, enum armpmu_end how, bool replaced)
{
    struct trace *const trace = user;
    struct user_run *const run = trace->run;

    if (run->shared.machine != 0) {
        end_beside(trace, how);
        return;
    }
    pthread_mutex_lock(&run->lock);
    *find_trace(&run->shared, trace->process, trace->thread) = NULL;
    pthread_mutex_unlock(&run->lock);
    engine_sink_of(run).end(trace, how, replaced);
}

/* machine: 0 the job's, or from 1 one beside it. */
static enum armpmu_status replay_for(struct user_run *run, size_t machine, struct armpmu_error *err)
{
    struct ring_sink sink = engine_sink_of(run);
    struct run job = *run->job;

    sink.open = replayed_open;
    sink.end = replayed_end;
    sink.continues = true;
    job.machine = machine == 0 ? job.machine : job.beside[machine - 1];
    job.trace_from = run->shared.trace;
    run->shared.machine = machine;
    return trace_replay(&job, &sink, &run->watch, err);
}

static enum armpmu_status replay_all(struct user_run *run, struct armpmu_error *err)
{
    const struct trace_outcome nothing = {.problem = ""};
    enum armpmu_status status = trace_recording_finish(run->shared.recording, &nothing, err);

    if (status == ARMPMU_OK)
        status = trace_temporary_read(&run->shared.file, &run->shared.trace, err);
    run->beside_apart = true;
    for (size_t i = 1; i <= run->job->n_beside && status == ARMPMU_OK; i++)
        status = replay_for(run, i, err);
    return status == ARMPMU_OK ? replay_for(run, 0, err) : status;
}

void engine_count_shared(struct user_run *run)
{
    struct armpmu_error error;

    if (run->shared.recording == NULL || run->status != ARMPMU_OK)
        return;
    run_watch_ended(&run->watch);
    const enum armpmu_status status = replay_all(run, &error);
    if (status != ARMPMU_OK)
        engine_report_failure(run, status, &error);
}

void engine_free_shared(struct user_run *run)
{
    struct engine_shared *const shared = &run->shared;

    for (size_t i = 0; i < shared->n_traces; i++) {
        if (shared->traces[i] == NULL)
            continue;
        engine_free_models(shared->traces[i]);
        free(shared->traces[i]);
    }
    free(shared->traces);
    trace_file_close(shared->trace);
    if (shared->recording != NULL) {
        trace_recording_free(shared->recording);
        trace_temporary_close(&shared->file);
    }
}

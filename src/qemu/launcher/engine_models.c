/* The core models of a guest thread: its machine's, and those of machines beside the first. */
#include "qemu/launcher/engine_internal.h"

#include <elf.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "cores/sharing.h"
#include "machine/core_descriptor.h"
#include "trace/trace_file.h"

static enum armpmu_status try_machine(const struct user_run *run,
                                      const struct armpmu_machine *machine,
                                      struct armpmu_error *err)
{
    struct armpmu_sim *sim;
    enum armpmu_status status = armpmu_sim_new(machine, run->code, &sim, err);
    armpmu_sim_free(sim);
    return status;
}

enum armpmu_status engine_try_machines(const struct user_run *run, struct armpmu_error *err)
{
    enum armpmu_status status = try_machine(run, run->job->machine, err);

    for (size_t i = 0; i < run->job->n_beside && status == ARMPMU_OK; i++)
        status = try_machine(run, run->job->beside[i], err);
    return status;
}

static bool threads_share(const struct run *job)
{
    size_t n_threads = 0;
    bool shares = sim_shares(job->machine);

    if (job->trace_from != NULL)
        trace_file_threads(job->trace_from, &n_threads);
    for (size_t i = 0; i < job->n_beside; i++)
        shares |= sim_shares(job->beside[i]);
    return shares && n_threads > 1;
}

/* The thread of a trace works, too. */
enum armpmu_status engine_make_pool(struct user_run *run, struct armpmu_error *err)
{
    const size_t n_beside = run->job->n_beside;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t others = processors > 1 ? (size_t)processors - 1 : 0;

    if (n_beside == 0)
        return ARMPMU_OK;
    run->beside = calloc(n_beside, sizeof *run->beside);
    if (run->beside == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "no memory for the counts of %zu machines", n_beside);
    run->beside_apart = threads_share(run->job);
    return model_pool_new((unsigned)(others < n_beside ? others : n_beside), &run->models, err);
}

enum armpmu_status engine_open_beside(struct trace *trace, struct armpmu_error *err)
{
    const struct run *const job = trace->run->job;
    enum armpmu_status status = ARMPMU_OK;

    if (job->n_beside == 0 || trace->run->beside_apart)
        return ARMPMU_OK;
    trace->all = calloc(job->n_beside + 1, sizeof *trace->all);
    if (trace->all == NULL)
        return fail_no_memory(err, "another thread");
    trace->all[0] = trace->sim;
    for (size_t i = 0; i < job->n_beside && status == ARMPMU_OK; i++)
        status = armpmu_sim_new(job->beside[i], trace->run->code, &trace->all[i + 1], err);
    return status;
}

enum armpmu_status engine_run_models(struct trace *trace, const uint64_t *records, size_t n_records,
                                     struct armpmu_error *err)
{
    if (trace->written != NULL)
        return trace_stream_run(trace->written, records, n_records, recorded_blocks_look_up,
                                &trace->run->blocks, err);
    if (trace->all == NULL || trace->run->shared.trace != NULL)
        return armpmu_sim_run(trace->now, records, n_records, err);
    return model_pool_run(trace->run->models, trace->all, trace->run->job->n_beside + 1, records,
                          n_records, err);
}

void engine_rename_models(struct trace *trace)
{
    armpmu_sim_rename(trace->sim);
    for (size_t i = 0; trace->all != NULL && i < trace->run->job->n_beside; i++)
        armpmu_sim_rename(trace->all[i + 1]);
}

/* Otherwise they have counted, and are gone. */
static bool has_beside(const struct trace *trace)
{
    return trace->all != NULL && trace->all[1] != NULL;
}

static void finish_beside(struct trace *trace, enum armpmu_end how)
{
    for (size_t i = 0; has_beside(trace) && i < trace->run->job->n_beside; i++)
        armpmu_sim_finish(trace->all[i + 1], how);
}

/* Called under the lock. */
static void add_beside(struct trace *trace)
{
    uint64_t signals[ARMPMU_SIGNAL_COUNT];

    for (size_t i = 0; has_beside(trace) && i < trace->run->job->n_beside; i++) {
        armpmu_sim_signals(trace->all[i + 1], signals);
        for (unsigned s = 0; s < ARMPMU_SIGNAL_COUNT; s++)
            trace->run->beside[i][s] += signals[s];
    }
}

/* Linux's numbers. The clocks of a 32-bit core modelled here are no part of
 * it: its vDSO calls the kernel, too. */
enum system_call {
    ARM_PERF_EVENT_OPEN = 364,
    AARCH64_CLOCK_GETTIME = 113,
    AARCH64_GETTIMEOFDAY = 169,
    AARCH64_PERF_EVENT_OPEN = 241,
};

/* Called under the lock. */
static void add_calls(const struct trace *trace)
{
    struct user_run *const run = trace->run;
    const bool is_64 =
        core_descriptor_of(armpmu_machine_core(run->job->machine))->emulator.elf_class ==
        ELFCLASS64;

    run->n_helper_calls += armpmu_sim_helper_calls(trace->sim);
    run->n_perf_calls +=
        armpmu_sim_system_calls(trace->sim, is_64 ? AARCH64_PERF_EVENT_OPEN : ARM_PERF_EVENT_OPEN);
    if (is_64)
        run->n_clock_calls += armpmu_sim_system_calls(trace->sim, AARCH64_CLOCK_GETTIME) +
                              armpmu_sim_system_calls(trace->sim, AARCH64_GETTIMEOFDAY);
}

void engine_end_models(struct trace *trace, enum armpmu_end how, uint64_t *signals)
{
    armpmu_sim_finish(trace->sim, how);
    finish_beside(trace, how);
    armpmu_sim_signals(trace->sim, signals);
    pthread_mutex_lock(&trace->run->lock);
    add_calls(trace);
    add_beside(trace);
    pthread_mutex_unlock(&trace->run->lock);
}

void engine_free_models(struct trace *trace)
{
    for (size_t i = 0; trace->all != NULL && i < trace->run->job->n_beside; i++)
        armpmu_sim_free(trace->all[i + 1]);
    free(trace->all);
    armpmu_sim_free(trace->sim);
}

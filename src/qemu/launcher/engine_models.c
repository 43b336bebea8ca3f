/* The core models of a guest thread: its machine's, and those of machines beside the first. */
#include "qemu/launcher/engine_internal.h"

#include <elf.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "cores/several.h"
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

enum armpmu_status engine_try_machines(struct user_run *run, struct armpmu_error *err)
{
    enum armpmu_status status = armpmu_sim_new(run->job->machine, run->code, &run->spare, err);

    for (size_t i = 0; i < run->job->n_beside && status == ARMPMU_OK; i++)
        status = try_machine(run, run->job->beside[i], err);
    return status;
}

enum armpmu_status engine_take_model(struct user_run *run, struct armpmu_sim **out,
                                     struct armpmu_error *err)
{
    pthread_mutex_lock(&run->lock);
    *out = run->spare;
    run->spare = NULL;
    pthread_mutex_unlock(&run->lock);
    return *out != NULL ? ARMPMU_OK : armpmu_sim_new(run->job->machine, run->code, out, err);
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

static const struct armpmu_machine *machine_at(const struct run *job, size_t i)
{
    return i == 0 ? job->machine : job->beside[i - 1];
}

/* A model of several machines has no more than the counts of each. */
static bool can_join(const struct run *job, size_t machine, size_t other)
{
    const bool only_counts =
        job->profile == ARMPMU_PROFILE_OFF && !job->maps_misses && job->period == 0;

    return (machine != 0 || only_counts) &&
           sim_can_add(machine_at(job, machine), machine_at(job, other));
}

/* Machines that can be are counted by one model, as long as each processor has one to run. */
static void place_machines(struct user_run *run, size_t n_processors)
{
    const size_t n = run->job->n_beside + 1;
    const size_t most = (n + n_processors - 1) / n_processors;

    for (size_t i = 0; i < n; i++) {
        size_t like = i;
        while (like > 0 && !can_join(run->job, like - 1, i))
            like--;
        const struct engine_place *const last = like > 0 ? &run->places[like - 1] : NULL;
        if (last != NULL && last->index + 1 < most)
            run->places[i] = (struct engine_place){last->model, last->index + 1};
        else
            run->places[i] = (struct engine_place){run->n_models++, 0};
    }
}

/* The thread of a trace works, too. */
enum armpmu_status engine_make_pool(struct user_run *run, struct armpmu_error *err)
{
    const size_t n_beside = run->job->n_beside;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t n_processors = processors > 1 ? (size_t)processors : 1;

    if (n_beside == 0)
        return ARMPMU_OK;
    run->beside = calloc(n_beside, sizeof *run->beside);
    run->places = calloc(n_beside + 1, sizeof *run->places);
    if (run->beside == NULL || run->places == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "no memory for the counts of %zu machines", n_beside);
    run->beside_apart = threads_share(run->job);
    place_machines(run, n_processors);
    const size_t workers = (n_processors < run->n_models ? n_processors : run->n_models) - 1;
    return model_pool_new((unsigned)workers, &run->models, err);
}

enum armpmu_status engine_open_beside(struct trace *trace, struct armpmu_error *err)
{
    const struct run *const job = trace->run->job;
    enum armpmu_status status = ARMPMU_OK;

    if (job->n_beside == 0 || trace->run->beside_apart)
        return ARMPMU_OK;
    trace->all = calloc(trace->run->n_models, sizeof *trace->all);
    if (trace->all == NULL)
        return fail_no_memory(err, "another thread");
    trace->all[0] = trace->sim;
    for (size_t i = 1; i <= job->n_beside && status == ARMPMU_OK; i++) {
        const struct engine_place place = trace->run->places[i];
        struct armpmu_sim **const sim = &trace->all[place.model];
        status = place.index != 0 ? sim_add_machine(*sim, machine_at(job, i), err)
                                  : armpmu_sim_new(machine_at(job, i), trace->run->code, sim, err);
    }
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
    return model_pool_run(trace->run->models, trace->all, trace->run->n_models, records, n_records,
                          err);
}

void engine_rename_models(struct trace *trace)
{
    armpmu_sim_rename(trace->sim);
    for (size_t i = 1; trace->all != NULL && i < trace->run->n_models; i++)
        armpmu_sim_rename(trace->all[i]);
}

/* Models beside the first of cores that share have counted, and are gone. */
static void finish_beside(struct trace *trace, enum armpmu_end how)
{
    for (size_t i = 1; trace->all != NULL && i < trace->run->n_models; i++)
        if (trace->all[i] != NULL)
            armpmu_sim_finish(trace->all[i], how);
}

/* Called under the lock. */
static void add_beside(struct trace *trace)
{
    uint64_t signals[ARMPMU_SIGNAL_COUNT];

    for (size_t i = 0; trace->all != NULL && i < trace->run->job->n_beside; i++) {
        const struct engine_place place = trace->run->places[i + 1];
        if (trace->all[place.model] == NULL)
            continue;
        sim_signals_of(trace->all[place.model], place.index, signals);
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
    for (size_t i = 1; trace->all != NULL && i < trace->run->n_models; i++)
        armpmu_sim_free(trace->all[i]);
    free(trace->all);
    armpmu_sim_free(trace->sim);
}

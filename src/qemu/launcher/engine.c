/* A run from start to end: its requirements, the program or a recorded trace, the result. */
#include "qemu/launcher/engine_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory_limits.h"
#include "base/termination.h"
#include "machine/later_core.h"
#include "qemu/launcher/trace_replay.h"
#include "trace/trace_file.h"

#define PROGRAM_WARNING_BYTES 1024u

void engine_keep_failure(struct user_run *run, enum armpmu_status status,
                         const struct armpmu_error *error)
{
    if (run->status != ARMPMU_OK)
        return;
    run->status = status;
    run->error = *error;
    run_watch_fail(&run->watch);
    if (status == ARMPMU_IO)
        engine_explain_shared(run, &run->error);
}

void engine_report_failure(struct user_run *run, enum armpmu_status status,
                           const struct armpmu_error *error)
{
    pthread_mutex_lock(&run->lock);
    engine_keep_failure(run, status, error);
    pthread_mutex_unlock(&run->lock);
}

bool engine_find_program_of(const struct user_run *run, uint32_t process, char *name)
{
    if (run->job->trace_from == NULL)
        return recorded_program(run->blocks.ring, process, name);
    return trace_replay_program(run->job->trace_from, process, name);
}

static enum armpmu_status find_everything(struct user_run *run, struct armpmu_error *err)
{
    const struct run *job = run->job;

    run->core = core_descriptor_of(armpmu_machine_core(job->machine));
    if (job->trace_from != NULL)
        return engine_trace_check(job, err);
    enum armpmu_status status = program_find(job->argv[0], run->core, &run->program, err);
    if (status == ARMPMU_OK)
        status = find_qemu(job->qemu, run->core, &run->qemu, err);
    if (status == ARMPMU_OK)
        status = find_plugin(run->plugin, err);
    if (status == ARMPMU_OK)
        status = find_sysroot(job->sysroot, run->program.interpreter, run->sysroot, err);
    const struct stable_request request = {&run->program, run->sysroot, job->argv, job->variables};
    return status == ARMPMU_OK && job->is_stable ? stable_make(&run->stable, &request, err)
                                                 : status;
}

static enum armpmu_status make_ring(struct user_run *run, struct armpmu_error *err)
{
    const struct ring_sink sink = engine_sink_of(run);
    const enum armpmu_status status = ring_new(&sink, run->job->keep_running, &run->ring, err);

    if (status == ARMPMU_OK)
        run->blocks.ring = ring_memory(run->ring);
    return status;
}

static void warn(const struct user_run *run)
{
    char sentence[PROGRAM_WARNING_BYTES];

    if (run->job->warn != NULL && later_core_sentence(run->job->argv[0], &run->program.attributes,
                                                      run->job->machine, sentence, sizeof sentence))
        run->job->warn(sentence);
}

/* An armpmu_block_lookup of a trace whose recording knows files; user: the run. */
static bool look_up_with_file(void *user, uint32_t id, struct armpmu_block_source *out)
{
    const struct run *const job = ((const struct user_run *)user)->job;

    if (!trace_file_look_up(job->trace_from, id, out))
        return false;
    out->file = trace_recording_file_of(job->trace_made_by, id);
    return true;
}

static enum armpmu_status make_code(struct user_run *run, struct armpmu_error *err)
{
    if (run->job->trace_made_by != NULL)
        return armpmu_code_new(look_up_with_file, run, &run->code, err);
    if (run->job->trace_from != NULL)
        return armpmu_code_new(trace_file_look_up, run->job->trace_from, &run->code, err);
    return armpmu_code_new(engine_look_up, run, &run->code, err);
}

static enum armpmu_status prepare_models(struct user_run *run, struct armpmu_error *err)
{
    size_t for_code = 0;
    enum armpmu_status status = memory_for_code(&for_code, err);
    if (status == ARMPMU_OK)
        status = make_code(run, err);
    if (status == ARMPMU_OK)
        armpmu_code_limit(run->code, for_code);
    if (status == ARMPMU_OK)
        armpmu_code_move(run->code, run->job->code_offset);
    if (status == ARMPMU_OK)
        status = engine_try_machines(run, err);
    if (status == ARMPMU_OK)
        status = engine_make_pool(run, err);
    return status;
}

static enum armpmu_status prepare(struct user_run *run, struct armpmu_error *err)
{
    const bool is_replay = run->job->trace_from != NULL;
    enum armpmu_status status = find_everything(run, err);
    if (status == ARMPMU_OK && run->job->trace_to == NULL)
        status = prepare_models(run, err);
    if (status == ARMPMU_OK && !is_replay)
        status = make_ring(run, err);
    return status;
}

static enum armpmu_status launch_guest(struct user_run *run, struct launched *launched,
                                       struct armpmu_error *err)
{
    const bool is_stable = run->job->is_stable;
    const struct launch launch = {.qemu = run->qemu.path,
                                  .cpu = run->qemu.cpu,
                                  .plugin = run->plugin,
                                  .core = run->core,
                                  .sysroot =
                                      run->stable.root[0] != '\0' ? run->stable.root : run->sysroot,
                                  .ring = run->ring,
                                  .program = is_stable ? run->stable.path : run->program.path,
                                  .argv = is_stable ? run->stable.argv : run->job->argv,
                                  .environment = run->stable.environment,
                                  .names_files = engine_names_files(run->job),
                                  .tells_allocations = run->job->keeps_accesses,
                                  .keep_running = run->job->keep_running,
                                  .only_first = run->job->only_first,
                                  .only = run->job->only,
                                  .watch = &run->watch};
    enum armpmu_status status = launch_and_wait(&launch, launched, err);
    if (status != ARMPMU_OK)
        return status;
    run->recorded = ring_finish(run->ring, launched->pid, launched->wait_status);
    engine_count_shared(run);
    return engine_check_recorded(run, launched->wait_status, err);
}

/* The order of threads that share is that of their machine, so each machine beside the first has a
 * replay of its own. */
static enum armpmu_status replay_beside(struct user_run *run, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < run->job->n_beside && status == ARMPMU_OK; i++) {
        struct run job = *run->job;
        struct run_result result;
        job.machine = job.beside[i];
        job.n_beside = 0;
        job.profile = ARMPMU_PROFILE_OFF;
        job.maps_misses = job.keeps_accesses = false;
        job.region = NULL;
        job.period = 0;
        status = engine_qemu_run(&job, &result, err);
        if (status != ARMPMU_OK)
            return status;
        memcpy(run->beside[i], result.signals, sizeof run->beside[i]);
        run_result_free(&result);
    }
    return status;
}

/* As launch_guest. */
static enum armpmu_status replay_trace(struct user_run *run, struct launched *launched,
                                       struct armpmu_error *err)
{
    const struct trace_outcome *const outcome = trace_file_outcome(run->job->trace_from);
    const struct ring_sink sink = engine_sink_of(run);

    *launched =
        (struct launched){.wait_status = outcome->wait_status, .interrupted = outcome->interrupted};
    run->watch.start = clock_now();
    const enum armpmu_status status = run->beside_apart ? replay_beside(run, err) : ARMPMU_OK;
    return status == ARMPMU_OK ? trace_replay(run->job, &sink, &run->watch, err) : status;
}

static void clean_up(struct user_run *run)
{
    ring_free(run->ring); /* ends every trace, so it goes before what they use */
    engine_free_shared(run);
    model_pool_free(run->models);
    armpmu_sim_free(run->spare);
    armpmu_code_free(run->code);
    stable_remove(&run->stable);
    pthread_mutex_destroy(&run->lock);
    run_watch_close(&run->watch);
    free(run->threads);
    free(run->beside);
    free(run->places);
    intervals_free(&run->intervals);
    free(run);
}

enum armpmu_status engine_qemu_run(const struct run *job, struct run_result *out,
                                   struct armpmu_error *err)
{
    *out = (struct run_result){0};
    termination_catch();
    struct user_run *run = calloc(1, sizeof *run);
    if (run == NULL)
        return fail_no_memory(err, "the engine");
    run->job = run->intervals.job = job;
    pthread_mutex_init(&run->lock, NULL);
    run_watch_open(&run->watch, job);
    run->shared.keeps = engine_keeps_shared(run);
    struct launched launched;
    enum armpmu_status status = prepare(run, err);
    if (status == ARMPMU_OK && job->trace_from == NULL)
        warn(run);
    if (status == ARMPMU_OK)
        status = job->trace_from != NULL ? replay_trace(run, &launched, err)
                                         : launch_guest(run, &launched, err);
    if (status == ARMPMU_OK) {
        if (job->period != 0)
            intervals_finish(&run->intervals);
        engine_fill_in(run, &launched, out);
    }
    clean_up(run);
    return status;
}

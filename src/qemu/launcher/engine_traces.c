/* The traces of guest threads: each goes through the thread's core models, or into a file. */
#include "qemu/launcher/engine_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "cores/sharing.h"
#include "trace/trace_file.h"

/* ---- intervals --------------------------------------------------------------------------------
 */

static bool is_first(const struct trace *trace)
{
    return trace->process == 1 && trace->thread == 1;
}

/* Adds what the trace counted since its last whole interval to the interval of this index.
 * Called under the lock. */
static void add_to_interval(struct trace *trace, size_t index, bool is_whole, const uint64_t *now)
{
    struct user_run *const run = trace->run;
    struct armpmu_error error;
    const struct interval_part part = {is_first(trace), is_whole, index, now, trace->before};
    const enum armpmu_status status = intervals_add(&run->intervals, &part, &error);

    if (status != ARMPMU_OK)
        engine_keep_failure(run, status, &error);
}

static void interval_passed(void *user, uint64_t count)
{
    struct trace *trace = user;
    struct user_run *run = trace->run;
    uint64_t now[ARMPMU_SIGNAL_COUNT];
    armpmu_sim_signals(trace->sim, now);
    pthread_mutex_lock(&run->lock);
    add_to_interval(trace, (size_t)count - 1, true, now);
    pthread_mutex_unlock(&run->lock);
    memcpy(trace->before, now, sizeof now);
    trace->n_intervals = count;
}

/* The records of a thread before it starts others come by themselves. */
static enum armpmu_status run_alone(struct trace *trace, const uint64_t **records,
                                    size_t *n_records, struct armpmu_error *err)
{
    struct user_run *const run = trace->run;
    const bool is_a64 = strcmp(run->core->emulator.target, "aarch64") == 0;
    const size_t n = intervals_alone(&trace->starts_others, *records, *n_records, is_a64);
    enum armpmu_status status = n > 0 ? engine_run_models(trace, *records, n, err) : ARMPMU_OK;

    if (n < *n_records && is_first(trace))
        run->intervals.has_others = true;
    if (n < *n_records && status == ARMPMU_OK && run->shared.keeps)
        status = engine_keep_shared(trace, err);
    *records += n;
    *n_records -= n;
    return status;
}

static bool is_live(const struct trace *trace)
{
    const struct user_run *const run = trace->run;

    if (run->shared.keeps)
        return run->shared.trace == NULL && trace->written == NULL;
    return run->job->period != 0 && is_first(trace) && !run->intervals.has_others &&
           !run->job->only_first;
}

/* ---- traces ----------------------------------------------------------------------------------
 */

/* A trace that cannot be read. */
static void lose_trace(struct trace *trace, enum armpmu_status status,
                       const struct armpmu_error *error)
{
    engine_report_failure(trace->run, status, error);
    engine_free_models(trace);
    free(trace);
}

/* An armpmu_mark_fn; user: the run. */
static enum armpmu_mark mark_of(void *user, uint64_t address, uint32_t number)
{
    struct user_run *const run = user;
    enum armpmu_mark mark = ARMPMU_MARK_NONE;
    struct armpmu_error error;
    struct engine_file file;
    enum armpmu_status status = recorded_file(run->blocks.ring, number, &file, &error);

    if (status == ARMPMU_OK && !stable_name_file(&run->stable, &file.path))
        status = fail_no_memory(&error, "the name of the program");
    pthread_mutex_lock(&run->lock);
    if (status != ARMPMU_OK)
        engine_keep_failure(run, status, &error);
    else
        mark = run->job->mark(run->job->user, file.path != NULL ? &file : NULL, address);
    pthread_mutex_unlock(&run->lock);
    free(file.path);
    return mark;
}

static enum armpmu_status set_profile(struct trace *trace, struct armpmu_error *err)
{
    const struct run *const job = trace->run->job;
    enum armpmu_status status = armpmu_sim_set_profile(trace->sim, job->profile, err);

    if (status == ARMPMU_OK && job->keeps_accesses)
        status = armpmu_sim_keep_accesses(trace->sim, err);
    if (status == ARMPMU_OK && job->maps_misses)
        return armpmu_sim_map_misses(trace->sim, err);
    if (status != ARMPMU_OK || job->region == NULL)
        return status;
    struct armpmu_region region = *job->region;
    region.mark = region.mark != NULL ? mark_of : NULL;
    region.user = trace->run;
    armpmu_sim_set_region(trace->sim, &region);
    return ARMPMU_OK;
}

enum armpmu_status engine_open_models(struct trace *trace, struct armpmu_error *err)
{
    const struct run *const job = trace->run->job;
    enum armpmu_status status = engine_take_model(trace->run, &trace->sim, err);

    if (status == ARMPMU_OK)
        status = engine_open_beside(trace, err);
    if (status == ARMPMU_OK)
        status = set_profile(trace, err);
    if (status == ARMPMU_OK && job->period != 0)
        armpmu_sim_set_interval(trace->sim, job->every, job->period, interval_passed, trace);
    trace->now = trace->sim;
    return status;
}

/* Opens the receiver of a thread's records. */
static enum armpmu_status open_taker(struct trace *trace, struct armpmu_error *err)
{
    const struct user_run *const run = trace->run;

    if (run->job->trace_to != NULL)
        return trace_stream_open(run->job->trace_to, trace->process, trace->thread, &trace->written,
                                 err);
    return run->shared.keeps && trace->thread > 1 ? engine_keep_shared(trace, err)
                                                  : engine_open_models(trace, err);
}

static void *trace_open(void *user, uint32_t process, uint32_t thread)
{
    struct user_run *run = user;
    struct armpmu_error error;
    struct trace *trace = calloc(1, sizeof *trace);

    if (trace == NULL) {
        fail_no_memory(&error, "another thread");
        engine_report_failure(run, ARMPMU_NO_MEMORY, &error);
        return NULL;
    }
    *trace = (struct trace){.run = run, .process = process, .thread = thread};
    const enum armpmu_status status = open_taker(trace, &error);
    if (status == ARMPMU_OK)
        return trace;
    lose_trace(trace, status, &error);
    return NULL;
}

/* Keeps a failure for the end of the run. */
static bool is_ok(struct trace *trace, enum armpmu_status status, const struct armpmu_error *err)
{
    if (status != ARMPMU_OK)
        engine_report_failure(trace->run, status, err);
    return status == ARMPMU_OK;
}

static bool trace_run(void *user, const uint64_t *records, size_t n_records)
{
    struct trace *trace = user;
    struct armpmu_error error;
    enum armpmu_status status = ARMPMU_OK;

    if (is_live(trace))
        status = run_alone(trace, &records, &n_records, &error);
    if (status == ARMPMU_OK && n_records > 0)
        status = engine_run_models(trace, records, n_records, &error);
    if (trace->sim != NULL && run_watch_asks(&trace->run->watch, &trace->watched))
        run_watch_add(&trace->run->watch, &trace->watched, trace->sim);
    return is_ok(trace, status, &error);
}

static void trace_rename(void *user)
{
    struct trace *trace = user;
    if (trace->written != NULL) {
        trace_stream_rename(trace->written);
        return;
    }
    engine_rename_models(trace);
}

/* Called under the lock. */
static void keep_profile(struct user_run *run, const struct engine_thread *thread,
                         struct armpmu_sim *sim)
{
    struct armpmu_error error;
    if (run->job->profile == ARMPMU_PROFILE_OFF || run->status != ARMPMU_OK)
        return;
    const enum armpmu_status status = run->job->on_profile(run->job->user, thread, sim, &error);
    if (status != ARMPMU_OK)
        engine_keep_failure(run, status, &error);
}

/* Called under the lock. */
static void keep_thread(struct user_run *run, const struct trace *trace, const uint64_t *signals)
{
    if (!ARRAY_RESERVE(run->threads, run->threads_room, run->n_threads + 1)) {
        struct armpmu_error error;
        fail_no_memory(&error, "the counts of another thread");
        engine_keep_failure(run, ARMPMU_NO_MEMORY, &error);
        return;
    }
    struct engine_thread *thread = &run->threads[run->n_threads++];
    *thread = (struct engine_thread){.process = trace->process, .thread = trace->thread};
    memcpy(thread->signals, signals, sizeof thread->signals);
    engine_find_program_of(run, trace->process, thread->program);
    if (run->job->trace_from == NULL)
        thread->pid = recorded_pid(run->blocks.ring, trace->process);
    keep_profile(run, thread, trace->sim);
}

/* The trace of a thread that is written. */
static void end_written(const struct trace *trace, enum armpmu_end how, bool replaced)
{
    struct user_run *const run = trace->run;
    char program[ENGINE_PROGRAM_NAME];
    struct trace_thread thread = {.program = program, .is_replaced = replaced, .end = how};
    struct armpmu_error error;

    thread.is_executed = engine_find_program_of(run, trace->process, program);
    const enum armpmu_status status = trace_stream_end(trace->written, &thread, &error);
    if (status != ARMPMU_OK)
        engine_report_failure(run, status, &error);
}

/* Returns whether the thread is counted later: also one whose last call starts another. */
static bool is_kept(struct trace *trace)
{
    struct user_run *const run = trace->run;
    struct armpmu_error error;

    if (!run->shared.keeps || run->shared.trace != NULL)
        return false;
    if (trace->written == NULL && trace->starts_others) {
        const enum armpmu_status status = engine_keep_shared(trace, &error);
        if (status != ARMPMU_OK)
            engine_report_failure(run, status, &error);
    }
    return trace->written != NULL;
}

static void trace_end(void *user, enum armpmu_end how, bool replaced)
{
    struct trace *trace = user;
    struct user_run *run = trace->run;
    uint64_t signals[ARMPMU_SIGNAL_COUNT] = {0};

    if (is_kept(trace)) {
        end_written(trace, how, replaced);
        trace->written = NULL;
        return;
    }
    if (trace->written != NULL)
        end_written(trace, how, replaced);
    else
        engine_end_models(trace, how, signals);
    pthread_mutex_lock(&run->lock);
    if (run->job->period != 0)
        add_to_interval(trace, (size_t)trace->n_intervals, false, signals);
    keep_thread(run, trace, signals);
    run->n_execs += replaced;
    pthread_mutex_unlock(&run->lock);
    engine_free_models(trace);
    free(trace);
}

static bool trace_share(void *user, void *other, uint64_t start)
{
    struct trace *const trace = user, *const with = other;
    struct armpmu_error error;

    atomic_store_explicit(&trace->run->shared.happened, true, memory_order_relaxed);
    const enum armpmu_status status = sim_share(trace->now, with->now, start, &error);

    return is_ok(trace, status, &error);
}

static uint64_t trace_cycles(void *user)
{
    return sim_cycles(((struct trace *)user)->now);
}

static struct armpmu_sim *trace_sim(void *user)
{
    return ((struct trace *)user)->sim;
}

/* QEMU gives a program of 64 bits its own address space. */
struct ring_sink engine_sink_of(struct user_run *run)
{
    return (struct ring_sink){.user = run,
                              .copies = strcmp(run->core->emulator.target, "aarch64") == 0,
                              .open = trace_open,
                              .run = trace_run,
                              .rename = trace_rename,
                              .end = trace_end,
                              .share = trace_share,
                              .sim = trace_sim,
                              .cycles = trace_cycles};
}

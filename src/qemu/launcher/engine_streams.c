/* The traces of guest threads: each goes through the thread's core models, or into a file. */
#include "qemu/launcher/engine_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "cores/sharing.h"
#include "qemu/launcher/trace_replay.h"
#include "trace/trace_file.h"

/* ---- intervals --------------------------------------------------------------------------------
 */

static bool is_first(const struct stream *stream)
{
    return stream->process == 1 && stream->thread == 1;
}

/* Adds what the trace counted since its last whole interval to the interval of this index.
 * Called under the lock. */
static void add_to_interval(struct stream *stream, size_t index, bool is_whole, const uint64_t *now)
{
    struct user_run *const run = stream->run;
    struct armpmu_error error;
    const enum armpmu_status status = intervals_add(&run->intervals, is_first(stream), index,
                                                    is_whole, now, stream->before, &error);

    if (status != ARMPMU_OK)
        engine_keep_failure(run, status, &error);
}

static void interval_passed(void *user, uint64_t count)
{
    struct stream *stream = user;
    struct user_run *run = stream->run;
    uint64_t now[ARMPMU_SIGNAL_COUNT];
    armpmu_sim_signals(stream->sim, now);
    pthread_mutex_lock(&run->lock);
    add_to_interval(stream, (size_t)count - 1, true, now);
    pthread_mutex_unlock(&run->lock);
    memcpy(stream->before, now, sizeof now);
    stream->n_intervals = count;
}

/* What the first thread does before it starts others comes for itself. */
static enum armpmu_status run_alone(struct stream *stream, const uint64_t **records,
                                    size_t *n_records, struct armpmu_error *err)
{
    struct user_run *const run = stream->run;
    const bool is_a64 = strcmp(run->core->emulator.target, "aarch64") == 0;
    const size_t n = intervals_alone(&run->intervals, *records, *n_records, is_a64);
    const enum armpmu_status status =
        n > 0 ? armpmu_sim_run(stream->sim, *records, n, err) : ARMPMU_OK;

    run->intervals.has_others = n < *n_records;
    *records += n;
    *n_records -= n;
    return status;
}

static bool is_live(const struct stream *stream)
{
    const struct user_run *const run = stream->run;

    return run->job->period != 0 && is_first(stream) && !run->intervals.has_others &&
           !run->job->only_first;
}

/* ---- traces ----------------------------------------------------------------------------------
 */

/* A stream that cannot be read. */
static void lose_stream(struct stream *stream, enum armpmu_status status,
                        const struct armpmu_error *error)
{
    pthread_mutex_lock(&stream->run->lock);
    engine_keep_failure(stream->run, status, error);
    pthread_mutex_unlock(&stream->run->lock);
    engine_free_models(stream);
    free(stream);
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

static enum armpmu_status set_profile(struct stream *stream, struct armpmu_error *err)
{
    const struct engine_job *const job = stream->run->job;
    const enum armpmu_status status = armpmu_sim_set_profile(stream->sim, job->profile, err);

    if (status == ARMPMU_OK && job->maps_misses)
        return armpmu_sim_map_misses(stream->sim, err);
    if (status != ARMPMU_OK || job->region == NULL)
        return status;
    struct armpmu_region region = *job->region;
    region.mark = region.mark != NULL ? mark_of : NULL;
    region.user = stream->run;
    armpmu_sim_set_region(stream->sim, &region);
    return ARMPMU_OK;
}

/* What takes the records of a thread. */
static enum armpmu_status open_taker(const struct user_run *run, struct stream *stream,
                                     uint32_t process, uint32_t thread, struct armpmu_error *err)
{
    if (stream == NULL)
        return fail_no_memory(err, "another thread");
    if (run->job->trace_to != NULL)
        return trace_stream_open(run->job->trace_to, process, thread, &stream->written, err);
    return armpmu_sim_new(run->job->machine, run->code, &stream->sim, err);
}

static void *stream_open(void *user, uint32_t process, uint32_t thread)
{
    struct user_run *run = user;
    struct armpmu_error error;
    struct stream *stream = calloc(1, sizeof *stream);
    enum armpmu_status status = open_taker(run, stream, process, thread, &error);
    if (status != ARMPMU_OK) {
        pthread_mutex_lock(&run->lock);
        engine_keep_failure(run, status, &error);
        pthread_mutex_unlock(&run->lock);
        free(stream);
        return NULL;
    }
    stream->run = run;
    stream->process = process;
    stream->thread = thread;
    if (engine_open_beside(stream, &error) != ARMPMU_OK ||
        set_profile(stream, &error) != ARMPMU_OK) {
        lose_stream(stream, ARMPMU_NO_MEMORY, &error);
        return NULL;
    }
    if (run->job->period != 0)
        armpmu_sim_set_interval(stream->sim, run->job->every, run->job->period, interval_passed,
                                stream);
    return stream;
}

/* Keeps a failure for the end of the run. */
static bool is_ok(struct stream *stream, enum armpmu_status status, const struct armpmu_error *err)
{
    if (status == ARMPMU_OK)
        return true;
    pthread_mutex_lock(&stream->run->lock);
    engine_keep_failure(stream->run, status, err);
    pthread_mutex_unlock(&stream->run->lock);
    return false;
}

static bool stream_run(void *user, const uint64_t *records, size_t n_records)
{
    struct stream *stream = user;
    struct armpmu_error error;
    enum armpmu_status status = ARMPMU_OK;
    if (is_live(stream))
        status = run_alone(stream, &records, &n_records, &error);
    if (status == ARMPMU_OK && n_records > 0)
        status = engine_run_models(stream, records, n_records, &error);
    if (run_watch_asks(&stream->run->watch, &stream->watched))
        run_watch_add(&stream->run->watch, &stream->watched, stream->sim);
    return is_ok(stream, status, &error);
}

static void stream_rename(void *user)
{
    struct stream *stream = user;
    if (stream->written != NULL) {
        trace_stream_rename(stream->written);
        return;
    }
    engine_rename_models(stream);
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
static void keep_thread(struct user_run *run, const struct stream *stream, const uint64_t *signals)
{
    if (!ARRAY_RESERVE(run->threads, run->threads_room, run->n_threads + 1)) {
        struct armpmu_error error;
        fail_no_memory(&error, "the counts of another thread");
        engine_keep_failure(run, ARMPMU_NO_MEMORY, &error);
        return;
    }
    struct engine_thread *thread = &run->threads[run->n_threads++];
    *thread = (struct engine_thread){.process = stream->process, .thread = stream->thread};
    memcpy(thread->signals, signals, sizeof thread->signals);
    engine_find_program_of(run, stream->process, thread->program);
    keep_profile(run, thread, stream->sim);
}

/* The trace of a thread that is written. */
static void end_written(const struct stream *stream, enum armpmu_end how, bool replaced)
{
    struct user_run *const run = stream->run;
    char program[ENGINE_PROGRAM_NAME];
    struct trace_thread thread = {.program = program, .is_replaced = replaced, .end = how};
    struct armpmu_error error;

    thread.is_executed = engine_find_program_of(run, stream->process, program);
    const enum armpmu_status status = trace_stream_end(stream->written, &thread, &error);
    if (status == ARMPMU_OK)
        return;
    pthread_mutex_lock(&run->lock);
    engine_keep_failure(run, status, &error);
    pthread_mutex_unlock(&run->lock);
}

static void stream_end(void *user, enum armpmu_end how, bool replaced)
{
    struct stream *stream = user;
    struct user_run *run = stream->run;
    uint64_t signals[ARMPMU_SIGNAL_COUNT] = {0};
    if (stream->written != NULL)
        end_written(stream, how, replaced);
    else
        engine_end_models(stream, how, signals);
    pthread_mutex_lock(&run->lock);
    if (run->job->period != 0)
        add_to_interval(stream, (size_t)stream->n_intervals, false, signals);
    keep_thread(run, stream, signals);
    run->n_execs += replaced;
    pthread_mutex_unlock(&run->lock);
    engine_free_models(stream);
    free(stream);
}

static bool stream_share(void *user, void *other, uint64_t start)
{
    struct stream *const stream = user, *const with = other;
    struct armpmu_error error;
    const enum armpmu_status status = sim_share(stream->sim, with->sim, start, &error);

    return is_ok(stream, status, &error);
}

static uint64_t stream_cycles(void *user)
{
    return sim_cycles(((struct stream *)user)->sim);
}

/* QEMU gives a program of 64 bits its own address space. */
struct ring_consumer_sink engine_sink_of(struct user_run *run)
{
    return (struct ring_consumer_sink){.user = run,
                                       .copies = strcmp(run->core->emulator.target, "aarch64") == 0,
                                       .open = stream_open,
                                       .run = stream_run,
                                       .rename = stream_rename,
                                       .end = stream_end,
                                       .share = stream_share,
                                       .cycles = stream_cycles};
}

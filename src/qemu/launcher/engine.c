/* engine_qemu_run: a core model for each guest thread, fed from the recorder's traces.
 *
 *   program_find, find_qemu ...   nothing runs before everything is there
 *   consumers                     traces -> stream_open, stream_run, stream_end
 *   recorded_blocks               block ids -> the definitions the recorder wrote
 *
 * Intervals: intervals.h. */
#include "base/array.h"
#include "qemu/engine.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory_limits.h"
#include "qemu/launcher/ring_consumer.h"
#include "machine/later_core.h"
#include "qemu/launcher/find.h"
#include "qemu/launcher/intervals.h"
#include "qemu/launcher/launch.h"
#include "qemu/launcher/model_pool.h"
#include "qemu/launcher/program.h"
#include "qemu/launcher/recorded_blocks.h"
#include "qemu/launcher/stable.h"
#include "qemu/launcher/trace_replay.h"
#include "base/termination.h"
#include "trace/trace_file.h"

#define PROGRAM_WARNING_BYTES 1024u

struct user_run {
    const struct engine_job *job;
    const struct core_descriptor *core;
    struct program program;
    struct stable stable;
    char qemu[FIND_PATH_BYTES], plugin[FIND_PATH_BYTES], sysroot[FIND_PATH_BYTES];
    struct ring_consumer *consumers;
    struct armpmu_code *code;
    struct model_pool *models; /* with machines beside the first, else NULL */
    struct recorded_blocks blocks;
    pthread_mutex_t lock; /* all below: traces come and go on their own threads */
    struct engine_thread *threads;
    size_t n_threads, threads_room;
    uint64_t (*beside)[ARMPMU_SIGNAL_COUNT];
    unsigned n_execs;
    uint64_t n_helper_calls;
    struct intervals intervals;
    struct run_watch watch;
    enum armpmu_status status; /* of the first trace that failed */
    struct armpmu_error error;
};

/* A guest thread and its core model. */
struct stream {
    struct user_run *run;
    struct armpmu_sim *sim; /* NULL: its trace is written */
    struct trace_stream *written;
    struct armpmu_sim **all; /* with machines beside the first: it, then theirs; else NULL */
    uint32_t process, thread;
    uint64_t n_intervals;
    struct run_watch_part watched;
    uint64_t before[ARMPMU_SIGNAL_COUNT]; /* at the end of the last whole interval */
};

/* ---- intervals --------------------------------------------------------------------------------
 */

static void keep_failure(struct user_run *run, enum armpmu_status status,
                         const struct armpmu_error *error)
{
    if (run->status != ARMPMU_OK)
        return;
    run->status = status;
    run->error = *error;
}

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
        keep_failure(run, status, &error);
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

/* ---- traces ----------------------------------------------------------------------------------
 */

/* ---- machines beside the first ---- */

static void free_models(struct stream *stream)
{
    for (size_t i = 0; stream->all != NULL && i < stream->run->job->n_beside; i++)
        armpmu_sim_free(stream->all[i + 1]);
    free(stream->all);
    armpmu_sim_free(stream->sim);
}

/* Makes those beside stream->sim. */
static enum armpmu_status open_beside(struct stream *stream, struct armpmu_error *err)
{
    const struct engine_job *const job = stream->run->job;
    enum armpmu_status status = ARMPMU_OK;

    if (job->n_beside == 0)
        return ARMPMU_OK;
    stream->all = calloc(job->n_beside + 1, sizeof *stream->all);
    if (stream->all == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "no memory for another thread");
    stream->all[0] = stream->sim;
    for (size_t i = 0; i < job->n_beside && status == ARMPMU_OK; i++)
        status = armpmu_sim_new(job->beside[i], stream->run->code, &stream->all[i + 1], err);
    return status;
}

/* The thread's model, and those beside it. */
static enum armpmu_status run_models(struct stream *stream, const uint64_t *records,
                                     size_t n_records, struct armpmu_error *err)
{
    if (stream->written != NULL)
        return trace_stream_run(stream->written, records, n_records, recorded_blocks_look_up,
                                &stream->run->blocks, err);
    if (stream->all == NULL)
        return armpmu_sim_run(stream->sim, records, n_records, err);
    return model_pool_run(stream->run->models, stream->all, stream->run->job->n_beside + 1, records,
                          n_records, err);
}

static void finish_beside(struct stream *stream, enum armpmu_end how)
{
    for (size_t i = 0; stream->all != NULL && i < stream->run->job->n_beside; i++)
        armpmu_sim_finish(stream->all[i + 1], how);
}

/* Called under the lock. */
static void add_beside(struct stream *stream)
{
    uint64_t signals[ARMPMU_SIGNAL_COUNT];

    for (size_t i = 0; stream->all != NULL && i < stream->run->job->n_beside; i++) {
        armpmu_sim_signals(stream->all[i + 1], signals);
        for (unsigned s = 0; s < ARMPMU_SIGNAL_COUNT; s++)
            stream->run->beside[i][s] += signals[s];
    }
}

/* ---- */

/* A stream that cannot be read. */
static void lose_stream(struct stream *stream, enum armpmu_status status,
                        const struct armpmu_error *error)
{
    pthread_mutex_lock(&stream->run->lock);
    keep_failure(stream->run, status, error);
    pthread_mutex_unlock(&stream->run->lock);
    free_models(stream);
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
        status = fail(&error, ARMPMU_NO_MEMORY, "no memory for the name of the program");
    pthread_mutex_lock(&run->lock);
    if (status != ARMPMU_OK)
        keep_failure(run, status, &error);
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
        return fail(err, ARMPMU_NO_MEMORY, "no memory for another thread");
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
        keep_failure(run, status, &error);
        pthread_mutex_unlock(&run->lock);
        free(stream);
        return NULL;
    }
    stream->run = run;
    stream->process = process;
    stream->thread = thread;
    if (open_beside(stream, &error) != ARMPMU_OK || set_profile(stream, &error) != ARMPMU_OK) {
        lose_stream(stream, ARMPMU_NO_MEMORY, &error);
        return NULL;
    }
    if (run->job->period != 0)
        armpmu_sim_set_interval(stream->sim, run->job->every, run->job->period, interval_passed,
                                stream);
    return stream;
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

static bool stream_run(void *user, const uint64_t *records, size_t n_records)
{
    struct stream *stream = user;
    struct armpmu_error error;
    enum armpmu_status status = ARMPMU_OK;
    if (is_live(stream))
        status = run_alone(stream, &records, &n_records, &error);
    if (status == ARMPMU_OK && n_records > 0)
        status = run_models(stream, records, n_records, &error);
    if (run_watch_asks(&stream->run->watch, &stream->watched))
        run_watch_add(&stream->run->watch, &stream->watched, stream->sim);
    if (status == ARMPMU_OK)
        return true;
    pthread_mutex_lock(&stream->run->lock);
    keep_failure(stream->run, status, &error);
    pthread_mutex_unlock(&stream->run->lock);
    return false;
}

static void stream_rename(void *user)
{
    struct stream *stream = user;
    if (stream->written != NULL) {
        trace_stream_rename(stream->written);
        return;
    }
    armpmu_sim_rename(stream->sim);
    for (size_t i = 0; stream->all != NULL && i < stream->run->job->n_beside; i++)
        armpmu_sim_rename(stream->all[i + 1]);
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
        keep_failure(run, status, &error);
}

/* As recorded_program. */
static bool find_program_of(const struct user_run *run, uint32_t process, char *name)
{
    if (run->job->trace_from == NULL)
        return recorded_program(run->blocks.ring, process, name);
    return trace_replay_program(run->job->trace_from, process, name);
}

/* Called under the lock. */
static void keep_thread(struct user_run *run, const struct stream *stream, const uint64_t *signals)
{
    if (!ARRAY_RESERVE(run->threads, run->threads_room, run->n_threads + 1)) {
        struct armpmu_error error;
        fail(&error, ARMPMU_NO_MEMORY, "no memory for the counts of another thread");
        keep_failure(run, ARMPMU_NO_MEMORY, &error);
        return;
    }
    struct engine_thread *thread = &run->threads[run->n_threads++];
    *thread = (struct engine_thread){.process = stream->process, .thread = stream->thread};
    memcpy(thread->signals, signals, sizeof thread->signals);
    find_program_of(run, stream->process, thread->program);
    keep_profile(run, thread, stream->sim);
}

/* The trace of a thread that is written. */
static void end_written(const struct stream *stream, enum armpmu_end how, bool replaced)
{
    struct user_run *const run = stream->run;
    char program[ENGINE_PROGRAM_NAME];
    struct trace_thread thread = {.program = program, .is_replaced = replaced, .end = how};
    struct armpmu_error error;

    thread.is_executed = find_program_of(run, stream->process, program);
    const enum armpmu_status status = trace_stream_end(stream->written, &thread, &error);
    if (status == ARMPMU_OK)
        return;
    pthread_mutex_lock(&run->lock);
    keep_failure(run, status, &error);
    pthread_mutex_unlock(&run->lock);
}

static void end_models(struct stream *stream, enum armpmu_end how, uint64_t *signals)
{
    armpmu_sim_finish(stream->sim, how);
    finish_beside(stream, how);
    armpmu_sim_signals(stream->sim, signals);
    pthread_mutex_lock(&stream->run->lock);
    stream->run->n_helper_calls += armpmu_sim_helper_calls(stream->sim);
    add_beside(stream);
    pthread_mutex_unlock(&stream->run->lock);
}

static void stream_end(void *user, enum armpmu_end how, bool replaced)
{
    struct stream *stream = user;
    struct user_run *run = stream->run;
    uint64_t signals[ARMPMU_SIGNAL_COUNT] = {0};
    if (stream->written != NULL)
        end_written(stream, how, replaced);
    else
        end_models(stream, how, signals);
    pthread_mutex_lock(&run->lock);
    if (run->job->period != 0)
        add_to_interval(stream, (size_t)stream->n_intervals, false, signals);
    keep_thread(run, stream, signals);
    run->n_execs += replaced;
    pthread_mutex_unlock(&run->lock);
    free_models(stream);
    free(stream);
}

/* ---- the run ----------------------------------------------------------------------------------
 */

static enum armpmu_status find_everything(struct user_run *run, struct armpmu_error *err)
{
    const struct engine_job *job = run->job;

    run->core = core_descriptor_of(armpmu_machine_core(job->machine));
    if (job->trace_from != NULL)
        return trace_replay_check(job, err);
    enum armpmu_status status = program_find(job->argv[0], run->core, &run->program, err);
    if (status == ARMPMU_OK)
        status = find_qemu(job->qemu, run->core, run->qemu, err);
    if (status == ARMPMU_OK)
        status = find_plugin(run->plugin, err);
    if (status == ARMPMU_OK)
        status = find_sysroot(job->sysroot, run->program.interpreter, run->sysroot, err);
    if (status == ARMPMU_OK && job->is_stable)
        status = stable_make(&run->stable, &run->program, job->argv, job->variables, err);
    return status;
}

static enum armpmu_status try_machine(const struct user_run *run,
                                      const struct armpmu_machine *machine,
                                      struct armpmu_error *err)
{
    struct armpmu_sim *sim;
    enum armpmu_status status = armpmu_sim_new(machine, run->code, &sim, err);
    armpmu_sim_free(sim);
    return status;
}

/* A machine that no core model takes is refused before anything has run. */
static enum armpmu_status try_machines(const struct user_run *run, struct armpmu_error *err)
{
    enum armpmu_status status = try_machine(run, run->job->machine, err);

    for (size_t i = 0; i < run->job->n_beside && status == ARMPMU_OK; i++)
        status = try_machine(run, run->job->beside[i], err);
    return status;
}

/* The thread of a trace works, too. */
static enum armpmu_status make_pool(struct user_run *run, struct armpmu_error *err)
{
    const size_t n_beside = run->job->n_beside;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t others = processors > 1 ? (size_t)processors - 1 : 0;

    if (n_beside == 0)
        return ARMPMU_OK;
    run->beside = calloc(n_beside, sizeof *run->beside);
    if (run->beside == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "no memory for the counts of %zu machines", n_beside);
    return model_pool_new((unsigned)(others < n_beside ? others : n_beside), &run->models, err);
}

/* QEMU gives a program of 64 bits its own address space. */
static struct ring_consumer_sink sink_of(struct user_run *run)
{
    return (struct ring_consumer_sink){.user = run,
                                       .copies = strcmp(run->core->emulator.target, "aarch64") == 0,
                                       .open = stream_open,
                                       .run = stream_run,
                                       .rename = stream_rename,
                                       .end = stream_end};
}

static enum armpmu_status make_ring_consumer(struct user_run *run, struct armpmu_error *err)
{
    const struct ring_consumer_sink sink = sink_of(run);
    const enum armpmu_status status =
        ring_consumer_new(&sink, run->job->keep_running, &run->consumers, err);

    if (status == ARMPMU_OK)
        run->blocks.ring = ring_consumer_ring(run->consumers);
    return status;
}

static void warn(const struct user_run *run)
{
    char sentence[PROGRAM_WARNING_BYTES];

    if (run->job->warn != NULL && later_core_sentence(run->job->argv[0], &run->program.attributes,
                                                      run->job->machine, sentence, sizeof sentence))
        run->job->warn(sentence);
}

static enum armpmu_status make_code(struct user_run *run, struct armpmu_error *err)
{
    if (run->job->trace_from != NULL)
        return armpmu_code_new(trace_file_look_up, run->job->trace_from, &run->code, err);
    return armpmu_code_new(recorded_blocks_look_up, &run->blocks, &run->code, err);
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
        status = try_machines(run, err);
    if (status == ARMPMU_OK)
        status = make_pool(run, err);
    return status;
}

static enum armpmu_status prepare(struct user_run *run, struct armpmu_error *err)
{
    const bool is_replay = run->job->trace_from != NULL;
    enum armpmu_status status = find_everything(run, err);
    if (status == ARMPMU_OK && !is_replay)
        status = recorded_blocks_new(&run->blocks, err);
    if (status == ARMPMU_OK && run->job->trace_to == NULL)
        status = prepare_models(run, err);
    if (status == ARMPMU_OK && !is_replay)
        status = make_ring_consumer(run, err);
    return status;
}

/* What the run says when QEMU ended without a guest: its own message has gone to standard error. */
static enum armpmu_status check_started(const struct user_run *run, int wait_status,
                                        struct armpmu_error *err)
{
    const bool failed = ring_consumer_failure(run->consumers)[0] != '\0';
    bool ended_badly = WIFEXITED(wait_status) && WEXITSTATUS(wait_status) != 0;
    if (!ring_consumer_started(run->consumers) && !WIFSIGNALED(wait_status))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "QEMU '%s' did not load the plugin '%s' and ended with status %d; what it says "
                    "stands above",
                    run->qemu, run->plugin, WEXITSTATUS(wait_status));
    if (!failed && ring_consumer_n_streams(run->consumers) == 0 && ended_badly)
        return fail(err, ARMPMU_BAD_INPUT,
                    "QEMU could not start '%s' and ended with status %d; what it says stands above",
                    run->program.path, WEXITSTATUS(wait_status));
    return ARMPMU_OK;
}

/* Why not all was counted; no message if it was. */
static void find_problem(const struct user_run *run, struct armpmu_error *problem)
{
    static const char early[] = "the program ran, but was not counted to its end";

    problem->message[0] = '\0';
    if (run->status != ARMPMU_OK && run->job->trace_from != NULL)
        fail(problem, run->status, "the trace was not counted to its end: %s", run->error.message);
    else if (run->status == ARMPMU_BAD_INPUT)
        fail(problem, run->status,
             "%s: armpmu's recording makes no sense, perhaps the program wrote into it: %s", early,
             run->error.message);
    else if (run->status != ARMPMU_OK)
        fail(problem, run->status, "%s: %s", early, run->error.message);
    else if (run->job->trace_from != NULL)
        fail(problem, ARMPMU_IO, "%s", trace_file_outcome(run->job->trace_from)->problem);
    else if (ring_consumer_failure(run->consumers)[0] != '\0')
        fail(problem, ARMPMU_IO, "%s: %s", early, ring_consumer_failure(run->consumers));
}

/* Whether there is something to report. */
static enum armpmu_status check_recorded(const struct user_run *run, int wait_status,
                                         struct armpmu_error *err)
{
    enum armpmu_status status = check_started(run, wait_status, err);
    if (status != ARMPMU_OK || run->n_threads > 0)
        return status;
    if (run->status != ARMPMU_OK)
        return fail(err, run->status == ARMPMU_NO_MEMORY ? ARMPMU_NO_MEMORY : ARMPMU_IO,
                    "the program ran, but was not counted: %s", run->error.message);
    if (ring_consumer_failure(run->consumers)[0] != '\0')
        return fail(err, ARMPMU_IO, "the program %s: %s",
                    ring_consumer_is_damaged(run->consumers)       ? "ran, but was not counted"
                    : ring_consumer_n_streams(run->consumers) == 0 ? "was not started"
                                                                   : "was not counted",
                    ring_consumer_failure(run->consumers));
    return ARMPMU_OK;
}

static int by_identity(const void *a, const void *b)
{
    const struct engine_thread *x = a, *y = b;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* Copies the files that code is from. */
static void take_files(struct user_run *run, struct engine_result *out)
{
    struct armpmu_error error;
    enum armpmu_status status = ARMPMU_OK;

    if (run->job->profile == ARMPMU_PROFILE_OFF || run->job->trace_from != NULL)
        return;
    status = recorded_files(run->blocks.ring, &out->files, &out->n_files, &error);
    for (size_t i = 0; status == ARMPMU_OK && i < out->n_files; i++)
        if (!stable_name_file(&run->stable, &out->files[i].path))
            status = fail(&error, ARMPMU_NO_MEMORY, "no memory for the name of the program");
    if (status != ARMPMU_OK)
        keep_failure(run, ARMPMU_NO_MEMORY, &error);
}

static bool is_first_of_process(const struct user_run *run, const struct engine_thread *thread)
{
    char name[ENGINE_PROGRAM_NAME];

    return !find_program_of(run, thread->process, name);
}

static bool find_faulted_block(struct user_run *run, struct armpmu_block_source *out)
{
    if (run->job->trace_from != NULL)
        return trace_replay_faulted_block(run->job->trace_from, out);
    const uint32_t id = ring_consumer_faulted_block(run->consumers);
    return id != UINT32_MAX && recorded_blocks_look_up(&run->blocks, id, out);
}

/* An undefined instruction ends its block. */
static void find_undefined(struct user_run *run, struct engine_undefined *out)
{
    struct armpmu_block_source block;

    if (!find_faulted_block(run, &block) || block.bytes == NULL)
        return;
    unsigned at = 0, size = 0;
    for (unsigned i = 0; i < block.n_insns && at + size + 2 <= block.n_bytes; i++) {
        at += size;
        size = block.isa == ARMPMU_T32 && (block.bytes[at + 1] >> 3) < 0x1d ? 2 : 4;
    }
    if (size == 0 || at + size > block.n_bytes)
        return;
    *out = (struct engine_undefined){block.address + at, block.isa, size, {0}};
    memcpy(out->bytes, block.bytes + at, size);
}

static unsigned count_programs(const struct user_run *run)
{
    return run->job->trace_from != NULL ? trace_file_outcome(run->job->trace_from)->n_programs
                                        : recorded_programs(run->blocks.ring);
}

/* Hands the threads over to the result. */
static void fill_in(struct user_run *run, const struct launched *launched,
                    struct engine_result *out)
{
    *out = (struct engine_result){
        .wait_status = launched->wait_status,
        .interrupted = launched->interrupted,
        .cut_short = termination_cuts(),
        .timed_out = run->watch.is_over,
        .threads = run->threads,
        .n_threads = run->n_threads,
        .beside = run->beside,
        .n_helper_calls = run->n_helper_calls,
        .n_programs = count_programs(run),
        .others_start = run->intervals.n_live * run->job->period,
    };
    if (run->job->trace_from != NULL) {
        out->cut_short |= trace_file_outcome(run->job->trace_from)->cut_short;
        out->timed_out = trace_file_outcome(run->job->trace_from)->timed_out;
    }
    if (run->n_execs > out->n_programs)
        out->n_execs = run->n_execs - out->n_programs;
    run->threads = NULL;
    run->beside = NULL;
    take_files(run, out);
    if (WIFSIGNALED(launched->wait_status) && WTERMSIG(launched->wait_status) == SIGILL)
        find_undefined(run, &out->undefined);
    find_problem(run, &out->problem);
    if (out->n_threads > 0)
        qsort(out->threads, out->n_threads, sizeof *out->threads, by_identity);
    for (size_t i = 0; i < out->n_threads; i++) {
        if (i == 0 || out->threads[i].process != out->threads[i - 1].process)
            out->n_processes += is_first_of_process(run, &out->threads[i]);
        for (unsigned s = 0; s < ARMPMU_SIGNAL_COUNT; s++)
            out->signals[s] += out->threads[i].signals[s];
    }
}

static enum armpmu_status launch_guest(struct user_run *run, struct launched *launched,
                                       struct armpmu_error *err)
{
    const bool is_stable = run->job->is_stable;
    const struct launch launch = {.qemu = run->qemu,
                                  .plugin = run->plugin,
                                  .core = run->core,
                                  .sysroot = run->sysroot,
                                  .consumers = run->consumers,
                                  .program = is_stable ? run->stable.path : run->program.path,
                                  .argv = is_stable ? run->stable.argv : run->job->argv,
                                  .environment = run->stable.environment,
                                  .names_files = run->job->profile != ARMPMU_PROFILE_OFF,
                                  .keep_running = run->job->keep_running,
                                  .only_first = run->job->only_first,
                                  .watch = run_watch_is_wanted(run->job) ? &run->watch : NULL};
    enum armpmu_status status = launch_and_wait(&launch, launched, err);
    if (status != ARMPMU_OK)
        return status;
    ring_consumer_finish(run->consumers, launched->pid, launched->wait_status);
    return check_recorded(run, launched->wait_status, err);
}

/* As launch_guest. */
static enum armpmu_status replay_trace(struct user_run *run, struct launched *launched,
                                       struct armpmu_error *err)
{
    const struct trace_outcome *const outcome = trace_file_outcome(run->job->trace_from);
    const struct ring_consumer_sink sink = sink_of(run);
    struct run_watch *const watch = run_watch_is_wanted(run->job) ? &run->watch : NULL;

    *launched =
        (struct launched){.wait_status = outcome->wait_status, .interrupted = outcome->interrupted};
    return trace_replay(run->job, &sink, watch, err);
}

static void clean_up(struct user_run *run)
{
    ring_consumer_free(run->consumers); /* ends every trace, so it goes before what they use */
    model_pool_free(run->models);
    armpmu_code_free(run->code);
    recorded_blocks_free(&run->blocks);
    stable_remove(&run->stable);
    pthread_mutex_destroy(&run->lock);
    run_watch_close(&run->watch);
    free(run->threads);
    free(run->beside);
    intervals_free(&run->intervals);
    free(run);
}

enum armpmu_status engine_qemu_run(const struct engine_job *job, struct engine_result *out,
                                   struct armpmu_error *err)
{
    *out = (struct engine_result){0};
    termination_catch();
    struct user_run *run = calloc(1, sizeof *run);
    if (run == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "no memory for the engine");
    run->job = run->intervals.job = job;
    pthread_mutex_init(&run->lock, NULL);
    run_watch_open(&run->watch, job);
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
        fill_in(run, &launched, out);
    }
    clean_up(run);
    return status;
}

void engine_result_free(struct engine_result *result)
{
    free(result->threads);
    free(result->beside);
    result->beside = NULL;
    result->threads = NULL;
    result->n_threads = 0;
    for (size_t i = 0; i < result->n_files; i++)
        free(result->files[i].path);
    free(result->files);
    result->files = NULL;
    result->n_files = 0;
}

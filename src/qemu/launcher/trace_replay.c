#include "qemu/launcher/trace_replay.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "armpmu/trace.h"
#include "base/error.h"
#include "base/termination.h"
#include "base/thread.h"
#include "machine/core_descriptor.h"
#include "qemu/launcher/trace_replay_internal.h"
#include "trace/trace_file.h"

#define REPLAY_LOOK_NS 100000000L

/* ---- what the trace is of ---------------------------------------------------------------------
 */

static bool runs_on(const struct core_descriptor *core, const struct trace_setup *setup)
{
    return core_descriptor_runs(core, setup->target, setup->cpu);
}

static enum armpmu_status refuse(const struct armpmu_machine *machine,
                                 const struct core_descriptor *core,
                                 const struct trace_setup *setup, struct armpmu_error *err)
{
    size_t i = 0;

    while (core_descriptor_at(i) != NULL && !runs_on(core_descriptor_at(i), setup))
        i++;
    const struct core_descriptor *const other = core_descriptor_at(i);
    return fail(err, ARMPMU_BAD_CONFIG,
                "the trace is of a program on %.40s (%.40s), but programs for machine %s run on %s "
                "(%s): choose one with the former's core%s%s, or record it again",
                setup->cpu, setup->target, armpmu_machine_name(machine), core->emulator.cpu,
                core->emulator.target, other != NULL ? ", as with --machine " : "",
                other != NULL ? other->machine : "");
}

static enum armpmu_status check_machine(const struct armpmu_machine *machine,
                                        const struct trace_setup *setup, struct armpmu_error *err)
{
    const struct core_descriptor *const core = core_descriptor_of(armpmu_machine_core(machine));

    return runs_on(core, setup) ? ARMPMU_OK : refuse(machine, core, setup, err);
}

enum armpmu_status engine_trace_check(const struct run *job, struct armpmu_error *err)
{
    const struct trace_setup *const setup = trace_file_setup(job->trace_from);
    enum armpmu_status status = check_machine(job->machine, setup, err);

    for (size_t i = 0; i < job->n_beside && status == ARMPMU_OK; i++)
        status = check_machine(job->beside[i], setup, err);
    return status;
}

bool trace_replay_program(const struct trace_file *file, uint32_t process, char *name)
{
    size_t n_threads;
    const struct trace_thread *thread = trace_file_threads(file, &n_threads);
    const struct trace_thread *const end = thread + n_threads;

    while (thread < end && thread->process != process)
        thread++;
    snprintf(name, ENGINE_PROGRAM_NAME, "%s", thread < end ? thread->program : "");
    return thread < end && thread->is_executed;
}

bool trace_replay_faulted_block(struct trace_file *file, struct armpmu_block_source *out)
{
    size_t n_threads;
    const struct trace_thread *const threads = trace_file_threads(file, &n_threads);

    for (size_t i = 0; i < n_threads; i++)
        if (threads[i].end == ARMPMU_END_FAULT)
            return trace_file_look_up(file, threads[i].last_block, out);
    return false;
}

/* ---- a thread ---------------------------------------------------------------------------------
 */

/* Records of the range: from the first block at its start or later, up to the first at its end.
 * *insn: the number of the first record's instruction, then of the first after the records. */
static void clip(const struct run *job, uint64_t *insn, const uint64_t **records, size_t *n_records)
{
    const size_t n = *n_records;
    size_t first = *insn >= job->from_insn ? 0 : n, end = n;
    struct armpmu_block_source block = {0};

    for (size_t i = 0; i < n && end == n; i++) {
        if (armpmu_record_kind((*records)[i]) != ARMPMU_RECORD_BLOCK)
            continue;
        if (*insn >= job->from_insn && first > i)
            first = i;
        if (job->to_insn != 0 && *insn >= job->to_insn)
            end = i;
        else if (trace_file_look_up(job->trace_from, (uint32_t)(*records)[i], &block))
            *insn += block.n_insns;
    }
    *records += first < end ? first : 0;
    *n_records = first < end ? end - first : 0;
}

enum armpmu_status replay_open(struct replay *replay, size_t index, struct replayed_thread *thread,
                               struct armpmu_error *err)
{
    const struct ring_sink *const sink = replay->sink;
    const struct trace_thread *const traced = &replay->threads[index];

    *thread = (struct replayed_thread){0};
    enum armpmu_status status = trace_cursor_open(replay->job->trace_from, index,
                                                  replay->job->from_insn, &thread->cursor, err);
    if (status == ARMPMU_OK)
        status = trace_ahead_new(thread->cursor, &thread->ahead, err);
    if (status != ARMPMU_OK)
        return status;
    thread->insn = trace_cursor_insn(thread->cursor);
    thread->trace = sink->open(sink->user, traced->process, traced->thread);
    if (thread->trace == NULL)
        replay->stops = true;
    return ARMPMU_OK;
}

enum armpmu_status replay_take(struct replay *replay, struct replayed_thread *thread,
                               const uint64_t **records, size_t *n_records,
                               struct armpmu_error *err)
{
    const struct run *const job = replay->job;
    const enum armpmu_status status = trace_ahead_next(thread->ahead, records, n_records, err);

    thread->is_over = status == ARMPMU_OK && *n_records == 0;
    if (status != ARMPMU_OK || thread->is_over)
        return status;
    if (job->from_insn != 0 || job->to_insn != 0)
        clip(job, &thread->insn, records, n_records);
    thread->is_past = job->to_insn != 0 && thread->insn >= job->to_insn;
    return ARMPMU_OK;
}

void replay_give(struct replay *replay, struct replayed_thread *thread, const uint64_t *records,
                 size_t n_records)
{
    if (n_records > 0 && !replay->sink->run(thread->trace, records, n_records))
        replay->stops = true;
}

void replay_close(struct replay *replay, size_t index, struct replayed_thread *thread)
{
    const struct trace_thread *const traced = &replay->threads[index];

    if (thread->trace != NULL)
        replay->sink->end(thread->trace, thread->is_over ? traced->end : ARMPMU_END_EXIT,
                          traced->is_replaced);
    trace_ahead_free(thread->ahead);
    trace_cursor_close(thread->cursor);
}

static enum armpmu_status give_thread(struct replay *replay, size_t index, struct armpmu_error *err)
{
    const uint64_t *records;
    size_t n_records;
    struct replayed_thread thread;
    enum armpmu_status status = replay_open(replay, index, &thread, err);

    while (status == ARMPMU_OK && !thread.is_over && !thread.is_past && !replay->stops) {
        status = replay_take(replay, &thread, &records, &n_records, err);
        if (status == ARMPMU_OK)
            replay_give(replay, &thread, records, n_records);
    }
    replay_close(replay, index, &thread);
    return status;
}

/* Those that share come with the first of them. */
static enum armpmu_status give(struct replay *replay, size_t index, struct armpmu_error *err)
{
    if (!replay_shares(replay, index))
        return replay_slices(replay, index) ? replay_in_slices(replay, index, err)
                                            : give_thread(replay, index, err);
    return replay_is_first(replay, index) ? replay_process(replay, index, err) : ARMPMU_OK;
}

/* ---- all --------------------------------------------------------------------------------------
 */

/* Called under the lock, which it gives back meanwhile. */
static void take_thread(struct replay *replay)
{
    const size_t index = replay->n_taken++;
    struct armpmu_error error;

    pthread_mutex_unlock(&replay->lock);
    const enum armpmu_status status = give(replay, index, &error);
    pthread_mutex_lock(&replay->lock);
    if (status == ARMPMU_OK || replay->status != ARMPMU_OK)
        return;
    replay->stops = true;
    replay->status = status;
    replay->error = error;
}

static void *work(void *user)
{
    struct replay *const replay = user;

    pthread_mutex_lock(&replay->lock);
    while (replay->n_taken < replay->n_threads && !replay->stops)
        take_thread(replay);
    replay->n_workers--;
    pthread_cond_signal(&replay->is_done);
    pthread_mutex_unlock(&replay->lock);
    return NULL;
}

static unsigned n_processors(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);

    return n > 1 ? (unsigned)n : 1;
}

/* Threads that are counted in slices come one after the other: no other worker has a lock when one
 * forks. */
static unsigned n_workers(const struct replay *replay)
{
    const unsigned jobs = replay->job->jobs;
    const unsigned most = jobs != 0 && jobs < n_processors() ? jobs : n_processors();

    if (replay->n_threads < jobs)
        return replay->n_threads > 0;
    return replay->n_threads < most ? (unsigned)replay->n_threads : most;
}

static enum armpmu_status start_workers(struct replay *replay, unsigned n, struct armpmu_error *err)
{
    pthread_t worker;

    while (replay->n_workers < n && thread_start(&worker, NULL, work, replay)) {
        pthread_detach(worker);
        replay->n_workers++;
    }
    return replay->n_workers > 0
               ? ARMPMU_OK
               : fail(err, ARMPMU_NO_MEMORY,
                      "the system refused a thread to replay the trace: no memory for it, or raise "
                      "the limit (ulimit -u)");
}

/* Called under the lock. */
static void wait_a_while(struct replay *replay)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += REPLAY_LOOK_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&replay->is_done, &replay->lock, &until);
}

static void wait_for_workers(struct replay *replay, struct run_watch *watch)
{
    const bool was_cut = termination_cuts();

    while (replay->n_workers > 0) {
        wait_a_while(replay);
        pthread_mutex_unlock(&replay->lock);
        run_watch_look(watch);
        if (termination_cuts() && !was_cut)
            replay->stops = true;
        pthread_mutex_lock(&replay->lock);
    }
}

enum armpmu_status trace_replay(const struct run *job, const struct ring_sink *sink,
                                struct run_watch *watch, struct armpmu_error *err)
{
    struct replay replay = {.job = job, .sink = sink};

    replay.threads = trace_file_threads(job->trace_from, &replay.n_threads);
    enum armpmu_status status = job->slices != NULL ? replay_check_slices(&replay, err) : ARMPMU_OK;
    if (status != ARMPMU_OK)
        return status;
    pthread_mutex_init(&replay.lock, NULL);
    pthread_cond_init(&replay.is_done, NULL);
    const unsigned n = n_workers(&replay);
    pthread_mutex_lock(&replay.lock);
    status = n > 0 ? start_workers(&replay, n, err) : ARMPMU_OK;
    wait_for_workers(&replay, watch);
    pthread_mutex_unlock(&replay.lock);
    pthread_cond_destroy(&replay.is_done);
    pthread_mutex_destroy(&replay.lock);
    if (replay.status == ARMPMU_OK)
        return status;
    *err = replay.error;
    return replay.status;
}

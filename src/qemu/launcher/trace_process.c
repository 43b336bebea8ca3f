/* Replays the threads of a process in turns, where they share a cache: always the one with the
 * fewest simulated cycles. The order therefore depends only on the traces.
 *
 * A trace does not say when a thread starts or how long it sleeps. CHOICE(cluster-time): one starts
 * where another calls clone, in the order of their numbers, and sleeping takes no time: a thread
 * that waits for others continues at once. Which records a spinning thread has is a matter of the
 * run that was recorded. */
#include <stdlib.h>
#include <string.h>

#include "armpmu/trace.h"
#include "base/error.h"
#include "cores/sharing.h"
#include "qemu/launcher/intervals.h"
#include "qemu/launcher/trace_replay_internal.h"

/* How far a thread may get ahead of the others, in cycles. Less than a line takes from one core to
 * another on any machine, so that no thread keeps one for longer than it would have it; more would
 * make a line that two write to look cheaper. */
#define TURN_CYCLES 16

enum turn_state { TURN_WAITS, TURN_RUNS, TURN_OVER };

struct turn_thread {
    size_t index; /* in the trace */
    uint32_t number;
    enum turn_state state;
    struct replayed_thread replayed;
    uint64_t start;          /* in cycles of the first thread */
    const uint64_t *records; /* those that were taken and not given yet */
    size_t n_records;
};

struct turns {
    struct replay *replay;
    bool is_a64;
    size_t n_threads;
    uint64_t now; /* the latest time at which a thread was looked at */
    struct turn_thread threads[];
};

/* ---- who shares ---- */

bool replay_shares(const struct replay *replay, size_t index)
{
    size_t n = 0;

    if (replay->sink->share == NULL || !sim_shares(replay->job->machine))
        return false;
    for (size_t i = 0; i < replay->n_threads; i++)
        n += replay->threads[i].process == replay->threads[index].process;
    return n > 1;
}

bool replay_is_first(const struct replay *replay, size_t index)
{
    size_t first = 0;

    while (replay->threads[first].process != replay->threads[index].process)
        first++;
    return first == index;
}

/* In the order of their numbers, in which they were created. */
static int compare_threads(const void *a, const void *b)
{
    const struct turn_thread *const one = a, *const other = b;

    return one->number < other->number ? -1 : one->number > other->number;
}

/* ---- a thread ---- */

static uint64_t time_of(const struct turns *turns, const struct turn_thread *thread)
{
    return thread->start + turns->replay->sink->cycles(thread->replayed.trace);
}

/* The one that has come least far; NULL: none runs. */
static struct turn_thread *find_next(struct turns *turns, const struct turn_thread *but)
{
    struct turn_thread *next = NULL;

    for (struct turn_thread *t = turns->threads; t < turns->threads + turns->n_threads; t++)
        if (t != but && t->state == TURN_RUNS &&
            (next == NULL || time_of(turns, t) < time_of(turns, next)))
            next = t;
    return next;
}

static enum armpmu_status start(struct turns *turns, struct turn_thread *thread,
                                struct armpmu_error *err)
{
    struct replay *const replay = turns->replay;
    const struct turn_thread *const other = find_next(turns, NULL);
    const enum armpmu_status status = replay_open(replay, thread->index, &thread->replayed, err);

    thread->state = thread->replayed.trace != NULL ? TURN_RUNS : TURN_OVER;
    thread->start = turns->now;
    if (thread->state == TURN_OVER)
        replay_close(replay, thread->index, &thread->replayed);
    else if (other != NULL &&
             !replay->sink->share(thread->replayed.trace, other->replayed.trace, thread->start))
        replay->stops = true;
    return status;
}

/* Another thread starts, if one is left. */
static enum armpmu_status start_another(struct turns *turns, struct armpmu_error *err)
{
    for (size_t i = 0; i < turns->n_threads; i++)
        if (turns->threads[i].state == TURN_WAITS)
            return start(turns, &turns->threads[i], err);
    return ARMPMU_OK;
}

/* How many of the thread's records are given next: a block; or up to a block that may be after
 * a call that starts a thread, when it is alone. */
static size_t next_records(const struct turns *turns, const struct turn_thread *thread,
                           bool is_alone, bool *starts)
{
    size_t i = 0;

    for (*starts = false; i < thread->n_records; i++) {
        const uint64_t record = thread->records[i];
        const enum armpmu_record_kind kind = armpmu_record_kind(record);
        if (i > 0 && kind == ARMPMU_RECORD_BLOCK && (!is_alone || *starts))
            return i;
        *starts |= kind == ARMPMU_RECORD_SYSCALL &&
                   intervals_starts_another((uint32_t)record, turns->is_a64);
    }
    return i;
}

static enum armpmu_status take_more(struct turns *turns, struct turn_thread *thread,
                                    struct armpmu_error *err)
{
    struct replayed_thread *const replayed = &thread->replayed;
    enum armpmu_status status = ARMPMU_OK;

    while (status == ARMPMU_OK && thread->n_records == 0 && !replayed->is_over &&
           !replayed->is_past)
        status = replay_take(turns->replay, replayed, &thread->records, &thread->n_records, err);
    return status;
}

/* Gives a thread's next records, or ends it. */
static enum armpmu_status give_some(struct turns *turns, struct turn_thread *thread, bool is_alone,
                                    struct armpmu_error *err)
{
    bool starts;
    const enum armpmu_status status = take_more(turns, thread, err);

    if (status != ARMPMU_OK)
        return status;
    if (thread->n_records == 0) {
        replay_close(turns->replay, thread->index, &thread->replayed);
        thread->state = TURN_OVER;
        return ARMPMU_OK;
    }
    const size_t n = next_records(turns, thread, is_alone, &starts);
    replay_give(turns->replay, &thread->replayed, thread->records, n);
    thread->records += n;
    thread->n_records -= n;
    turns->now = time_of(turns, thread);
    return starts ? start_another(turns, err) : ARMPMU_OK;
}

/* ---- all ---- */

static enum armpmu_status give_turn(struct turns *turns, struct turn_thread *thread,
                                    struct armpmu_error *err)
{
    const struct turn_thread *const other = find_next(turns, thread);
    const uint64_t until = other != NULL ? time_of(turns, other) + TURN_CYCLES : 0;
    enum armpmu_status status;

    do
        status = give_some(turns, thread, other == NULL, err);
    while (status == ARMPMU_OK && other != NULL && thread->state == TURN_RUNS &&
           turns->now < until && !turns->replay->stops);
    return status;
}

/* CHOICE(cluster-time): where no call starts a thread, it starts when the others have ended. */
static enum armpmu_status give_all(struct turns *turns, struct armpmu_error *err)
{
    enum armpmu_status status = start_another(turns, err);
    struct turn_thread *thread = find_next(turns, NULL);

    if (status == ARMPMU_OK && thread != NULL && turns->replay->sink->continues) {
        turns->now = time_of(turns, thread);
        status = start_another(turns, err);
    }
    while (status == ARMPMU_OK && !turns->replay->stops &&
           (thread = find_next(turns, NULL)) != NULL) {
        status = give_turn(turns, thread, err);
        if (status == ARMPMU_OK && find_next(turns, NULL) == NULL)
            status = start_another(turns, err);
    }
    for (size_t i = 0; i < turns->n_threads; i++)
        if (turns->threads[i].state == TURN_RUNS)
            replay_close(turns->replay, turns->threads[i].index, &turns->threads[i].replayed);
    return status;
}

enum armpmu_status replay_process(struct replay *replay, size_t index, struct armpmu_error *err)
{
    struct turns *const turns =
        calloc(1, sizeof *turns + replay->n_threads * sizeof turns->threads[0]);

    if (turns == NULL)
        return fail_no_memory(err, "the threads of a process");
    turns->replay = replay;
    turns->is_a64 = strcmp(trace_file_setup(replay->job->trace_from)->target, "aarch64") == 0;
    for (size_t i = 0; i < replay->n_threads; i++)
        if (replay->threads[i].process == replay->threads[index].process)
            turns->threads[turns->n_threads++] =
                (struct turn_thread){.index = i, .number = replay->threads[i].thread};
    qsort(turns->threads, turns->n_threads, sizeof turns->threads[0], compare_threads);
    const enum armpmu_status status = give_all(turns, err);
    free(turns);
    return status;
}

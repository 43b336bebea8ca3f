#include "qemu/plugin/model_queue.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define CHUNKS 16u
/* To wake the thread for each chunk would cost more than to fill it. */
#define WORTH_WAKING (CHUNKS / 4)
#define IN_FRONT     2u

struct chunk {
    size_t n;
    uint32_t n_turns;
    uint32_t turn[BACKLOG_TURNS];
    uint64_t records[IN_FRONT + BACKLOG_WORDS + BACKLOG_SLACK];
};

struct backlog {
    /* Whoever counts: the thread, or the writer while the thread sleeps. */
    struct armpmu_sim *sim;
    unsigned side;
    uint64_t sums[2][ARMPMU_SIGNAL_COUNT];

    pthread_mutex_t lock; /* of the fields below */
    pthread_cond_t filled, emptied;
    uint64_t passed, counted; /* chunks so far; of `passed` the writer's chunk is the next */
    bool threaded;
    bool thread_sleeps; /* and touches nothing until it is woken */
    bool failed;        /* records were refused; nothing counts any more */
    struct armpmu_error error;

    struct chunk chunk[CHUNKS];
};

static struct chunk *chunk_of(struct backlog *backlog, uint64_t number)
{
    return &backlog->chunk[number % CHUNKS];
}

/* ---- counting ---- */

static enum armpmu_status run(struct backlog *backlog, const uint64_t *records, size_t n,
                              struct armpmu_error *error)
{
    return n == 0 ? ARMPMU_OK : armpmu_sim_run(backlog->sim, records, n, error);
}

/* Runs a chunk and empties it; what was counted up to a turn is taken there. */
static enum armpmu_status count(struct backlog *backlog, struct chunk *chunk,
                                struct armpmu_error *error)
{
    const uint64_t *const records = chunk->records + IN_FRONT;
    enum armpmu_status status = ARMPMU_OK;
    size_t from = 0;

    for (uint32_t i = 0; i < chunk->n_turns && status == ARMPMU_OK; i++) {
        status = run(backlog, records + from, chunk->turn[i] - from, error);
        armpmu_sim_read_delta(backlog->sim, backlog->sums[backlog->side]);
        backlog->side ^= 1;
        from = chunk->turn[i];
    }
    if (status == ARMPMU_OK)
        status = run(backlog, records + from, chunk->n - from, error);
    chunk->n = chunk->n_turns = 0;
    return status;
}

/* The writer counts a chunk, with the lock. */
static void count_here(struct backlog *backlog, struct chunk *chunk)
{
    if (!backlog->failed)
        backlog->failed = count(backlog, chunk, &backlog->error) != ARMPMU_OK;
}

/* ---- the thread ---- */

static void sleep_until_woken(struct backlog *backlog)
{
    backlog->thread_sleeps = true;
    pthread_cond_signal(&backlog->emptied);
    while (backlog->thread_sleeps)
        pthread_cond_wait(&backlog->filled, &backlog->lock);
}

static void *work(void *user)
{
    struct backlog *const backlog = user;

    pthread_mutex_lock(&backlog->lock);
    for (;;) {
        if (backlog->counted == backlog->passed)
            sleep_until_woken(backlog);
        struct chunk *const chunk = chunk_of(backlog, backlog->counted);
        struct armpmu_error error;
        enum armpmu_status status = ARMPMU_OK;
        const bool failed = backlog->failed;
        pthread_mutex_unlock(&backlog->lock);
        if (!failed)
            status = count(backlog, chunk, &error);
        pthread_mutex_lock(&backlog->lock);
        if (status != ARMPMU_OK) {
            backlog->failed = true;
            backlog->error = error;
        }
        backlog->counted++;
        if (backlog->passed - backlog->counted == CHUNKS / 2)
            pthread_cond_signal(&backlog->emptied); /* the writer may wait for a free one */
    }
    return NULL;
}

/* Signals are for QEMU's own threads. */
static bool start_thread(struct backlog *backlog)
{
    sigset_t all, before;
    pthread_t thread;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(&thread, NULL, work, backlog) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started)
        pthread_detach(thread);
    return started;
}

/* ---- the writer ---- */

struct backlog *backlog_new(struct armpmu_sim *sim)
{
    struct backlog *const backlog = calloc(1, sizeof *backlog);

    if (backlog == NULL)
        return NULL;
    backlog->sim = sim;
    pthread_mutex_init(&backlog->lock, NULL);
    pthread_cond_init(&backlog->filled, NULL);
    pthread_cond_init(&backlog->emptied, NULL);
    backlog->threaded = start_thread(backlog);
    return backlog;
}

uint64_t *backlog_words(struct backlog *backlog)
{
    return chunk_of(backlog, backlog->passed)->records + IN_FRONT; /* only the writer moves it on */
}

bool backlog_turn(struct backlog *backlog, size_t n)
{
    struct chunk *const chunk = chunk_of(backlog, backlog->passed);

    chunk->turn[chunk->n_turns++] = (uint32_t)n;
    return chunk->n_turns < BACKLOG_TURNS;
}

static void wake_thread(struct backlog *backlog)
{
    backlog->thread_sleeps = false;
    pthread_cond_signal(&backlog->filled);
}

void backlog_pass(struct backlog *backlog, size_t n)
{
    struct chunk *const chunk = chunk_of(backlog, backlog->passed);

    pthread_mutex_lock(&backlog->lock);
    chunk->n = n;
    backlog->passed++;
    if (!backlog->threaded) {
        count_here(backlog, chunk);
        backlog->counted++;
    } else if (backlog->thread_sleeps && backlog->passed - backlog->counted >= WORTH_WAKING) {
        wake_thread(backlog);
    }
    while (backlog->passed - backlog->counted == CHUNKS)
        pthread_cond_wait(&backlog->emptied, &backlog->lock);
    pthread_mutex_unlock(&backlog->lock);
}

void backlog_settle(struct backlog *backlog, size_t n, uint64_t sums[2][ARMPMU_SIGNAL_COUNT])
{
    struct chunk *const chunk = chunk_of(backlog, backlog->passed);

    pthread_mutex_lock(&backlog->lock);
    while (backlog->threaded && !backlog->thread_sleeps)
        pthread_cond_wait(&backlog->emptied, &backlog->lock);
    for (; backlog->counted != backlog->passed; backlog->counted++)
        count_here(backlog, chunk_of(backlog, backlog->counted));
    chunk->n = n;
    count_here(backlog, chunk);
    armpmu_sim_read_delta(backlog->sim, backlog->sums[backlog->side]);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
            sums[side][signal] += backlog->sums[side][signal];
    memset(backlog->sums, 0, sizeof backlog->sums);
    pthread_mutex_unlock(&backlog->lock);
}

const char *backlog_problem(struct backlog *backlog)
{
    pthread_mutex_lock(&backlog->lock);
    const bool failed = backlog->failed;
    pthread_mutex_unlock(&backlog->lock);
    return failed ? backlog->error.message : NULL;
}

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
    uint32_t turn[MODEL_QUEUE_TURNS];
    uint64_t records[IN_FRONT + MODEL_QUEUE_WORDS + MODEL_QUEUE_SLACK];
};

struct model_queue {
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

static struct chunk *chunk_of(struct model_queue *queue, uint64_t number)
{
    return &queue->chunk[number % CHUNKS];
}

/* ---- counting ---- */

static enum armpmu_status run(struct model_queue *queue, const uint64_t *records, size_t n,
                              struct armpmu_error *error)
{
    return n == 0 ? ARMPMU_OK : armpmu_sim_run(queue->sim, records, n, error);
}

/* Runs a chunk and empties it; what was counted up to a turn is taken there. */
static enum armpmu_status count(struct model_queue *queue, struct chunk *chunk,
                                struct armpmu_error *error)
{
    const uint64_t *const records = chunk->records + IN_FRONT;
    enum armpmu_status status = ARMPMU_OK;
    size_t from = 0;

    for (uint32_t i = 0; i < chunk->n_turns && status == ARMPMU_OK; i++) {
        status = run(queue, records + from, chunk->turn[i] - from, error);
        armpmu_sim_read_delta(queue->sim, queue->sums[queue->side]);
        queue->side ^= 1;
        from = chunk->turn[i];
    }
    if (status == ARMPMU_OK)
        status = run(queue, records + from, chunk->n - from, error);
    chunk->n = chunk->n_turns = 0;
    return status;
}

/* The writer counts a chunk, with the lock. */
static void count_here(struct model_queue *queue, struct chunk *chunk)
{
    if (!queue->failed)
        queue->failed = count(queue, chunk, &queue->error) != ARMPMU_OK;
}

/* ---- the thread ---- */

static void sleep_until_woken(struct model_queue *queue)
{
    queue->thread_sleeps = true;
    pthread_cond_signal(&queue->emptied);
    while (queue->thread_sleeps)
        pthread_cond_wait(&queue->filled, &queue->lock);
}

static void *work(void *user)
{
    struct model_queue *const queue = user;

    pthread_mutex_lock(&queue->lock);
    for (;;) {
        if (queue->counted == queue->passed)
            sleep_until_woken(queue);
        struct chunk *const chunk = chunk_of(queue, queue->counted);
        struct armpmu_error error;
        enum armpmu_status status = ARMPMU_OK;
        const bool failed = queue->failed;
        pthread_mutex_unlock(&queue->lock);
        if (!failed)
            status = count(queue, chunk, &error);
        pthread_mutex_lock(&queue->lock);
        if (status != ARMPMU_OK) {
            queue->failed = true;
            queue->error = error;
        }
        queue->counted++;
        if (queue->passed - queue->counted == CHUNKS / 2)
            pthread_cond_signal(&queue->emptied); /* the writer may wait for a free one */
    }
    return NULL;
}

/* Signals are for QEMU's own threads. */
static bool start_thread(struct model_queue *queue)
{
    sigset_t all, before;
    pthread_t thread;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(&thread, NULL, work, queue) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started)
        pthread_detach(thread);
    return started;
}

/* ---- the writer ---- */

struct model_queue *model_queue_new(struct armpmu_sim *sim)
{
    struct model_queue *const queue = calloc(1, sizeof *queue);

    if (queue == NULL)
        return NULL;
    queue->sim = sim;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->filled, NULL);
    pthread_cond_init(&queue->emptied, NULL);
    queue->threaded = start_thread(queue);
    return queue;
}

uint64_t *model_queue_words(struct model_queue *queue)
{
    return chunk_of(queue, queue->passed)->records + IN_FRONT; /* only the writer moves it on */
}

bool model_queue_mode_switch(struct model_queue *queue, size_t n)
{
    struct chunk *const chunk = chunk_of(queue, queue->passed);

    chunk->turn[chunk->n_turns++] = (uint32_t)n;
    return chunk->n_turns < MODEL_QUEUE_TURNS;
}

static void wake_thread(struct model_queue *queue)
{
    queue->thread_sleeps = false;
    pthread_cond_signal(&queue->filled);
}

void model_queue_pass(struct model_queue *queue, size_t n)
{
    struct chunk *const chunk = chunk_of(queue, queue->passed);

    pthread_mutex_lock(&queue->lock);
    chunk->n = n;
    queue->passed++;
    if (!queue->threaded) {
        count_here(queue, chunk);
        queue->counted++;
    } else if (queue->thread_sleeps && queue->passed - queue->counted >= WORTH_WAKING) {
        wake_thread(queue);
    }
    while (queue->passed - queue->counted == CHUNKS)
        pthread_cond_wait(&queue->emptied, &queue->lock);
    pthread_mutex_unlock(&queue->lock);
}

void model_queue_sync(struct model_queue *queue, size_t n, uint64_t sums[2][ARMPMU_SIGNAL_COUNT])
{
    struct chunk *const chunk = chunk_of(queue, queue->passed);

    pthread_mutex_lock(&queue->lock);
    while (queue->threaded && !queue->thread_sleeps)
        pthread_cond_wait(&queue->emptied, &queue->lock);
    for (; queue->counted != queue->passed; queue->counted++)
        count_here(queue, chunk_of(queue, queue->counted));
    chunk->n = n;
    count_here(queue, chunk);
    armpmu_sim_read_delta(queue->sim, queue->sums[queue->side]);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
            sums[side][signal] += queue->sums[side][signal];
    memset(queue->sums, 0, sizeof queue->sums);
    pthread_mutex_unlock(&queue->lock);
}

const char *model_queue_problem(struct model_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    const bool failed = queue->failed;
    pthread_mutex_unlock(&queue->lock);
    return failed ? queue->error.message : NULL;
}

#include "cosim/model_queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"

#define READ_BEFORE 2u

struct chunk {
    size_t n;
    uint32_t n_switches;
    uint32_t switches[MODEL_QUEUE_SWITCHES];
    uint64_t *records;
};

struct model_queue {
    /* Whoever counts: the thread, or the writer while the thread sleeps. */
    struct armpmu_sim *sim;
    unsigned mode;
    bool switched; /* sums hold what was read at a mode switch */
    uint64_t sums[2][ARMPMU_SIGNAL_COUNT];

    pthread_mutex_t lock; /* of the fields below */
    pthread_cond_t filled, emptied;
    uint64_t passed, counted; /* chunks so far; of `passed` the writer's chunk is the next */
    pthread_t thread;
    bool threaded;
    bool thread_runs;   /* the writer's: it may have to be waited for; else no lock is needed */
    bool thread_sleeps; /* and touches nothing until it is woken */
    bool ends;
    enum armpmu_status status; /* not ARMPMU_OK: records were refused; nothing counts any more */
    struct armpmu_error error;

    unsigned n_chunks;
    uint64_t *records; /* of all chunks */
    struct chunk chunks[];
};

static struct chunk *chunk_of(struct model_queue *queue, uint64_t number)
{
    return &queue->chunks[number % queue->n_chunks];
}

/* ---- counting ---- */

static enum armpmu_status run(struct model_queue *queue, const uint64_t *records, size_t n,
                              struct armpmu_error *error)
{
    return n == 0 ? ARMPMU_OK : armpmu_sim_run(queue->sim, records, n, error);
}

/* Runs a chunk and empties it; what was counted up to a mode switch is read there. */
static enum armpmu_status count(struct model_queue *queue, struct chunk *chunk,
                                struct armpmu_error *error)
{
    const uint64_t *const records = chunk->records;
    enum armpmu_status status = ARMPMU_OK;
    size_t from = 0;

    for (uint32_t i = 0; i < chunk->n_switches && status == ARMPMU_OK; i++) {
        status = run(queue, records + from, chunk->switches[i] - from, error);
        armpmu_sim_read_delta(queue->sim, queue->sums[queue->mode]);
        queue->mode ^= 1;
        queue->switched = true;
        from = chunk->switches[i];
    }
    if (status == ARMPMU_OK)
        status = run(queue, records + from, chunk->n - from, error);
    chunk->n = chunk->n_switches = 0;
    return status;
}

/* The writer counts a chunk, with the lock or while the thread sleeps. */
static void count_here(struct model_queue *queue, struct chunk *chunk)
{
    if (queue->status == ARMPMU_OK)
        queue->status = count(queue, chunk, &queue->error);
}

/* ---- the thread ---- */

static void sleep_until_woken(struct model_queue *queue)
{
    queue->thread_sleeps = true;
    pthread_cond_signal(&queue->emptied);
    while (queue->thread_sleeps)
        pthread_cond_wait(&queue->filled, &queue->lock);
}

/* The thread counts a chunk, without the lock. */
static void count_there(struct model_queue *queue, struct chunk *chunk)
{
    struct armpmu_error error;

    pthread_mutex_unlock(&queue->lock);
    const enum armpmu_status status = count(queue, chunk, &error);
    pthread_mutex_lock(&queue->lock);
    if (status != ARMPMU_OK) {
        queue->status = status;
        queue->error = error;
    }
}

static void *work(void *user)
{
    struct model_queue *const queue = user;

    pthread_mutex_lock(&queue->lock);
    for (;;) {
        if (queue->counted == queue->passed && !queue->ends)
            sleep_until_woken(queue);
        if (queue->ends)
            break;
        if (queue->status == ARMPMU_OK)
            count_there(queue, chunk_of(queue, queue->counted));
        queue->counted++;
        if (queue->passed - queue->counted == queue->n_chunks / 2)
            pthread_cond_signal(&queue->emptied); /* the writer may wait for a free one */
    }
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

/* ---- the writer ---- */

struct model_queue *model_queue_new(struct armpmu_sim *sim, unsigned n_chunks, size_t n_records,
                                    bool threaded)
{
    struct model_queue *const queue = calloc(1, sizeof *queue + n_chunks * sizeof queue->chunks[0]);
    uint64_t *const records = calloc(n_chunks * (READ_BEFORE + n_records), sizeof *records);

    if (queue == NULL || records == NULL) {
        free(queue);
        free(records);
        return NULL;
    }
    queue->sim = sim;
    queue->thread_runs = true; /* until it sleeps for the first time */
    queue->n_chunks = n_chunks;
    queue->records = records;
    for (unsigned i = 0; i < n_chunks; i++)
        queue->chunks[i].records = records + i * (READ_BEFORE + n_records) + READ_BEFORE;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->filled, NULL);
    pthread_cond_init(&queue->emptied, NULL);
    queue->threaded = threaded && thread_start(&queue->thread, NULL, work, queue);
    return queue;
}

static void wake_thread(struct model_queue *queue)
{
    queue->thread_sleeps = false;
    queue->thread_runs = true;
    pthread_cond_signal(&queue->filled);
}

static void end_thread(struct model_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->ends = true;
    wake_thread(queue);
    pthread_mutex_unlock(&queue->lock);
    pthread_join(queue->thread, NULL);
}

void model_queue_free(struct model_queue *queue)
{
    if (queue == NULL)
        return;
    if (queue->threaded)
        end_thread(queue);
    pthread_mutex_destroy(&queue->lock);
    pthread_cond_destroy(&queue->filled);
    pthread_cond_destroy(&queue->emptied);
    free(queue->records);
    free(queue);
}

uint64_t *model_queue_records(struct model_queue *queue)
{
    return chunk_of(queue, queue->passed)->records; /* only the writer moves it on */
}

bool model_queue_mode_switch(struct model_queue *queue, size_t n)
{
    struct chunk *const chunk = chunk_of(queue, queue->passed);

    chunk->switches[chunk->n_switches++] = (uint32_t)n;
    return chunk->n_switches < MODEL_QUEUE_SWITCHES;
}

/* To wake the thread for each chunk would cost more than to fill it. */
static bool is_worth_waking(const struct model_queue *queue)
{
    return queue->passed - queue->counted >= (queue->n_chunks + 3) / 4;
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
    } else if (queue->thread_sleeps && is_worth_waking(queue)) {
        wake_thread(queue);
    }
    while (queue->passed - queue->counted == queue->n_chunks)
        pthread_cond_wait(&queue->emptied, &queue->lock);
    pthread_mutex_unlock(&queue->lock);
}

static void wait_for_thread(struct model_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->threaded && !queue->thread_sleeps)
        pthread_cond_wait(&queue->emptied, &queue->lock);
    pthread_mutex_unlock(&queue->lock);
    queue->thread_runs = false;
}

static void add_sums(struct model_queue *queue, uint64_t sums[2][ARMPMU_SIGNAL_COUNT])
{
    for (unsigned mode = 0; mode < 2; mode++)
        for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
            sums[mode][signal] += queue->sums[mode][signal];
    memset(queue->sums, 0, sizeof queue->sums);
    queue->switched = false;
}

void model_queue_sync(struct model_queue *queue, size_t n, uint64_t sums[2][ARMPMU_SIGNAL_COUNT])
{
    if (queue->thread_runs)
        wait_for_thread(queue);
    for (; queue->counted != queue->passed; queue->counted++)
        count_here(queue, chunk_of(queue, queue->counted));
    struct chunk *const chunk = chunk_of(queue, queue->passed);
    chunk->n = n;
    count_here(queue, chunk);
    armpmu_sim_read_delta(queue->sim, sums[queue->mode]);
    if (queue->switched)
        add_sums(queue, sums);
}

enum armpmu_status model_queue_status(struct model_queue *queue, const char **message)
{
    *message = queue->error.message;
    if (!queue->thread_runs)
        return queue->status;
    pthread_mutex_lock(&queue->lock);
    const enum armpmu_status status = queue->status;
    pthread_mutex_unlock(&queue->lock);
    return status;
}

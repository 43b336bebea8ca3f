#include "qemu/launcher/model_pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/thread.h"

/* The work of one call of model_pool_run. */
struct batch {
    struct armpmu_sim *const *sims;
    size_t n_sims, taken, done;
    const uint64_t *records;
    size_t n_records;
    enum armpmu_status status; /* of the first model that failed */
    struct armpmu_error error;
    pthread_cond_t is_done;
    struct batch *next;
};

struct model_pool {
    pthread_mutex_t lock; /* all below */
    pthread_cond_t has_work;
    struct batch *batches; /* of which not all is taken */
    bool ends;
    unsigned n_workers;
    pthread_t workers[];
};

static void remove_batch(struct model_pool *pool, const struct batch *batch)
{
    struct batch **link = &pool->batches;

    while (*link != batch)
        link = &(*link)->next;
    *link = batch->next;
}

/* Runs the next model of a batch. Called under the lock, which it gives back meanwhile. */
static void run_one(struct model_pool *pool, struct batch *batch)
{
    struct armpmu_sim *const sim = batch->sims[batch->taken++];
    struct armpmu_error error;

    if (batch->taken == batch->n_sims)
        remove_batch(pool, batch);
    pthread_mutex_unlock(&pool->lock);
    const enum armpmu_status status = armpmu_sim_run(sim, batch->records, batch->n_records, &error);
    pthread_mutex_lock(&pool->lock);
    if (status != ARMPMU_OK && batch->status == ARMPMU_OK) {
        batch->status = status;
        batch->error = error;
    }
    if (++batch->done == batch->n_sims)
        pthread_cond_signal(&batch->is_done);
}

static void *work(void *user)
{
    struct model_pool *const pool = user;

    pthread_mutex_lock(&pool->lock);
    while (!pool->ends) {
        if (pool->batches != NULL)
            run_one(pool, pool->batches);
        else
            pthread_cond_wait(&pool->has_work, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static bool start_worker(struct model_pool *pool)
{
    const bool started = thread_start(&pool->workers[pool->n_workers], NULL, work, pool);

    pool->n_workers += started;
    return started;
}

enum armpmu_status model_pool_new(unsigned n_workers, struct model_pool **out,
                                  struct armpmu_error *err)
{
    struct model_pool *const pool = calloc(1, sizeof *pool + n_workers * sizeof pool->workers[0]);

    *out = NULL;
    if (pool == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "no memory for threads of %u machines", n_workers);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->has_work, NULL);
    for (unsigned i = 0; i < n_workers && start_worker(pool); i++)
        ; /* with fewer it takes longer */
    *out = pool;
    return ARMPMU_OK;
}

enum armpmu_status model_pool_run(struct model_pool *pool, struct armpmu_sim *const *sims,
                                  size_t n_sims, const uint64_t *records, size_t n_records,
                                  struct armpmu_error *err)
{
    struct batch batch = {
        .sims = sims, .n_sims = n_sims, .records = records, .n_records = n_records};

    if (n_sims == 0)
        return ARMPMU_OK;
    pthread_cond_init(&batch.is_done, NULL);
    pthread_mutex_lock(&pool->lock);
    batch.next = pool->batches;
    pool->batches = &batch;
    pthread_cond_broadcast(&pool->has_work);
    while (batch.taken < n_sims)
        run_one(pool, &batch);
    while (batch.done < n_sims)
        pthread_cond_wait(&batch.is_done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    pthread_cond_destroy(&batch.is_done);
    if (batch.status != ARMPMU_OK)
        *err = batch.error;
    return batch.status;
}

void model_pool_free(struct model_pool *pool)
{
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->ends = true;
    pthread_cond_broadcast(&pool->has_work);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->n_workers; i++)
        pthread_join(pool->workers[i], NULL);
    pthread_cond_destroy(&pool->has_work);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

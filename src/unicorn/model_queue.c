#include "unicorn/model_queue.h"

#include <signal.h>
#include <string.h>

static void run_words(struct model_queue *worker)
{
    struct armpmu_error error;
    const enum armpmu_status status =
        armpmu_sim_run(worker->sim, worker->records, worker->n, &error);

    if (status != ARMPMU_OK && worker->status == ARMPMU_OK) {
        worker->status = status;
        worker->error = error;
    }
    armpmu_sim_read_delta(worker->sim, worker->rose);
}

/* While records are there they, the model and the tallies are this thread's. */
static void *work(void *user)
{
    struct model_queue *const worker = user;

    pthread_mutex_lock(&worker->lock);
    while (!worker->quits) {
        if (worker->records == NULL) {
            pthread_cond_wait(&worker->changed, &worker->lock);
            continue;
        }
        pthread_mutex_unlock(&worker->lock);
        run_words(worker);
        pthread_mutex_lock(&worker->lock);
        worker->records = NULL;
        pthread_cond_broadcast(&worker->changed);
    }
    pthread_mutex_unlock(&worker->lock);
    return NULL;
}

void model_queue_start(struct model_queue *worker, struct armpmu_sim *sim)
{
    sigset_t all, before;

    worker->sim = sim;
    pthread_mutex_init(&worker->lock, NULL);
    pthread_cond_init(&worker->changed, NULL);
    sigfillset(&all); /* signals are the other thread's */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    worker->started = pthread_create(&worker->thread, NULL, work, worker) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void model_queue_stop(struct model_queue *worker)
{
    if (!worker->started)
        return;
    pthread_mutex_lock(&worker->lock);
    worker->quits = true;
    pthread_cond_broadcast(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
    pthread_join(worker->thread, NULL);
    worker->started = false;
}

void model_queue_give(struct model_queue *worker, const uint64_t *records, size_t n)
{
    pthread_mutex_lock(&worker->lock);
    worker->records = records;
    worker->n = n;
    pthread_cond_broadcast(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
}

enum armpmu_status model_queue_wait(struct model_queue *worker, uint64_t *rose,
                                    struct armpmu_error *err)
{
    pthread_mutex_lock(&worker->lock);
    while (worker->records != NULL)
        pthread_cond_wait(&worker->changed, &worker->lock);
    pthread_mutex_unlock(&worker->lock);
    memcpy(rose, worker->rose, sizeof worker->rose);
    memset(worker->rose, 0, sizeof worker->rose);
    if (worker->status != ARMPMU_OK)
        *err = worker->error;
    return worker->status;
}

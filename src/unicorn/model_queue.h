/* The core model on a thread of its own: while it works on records the program goes on. It counts
 * the same as on one thread; counts are known when they are asked for. */
#ifndef UNICORN_MODEL_QUEUE_H
#define UNICORN_MODEL_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"

struct model_queue {
    bool started; /* else nothing below is in use */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct armpmu_sim *sim;
    const uint64_t *records; /* NULL: idle */
    size_t n;
    bool quits;
    enum armpmu_status status;
    struct armpmu_error error;
    uint64_t rose[ARMPMU_SIGNAL_COUNT];
};

/* Without a thread it does not start, and everything is done without it. sim is borrowed. */
void model_queue_start(struct model_queue *worker, struct armpmu_sim *sim);
void model_queue_stop(struct model_queue *worker);

/* Runs records, which stay untouched until model_queue_wait; it must be idle. */
void model_queue_give(struct model_queue *worker, const uint64_t *records, size_t n);

/* Waits until it is idle, and moves what signals rose by to rose, ARMPMU_SIGNAL_COUNT entries.
 * Returns the status of the records it ran since. */
ARMPMU_MUST_USE enum armpmu_status model_queue_wait(struct model_queue *worker, uint64_t *rose,
                                                    struct armpmu_error *err);

#endif

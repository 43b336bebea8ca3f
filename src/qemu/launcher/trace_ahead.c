#include "qemu/launcher/trace_ahead.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/thread.h"

#define AHEAD_SLOTS 4u

struct trace_ahead {
    struct trace_cursor *cursor;
    pthread_t thread;
    pthread_mutex_t lock; /* all below, but for the records in a slot that one side has */
    pthread_cond_t changed;
    struct trace_records slots[AHEAD_SLOTS];
    uint64_t n_filled, n_used; /* slots, so far */
    bool is_used;              /* the user has slot n_used */
    bool is_over, stops;
    enum armpmu_status status; /* why no slot comes after n_filled */
    struct armpmu_error error;
};

/* Waits for a free slot. False: no more is wanted. */
static bool wait_for_room(struct trace_ahead *ahead)
{
    pthread_mutex_lock(&ahead->lock);
    while (!ahead->stops && ahead->n_filled - ahead->n_used == AHEAD_SLOTS)
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    const bool stops = ahead->stops;
    pthread_mutex_unlock(&ahead->lock);
    return !stops;
}

/* Fills the next slot. False after the last. */
static bool fill(struct trace_ahead *ahead)
{
    struct trace_records *const slot = &ahead->slots[ahead->n_filled % AHEAD_SLOTS];
    const enum armpmu_status status = trace_cursor_next(ahead->cursor, slot, &ahead->error);

    pthread_mutex_lock(&ahead->lock);
    ahead->status = status;
    ahead->is_over = status != ARMPMU_OK || slot->n == 0;
    ahead->n_filled += !ahead->is_over;
    pthread_cond_signal(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
    return !ahead->is_over;
}

static void *unpack_ahead(void *user)
{
    struct trace_ahead *const ahead = user;

    while (wait_for_room(ahead) && fill(ahead))
        ;
    return NULL;
}

enum armpmu_status trace_ahead_new(struct trace_cursor *cursor, struct trace_ahead **out,
                                   struct armpmu_error *err)
{
    struct trace_ahead *const ahead = calloc(1, sizeof *ahead);

    *out = NULL;
    if (ahead == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "no memory to replay a thread");
    ahead->cursor = cursor;
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    if (!thread_start(&ahead->thread, NULL, unpack_ahead, ahead)) {
        free(ahead);
        return fail(err, ARMPMU_NO_MEMORY,
                    "the system refused a thread to unpack the trace: no memory for it, or raise "
                    "the limit (ulimit -u)");
    }
    *out = ahead;
    return ARMPMU_OK;
}

enum armpmu_status trace_ahead_next(struct trace_ahead *ahead, const uint64_t **records,
                                    size_t *n_records, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    *n_records = 0;
    pthread_mutex_lock(&ahead->lock);
    ahead->n_used += ahead->is_used;
    pthread_cond_signal(&ahead->changed);
    while (ahead->n_filled == ahead->n_used && !ahead->is_over)
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    ahead->is_used = ahead->n_filled != ahead->n_used;
    const struct trace_records *const slot = &ahead->slots[ahead->n_used % AHEAD_SLOTS];
    if (ahead->is_used) {
        *records = slot->items;
        *n_records = slot->n;
    } else if (ahead->status != ARMPMU_OK) {
        status = ahead->status;
        *err = ahead->error;
    }
    pthread_mutex_unlock(&ahead->lock);
    return status;
}

void trace_ahead_free(struct trace_ahead *ahead)
{
    if (ahead == NULL)
        return;
    pthread_mutex_lock(&ahead->lock);
    ahead->stops = true;
    pthread_cond_signal(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
    pthread_join(ahead->thread, NULL);
    for (unsigned i = 0; i < AHEAD_SLOTS; i++)
        free(ahead->slots[i].items);
    pthread_cond_destroy(&ahead->changed);
    pthread_mutex_destroy(&ahead->lock);
    free(ahead);
}

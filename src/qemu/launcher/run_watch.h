/* Watches a run by the host's clock: its progress, and its end by a signal, a time limit or a
 * failure of armpmu. No count depends on it.
 *
 * A signal to armpmu is the program's: it may end as it likes, but not run on for more than
 * RUN_WATCH_GRACE seconds. When the time is over the program gets SIGTERM, as from timeout(1),
 * so that it is counted up to there; a second later it is killed, with the processes that it has
 * forked, and counting is incomplete. A program of which no more can be counted ends in the same
 * way, unless it is to keep running. */
#ifndef QEMU_LAUNCHER_RUN_WATCH_H
#define QEMU_LAUNCHER_RUN_WATCH_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "qemu/engine.h"

#define RUN_WATCH_GRACE 3

struct run_watch {
    const struct run *job;
    uint64_t start; /* of clock_now() */
    int32_t pid;  /* of the program's first process, until it has been waited for; 0 of a replay, or
                     after its end */
    bool is_over; /* the time is: the program was asked to end for that */
    bool is_cut;  /* counting is incomplete */
    atomic_bool fails;      /* no more can be counted */
    double asked_at;        /* seconds; 0: the program was not asked to end */
    double interrupted_at;  /* seconds; 0: no signal has been seen */
    _Atomic unsigned looks; /* at the progress, so far */
    pthread_mutex_t lock;
    uint64_t cycles, insns; /* of the thread with the most, and of all */
};

/* The counts that a thread has added so far. All zero at first. */
struct run_watch_part {
    unsigned looks;
    uint64_t insns;
};

/* A signal that came before a replay was for the recording: it does not end the replay. */
void run_watch_open(struct run_watch *watch, const struct run *job);
void run_watch_close(struct run_watch *watch);

/* Counting failed: the program is to end. May be called from any thread. */
void run_watch_fail(struct run_watch *watch);

/* Now and then, from the thread that waits for the program. */
void run_watch_look(void *watch);

/* The program has ended, and its records are still counted: neither its time nor a signal that it
 * got ends that. */
void run_watch_ended(struct run_watch *watch);

/* From the thread of a core model, after some records: adds what it has counted, if somebody looks.
 */
static inline bool run_watch_asks(const struct run_watch *watch, const struct run_watch_part *part)
{
    return atomic_load_explicit(&watch->looks, memory_order_relaxed) != part->looks;
}
void run_watch_add(struct run_watch *watch, struct run_watch_part *part,
                   const struct armpmu_sim *sim);

#endif

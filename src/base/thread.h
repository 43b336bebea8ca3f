/* Starts a helper thread with all signals blocked, because signals are for the threads of the
 * command, of the emulator or of its program. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* Starts run(user) in a thread of these attributes, NULL for the usual ones. Returns whether the
 * system gave one; *thread is then joined or detached by the caller. */
static inline bool thread_start(pthread_t *thread, const pthread_attr_t *attributes,
                                void *(*run)(void *), void *user)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(thread, attributes, run, user) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

#endif

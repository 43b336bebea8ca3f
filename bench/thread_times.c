/* To be preloaded: says the processor time of each thread when it ends, and of the thread of a
 * forked process when it has counted its slice (it waits for its parent then), with that of its
 * parent before the fork: lines "SECONDS" on descriptor 9. The greatest is the wall time on a
 * computer where each thread has a processor; one with few, or a busy one, shows it, too. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static double before; /* the fork, of the parent */

static double thread_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

struct start {
    void *(*routine)(void *);
    void *argument;
};

static void *run(void *user)
{
    const struct start start = *(struct start *)user;

    free(user);
    void *const result = start.routine(start.argument);
    dprintf(9, "%.6f\n", thread_seconds());
    return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *),
                   void *argument)
{
    int (*const create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
            RTLD_NEXT, "pthread_create");
    struct start *const start = malloc(sizeof *start);

    if (start == NULL)
        abort();
    *start = (struct start){routine, argument};
    return create(thread, attributes, run, start);
}

pid_t fork(void)
{
    pid_t (*const real)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
    const double now = thread_seconds();
    const pid_t pid = real();

    if (pid == 0)
        before = now;
    return pid;
}

ssize_t recv(int descriptor, void *to, size_t n, int flags)
{
    ssize_t (*const real)(int, void *, size_t, int) =
        (ssize_t(*)(int, void *, size_t, int))dlsym(RTLD_NEXT, "recv");

    if (before != 0 && (flags & MSG_WAITALL) != 0)
        dprintf(9, "%.6f\n", before + thread_seconds());
    return real(descriptor, to, n, flags);
}

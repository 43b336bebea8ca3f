#include "unicorn/limits.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/termination.h"
#include "base/thread.h"
#include "unicorn/firmware.h"

#define NANOSECONDS      1000000000
#define PROGRESS_SECONDS 1

/* ---- the clock --------------------------------------------------------------------------------
 */

static struct timespec time_in(double seconds)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += (time_t)seconds;
    at.tv_nsec += (long)((seconds - (double)(time_t)seconds) * NANOSECONDS);
    at.tv_sec += at.tv_nsec / NANOSECONDS;
    at.tv_nsec %= NANOSECONDS;
    return at;
}

static bool is_later(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

static void *wait_for_time(void *user)
{
    struct limits *const limits = user;

    pthread_mutex_lock(&limits->lock);
    while (!limits->ends && !atomic_load(&limits->over)) {
        const struct timespec tick = time_in(PROGRESS_SECONDS);
        const bool is_deadline =
            limits->has_time && (!limits->has_progress || !is_later(&limits->deadline, &tick));
        if (pthread_cond_timedwait(&limits->changed, &limits->lock,
                                   is_deadline ? &limits->deadline : &tick) == ETIMEDOUT)
            atomic_store(is_deadline ? &limits->over : &limits->shows, true);
    }
    pthread_mutex_unlock(&limits->lock);
    return NULL;
}

static bool start_clock(struct limits *limits)
{
    pthread_condattr_t monotonic;

    pthread_mutex_init(&limits->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&limits->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return thread_start(&limits->thread, NULL, wait_for_time, limits);
}

enum armpmu_status limits_begin(struct firmware *fw, struct armpmu_error *err)
{
    struct limits *const limits = fw->limits;

    limits->has_time = fw->run->timeout_seconds > 0;
    limits->has_progress = fw->run->on_progress != NULL;
    limits->has_clock = limits->has_time || limits->has_progress;
    limits->start = time_in(0);
    limits->deadline = time_in(fw->run->timeout_seconds);
    if (limits->has_clock && !start_clock(limits))
        return fail(err, ARMPMU_NO_MEMORY,
                    "the host has no thread left for --timeout, or to show progress: end other "
                    "programs, or raise its limits (ulimit -u, ulimit -v)");
    termination_runs_here();
    return ARMPMU_OK;
}

void limits_end(struct firmware *fw)
{
    struct limits *const limits = fw->limits;

    termination_over();
    if (!limits->has_clock)
        return;
    pthread_mutex_lock(&limits->lock);
    limits->ends = true;
    pthread_cond_signal(&limits->changed);
    pthread_mutex_unlock(&limits->lock);
    pthread_join(limits->thread, NULL);
}

static void show_progress(struct firmware *fw)
{
    const struct timespec now = time_in(0);
    uint64_t signals[ARMPMU_SIGNAL_COUNT];

    atomic_store_explicit(&fw->limits->shows, false, memory_order_relaxed);
    armpmu_sim_signals(fw->sim, signals);
    fw->run->on_progress(fw->run->user,
                         (double)(now.tv_sec - fw->limits->start.tv_sec) +
                             (double)(now.tv_nsec - fw->limits->start.tv_nsec) / NANOSECONDS,
                         signals[ARMPMU_SIGNAL_CPU_CYCLES], signals[ARMPMU_SIGNAL_INST_RETIRED]);
}

void limits_look(struct firmware *fw)
{
    if (atomic_load_explicit(&fw->limits->shows, memory_order_relaxed))
        show_progress(fw);
    if (termination_signal() != 0)
        firmware_stop(fw, ENGINE_FIRMWARE_INTERRUPTED, "interrupted by SIG%s",
                      sigabbrev_np(termination_signal()));
    else if (termination_cuts())
        firmware_abandon(fw);
    else if (atomic_load_explicit(&fw->limits->over, memory_order_relaxed))
        firmware_stop(fw, ENGINE_FIRMWARE_TIMEOUT, "the time limit of %g seconds is over",
                      fw->run->timeout_seconds);
    else if (fw->max_insns == UINT64_MAX && !fw->limits->has_time && !gdb_is_there(fw) &&
             advice_is_stuck(fw))
        firmware_stop(fw, ENGINE_FIRMWARE_FAULT, "it is in an endless loop");
}

/* ---- the host's files -------------------------------------------------------------------------
 */

static struct timespec time_left(const struct limits *limits)
{
    struct timespec now, left = limits->deadline;

    clock_gettime(CLOCK_MONOTONIC, &now);
    left.tv_sec -= now.tv_sec;
    left.tv_nsec -= now.tv_nsec;
    if (left.tv_nsec < 0) {
        left.tv_sec--;
        left.tv_nsec += NANOSECONDS;
    }
    return left.tv_sec < 0 ? (struct timespec){0, 0} : left;
}

/* A signal comes while ppoll waits, and at no
 * other moment: none is missed. */
bool limits_wait(struct firmware *fw, int fd, short events)
{
    struct pollfd file = {.fd = fd, .events = events};
    sigset_t before;
    int n = 0;

    limits_look(fw);
    if (fw->request != REQUEST_END && poll(&file, 1, 0) > 0)
        return true;
    termination_block(&before);
    while (n <= 0 && fw->request != REQUEST_END) {
        const struct timespec left = time_left(fw->limits);
        n = ppoll(&file, 1, fw->limits->has_time ? &left : NULL, &before);
        if (n < 0 && errno != EINTR)
            break; /* the read or write tells why */
        if (n == 0)
            atomic_store(&fw->limits->over, true);
        if (n <= 0)
            limits_look(fw);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return fw->request != REQUEST_END;
}

ssize_t limits_read(struct firmware *fw, int fd, void *bytes, size_t n)
{
    if (limits_wait(fw, fd, POLLIN))
        return read(fd, bytes, n);
    errno = EINTR;
    return -1;
}

ssize_t limits_write(struct firmware *fw, int fd, const void *bytes, size_t n)
{
    if (limits_wait(fw, fd, POLLOUT))
        return write(fd, bytes, n);
    errno = EINTR;
    return -1;
}

/* Limits that end a run of firmware from outside: the host's time, and a signal
 * (base/termination.h); and the times at which progress is shown.
 *
 * A thread of its own waits for the time to be over, or for the next second, so that looking
 * costs two loads and is done at every block, however long blocks take. Where firmware waits for
 * the host's input, or for room in a pipe, the waiting ends with the run.
 *
 * Assumes: one run at a time, for signals are the process's; nothing else reads the input that
 * firmware was told of. */
#ifndef UNICORN_LIMITS_H
#define UNICORN_LIMITS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "armpmu/status.h"

struct firmware;

struct limits {
    bool has_clock; /* else nothing up to .ends is in use */
    bool has_time;  /* there is a deadline */
    bool has_progress;
    struct timespec start, deadline;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool ends; /* the thread is to */
    atomic_bool over;
    atomic_bool shows; /* job->on_progress is to be called */
};

/* The time begins. Returns ARMPMU_OK, or ARMPMU_NO_MEMORY without a thread; limits_end in the first
 * case. */
ARMPMU_MUST_USE enum armpmu_status limits_begin(struct firmware *fw, struct armpmu_error *err);
void limits_end(struct firmware *fw);

/* Ends the program when it is time, and says how far it is. */
void limits_look(struct firmware *fw);

/* Until a file is ready, or the run has ended: false then. */
bool limits_wait(struct firmware *fw, int fd, short events);

/* read() and write() of at most PIPE_BUF bytes, which fail with EINTR when the run ends first: the
 * program has ended then. */
ssize_t limits_read(struct firmware *fw, int fd, void *bytes, size_t n);
ssize_t limits_write(struct firmware *fw, int fd, const void *bytes, size_t n);

#endif

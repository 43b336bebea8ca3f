/* The counts of a program in each interval.
 *
 *   rows    1 ... k        k+1  k+2 ...
 *   first   ============== ==== ===          the program's first thread, by its clock
 *   others                 ==== ==== ====    each by its own clock, from its own start
 *
 * Up to the system call by which the program starts a thread or another process, or becomes another
 * program, a row is known and reported as soon as the first thread has passed it: these are rows 1
 * to k. From then on another thread may add to a row at any time, so rows are reported when the run
 * is over. The n-th interval of each other thread is part of row k + n. Neither the host nor its
 * load shows in this: k is a place in the trace of the first thread.
 *
 * Leaves out: when after the first other thread the rest of them start. */
#ifndef QEMU_LAUNCHER_INTERVALS_H
#define QEMU_LAUNCHER_INTERVALS_H

#include <stdbool.h>

#include "qemu/engine.h"

struct interval_rows {
    struct interval *rows;
    size_t n_whole, room;
};

/* Nothing here is locked: calls are made one at a time. */
struct intervals {
    const struct run *job;
    struct interval_rows first, others;
    bool has_others;                        /* there was a block after such a system call */
    size_t n_live;                          /* k */
    size_t n_reported;                      /* rows that are reported */
    uint64_t reported[ARMPMU_SIGNAL_COUNT]; /* their sum */
};

/* A thread's counts in an interval. */
struct interval_part {
    bool is_first; /* thread of the program */
    bool is_whole; /* the interval is over */
    size_t index;  /* from 0 */
    const uint64_t *now, *before;
};

/* Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status intervals_add(struct intervals *intervals,
                                                 const struct interval_part *part,
                                                 struct armpmu_error *err);

/* Returns whether a system call of this number starts another thread or process. */
bool intervals_starts_another(uint32_t number, bool is_a64);

/* How many of these records of a thread there are before the first block after a system call that
 * starts another thread or process. All, where there is none. *starts: whether there was such a
 * call, false at first. */
size_t intervals_alone(bool *starts, const uint64_t *records, size_t n_records, bool is_a64);

/* Reports what was not reported yet: the run is over. */
void intervals_finish(struct intervals *intervals);
void intervals_free(struct intervals *intervals);

#endif

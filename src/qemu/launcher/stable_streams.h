/* Standard output and standard error of a program in fixed surroundings: pipes, whatever they
 * lead to. A C library looks at them, and writes to a terminal line by line, to a file in
 * blocks.
 *
 * What comes through a pipe is copied by a process of its own, so that processes which outlive the
 * program can still write when armpmu has ended. Where both lead to the same file they share a
 * pipe, so that text written to them keeps its order. A stream that is a pipe already, or closed,
 * stays.
 *
 * Leaves out: standard input, whose pieces would then depend on time. */
#ifndef QEMU_LAUNCHER_STABLE_STREAMS_H
#define QEMU_LAUNCHER_STABLE_STREAMS_H

#include <stdint.h>

#include "armpmu/status.h"

struct stable_streams {
    int output, error; /* for the program, -1: the caller's */
    int control;       /* to the copier; -1: none */
    int32_t copier;
};

/* Before the program starts. *streams is closed by stable_streams_finish in any case. Returns
 * ARMPMU_OK, ARMPMU_NO_MEMORY or ARMPMU_IO. */
ARMPMU_MUST_USE enum armpmu_status stable_streams_open(struct stable_streams *streams,
                                                       struct armpmu_error *err);

/* The program has started, and has its ends. */
void stable_streams_started(struct stable_streams *streams);

/* The program has ended: returns when all that it wrote has been copied. */
void stable_streams_finish(struct stable_streams *streams);

#endif

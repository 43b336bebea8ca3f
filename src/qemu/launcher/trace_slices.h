/* A recorded trace that is counted in slices: by processes of this computer at once (run.jobs), or
 * each by a run of its own, wherever, whose results are gathered (run.slices).
 *
 * A process for slice K of a thread follows from the thread's first record on (cores/slices.h), and
 * keeps time from `warm_up` records before the slice. The slice counts if the one before it ended
 * in the state in which it began. Otherwise, of processes at once, the one before continues through
 * it, in the worst case through all: counts are always those of one process.
 *
 * To follow takes less than half of the time, so later slices are shorter: all end at about the
 * same time. A thread with few records has fewer slices. Slices begin where trace_cursor_next
 * brings new records.
 *
 * Assumes: a file of slices says what was counted; it is not counted again to see whether that is
 * true. */
#ifndef QEMU_LAUNCHER_TRACE_SLICES_H
#define QEMU_LAUNCHER_TRACE_SLICES_H

#include <stddef.h>
#include <stdint.h>

#include "cores/slices.h"

#define TRACE_SLICES_MAX 64u /* of a thread */

/* The default: more than any pipeline needs. */
#define TRACE_SLICES_WARM_UP 65536u

/* A slice of a thread of the trace. */
struct trace_slice {
    uint32_t thread, number; /* thread: its index in the trace; number: from 1 on */
    struct sim_slice counted;
};

/* The slices that runs of their own count, or that are gathered. Zeroed it is empty. */
struct trace_slices {
    /* Counts this slice, from 1 on, of n: it is added to the items. 0: gathers all items. */
    unsigned number, n;
    struct trace_slice *items;
    size_t n_items, room;
};

/* ---- trace_slices_file.c ---- */

void trace_slices_free(struct trace_slices *slices);

/* Returns ARMPMU_OK or ARMPMU_NO_MEMORY; slice->counted.more is taken over in both cases. */
ARMPMU_MUST_USE enum armpmu_status trace_slices_add(struct trace_slices *slices,
                                                    const struct trace_slice *slice,
                                                    struct armpmu_error *err);

/* The trace and machine of slices: the same in all files that belong together. */
struct trace_slices_key {
    const char *version; /* of armpmu */
    const char *machine; /* the hash of its settings */
    uint64_t trace;      /* trace_file_mark */
};

/* The slices of one run as a file; *bytes is freed by the caller. Returns ARMPMU_OK or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status trace_slices_write(const struct trace_slices *slices,
                                                      const struct trace_slices_key *key,
                                                      unsigned char **bytes, size_t *n_bytes,
                                                      struct armpmu_error *err);

/* Adds the slices of a file to those to gather, which are all of the same n. name: of the file, for
 * errors. Returns ARMPMU_OK, ARMPMU_BAD_INPUT (it is damaged, or of something else) or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status trace_slices_read(struct trace_slices *slices,
                                                     const struct trace_slices_key *key,
                                                     const char *name, const unsigned char *bytes,
                                                     size_t n_bytes, struct armpmu_error *err);

#endif

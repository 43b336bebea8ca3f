/* The counts that `perf stat -x,` or `perf stat -j` wrote on a board.
 *
 * Lines of either kind, in one file. Empty lines and comments are allowed, as -o writes one; these
 * say where the counts are from:
 *
 *     # midr: 0x00000000410fd083      # kernel: 6.1.21-v8+      # perf: perf version 6.1.20
 *
 * Any separator of -x is recognised by what follows the count. Does not read counts of a part of a
 * run: intervals, processors, threads. */
#ifndef CLI_BENCH_PERF_COUNTS_H
#define CLI_BENCH_PERF_COUNTS_H

#include <stddef.h>
#include <stdio.h>

#include "armpmu/status.h"

enum perf_state { PERF_COUNTED, PERF_NOT_COUNTED, PERF_NOT_SUPPORTED };

struct perf_count {
    char *event; /* as perf calls it: "cycles:u", "r11" */
    enum perf_state state;
    double count;   /* as perf scaled it to the whole run */
    double percent; /* of the run in which a counter counted it */
};

enum perf_fact { PERF_MIDR, PERF_KERNEL, PERF_VERSION, PERF_FACTS };

/* All zero at first. Owns its texts. */
struct perf_counts {
    struct perf_count *rows;
    size_t n, room;
    char *facts[PERF_FACTS]; /* NULL: not known */
};

/* Appends the counts of a stream; path: what messages call it. Free the counts in any case.
 * Returns ARMPMU_OK, ARMPMU_BAD_INPUT (the message has path, line and what is wrong), ARMPMU_IO or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status perf_counts_read(struct perf_counts *counts, FILE *file,
                                                    const char *path, struct armpmu_error *err);

void perf_counts_free(struct perf_counts *counts);

#endif

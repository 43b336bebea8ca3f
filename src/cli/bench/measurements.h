/* Reads the output of the measuring program: a value for each thing it measured, in cycles.
 *
 *     armpmu-calibrate 1        the version of this form
 *     core cortex-a8
 *     runs 9                    a value is the median of this number
 *     clock 1.389 ns            an addition by the clock, where there is one
 *     add 1.005 cycles          NAME VALUE UNIT; a row of a curve is NAME_N
 *     ...
 *     end 334                   number of values; without it the text is not whole
 *
 * Assumes: an addition takes one cycle, where values are in ns. */
#ifndef CLI_BENCH_MEASUREMENTS_H
#define CLI_BENCH_MEASUREMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "armpmu/status.h"

#define MEASUREMENT_NAME_MAX 32
#define MEASUREMENT_CLOCK    "clock" /* stays in ns */

/* Values are in thousandths. */
struct measurement {
    char name[MEASUREMENT_NAME_MAX];
    int64_t value;
    bool is_time; /* ns */
};

struct measurements {
    char core[MEASUREMENT_NAME_MAX];
    unsigned runs;
    struct measurement *rows;
    size_t n, room;
};

/* Reads into a measured of zeros, which measurements_free releases in any case. path: for messages,
 * which name the line, what it has and what it should have. Returns ARMPMU_OK, ARMPMU_BAD_INPUT,
 * ARMPMU_IO or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status measurements_read(FILE *file, const char *path,
                                                     struct measurements *measured,
                                                     struct armpmu_error *err);
void measurements_free(struct measurements *measured);

/* The value of a name; false when it was not measured. */
bool measurement_value(const struct measurements *measured, const char *name, int64_t *value);

/* The same of a point of a curve. */
bool measurement_point(const struct measurements *measured, const char *curve, unsigned at,
                       int64_t *value);

#endif

/* Where a report goes: standard error, or a file that is either whole or untouched. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "armpmu/status.h"

/* Write to stream; nothing leaves before output_flush or output_close. */
struct output {
    FILE *stream;
    char *text;
    size_t size;
    const char *path; /* NULL: standard error. Borrowed. */
    bool append;
};

/* Checks that path (NULL: standard error) can be written and opens the stream; nothing is created
 * yet. Returns ARMPMU_OK, ARMPMU_IO or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status output_open(struct output *output, const char *path, bool append,
                                               struct armpmu_error *err);

/* Shows what is there so far if that goes to standard error; a file gets it at the end. */
ARMPMU_MUST_USE enum armpmu_status output_flush(struct output *output, struct armpmu_error *err);

/* Delivers the text and closes. A regular file is written under another name beside it and renamed;
 * with append it is cut back to its old length if not all fits. Returns ARMPMU_OK or ARMPMU_IO (the
 * message names the file and the cause); the output is closed in any case. */
ARMPMU_MUST_USE enum armpmu_status output_close(struct output *output, struct armpmu_error *err);

/* Closes without a trace. */
void output_discard(struct output *output);

#endif

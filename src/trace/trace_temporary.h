/* A file without a name for a recorded trace that is read again in the same run. */
#ifndef TRACE_TRACE_TEMPORARY_H
#define TRACE_TRACE_TEMPORARY_H

#include "trace/trace_file.h"

struct trace_temporary {
    int fd;    /* -1: none */
    int cause; /* errno: why it cannot be made or written; 0: it can */
};

/* The folder that it lies in: $TMPDIR or /tmp. */
const char *trace_temporary_folder(void);

/* Makes it. Returns false and sets its cause on failure. */
bool trace_temporary_open(struct trace_temporary *file);

/* A trace_write_fn; user: the file. */
bool trace_temporary_write(void *user, const void *bytes, size_t n_bytes);

/* Opens what was written, as trace_file_open. */
ARMPMU_MUST_USE enum armpmu_status trace_temporary_read(const struct trace_temporary *file,
                                                        struct trace_file **out,
                                                        struct armpmu_error *err);

/* Closes it; its bytes go with the last reader. The fd of one that was never opened must be -1. */
void trace_temporary_close(struct trace_temporary *file);

#endif

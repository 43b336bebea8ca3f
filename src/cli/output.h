/* Output for users: the only place that opens, writes, checks and closes it.
 *
 * A report is kept until it is whole: a file gets it at the end, under another name beside it that
 * is then renamed, so that an error leaves the old file as it was. A log leaves as it is written; a
 * file is emptied when its first bytes come. Printing to the stream never fails: the first error is
 * kept, what follows it is dropped, and output_close() says it once.
 *
 * Assumes that one thread at a time prints to an output. Does not lock files against others. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "armpmu/status.h"

/* Print to stream. Stays where it was opened: the stream points to it. */
struct output {
    FILE *stream;
    const char *path;   /* NULL: a standard stream. Borrowed. */
    const char *option; /* what names another file, "-o"; NULL: an argument. Borrowed. */
    bool append;
    bool is_log;
    bool tells_error; /* by ferror() of the stream, too */
    bool begun;       /* the log's file is open, its old content gone */
    int fd;           /* a standard stream, or a log's file; -1: none yet */
    int cause;        /* the first error, as errno has it; 0 */
    off_t partial;    /* where an incomplete report begins in the file; 0 */
    char *text;       /* of a report so far */
    size_t size, room;
};

/* A report to path (NULL: standard error). Checks that it can be written; nothing is created yet.
 * Returns ARMPMU_OK, ARMPMU_IO or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status output_open(struct output *output, const char *option,
                                               const char *path, bool append,
                                               struct armpmu_error *err);

/* A log to path (NULL: standard error). As output_open. */
ARMPMU_MUST_USE enum armpmu_status output_open_log(struct output *output, const char *option,
                                                   const char *path, struct armpmu_error *err);

/* The report of -o, perhaps in parts, as with -I: to a file they go as they come, so that an armpmu
 * that is killed leaves them. As output_open. */
ARMPMU_MUST_USE enum armpmu_status output_open_parts(struct output *output, const char *path,
                                                     bool append, bool has_parts,
                                                     struct armpmu_error *err);

/* A log to standard output. */
ARMPMU_MUST_USE enum armpmu_status output_open_standard(struct output *output,
                                                        struct armpmu_error *err);

/* Shows what is there so far if that goes to standard error; a file gets it at the end. */
ARMPMU_MUST_USE enum armpmu_status output_flush(struct output *output, struct armpmu_error *err);

/* Delivers the text and closes. A file that is appended to is cut back to its old length if not all
 * fits. Returns ARMPMU_OK, ARMPMU_IO (the message names the file and the cause; it is empty where a
 * pipe has no reader any more) or ARMPMU_NO_MEMORY; the output is closed in any case. */
ARMPMU_MUST_USE enum armpmu_status output_close(struct output *output, struct armpmu_error *err);

/* Returns whether a file has part of a report whose rest an error other than of writing keeps from
 * coming: who discards it says so. */
bool output_is_cut(const struct output *output);

/* Closes without a trace; what a log has written stays. */
void output_discard(struct output *output);

/* Writes all of the text, however often the system call is interrupted, incomplete or put off.
 * Returns true if it did; else errno says why. */
bool output_write(int fd, const char *text, size_t size);

/* Prepares the process: a standard stream that is closed fails when it is used, instead of lending
 * its number to a file; a limit on the size of files is an error of write(). */
void output_prepare_process(void);

#endif

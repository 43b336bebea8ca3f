/* Opens a file that a user named for reading. It may be a FIFO: one without a writer is at its end
 * at once, where open() would wait for a writer that may never come; a pipe of the shell's,
 * <(command), has one and is read as ever. */
#ifndef BASE_READ_FILE_H
#define BASE_READ_FILE_H

#include <stdio.h>

#include "armpmu/status.h"

/* As open() and fopen() for reading, closed by exec; -1 or NULL with errno. */
int read_file_open(const char *path);
FILE *read_file_stream(const char *path);

enum read_result { READ_WHOLE, READ_TOO_LONG, READ_NO_MEMORY, READ_FAILED };

#define TEXT_FILE_MAX (64u << 20)

/* Reads n bytes to the end of a stream, at most about `most`, and adds a NUL; after READ_FAILED
 * errno has the cause. The caller frees *text in any case. */
ARMPMU_MUST_USE enum read_result read_file_all(FILE *stream, size_t most, char **text, size_t *n);

/* For messages; advice: "name a ...". */
struct text_file {
    const char *path, *advice;
};

/* Reads a text without a byte of 0 to the end of a stream. The caller frees *text in any case.
 * Returns ARMPMU_OK, ARMPMU_BAD_INPUT, ARMPMU_IO or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status read_file_text(FILE *stream, const struct text_file *file,
                                                  char **text, struct armpmu_error *err);

/* The same of the file that its path names; also ARMPMU_NOT_FOUND. */
ARMPMU_MUST_USE enum armpmu_status read_text_file(const struct text_file *file, char **text,
                                                  struct armpmu_error *err);

#endif

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

#define TEXT_FILE_MAX (64u << 20)

/* A file to read. most: bytes, about; 0: TEXT_FILE_MAX. advice, for messages: "name a ...". */
struct file_source {
    const char *path, *advice;
    size_t most;
};

/* Opens it. Returns ARMPMU_OK, ARMPMU_NOT_FOUND, ARMPMU_NOT_ALLOWED or ARMPMU_IO. */
ARMPMU_MUST_USE enum armpmu_status read_file_start(const struct file_source *file, FILE **stream,
                                                   struct armpmu_error *err);

/* Reads its n bytes and adds a NUL. The caller frees *bytes in any case. Returns also
 * ARMPMU_BAD_INPUT for more than `most` and ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status read_file_whole(const struct file_source *file, char **bytes,
                                                   size_t *n, struct armpmu_error *err);

/* The same of a text, without a byte of 0; the first one reads the rest of an open file. */
ARMPMU_MUST_USE enum armpmu_status read_file_text(FILE *stream, const struct file_source *file,
                                                  char **text, struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status read_text_file(const struct file_source *file, char **text,
                                                  struct armpmu_error *err);

#endif

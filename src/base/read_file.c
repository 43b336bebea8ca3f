#include "base/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"

#define STEP_BYTES 65536u

int read_file_open(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

    if (fd >= 0)
        (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}

FILE *read_file_stream(const char *path)
{
    const int fd = read_file_open(path);
    FILE *const stream = fd >= 0 ? fdopen(fd, "r") : NULL;

    if (fd >= 0 && stream == NULL) {
        const int cause = errno;
        close(fd);
        errno = cause;
    }
    return stream;
}

enum read_result read_file_all(FILE *stream, size_t most, char **text, size_t *n)
{
    size_t room = 0, got;

    *text = NULL;
    *n = 0;
    do {
        if (*n > most)
            return READ_TOO_LONG;
        if (!ARRAY_RESERVE(*text, room, *n + STEP_BYTES))
            return READ_NO_MEMORY;
        got = fread(*text + *n, 1, room - *n - 1, stream);
        *n += got;
    } while (got > 0);
    (*text)[*n] = '\0';
    return ferror(stream) ? READ_FAILED : READ_WHOLE;
}

static enum armpmu_status cannot_read(const struct text_file *file, struct armpmu_error *err)
{
    const int cause = errno;

    return fail(err, cause == ENOENT ? ARMPMU_NOT_FOUND : ARMPMU_IO, "cannot read '%.200s': %s; %s",
                file->path, strerror(cause), file->advice);
}

enum armpmu_status read_file_text(FILE *stream, const struct text_file *file, char **text,
                                  struct armpmu_error *err)
{
    size_t n;

    switch (read_file_all(stream, TEXT_FILE_MAX, text, &n)) {
    case READ_TOO_LONG:
        return fail(err, ARMPMU_BAD_INPUT, "'%.200s' has more than %u MiB: %s", file->path,
                    TEXT_FILE_MAX >> 20, file->advice);
    case READ_NO_MEMORY:
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for '%.200s'", file->path);
    case READ_FAILED:
        return cannot_read(file, err);
    case READ_WHOLE:
        break;
    }
    return strlen(*text) == n
               ? ARMPMU_OK
               : fail(err, ARMPMU_BAD_INPUT, "'%.200s' is not a text: it has a byte of 0; %s",
                      file->path, file->advice);
}

enum armpmu_status read_text_file(const struct text_file *file, char **text,
                                  struct armpmu_error *err)
{
    FILE *const stream = read_file_stream(file->path);

    *text = NULL;
    if (stream == NULL)
        return cannot_read(file, err);
    const enum armpmu_status status = read_file_text(stream, file, text, err);
    fclose(stream);
    return status;
}

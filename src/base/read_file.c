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

static enum armpmu_status cannot_read(const struct file_source *file, struct armpmu_error *err)
{
    const int cause = errno;

    return fail(err,
                cause == ENOENT                      ? ARMPMU_NOT_FOUND
                : cause == EACCES || cause == EISDIR ? ARMPMU_NOT_ALLOWED
                                                     : ARMPMU_IO,
                "cannot read '%.200s': %s; %s", file->path, strerror(cause), file->advice);
}

enum armpmu_status read_file_start(const struct file_source *file, FILE **stream,
                                   struct armpmu_error *err)
{
    *stream = read_file_stream(file->path);
    return *stream != NULL ? ARMPMU_OK : cannot_read(file, err);
}

/* Reads to the end, into bytes that the caller frees, and adds a NUL. */
static enum armpmu_status read_bytes(FILE *stream, const struct file_source *file, char **bytes,
                                     size_t *n, struct armpmu_error *err)
{
    const size_t most = file->most != 0 ? file->most : TEXT_FILE_MAX;
    size_t room = 0, got;

    *bytes = NULL;
    *n = 0;
    do {
        if (*n > most)
            return fail(err, ARMPMU_BAD_INPUT, "'%.200s' has more than %zu bytes: %s", file->path,
                        most, file->advice);
        if (!ARRAY_RESERVE(*bytes, room, *n + STEP_BYTES))
            return fail(err, ARMPMU_NO_MEMORY, "out of memory for '%.200s'", file->path);
        got = fread(*bytes + *n, 1, room - *n - 1, stream);
        *n += got;
    } while (got > 0);
    (*bytes)[*n] = '\0';
    return ferror(stream) ? cannot_read(file, err) : ARMPMU_OK;
}

enum armpmu_status read_file_whole(const struct file_source *file, char **bytes, size_t *n,
                                   struct armpmu_error *err)
{
    FILE *stream;
    enum armpmu_status status = read_file_start(file, &stream, err);

    *bytes = NULL;
    *n = 0;
    if (status != ARMPMU_OK)
        return status;
    status = read_bytes(stream, file, bytes, n, err);
    fclose(stream);
    return status;
}

static enum armpmu_status check_text(const struct file_source *file, const char *text, size_t n,
                                     struct armpmu_error *err)
{
    return strlen(text) == n
               ? ARMPMU_OK
               : fail(err, ARMPMU_BAD_INPUT, "'%.200s' is not a text: it has a byte of 0; %s",
                      file->path, file->advice);
}

enum armpmu_status read_file_text(FILE *stream, const struct file_source *file, char **text,
                                  struct armpmu_error *err)
{
    size_t n;
    const enum armpmu_status status = read_bytes(stream, file, text, &n, err);

    return status == ARMPMU_OK ? check_text(file, *text, n, err) : status;
}

enum armpmu_status read_text_file(const struct file_source *file, char **text,
                                  struct armpmu_error *err)
{
    size_t n;
    const enum armpmu_status status = read_file_whole(file, text, &n, err);

    return status == ARMPMU_OK ? check_text(file, *text, n, err) : status;
}

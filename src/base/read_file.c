#include "base/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/array.h"

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

#include "base/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

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

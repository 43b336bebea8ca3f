#include "cli/output_fifo.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "base/termination.h"

/* Who reads a FIFO gets so long to open it once a signal has come. */
#define FIFO_LOOK_NS 20000000L
#define FIFO_LOOKS   50u

bool output_is_fifo(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISFIFO(info.st_mode);
}

int output_open_fifo(const char *path, int flags)
{
    const struct timespec pause = {.tv_nsec = FIFO_LOOK_NS};
    unsigned patience = FIFO_LOOKS;
    int fd;

    while ((fd = open(path, flags | O_NONBLOCK, 0666)) < 0 &&
           (errno == EINTR || (errno == ENXIO && patience > 0))) {
        nanosleep(&pause, NULL);
        patience -= termination_signal() != 0;
    }
    if (fd >= 0)
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}

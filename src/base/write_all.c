#include "base/write_all.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

bool write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        const ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0 && errno == EAGAIN) {
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
            continue;
        }
        if (done < 0)
            return false;
        bytes += done;
        n -= (size_t)done;
    }
    return true;
}

#include "trace/trace_temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/write_all.h"

const char *trace_temporary_folder(void)
{
    const char *const folder = getenv("TMPDIR");

    return folder != NULL && folder[0] != '\0' ? folder : "/tmp";
}

/* Returns its descriptor, -1 on failure. */
static int make_unnamed(const char *folder)
{
    char name[4096];
    const int made = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (made >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return made;
    snprintf(name, sizeof name, "%s/armpmu-XXXXXX", folder);
    const int fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        unlink(name);
    return fd;
}

bool trace_temporary_open(struct trace_temporary *file)
{
    file->fd = make_unnamed(trace_temporary_folder());
    file->cause = file->fd < 0 ? errno : 0;
    return file->fd >= 0;
}

bool trace_temporary_write(void *user, const void *bytes, size_t n_bytes)
{
    struct trace_temporary *const file = user;

    if (write_all(file->fd, bytes, n_bytes))
        return true;
    file->cause = errno;
    return false;
}

enum armpmu_status trace_temporary_read(const struct trace_temporary *file, struct trace_file **out,
                                        struct armpmu_error *err)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/self/fd/%d", file->fd);
    return trace_file_open(path, out, err);
}

void trace_temporary_close(struct trace_temporary *file)
{
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}

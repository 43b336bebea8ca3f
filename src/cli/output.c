#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"

static enum armpmu_status cannot(const struct output *output, const char *remedy,
                                 struct armpmu_error *err)
{
    return fail(err, ARMPMU_IO, "cannot write %s: %s; %s",
                output->path != NULL ? output->path : "the report to standard error",
                strerror(errno), remedy);
}

static const char *remedy(void)
{
    switch (errno) {
    case ENOSPC:
    case EDQUOT:
        return "make room or choose another file with -o";
    case EACCES:
    case EPERM:
    case EROFS:
        return "choose a file you may write with -o";
    default:
        return "choose another file with -o";
    }
}

static bool is_regular(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? S_ISREG(info.st_mode) : errno == ENOENT;
}

/* Whether the file could be written now: an error before the program runs saves its run. */
static bool writable(const char *path)
{
    struct stat info;
    char folder[PATH_MAX];

    if (stat(path, &info) == 0) {
        if (S_ISDIR(info.st_mode)) {
            errno = EISDIR;
            return false;
        }
        if (access(path, W_OK) != 0)
            return false;
        if (!S_ISREG(info.st_mode))
            return true;
    } else if (errno != ENOENT || *path == '\0') {
        return false;
    }
    if ((size_t)snprintf(folder, sizeof folder, "%s", path) >= sizeof folder) {
        errno = ENAMETOOLONG;
        return false;
    }
    char *slash = strrchr(folder, '/');
    if (slash == NULL)
        return access(".", W_OK | X_OK) == 0;
    slash[slash == folder] = '\0';
    return access(folder, W_OK | X_OK) == 0;
}

static enum armpmu_status open_text(struct output *output, struct armpmu_error *err)
{
    output->stream = open_memstream(&output->text, &output->size);
    if (output->stream == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for the report");
    return ARMPMU_OK;
}

enum armpmu_status output_open(struct output *output, const char *path, bool append,
                               struct armpmu_error *err)
{
    *output = (struct output){.path = path, .append = append};
    if (path != NULL && !writable(path))
        return cannot(output, remedy(), err);
    return open_text(output, err);
}

static bool write_all(int fd, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, text, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        text += n;
        size -= (size_t)n;
    }
    return true;
}

/* Writes to what is no regular file (or to the end of one): there is nothing to rename. */
static bool write_in_place(const struct output *output)
{
    int fd = open(output->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;

    struct stat before;
    bool known = fstat(fd, &before) == 0 && S_ISREG(before.st_mode);
    bool done = write_all(fd, output->text, output->size) && (!known || fsync(fd) == 0);
    int cause = errno;
    /* A reader of the file shall never see half a report. */
    if (!done && known && ftruncate(fd, before.st_size) != 0)
        cause = errno;
    if (close(fd) != 0 && done) {
        done = false;
        cause = errno;
    }
    errno = cause;
    return done;
}

static bool write_and_rename(const struct output *output)
{
    char target[PATH_MAX], beside[PATH_MAX + 32];
    struct stat old;

    /* Through a symbolic link, so that the link stays one. */
    if (realpath(output->path, target) == NULL)
        snprintf(target, sizeof target, "%s", output->path);
    snprintf(beside, sizeof beside, "%s.%ld.tmp", target, (long)getpid());
    int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;

    bool done = (stat(target, &old) != 0 || fchmod(fd, old.st_mode & 07777) == 0) &&
                write_all(fd, output->text, output->size) && fsync(fd) == 0;
    int cause = errno;
    if (close(fd) != 0 && done) {
        done = false;
        cause = errno;
    }
    if (done && rename(beside, target) != 0) {
        done = false;
        cause = errno;
    }
    if (!done)
        unlink(beside);
    errno = cause;
    return done;
}

static bool deliver(const struct output *output)
{
    if (output->path == NULL)
        return write_all(STDERR_FILENO, output->text, output->size);
    if (output->append || !is_regular(output->path))
        return write_in_place(output);
    return write_and_rename(output);
}

void output_discard(struct output *output)
{
    if (output->stream != NULL)
        fclose(output->stream);
    free(output->text);
    *output = (struct output){0};
}

enum armpmu_status output_close(struct output *output, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    bool complete = fclose(output->stream) == 0;

    output->stream = NULL;
    if (!complete)
        status = fail(err, ARMPMU_NO_MEMORY, "out of memory for the report");
    else if (!deliver(output))
        status = cannot(output, remedy(), err);
    output_discard(output);
    return status;
}

enum armpmu_status output_flush(struct output *output, struct armpmu_error *err)
{
    if (output->path != NULL)
        return ARMPMU_OK;
    enum armpmu_status status = output_close(output, err);
    return status != ARMPMU_OK ? status : open_text(output, err);
}

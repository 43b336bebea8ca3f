#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "cli/output_fifo.h"

#define NAMES_TRIED 100u

/* ---- messages ---- */

static const char *remedy(const struct output *output)
{
    static char text[96];
    const char *first = "";
    const char *what = "another file";

    switch (output->cause) {
    case ENOSPC:
    case EDQUOT:
        first = "make room or ";
        break;
    case EACCES:
    case EPERM:
    case EROFS:
        what = "a file you may write";
        break;
    }
    snprintf(text, sizeof text, "%schoose %s%s%s", first, what,
             output->option != NULL ? " with " : "", output->option != NULL ? output->option : "");
    return text;
}

static const char *cause_text(const struct output *output)
{
    return output->cause == EBADF   ? "it is closed or not open for writing"
           : output->cause == ENXIO ? "no process has opened it for reading"
                                    : strerror(output->cause);
}

static enum armpmu_status cannot_file(const struct output *output, struct armpmu_error *err)
{
    if (*output->path == '\0')
        return fail(err, ARMPMU_IO, "cannot write a file without a name; %s", remedy(output));
    if (output->partial > 0)
        return fail(
            err, ARMPMU_IO,
            "cannot write %s: %s; it has a partial report from byte %lld on: remove that, then %s",
            output->path, cause_text(output), (long long)output->partial, remedy(output));
    return fail(err, ARMPMU_IO, "cannot write %s: %s%s; %s", output->path, cause_text(output),
                output->begun ? ", it is not complete" : "", remedy(output));
}

static enum armpmu_status cannot(const struct output *output, struct armpmu_error *err)
{
    if (output->cause == EPIPE)
        return fail(err, ARMPMU_IO, "%s", ""); /* no reader, as when SIGPIPE ends a program */
    if (output->cause == ENOMEM)
        return fail_no_memory(err, "the report");
    if (output->path != NULL)
        return cannot_file(output, err);
    if (output->fd == STDOUT_FILENO)
        return fail(err, ARMPMU_IO, "standard output: %s; the text is not complete",
                    cause_text(output));
    return fail(err, ARMPMU_IO, "cannot write the report to standard error: %s; %s",
                cause_text(output), remedy(output));
}

/* ---- what can be written ---- */

static bool is_writable(int fd)
{
    const int flags = fcntl(fd, F_GETFL);

    if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY)
        return true;
    errno = EBADF;
    return false;
}

static bool same_file(const struct stat *left, const struct stat *right)
{
    return left->st_dev == right->st_dev && left->st_ino == right->st_ino;
}

/* Standard output or error where path leads there, as /dev/stdout does; else -1. To open such a
 * file again would write over what is in it, to replace it would lose that. */
static int standard_stream(const char *path)
{
    struct stat file, stream;

    if (stat(path, &file) != 0)
        return -1;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &stream) == 0 && same_file(&file, &stream) && is_writable(fd))
            return fd;
    return -1;
}

static bool is_regular(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? S_ISREG(info.st_mode) : errno == ENOENT;
}

static bool may_create_beside(const char *path)
{
    char folder[PATH_MAX];

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

/* Returns whether the file could be written now: an error before the program runs saves its run. */
static bool may_write(const char *path)
{
    struct stat info;

    if (stat(path, &info) == 0) {
        if (S_ISDIR(info.st_mode)) {
            errno = EISDIR;
            return false;
        }
        if (standard_stream(path) >= 0)
            return true;
        if (access(path, W_OK) != 0)
            return false;
        if (!S_ISREG(info.st_mode))
            return true;
    } else if (errno != ENOENT || *path == '\0') {
        return false;
    }
    return may_create_beside(path);
}

/* ---- writing ---- */

/* A terminal or pipe that others made non-blocking is waited for. */
static bool is_transient(int fd)
{
    struct pollfd wait = {.fd = fd, .events = POLLOUT};

    if (errno == EINTR)
        return true;
    if (errno != EAGAIN)
        return false;
    return poll(&wait, 1, -1) >= 0 || errno == EINTR;
}

bool output_write(int fd, const char *text, size_t size)
{
    while (size > 0) {
        const ssize_t n = write(fd, text, size);
        if (n < 0 && is_transient(fd))
            continue;
        if (n == 0)
            errno = EIO;
        if (n <= 0)
            return false;
        text += n;
        size -= (size_t)n;
    }
    return true;
}

/* The descriptor is gone whatever close() returns. */
static bool close_checked(int fd)
{
    return close(fd) == 0 || errno == EINTR;
}

static int open_retried(const char *path, int flags)
{
    flags |= O_WRONLY | O_CREAT | O_NOCTTY | O_CLOEXEC;
    return output_is_fifo(path) ? output_open_fifo(path, flags & ~O_CREAT)
                                : TEMP_FAILURE_RETRY(open(path, flags, 0666));
}

/* Closes whatever happened before; errno is the first error's. */
static bool finish(int fd, bool done)
{
    const int cause = errno;

    if (close_checked(fd) && done)
        return true;
    if (!done)
        errno = cause;
    return false;
}

/* Writes to what is not a regular file (or to the end of one): there is nothing to rename. */
static bool write_in_place(struct output *output)
{
    struct stat before;
    const int fd = open_retried(output->path, O_APPEND);

    if (fd < 0)
        return false;
    const bool known = fstat(fd, &before) == 0 && S_ISREG(before.st_mode);
    const bool done = finish(fd, output_write(fd, output->text, output->size) &&
                                     (!known || TEMP_FAILURE_RETRY(fsync(fd)) == 0));
    const int cause = errno;
    /* A reader of the file shall never see half a report. */
    if (!done && known && TEMP_FAILURE_RETRY(truncate(output->path, before.st_size)) != 0)
        output->partial = before.st_size;
    errno = cause;
    return done;
}

/* A new file in the folder of target; its name goes to path. */
static int create_beside(const char *target, char *path, size_t size)
{
    const char *const slash = strrchr(target, '/');
    const int folder = slash == NULL ? 0 : (int)(slash + 1 - target);
    int fd = -1;

    for (unsigned i = 0; fd < 0 && i < NAMES_TRIED; i++) {
        const int n =
            snprintf(path, size, "%.*sarmpmu-%ld.%u.tmp", folder, target, (long)getpid(), i);
        if (n < 0 || (size_t)n >= size) {
            errno = ENAMETOOLONG;
            return -1;
        }
        fd = open_retried(path, O_EXCL);
        if (fd < 0 && errno != EEXIST)
            return -1;
    }
    return fd;
}

static bool fill(const struct output *output, const char *target, int fd)
{
    struct stat old;

    return (stat(target, &old) != 0 || fchmod(fd, old.st_mode & 07777) == 0) &&
           output_write(fd, output->text, output->size) && TEMP_FAILURE_RETRY(fsync(fd)) == 0;
}

static bool replace(const struct output *output)
{
    char target[PATH_MAX], beside[PATH_MAX];

    /* Through a symbolic link, so that the link stays one. */
    if (realpath(output->path, target) == NULL &&
        (size_t)snprintf(target, sizeof target, "%s", output->path) >= sizeof target) {
        errno = ENAMETOOLONG;
        return false;
    }
    const int fd = create_beside(target, beside, sizeof beside);
    if (fd < 0)
        return false;
    const bool done = finish(fd, fill(output, target, fd)) && rename(beside, target) == 0;
    const int cause = errno;
    if (!done)
        unlink(beside);
    errno = cause;
    return done;
}

/* No signal ends the process while its temporary file is there. */
static bool write_and_rename(const struct output *output)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const bool done = replace(output);
    const int cause = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = cause;
    return done;
}

/* Where the text of a report goes. */
static bool write_report(struct output *output)
{
    const int fd = output->path == NULL ? output->fd : standard_stream(output->path);

    if (fd >= 0)
        return output_write(fd, output->text, output->size);
    if (output->append || !is_regular(output->path))
        return write_in_place(output);
    return write_and_rename(output);
}

/* Opens the file of a log: its old content goes when something comes instead. */
static bool begin_log(struct output *output)
{
    if (output->fd >= 0)
        return true;
    const int fd = standard_stream(output->path);
    output->fd = fd >= 0 ? TEMP_FAILURE_RETRY(fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1))
                         : open_retried(output->path, O_TRUNC);
    output->begun = output->fd >= 0;
    return output->begun;
}

/* ---- the stream ---- */

static bool keep(struct output *output, const char *text, size_t n)
{
    if (!ARRAY_RESERVE(output->text, output->room, output->size + n)) {
        errno = ENOMEM;
        return false;
    }
    memcpy(output->text + output->size, text, n);
    output->size += n;
    return true;
}

static ssize_t on_write(void *cookie, const char *text, size_t n)
{
    struct output *const output = cookie;
    bool done = output->cause == 0;

    if (done && output->is_log)
        done = begin_log(output) && output_write(output->fd, text, n);
    else if (done)
        done = keep(output, text, n);
    if (!done && output->cause == 0)
        output->cause = errno;
    return done || !output->tells_error ? (ssize_t)n : 0;
}

static enum armpmu_status open_stream(struct output *output, struct armpmu_error *err)
{
    output->stream = fopencookie(output, "w", (cookie_io_functions_t){.write = on_write});
    if (output->stream == NULL)
        return fail_no_memory(err, "the report");
    return ARMPMU_OK;
}

static enum armpmu_status open_checked(struct output *output, struct armpmu_error *err)
{
    if (output->path != NULL ? !may_write(output->path) : !is_writable(output->fd)) {
        output->cause = errno;
        return cannot(output, err);
    }
    return open_stream(output, err);
}

enum armpmu_status output_open(struct output *output, const char *option, const char *path,
                               bool append, struct armpmu_error *err)
{
    *output = (struct output){
        .path = path, .option = option, .append = append, .fd = path == NULL ? STDERR_FILENO : -1};
    if (append && path == NULL)
        return fail(err, ARMPMU_BAD_CONFIG, "--append adds to a file; name it with %s", option);
    return open_checked(output, err);
}

enum armpmu_status output_open_log(struct output *output, const char *option, const char *path,
                                   struct armpmu_error *err)
{
    *output = (struct output){
        .path = path, .option = option, .is_log = true, .fd = path == NULL ? STDERR_FILENO : -1};
    const enum armpmu_status status = open_checked(output, err);
    if (status == ARMPMU_OK && path == NULL)
        setvbuf(output->stream, NULL, _IOLBF, 0);
    return status;
}

enum armpmu_status output_open_parts(struct output *output, const char *path, bool append,
                                     bool has_parts, struct armpmu_error *err)
{
    return has_parts && path != NULL && !append ? output_open_log(output, "-o", path, err)
                                                : output_open(output, "-o", path, append, err);
}

enum armpmu_status output_open_standard(struct output *output, struct armpmu_error *err)
{
    *output = (struct output){.is_log = true, .fd = STDOUT_FILENO};
    const enum armpmu_status status = open_stream(output, err);
    if (status == ARMPMU_OK && isatty(STDOUT_FILENO))
        setvbuf(output->stream, NULL, _IOLBF, 0);
    return status;
}

bool output_is_cut(const struct output *output)
{
    return output->begun && output->path != NULL && output->fd >= 0 && output->cause == 0;
}

void output_discard(struct output *output)
{
    if (output->cause == 0)
        output->cause = ECANCELED; /* what is in the stream's buffer goes nowhere */
    if (output->stream != NULL)
        fclose(output->stream);
    if (output->path != NULL && output->fd >= 0)
        close(output->fd);
    free(output->text);
    *output = (struct output){.fd = -1};
}

/* Delivers what was printed so far. */
static bool deliver(struct output *output)
{
    fflush(output->stream);
    bool done = output->cause == 0;
    if (!done)
        return false;
    if (output->is_log)
        done = begin_log(output);
    else
        done = write_report(output);
    output->size = 0;
    if (!done)
        output->cause = errno;
    return done;
}

static bool close_log(struct output *output)
{
    if (!output->is_log || output->path == NULL)
        return true;
    const bool closed = close_checked(output->fd);
    if (!closed)
        output->cause = errno;
    output->fd = -1;
    return closed;
}

enum armpmu_status output_close(struct output *output, struct armpmu_error *err)
{
    const bool done = deliver(output) && close_log(output);
    const enum armpmu_status status = done ? ARMPMU_OK : cannot(output, err);

    output_discard(output);
    return status;
}

enum armpmu_status output_flush(struct output *output, struct armpmu_error *err)
{
    if (output->path != NULL && !output->is_log)
        return ARMPMU_OK;
    return deliver(output) ? ARMPMU_OK : cannot(output, err);
}

/* ---- the process ---- */

static void on_file_limit(int signal)
{
    (void)signal;
}

/* A handler, which exec resets: programs find the signal as it was. */
static void survive_file_limit(void)
{
    struct sigaction now;

    if (sigaction(SIGXFSZ, NULL, &now) != 0 || now.sa_handler != SIG_DFL)
        return;
    now = (struct sigaction){.sa_handler = on_file_limit, .sa_flags = SA_RESTART};
    sigaction(SIGXFSZ, &now, NULL);
}

/* Opened the wrong way round: to use one fails. Held until exec, so that programs find their
 * streams as they were. */
static void hold_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        const int mode = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", mode | O_CLOEXEC) == -1)
            return;
    }
}

void output_prepare_process(void)
{
    hold_standard_streams();
    survive_file_limit();
}

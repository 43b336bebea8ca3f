#include "qemu/launcher/stable_streams.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/write_all.h"

#define COPY_BYTES 65536

/* ---- the copier ------------------------------------------------------------------------------
 */

struct copy {
    int from, to; /* from -1: over */
};

enum { OUTPUT, ERROR, STREAMS };

/* The program gets a SIGPIPE when it writes on: the error itself cannot be passed on. One that no
 * longer has a reader says as little as the program would. */
static void say_lost(const struct copy *copy)
{
    const char *const cause = strerrordesc_np(errno);
    char text[160];

    if (errno == EPIPE || cause == NULL)
        return;
    const int n =
        snprintf(text, sizeof text,
                 "armpmu: cannot write the program's standard %s: %s; its next write ends "
                 "the program\n",
                 copy->to == STDOUT_FILENO ? "output" : "error", cause);
    (void)write_all(STDERR_FILENO, text, (size_t)n);
}

static void copy_some(struct copy *copy, char *bytes)
{
    const ssize_t n = read(copy->from, bytes, COPY_BYTES);

    if (n < 0 && errno == EINTR)
        return;
    if (n > 0 && write_all(copy->to, bytes, (size_t)n))
        return;
    if (n > 0)
        say_lost(copy);
    close(copy->from);
    copy->from = -1;
}

/* Copies what is there, waiting for it at most so long. Returns whether there was something. */
static bool copy_round(struct copy *copies, int *control, int timeout_ms)
{
    static char bytes[COPY_BYTES];
    struct pollfd polled[STREAMS + 1];
    bool any = false;

    for (int i = 0; i < STREAMS; i++)
        polled[i] = (struct pollfd){.fd = copies[i].from, .events = POLLIN};
    polled[STREAMS] = (struct pollfd){.fd = timeout_ms < 0 ? *control : -1, .events = POLLIN};
    if (poll(polled, STREAMS + 1, timeout_ms) <= 0)
        return false;
    for (int i = 0; i < STREAMS; i++)
        if (polled[i].revents != 0) {
            copy_some(&copies[i], bytes);
            any = true;
        }
    return any;
}

/* armpmu asks for an answer when all that is there has been copied; it may be gone. */
static void answer(struct copy *copies, int *control)
{
    char question;
    const ssize_t n = recv(*control, &question, 1, MSG_DONTWAIT);

    if (n < 0)
        return;
    while (copy_round(copies, control, 0))
        ;
    if (n > 0)
        (void)!send(*control, &question, 1, MSG_NOSIGNAL);
    close(*control);
    *control = -1;
}

static _Noreturn void copy_until_the_end(struct copy *copies, int control)
{
    static const int ignored[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE};

    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        signal(ignored[i], SIG_IGN);
    while (copies[OUTPUT].from >= 0 || copies[ERROR].from >= 0) {
        (void)copy_round(copies, &control, -1);
        if (control >= 0)
            answer(copies, &control);
    }
    _exit(0);
}

/* ---- armpmu's side --------------------------------------------------------------------------- */

static bool needs_pipe(int fd)
{
    struct stat about;
    const int flags = fcntl(fd, F_GETFD);

    /* A stream that is closed on exec means one that was closed. */
    return flags >= 0 && (flags & FD_CLOEXEC) == 0 && fstat(fd, &about) == 0 &&
           !S_ISFIFO(about.st_mode);
}

static bool are_one_file(int a, int b)
{
    struct stat first, second;

    return fstat(a, &first) == 0 && fstat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static void close_one(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Makes a pipe for a stream. Returns false with errno. */
static bool make_pipe(int stream, int *end, struct copy *copy)
{
    int ends[2];

    if (!needs_pipe(stream))
        return true;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    *copy = (struct copy){ends[0], stream};
    *end = ends[1];
    return true;
}

static bool make_pipes(struct stable_streams *streams, struct copy *copies)
{
    if (!make_pipe(STDOUT_FILENO, &streams->output, &copies[OUTPUT]))
        return false;
    if (streams->output >= 0 && are_one_file(STDOUT_FILENO, STDERR_FILENO)) {
        streams->error = fcntl(streams->output, F_DUPFD_CLOEXEC, 3);
        return streams->error >= 0;
    }
    return make_pipe(STDERR_FILENO, &streams->error, &copies[ERROR]);
}

static bool start_copier(struct stable_streams *streams, struct copy *copies)
{
    int control[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control) != 0)
        return false;
    streams->control = control[0];
    streams->copier = fork();
    if (streams->copier == 0) {
        close(control[0]);
        close_one(&streams->output);
        close_one(&streams->error);
        copy_until_the_end(copies, control[1]);
    }
    close(control[1]);
    return streams->copier > 0;
}

enum armpmu_status stable_streams_open(struct stable_streams *streams, struct armpmu_error *err)
{
    struct copy copies[STREAMS] = {{-1, -1}, {-1, -1}};

    *streams = (struct stable_streams){.output = -1, .error = -1, .control = -1, .copier = -1};
    const bool done =
        make_pipes(streams, copies) &&
        ((copies[OUTPUT].from < 0 && copies[ERROR].from < 0) || start_copier(streams, copies));
    const int cause = errno;
    close_one(&copies[OUTPUT].from);
    close_one(&copies[ERROR].from);
    if (done)
        return ARMPMU_OK;
    stable_streams_finish(streams);
    return fail(err, cause == ENOMEM || cause == EAGAIN ? ARMPMU_NO_MEMORY : ARMPMU_IO,
                "--stable cannot make pipes for the program's output: %s", strerror(cause));
}

void stable_streams_started(struct stable_streams *streams)
{
    close_one(&streams->output);
    close_one(&streams->error);
}

void stable_streams_finish(struct stable_streams *streams)
{
    char answered = 0;
    ssize_t n = 0;

    stable_streams_started(streams);
    if (streams->control < 0)
        return;
    if (send(streams->control, &answered, 1, MSG_NOSIGNAL) == 1)
        while (n = recv(streams->control, &answered, 1, 0), n < 0 && errno == EINTR)
            ;
    close_one(&streams->control);
    if (streams->copier > 0 && n == 0) /* it has copied all, and ends */
        while (waitpid(streams->copier, NULL, 0) < 0 && errno == EINTR)
            ;
}

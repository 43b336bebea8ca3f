#include "qemu/launcher/foreground.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/debuginfod.h"
#include "base/error.h"
#include "base/own_stack.h"
#include "base/termination.h"

/* In the child. The kernel sends the signal when the thread that forked ends, which is armpmu's
 * first and ends with it. It may be gone already. */
static void end_with(pid_t armpmu, int death_signal)
{
    if (death_signal == 0)
        return;
    prctl(PR_SET_PDEATHSIG, death_signal);
    if (getppid() != armpmu)
        _exit(127);
}

/* In the child. A hard limit below that stays. */
static void limit_stack(uint64_t bytes)
{
    struct rlimit limit;

    if (bytes == 0 || getrlimit(RLIMIT_STACK, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max < bytes ? limit.rlim_max : bytes;
    setrlimit(RLIMIT_STACK, &limit);
}

/* In the child, which has the caller's memory and changes nothing there. Reports why exec failed
 * through the pipe, which closes by itself when it succeeds. */
static _Noreturn void become(const struct foreground *program, const char *const *environment,
                             const sigset_t *mask, int report)
{
    termination_leave(mask);
    if (program->output > 0)
        dup2(program->output, STDOUT_FILENO);
    if (program->error > 0)
        dup2(program->error, STDERR_FILENO);
    if (program->kept >= 0)
        fcntl(program->kept, F_SETFD, 0);
    own_stack_leave();
    limit_stack(program->stack_bytes);
    execve(program->argv[0], (char *const *)program->argv, (char *const *)environment);
    int cause = errno;
    ssize_t ignored = write(report, &cause, sizeof cause);
    (void)ignored;
    _exit(127);
}

static int wait_for(pid_t pid)
{
    int wait_status = 0;

    while (waitpid(pid, &wait_status, 0) < 0 && errno == EINTR)
        ;
    return wait_status;
}

/* Not fork(): after that, each page of the models' memory is copied when it is next written. */
static pid_t fork_program(const struct foreground *program, const char *const *environment,
                          int report)
{
    const pid_t armpmu = getpid();
    sigset_t mask;

    termination_block(&mask);
    const pid_t pid = vfork();
    if (pid == 0) {
        end_with(armpmu, program->death_signal);
        become(program, environment, &mask, report);
    }
    const int cause = errno;
    termination_started(pid, &mask);
    errno = cause;
    return pid;
}

/* Starts the program and waits until it is one: returns 0, or why it is not. */
static int start(struct foreground *program, const char *const *environment)
{
    int report[2], cause = 0;

    if (pipe2(report, O_CLOEXEC) != 0)
        return errno;
    program->pid = fork_program(program, environment, report[1]);
    if (program->pid < 0)
        cause = errno;
    close(report[1]);
    if (program->pid > 0) {
        ssize_t n;
        while (n = read(report[0], &cause, sizeof cause), n < 0 && errno == EINTR)
            ;
        if (n == (ssize_t)sizeof cause)
            foreground_wait(program);
        else
            cause = 0;
    }
    close(report[0]);
    return cause;
}

static bool out_of_resources(int cause)
{
    return cause == ENOMEM || cause == EAGAIN || cause == EMFILE || cause == ENFILE;
}

enum armpmu_status foreground_start(struct foreground *program, struct armpmu_error *err)
{
    const char **const own = program->environment == NULL ? debuginfod_environment() : NULL;
    const char *const *const environment = own != NULL ? own : program->environment;
    const int cause = environment == NULL ? ENOMEM : start(program, environment);

    free(own);
    if (cause == 0)
        return ARMPMU_OK;
    return fail(err, out_of_resources(cause) ? ARMPMU_NO_MEMORY : ARMPMU_NOT_ALLOWED,
                "cannot start QEMU '%s': %s", program->argv[0], strerror(cause));
}

static bool has_ended(const struct foreground *program, int flags)
{
    siginfo_t end = {.si_pid = 0};

    while (waitid(P_PID, (id_t)program->pid, &end, WEXITED | WNOWAIT | flags) < 0 && errno == EINTR)
        ;
    return end.si_pid != 0;
}

/* Without a pidfd the end is seen at the next look. */
static void look_meanwhile(const struct foreground *program)
{
    struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, program->pid, 0), .events = POLLIN};

    while (!has_ended(program, WNOHANG)) {
        poll(&end, 1, (int)program->look_ms);
        program->look(program->user);
    }
    if (end.fd >= 0)
        close(end.fd);
}

/* The process id is the program's until it is waited for: no signal may be passed on after that. */
int foreground_wait(const struct foreground *program)
{
    if (program->look_ms != 0)
        look_meanwhile(program);
    has_ended(program, 0);
    termination_over();
    return wait_for(program->pid);
}

int foreground_interrupted(int wait_status)
{
    if (termination_cuts())
        return termination_signal();
    const int number = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
    return number != 0 && termination_came(number) ? number : 0;
}

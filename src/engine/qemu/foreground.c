#include "engine/qemu/foreground.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"

/* For the signal handlers: the program's process id while it runs, and whether an interrupt came.
 */
static volatile sig_atomic_t program_pid;
static volatile sig_atomic_t interrupt_came;

/* The terminal sends its interrupts to the program as well, so those are not passed on. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    (void)context;
    int saved = errno;
    bool from_terminal = info->si_code == SI_KERNEL;
    if (number == SIGINT || number == SIGQUIT)
        interrupt_came = 1;
    if (program_pid > 0 && !from_terminal)
        kill((pid_t)program_pid, number);
    errno = saved;
}

static const int passed_on[FOREGROUND_SIGNALS] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

/* What the caller ignores stays ignored, in the program as well. */
static void take_signals(struct sigaction before[FOREGROUND_SIGNALS])
{
    struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < FOREGROUND_SIGNALS; i++) {
        sigaction(passed_on[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(passed_on[i], &action, NULL);
    }
}

static void restore_signals(const struct sigaction before[FOREGROUND_SIGNALS])
{
    for (size_t i = 0; i < FOREGROUND_SIGNALS; i++)
        sigaction(passed_on[i], &before[i], NULL);
}

/* In the child. Reports why exec failed through the pipe, which closes by itself when it succeeds.
 */
static _Noreturn void become(const char *const *argv, const sigset_t *mask, int kept, int report)
{
    sigprocmask(SIG_SETMASK, mask, NULL);
    if (kept >= 0)
        fcntl(kept, F_SETFD, 0);
    execv(argv[0], (char *const *)argv);
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

/* Signals are held back until the handler knows whom to pass them to. */
static pid_t fork_program(const char *const *argv, int kept, int report)
{
    sigset_t held, mask;

    sigemptyset(&held);
    for (size_t i = 0; i < FOREGROUND_SIGNALS; i++)
        sigaddset(&held, passed_on[i]);
    sigprocmask(SIG_BLOCK, &held, &mask);
    const pid_t pid = fork();
    if (pid == 0)
        become(argv, &mask, kept, report);
    const int cause = errno;
    program_pid = pid;
    sigprocmask(SIG_SETMASK, &mask, NULL);
    errno = cause;
    return pid;
}

/* Starts the program and waits until it is one: returns 0, or why it is not. */
static int start(struct foreground *program, const char *const *argv, int kept)
{
    int report[2], cause = 0;

    if (pipe2(report, O_CLOEXEC) != 0)
        return errno;
    program->pid = fork_program(argv, kept, report[1]);
    if (program->pid < 0)
        cause = errno;
    close(report[1]);
    if (program->pid > 0) {
        ssize_t n;
        while (n = read(report[0], &cause, sizeof cause), n < 0 && errno == EINTR)
            ;
        if (n == (ssize_t)sizeof cause)
            wait_for(program->pid);
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

enum armpmu_status foreground_start(struct foreground *program, const char *const *argv, int kept,
                                    struct armpmu_error *err)
{
    interrupt_came = 0;
    take_signals(program->before);
    const int cause = start(program, argv, kept);
    if (cause == 0)
        return ARMPMU_OK;
    program_pid = 0;
    restore_signals(program->before);
    return fail(err, out_of_resources(cause) ? ARMPMU_NO_MEMORY : ARMPMU_NOT_ALLOWED,
                "cannot start QEMU '%s': %s", argv[0], strerror(cause));
}

void foreground_wait(struct foreground *program, struct foreground_end *end)
{
    end->wait_status = wait_for(program->pid);
    program_pid = 0;
    restore_signals(program->before);
    end->interrupted = interrupt_came;
}

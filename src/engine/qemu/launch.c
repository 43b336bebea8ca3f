#include "engine/qemu/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"

/* For the signal handlers: the guest's process id while it runs, and whether an interrupt came. */
static volatile sig_atomic_t guest_pid;
static volatile sig_atomic_t interrupt_came;

/* The terminal sends its interrupts to the guest as well, so those are not passed on. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    (void)context;
    int saved = errno;
    bool from_terminal = info->si_code == SI_KERNEL;
    if (number == SIGINT || number == SIGQUIT)
        interrupt_came = 1;
    if (guest_pid > 0 && !from_terminal)
        kill((pid_t)guest_pid, number);
    errno = saved;
}

static const int passed_on[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
#define N_PASSED_ON (sizeof passed_on / sizeof passed_on[0])

/* What the caller ignores stays ignored, in the guest as well. */
static void take_signals(struct sigaction before[N_PASSED_ON])
{
    struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < N_PASSED_ON; i++) {
        sigaction(passed_on[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(passed_on[i], &action, NULL);
    }
}

static void restore_signals(const struct sigaction before[N_PASSED_ON])
{
    for (size_t i = 0; i < N_PASSED_ON; i++)
        sigaction(passed_on[i], &before[i], NULL);
}

/* QEMU takes a comma in an option for its end; two stand for one. */
static void append_escaped(char *to, const char *from)
{
    to += strlen(to);
    for (; *from != '\0'; from++) {
        *to++ = *from;
        if (*from == ',')
            *to++ = ',';
    }
    *to = '\0';
}

static char *plugin_option(const struct launch *launch)
{
    char *option = malloc(2 * (strlen(launch->plugin) + strlen(launch->ring)) + 32);
    if (option != NULL) {
        strcpy(option, "file=");
        append_escaped(option, launch->plugin);
        strcat(option, ",ring=");
        append_escaped(option, launch->ring);
    }
    return option;
}

/* qemu-arm's arguments; the guest's own follow its file. */
static const char **arguments(const struct launch *launch, const char *option)
{
    const char *const fixed[] = {launch->qemu, "-cpu", "cortex-a8", "-seed",        "1",
                                 "-plugin",    option, "-0",        launch->argv[0]};
    size_t n_guest = 0, n = 0;
    while (launch->argv[n_guest] != NULL)
        n_guest++;
    const char **argv = calloc(sizeof fixed / sizeof fixed[0] + n_guest + 4, sizeof *argv);
    if (argv == NULL)
        return NULL;
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        argv[n++] = fixed[i];
    if (launch->sysroot[0] != '\0') {
        argv[n++] = "-L";
        argv[n++] = launch->sysroot;
    }
    argv[n++] = launch->program;
    for (size_t i = 1; i < n_guest; i++)
        argv[n++] = launch->argv[i];
    return argv;
}

/* In the child. Reports why exec failed through the pipe, which closes by itself when it succeeds.
 */
static _Noreturn void become_qemu(const char **argv, const sigset_t *mask, int report)
{
    sigprocmask(SIG_SETMASK, mask, NULL);
    execv(argv[0], (char *const *)argv);
    int cause = errno;
    ssize_t ignored = write(report, &cause, sizeof cause);
    (void)ignored;
    _exit(127);
}

static void wait_for(pid_t pid, int *wait_status)
{
    while (waitpid(pid, wait_status, 0) < 0 && errno == EINTR)
        ;
}

/* Signals are held back until the handler knows whom to pass them to. */
static enum armpmu_status start(const struct launch *launch, const char **argv, pid_t *pid,
                                struct armpmu_error *err)
{
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0)
        return fail(err, ARMPMU_NO_MEMORY, "cannot make a pipe: %s", strerror(errno));
    sigset_t held, mask;
    sigemptyset(&held);
    for (size_t i = 0; i < N_PASSED_ON; i++)
        sigaddset(&held, passed_on[i]);
    sigprocmask(SIG_BLOCK, &held, &mask);
    *pid = fork();
    if (*pid == 0)
        become_qemu(argv, &mask, report[1]);
    int cause = errno;
    close(report[1]);
    guest_pid = *pid;
    sigprocmask(SIG_SETMASK, &mask, NULL);
    bool failed = *pid < 0;
    if (!failed) {
        ssize_t n;
        while (n = read(report[0], &cause, sizeof cause), n < 0 && errno == EINTR)
            ;
        failed = n == (ssize_t)sizeof cause;
    }
    close(report[0]);
    if (!failed)
        return ARMPMU_OK;
    if (*pid > 0) {
        int ignored;
        wait_for(*pid, &ignored);
    }
    return fail(err, ARMPMU_NOT_ALLOWED, "cannot start QEMU '%s': %s", launch->qemu,
                strerror(cause));
}

enum armpmu_status launch_and_wait(const struct launch *launch, struct launched *out,
                                   struct armpmu_error *err)
{
    *out = (struct launched){0};
    char *option = plugin_option(launch);
    const char **argv = option != NULL ? arguments(launch, option) : NULL;
    enum armpmu_status status;
    if (argv == NULL) {
        status = fail(err, ARMPMU_NO_MEMORY, "no memory for the program's arguments");
    } else {
        struct sigaction before[N_PASSED_ON];
        pid_t pid = 0;
        interrupt_came = 0;
        take_signals(before);
        status = start(launch, argv, &pid, err);
        if (status == ARMPMU_OK) {
            out->pid = pid;
            wait_for(pid, &out->wait_status);
        }
        guest_pid = 0;
        restore_signals(before);
        out->interrupted = interrupt_came;
    }
    free(argv);
    free(option);
    return status;
}

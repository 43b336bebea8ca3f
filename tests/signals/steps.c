/* Preloaded into armpmu: the system calls with which it starts a program take as long as the test
 * wants, and a signal comes at any one of them.
 *
 *   STEPS_AT=N        at the N-th of them, in the process of STEPS_IN,
 *   STEPS_IN=WHO      "armpmu", or "child": between fork and exec,
 *   STEPS_SIGNAL=S    signal S is sent to armpmu, or with STEPS_GROUP to its process group
 *   STEPS_JITTER=US   each takes up to so many microseconds longer
 *   STEPS_SEED=N      of these
 *   STEPS_TELLS=FD    gets 'c' when armpmu catches all signals, SIGHUP last, and 's' with the
 * signal STEPS_PROC        there is no /proc
 *
 * The program itself runs without. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
    pid_t armpmu;
    int at, number, tells;
    unsigned jitter, seed;
    bool in_child, group, no_proc, caught;
    int n; /* steps so far, of this process */
} steps;

static int number_of(const char *name, int standard)
{
    const char *const text = getenv(name);

    return text != NULL ? atoi(text) : standard;
}

static __attribute__((constructor)) void begin(void)
{
    const char *const in = getenv("STEPS_IN");

    steps.armpmu = getpid();
    steps.at = number_of("STEPS_AT", 0);
    steps.number = number_of("STEPS_SIGNAL", 0);
    steps.tells = number_of("STEPS_TELLS", -1);
    steps.jitter = (unsigned)number_of("STEPS_JITTER", 0);
    steps.seed = (unsigned)number_of("STEPS_SEED", 1);
    steps.in_child = in != NULL && strcmp(in, "child") == 0;
    steps.group = getenv("STEPS_GROUP") != NULL;
    steps.no_proc = getenv("STEPS_PROC") != NULL;
    unsetenv("LD_PRELOAD");
}

static void tell(const char *what)
{
    if (steps.tells >= 0)
        (void)!write(steps.tells, what, 1);
}

static void step(void)
{
    const bool child = getpid() != steps.armpmu;

    if (steps.jitter > 0)
        usleep((useconds_t)(rand_r(&steps.seed) % (int)steps.jitter));
    if (child != steps.in_child || ++steps.n != steps.at)
        return;
    tell("s");
    kill(steps.group ? 0 : steps.armpmu, steps.number);
    usleep(3000);
}

#pragma GCC visibility push(default)

#define REAL(name) ((__typeof__(&name))(size_t)dlsym(RTLD_NEXT, #name))

pid_t fork(void)
{
    step();
    const pid_t pid = REAL(fork)();
    if (pid == 0)
        steps.n = 0;
    step();
    return pid;
}

int execv(const char *path, char *const argv[])
{
    step();
    return REAL(execv)(path, argv);
}

int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
    step();
    const int result = REAL(sigprocmask)(how, set, before);
    step();
    return result;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    const int result = REAL(sigaction)(number, action, before);

    if (number == SIGHUP && action != NULL && !steps.caught) {
        tell("c");
        steps.caught = true;
    }
    if (steps.caught)
        step();
    return result;
}

int prctl(int option, ...); /* <sys/prctl.h> has other names for its arguments in every version */

int prctl(int option, ...)
{
    va_list arguments;

    va_start(arguments, option);
    const unsigned long argument = va_arg(arguments, unsigned long);
    va_end(arguments);
    step();
    const int result = ((int (*)(int, ...))(size_t)dlsym(RTLD_NEXT, "prctl"))(option, argument);
    step();
    return result;
}

int pipe2(int ends[2], int flags)
{
    step();
    return REAL(pipe2)(ends, flags);
}

int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    step();
    const int result = REAL(waitid)(type, id, info, options);
    step();
    return result;
}

pid_t waitpid(pid_t pid, int *status, int options)
{
    step();
    const pid_t result = REAL(waitpid)(pid, status, options);
    step();
    return result;
}

int pthread_join(pthread_t thread, void **result)
{
    step();
    return REAL(pthread_join)(thread, result);
}

ssize_t readlink(const char *restrict path, char *restrict text, size_t size)
{
    if (steps.no_proc && strncmp(path, "/proc/", 6) == 0) {
        errno = ENOENT;
        return -1;
    }
    return REAL(readlink)(path, text, size);
}

int access(const char *path, int mode)
{
    if (steps.no_proc && strncmp(path, "/proc/", 6) == 0) {
        errno = ENOENT;
        return -1;
    }
    return REAL(access)(path, mode);
}

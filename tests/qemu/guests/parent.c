/* A program that executes others, as a shell or make does. The first argument is the case, the
 * second a folder with files that the test has put there; "leaf ..." is what is executed. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *self, *folder;
extern char **environ;

/* ---- what is executed ---- */

static int print_state(int argc, char **argv)
{
    sigset_t blocked;
    struct sigaction interrupt;

    for (int i = 0; i < argc; i++)
        printf("<%s>", argv[i]);
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    sigaction(SIGINT, NULL, &interrupt);
    printf(" FOO=%s", getenv("FOO") != NULL ? getenv("FOO") : "");
    printf(" blocked=%d ignored=%d", sigismember(&blocked, SIGUSR1),
           interrupt.sa_handler == SIG_IGN);
    printf(" pid=%s descriptor=%d\n", atoi(argv[argc - 1]) == getpid() ? "same" : "another",
           dup(0));
    return 7;
}

static int leaf(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[2], "kill") == 0)
        raise(SIGTERM);
    if (argc > 2 && strcmp(argv[2], "exit") == 0)
        return atoi(argv[3]);
    while (argc > 2 && strcmp(argv[2], "wait") == 0)
        pause();
    if (argc > 2 && strcmp(argv[2], "copy") == 0) {
        for (int c; (c = getchar()) != EOF;)
            putchar(c + 1);
        return 0;
    }
    return print_state(argc, argv);
}

/* ---- what executes ---- */

static int wait_for(pid_t pid)
{
    int status = 0;

    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int replace(void)
{
    char pid[16];
    sigset_t blocked;

    snprintf(pid, sizeof pid, "%d", getpid());
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    signal(SIGINT, SIG_IGN);
    setenv("FOO", "with, a comma", 1);
    open("/dev/null", O_RDONLY | O_CLOEXEC);
    fflush(stdout);
    execl(self, "another name", "leaf", "-x", "", pid, (char *)NULL);
    return 1;
}

/* Like make: each command a process, one after the other, until one fails. */
static int build(void)
{
    static const char *const commands[][3] = {{"exit", "0"}, {"exit", "0"}, {"kill", "0"}};

    for (volatile int i = 0; i < 3; i++) {
        const pid_t pid = vfork();
        if (pid == 0) {
            execl("/proc/self/exe", "leaf", "leaf", commands[i][0], commands[i][1], (char *)NULL);
            _exit(99);
        }
        const int status = wait_for(pid);
        if (status != 0)
            return status;
    }
    return 0;
}

static pid_t start_copy(int in, int out)
{
    const pid_t pid = fork();

    if (pid == 0) {
        dup2(in, 0);
        dup2(out, 1);
        for (int fd = 3; fd < 16; fd++)
            close(fd);
        execl(self, "copy", "leaf", "copy", (char *)NULL);
        _exit(99);
    }
    return pid;
}

/* Ends only if nobody but the first has the writing end of the pipe. */
static int pipe_line(void)
{
    int ends[2], status;

    if (pipe(ends) != 0)
        return 1;
    const pid_t first = start_copy(0, ends[1]);
    close(ends[1]);
    const pid_t second = start_copy(ends[0], 1);
    close(ends[0]);
    status = wait_for(first);
    return status + wait_for(second);
}

static int spawn(void)
{
    char *const argv[] = {"leaf", "leaf", "exit", "5", NULL};
    pid_t pid;

    return posix_spawn(&pid, self, NULL, NULL, argv, environ) == 0 ? wait_for(pid) : 1;
}

static void *replace_from_thread(void *unused)
{
    (void)unused;
    execl(self, "leaf", "leaf", "exit", "6", (char *)NULL);
    _exit(99);
}

static int from_thread(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, replace_from_thread, NULL);
    pthread_join(thread, NULL);
    return 1;
}

static int script(void)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/script", folder);
    execl(path, "its name is lost", "last", (char *)NULL);
    return errno;
}

static int error_of(const char *name)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    execl(path, name, (char *)NULL);
    return errno;
}

static int errors(void)
{
    char *volatile bad_pointer = (char *)1;
    char *const bad[] = {bad_pointer, NULL};

    printf("%d", error_of("absent") == ENOENT);
    printf("%d", error_of("not-executable") == EACCES);
    printf("%d", error_of("text") == ENOEXEC);
    printf("%d", error_of("") == EACCES);
    execv(bad_pointer, bad + 1);
    printf("%d", errno == EFAULT);
    execv(self, bad);
    printf("%d\n", errno == EFAULT);
    return 0;
}

/* No signal is lost: each of the programs ends by one, however early it comes. */
static int signals(void)
{
    int ended = 0;
    sigset_t early;

    sigemptyset(&early);
    sigaddset(&early, SIGTERM);
    for (int i = 0; i < 40; i++) {
        sigprocmask(SIG_BLOCK, &early, NULL);
        const pid_t pid = fork();
        if (pid == 0) {
            sigprocmask(SIG_UNBLOCK, &early, NULL);
            execl(self, "leaf", "leaf", "wait", (char *)NULL);
            _exit(99);
        }
        usleep(500 * (unsigned)i);
        kill(pid, SIGTERM);
        ended += wait_for(pid) == 128 + SIGTERM;
    }
    printf("%d ended by the signal\n", ended);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } cases[] = {{"replace", replace}, {"build", build},        {"pipe", pipe_line},
                 {"spawn", spawn},     {"thread", from_thread}, {"script", script},
                 {"errors", errors},   {"signals", signals}};

    if (argc > 1 && (strcmp(argv[1], "leaf") == 0 || strcmp(argv[1], "-leaf") == 0))
        return leaf(argc, argv);
    self = argv[0];
    folder = argc > 2 ? argv[2] : ".";
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof cases[0]; i++)
        if (strcmp(argv[1], cases[i].name) == 0)
            return cases[i].run();
    return 2;
}

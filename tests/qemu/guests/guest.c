/* What programs do to themselves and to their threads and children: guest CASE. Each case ends with
 * a status or a signal that the test knows, and prints what must come out the same with and without
 * the recorder. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int exit_code(void)
{
    return 42;
}

/* The first free descriptor, and an empty signal mask. */
static int first_descriptor(void)
{
    sigset_t mask;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    int blocked = 0;
    for (int i = 1; i < 32; i++)
        blocked += sigismember(&mask, i);
    printf("descriptor %d, blocked %d\n", open("/dev/null", O_RDONLY), blocked);
    return 0;
}

static int copy_input(void)
{
    int c;
    while (c = getchar(), c != EOF)
        putchar(c);
    fputs("to stderr\n", stderr);
    return 0;
}

static int die_by(int number)
{
    raise(number);
    return 0;
}

static unsigned work(unsigned n)
{
    unsigned x = n;
    for (unsigned i = 0; i < 100000; i++)
        x = x * 1664525 + 1013904223;
    return x;
}

static int fork_and_wait(void)
{
    for (int i = 0; i < 3; i++) {
        pid_t pid = fork();
        if (pid == 0)
            _exit(work((unsigned)i) & 1 ? 10 + i : 20 + i);
        int status;
        if (waitpid(pid, &status, 0) != pid)
            return 1;
        printf("child %d: %d\n", i, WEXITSTATUS(status));
    }
    return 3;
}

static int child_is_killed(void)
{
    int started[2], status;
    char byte;
    if (pipe(started) != 0)
        return 1;
    pid_t pid = fork();
    if (pid == 0)
        while (write(started[1], "", 1) == 1)
            work(1);
    if (read(started[0], &byte, 1) != 1)
        return 1;
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    printf("child: signal %d\n", WTERMSIG(status));
    return 0;
}

static int vfork_and_exec(void)
{
    fflush(stdout);
    pid_t pid = vfork();
    if (pid == 0) {
        execl("/bin/echo", "echo", "from the host", (char *)NULL);
        _exit(99);
    }
    int status;
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}

static int exec_itself(void)
{
    fflush(stdout);
    execl("/bin/sh", "sh", "-c", "exit 5", (char *)NULL);
    return 1;
}

static int exec_fails(void)
{
    execl("/nonexistent", "nonexistent", (char *)NULL);
    return errno == ENOENT ? 6 : 1;
}

static void *thread_work(void *argument)
{
    return (void *)(size_t)work((unsigned)(size_t)argument);
}

static int threads(void)
{
    unsigned sum = 0;
    for (size_t i = 1; i <= 4; i++) {
        pthread_t thread;
        void *result;
        if (pthread_create(&thread, NULL, thread_work, (void *)i) != 0)
            return 1;
        pthread_join(thread, &result);
        sum += (unsigned)(size_t)result;
    }
    printf("sum %u\n", sum);
    return 0;
}

static int threads_together(void)
{
    pthread_t thread[4];
    for (size_t i = 0; i < 4; i++)
        if (pthread_create(&thread[i], NULL, thread_work, (void *)i) != 0)
            return 1;
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    return 0;
}

static sigjmp_buf back;

static void jump_back(int number)
{
    siglongjmp(back, number);
}

static int recover_from_fault(void)
{
    signal(SIGSEGV, jump_back);
    char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    static int n_tried, n_faults; /* kept across the jumps */
    while (n_tried < 10) {
        if (sigsetjmp(back, 1) == 0)
            *(volatile char *)(page + n_tried++) = 1;
        else
            n_faults++;
    }
    printf("%d of %d faulted\n", n_faults, n_tried);
    return 0;
}

static volatile sig_atomic_t ticks;

static void tick(int number)
{
    (void)number;
    ticks++;
}

static int alarms(void)
{
    signal(SIGALRM, tick);
    const struct itimerval every = {{0, 2000}, {0, 2000}};
    setitimer(ITIMER_REAL, &every, NULL);
    while (ticks < 5)
        work(1);
    return 0;
}

static int child_signal(void)
{
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGCHLD);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    signal(SIGCHLD, tick);
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    while (ticks == 0)
        sigsuspend(&before);
    waitpid(pid, NULL, 0);
    printf("%d\n", (int)ticks);
    return 0;
}

/* Says when it has started, then works for some ten chunks of records. */
static int long_work(void)
{
    puts("started");
    fflush(stdout);
    unsigned sum = 0;
    for (unsigned i = 0; i < 100; i++)
        sum += work(i);
    printf("sum %u\n", sum);
    return 0;
}

static int leave_a_child(void)
{
    fflush(stdout);
    return fork() == 0 ? long_work() : 8;
}

static void leave_with_seven(int number)
{
    (void)number;
    _exit(7);
}

static int wait_for_signal(void)
{
    struct sigaction before;
    sigaction(SIGHUP, NULL, &before);
    printf("hangups are %s\n", before.sa_handler == SIG_IGN ? "ignored" : "not ignored");
    signal(SIGTERM, leave_with_seven);
    puts("started");
    fflush(stdout);
    while (pause() == -1 && errno == EINTR)
        ;
    return 1;
}

static int thread_faults(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, (void *(*)(void *))(size_t)0x1000, NULL);
    pthread_join(thread, NULL);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } cases[] = {
        {"exit_code", exit_code},
        {"first_descriptor", first_descriptor},
        {"copy_input", copy_input},
        {"fork_and_wait", fork_and_wait},
        {"child_is_killed", child_is_killed},
        {"vfork_and_exec", vfork_and_exec},
        {"exec_itself", exec_itself},
        {"exec_fails", exec_fails},
        {"threads", threads},
        {"threads_together", threads_together},
        {"recover_from_fault", recover_from_fault},
        {"alarms", alarms},
        {"child_signal", child_signal},
        {"thread_faults", thread_faults},
        {"long_work", long_work},
        {"leave_a_child", leave_a_child},
        {"wait_for_signal", wait_for_signal},
    };
    if (argc == 3 && strcmp(argv[1], "signal") == 0)
        return die_by(atoi(argv[2]));
    for (size_t i = 0; argc == 2 && i < sizeof cases / sizeof cases[0]; i++)
        if (strcmp(argv[1], cases[i].name) == 0)
            return cases[i].run();
    fprintf(stderr, "usage: guest CASE\n");
    return 2;
}

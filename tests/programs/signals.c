/* Signals the program sends to itself: handlers, masks, nesting. No fault among them. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t first, second;

static void on_first(int number)
{
    (void)number;
    first++;
    raise(SIGUSR2);
}

static void on_second(int number, siginfo_t *info, void *context)
{
    (void)info;
    (void)context;
    second += number == SIGUSR2;
}

int main(void)
{
    struct sigaction one = {.sa_handler = on_first};
    struct sigaction two = {.sa_sigaction = on_second, .sa_flags = SA_SIGINFO};
    sigset_t set, old;
    sigaction(SIGUSR1, &one, NULL);
    sigaction(SIGUSR2, &two, NULL);
    for (int i = 0; i < 20; i++)
        raise(SIGUSR1);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, &old);
    kill(getpid(), SIGUSR1);
    int before = first;
    sigprocmask(SIG_SETMASK, &old, NULL);
    printf("%d %d %d\n", before, first, second);
    return first == 21 && second == 21 ? 0 : 1;
}

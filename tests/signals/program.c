/* A program whose life is the test's matter: program CASE. Says "ready\n" when it is there.
 *
 *   loop       runs for ever
 *   work       runs for a while, ends with status 3
 *   ignore     the same as loop, and ignores interrupts
 *   tidy       runs until an interrupt, then ends with status 5
 *   family     a process that sleeps, with a thread and two children: one sleeps, one runs
 *   family ignore   the same, and all ignore interrupts
 *   execute    becomes a program of the host that sleeps
 *   raise N    sends itself signal N
 *   ignored    says which termination signals are ignored, runs for ever */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    interrupted = number;
}

static void ready(void)
{
    (void)!write(STDOUT_FILENO, "ready\n", 6);
}

static void spin(volatile unsigned n)
{
    while (n > 0 && !interrupted)
        n--;
}

static _Noreturn void loop(void)
{
    for (;;)
        spin(1000000);
}

static void *sleep_on(void *unused)
{
    pause();
    return unused;
}

static void family(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, sleep_on, NULL);
    if (fork() == 0)
        pause();
    if (fork() == 0)
        loop();
    ready();
    pause();
}

static void say_ignored(void)
{
    const int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    struct sigaction action;

    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        sigaction(numbers[i], NULL, &action);
        if (action.sa_handler == SIG_IGN)
            printf("ignores %d\n", numbers[i]);
    }
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const char *const word = argc > 1 ? argv[1] : "work";

    if (strcmp(word, "raise") == 0)
        raise(atoi(argv[2]));
    if (strcmp(word, "ignore") == 0 || argc > 2)
        signal(SIGINT, SIG_IGN);
    if (strcmp(word, "family") == 0) {
        family();
        return 0;
    }
    if (strcmp(word, "tidy") == 0)
        signal(SIGINT, on_interrupt);
    if (strcmp(word, "ignored") == 0)
        say_ignored();
    ready();
    if (strcmp(word, "execute") == 0)
        execl("/bin/sleep", "sleep", "1000", (char *)NULL);
    if (strcmp(word, "work") == 0) {
        spin(1000000);
        return 3;
    }
    while (!interrupted)
        spin(1000000);
    return 5;
}

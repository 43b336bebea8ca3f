/* Two children by fork, each with its own work and exit status. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned work(unsigned n)
{
    unsigned steps = 0;
    for (unsigned start = 1; start <= n; start++)
        for (unsigned x = start; x != 1; steps++)
            x = x & 1 ? 3 * x + 1 : x / 2;
    return steps;
}

int main(void)
{
    unsigned statuses = 0;
    for (unsigned child = 1; child <= 2; child++) {
        pid_t pid = fork();
        if (pid < 0)
            return 1;
        if (pid == 0)
            exit((int)(work(100 * child) & 0x3f));
        int status;
        waitpid(pid, &status, 0);
        statuses = statuses * 64 + (unsigned)WEXITSTATUS(status);
    }
    printf("%u %u\n", statuses, work(50));
    return 0;
}

/* A program to count: it echoes its input, prints one line on standard error, and ends as its
 * argument says. N: exit status N. signal N: killed by signal N. wait: runs until it is stopped.
 * streams: exit status 1 + 2 + 4, for each standard stream that is closed. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "0";
    char buffer[256];
    size_t n;

    if (strcmp(word, "streams") == 0) {
        int closed = 0;
        for (int fd = 0; fd <= 2; fd++)
            closed |= (fcntl(fd, F_GETFD) == -1) << fd;
        return closed;
    }

    while ((n = fread(buffer, 1, sizeof buffer, stdin)) > 0)
        fwrite(buffer, 1, n, stdout);
    fflush(stdout);
    fputs("complaint\n", stderr);
    if (strcmp(word, "signal") == 0 && argc > 2) {
        signal(atoi(argv[2]), SIG_DFL);
        kill(getpid(), atoi(argv[2]));
    }
    if (strcmp(word, "wait") == 0) {
        for (volatile unsigned long spins = 0;; spins++)
            ;
    }
    return atoi(word);
}

#include "cli/pager.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define NO_SUCH_COMMAND 127 /* of the shell */

/* NULL: none. */
static const char *pager_name(void)
{
    const char *name = getenv("ARMPMU_PAGER");

    if (name == NULL)
        name = getenv("PAGER");
    if (name == NULL)
        name = "less";
    return name[0] == '\0' || strcmp(name, "cat") == 0 ? NULL : name;
}

/* Returns whether the pager was there. Keys that end programs are the pager's meanwhile, and a
 * reader may leave before the end. */
static bool show(const char *name, const char *text, size_t size)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    const int signals[] = {SIGINT, SIGQUIT, SIGPIPE};
    struct sigaction before[3];

    setenv("LESS", "FRX", 0); /* short texts stay on the screen; colours pass */
    FILE *const pager = popen(name, "w");
    if (pager == NULL)
        return false;
    for (int i = 0; i < 3; i++)
        sigaction(signals[i], &ignore, &before[i]);
    (void)fwrite(text, 1, size, pager);
    const int status = pclose(pager);
    for (int i = 0; i < 3; i++)
        sigaction(signals[i], &before[i], NULL);
    return !(WIFEXITED(status) && WEXITSTATUS(status) == NO_SUCH_COMMAND);
}

void pager_deliver(const char *text, size_t size, FILE *out)
{
    const char *const name = isatty(STDOUT_FILENO) ? pager_name() : NULL;

    if (name == NULL || !show(name, text, size))
        (void)fwrite(text, 1, size, out);
}

unsigned pager_columns(int fd)
{
    struct winsize size;

    return isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

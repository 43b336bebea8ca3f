#include "base/debuginfod.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char name[] = "DEBUGINFOD_URLS";
static char *variable; /* "DEBUGINFOD_URLS=..." where the caller set it: his string, not a copy */

void debuginfod_forbid(void)
{
    const size_t length = sizeof name - 1;

    for (char **at = environ; *at != NULL; at++)
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=')
            variable = *at;
    unsetenv(name);
}

void debuginfod_allow(void)
{
    if (variable != NULL)
        putenv(variable);
}

const char **debuginfod_environment(void)
{
    size_t n = 0;

    while (environ[n] != NULL)
        n++;
    const char **const list = calloc(n + 2, sizeof *list);
    if (list != NULL) {
        memcpy(list, environ, n * sizeof *list);
        list[n] = getenv(name) == NULL ? variable : NULL;
    }
    return list;
}

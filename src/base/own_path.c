#include "base/own_path.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

bool own_path(char *path, size_t size)
{
    const char *const started_as = (const char *)(size_t)getauxval(AT_EXECFN);
    char real[PATH_MAX] = "";

    const ssize_t n = readlink("/proc/self/exe", real, sizeof real - 1);
    real[n > 0 ? n : 0] = '\0';
    if (n <= 0 && (started_as == NULL || realpath(started_as, real) == NULL))
        real[0] = '\0';
    const bool fits = (size_t)snprintf(path, size, "%s", real) < size;
    if (!fits)
        path[0] = '\0';
    return path[0] == '/';
}

bool own_folder(char *path, size_t size)
{
    if (!own_path(path, size))
        return false;
    *strrchr(path, '/') = '\0';
    return true;
}

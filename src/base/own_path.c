#include "base/own_path.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/own_mappings.h"

/* A program of scripts/release is started by its launcher, through the dynamic linker beside it,
 * which the kernel then takes for the program. The launcher is PROGRAM, what it starts PROGRAM.elf.
 */
static void name_launcher(char *path, size_t size)
{
    static const char suffix[] = ".elf";
    struct own_mapping mapping;

    if (!own_mapping_find((uintptr_t)name_launcher, &mapping))
        return;
    const size_t length = strlen(mapping.path), stem = length - (sizeof suffix - 1);
    if (length > sizeof suffix && strcmp(mapping.path + stem, suffix) == 0)
        snprintf(path, size, "%.*s", (int)stem, mapping.path);
}

static bool is_dynamic_linker(const char *path)
{
    const char *const slash = strrchr(path, '/');

    return slash != NULL && strncmp(slash, "/ld-linux", 9) == 0;
}

bool own_path(char *path, size_t size)
{
    const char *const started_as = (const char *)(size_t)getauxval(AT_EXECFN);
    char real[PATH_MAX] = "";

    const ssize_t n = readlink("/proc/self/exe", real, sizeof real - 1);
    real[n > 0 ? n : 0] = '\0';
    if (is_dynamic_linker(real))
        name_launcher(real, sizeof real);
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

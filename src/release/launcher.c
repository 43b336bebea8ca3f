/* PROGRAM of the tarball that scripts/release makes. It starts PROGRAM.elf with the dynamic linker
 * and the libraries beside it, so that the system's C library does not matter: neither its version
 * nor whether there is one. The environment stays as it is, since the program that armpmu counts
 * gets it: a script in place of this would add to it. Linked statically. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/own_path.h"

#define STATUS_OF_LAUNCHER 125

static int give_up(const char *what, const char *path)
{
    fprintf(stderr, "armpmu: %s '%s': %s; unpack the tarball again, whole\n", what, path,
            strerror(errno));
    return STATUS_OF_LAUNCHER;
}

/* lib/ beside the program or one folder up, with the dynamic linker in it. */
static bool find_libraries(const char *folder, char *libraries, char *linker)
{
    static const char *const places[] = {"lib", "../lib"};

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if ((unsigned)snprintf(libraries, PATH_MAX, "%s/%s", folder, places[i]) < PATH_MAX &&
            (unsigned)snprintf(linker, PATH_MAX, "%s/" LINKER, libraries) < PATH_MAX &&
            access(linker, X_OK) == 0)
            return true;
    }
    return false;
}

int main(int argc, char **argv)
{
    static char self[PATH_MAX], folder[PATH_MAX], libraries[PATH_MAX], linker[PATH_MAX];
    static char program[PATH_MAX + 8];

    if (!own_path(self, sizeof self) || !own_folder(folder, sizeof folder))
        return give_up("cannot find the folder of", argc > 0 ? argv[0] : "armpmu");
    if (!find_libraries(folder, libraries, linker))
        return give_up("no dynamic linker", linker);
    snprintf(program, sizeof program, "%s.elf", self);
    char *const first[] = {linker,    (char[]){"--inhibit-cache"}, (char[]){"--library-path"},
                           libraries, (char[]){"--argv0"},         argc > 0 ? argv[0] : self,
                           program};
    const size_t n = sizeof first / sizeof first[0], rest = argc > 1 ? (size_t)argc - 1 : 0;
    char **const arguments = calloc(n + rest + 1, sizeof *arguments);
    if (arguments == NULL)
        return give_up("no memory to start", program);
    memcpy(arguments, first, sizeof first);
    if (rest > 0)
        memcpy(arguments + n, argv + 1, rest * sizeof *argv);
    execv(linker, arguments);
    return give_up("cannot start", linker);
}

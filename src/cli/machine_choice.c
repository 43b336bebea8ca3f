#include "cli/machine_choice.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/own_path.h"
#include "base/paths.h"
#include "machine/core_descriptor.h"

/* An unset and an empty variable are the same. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0' ? value : NULL;
}

const char *machine_choice_name(const char *option)
{
    if (option != NULL)
        return option;
    const char *named = variable("ARMPMU_MACHINE");
    return named != NULL ? named : core_default_machine();
}

/* Whether this program file lies in the folder it was built in. */
static bool runs_in_build_folder(void)
{
    char self[PATH_MAX], build[PATH_MAX];

    if (!own_path(self, sizeof self) || realpath(BUILD_FOLDER, build) == NULL)
        return false;
    const size_t length = strlen(build);
    return strncmp(self, build, length) == 0 && self[length] == '/';
}

char *machine_choice_search(void)
{
    const char *first = variable("ARMPMU_MACHINE_PATH");
    char *search;

    if (asprintf(&search, "%s%s%s" INSTALLED_MACHINES, first != NULL ? first : "",
                 first != NULL ? ":" : "", runs_in_build_folder() ? SOURCE_MACHINES ":" : "") < 0)
        return NULL;
    return search;
}

enum armpmu_status machine_choice_load(const char *option, struct armpmu_machine **out,
                                       struct armpmu_error *err)
{
    char *search = machine_choice_search();
    if (search == NULL) {
        *out = NULL;
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for the machine search path");
    }
    enum armpmu_status status = armpmu_machine_load(machine_choice_name(option), search, out, err);
    free(search);
    return status;
}

/* Looks for NAME.ini in a folder. Returns its path, which the caller frees, or NULL. */
static char *find_in(const char *folder, const char *name)
{
    char *path;

    if (*folder == '\0' || asprintf(&path, "%s/%s.ini", folder, name) < 0)
        return NULL;
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

char *machine_choice_file(const char *option)
{
    const char *const name = machine_choice_name(option);
    const size_t length = strlen(name);

    if (strchr(name, '/') != NULL || (length > 4 && strcmp(name + length - 4, ".ini") == 0))
        return strdup(name);
    char *const search = machine_choice_search();
    char *found = NULL;
    for (char *rest = search, *folder;
         found == NULL && rest != NULL && (folder = strsep(&rest, ":")) != NULL;)
        found = find_in(folder, name);
    free(search);
    return found;
}

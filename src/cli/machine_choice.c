#include "cli/machine_choice.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/own_path.h"
#include "base/paths.h"
#include "cli/commands.h"
#include "cli/suggest.h"
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

/* True when this program file lies in the folder it was built in. */
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

const struct option_row machine_setting_rows[] = {
    {0, "set", "KEY=VALUE",
     "change a key of the machine, such as l2.size_kb=512; may be given several times; 'armpmu "
     "list machine -v NAME' lists the keys",
     OPTION_LIST_TO(struct machine_settings, set)},
    {0, "seed", "N", "seed of random choices: --set random.seed=N",
     OPTION_TEXT_TO(struct machine_settings, seed)},
    {.kind = OPTION_END},
};

/* The settings in one list, the seed last; the caller frees it, and *seed. NULL without memory. */
static const char **list_settings(const struct machine_settings *settings, size_t *n, char **seed)
{
    const char **const list = calloc(settings->set.n + 1, sizeof *list);

    *n = 0;
    *seed = NULL;
    for (; list != NULL && *n < settings->set.n; ++*n)
        list[*n] = settings->set.values[*n];
    if (list == NULL || settings->seed == NULL)
        return list;
    if (asprintf(seed, "random.seed=%s", settings->seed) < 0) {
        *seed = NULL;
        free(list);
        return NULL;
    }
    list[(*n)++] = *seed;
    return list;
}

/* ---- nearest names ---- */

static void offer_folder(const char *folder, struct suggest *near)
{
    DIR *const entries = opendir(folder);
    const struct dirent *entry;
    char name[SUGGEST_WORD_MAX];

    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        const size_t length = strlen(entry->d_name);
        if (length < 5 || length - 4 >= sizeof name ||
            strcmp(entry->d_name + length - 4, ".ini") != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length - 4, entry->d_name);
        suggest_offer(near, name, NULL);
    }
    if (entries != NULL)
        closedir(entries);
}

/* Adds to the message that there is no such machine which ones are called much the same. search is
 * taken apart. */
static void add_nearest(const char *name, char *search, struct armpmu_error *err)
{
    char nearest[SUGGEST_MAX * (SUGGEST_WORD_MAX + 8)];
    struct suggest near;
    const size_t used = strlen(err->message);

    suggest_begin(&near, name);
    for (char *rest = search, *folder; (folder = strsep(&rest, ":")) != NULL;)
        if (*folder != '\0')
            offer_folder(folder, &near);
    suggest_sentence(&near, nearest, sizeof nearest);
    snprintf(err->message + used, sizeof err->message - used, "%s", nearest);
}

/* An error in a seed names the option that it was given with. */
static void name_seed(const char *seed, struct armpmu_error *err)
{
    static const char set[] = "--set ";
    const size_t before = sizeof set - 1;
    const struct armpmu_error as_set = *err;

    if (seed != NULL && strncmp(as_set.message, set, before) == 0 &&
        strncmp(as_set.message + before, seed, strlen(seed)) == 0)
        snprintf(err->message, sizeof err->message, "--seed %s",
                 strchr(as_set.message + before, '=') + 1);
}

enum armpmu_status machine_choice_load(const char *option, const struct machine_settings *settings,
                                       struct armpmu_machine **out, struct armpmu_error *err)
{
    const struct machine_settings none = {0};
    char *const search = machine_choice_search(), *seed = NULL;
    size_t n = 0;
    const char **const list = list_settings(settings != NULL ? settings : &none, &n, &seed);
    enum armpmu_status status;

    *out = NULL;
    if (search == NULL || list == NULL)
        status = fail_no_memory(err, "the machine search path");
    else
        status =
            armpmu_machine_load_changed(machine_choice_name(option), search, list, n, out, err);
    if (status == ARMPMU_NOT_FOUND && !machine_is_file(machine_choice_name(option)))
        add_nearest(machine_choice_name(option), search, err);
    if (status == ARMPMU_BAD_CONFIG)
        name_seed(seed, err);
    free(list);
    free(seed);
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

    if (machine_is_file(name))
        return strdup(name);
    char *const search = machine_choice_search();
    char *found = NULL;
    for (char *rest = search, *folder;
         found == NULL && rest != NULL && (folder = strsep(&rest, ":")) != NULL;)
        found = find_in(folder, name);
    free(search);
    return found;
}

const struct armpmu_core *machine_choice_core(const char *option)
{
    struct armpmu_machine *machine = NULL;
    struct armpmu_error err;

    const enum armpmu_status status = machine_choice_load(option, NULL, &machine, &err);
    if (status == ARMPMU_NOT_FOUND && option == NULL) {
        /* The catalogue needs no machine files, and the default machine is called as its core. */
        const struct armpmu_core *const core = armpmu_core_find(machine_choice_name(NULL));
        if (core != NULL)
            return core;
    }
    if (status != ARMPMU_OK) {
        print_error("%s", err.message);
        return NULL;
    }
    const struct armpmu_core *const core = armpmu_machine_core(machine);
    armpmu_machine_free(machine);
    return core;
}

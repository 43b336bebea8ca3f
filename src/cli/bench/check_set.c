#include "cli/bench/check_set.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "base/array.h"
#include "base/error.h"
#include "base/own_path.h"
#include "base/paths.h"
#include "cli/machine_choice.h"

/* ---- where the programs are ---- */

static bool is_folder(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* The folder of the folders; the caller frees it, NULL without memory. The places are as seen from
 * the program: in a build folder, in an installation. */
static char *find_folder(void)
{
    static const char *const places[] = {"check/set", CHECKS_FROM_PROGRAM};
    const char *const named = getenv("ARMPMU_CHECK_PATH");
    char self[PATH_MAX];

    if (named != NULL && *named != '\0')
        return strdup(named);
    const bool knows_self = own_folder(self, sizeof self);
    for (size_t i = 0; knows_self && i < sizeof places / sizeof places[0]; i++) {
        char *folder;
        if (asprintf(&folder, "%s/%s", self, places[i]) < 0)
            return NULL;
        if (is_folder(folder))
            return folder;
        free(folder);
    }
    return strdup(INSTALLED_CHECKS);
}

/* ---- an index ---- */

struct set_reader {
    struct check_set *set;
    const struct armpmu_core *core;
    const char *folder; /* of the index */
    const char *search; /* for machines */
    struct armpmu_error *err;
};

/* Jansson reports a lack of memory as a wrong file. */
static enum armpmu_status damaged(const struct set_reader *r, const char *what)
{
    if (errno == ENOMEM)
        return fail_no_memory(r->err, "the checks");
    return fail(r->err, ARMPMU_BAD_INPUT,
                "check: %s/%s.json: %s; build armpmu again, or install it again", r->folder,
                r->core->name, what);
}

static enum armpmu_status read_rules(const struct set_reader *r, const json_t *list,
                                     struct check_rules *rules)
{
    const size_t n = json_array_size(list);
    rules->rules = calloc(n + 1, sizeof *rules->rules);
    if (rules->rules == NULL)
        return fail_no_memory(r->err, "the checks");
    for (size_t i = 0; i < n; i++) {
        struct check_rule *rule = &rules->rules[i];
        if (json_unpack(json_array_get(list, i), "[s, s, s]", &rule->left, &rule->relation,
                        &rule->right) != 0)
            return damaged(r, "a rule is not [left, comparison, right]");
    }
    rules->n = n;
    return ARMPMU_OK;
}

static enum armpmu_status read_claims(const struct set_reader *r, const json_t *list,
                                      struct check_run *run)
{
    const size_t n = json_array_size(list);
    run->claims = calloc(n + 1, sizeof *run->claims);
    if (run->claims == NULL)
        return fail_no_memory(r->err, "the checks");
    for (size_t i = 0; i < n; i++) {
        int event = 0;
        if (json_unpack(json_array_get(list, i), "[i, s]", &event, &run->claims[i].sentence) != 0)
            return damaged(r, "a claim is not [event, sentence]");
        run->claims[i].event = (unsigned)event;
    }
    run->n_claims = n;
    return ARMPMU_OK;
}

static enum armpmu_status read_kernel(const struct set_reader *r, json_t *object,
                                      struct check_kernel *kernel)
{
    if (object == NULL || json_is_null(object))
        return ARMPMU_OK;
    if (json_unpack(object, "{s:s, s:s, s:i, s:[s, s], s:[i, i]}", "name", &kernel->name, "work",
                    &kernel->work, "rounds", &kernel->rounds, "figures", &kernel->instructions,
                    &kernel->cycles, "expected", &kernel->expected_instructions,
                    &kernel->expected_cycles) != 0 ||
        kernel->rounds <= 0)
        return damaged(r, "a kernel has no name, work, rounds above 0, figures or expected");
    return ARMPMU_OK;
}

static enum armpmu_status read_words(const struct set_reader *r, const json_t *list,
                                     const char ***words)
{
    const size_t n = json_array_size(list);
    *words = calloc(n + 1, sizeof **words);
    if (*words == NULL)
        return fail_no_memory(r->err, "the checks");
    for (size_t i = 0; i < n; i++) {
        (*words)[i] = json_string_value(json_array_get(list, i));
        if ((*words)[i] == NULL)
            return damaged(r, "a pin or fault is not a text");
    }
    return ARMPMU_OK;
}

static enum armpmu_status load_machine(const struct set_reader *r, const char *name,
                                       struct armpmu_machine **out)
{
    char path[PATH_MAX];
    const size_t length = strlen(name);
    if (length < 4 || strcmp(name + length - 4, ".ini") != 0)
        return armpmu_machine_load(name, r->search, out, r->err);
    if ((unsigned)snprintf(path, sizeof path, "%s/%s", r->folder, name) >= sizeof path)
        return damaged(r, "the folder's name is too long");
    return armpmu_machine_load(path, r->search, out, r->err);
}

/* The rest of a run. */
static enum armpmu_status read_rest(const struct set_reader *r, json_t *object, const char *file,
                                    struct check_run *run)
{
    if (asprintf(&run->path, "%s/%s", r->folder, file) < 0) {
        run->path = NULL;
        return fail_no_memory(r->err, "the checks");
    }
    run->values = json_object_get(object, "values");
    run->bare = json_is_true(json_object_get(object, "bare"));
    enum armpmu_status status = read_words(r, json_object_get(object, "pins"), &run->pins);
    if (status == ARMPMU_OK)
        status = read_words(r, json_object_get(object, "faults"), &run->faults);
    if (status == ARMPMU_OK)
        status = read_claims(r, json_object_get(object, "claims"), run);
    if (status == ARMPMU_OK)
        status = read_rules(r, json_object_get(object, "expect"), &run->expect);
    if (status == ARMPMU_OK)
        status = read_rules(r, json_object_get(object, "relations"), &run->relations);
    if (status == ARMPMU_OK)
        status = read_rules(r, json_object_get(object, "expect_change"), &run->changes);
    if (status == ARMPMU_OK)
        status = read_kernel(r, json_object_get(object, "kernel"), &run->kernel);
    return status;
}

/* first: the set's runs before this index. */
static enum armpmu_status read_run(const struct set_reader *r, json_t *object, size_t first)
{
    struct check_set *const set = r->set;
    const char *file = NULL, *machine = NULL;
    struct check_run run = {.change_since = -1};
    const json_t *since = json_object_get(object, "change_since");
    if (json_unpack(object, "{s:s, s:s, s:s, s:s, s:i}", "program", &run.program, "label",
                    &run.label, "file", &file, "machine", &machine, "status", &run.status) != 0)
        return damaged(r, "a run has no program, label, file, machine or status");
    if (json_is_integer(since) && json_integer_value(since) >= 0 &&
        (size_t)json_integer_value(since) < set->n_runs - first)
        run.change_since = (ptrdiff_t)first + (ptrdiff_t)json_integer_value(since);
    enum armpmu_status status = load_machine(r, machine, &run.machine);
    if (status != ARMPMU_OK)
        return status;
    set->runs[set->n_runs++] = run;
    if (armpmu_machine_core(run.machine) != r->core)
        return damaged(r, "a run is on a machine of another core");
    return read_rest(r, object, file, &set->runs[set->n_runs - 1]);
}

static enum armpmu_status read_index(struct set_reader *r, json_t *list)
{
    const size_t n = json_array_size(list), first = r->set->n_runs;
    enum armpmu_status status = ARMPMU_OK;
    if (!ARRAY_RESERVE(r->set->runs, r->set->room, first + n + 1))
        status = fail_no_memory(r->err, "the checks");
    for (size_t i = 0; i < n && status == ARMPMU_OK; i++)
        status = read_run(r, json_array_get(list, i), first);
    return status;
}

/* A folder without an index of the core is not for it. */
static enum armpmu_status read_folder(struct set_reader *r)
{
    char path[PATH_MAX];
    json_error_t where;
    if ((unsigned)snprintf(path, sizeof path, "%s/%s.json", r->folder, r->core->name) >=
            sizeof path ||
        access(path, F_OK) != 0)
        return ARMPMU_OK;
    errno = 0;
    json_t *list = json_load_file(path, 0, &where);
    if (list == NULL)
        return damaged(r, where.text);
    if (json_array_append_new(r->set->documents, list) != 0)
        return fail_no_memory(r->err, "the checks");
    return read_index(r, list);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static enum armpmu_status read_folders(struct check_set *set, const struct armpmu_core *core,
                                       const char *search, struct armpmu_error *err)
{
    struct dirent **entries = NULL;
    const int n = scandir(set->folder, &entries, is_visible, alphasort);
    enum armpmu_status status =
        n < 0 && errno == ENOMEM ? fail_no_memory(err, "the checks") : ARMPMU_OK;
    for (int i = 0; i < n; i++) {
        char *folder = NULL;
        if (status == ARMPMU_OK && asprintf(&folder, "%s/%s", set->folder, entries[i]->d_name) < 0)
            status = fail_no_memory(err, "the checks");
        if (status == ARMPMU_OK) {
            struct set_reader reading = {set, core, folder, search, err};
            status = read_folder(&reading);
        }
        free(folder);
        free(entries[i]);
    }
    free(entries);
    return status;
}

enum armpmu_status check_set_read(struct check_set *set, const struct armpmu_core *core,
                                  struct armpmu_error *err)
{
    *set = (struct check_set){.folder = find_folder(), .documents = json_array()};
    char *search = machine_choice_search();
    enum armpmu_status status = set->folder != NULL && set->documents != NULL && search != NULL
                                    ? read_folders(set, core, search, err)
                                    : fail_no_memory(err, "the checks");
    free(search);
    if (status == ARMPMU_OK && set->n_runs == 0)
        status = fail(err, ARMPMU_NOT_FOUND,
                      "check: there are no programs for a %s in %s; they are assembled when armpmu "
                      "is built with Debian's cross assemblers (gcc-arm-linux-gnueabihf, "
                      "gcc-aarch64-linux-gnu) installed, and installed with -Dchecks=true; "
                      "ARMPMU_CHECK_PATH names another folder",
                      core->name, set->folder);
    return status;
}

void check_set_free(struct check_set *set)
{
    for (size_t i = 0; i < set->n_runs; i++) {
        struct check_run *run = &set->runs[i];
        armpmu_machine_free(run->machine);
        free(run->path);
        free(run->pins);
        free(run->faults);
        free(run->claims);
        free(run->expect.rules);
        free(run->relations.rules);
        free(run->changes.rules);
    }
    free(set->runs);
    free(set->folder);
    json_decref(set->documents);
    *set = (struct check_set){0};
}

bool check_run_value(const struct check_run *run, const char *name, int64_t *value)
{
    const json_t *number = json_object_get(run->values, name);
    if (!json_is_integer(number))
        return false;
    *value = json_integer_value(number);
    return true;
}

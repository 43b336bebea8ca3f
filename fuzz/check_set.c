/* Fuzzes the index of armpmu check's programs and the formulas in it: whatever the bytes, runs or a
 * message; every text that is there ends, every formula has a value or a message. The folder has
 * one index, whose content is the input. */
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/formula.h"
#include "cli/bench/check_set.h"
#include "cli/commands.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* Of machine files that the set does not name. */
bool print_error(const char *format, ...)
{
    (void)format;
    return false;
}

static const uint8_t *input;
static size_t input_length;

static void require(bool holds)
{
    if (!holds)
        abort();
}

static int one_folder(const char *folder, struct dirent ***entries,
                      int (*wanted)(const struct dirent *),
                      int (*order)(const struct dirent **, const struct dirent **))
{
    (void)folder, (void)wanted, (void)order;
    *entries = calloc(1, sizeof **entries);
    require(*entries != NULL);
    **entries = calloc(1, sizeof ***entries);
    require(**entries != NULL);
    strcpy((**entries)->d_name, "core");
    return 1;
}

static int is_there(const char *path, int mode)
{
    (void)path, (void)mode;
    return 0;
}

static json_t *load_input(const char *path, size_t flags, json_error_t *error)
{
    (void)path;
    return json_loadb((const char *)input, input_length, flags, error);
}

/* The reader itself, with these in the place of the system's. */
#define scandir        one_folder
#define access         is_there
#define json_load_file load_input
#include "../src/cli/bench/check_set.c"

static bool value_of(void *user, const char *name, int64_t *value)
{
    return check_run_value(user, name, value);
}

static void evaluate(const struct check_run *run, const char *formula)
{
    struct armpmu_error err = {""};
    int64_t value = 0;

    require((formula_value(formula, value_of, (void *)(uintptr_t)run, &value, &err) == ARMPMU_OK) ==
            !err.message[0]);
    (void)formula_names(formula, "CPU_CYCLES");
}

static size_t look_at_rules(const struct check_run *run, const struct check_rules *rules)
{
    size_t bytes = 0;

    for (size_t i = 0; i < rules->n; i++) {
        evaluate(run, rules->rules[i].left);
        evaluate(run, rules->rules[i].right);
        bytes += strlen(rules->rules[i].relation);
    }
    return bytes;
}

static void look(const struct check_set *set)
{
    for (size_t i = 0; i < set->n_runs; i++) {
        const struct check_run *const run = &set->runs[i];
        size_t bytes = strlen(run->program) + strlen(run->label) + strlen(run->path);
        require(run->change_since >= -1 && run->change_since < (ptrdiff_t)i);
        for (const char **pin = run->pins; *pin != NULL; pin++)
            bytes += strlen(*pin);
        for (const char **fault = run->faults; *fault != NULL; fault++)
            bytes += strlen(*fault);
        for (size_t n = 0; n < run->n_claims; n++)
            bytes += strlen(run->claims[n].sentence);
        bytes += look_at_rules(run, &run->expect) + look_at_rules(run, &run->relations) +
                 look_at_rules(run, &run->changes);
        require(bytes < 100000);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct armpmu_error err = {""};
    struct check_set set;
    size_t n_cores;

    input = bytes;
    input_length = length;
    setenv("ARMPMU_CHECK_PATH", "/set", 1);
    setenv("ARMPMU_MACHINE_PATH", MACHINES, 1);
    const enum armpmu_status status = check_set_read(&set, armpmu_cores(&n_cores)[0], &err);
    require((status == ARMPMU_OK) == !err.message[0]);
    if (status == ARMPMU_OK)
        look(&set);
    check_set_free(&set);
    return 0;
}

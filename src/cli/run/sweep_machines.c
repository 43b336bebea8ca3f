#include "cli/run/sweep_machines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "cli/machine_choice.h"

/* Splits "a,b,c". key: of n_key characters. */
static enum armpmu_status read_axis(struct sweep_axis *axis, const char *key, size_t n_key,
                                    const char *values, struct armpmu_error *err)
{
    axis->key = strndup(key, n_key);
    if (axis->key == NULL)
        return fail_no_memory(err, "the machines of the sweep");
    for (;; values++) {
        const size_t n = strcspn(values, ",");
        if (n == 0)
            return fail(err, ARMPMU_BAD_CONFIG,
                        "%s: a value is empty; give values with ',' between them, as in "
                        "l2.size_kb=128,256",
                        axis->key);
        if (!ARRAY_RESERVE(axis->values, axis->room, axis->n + 1) ||
            (axis->values[axis->n] = strndup(values, n)) == NULL)
            return fail_no_memory(err, "the machines of the sweep");
        axis->n++;
        values += n;
        if (*values == '\0')
            return ARMPMU_OK;
    }
}

static enum armpmu_status read_axes(const char *names, const struct option_list *settings,
                                    const char *seeds, struct sweep_machines *out,
                                    struct armpmu_error *err)
{
    static const char label[] = "machine", seed[] = "random.seed";
    enum armpmu_status status;

    out->axes = calloc(settings->n + 2, sizeof *out->axes);
    if (out->axes == NULL)
        return fail_no_memory(err, "the machines of the sweep");
    out->n_axes = 1;
    status = read_axis(&out->axes[0], label, sizeof label - 1, machine_choice_name(names), err);
    for (size_t i = 0; i < settings->n && status == ARMPMU_OK; i++) {
        const char *const setting = settings->values[i], *const equals = strchr(setting, '=');
        if (equals == NULL)
            return fail(err, ARMPMU_BAD_CONFIG,
                        "--set %.80s: must be KEY=VALUE,VALUE,..., as in l2.size_kb=128,256",
                        setting);
        out->n_axes++;
        status = read_axis(&out->axes[i + 1], setting, (size_t)(equals - setting), equals + 1, err);
    }
    if (status == ARMPMU_OK && seeds != NULL)
        status = read_axis(&out->axes[out->n_axes++], seed, sizeof seed - 1, seeds, err);
    return status;
}

static enum armpmu_status count_machines(struct sweep_machines *out, struct armpmu_error *err)
{
    size_t n = 1;

    for (size_t i = 0; i < out->n_axes && n <= SWEEP_MACHINES_MAX; i++)
        n *= out->axes[i].n;
    if (n > SWEEP_MACHINES_MAX)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "sweep: more than %d machines at once; split the values over several sweeps",
                    SWEEP_MACHINES_MAX);
    out->machines = calloc(n, sizeof(struct armpmu_machine *));
    if (out->machines == NULL)
        return fail_no_memory(err, "the machines of the sweep");
    out->n = n;
    return ARMPMU_OK;
}

const char *sweep_machines_value(const struct sweep_machines *machines, size_t machine, size_t axis)
{
    size_t after = 1;

    for (size_t i = axis + 1; i < machines->n_axes; i++)
        after *= machines->axes[i].n;
    return machines->axes[axis].values[machine / after % machines->axes[axis].n];
}

/* Loads machine i. */
static enum armpmu_status load(struct sweep_machines *out, size_t i, struct armpmu_error *err)
{
    struct machine_settings settings = {.set.n = 0};
    char **const texts = calloc(out->n_axes, sizeof *texts);
    enum armpmu_status status =
        texts != NULL ? ARMPMU_OK : fail_no_memory(err, "the machines of the sweep");

    for (size_t axis = 1; axis < out->n_axes && status == ARMPMU_OK; axis++)
        if (asprintf(&texts[axis - 1], "%s=%s", out->axes[axis].key,
                     sweep_machines_value(out, i, axis)) < 0) {
            texts[axis - 1] = NULL;
            status = fail_no_memory(err, "the machines of the sweep");
        }
    settings.set.values = (const char **)texts;
    settings.set.n = out->n_axes - 1;
    if (status == ARMPMU_OK)
        status =
            machine_choice_load(sweep_machines_value(out, i, 0), &settings, &out->machines[i], err);
    for (size_t axis = 0; texts != NULL && axis < out->n_axes; axis++)
        free(texts[axis]);
    free(texts);
    return status;
}

enum armpmu_status sweep_machines_load(const char *names, const struct option_list *settings,
                                       const char *seeds, struct sweep_machines *out,
                                       struct armpmu_error *err)
{
    *out = (struct sweep_machines){.n = 0};
    enum armpmu_status status = read_axes(names, settings, seeds, out, err);
    if (status == ARMPMU_OK)
        status = count_machines(out, err);
    for (size_t i = 0; i < out->n && status == ARMPMU_OK; i++)
        status = load(out, i, err);
    return status;
}

void sweep_machines_free(struct sweep_machines *machines)
{
    for (size_t i = 0; i < machines->n; i++)
        armpmu_machine_free(machines->machines[i]);
    free(machines->machines);
    for (size_t i = 0; i < machines->n_axes; i++) {
        for (size_t j = 0; j < machines->axes[i].n; j++)
            free(machines->axes[i].values[j]);
        free(machines->axes[i].values);
        free(machines->axes[i].key);
    }
    free(machines->axes);
}

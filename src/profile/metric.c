#include "profile/metric.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/formula.h"

void metric_formula(const struct armpmu_core *core, const struct armpmu_metric *metric, char *text,
                    size_t size)
{
    const char *const numerator = armpmu_event_by_number(core, metric->numerator)->name;
    const char *const denominator = armpmu_event_by_number(core, metric->denominator)->name;

    if (metric->formula != NULL)
        snprintf(text, size, "%s", metric->formula);
    else if (metric->factor == 1)
        snprintf(text, size, "%s / %s", numerator, denominator);
    else
        snprintf(text, size, "%u * %s / %s", metric->factor, numerator, denominator);
}

/* ---- events and values ---- */

struct metric_names {
    const struct armpmu_core *core;
    metric_count_of count_of;
    void *user;
};

static bool count_of_name(void *user, const char *name, double *value)
{
    const struct metric_names *const names = user;
    const struct armpmu_event *const event = armpmu_event_by_name(names->core, name);

    if (event != NULL && !names->count_of(names->user, event, value))
        *value = NAN;
    return event != NULL;
}

bool metric_value(const struct armpmu_core *core, const struct armpmu_metric *metric,
                  metric_count_of count_of, void *user, double *value)
{
    struct metric_names names = {core, count_of, user};
    char formula[METRIC_FORMULA_BYTES];

    metric_formula(core, metric, formula, sizeof formula);
    return formula_real(formula, count_of_name, &names, value, NULL) == ARMPMU_OK && !isnan(*value);
}

struct metric_visitor {
    void (*call)(void *user, const struct armpmu_event *event);
    void *user;
};

static bool visit(void *user, const struct armpmu_event *event, double *count)
{
    const struct metric_visitor *const visitor = user;

    visitor->call(visitor->user, event);
    *count = 1;
    return true;
}

void metric_each_event(const struct armpmu_core *core, const struct armpmu_metric *metric,
                       void (*call)(void *user, const struct armpmu_event *event), void *user)
{
    struct metric_visitor visitor = {call, user};
    double unused;

    (void)metric_value(core, metric, visit, &visitor, &unused);
}

/* ---- groups ---- */

/* Without the underscores that it begins with. */
static const char *after_bars(const char *text)
{
    return text + strspn(text, "_");
}

/* Returns whether the first group of "cache;MPKI" is this one. */
static bool is_first(const char *groups, const char *group)
{
    for (;;) {
        groups = after_bars(groups);
        group = after_bars(group);
        const bool ends = *groups == ';' || *groups == '\0';
        if (ends || *group == '\0')
            return ends && *group == '\0';
        if (tolower((unsigned char)*groups++) != tolower((unsigned char)*group++))
            return false;
    }
}

bool metric_is_in_group(const struct armpmu_metric *metric, const char *group)
{
    for (const char *at = metric->group; at != NULL; at = strchr(at, ';')) {
        at += *at == ';';
        if (is_first(at, group))
            return true;
    }
    return false;
}

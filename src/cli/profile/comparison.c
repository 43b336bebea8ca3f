#include "cli/profile/comparison.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory_stream.h"
#include "cli/commands.h"
#include "profile/topdown_leaves.h"

/* ---- limits ---- */

static enum armpmu_status parse_limit(const char *text, struct diff_limit *limit,
                                      struct armpmu_error *err)
{
    const char *const equals = strrchr(text, '=');
    char *end = NULL;
    const double percent = equals != NULL ? strtod(equals + 1, &end) : 0;

    if (equals == NULL || equals == text || end == equals + 1 || *end != '\0' ||
        !(percent >= 0 && percent <= 1e9))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--fail-above '%.60s': an event or metric and percent, like cycles=2.5", text);
    *limit = (struct diff_limit){text, (size_t)(equals - text), percent, NULL};
    return ARMPMU_OK;
}

enum armpmu_status comparison_limits(struct comparison *comparison,
                                     const struct option_list *limits, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    comparison->limits.at = calloc(limits->n + 1, sizeof *comparison->limits.at);
    if (comparison->limits.at == NULL)
        return fail_no_memory(err, "the comparison");
    for (size_t i = 0; status == ARMPMU_OK && i < limits->n; i++)
        status =
            parse_limit(limits->values[i], &comparison->limits.at[comparison->limits.n++], err);
    return status;
}

/* ---- what cannot be compared ---- */

static void warn_events(const struct diff_side *side, const struct diff_side *other)
{
    char *names = NULL;
    size_t size = 0;
    FILE *const list = memory_stream_open(&names, &size);

    for (size_t i = 0; i < side->n_events; i++) {
        bool is_common = false;
        for (size_t j = 0; j < other->n_events && !is_common; j++)
            is_common = strcmp(side->events[i].name, other->events[j].name) == 0;
        if (is_common || topdown_is_leaf(side->events[i].number)) /* not asked for */
            continue;
        if (list != NULL)
            fprintf(list, "%s%s", ftell(list) > 0 ? ", " : "", side->events[i].name);
    }
    if (list == NULL || !memory_stream_close(list, &names))
        print_error("warning: '%.100s' has events that the other file lacks: they are not compared",
                    side->path);
    else if (size > 0)
        print_error("warning: only '%.100s' has %s: not compared", side->path, names);
    free(names);
}

static bool differ(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) != 0;
}

static void warn(const struct diff *diff)
{
    const struct diff_side *const a = &diff->sides[0], *const b = &diff->sides[1];

    for (int i = 0; i < 2; i++)
        if (diff->sides[i].is_partial)
            print_error(
                "warning: '%.200s' is an incomplete run: its counts end where the run ended",
                diff->sides[i].path);
    if (a->core != b->core)
        print_error("warning: different cores: %s and %s; metrics are not compared",
                    a->core != NULL ? a->core->name : "unknown",
                    b->core != NULL ? b->core->name : "unknown");
    else if (differ(a->machine_hash, b->machine_hash) ||
             ((a->machine_hash == NULL || b->machine_hash == NULL) &&
              differ(a->machine, b->machine)))
        print_error("warning: the runs are of different machines");
    warn_events(a, b);
    warn_events(b, a);
}

/* A rise since a run that did not end is no finding. */
static enum armpmu_status check_whole(const struct comparison *comparison, struct armpmu_error *err)
{
    for (int i = 0; comparison->limits.n > 0 && i < 2; i++)
        if (comparison->diff.sides[i].is_partial)
            return fail(err, ARMPMU_BAD_INPUT,
                        "'%.200s' is an incomplete run, but --fail-above compares whole runs; "
                        "count it again",
                        comparison->diff.sides[i].path);
    return ARMPMU_OK;
}

enum armpmu_status comparison_judge(struct comparison *comparison, struct armpmu_error *err)
{
    enum armpmu_status status = check_whole(comparison, err);

    for (size_t i = 0; status == ARMPMU_OK && i < comparison->limits.n; i++) {
        status = diff_check(&comparison->diff, &comparison->limits.at[i], err);
        comparison->has_failed |= comparison->limits.at[i].row != NULL;
    }
    if (status == ARMPMU_OK)
        warn(&comparison->diff);
    return status;
}

/* ---- what rose ---- */

bool comparison_is_on_github(void)
{
    const char *const variable = getenv("GITHUB_ACTIONS");

    return variable != NULL && strcmp(variable, "true") == 0;
}

static void say_limits(const struct diff_limits *limits)
{
    for (size_t i = 0; i < limits->n; i++) {
        char text[400] = "";
        FILE *const stream =
            limits->at[i].row != NULL ? fmemopen(text, sizeof text - 1, "w") : NULL;
        if (stream == NULL)
            continue;
        diff_put_limit(&limits->at[i], stream);
        fclose(stream);
        print_error("%s", text);
    }
}

enum armpmu_status comparison_say(const struct comparison *comparison, enum table_format format,
                                  struct armpmu_error *err)
{
    const struct table_options github = {.format = TABLE_OWN};

    if (format != TABLE_OWN && comparison_is_on_github())
        return diff_print(&comparison->diff, &comparison->limits, &github, stderr, err);
    say_limits(&comparison->limits);
    return ARMPMU_OK;
}

void comparison_free(struct comparison *comparison)
{
    free(comparison->limits.at);
    diff_free(&comparison->diff);
}

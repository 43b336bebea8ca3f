/* armpmu diff: what changed between two runs. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/pager.h"
#include "cli/profile_input.h"
#include "cli/report/diff.h"

struct diff_options {
    const char *events, *output;
    double limit;
    struct option_list limits;
    unsigned format;
    bool wants_pager;
};

static const char *const formats[] = {"text", "json", "md", "github", NULL};

static const struct option_row rows[] = {
    {'e', "event", "LIST",
     "events, separated by ',', by which functions and lines are compared; default cycles",
     OPTION_TEXT_TO(struct diff_options, events), .completes = COMPLETE_EVENTS},
    {0, "percent-limit", "PCT",
     "leave out functions and lines that changed by less than so much of each event's total; "
     "default 0.01",
     OPTION_CALL_TO(struct diff_options, limit, profile_set_limit)},
    {0, "fail-above", "NAME=PCT",
     "exit status 3 if this event or metric rose by more; may be given several times",
     OPTION_LIST_TO(struct diff_options, limits)},
    {'j', "json", NULL, "one JSON object a line",
     OPTION_SET_TO(struct diff_options, format, DIFF_JSON)},
    {0, "format", "FORMAT",
     "text, json, md, or github: annotations of what --fail-above found, and where",
     OPTION_CHOICE_TO(struct diff_options, format, formats)},
    {'o', "output", "FILE", "to a file", OPTION_TEXT_TO(struct diff_options, output),
     .completes = COMPLETE_FILE},
    {0, "pager", NULL, "on a terminal, through $ARMPMU_PAGER, $PAGER or less (default), or not",
     OPTION_FLAG_TO(struct diff_options, wants_pager), .negated = true},
    {.kind = OPTION_END},
};

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

static enum armpmu_status parse_limits(const struct diff_options *o, struct diff_limit *limits,
                                       struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; status == ARMPMU_OK && i < o->limits.n; i++)
        status = parse_limit(o->limits.values[i], &limits[i], err);
    return status;
}

static enum armpmu_status check_limits(const struct diff *diff, struct diff_limit *limits, size_t n,
                                       bool *has_failed, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; status == ARMPMU_OK && i < n; i++) {
        status = diff_check(diff, &limits[i], err);
        *has_failed = *has_failed || limits[i].row != NULL;
    }
    return status;
}

/* ---- what cannot be compared ---- */

static void warn_events(const struct diff_side *side, const struct diff_side *other)
{
    char names[200] = "";
    size_t n = 0, length = 0;

    for (size_t i = 0; i < side->n_events; i++) {
        bool is_common = false;
        for (size_t j = 0; j < other->n_events && !is_common; j++)
            is_common = strcmp(side->events[i].name, other->events[j].name) == 0;
        if (is_common)
            continue;
        if (length < sizeof names)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                       n > 0 ? ", " : "", side->events[i].name);
        n++;
    }
    if (length >= sizeof names)
        memcpy(names + sizeof names - 4, "...", 4);
    if (n > 0)
        print_error("warning: only '%.100s' has %s: not compared", side->path, names);
}

static void warn(const struct diff *diff)
{
    const struct diff_side *const a = &diff->sides[0], *const b = &diff->sides[1];

    if (a->core != b->core)
        print_error("warning: different cores: %s and %s; metrics are not compared",
                    a->core != NULL ? a->core->name : "unknown",
                    b->core != NULL ? b->core->name : "unknown");
    else if ((a->profile != NULL) == (b->profile != NULL) && a->machine != NULL &&
             b->machine != NULL && strcmp(a->machine, b->machine) != 0)
        print_error("warning: the runs are of different machines");
    warn_events(a, b);
    warn_events(b, a);
}

/* ---- the command ---- */

static void say_limits(const struct diff_limit *limits, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char text[400] = "";
        FILE *const stream = limits[i].row != NULL ? fmemopen(text, sizeof text - 1, "w") : NULL;
        if (stream == NULL)
            continue;
        diff_put_limit(&limits[i], stream);
        fclose(stream);
        print_error("%s", text);
    }
}

static enum armpmu_status deliver(const struct diff_options *o, const struct diff *diff,
                                  const struct diff_limit *limits, FILE *out,
                                  struct armpmu_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const stream = open_memstream(&text, &size);

    if (stream == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for the comparison");
    enum armpmu_status status = diff_print(diff, limits, o->limits.n, o->format, stream, err);
    if (fclose(stream) != 0 && status == ARMPMU_OK)
        status = fail(err, ARMPMU_NO_MEMORY, "out of memory for the comparison");
    if (status == ARMPMU_OK)
        status = pager_deliver(text, size, o->output, o->wants_pager, out, err);
    free(text);
    return status;
}

static int compare(const struct diff_options *o, char *const *paths, struct diff_limit *limits,
                   FILE *out, struct armpmu_error *err)
{
    struct diff diff;
    bool has_failed = false;
    enum armpmu_status status = diff_make(&diff, paths, o->events, o->limit, err);

    if (status == ARMPMU_OK)
        status = check_limits(&diff, limits, o->limits.n, &has_failed, err);
    if (status == ARMPMU_OK) {
        warn(&diff);
        status = deliver(o, &diff, limits, out, err);
    }
    if (status == ARMPMU_OK)
        say_limits(limits, o->limits.n);
    diff_free(&diff);
    if (status != ARMPMU_OK)
        return EXIT_ARMPMU;
    return has_failed ? EXIT_ROSE : 0;
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    const struct diff_options *const o = options;
    int status = EXIT_ARMPMU;

    if (operands[0] == NULL || operands[1] == NULL || operands[2] != NULL) {
        print_error("diff: two files are compared, before and after; see 'armpmu help diff'");
        return EXIT_ARMPMU;
    }
    struct diff_limit *const limits = calloc(o->limits.n + 1, sizeof *limits);
    if (limits == NULL)
        print_error("out of memory for the comparison");
    else if (parse_limits(o, limits, err) == ARMPMU_OK)
        status = compare(o, operands, limits, out, err);
    free(limits);
    return status;
}

static const struct diff_options defaults = {.limit = 0.01, .wants_pager = true};

const struct command command_diff = {
    .name = "diff",
    .summary = "compare two runs, and fail if something rose",
    .synopsis = "diff [-e LIST] [--fail-above NAME=PCT]... [-j | --format=FORMAT] BEFORE AFTER",
    .text = "Compares two files of 'armpmu record', or two outputs of 'armpmu stat -j': events, "
            "metrics, functions\n"
            "and lines that changed, greatest change first. Counts are exact, so what changed is "
            "no noise.\n"
            "Lines are compared by file name and number.\n",
    .options = rows,
    .notes = "For example:\n"
             "  armpmu diff before.data after.data\n"
             "  armpmu diff -e cycles,L1D_CACHE_REFILL before.data after.data\n"
             "  armpmu diff --fail-above cycles=2 --fail-above l1d_miss_rate=5 old.json new.json\n"
             "  armpmu diff --format=github --fail-above cycles=2 before.data after.data\n",
    .operands = COMPLETE_FILE,
    .options_bytes = sizeof(struct diff_options),
    .defaults = &defaults,
    .run = run,
};

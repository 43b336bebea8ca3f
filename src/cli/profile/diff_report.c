#include "cli/profile/diff_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/error.h"
#include "base/printable.h"
#include "cli/profile/profile_table.h"
#include "profile/metric.h"

/* Takes over the name; NULL: there was no memory for it. */
static enum armpmu_status add_row(struct diff *diff, struct diff_row row, struct armpmu_error *err)
{
    if (row.name == NULL || !ARRAY_RESERVE(diff->rows, diff->room_rows, diff->n_rows + 1)) {
        free(row.name);
        return fail_no_memory(err, "the comparison");
    }
    diff->rows[diff->n_rows++] = row;
    return ARMPMU_OK;
}

bool diff_version_differs(const struct diff_side *before, const struct diff_side *after,
                          enum version version)
{
    return version != VERSION_BUILD_ID && before->versions[version] != NULL &&
           after->versions[version] != NULL &&
           strcmp(before->versions[version], after->versions[version]) != 0;
}

double diff_rise(const struct diff_change *change)
{
    if (change->before != 0)
        return 100 * (change->after - change->before) / change->before;
    return change->after > 0 ? INFINITY : 0;
}

/* ---- events and metrics ---- */

static const struct diff_event *find_name(const struct diff_side *side, const char *name)
{
    for (size_t i = 0; i < side->n_events; i++)
        if (strcmp(side->events[i].name, name) == 0)
            return &side->events[i];
    return NULL;
}

static bool is_same_region(const struct diff_event *a, const struct diff_event *b)
{
    return a->n_region == b->n_region && strncmp(a->name, b->name, a->n_region) == 0;
}

const struct diff_event *diff_side_find(const struct diff_side *side, const struct diff_event *like,
                                        uint32_t number)
{
    for (size_t i = 0; i < side->n_events; i++)
        if (side->events[i].number == number &&
            (like == NULL || is_same_region(&side->events[i], like)))
            return &side->events[i];
    return NULL;
}

/* Leaves of the tree of cycles have numbers beyond those of a core. */
static bool counts_cycles(const struct armpmu_core *core, uint32_t number)
{
    const struct armpmu_event *const event =
        core != NULL && number <= UINT16_MAX ? armpmu_event_by_number(core, number) : NULL;

    return number > UINT16_MAX || (event != NULL && event->unit == ARMPMU_UNIT_CYCLES);
}

static enum armpmu_status compare_events(struct diff *diff, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; status == ARMPMU_OK && i < diff->sides[0].n_events; i++) {
        const struct diff_event *const before = &diff->sides[0].events[i];
        const struct diff_event *const after = find_name(&diff->sides[1], before->name);
        if (after != NULL)
            status = add_row(
                diff,
                (struct diff_row){.kind = DIFF_EVENT,
                                  .name = strdup(before->name),
                                  .unit = "",
                                  .is_time = counts_cycles(diff->sides[0].core, before->number),
                                  .moved = fabs((double)after->n - (double)before->n),
                                  .changes = {{(double)before->n, (double)after->n}}},
                err);
    }
    return status;
}

/* A side, and an event of the region that is looked at. */
struct region_of_side {
    const struct diff_side *side;
    const struct diff_event *like;
};

static bool count_of(void *user, const struct armpmu_event *event, double *count)
{
    const struct region_of_side *const of = user;
    const struct diff_event *const found = diff_side_find(of->side, of->like, event->first);

    *count = found != NULL ? (double)found->n : 0;
    return found != NULL;
}

static bool metric_of(const struct diff_side *side, const struct diff_event *like,
                      const struct armpmu_metric *metric, double *value)
{
    return metric_value(side->core, metric, count_of, &(struct region_of_side){side, like}, value);
}

/* By how much the count of an event changed. */
static double moved_of(const struct diff *diff, const struct diff_event *like, uint32_t number)
{
    const struct diff_event *const before = diff_side_find(&diff->sides[0], like, number),
                                   *const after = diff_side_find(&diff->sides[1], like, number);

    return before != NULL && after != NULL ? fabs((double)after->n - (double)before->n) : 0;
}

static enum armpmu_status compare_metric(struct diff *diff, const struct diff_event *like,
                                         const struct armpmu_metric *metric,
                                         struct armpmu_error *err)
{
    struct diff_row row = {.kind = DIFF_METRIC,
                           .unit = metric->unit,
                           .is_time = counts_cycles(diff->sides[0].core, metric->beside),
                           .moved = moved_of(diff, like, metric->beside)};

    if (!metric_of(&diff->sides[0], like, metric, &row.changes[0].before) ||
        !metric_of(&diff->sides[1], like, metric, &row.changes[0].after))
        return ARMPMU_OK;
    if (asprintf(&row.name, "%.*s%s", (int)like->n_region, like->name, metric->name) < 0)
        row.name = NULL;
    return add_row(diff, row, err);
}

/* Those of each region, which has an event that is printed first. */
static enum armpmu_status compare_metrics(struct diff *diff, struct armpmu_error *err)
{
    const struct diff_side *const side = &diff->sides[0];
    const struct armpmu_core *const core = side->core;
    enum armpmu_status status = ARMPMU_OK;

    if (core == NULL || core != diff->sides[1].core)
        return ARMPMU_OK;
    for (size_t i = 0; i < side->n_events; i++) {
        size_t first = 0;
        while (!is_same_region(&side->events[first], &side->events[i]))
            first++;
        for (size_t m = 0; status == ARMPMU_OK && first == i && m < core->n_metrics; m++)
            status = compare_metric(diff, &side->events[i], &core->metrics[m], err);
    }
    return status;
}

/* ---- functions and lines ---- */

char *diff_code_name(const struct profile *p, enum diff_kind kind, uint32_t insn)
{
    char text[600];
    const struct profile_line line = p->insns[insn].line;

    if (kind == DIFF_FUNCTION)
        return printable_copy(profile_symbol(p, insn));
    if (line.file == PROFILE_NONE)
        return strdup("[unknown]");
    snprintf(text, sizeof text, "%.500s:%u", profile_basename(p->files[line.file].path), line.line);
    return printable_copy(text);
}

/* The rows of one kind and side. */
struct side_groups {
    unsigned side;
    enum diff_kind kind;
    size_t columns[DIFF_EVENTS_MOST]; /* where its table has the events that are compared */
};

/* all: the events of the table, those of the profile. */
static void find_columns(const struct diff *diff, const struct event_choice *all,
                         struct side_groups *groups)
{
    const struct diff_side *const side = &diff->sides[groups->side];
    size_t *const columns = groups->columns;

    for (size_t i = 0; i < diff->n_events; i++) {
        const size_t event = (size_t)(find_name(side, diff->events[i]) - side->events);
        columns[i] = 0;
        while (columns[i] + 1 < all->n && all->events[columns[i]] != event)
            columns[i]++;
    }
}

static enum armpmu_status add_group(struct diff *diff, const struct side_groups *of,
                                    const struct profile_group *group, struct armpmu_error *err)
{
    const struct profile *const p = diff->sides[of->side].profile;
    const struct profile_line line = p->insns[group->insn].line;
    struct diff_row row = {
        .kind = of->kind, .name = diff_code_name(p, of->kind, group->insn), .unit = ""};

    row.is_in[of->side] = true;
    if (of->kind == DIFF_LINE && line.file != PROFILE_NONE) {
        row.path = p->files[line.file].path;
        row.line = line.line;
    }
    for (size_t i = 0; i < diff->n_events; i++)
        *(of->side == 0 ? &row.changes[i].before : &row.changes[i].after) =
            (double)group->self[of->columns[i]];
    return add_row(diff, row, err);
}

/* Each group is a row of one side; merge makes one of two. All that was executed has a group, since
 * the table is of all events. */
static enum armpmu_status add_groups(struct diff *diff, unsigned side, enum diff_kind kind,
                                     struct armpmu_error *err)
{
    const struct profile *const p = diff->sides[side].profile;
    struct event_choice choice;
    struct profile_table table = {.profile = p,
                                  .events = &choice,
                                  .keys = {{kind == DIFF_FUNCTION ? KEY_SYMBOL : KEY_LINE}, 1}};
    struct side_groups groups = {.side = side, .kind = kind};
    enum armpmu_status status = event_choice_make(p, NULL, &choice, err);

    if (status == ARMPMU_OK) {
        find_columns(diff, &choice, &groups);
        status = profile_table_make(&table, 0, err);
        for (size_t i = 0; status == ARMPMU_OK && i < table.n_groups; i++)
            status = add_group(diff, &groups, &table.groups[i], err);
        profile_table_free(&table);
    }
    event_choice_free(&choice);
    return status;
}

static int by_name(const void *x, const void *y)
{
    const struct diff_row *const a = x, *const b = y;

    return strcmp(a->name, b->name);
}

static void add_changes(struct diff_row *row, const struct diff_row *same, size_t n_events)
{
    for (size_t i = 0; i < n_events; i++) {
        row->changes[i].before += same->changes[i].before;
        row->changes[i].after += same->changes[i].after;
    }
    row->is_in[0] |= same->is_in[0];
    row->is_in[1] |= same->is_in[1];
    if (same->is_in[1]) {
        row->path = same->path;
        row->line = same->line;
    }
}

static bool has_moved(const struct diff *diff, const struct diff_row *row, double limit)
{
    for (size_t i = 0; i < diff->n_events; i++) {
        const double change = fabs(row->changes[i].after - row->changes[i].before);
        const double total = (double)find_name(&diff->sides[0], diff->events[i])->n;
        if (change > 0 && change >= limit / 100 * total)
            return true;
    }
    return false;
}

/* Rows of the same name from first on are one. What changed by less than the limit is left out. */
static void merge(struct diff *diff, size_t first, double limit)
{
    struct diff_row *const rows = diff->rows;
    size_t n = first;

    if (diff->n_rows > first)
        qsort(rows + first, diff->n_rows - first, sizeof *rows, by_name);
    for (size_t i = first; i < diff->n_rows;) {
        struct diff_row row = rows[i++];
        for (; i < diff->n_rows && strcmp(rows[i].name, row.name) == 0; i++) {
            add_changes(&row, &rows[i], diff->n_events);
            free(rows[i].name);
        }
        if (has_moved(diff, &row, limit))
            rows[n++] = row;
        else
            free(row.name);
    }
    diff->n_rows = n;
}

static enum armpmu_status compare_code(struct diff *diff, enum diff_kind kind, double limit,
                                       struct armpmu_error *err)
{
    const size_t first = diff->n_rows;
    enum armpmu_status status = add_groups(diff, 0, kind, err);

    if (status == ARMPMU_OK)
        status = add_groups(diff, 1, kind, err);
    merge(diff, first, limit);
    return status;
}

/* ---- all of it ---- */

/* The row of an event or metric that somebody named. */
static const struct diff_row *find_row(const struct diff *diff, const char *name)
{
    for (size_t i = 0; i < diff->n_rows; i++) {
        const struct diff_row *const row = &diff->rows[i];
        const struct diff_event *const event =
            row->kind == DIFF_EVENT ? find_name(&diff->sides[0], row->name) : NULL;
        const struct armpmu_event *const known =
            event != NULL && diff->sides[0].core != NULL && event->number <= 0xffff
                ? armpmu_event_by_number(diff->sides[0].core, event->number)
                : NULL;
        const size_t n_region = event != NULL ? event->n_region : 0;
        if ((row->kind == DIFF_EVENT || row->kind == DIFF_METRIC) &&
            (strcasecmp(row->name, name) == 0 ||
             (known != NULL && strncmp(row->name, name, n_region) == 0 &&
              armpmu_event_matches(known, name + n_region))))
            return row;
    }
    return NULL;
}

static double change_of(const struct diff_row *row, size_t i)
{
    if (row->kind == DIFF_EVENT || row->kind == DIFF_METRIC)
        return fabs(diff_rise(&row->changes[i]));
    return fabs(row->changes[i].after - row->changes[i].before);
}

static bool is_changed(const struct diff_row *row)
{
    for (size_t i = 0; i < DIFF_EVENTS_MOST; i++)
        if (row->changes[i].before != row->changes[i].after)
            return true;
    return false;
}

/* By counts, up or down, those of cycles first: what a change costs or saves, then what else moved,
 * of which nothing that was rare precedes what is common; then what did not change. */
static int by_change(const void *x, const void *y)
{
    const struct diff_row *const a = x, *const b = y;

    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (is_changed(a) != is_changed(b))
        return is_changed(a) ? -1 : 1;
    if (a->is_time != b->is_time)
        return a->is_time ? -1 : 1;
    if (a->moved != b->moved)
        return a->moved > b->moved ? -1 : 1;
    for (size_t i = 0; i < DIFF_EVENTS_MOST; i++)
        if (change_of(a, i) != change_of(b, i))
            return change_of(a, i) > change_of(b, i) ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* ---- which events ---- */

static enum armpmu_status choose_event(struct diff *diff, const char *wanted,
                                       struct armpmu_error *err)
{
    const struct diff_row *const row = find_row(diff, wanted);

    if (row == NULL || row->kind != DIFF_EVENT)
        return fail(err, ARMPMU_NOT_FOUND, "-e '%.60s': no event of both files", wanted);
    /* Rows move while others are added; the side's name stays. */
    const char *const name = find_name(&diff->sides[0], row->name)->name;
    for (size_t i = 0; i < diff->n_events; i++)
        if (diff->events[i] == name)
            return ARMPMU_OK;
    if (diff->n_events == DIFF_EVENTS_MOST)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "-e '%.60s': more than %d events; compare the others in another call", wanted,
                    DIFF_EVENTS_MOST);
    diff->events[diff->n_events++] = name;
    return ARMPMU_OK;
}

static enum armpmu_status choose_events(struct diff *diff, const char *list,
                                        struct armpmu_error *err)
{
    char *const copy = strdup(list);
    char *rest = copy;
    enum armpmu_status status = copy != NULL ? ARMPMU_OK : fail_no_memory(err, "the comparison");

    for (char *word; status == ARMPMU_OK && (word = strsep(&rest, ",")) != NULL;)
        status = choose_event(diff, word, err);
    free(copy);
    return status;
}

static enum armpmu_status compare_all_code(struct diff *diff, const char *events, double limit,
                                           struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    if (events != NULL || find_row(diff, "cycles") != NULL)
        status = choose_events(diff, events != NULL ? events : "cycles", err);
    if (status != ARMPMU_OK || diff->n_events == 0 || diff->sides[0].profile == NULL ||
        diff->sides[1].profile == NULL)
        return status;
    status = compare_code(diff, DIFF_FUNCTION, limit, err);
    return status == ARMPMU_OK ? compare_code(diff, DIFF_LINE, limit, err) : status;
}

enum armpmu_status diff_compare(struct diff *diff, const char *events, double limit,
                                struct armpmu_error *err)
{
    enum armpmu_status status = compare_events(diff, err);

    if (status == ARMPMU_OK && diff->n_rows == 0)
        status = fail(err, ARMPMU_BAD_INPUT, "'%.100s' and '%.100s' have no event in common",
                      diff->sides[0].path, diff->sides[1].path);
    if (status == ARMPMU_OK)
        status = compare_metrics(diff, err);
    if (status == ARMPMU_OK)
        status = compare_all_code(diff, events, limit, err);
    if (status == ARMPMU_OK)
        qsort(diff->rows, diff->n_rows, sizeof *diff->rows, by_change);
    return status;
}

void diff_free(struct diff *diff)
{
    for (size_t i = 0; i < diff->n_rows; i++)
        free(diff->rows[i].name);
    free(diff->rows);
    diff_side_free(&diff->sides[0]);
    diff_side_free(&diff->sides[1]);
}

enum armpmu_status diff_check(const struct diff *diff, struct diff_limit *limit,
                              struct armpmu_error *err)
{
    char name[128];

    snprintf(name, sizeof name, "%.*s", (int)limit->n_name, limit->name);
    const struct diff_row *const row = find_row(diff, name);
    if (row == NULL)
        return fail(err, ARMPMU_NOT_FOUND, "--fail-above '%s': no event or metric of both files",
                    name);
    limit->row = diff_rise(&row->changes[0]) > limit->percent ? row : NULL;
    return ARMPMU_OK;
}

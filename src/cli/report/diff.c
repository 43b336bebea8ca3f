#include "cli/report/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/error.h"
#include "base/printable.h"
#include "cli/report/profile_table.h"

static enum armpmu_status no_memory(struct armpmu_error *err)
{
    return fail(err, ARMPMU_NO_MEMORY, "out of memory for the comparison");
}

/* Takes over the name; NULL: there was no memory for it. */
static enum armpmu_status add_row(struct diff *diff, struct diff_row row, struct armpmu_error *err)
{
    if (row.name == NULL || !ARRAY_RESERVE(diff->rows, diff->room_rows, diff->n_rows + 1)) {
        free(row.name);
        return no_memory(err);
    }
    diff->rows[diff->n_rows++] = row;
    return ARMPMU_OK;
}

double diff_rise(const struct diff_row *row)
{
    if (row->before != 0)
        return 100 * (row->after - row->before) / row->before;
    return row->after > 0 ? INFINITY : 0;
}

/* ---- events and metrics ---- */

static const struct diff_event *find_name(const struct diff_side *side, const char *name)
{
    for (size_t i = 0; i < side->n_events; i++)
        if (strcmp(side->events[i].name, name) == 0)
            return &side->events[i];
    return NULL;
}

static const struct diff_event *find_number(const struct diff_side *side, uint32_t number)
{
    for (size_t i = 0; i < side->n_events; i++)
        if (side->events[i].number == number)
            return &side->events[i];
    return NULL;
}

static enum armpmu_status compare_events(struct diff *diff, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; status == ARMPMU_OK && i < diff->sides[0].n_events; i++) {
        const struct diff_event *const before = &diff->sides[0].events[i];
        const struct diff_event *const after = find_name(&diff->sides[1], before->name);
        if (after != NULL)
            status = add_row(diff,
                             (struct diff_row){DIFF_EVENT, strdup(before->name), "",
                                               (double)before->n, (double)after->n},
                             err);
    }
    return status;
}

/* Returns whether the side has its events. */
static bool metric_of(const struct diff_side *side, const struct armpmu_metric *metric,
                      double *value)
{
    const struct diff_event *const above = find_number(side, metric->numerator);
    const struct diff_event *const below = find_number(side, metric->denominator);

    if (above == NULL || below == NULL || below->n == 0)
        return false;
    *value = metric->factor * (double)above->n / (double)below->n;
    return true;
}

static enum armpmu_status compare_metrics(struct diff *diff, struct armpmu_error *err)
{
    const struct armpmu_core *const core = diff->sides[0].core;
    enum armpmu_status status = ARMPMU_OK;

    if (core == NULL || core != diff->sides[1].core)
        return ARMPMU_OK;
    for (size_t i = 0; status == ARMPMU_OK && i < core->n_metrics; i++) {
        double before, after;
        const struct armpmu_metric *const metric = &core->metrics[i];
        if (metric_of(&diff->sides[0], metric, &before) &&
            metric_of(&diff->sides[1], metric, &after))
            status = add_row(
                diff,
                (struct diff_row){DIFF_METRIC, strdup(metric->name), metric->unit, before, after},
                err);
    }
    return status;
}

/* ---- functions and lines ---- */

static char *name_of(const struct profile *p, enum diff_kind kind, uint32_t insn)
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

/* Each group is a row of one side; merge makes one of two. */
static enum armpmu_status add_groups(struct diff *diff, unsigned side, enum diff_kind kind,
                                     const char *event, struct armpmu_error *err)
{
    const struct profile *const p = diff->sides[side].profile;
    const struct profile_keys keys = {{kind == DIFF_FUNCTION ? KEY_SYMBOL : KEY_LINE}, 1};
    struct event_choice choice;
    struct profile_table table = {0};
    enum armpmu_status status = event_choice_make(p, event, &choice, err);

    if (status == ARMPMU_OK) {
        status = profile_table_make(&table, p, &choice, &keys, false, 0, err);
        for (size_t i = 0; status == ARMPMU_OK && i < table.n_groups; i++) {
            const double n = (double)table.groups[i].self[0];
            status = add_row(diff,
                             (struct diff_row){kind, name_of(p, kind, table.groups[i].insn), event,
                                               side == 0 ? n : 0, side == 1 ? n : 0},
                             err);
        }
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

/* Rows of the same name from first on are one. What changed by less than least is left out. */
static void merge(struct diff *diff, size_t first, double least)
{
    struct diff_row *const rows = diff->rows;
    size_t n = first;

    if (diff->n_rows > first)
        qsort(rows + first, diff->n_rows - first, sizeof *rows, by_name);
    for (size_t i = first; i < diff->n_rows;) {
        struct diff_row row = rows[i++];
        for (; i < diff->n_rows && strcmp(rows[i].name, row.name) == 0; i++) {
            row.before += rows[i].before;
            row.after += rows[i].after;
            free(rows[i].name);
        }
        if (fabs(row.after - row.before) >= least && row.after != row.before)
            rows[n++] = row;
        else
            free(row.name);
    }
    diff->n_rows = n;
}

static enum armpmu_status compare_code(struct diff *diff, enum diff_kind kind, const char *event,
                                       double limit, struct armpmu_error *err)
{
    const struct diff_event *const total = find_name(&diff->sides[0], event);
    const size_t first = diff->n_rows;
    enum armpmu_status status = add_groups(diff, 0, kind, event, err);

    if (status == ARMPMU_OK)
        status = add_groups(diff, 1, kind, event, err);
    merge(diff, first, total != NULL ? limit / 100 * (double)total->n : 0);
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
        if ((row->kind == DIFF_EVENT || row->kind == DIFF_METRIC) &&
            (strcasecmp(row->name, name) == 0 ||
             (known != NULL && armpmu_event_matches(known, name))))
            return row;
    }
    return NULL;
}

/* Events and metrics by rise, functions and lines by count. */
static int by_change(const void *x, const void *y)
{
    const struct diff_row *const a = x, *const b = y;
    const bool is_total = a->kind == DIFF_EVENT || a->kind == DIFF_METRIC;
    const double p = is_total ? fabs(diff_rise(a)) : fabs(a->after - a->before);
    const double q = is_total ? fabs(diff_rise(b)) : fabs(b->after - b->before);

    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (p != q)
        return p > q ? -1 : 1;
    return strcmp(a->name, b->name);
}

static enum armpmu_status compare_all_code(struct diff *diff, const char *wanted, double limit,
                                           struct armpmu_error *err)
{
    const struct diff_row *const row = find_row(diff, wanted != NULL ? wanted : "cycles");
    const bool is_event = row != NULL && row->kind == DIFF_EVENT;

    if (!is_event && wanted != NULL)
        return fail(err, ARMPMU_NOT_FOUND, "-e '%.60s': no event of both files", wanted);
    if (!is_event || diff->sides[0].profile == NULL || diff->sides[1].profile == NULL)
        return ARMPMU_OK;
    /* Rows move while others are added; the side's name stays. */
    const char *const event = find_name(&diff->sides[0], row->name)->name;
    const enum armpmu_status status = compare_code(diff, DIFF_FUNCTION, event, limit, err);
    return status == ARMPMU_OK ? compare_code(diff, DIFF_LINE, event, limit, err) : status;
}

enum armpmu_status diff_make(struct diff *diff, char *const paths[2], const char *event,
                             double limit, struct armpmu_error *err)
{
    *diff = (struct diff){.n_rows = 0};
    enum armpmu_status status = diff_side_read(&diff->sides[0], paths[0], err);
    if (status == ARMPMU_OK)
        status = diff_side_read(&diff->sides[1], paths[1], err);
    if (status == ARMPMU_OK)
        status = compare_events(diff, err);
    if (status == ARMPMU_OK && diff->n_rows == 0)
        status = fail(err, ARMPMU_BAD_INPUT, "'%.100s' and '%.100s' have no event in common",
                      paths[0], paths[1]);
    if (status == ARMPMU_OK)
        status = compare_metrics(diff, err);
    if (status == ARMPMU_OK)
        status = compare_all_code(diff, event, limit, err);
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
    limit->row = diff_rise(row) > limit->percent ? row : NULL;
    return ARMPMU_OK;
}

#include "cli/profile/event_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "cli/table/metric_cells.h"
#include "cli/text_wrap.h"
#include "profile/metric.h"

#define PERCENT_WIDTH 8
#define LEAST_METRIC  8 /* "12345.67" */

#define RED   "31" /* as perf: 5 % and more */
#define GREEN "32" /* 0.5 % and more */

double event_percent(const struct profile *profile, const struct event_choice *events, size_t i,
                     uint64_t n)
{
    const uint64_t total = profile->totals[events->events[i]];

    return total > 0 ? 100.0 * (double)n / (double)total : 0;
}

void event_columns_put_percent(double percent, bool color, FILE *stream)
{
    const char *const style = percent >= 5 ? RED : percent >= 0.5 ? GREEN : NULL;
    const bool is_painted = color && style != NULL;

    fprintf(stream, "%s%s%s%6.2f %%%s", is_painted ? "\033[" : "", is_painted ? style : "",
            is_painted ? "m" : "", percent, is_painted ? "\033[m" : "");
}

/* ---- values ---- */

static uint64_t count_of(const struct event_columns *c, const uint64_t *counts, size_t i)
{
    return counts[c->has_all ? c->events->events[i] : i];
}

struct row_counts {
    const struct event_columns *columns;
    const uint64_t *counts;
};

static bool find_count(void *user, const struct armpmu_event *event, double *count)
{
    const struct row_counts *const row = user;
    const struct event_choice *const events = row->columns->events;
    const uint32_t number = profile_find_number(row->columns->profile, event->first);
    size_t i = 0;

    while (i < event_choice_n_counts(events) && events->events[i] != number)
        i++;
    if (i == event_choice_n_counts(events))
        return false;
    *count = (double)count_of(row->columns, row->counts, i);
    return true;
}

/* NAN where the i-th metric has no value. */
static double value_of(const struct event_columns *c, const uint64_t *counts, size_t i)
{
    struct row_counts row = {c, counts};
    double value;
    const bool is_known =
        metric_value(c->metrics->core, c->metrics->metrics[i], find_count, &row, &value);

    return is_known ? value : NAN;
}

/* ---- text ---- */

static const char *name_of(const struct event_columns *c, size_t i)
{
    return c->profile->events[c->events->events[i]].name;
}

static int metric_width(const struct event_columns *c, size_t i)
{
    const int width = c->widths[c->events->n + i];

    return c->has_inclusive ? 2 * width + 2 : width;
}

static int pair_width(const struct event_columns *c, size_t i)
{
    return PERCENT_WIDTH + 2 + c->widths[i];
}

static int block_width(const struct event_columns *c, size_t i)
{
    return c->has_inclusive ? 2 * pair_width(c, i) + 2 : pair_width(c, i);
}

int event_columns_left(const struct event_columns *c)
{
    int left = 0;

    for (size_t i = 0; i < c->n; i++)
        left += 2 + block_width(c, i);
    for (size_t i = 0; i < c->metrics->n; i++)
        left += 2 + metric_width(c, i);
    return left;
}

bool event_columns_open(struct event_columns *c, bool fits, unsigned terminal, unsigned kept)
{
    char text[TEXT_WRAP_COUNT];

    c->n = c->events->n;
    c->widths = calloc(c->n + c->metrics->n + 1, sizeof *c->widths);
    if (c->widths == NULL)
        return false;
    for (size_t i = 0; i < c->n; i++) {
        const int name = (int)strlen(name_of(c, i));
        c->widths[i] = text_wrap_count(c->profile->totals[c->events->events[i]], true, text);
        if (block_width(c, i) < name)
            c->widths[i] += name - block_width(c, i);
    }
    for (size_t i = 0; i < c->metrics->n; i++)
        c->widths[c->events->n + i] = text_wrap_longest(LEAST_METRIC, c->metrics->metrics[i]->name);
    while (fits && terminal > 0 && c->n > 1 && event_columns_left(c) + (int)kept > (int)terminal)
        c->n--;
    return true;
}

void event_columns_close(struct event_columns *c)
{
    free(c->widths);
}

static void put_names(const struct event_columns *c)
{
    for (size_t i = 0; i < c->n; i++) {
        fprintf(c->stream, "  %*s", block_width(c, i) - (int)strlen(name_of(c, i)), "");
        printable_put(name_of(c, i), c->stream);
    }
    for (size_t i = 0; i < c->metrics->n; i++)
        fprintf(c->stream, "  %*s", metric_width(c, i), c->metrics->metrics[i]->name);
    fputc('\n', c->stream);
}

static void put_kinds(const struct event_columns *c)
{
    for (size_t i = 0; i < c->n + c->metrics->n; i++) {
        const int width = i < c->n ? pair_width(c, i) : c->widths[c->events->n + i - c->n];
        fprintf(c->stream, "  %*s  %*s", width, "inclusive", width, "self");
    }
    fputc('\n', c->stream);
}

static void put_metric(const struct event_columns *c, const uint64_t *counts, size_t i, int width)
{
    char text[METRIC_TEXT];

    metric_text(c->metrics->metrics[i], value_of(c, counts, i), text);
    fprintf(c->stream, "  %*s", width, text);
}

void event_columns_put_head(const struct event_columns *c)
{
    struct event_columns all = *c;
    char text[TEXT_WRAP_COUNT];

    all.has_all = true;
    put_names(c);
    if (c->has_inclusive)
        put_kinds(c);
    for (size_t i = 0; i < c->n; i++) {
        text_wrap_count(c->profile->totals[c->events->events[i]], true, text);
        fprintf(c->stream, "  %*s", block_width(c, i), text);
    }
    for (size_t i = 0; i < c->metrics->n; i++)
        put_metric(&all, c->profile->totals, i, metric_width(c, i));
    fputs("  total\n", c->stream);
}

bool event_columns_put_hidden(const struct event_columns *c)
{
    if (c->n == c->events->n)
        return false;
    fputs(" too wide for the terminal:", c->stream);
    for (size_t i = c->n; i < c->events->n; i++) {
        fputc(' ', c->stream);
        printable_put(name_of(c, i), c->stream);
    }
    fputc('\n', c->stream);
    return true;
}

static void put_count(const struct event_columns *c, size_t i, uint64_t n, bool leaves_out)
{
    char text[TEXT_WRAP_COUNT];

    if (n == 0 && leaves_out) {
        fprintf(c->stream, "  %*s", pair_width(c, i), "");
        return;
    }
    text_wrap_count(n, true, text);
    fputs("  ", c->stream);
    event_columns_put_percent(event_percent(c->profile, c->events, i, n), c->color, c->stream);
    fprintf(c->stream, "  %*s", c->widths[i], text);
}

void event_columns_put(const struct event_columns *c, const uint64_t *self,
                       const uint64_t *inclusive, bool leaves_out)
{
    for (size_t i = 0; i < c->n; i++) {
        if (inclusive != NULL)
            put_count(c, i, count_of(c, inclusive, i), leaves_out);
        put_count(c, i, count_of(c, self, i), leaves_out);
    }
    for (size_t i = 0; i < c->metrics->n; i++) {
        const int width = c->widths[c->events->n + i];
        if (inclusive != NULL)
            put_metric(c, inclusive, i, width);
        put_metric(c, self, i, width);
    }
}

/* ---- rows ---- */

static const struct table_column figures[] = {
    {.key = "self"},
    {.key = "self-percent", .ending = " %", .digits = 2},
    {.key = "inclusive", .ending = " inclusive"},
    {.key = "inclusive-percent", .ending = " inclusive %", .digits = 2}};

static struct table_column column_of(const char *name, size_t figure)
{
    struct table_column column = figures[figure];

    column.inside = column.name = name;
    column.is_right = column.is_separated = true;
    return column;
}

size_t event_columns_of_table(const struct event_columns *c, struct table_column *of_table)
{
    const size_t n_figures = c->has_inclusive ? 4 : 2;
    size_t n = 0;

    for (size_t i = 0; i < c->events->n; i++)
        for (size_t figure = 0; figure < n_figures; figure++)
            of_table[n++] = column_of(name_of(c, i), figure);
    for (size_t i = 0; i < c->metrics->n; i++)
        for (size_t figure = 0; figure < n_figures; figure += 2)
            of_table[n++] = column_of(c->metrics->metrics[i]->name, figure);
    return n;
}

static void put_event_cells(struct report_table *t, const struct event_columns *c, size_t i,
                            const uint64_t *self, const uint64_t *inclusive)
{
    uint64_t n = count_of(c, self, i);

    table_open(t, name_of(c, i), '{');
    table_count(t, "self", n);
    table_real(t, "self-percent", event_percent(c->profile, c->events, i, n));
    if (inclusive != NULL) {
        n = count_of(c, inclusive, i);
        table_count(t, "inclusive", n);
        table_real(t, "inclusive-percent", event_percent(c->profile, c->events, i, n));
    }
    table_close(t);
}

static void put_metric_cells(struct report_table *t, const struct event_columns *c, size_t i,
                             const uint64_t *self, const uint64_t *inclusive)
{
    const struct armpmu_metric *const metric = c->metrics->metrics[i];

    table_open(t, metric->name, '{');
    metric_put_cell(t, "self", metric, value_of(c, self, i));
    if (inclusive != NULL)
        metric_put_cell(t, "inclusive", metric, value_of(c, inclusive, i));
    table_close(t);
}

void event_columns_put_cells(struct report_table *t, const struct event_columns *c,
                             const uint64_t *self, const uint64_t *inclusive)
{
    table_open(t, "events", '{');
    for (size_t i = 0; i < c->events->n; i++)
        put_event_cells(t, c, i, self, inclusive);
    table_close(t);
    if (c->metrics->n == 0)
        return;
    table_open(t, "metrics", '{');
    for (size_t i = 0; i < c->metrics->n; i++)
        put_metric_cells(t, c, i, self, inclusive);
    table_close(t);
}

void event_columns_put_topdown(struct report_table *table, const struct topdown_part *parts,
                               size_t n)
{
    table_open(table, "topdown", '[');
    for (size_t i = 0; i < n; i++) {
        table_open(table, NULL, '{');
        table_text(table, "cause", parts[i].name);
        table_count(table, "cycles", parts[i].cycles);
        table_real(table, "percent", parts[i].percent);
        table_close(table);
    }
    table_close(table);
}

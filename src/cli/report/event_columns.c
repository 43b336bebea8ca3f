#include "cli/report/event_columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "cli/text_wrap.h"

#define PERCENT_WIDTH 8

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

/* ---- text ---- */

static const char *name_of(const struct event_columns *c, size_t i)
{
    return c->profile->events[c->events->events[i]].name;
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
    return left;
}

bool event_columns_open(struct event_columns *c, bool fits, unsigned terminal, unsigned kept)
{
    char text[TEXT_WRAP_COUNT];

    c->n = c->events->n;
    c->widths = calloc(c->n + 1, sizeof *c->widths);
    if (c->widths == NULL)
        return false;
    for (size_t i = 0; i < c->n; i++) {
        const int name = (int)strlen(name_of(c, i));
        c->widths[i] = text_wrap_count(c->profile->totals[c->events->events[i]], true, text);
        if (block_width(c, i) < name)
            c->widths[i] += name - block_width(c, i);
    }
    while (fits && terminal > 0 && c->n > 1 && event_columns_left(c) + (int)kept > (int)terminal)
        c->n--;
    return true;
}

void event_columns_close(struct event_columns *c)
{
    free(c->widths);
}

void event_columns_put_head(const struct event_columns *c)
{
    char text[TEXT_WRAP_COUNT];

    for (size_t i = 0; i < c->n; i++) {
        fprintf(c->stream, "  %*s", block_width(c, i) - (int)strlen(name_of(c, i)), "");
        printable_put(name_of(c, i), c->stream);
    }
    fputc('\n', c->stream);
    for (size_t i = 0; i < c->n && c->has_inclusive; i++)
        fprintf(c->stream, "  %*s  %*s", pair_width(c, i), "inclusive", pair_width(c, i), "self");
    fputs(c->has_inclusive ? "\n" : "", c->stream);
    for (size_t i = 0; i < c->n; i++) {
        text_wrap_count(c->profile->totals[c->events->events[i]], true, text);
        fprintf(c->stream, "  %*s", block_width(c, i), text);
    }
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

void event_columns_put(const struct event_columns *c, size_t i, uint64_t n, bool leaves_out)
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

/* ---- rows ---- */

size_t event_columns_of_table(const struct profile *profile, const struct event_choice *events,
                              bool has_inclusive, struct table_column *columns)
{
    static const struct table_column figures[] = {
        {.key = "self"},
        {.key = "self-percent", .ending = " %", .digits = 2},
        {.key = "inclusive", .ending = " inclusive"},
        {.key = "inclusive-percent", .ending = " inclusive %", .digits = 2}};
    size_t n = 0;

    for (size_t i = 0; i < events->n; i++)
        for (size_t figure = 0; figure < (has_inclusive ? 4 : 2); figure++) {
            columns[n] = figures[figure];
            columns[n].inside = columns[n].name = profile->events[events->events[i]].name;
            columns[n].is_right = columns[n].is_separated = true;
            n++;
        }
    return n;
}

void event_columns_put_cells(struct report_table *t, const struct profile *profile,
                             const struct event_choice *events, size_t i, uint64_t self,
                             const uint64_t *inclusive)
{
    table_open(t, profile->events[events->events[i]].name, '{');
    table_count(t, "self", self);
    table_real(t, "self-percent", event_percent(profile, events, i, self));
    if (inclusive != NULL) {
        table_count(t, "inclusive", *inclusive);
        table_real(t, "inclusive-percent", event_percent(profile, events, i, *inclusive));
    }
    table_close(t);
}

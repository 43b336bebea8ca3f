#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory_stream.h"
#include "base/printable.h"
#include "cli/profile/diff_report.h"
#include "cli/text_wrap.h"

#define VALUE_SIZE     256
#define HEADING_SIZE   VALUE_SIZE
#define LOCATIONS_MOST 3 /* of GitHub, for each limit */

const char *const diff_formats[] = {"text", "csv", "json", "md", "github", "html", NULL};

static const char *const kinds[] = {"event", "metric", "function", "line"};

/* Counts as they are, metrics with three decimals. */
static void value_text(const struct diff_row *row, double value, char *text)
{
    if (row->kind == DIFF_METRIC)
        snprintf(text, VALUE_SIZE, "%.3f", value);
    else {
        text[0] = '-';
        text_wrap_count((uint64_t)fabs(value), true, value < 0 ? text + 1 : text);
    }
}

static bool is_code(const struct diff_row *row)
{
    return row->kind == DIFF_FUNCTION || row->kind == DIFF_LINE;
}

/* The mark of what only one of the runs executed: "new" or "gone"; else NULL. */
static const char *state_of(const struct diff_row *row)
{
    if (!is_code(row) || row->is_in[0] == row->is_in[1])
        return NULL;
    return row->is_in[1] ? "new" : "gone";
}

static void rise_text(const struct diff_row *row, const struct diff_change *change, char *text)
{
    if (change->before == change->after)
        text[0] = '\0';
    else if (state_of(row) != NULL)
        snprintf(text, VALUE_SIZE, "%s", state_of(row));
    else if (isinf(diff_rise(change)))
        snprintf(text, VALUE_SIZE, "from 0");
    else
        snprintf(text, VALUE_SIZE, "%+.2f %%", diff_rise(change));
}

void diff_put_limit(const struct diff_limit *limit, FILE *stream)
{
    const struct diff_change *const change = &limit->row->changes[0];
    char before[VALUE_SIZE], after[VALUE_SIZE];

    value_text(limit->row, change->before, before);
    value_text(limit->row, change->after, after);
    fprintf(stream, "%s rose ", limit->row->name);
    if (!isinf(diff_rise(change)))
        fprintf(stream, "by %.2f %% ", diff_rise(change));
    fprintf(stream, "(%s to %s), the limit is %g %%", before, after, limit->percent);
}

static size_t n_changes(const struct diff *diff, const struct diff_row *row)
{
    return is_code(row) ? diff->n_events : 1;
}

static bool has_changed(const struct diff *diff, const struct diff_row *row)
{
    for (size_t i = 0; i < n_changes(diff, row); i++)
        if (row->changes[i].before != row->changes[i].after)
            return true;
    return false;
}

/* ---- text and Markdown ---- */

/* A table of rows of one kind. Of one event, columns are before, after, change and rise; of
 * several, change and rise of each. The name is the last column of text, the first of Markdown. */
struct kind_table {
    const struct diff *diff;
    const struct diff_row *rows;
    size_t n, n_numbers, name; /* columns with numbers; which has the name */
    struct table_column columns[2 * DIFF_EVENTS_MOST + 1];
    char heading[HEADING_SIZE];
};

static bool has_several(const struct kind_table *k)
{
    return n_changes(k->diff, k->rows) > 1;
}

static void cell_text(const struct kind_table *k, const struct diff_row *row, size_t number,
                      char text[VALUE_SIZE])
{
    const struct diff_change *const change = &row->changes[has_several(k) ? number / 2 : 0];

    if (!has_several(k) && number < 2)
        value_text(row, number == 0 ? change->before : change->after, text);
    else if (number % 2 == 0)
        value_text(row, change->after - change->before, text);
    else
        rise_text(row, change, text);
}

static void make_columns(struct kind_table *k, bool is_text)
{
    static const char *const names[] = {"before", "after", "change", "%"};
    const char *const kind = kinds[k->rows->kind];

    k->n_numbers = has_several(k) ? 2 * n_changes(k->diff, k->rows) : 4;
    k->name = is_text ? k->n_numbers : 0;
    for (size_t i = 0; i < k->n_numbers; i++)
        k->columns[i + !is_text] =
            (struct table_column){.key = !has_several(k) ? names[i]
                                         : i % 2 == 0    ? k->diff->events[i / 2]
                                                         : "%",
                                  .is_right = true,
                                  .gap = 2};
    snprintf(k->heading, sizeof k->heading,
             is_code(k->rows) && !has_several(k) ? "%s, by %.200s" : "%s", kind,
             k->diff->events[0]);
    k->columns[k->name] =
        (struct table_column){.key = k->heading,
                              .shortens = k->rows->kind == DIFF_LINE ? TABLE_PATH : TABLE_SYMBOL,
                              .gap = 2};
}

static void put_name(struct report_table *t, const struct kind_table *k, const struct diff_row *row)
{
    char name[2 * VALUE_SIZE];

    if (k->name == 0 || row->kind != DIFF_METRIC) {
        table_text(t, k->heading, row->name);
        return;
    }
    snprintf(name, sizeof name, "%s (%s)", row->name, row->unit);
    table_text(t, k->heading, name);
}

static enum armpmu_status print_kind(struct kind_table *k, const struct table_options *options,
                                     FILE *stream, struct armpmu_error *err)
{
    struct table_form form = {"diff", "changes", k->columns, .has_headings = true};
    struct report_table t;
    char text[VALUE_SIZE];

    make_columns(k, options->format == TABLE_TEXT);
    form.n_columns = k->n_numbers + 1;
    fputc('\n', stream);
    table_begin(&t, options, &form, stream);
    for (size_t row = 0; row < k->n; row++) {
        table_row(&t);
        for (size_t i = 0; i < form.n_columns; i++) {
            if (i == k->name) {
                put_name(&t, k, &k->rows[row]);
                continue;
            }
            cell_text(k, &k->rows[row], i - (k->name == 0), text);
            table_text(&t, k->columns[i].key, text);
        }
    }
    return table_end(&t, err);
}

/* Finds the changed rows of a kind, which are before those that did not change. */
static bool find_kind(struct kind_table *k, enum diff_kind kind)
{
    const struct diff *const diff = k->diff;
    size_t i = 0;

    while (i < diff->n_rows && (diff->rows[i].kind != kind || !has_changed(diff, &diff->rows[i])))
        i++;
    k->rows = &diff->rows[i];
    for (k->n = 0;
         i < diff->n_rows && diff->rows[i].kind == kind && has_changed(diff, &diff->rows[i]); i++)
        k->n++;
    return k->n > 0;
}

void diff_put_change(const struct diff_row *row, FILE *stream)
{
    const struct diff_change *const change = &row->changes[0];
    char value[VALUE_SIZE], rise[VALUE_SIZE];

    value_text(row, change->after - change->before, value);
    rise_text(row, change, rise);
    fprintf(stream, "%s%s (%s)", change->after > change->before ? "+" : "", value, rise);
}

enum armpmu_status diff_put_kinds(const struct diff *diff, const struct table_options *options,
                                  size_t most, FILE *stream, struct armpmu_error *err)
{
    struct kind_table k = {.diff = diff};
    enum armpmu_status status = ARMPMU_OK;
    bool is_any = false;

    for (enum diff_kind kind = 0; kind < DIFF_KINDS && status == ARMPMU_OK; kind++) {
        if (!find_kind(&k, kind))
            continue;
        is_any = true;
        if (most > 0 && is_code(k.rows) && k.n > most)
            k.n = most;
        status = print_kind(&k, options, stream, err);
    }
    if (!is_any)
        fputs("\n nothing changed\n", stream);
    return status;
}

void diff_put_versions(const struct diff *diff, const char *before, diff_put_fn put, FILE *stream)
{
    for (enum version i = 0; i < VERSIONS; i++) {
        if (!diff_version_differs(&diff->sides[0], &diff->sides[1], i))
            continue;
        fprintf(stream, "%sAnother %s: ", before, version_names[i]);
        put(diff->sides[0].versions[i], stream);
        fputs(" -> ", stream);
        put(diff->sides[1].versions[i], stream);
        fputc('\n', stream);
    }
}

static enum armpmu_status print_tables(const struct diff *diff, const struct diff_limits *limits,
                                       const struct table_options *options, FILE *stream,
                                       struct armpmu_error *err)
{
    const bool is_text = options->format == TABLE_TEXT;

    fputs(is_text ? " armpmu diff: " : "armpmu diff: ", stream);
    printable_put(diff->sides[0].path, stream);
    fputs(" -> ", stream);
    printable_put(diff->sides[1].path, stream);
    fputc('\n', stream);
    diff_put_versions(diff, "\n ", is_text ? printable_put : text_wrap_markdown, stream);
    const enum armpmu_status status = diff_put_kinds(diff, options, 0, stream, err);
    for (size_t i = 0; i < limits->n; i++)
        if (limits->at[i].row != NULL) {
            fputs(is_text ? "\n FAILED: " : "\n**FAILED**: ", stream);
            diff_put_limit(&limits->at[i], stream);
            fputc('\n', stream);
        }
    return status;
}

/* ---- annotations ---- */

/* Names are printable already; '%' begins an escape. */
static void put_escaped(const char *text, FILE *stream)
{
    for (; text != NULL && *text != '\0'; text++)
        *text == '%' ? fputs("%25", stream) : fputc(*text, stream);
}

/* A value of a property: ',' and ':' part them. */
static void put_property(const char *text, FILE *stream)
{
    for (; *text != '\0'; text++)
        strchr("%,:\r\n", *text) != NULL ? fprintf(stream, "%%%02X", (unsigned char)*text)
                                         : fputc(*text, stream);
}

/* GitHub knows files from the folder of the sources on: the one that diff runs in. */
static const char *path_from_here(const char *path)
{
    char *const here = getcwd(NULL, 0);
    const size_t n = here != NULL ? strlen(here) : 0;
    const bool is_below = n > 1 && strncmp(path, here, n) == 0 && path[n] == '/';

    free(here);
    return is_below ? path + n + 1 : path;
}

static void put_location(const struct diff_row *row, const char *event, size_t i, FILE *stream)
{
    char text[VALUE_SIZE], rise[VALUE_SIZE];

    value_text(row, row->changes[i].after - row->changes[i].before, text);
    rise_text(row, &row->changes[i], rise);
    fputs("::warning file=", stream);
    put_property(path_from_here(row->path), stream);
    fprintf(stream, ",line=%" PRIu32 ",title=armpmu diff::%s rose by %s (", row->line, event, text);
    put_escaped(rise, stream);
    fputs(")\n", stream);
}

static const struct diff_row *next_location(const struct diff *diff, size_t event,
                                            const struct diff_row *last)
{
    const struct diff_row *best = NULL;
    double most = 0;
    const struct diff_change *const before = last != NULL ? &last->changes[event] : NULL;

    for (size_t i = 0; i < diff->n_rows; i++) {
        const struct diff_row *const row = &diff->rows[i];
        const double rise = row->changes[event].after - row->changes[event].before;
        const bool is_after = last == NULL || rise < before->after - before->before ||
                              (rise == before->after - before->before && row > last);
        if (row->kind == DIFF_LINE && row->path != NULL && row->line > 0 && is_after &&
            rise > most) {
            best = row;
            most = rise;
        }
    }
    return best;
}

/* The lines where an event rose most, if lines were compared by it. */
static void put_locations(const struct diff *diff, const char *event, FILE *stream)
{
    size_t i = 0;

    while (i < diff->n_events && strcmp(diff->events[i], event) != 0)
        i++;
    const struct diff_row *row = NULL;
    for (size_t n = 0; i < diff->n_events && n < LOCATIONS_MOST; n++) {
        row = next_location(diff, i, row);
        if (row == NULL)
            return;
        put_location(row, event, i, stream);
    }
}

static enum armpmu_status print_github(const struct diff *diff, const struct diff_limits *limits,
                                       FILE *stream, struct armpmu_error *err)
{
    diff_put_versions(diff, "::notice title=armpmu diff::", put_escaped, stream);
    for (size_t i = 0; i < limits->n; i++) {
        char *text = NULL;
        size_t size;
        FILE *const line = limits->at[i].row != NULL ? memory_stream_open(&text, &size) : NULL;
        if (limits->at[i].row == NULL)
            continue;
        if (line == NULL)
            return fail_no_memory(err, "the comparison");
        diff_put_limit(&limits->at[i], line);
        if (!memory_stream_close(line, &text))
            return fail_no_memory(err, "the comparison");
        fputs("::error title=armpmu diff::", stream);
        put_escaped(text, stream);
        fputc('\n', stream);
        free(text);
        put_locations(diff, limits->at[i].row->name, stream);
    }
    return ARMPMU_OK;
}

/* ---- rows ---- */

static void put_value(struct report_table *t, const struct diff_row *row, const char *key,
                      double value)
{
    if (row->kind == DIFF_METRIC)
        table_real(t, key, value);
    else
        table_integer(t, key, (int64_t)value);
}

static void put_change(struct report_table *t, const struct diff *diff, const struct diff_row *row,
                       size_t i, const char *kind)
{
    const struct diff_change *const change = &row->changes[i];

    table_row(t);
    table_text(t, "kind", kind);
    table_text(t, "name", row->name);
    if (is_code(row))
        table_text(t, "event", diff->events[i]);
    if (row->unit[0] != '\0')
        table_text(t, "unit", row->unit);
    put_value(t, row, "before", change->before);
    put_value(t, row, "after", change->after);
    put_value(t, row, "change", change->after - change->before);
    if (state_of(row) != NULL)
        table_text(t, "state", state_of(row));
    if (!isinf(diff_rise(change)))
        table_real(t, "percent", diff_rise(change));
}

/* A row for each of its events that changed. */
static void put_changes(struct report_table *t, const struct diff *diff, const struct diff_row *row)
{
    for (size_t i = 0; i < n_changes(diff, row); i++)
        if (row->changes[i].before != row->changes[i].after)
            put_change(t, diff, row, i, kinds[row->kind]);
}

static void put_version_rows(struct report_table *t, const struct diff *diff)
{
    for (enum version i = 0; i < VERSIONS; i++) {
        if (!diff_version_differs(&diff->sides[0], &diff->sides[1], i))
            continue;
        table_row(t);
        table_text(t, "kind", "version");
        table_text(t, "name", version_keys[i]);
        table_text(t, "was", diff->sides[0].versions[i]);
        table_text(t, "is", diff->sides[1].versions[i]);
    }
}

static enum armpmu_status print_rows(const struct diff *diff, const struct diff_limits *limits,
                                     const struct table_options *options, FILE *stream,
                                     struct armpmu_error *err)
{
    static const struct table_form form = {
        "diff", "changes",
        .keys = "kind name event unit before after change state percent limit was is"};
    struct report_table t;

    table_begin(&t, options, &form, stream);
    table_text(&t, "before", diff->sides[0].path);
    table_text(&t, "after", diff->sides[1].path);
    put_version_rows(&t, diff);
    for (size_t i = 0; i < diff->n_rows; i++)
        put_changes(&t, diff, &diff->rows[i]);
    for (size_t i = 0; i < limits->n; i++)
        if (limits->at[i].row != NULL) {
            put_change(&t, diff, limits->at[i].row, 0, "failure");
            table_real(&t, "limit", limits->at[i].percent);
        }
    return table_end(&t, err);
}

enum armpmu_status diff_print(const struct diff *diff, const struct diff_limits *limits,
                              const struct table_options *options, FILE *stream,
                              struct armpmu_error *err)
{
    switch (options->format) {
    case TABLE_OWN:
        return print_github(diff, limits, stream, err);
    case TABLE_PAGE:
        return diff_page(diff, limits, stream, err);
    case TABLE_TEXT:
    case TABLE_MD:
        return print_tables(diff, limits, options, stream, err);
    case TABLE_CSV:
    case TABLE_JSON:
        break;
    }
    return print_rows(diff, limits, options, stream, err);
}

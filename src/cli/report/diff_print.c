#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory_stream.h"
#include "base/printable.h"
#include "cli/report/diff.h"
#include "cli/report/json_build.h"
#include "cli/text_wrap.h"

#define VALUE_SIZE     256
#define HEADING_SIZE   VALUE_SIZE
#define LOCATIONS_MOST 3 /* of GitHub, for each limit */

const char *const diff_formats[] = {"text", "json", "md", "github", NULL};

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

/* What only one of the runs executed: "new" or "gone"; else NULL. */
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

/* Rows of one kind. Of one event, columns are before, after, change and rise; of several, change
 * and rise of each. */
struct diff_table {
    const struct diff *diff;
    const struct diff_row *rows;
    size_t n;
    enum diff_format format;
    int widths[2 * DIFF_EVENTS_MOST];
    FILE *stream;
};

static bool has_several(const struct diff_table *t)
{
    return n_changes(t->diff, t->rows) > 1;
}

static size_t n_columns(const struct diff_table *t)
{
    return has_several(t) ? 2 * n_changes(t->diff, t->rows) : 4;
}

static void heading_text(const struct diff_table *t, size_t column, char text[HEADING_SIZE])
{
    static const char *const names[] = {"before", "after", "change", "%"};

    if (!has_several(t))
        snprintf(text, HEADING_SIZE, "%s", names[column]);
    else
        snprintf(text, HEADING_SIZE, "%.200s", column % 2 == 0 ? t->diff->events[column / 2] : "%");
}

static void cell_text(const struct diff_table *t, const struct diff_row *row, size_t column,
                      char text[VALUE_SIZE])
{
    const struct diff_change *const change = &row->changes[has_several(t) ? column / 2 : 0];

    if (!has_several(t) && column < 2)
        value_text(row, column == 0 ? change->before : change->after, text);
    else if (column % 2 == 0)
        value_text(row, change->after - change->before, text);
    else
        rise_text(row, change, text);
}

static void measure(struct diff_table *t)
{
    char text[HEADING_SIZE];

    for (size_t i = 0; i < n_columns(t); i++) {
        heading_text(t, i, text);
        t->widths[i] = (int)strlen(text);
        for (size_t row = 0; row < t->n; row++) {
            cell_text(t, &t->rows[row], i, text);
            t->widths[i] = (int)strlen(text) > t->widths[i] ? (int)strlen(text) : t->widths[i];
        }
    }
}

static void put_headings(const struct diff_table *t)
{
    const char *const kind = kinds[t->rows->kind];
    const char *const by = is_code(t->rows) && !has_several(t) ? t->diff->events[0] : NULL;
    char text[HEADING_SIZE];

    fputs(t->format == DIFF_MD ? "\n|" : "\n", t->stream);
    if (t->format == DIFF_MD)
        fprintf(t->stream, by != NULL ? " %s, by %s |" : " %s |", kind, by);
    for (size_t i = 0; i < n_columns(t); i++) {
        heading_text(t, i, text);
        if (t->format == DIFF_MD)
            fprintf(t->stream, " %s |", text);
        else
            fprintf(t->stream, "  %*s", t->widths[i], text);
    }
    if (t->format != DIFF_MD)
        fprintf(t->stream, by != NULL ? "  %s, by %s" : "  %s", kind, by);
    fputc('\n', t->stream);
    if (t->format != DIFF_MD)
        return;
    fputs("|---|", t->stream);
    for (size_t i = 0; i < n_columns(t); i++)
        fputs("--:|", t->stream);
    fputc('\n', t->stream);
}

static void put_row(const struct diff_table *t, const struct diff_row *row)
{
    char text[VALUE_SIZE];

    if (t->format == DIFF_MD) {
        fputs("| ", t->stream);
        text_wrap_markdown(row->name, t->stream);
        fputs(" |", t->stream);
    }
    for (size_t i = 0; i < n_columns(t); i++) {
        cell_text(t, row, i, text);
        if (t->format == DIFF_MD)
            fprintf(t->stream, " %s |", text);
        else
            fprintf(t->stream, "  %*s", t->widths[i], text);
    }
    if (t->format != DIFF_MD) {
        fprintf(t->stream, "  %s", row->name);
        fprintf(t->stream, row->kind == DIFF_METRIC ? " (%s)" : "%s", row->unit);
    }
    fputc('\n', t->stream);
}

/* Of the changed rows of a kind, which stand together: after those that did not change. */
static bool put_table(const struct diff *diff, enum diff_kind kind, enum diff_format format,
                      FILE *stream)
{
    struct diff_table t = {.diff = diff, .format = format, .stream = stream};
    size_t i = 0;

    while (i < diff->n_rows && (diff->rows[i].kind != kind || !has_changed(diff, &diff->rows[i])))
        i++;
    t.rows = &diff->rows[i];
    for (; i < diff->n_rows && diff->rows[i].kind == kind && has_changed(diff, &diff->rows[i]); i++)
        t.n++;
    if (t.n == 0)
        return false;
    measure(&t);
    put_headings(&t);
    for (size_t row = 0; row < t.n; row++)
        put_row(&t, &t.rows[row]);
    return true;
}

static void put_sides(const struct diff *diff, enum diff_format format, FILE *stream)
{
    fputs(format == DIFF_TEXT ? " armpmu diff: " : "armpmu diff: ", stream);
    printable_put(diff->sides[0].path, stream);
    fputs(" -> ", stream);
    printable_put(diff->sides[1].path, stream);
    fputc('\n', stream);
}

static void print_tables(const struct diff *diff, const struct diff_limit *limits, size_t n_limits,
                         enum diff_format format, FILE *stream)
{
    bool is_any = false;

    put_sides(diff, format, stream);
    for (enum diff_kind kind = 0; kind < DIFF_KINDS; kind++)
        is_any |= put_table(diff, kind, format, stream);
    if (!is_any)
        fputs("\n nothing changed\n", stream);
    for (size_t i = 0; i < n_limits; i++)
        if (limits[i].row != NULL) {
            fputs(format == DIFF_TEXT ? "\n FAILED: " : "\n**FAILED**: ", stream);
            diff_put_limit(&limits[i], stream);
            fputc('\n', stream);
        }
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

static enum armpmu_status print_github(const struct diff *diff, const struct diff_limit *limits,
                                       size_t n_limits, FILE *stream, struct armpmu_error *err)
{
    for (size_t i = 0; i < n_limits; i++) {
        char *text = NULL;
        size_t size;
        FILE *const line = limits[i].row != NULL ? open_memstream(&text, &size) : NULL;
        if (limits[i].row == NULL)
            continue;
        if (line == NULL)
            return fail_no_memory(err, "the comparison");
        diff_put_limit(&limits[i], line);
        if (!memory_stream_close(line, &text))
            return fail_no_memory(err, "the comparison");
        fputs("::error title=armpmu diff::", stream);
        put_escaped(text, stream);
        fputc('\n', stream);
        free(text);
        put_locations(diff, limits[i].row->name, stream);
    }
    return ARMPMU_OK;
}

/* ---- JSON ---- */

static json_t *value_json(const struct diff_row *row, double value)
{
    return row->kind == DIFF_METRIC ? json_real(round(value * 1e6) / 1e6)
                                    : json_integer((json_int_t)value);
}

static json_t *row_json(const struct diff *diff, const struct diff_row *row, size_t i,
                        const char *kind)
{
    const struct diff_change *const change = &row->changes[i];
    json_t *object = build_put(json_object(), "kind", json_string(kind));

    object = build_put(object, "name", build_text(row->name));
    if (is_code(row))
        object = build_put(object, "event", build_text(diff->events[i]));
    if (row->unit[0] != '\0')
        object = build_put(object, "unit", build_text(row->unit));
    object = build_put(object, "before", value_json(row, change->before));
    object = build_put(object, "after", value_json(row, change->after));
    object = build_put(object, "change", value_json(row, change->after - change->before));
    if (state_of(row) != NULL)
        object = build_put(object, "state", json_string(state_of(row)));
    if (isinf(diff_rise(change)))
        return object;
    return build_put(object, "percent", json_real(round(diff_rise(change) * 1e6) / 1e6));
}

/* An object for each of its events that changed. */
static bool print_row(const struct diff *diff, const struct diff_row *row, FILE *stream)
{
    bool done = true;

    for (size_t i = 0; i < n_changes(diff, row) && done; i++)
        if (row->changes[i].before != row->changes[i].after)
            done = build_print_line(row_json(diff, row, i, kinds[row->kind]), stream);
    return done;
}

static bool print_json(const struct diff *diff, const struct diff_limit *limits, size_t n_limits,
                       FILE *stream)
{
    bool done = true;

    for (size_t i = 0; i < diff->n_rows && done; i++)
        done = print_row(diff, &diff->rows[i], stream);
    for (size_t i = 0; i < n_limits && done; i++)
        if (limits[i].row != NULL)
            done = build_print_line(build_put(row_json(diff, limits[i].row, 0, "failure"), "limit",
                                              json_real(limits[i].percent)),
                                    stream);
    return done;
}

enum armpmu_status diff_print(const struct diff *diff, const struct diff_limit *limits,
                              size_t n_limits, enum diff_format format, FILE *stream,
                              struct armpmu_error *err)
{
    if (format == DIFF_GITHUB)
        return print_github(diff, limits, n_limits, stream, err);
    if (format != DIFF_JSON)
        print_tables(diff, limits, n_limits, format, stream);
    else if (!print_json(diff, limits, n_limits, stream))
        return fail_no_memory(err, "the comparison");
    return ARMPMU_OK;
}

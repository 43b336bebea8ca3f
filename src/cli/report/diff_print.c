#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/printable.h"
#include "cli/report/diff.h"
#include "cli/report/json_build.h"
#include "cli/text_wrap.h"

#define VALUE_SIZE 48

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

static void rise_text(const struct diff_row *row, char *text)
{
    if (isinf(diff_rise(row)))
        snprintf(text, VALUE_SIZE, "new");
    else
        snprintf(text, VALUE_SIZE, "%+.2f %%", diff_rise(row));
}

void diff_put_limit(const struct diff_limit *limit, FILE *stream)
{
    char before[VALUE_SIZE], after[VALUE_SIZE];

    value_text(limit->row, limit->row->before, before);
    value_text(limit->row, limit->row->after, after);
    fprintf(stream, "%s rose ", limit->row->name);
    if (!isinf(diff_rise(limit->row)))
        fprintf(stream, "by %.2f %% ", diff_rise(limit->row));
    fprintf(stream, "(%s to %s), the limit is %g %%", before, after, limit->percent);
}

static bool has_changed(const struct diff_row *row)
{
    return row->before != row->after;
}

/* ---- text and Markdown ---- */

static void put_row(const struct diff_row *row, enum diff_format format, FILE *stream)
{
    char before[VALUE_SIZE], after[VALUE_SIZE], change[VALUE_SIZE], rise[VALUE_SIZE];

    value_text(row, row->before, before);
    value_text(row, row->after, after);
    value_text(row, row->after - row->before, change);
    rise_text(row, rise);
    if (format == DIFF_TEXT) {
        fprintf(stream, " %14s  %14s  %14s  %11s  %s", before, after, change, rise, row->name);
        fprintf(stream, row->kind == DIFF_METRIC ? " (%s)\n" : "\n", row->event);
        return;
    }
    fputs("| ", stream);
    text_wrap_markdown(row->name, stream);
    fprintf(stream, " | %s | %s | %s | %s |\n", before, after, change, rise);
}

static void put_heading(const struct diff_row *row, enum diff_format format, FILE *stream)
{
    char of[300] = "";

    if (row->kind == DIFF_FUNCTION || row->kind == DIFF_LINE)
        snprintf(of, sizeof of, ", by %.200s", row->event);
    if (format == DIFF_TEXT)
        fprintf(stream, "\n %14s  %14s  %14s  %11s  %s%s\n", "before", "after", "change", "",
                kinds[row->kind], of);
    else
        fprintf(stream,
                "\n| %s%s | before | after | change | change in %% |\n|---|--:|--:|--:|--:|\n",
                kinds[row->kind], of);
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
    enum diff_kind last = DIFF_KINDS;

    put_sides(diff, format, stream);
    for (size_t i = 0; i < diff->n_rows; i++) {
        const struct diff_row *const row = &diff->rows[i];
        if (!has_changed(row))
            continue;
        if (row->kind != last)
            put_heading(row, format, stream);
        put_row(row, format, stream);
        last = row->kind;
    }
    if (last == DIFF_KINDS)
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
static enum armpmu_status print_github(const struct diff_limit *limits, size_t n_limits,
                                       FILE *stream, struct armpmu_error *err)
{
    for (size_t i = 0; i < n_limits; i++) {
        char *text = NULL;
        size_t size;
        FILE *const line = limits[i].row != NULL ? open_memstream(&text, &size) : NULL;
        if (limits[i].row == NULL)
            continue;
        if (line == NULL)
            return fail(err, ARMPMU_NO_MEMORY, "out of memory for the comparison");
        diff_put_limit(&limits[i], line);
        fclose(line);
        fputs("::error title=armpmu diff::", stream);
        for (const char *at = text; at != NULL && *at != '\0'; at++)
            *at == '%' ? fputs("%25", stream) : fputc(*at, stream);
        fputc('\n', stream);
        free(text);
    }
    return ARMPMU_OK;
}

/* ---- JSON ---- */

static json_t *value_json(const struct diff_row *row, double value)
{
    return row->kind == DIFF_METRIC ? json_real(round(value * 1e6) / 1e6)
                                    : json_integer((json_int_t)value);
}

static json_t *row_json(const struct diff_row *row, const char *kind)
{
    json_t *object = build_put(json_object(), "kind", json_string(kind));

    object = build_put(object, "name", build_text(row->name));
    if (row->event[0] != '\0')
        object =
            build_put(object, row->kind == DIFF_METRIC ? "unit" : "event", build_text(row->event));
    object = build_put(object, "before", value_json(row, row->before));
    object = build_put(object, "after", value_json(row, row->after));
    object = build_put(object, "change", value_json(row, row->after - row->before));
    if (isinf(diff_rise(row)))
        return object;
    return build_put(object, "percent", json_real(round(diff_rise(row) * 1e6) / 1e6));
}

static bool put_json(json_t *object, FILE *stream)
{
    if (object == NULL)
        return false;
    (void)json_dumpf(object, stream,
                     JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15) | JSON_ENSURE_ASCII);
    fputc('\n', stream);
    json_decref(object);
    return true;
}

static bool print_json(const struct diff *diff, const struct diff_limit *limits, size_t n_limits,
                       FILE *stream)
{
    for (size_t i = 0; i < diff->n_rows; i++)
        if (has_changed(&diff->rows[i]) &&
            !put_json(row_json(&diff->rows[i], kinds[diff->rows[i].kind]), stream))
            return false;
    for (size_t i = 0; i < n_limits; i++)
        if (limits[i].row != NULL && !put_json(build_put(row_json(limits[i].row, "failure"),
                                                         "limit", json_real(limits[i].percent)),
                                               stream))
            return false;
    return true;
}

enum armpmu_status diff_print(const struct diff *diff, const struct diff_limit *limits,
                              size_t n_limits, enum diff_format format, FILE *stream,
                              struct armpmu_error *err)
{
    if (format == DIFF_GITHUB)
        return print_github(limits, n_limits, stream, err);
    if (format != DIFF_JSON)
        print_tables(diff, limits, n_limits, format, stream);
    else if (!print_json(diff, limits, n_limits, stream))
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for the comparison");
    return ARMPMU_OK;
}

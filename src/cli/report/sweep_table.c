#include "cli/report/sweep_table.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/printable.h"
#include "cli/report/json_build.h"
#include "cli/text_wrap.h"

struct sweep_cells {
    char *text;   /* what cells point into */
    char **cells; /* row by row, the names first */
    size_t n, room, n_columns;
    bool *is_number; /* of a column: every cell below its name is one */
};

static const char *cell(const struct sweep_cells *t, size_t row, size_t column)
{
    return t->cells[row * t->n_columns + column];
}

static size_t rows_of(const struct sweep_cells *t)
{
    return t->n_columns == 0 ? 0 : t->n / t->n_columns;
}

/* ---- reading ---- */

/* Takes the quotes away from a field, in place. Returns what ended it: ',', '\n' or '\0'; *at:
 * behind that. */
static char take_field(char **at)
{
    char *from = *at, *to = *at;
    const bool is_quoted = *from == '"';

    for (from += is_quoted; *from != '\0'; from++) {
        if (is_quoted && *from == '"' && *++from != '"')
            break;
        if (!is_quoted && (*from == ',' || *from == '\n'))
            break;
        *to++ = *from;
    }
    const char end = *from;
    *at = from + (end != '\0');
    *to = '\0';
    return end;
}

static enum armpmu_status read_cells(struct sweep_cells *t, struct armpmu_error *err)
{
    size_t column = 0;

    for (char *at = t->text; *at != '\0';) {
        if (!ARRAY_RESERVE(t->cells, t->room, t->n + 1))
            return fail_no_memory(err, "the table of the sweep");
        t->cells[t->n++] = at;
        column++;
        if (take_field(&at) == ',')
            continue;
        if (t->n_columns == 0)
            t->n_columns = column;
        if (column != t->n_columns)
            return fail(err, ARMPMU_BAD_INPUT,
                        "sweep: row %zu of the results has %zu fields, the first has %zu; remove "
                        "the result that it is in, and run its shard again",
                        t->n / t->n_columns, column, t->n_columns);
        column = 0;
    }
    return column == 0 ? ARMPMU_OK
                       : fail(err, ARMPMU_BAD_INPUT,
                              "sweep: the results end inside a row; remove the last one, and run "
                              "its shard again");
}

static bool is_number(const char *text)
{
    return *text != '\0' && strspn(text, "0123456789") == strlen(text) && strlen(text) < 19;
}

static enum armpmu_status find_numbers(struct sweep_cells *t, struct armpmu_error *err)
{
    t->is_number = calloc(t->n_columns + 1, sizeof *t->is_number);
    if (t->is_number == NULL)
        return fail_no_memory(err, "the table of the sweep");
    for (size_t column = 0; column < t->n_columns; column++) {
        t->is_number[column] = rows_of(t) > 1;
        for (size_t row = 1; row < rows_of(t) && t->is_number[column]; row++)
            t->is_number[column] = is_number(cell(t, row, column));
    }
    return ARMPMU_OK;
}

/* ---- text ---- */

/* As it is printed: counts with separators, anything else printable. The caller frees it. */
static char *spelled(const struct sweep_cells *t, size_t row, size_t column)
{
    char count[TEXT_WRAP_COUNT];

    if (row == 0 || !t->is_number[column])
        return printable_copy(cell(t, row, column));
    text_wrap_count(strtoull(cell(t, row, column), NULL, 10), true, count);
    return strdup(count);
}

static enum armpmu_status print_text(const struct sweep_cells *t, FILE *stream,
                                     struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    int *const widths = calloc(t->n_columns + 1, sizeof *widths);

    if (widths == NULL)
        return fail_no_memory(err, "the table of the sweep");
    for (int printing = 0; printing < 2; printing++)
        for (size_t i = 0; i < t->n && status == ARMPMU_OK; i++) {
            const size_t row = i / t->n_columns, column = i % t->n_columns;
            const bool is_last = column + 1 == t->n_columns;
            char *const text = spelled(t, row, column);
            if (text == NULL)
                status = fail_no_memory(err, "the table of the sweep");
            else if (!printing)
                widths[column] = text_wrap_longest(widths[column], text);
            else if (t->is_number[column])
                fprintf(stream, " %*s%s", widths[column], text, is_last ? "\n" : " ");
            else
                fprintf(stream, " %-*s%s", is_last ? 0 : widths[column], text,
                        is_last ? "\n" : " ");
            free(text);
        }
    free(widths);
    return status;
}

/* ---- JSON ---- */

static bool print_json(const struct sweep_cells *t, FILE *stream)
{
    json_t *array = json_array();

    for (size_t row = 1; row < rows_of(t); row++) {
        json_t *object = json_object();
        for (size_t column = 0; column < t->n_columns; column++) {
            const char *const text = cell(t, row, column);
            object =
                build_put(object, cell(t, 0, column),
                          t->is_number[column] ? json_integer((json_int_t)strtoll(text, NULL, 10))
                                               : build_text(text));
        }
        array = build_append(array, object);
    }
    return build_print(array, stream);
}

/* ---- SQLite ---- */

/* "CREATE TABLE sweep (...)", or the INSERT of a row. The caller frees it with sqlite3_free. */
static char *statement(const struct sweep_cells *t, bool creates)
{
    sqlite3_str *const text = sqlite3_str_new(NULL);

    sqlite3_str_appendall(text, creates ? "CREATE TABLE sweep (" : "INSERT INTO sweep VALUES (");
    for (size_t column = 0; column < t->n_columns; column++) {
        sqlite3_str_appendall(text, column > 0 ? ", " : "");
        if (creates)
            sqlite3_str_appendf(text, "\"%w\" %s NOT NULL", cell(t, 0, column),
                                t->is_number[column] ? "INTEGER" : "TEXT");
        else
            sqlite3_str_appendall(text, "?");
    }
    sqlite3_str_appendall(text, creates ? ") STRICT" : ")");
    return sqlite3_str_finish(text);
}

static int insert_rows(const struct sweep_cells *t, sqlite3_stmt *insert)
{
    int result = SQLITE_OK;

    for (size_t row = 1; row < rows_of(t) && result == SQLITE_OK; row++) {
        for (size_t column = 0; column < t->n_columns && result == SQLITE_OK; column++)
            result =
                sqlite3_bind_text(insert, (int)column + 1, cell(t, row, column), -1, SQLITE_STATIC);
        if (result == SQLITE_OK && sqlite3_step(insert) != SQLITE_DONE)
            result = SQLITE_ERROR;
        sqlite3_reset(insert);
    }
    return result;
}

static enum armpmu_status print_sqlite(const struct sweep_cells *t, FILE *stream,
                                       struct armpmu_error *err)
{
    char *const create = statement(t, true), *const insert = statement(t, false);
    sqlite3 *db = NULL;
    sqlite3_stmt *prepared = NULL;
    sqlite3_int64 n_bytes = 0;
    unsigned char *bytes = NULL;

    int result = create == NULL || insert == NULL ? SQLITE_NOMEM : sqlite3_open(":memory:", &db);
    if (result == SQLITE_OK)
        result = sqlite3_exec(db, create, NULL, NULL, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_prepare_v2(db, insert, -1, &prepared, NULL);
    if (result == SQLITE_OK)
        result = insert_rows(t, prepared);
    sqlite3_finalize(prepared);
    if (result == SQLITE_OK)
        result = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    if (result == SQLITE_OK)
        bytes = sqlite3_serialize(db, "main", &n_bytes, 0);
    const enum armpmu_status status =
        bytes != NULL
            ? ARMPMU_OK
            : fail(err, result == SQLITE_NOMEM || db == NULL ? ARMPMU_NO_MEMORY : ARMPMU_IO,
                   "no database of the sweep: %s",
                   db != NULL ? sqlite3_errmsg(db) : "out of memory");
    if (bytes != NULL)
        (void)fwrite(bytes, 1, (size_t)n_bytes, stream);
    sqlite3_free(bytes);
    sqlite3_close(db);
    sqlite3_free(create);
    sqlite3_free(insert);
    return status;
}

enum armpmu_status sweep_table_print(const char *text, size_t n_bytes, enum sweep_format format,
                                     FILE *stream, struct armpmu_error *err)
{
    if (n_bytes == 0) /* no result yet */
        return ARMPMU_OK;
    struct sweep_cells t = {.text = strndup(text, n_bytes)};
    enum armpmu_status status =
        t.text != NULL ? ARMPMU_OK : fail_no_memory(err, "the table of the sweep");

    if (status == ARMPMU_OK && strlen(t.text) != n_bytes)
        status = fail(err, ARMPMU_BAD_INPUT,
                      "sweep: byte %zu of the results is NUL; remove the result that it is in, and "
                      "run its shard again",
                      strlen(t.text));
    if (status == ARMPMU_OK)
        status = read_cells(&t, err);
    if (status == ARMPMU_OK)
        status = find_numbers(&t, err);
    if (status == ARMPMU_OK && format == SWEEP_TEXT)
        status = print_text(&t, stream, err);
    else if (status == ARMPMU_OK && format == SWEEP_CSV)
        (void)fwrite(text, 1, n_bytes, stream);
    else if (status == ARMPMU_OK && format == SWEEP_SQLITE)
        status = print_sqlite(&t, stream, err);
    else if (status == ARMPMU_OK && !print_json(&t, stream))
        status = fail_no_memory(err, "the table of the sweep");
    free(t.is_number);
    free(t.cells);
    free(t.text);
    return status;
}

#include "cli/table/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "armpmu/catalog.h"
#include "base/array.h"
#include "base/error.h"
#include "base/printable.h"
#include "cli/text_wrap.h"

#define SCHEMA_VERSION 1

bool table_is_json(const struct report_table *table)
{
    return table->options->format == TABLE_JSON;
}

static bool is_document(const struct report_table *table)
{
    return table_is_json(table) && table->options->is_document;
}

bool table_failed(const struct report_table *table)
{
    return table->failed || table->json.failed;
}

/* True where JSON prints the cell: before the first row only a document does. */
static bool is_member(const struct report_table *table)
{
    return table_is_json(table) && (table->n_rows > 0 || table->options->is_document);
}

/* ---- cells ---- */

/* Returns the column of a cell, or NULL. Most cells come in the order of the columns. */
static const struct table_column *column_of(struct report_table *t, const char *key)
{
    const unsigned depth = t->depth - (key == NULL);

    if (t->failed || t->n_rows == 0 || t->depth > TABLE_DEPTH)
        return NULL;
    const char *const inside = depth > 0 ? t->inside[depth - 1] : NULL;
    if (key == NULL)
        key = t->inside[depth];
    for (size_t i = 0; i < t->n_columns; i++) {
        const size_t at = (t->next + i) % t->n_columns;
        const struct table_column *const column = &t->columns[at];
        if (strcmp(column->key, key) == 0 &&
            (column->inside == NULL ? inside == NULL
                                    : inside != NULL && strcmp(column->inside, inside) == 0)) {
            t->next = at + 1;
            return column;
        }
    }
    return NULL;
}

static bool add_bytes(struct report_table *t, const char *text, size_t n)
{
    if (!ARRAY_RESERVE(t->bytes, t->bytes_room, t->n_bytes + n))
        return false;
    memcpy(t->bytes + t->n_bytes, text, n);
    t->n_bytes += n;
    return true;
}

/* Appends to the text of the cell: an item of a list. */
static bool add_text(struct report_table *t, struct table_cell *cell, const char *text)
{
    const size_t before = cell->text, begin = t->n_bytes;
    bool done = true;

    if (before != 0) {
        const size_t n = strlen(t->bytes + before);
        done = ARRAY_RESERVE(t->bytes, t->bytes_room, t->n_bytes + n + 2) &&
               add_bytes(t, t->bytes + before, n) && add_bytes(t, ", ", 2);
    }
    cell->text = begin;
    return done && add_bytes(t, text, strlen(text) + 1);
}

static void put(struct report_table *t, const struct table_column *column, const char *text)
{
    struct table_cell *const cell =
        &t->cells[t->n_cells - t->n_columns + (size_t)(column - t->columns)];
    const bool is_plain = t->paint == TABLE_PLAIN && column->is_name;

    cell->paint = is_plain ? TABLE_BOLD : t->paint;
    t->paint = TABLE_PLAIN;
    if (*text != '\0' && !t->failed)
        t->failed = !add_text(t, cell, text);
}

void table_text(struct report_table *t, const char *key, const char *text)
{
    const struct table_column *column;

    if (is_member(t)) {
        json_put_text(&t->json, key, text);
        return;
    }
    column = column_of(t, key);
    if (column == NULL || t->failed)
        return;
    char *const shown = printable_copy(text);
    if (shown != NULL)
        put(t, column, shown);
    else
        t->failed = true;
    free(shown);
}

void table_exact(struct report_table *t, const char *key, const char *text)
{
    if (is_member(t))
        json_put_exact(&t->json, key, text);
    else
        table_text(t, key, text);
}

void table_count(struct report_table *t, const char *key, uint64_t count)
{
    const struct table_column *column;
    char text[TEXT_WRAP_COUNT];

    if (is_member(t)) {
        json_put_integer(&t->json, key, (int64_t)count);
    } else if ((column = column_of(t, key)) != NULL) {
        text_wrap_count(count, column->is_separated && t->options->format != TABLE_CSV, text);
        put(t, column, text);
    }
}

void table_integer(struct report_table *t, const char *key, int64_t number)
{
    const struct table_column *column;
    char digits[TEXT_WRAP_COUNT], text[TEXT_WRAP_COUNT + 1];
    const uint64_t size = number < 0 ? -(uint64_t)number : (uint64_t)number;

    if (is_member(t)) {
        json_put_integer(&t->json, key, number);
    } else if ((column = column_of(t, key)) != NULL) {
        text_wrap_count(size, column->is_separated && t->options->format != TABLE_CSV, digits);
        snprintf(text, sizeof text, "%s%s", number < 0 ? "-" : "", digits);
        put(t, column, text);
    }
}

/* Without the sign of a number that is 0 with these digits. */
static void fixed_text(double number, int digits, char *text, size_t size)
{
    snprintf(text, size, "%.*f", digits, number);
    if (text[0] == '-' && text[strspn(text, "-0.")] == '\0')
        memmove(text, text + 1, strlen(text));
}

void table_real(struct report_table *t, const char *key, double number)
{
    const struct table_column *column;
    char text[400];

    if (is_member(t)) {
        json_put_real(&t->json, key, number);
    } else if ((column = column_of(t, key)) != NULL) {
        if (column->digits == 0)
            json_real_text(number, text);
        else
            fixed_text(number, column->digits, text, sizeof text);
        put(t, column, text);
    }
}

void table_flag(struct report_table *t, const char *key, bool flag)
{
    if (is_member(t))
        json_put_flag(&t->json, key, flag);
    else
        table_text(t, key, flag ? "true" : "false");
}

void table_hex(struct report_table *t, const char *key, int digits, uint64_t number)
{
    char text[32];

    snprintf(text, sizeof text, "0x%0*" PRIx64, digits, number);
    table_text(t, key, text);
}

void table_paint(struct report_table *t, enum table_paint paint)
{
    t->paint = paint;
}

void table_open(struct report_table *t, const char *key, char bracket)
{
    if (is_member(t))
        json_open(&t->json, key, bracket);
    if (t->depth < TABLE_DEPTH)
        t->inside[t->depth] = key != NULL ? key : "";
    t->depth++;
}

void table_close(struct report_table *t)
{
    if (is_member(t))
        json_close(&t->json);
    t->depth--;
}

const char *table_cell_text(const struct report_table *t, size_t row, size_t column)
{
    const struct table_cell *const cell = &t->cells[row * t->n_columns + column];

    return cell->text != 0 ? t->bytes + cell->text : "";
}

/* ---- rows ---- */

static void forget_rows(struct report_table *t)
{
    t->n_cells = 0;
    t->n_bytes = 0;
    t->failed |= !add_bytes(t, "", 1); /* an empty cell's */
}

/* Ends the last row, if there is one. */
static void end_row(struct report_table *t)
{
    if (t->n_rows == 0 || t->failed)
        return;
    switch (t->options->format) {
    case TABLE_TEXT:
    case TABLE_OWN:
    case TABLE_PAGE:
        return;
    case TABLE_JSON:
        json_close(&t->json);
        if (!is_document(t))
            fputc('\n', t->stream);
        return;
    case TABLE_CSV:
    case TABLE_MD:
        table_lines_print(t);
        break;
    }
    forget_rows(t);
}

/* The columns of the form's keys, each with nothing but its key. */
static bool choose_keys(struct report_table *t)
{
    size_t room = 0;
    char *rest = t->keys = strdup(t->form->keys);

    t->n_columns = 0;
    for (char *key; rest != NULL && (key = strsep(&rest, " ")) != NULL;) {
        if (!ARRAY_RESERVE(t->keyed, room, t->n_columns + 1))
            return false;
        t->keyed[t->n_columns++].key = key;
    }
    t->columns = t->keyed;
    return t->keys != NULL;
}

void table_begin(struct report_table *t, const struct table_options *options,
                 const struct table_form *form, FILE *stream)
{
    char schema[40];

    *t = (struct report_table){.form = form,
                               .options = options,
                               .stream = stream,
                               .columns = form->columns,
                               .n_columns = form->n_columns};
    if (options->format == TABLE_CSV && form->keys != NULL)
        t->failed = !choose_keys(t);
    forget_rows(t);
    if (options->format == TABLE_CSV || options->format == TABLE_MD)
        table_lines_begin(t);
    json_begin(&t->json, is_document(t), stream);
    if (!is_document(t))
        return;
    json_open(&t->json, NULL, '{');
    snprintf(schema, sizeof schema, "armpmu-%s", form->command);
    json_put_text(&t->json, "schema", schema);
    json_put_integer(&t->json, "schema-version", SCHEMA_VERSION);
    json_put_text(&t->json, "armpmu", armpmu_version);
}

void table_row(struct report_table *t)
{
    end_row(t);
    if (is_document(t) && t->n_rows == 0)
        json_open(&t->json, t->form->rows, '[');
    t->n_rows++;
    if (table_is_json(t)) {
        json_open(&t->json, NULL, '{');
    } else if (ARRAY_RESERVE(t->cells, t->cells_room, t->n_cells + t->n_columns + 1)) {
        memset(t->cells + t->n_cells, 0, t->n_columns * sizeof *t->cells);
        t->n_cells += t->n_columns;
    } else {
        t->failed = true;
    }
    t->next = 0;
}

static void end_document(struct report_table *t)
{
    if (t->n_rows == 0)
        json_open(&t->json, t->form->rows, '[');
    json_close(&t->json);
    json_close(&t->json);
    fputc('\n', t->stream);
}

enum armpmu_status table_end(struct report_table *t, struct armpmu_error *err)
{
    end_row(t);
    if (t->options->format == TABLE_TEXT && !t->failed)
        t->failed = !table_text_print(t);
    if (is_document(t))
        end_document(t);
    const bool done = json_end(&t->json) && !t->failed;
    free(t->cells);
    free(t->bytes);
    free(t->keyed);
    free(t->keys);
    return done ? ARMPMU_OK : fail_no_memory(err, "the report");
}

/* A report as a table: a command says its rows once, and one of four writers prints them.
 *
 *     table_begin(&table, &options, &form, stream);
 *     for (...) {
 *         table_row(&table);
 *         table_text(&table, "EventName", event->name);
 *         table_count(&table, "Bits", bits);
 *     }
 *     return table_end(&table, err);
 *
 * JSON has every cell under its key, and what is in it (table_open) as objects and lists: an object
 * a line, or one document. The others have the columns of the form, each the cell of its key.
 * JSON, separated values and Markdown are written row by row; text is kept to the end, since its
 * columns are as wide as their widest cell.
 *
 * Everything that is printed is fit for a terminal: base/printable.h. Assumes the C locale. */
#ifndef CLI_TABLE_TABLE_H
#define CLI_TABLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "armpmu/status.h"
#include "cli/table/json.h"
#include "cli/table/table_options.h"

struct table_column {
    const char *key;
    const char *inside; /* the key of what the cell is in; NULL: the row itself */
    const char *name;   /* of the heading; NULL: the key */
    const char *ending; /* of the name; NULL */
    bool is_right;      /* aligned; else left */
    bool is_name;       /* bold, where there are colours */
    bool is_separated;  /* a count for people: 61,284,118 */
    uint8_t digits;     /* of a real number: decimals; 0: as in JSON */
    uint8_t width;      /* in text, at least */
    uint8_t gap;        /* in text: blanks before it */
};

struct table_form {
    const char *command; /* "list": of the document's schema */
    const char *rows;    /* the document's name of its rows */
    const struct table_column *columns;
    size_t n_columns;
    const char *keys;  /* of the columns of separated values, blanks between; NULL: the same */
    bool has_headings; /* text has them, too */
};

#define TABLE_COLUMNS(array) .columns = (array), .n_columns = sizeof(array) / sizeof *(array)

enum table_paint { TABLE_PLAIN, TABLE_BOLD, TABLE_RED, TABLE_GREEN };

struct table_cell {
    size_t text; /* in the table's bytes; 0: empty */
    enum table_paint paint;
};

#define TABLE_DEPTH 8

struct report_table {
    const struct table_form *form;
    const struct table_options *options;
    FILE *stream;
    const struct table_column *columns;
    size_t n_columns, next;     /* where the next cell is looked for first */
    struct table_column *keyed; /* columns of the form's keys; NULL: the form's */
    char *keys;
    size_t n_rows;
    bool failed;
    struct json_writer json;
    const char *inside[TABLE_DEPTH];
    unsigned depth;
    enum table_paint paint;
    struct table_cell *cells; /* of rows that are not printed yet */
    size_t n_cells, cells_room;
    char *bytes; /* what the cells point into */
    size_t n_bytes, bytes_room;
};

/* All is borrowed until the end. */
void table_begin(struct report_table *table, const struct table_options *options,
                 const struct table_form *form, FILE *stream);

/* Prints what is left and frees it. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status table_end(struct report_table *table, struct armpmu_error *err);

/* Begins a row. Cells before the first are members of the document, and of nothing else. */
void table_row(struct report_table *table);

/* A cell of the row, or of the object that is open; with a NULL key an item of the list that is:
 * in a column of the list's key items follow each other after commas. */
void table_text(struct report_table *table, const char *key, const char *text);
void table_exact(struct report_table *table, const char *key,
                 const char *text); /* json_put_exact */
void table_count(struct report_table *table, const char *key, uint64_t count);
void table_integer(struct report_table *table, const char *key, int64_t number);
void table_real(struct report_table *table, const char *key, double number);
void table_flag(struct report_table *table, const char *key, bool flag);
void table_hex(struct report_table *table, const char *key, int digits, uint64_t number);

/* An object ('{') or a list ('['), in the row or in another. */
void table_open(struct report_table *table, const char *key, char bracket);
void table_close(struct report_table *table);

/* How the next cell looks on a terminal. */
void table_paint(struct report_table *table, enum table_paint paint);

bool table_is_json(const struct report_table *table);

/* Whether memory was short: what is said from then on is lost. */
bool table_failed(const struct report_table *table);

/* ---- the writers: of table.c only ---- */

const char *table_cell_text(const struct report_table *table, size_t row, size_t column);
bool table_text_print(const struct report_table *table);
/* Of the row that is there, printed as it is said. */
void table_lines_begin(const struct report_table *table);
void table_lines_print(const struct report_table *table);

#endif

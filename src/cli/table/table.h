/* A report as a table: a command describes each row once, and one of four writers prints it, so
 * that every report has every format and none can differ between formats.
 *
 *     table_begin(&table, &options, &form, stream);
 *     for (...) {
 *         table_row(&table);
 *         table_text(&table, "EventName", event->name);
 *         table_count(&table, "Bits", bits);
 *     }
 *     return table_end(&table, err);
 *
 * JSON prints every cell under its key, and the objects and lists of table_open: an object a line,
 * or one document. The other formats print the columns of the form: each is the cell with its key.
 * Text is kept until table_end, because a column is as wide as its widest cell; the others are
 * printed row by row.
 *
 * Cells pass base/printable.h: names of the user's cannot control a terminal. Assumes the C locale.
 */
#ifndef CLI_TABLE_TABLE_H
#define CLI_TABLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "armpmu/status.h"
#include "cli/table/json.h"
#include "cli/table/table_options.h"

/* A cell in a terminal that is too narrow: broken between words or, as its column says, shortened.
 */
enum table_shortens {
    TABLE_BROKEN,
    TABLE_SYMBOL,    /* the name of a function: never broken */
    TABLE_WORDS,     /* a sentence with such names, each a word */
    TABLE_PATH,      /* its end stays */
    TABLE_HEADING,   /* of the writer only: broken after '-', too */
    TABLE_SYLLABLES, /* the same, and after '_' */
};

struct table_column {
    const char *key;
    const char *inside; /* the key of what the cell is in; NULL: the row itself */
    const char *name;   /* of the heading; NULL: the key */
    const char *ending; /* of the name; NULL */
    bool is_right;      /* aligned; else left */
    bool is_name;       /* bold, where there are colours */
    bool is_separated;  /* a count for people: 61,284,118 */
    enum table_shortens shortens;
    uint8_t digits; /* of a real number: decimals; 0: as in JSON */
    uint8_t width;  /* in text, at least */
    uint8_t gap;    /* in text: blanks before it */
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

/* The table borrows its arguments until table_end. */
void table_begin(struct report_table *table, const struct table_options *options,
                 const struct table_form *form, FILE *stream);

/* Prints the rest and frees the table. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status table_end(struct report_table *table, struct armpmu_error *err);

/* Begins a row. Cells before the first row are members of the document; other formats drop them. */
void table_row(struct report_table *table);

/* Adds a cell to the row or to the open object; with a NULL key an item to the open list, whose
 * column has the list's key and shows the items separated by commas. */
void table_text(struct report_table *table, const char *key, const char *text);
void table_exact(struct report_table *table, const char *key,
                 const char *text); /* json_put_exact */
void table_count(struct report_table *table, const char *key, uint64_t count);
void table_integer(struct report_table *table, const char *key, int64_t number);
void table_real(struct report_table *table, const char *key, double number);
void table_flag(struct report_table *table, const char *key, bool flag);
void table_hex(struct report_table *table, const char *key, int digits, uint64_t number);

/* Opens an object ('{') or a list ('[') in the row or in an open one. */
void table_open(struct report_table *table, const char *key, char bracket);
void table_close(struct report_table *table);

/* Sets the colour of the next cell. */
void table_paint(struct report_table *table, enum table_paint paint);

bool table_is_json(const struct report_table *table);

/* True after a lack of memory: further cells are lost, and table_end reports it. */
bool table_failed(const struct report_table *table);

/* ---- the writers: of table.c only ---- */

const char *table_cell_text(const struct report_table *table, size_t row, size_t column);
bool table_text_print(const struct report_table *table);
/* Separated values and Markdown: the names, then the one row that is kept. */
void table_lines_begin(const struct report_table *table);
void table_lines_print(const struct report_table *table);

#endif

/* Text: columns as wide as their widest cell, which is known only at the end. */
#include <stdlib.h>
#include <string.h>

#include "cli/table/table.h"
#include "cli/text_wrap.h"

static const char *heading_of(const struct table_column *column)
{
    return column->name != NULL ? column->name : column->key;
}

static int width_of(const struct report_table *t, size_t column)
{
    int width = t->columns[column].width;

    if (t->form->has_headings)
        width = text_wrap_longest(width, heading_of(&t->columns[column]));
    for (size_t row = 0; row * t->n_columns < t->n_cells; row++)
        width = text_wrap_longest(width, table_cell_text(t, row, column));
    return width;
}

/* A line as it is printed: no blanks after its last cell. */
struct text_line {
    const struct report_table *table;
    const int *widths;
    int missing; /* blanks that the cells so far did not print */
};

static void put_cell(struct text_line *line, size_t column, const char *text,
                     enum table_paint paint)
{
    static const char *const begins[] = {"", "\033[1m", "\033[31m", "\033[32m"};
    const struct report_table *const t = line->table;
    const struct table_column *const c = &t->columns[column];
    const bool color = paint != TABLE_PLAIN && table_options_color(t->options);
    const int rest = line->widths[column] - (int)strlen(text);

    line->missing = column == 0 ? c->gap : line->missing + c->gap;
    if (*text == '\0') {
        line->missing += line->widths[column];
        return;
    }
    fprintf(t->stream, "%*s%s%s%s", line->missing + (c->is_right ? rest : 0), "",
            color ? begins[paint] : "", text, color ? "\033[m" : "");
    line->missing = c->is_right ? 0 : rest;
}

bool table_text_print(const struct report_table *t)
{
    int *const widths = calloc(t->n_columns + 1, sizeof *widths);
    struct text_line line = {t, widths, 0};

    if (widths == NULL)
        return false;
    for (size_t i = 0; i < t->n_columns; i++)
        widths[i] = width_of(t, i);
    for (size_t i = 0; t->form->has_headings && i < t->n_columns; i++)
        put_cell(&line, i, heading_of(&t->columns[i]), TABLE_PLAIN);
    fputs(t->form->has_headings ? "\n" : "", t->stream);
    for (size_t i = 0; i < t->n_cells; i++) {
        const size_t row = i / t->n_columns, column = i % t->n_columns;
        put_cell(&line, column, table_cell_text(t, row, column), t->cells[i].paint);
        if (column + 1 == t->n_columns)
            fputc('\n', t->stream);
    }
    free(widths);
    return true;
}

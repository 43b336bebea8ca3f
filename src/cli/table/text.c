/* Text: columns as wide as their widest cell, which is known only at the end. Where a terminal is
 * narrower, columns of sentences are broken between words; names and numbers never are. */
#include <stdlib.h>
#include <string.h>

#include "cli/table/table.h"
#include "cli/text_wrap.h"

#define BROKEN_LEAST 14 /* of a column that is broken */

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

/* ---- a terminal's width ---- */

/* The bytes up to where a line may be broken: after them is a blank, a ';' is among them. */
static size_t word_of(const char *text)
{
    const size_t n = strcspn(text, " ;");

    return n + (text[n] == ';');
}

static int longest_word(const char *text, int longest)
{
    while (*text != '\0') {
        const size_t n = word_of(text);
        longest = (int)n > longest ? (int)n : longest;
        text += n + (text[n] == ' ');
    }
    return longest;
}

/* How narrow a column may be. */
static int least_of(const struct report_table *t, size_t column, int width)
{
    int least = BROKEN_LEAST;

    if (t->columns[column].is_right)
        return width;
    if (t->form->has_headings)
        least = longest_word(heading_of(&t->columns[column]), least);
    for (size_t row = 0; row * t->n_columns < t->n_cells; row++)
        least = longest_word(table_cell_text(t, row, column), least);
    return least;
}

static bool is_empty(const struct report_table *t, size_t column)
{
    for (size_t row = 0; row * t->n_columns < t->n_cells; row++)
        if (*table_cell_text(t, row, column) != '\0')
            return false;
    return true;
}

#define NOT_SHOWN (-1) /* in place of a width */

/* Leaves columns without cells out, then takes from the widest column that can give, until the line
 * fits. least: room for a width each. */
static void fit(const struct report_table *t, int *widths, int *least)
{
    int excess = -text_wrap_columns();

    for (size_t i = 0; i < t->n_columns; i++)
        excess += widths[i] + t->columns[i].gap;
    if (text_wrap_columns() == 0 || excess <= 0)
        return;
    for (size_t i = 0; i < t->n_columns; i++) {
        least[i] = least_of(t, i, widths[i]);
        if (!is_empty(t, i))
            continue;
        excess -= widths[i] + t->columns[i].gap;
        widths[i] = least[i] = NOT_SHOWN;
    }
    for (; excess > 0; excess--) {
        size_t widest = t->n_columns;
        for (size_t i = 0; i < t->n_columns; i++)
            if (widths[i] > least[i] && (widest == t->n_columns || widths[i] > widths[widest]))
                widest = i;
        if (widest == t->n_columns)
            return;
        widths[widest]--;
    }
}

/* ---- lines ---- */

/* A line as it is printed: no blanks after its last cell. */
struct text_line {
    const struct report_table *table;
    const int *widths;
    int missing; /* blanks that the cells so far did not print */
};

static void put_cell(struct text_line *line, size_t column, const char *text, size_t n,
                     enum table_paint paint)
{
    static const char *const begins[] = {"", "\033[1m", "\033[31m", "\033[32m"};
    const struct report_table *const t = line->table;
    const struct table_column *const c = &t->columns[column];
    const bool color = paint != TABLE_PLAIN && table_options_color(t->options);
    const int rest = line->widths[column] - (int)n;

    line->missing = column == 0 ? c->gap : line->missing + c->gap;
    if (n == 0) {
        line->missing += line->widths[column];
        return;
    }
    fprintf(t->stream, "%*s%s%.*s%s", line->missing + (c->is_right ? rest : 0), "",
            color ? begins[paint] : "", (int)n, text, color ? "\033[m" : "");
    line->missing = c->is_right ? 0 : rest;
}

/* The bytes of a text that fit a column. */
static size_t fitting_bytes(const char *text, int width)
{
    size_t n = 0;

    if (strlen(text) <= (size_t)width)
        return strlen(text);
    for (size_t next = word_of(text); next <= (size_t)width; next += word_of(text + next)) {
        n = next;
        next += text[next] == ' ';
    }
    return n > 0 ? n : strlen(text);
}

/* A row, of as many lines as its longest cell needs. rests: what is left of each cell. */
static void put_row(struct text_line *line, const char **rests, const struct table_cell *cells)
{
    const size_t n_columns = line->table->n_columns;
    bool has_more = true;

    while (has_more) {
        has_more = false;
        for (size_t i = 0; i < n_columns; i++) {
            if (line->widths[i] == NOT_SHOWN)
                continue;
            const size_t n = fitting_bytes(rests[i], line->widths[i]);
            put_cell(line, i, rests[i], n, cells != NULL ? cells[i].paint : TABLE_PLAIN);
            rests[i] += n + (rests[i][n] == ' ');
            has_more |= *rests[i] != '\0';
        }
        fputc('\n', line->table->stream);
    }
}

bool table_text_print(const struct report_table *t)
{
    int *const widths = calloc(2 * t->n_columns + 1, sizeof *widths);
    const char **const rests = calloc(t->n_columns + 1, sizeof *rests);
    struct text_line line = {t, widths, 0};
    const bool has_memory = widths != NULL && rests != NULL;

    for (size_t i = 0; has_memory && i < t->n_columns; i++) {
        widths[i] = width_of(t, i);
        rests[i] = heading_of(&t->columns[i]);
    }
    if (has_memory)
        fit(t, widths, widths + t->n_columns);
    if (has_memory && t->form->has_headings)
        put_row(&line, rests, NULL);
    for (size_t row = 0; has_memory && row * t->n_columns < t->n_cells; row++) {
        for (size_t i = 0; i < t->n_columns; i++)
            rests[i] = table_cell_text(t, row, i);
        put_row(&line, rests, &t->cells[row * t->n_columns]);
    }
    free(widths);
    free(rests);
    return has_memory;
}

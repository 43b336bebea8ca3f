/* Text: columns as wide as their widest cell, which is known only at the end. Where a terminal is
 * narrower, columns of sentences are broken between words, and names of C++ are shortened; numbers
 * never are. */
#include <stdlib.h>
#include <string.h>

#include "base/short_name.h"
#include "cli/table/table.h"
#include "cli/text_wrap.h"

#define BROKEN_LEAST    14 /* of a column that is broken */
#define SHORTENED_LEAST 10 /* of one whose cells are shortened */

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

/* The bytes up to where a line may be broken: after them is a blank, a ';' is among them. In a
 * name, a blank between brackets is no end. */
static size_t word_of(const char *text, enum table_shortens shortens)
{
    unsigned depth = 0;
    size_t n = 0;

    if (shortens == TABLE_BROKEN || shortens >= TABLE_HEADING) {
        n = strcspn(text, shortens == TABLE_BROKEN    ? " ;"
                          : shortens == TABLE_HEADING ? " -"
                                                      : " -_");
        return n + (text[n] != '\0' && text[n] != ' ');
    }
    for (; text[n] != '\0' && (depth > 0 || text[n] != ' ' || shortens == TABLE_SYMBOL); n++) {
        depth += n > 0 && text[n - 1] != ' ' && strchr("<([", text[n]) != NULL;
        depth -= depth > 0 && strchr(">)]", text[n]) != NULL;
    }
    return n;
}

static int longest_word(const char *text, enum table_shortens shortens, int longest)
{
    while (*text != '\0') {
        const size_t n = word_of(text, shortens);
        longest = (int)n > longest ? (int)n : longest;
        text += n + (text[n] == ' ');
    }
    return longest;
}

/* How narrow a column may be. Of one with numbers only the heading can be broken: how, too. */
static int least_of(const struct report_table *t, size_t column, enum table_shortens heading)
{
    const struct table_column *const c = &t->columns[column];
    int least = c->is_right ? c->width : BROKEN_LEAST;

    for (size_t row = 0; row * t->n_columns < t->n_cells; row++)
        least = c->is_right ? text_wrap_longest(least, table_cell_text(t, row, column))
                            : longest_word(table_cell_text(t, row, column), c->shortens, least);
    if (c->shortens != TABLE_BROKEN && least > SHORTENED_LEAST)
        least = SHORTENED_LEAST;
    return t->form->has_headings ? longest_word(heading_of(c), heading, least) : least;
}

static bool is_empty(const struct report_table *t, size_t column)
{
    for (size_t row = 0; row * t->n_columns < t->n_cells; row++)
        if (*table_cell_text(t, row, column) != '\0')
            return false;
    return true;
}

#define NOT_SHOWN (-1) /* in place of a width */

/* How columns are printed, an item each. */
struct text_layout {
    int *widths, *least, *gaps;
};

/* Columns of the line that the terminal does not have; 0 or less: it fits. */
static int excess_of(const struct report_table *t, const struct text_layout *l)
{
    int excess = -text_wrap_columns();

    for (size_t i = 0; i < t->n_columns; i++)
        excess += l->widths[i] != NOT_SHOWN ? l->widths[i] + l->gaps[i] : 0;
    return text_wrap_columns() > 0 ? excess : 0;
}

/* Leaves columns without cells out, breaks headings, then takes from the widest column that can
 * give until the line fits; at last from the blanks between columns. */
static void fit(const struct report_table *t, const struct text_layout *l)
{
    if (excess_of(t, l) <= 0)
        return;
    for (size_t i = 0; i < t->n_columns; i++) {
        l->least[i] = is_empty(t, i) ? NOT_SHOWN : least_of(t, i, TABLE_HEADING);
        if (l->least[i] == NOT_SHOWN || (t->columns[i].is_right && l->least[i] < l->widths[i]))
            l->widths[i] = l->least[i];
    }
    while (excess_of(t, l) > 0) {
        size_t widest = t->n_columns;
        for (size_t i = 0; i < t->n_columns; i++)
            if (l->widths[i] > l->least[i] &&
                (widest == t->n_columns || l->widths[i] > l->widths[widest]))
                widest = i;
        if (widest == t->n_columns)
            break;
        l->widths[widest]--;
    }
    for (size_t i = 1; i < t->n_columns && excess_of(t, l) > 0; i++)
        l->gaps[i] = l->gaps[i] > 1 ? 1 : l->gaps[i];
    for (size_t i = 0; i < t->n_columns && excess_of(t, l) > 0; i++)
        if (t->columns[i].is_right && l->widths[i] != NOT_SHOWN)
            l->widths[i] = least_of(t, i, TABLE_SYLLABLES);
}

/* Shortens each word of a text in its place. */
static void shorten(char *text, enum table_shortens shortens, size_t width)
{
    while (*text != '\0') {
        const size_t n = word_of(text, shortens);
        const char after = text[n];
        text[n] = '\0';
        if (n > width && shortens == TABLE_PATH)
            memcpy(memmove(text, text + n - width, width + 1), "...", 3);
        else if (n > width)
            short_name(text, width);
        const size_t now = strlen(text);
        text[n] = after;
        memmove(text + now, text + n, strlen(text + n) + 1);
        text += now + (text[now] == ' ');
    }
}

static void shorten_cells(const struct report_table *t, const struct text_layout *l)
{
    for (size_t i = 0; i < t->n_cells; i++) {
        const struct table_column *const column = &t->columns[i % t->n_columns];
        const int width = l->widths[i % t->n_columns];
        if (column->shortens != TABLE_BROKEN && width != NOT_SHOWN && t->cells[i].text != 0)
            shorten(t->bytes + t->cells[i].text, column->shortens, (size_t)width);
    }
}

/* ---- lines ---- */

/* A line as it is printed: no blanks after its last cell. */
struct text_line {
    const struct report_table *table;
    const struct text_layout *layout;
    int missing; /* blanks that the cells so far did not print */
};

static void put_cell(struct text_line *line, size_t column, const char *text, size_t n,
                     enum table_paint paint)
{
    static const char *const begins[] = {"", "\033[1m", "\033[31m", "\033[32m"};
    const struct report_table *const t = line->table;
    const struct table_column *const c = &t->columns[column];
    const bool color = paint != TABLE_PLAIN && table_options_color(t->options);
    const int rest = line->layout->widths[column] - (int)n;

    line->missing = line->layout->gaps[column] + (column == 0 ? 0 : line->missing);
    if (n == 0) {
        line->missing += line->layout->widths[column];
        return;
    }
    fprintf(t->stream, "%*s%s%.*s%s", line->missing + (c->is_right ? rest : 0), "",
            color ? begins[paint] : "", (int)n, text, color ? "\033[m" : "");
    line->missing = c->is_right ? 0 : rest;
}

/* The bytes of a text that fit a column. */
static size_t fitting_bytes(const char *text, enum table_shortens shortens, int width)
{
    size_t n = 0;

    if (strlen(text) <= (size_t)width)
        return strlen(text);
    for (size_t next = word_of(text, shortens); next <= (size_t)width;
         next += word_of(text + next, shortens)) {
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
            if (line->layout->widths[i] == NOT_SHOWN)
                continue;
            const size_t n = fitting_bytes(
                rests[i], cells != NULL ? line->table->columns[i].shortens : TABLE_SYLLABLES,
                line->layout->widths[i]);
            put_cell(line, i, rests[i], n, cells != NULL ? cells[i].paint : TABLE_PLAIN);
            rests[i] += n + (rests[i][n] == ' ');
            has_more |= *rests[i] != '\0';
        }
        fputc('\n', line->table->stream);
    }
}

bool table_text_print(const struct report_table *t)
{
    int *const numbers = calloc(3 * t->n_columns + 1, sizeof *numbers);
    const char **const rests = calloc(t->n_columns + 1, sizeof *rests);
    const struct text_layout layout = {numbers, numbers + t->n_columns, numbers + 2 * t->n_columns};
    struct text_line line = {t, &layout, 0};
    const bool has_memory = numbers != NULL && rests != NULL;

    for (size_t i = 0; has_memory && i < t->n_columns; i++) {
        layout.widths[i] = width_of(t, i);
        layout.gaps[i] = t->columns[i].gap;
        rests[i] = heading_of(&t->columns[i]);
    }
    if (has_memory) {
        fit(t, &layout);
        shorten_cells(t, &layout);
    }
    if (has_memory && t->form->has_headings)
        put_row(&line, rests, NULL);
    for (size_t row = 0; has_memory && row * t->n_columns < t->n_cells; row++) {
        for (size_t i = 0; i < t->n_columns; i++)
            rests[i] = table_cell_text(t, row, i);
        put_row(&line, rests, &t->cells[row * t->n_columns]);
    }
    free(numbers);
    free(rests);
    return has_memory;
}

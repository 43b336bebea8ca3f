/* Separated values and Markdown: a line of names, then a line for each row. */
#include "cli/table/csv.h"
#include "cli/table/table.h"
#include "cli/text_wrap.h"

static void put_csv(const struct report_table *t, size_t i, const char *field)
{
    fputs(i > 0 ? t->options->separator : "", t->stream);
    csv_field(field, t->options->separator, t->stream);
}

static void put_md(const struct report_table *t, size_t i, const char *field)
{
    fputs(i > 0 ? " " : "| ", t->stream);
    text_wrap_markdown(field, t->stream);
    fputs(" |", t->stream);
}

static void put_field(const struct report_table *t, size_t i, const char *field)
{
    if (t->options->format == TABLE_CSV)
        put_csv(t, i, field);
    else
        put_md(t, i, field);
    if (i + 1 == t->n_columns)
        fputc('\n', t->stream);
}

void table_lines_begin(const struct report_table *t)
{
    char name[320];

    for (size_t i = 0; i < t->n_columns; i++) {
        const struct table_column *const c = &t->columns[i];
        snprintf(name, sizeof name, "%.256s%s", c->name != NULL ? c->name : c->key,
                 c->ending != NULL ? c->ending : "");
        put_field(t, i, name);
    }
    if (t->options->format == TABLE_CSV)
        return;
    fputc('|', t->stream);
    for (size_t i = 0; i < t->n_columns; i++)
        fputs(t->columns[i].is_right ? "--:|" : "---|", t->stream);
    fputc('\n', t->stream);
}

void table_lines_print(const struct report_table *t)
{
    for (size_t i = 0; i < t->n_columns; i++)
        put_field(t, i, table_cell_text(t, 0, i));
}

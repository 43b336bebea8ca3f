/* A Markdown table of the counts, for reports and pull requests: the columns that people read, a
 * row for each event. Sections (threads, processors, intervals) are rows of one table, told apart
 * by a column, so that a viewer can sort them. */
#include "cli/run/methodology.h"
#include "cli/run/report.h"
#include "cli/run/topdown.h"

#include <stdarg.h>

#include "base/text.h"
#include "cli/text_wrap.h"

static void put(FILE *stream, const char *cell)
{
    fputc(' ', stream);
    text_wrap_markdown(cell, stream);
    fputs(" |", stream);
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
put_format(FILE *stream, const char *format, ...)
{
    char cell[512];
    va_list args;

    va_start(args, format);
    vsnprintf(cell, sizeof cell, format, args);
    va_end(args);
    put(stream, cell);
}

/* The columns that depend on the report, in order. */
static void put_heads(const struct report *r, FILE *stream)
{
    const struct {
        bool is_there, is_right;
        const char *name;
    } heads[] = {{r->intervals, true, "Seconds"},
                 {report_part(r) != NULL, false,
                  r->per_region    ? "Region"
                  : r->per_process ? "Process"
                                   : "Thread"},
                 {r->per_cpu, false, "Processor"},
                 {true, false, "Event"},
                 {true, true, "Count"},
                 {r->by_mode, true, "User mode"},
                 {r->by_mode, true, "Privileged modes"},
                 {r->runs > 1, true, "Deviation"},
                 {r->mode == MODE_HW, false, "Counter"},
                 {r->mode == MODE_HW, true, "Overflows"},
                 {r->mode == MODE_HW, true, "True count"},
                 {true, false, "Metrics"},
                 {true, false, "Fidelity"}};

    for (unsigned line = 0; line < 2; line++) {
        fputc('|', stream);
        for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
            if (!heads[i].is_there)
                continue;
            if (line == 0)
                put(stream, heads[i].name);
            else
                fputs(heads[i].is_right ? "--:|" : "---|", stream);
        }
        fputc('\n', stream);
    }
}

static void put_count(const struct report *r, uint64_t count, FILE *stream)
{
    char text[TEXT_WRAP_COUNT];

    text_wrap_count(count, r->big_numbers, text);
    put(stream, text);
}

static void put_section_cells(const struct report *r, const struct report_section *section,
                              FILE *stream)
{
    fputc('|', stream);
    if (r->intervals)
        put_format(stream, "%.9f", section->seconds);
    if (report_part(r) != NULL)
        put(stream, section->thread);
    if (r->per_cpu)
        put_format(stream, "CPU%u", section->cpu);
}

static void put_hardware(const struct report *r, const struct report_row *row, FILE *stream)
{
    if (r->mode != MODE_HW)
        return;
    put(stream, row->counter);
    put_count(r, row->overflows, stream);
    put_count(r, row->count, stream);
}

static void put_metrics(const struct report_row *row, FILE *stream)
{
    char text[512] = "";

    for (size_t i = 0; i < row->n_metrics; i++)
        text_join(text, sizeof text, ", ", "%.2f %s", row->metrics[i].value, row->metrics[i].shown);
    put(stream, text);
}

static void put_row(const struct report *r, const struct report_section *section, size_t i,
                    FILE *stream)
{
    const struct report_row *const row = &section->rows[i];
    const bool is_counted = row->state == REPORT_COUNTED;

    put_section_cells(r, section, stream);
    put(stream, row->label);
    if (is_counted)
        put_count(r, r->mode == MODE_HW ? row->counter_value : row->count, stream);
    else
        put(stream, report_state_text(row->state));
    if (r->by_mode) {
        put_count(r, section->user->rows[i].count, stream);
        put_count(r, section->privileged->rows[i].count, stream);
    }
    if (r->runs > 1)
        put_format(stream, "%.2f %%", row->deviation);
    put_hardware(r, row, stream);
    put_metrics(row, stream);
    put(stream, is_counted ? report_fidelity(r, row->event) : "");
    fputc('\n', stream);
}

/* A row of a tree: a share of the cycles in place of an event. */
static void put_named(const struct report *r, const struct report_section *section,
                      const struct report_metric *metric, const uint64_t *cycles, FILE *stream)
{
    const int empty = 2 * r->by_mode + (r->runs > 1) + 3 * (r->mode == MODE_HW);

    put_section_cells(r, section, stream);
    put(stream, metric->name);
    if (cycles != NULL)
        put_count(r, *cycles, stream);
    else
        put(stream, "");
    for (int i = 0; i < empty; i++)
        put(stream, "");
    put_format(stream, "%.2f %s", metric->value, metric->unit);
    put(stream, armpmu_fidelity_name(ARMPMU_MODELLED));
    fputc('\n', stream);
}

static bool md_begin(const struct report *report, FILE *stream)
{
    const bool is_ready = report_print_setup(report, "", stream);

    fputc('\n', stream);
    put_heads(report, stream);
    return is_ready;
}

static bool md_section(const struct report *report, const struct report_section *section,
                       FILE *stream)
{
    struct topdown_node nodes[TOPDOWN_NODES_MAX];
    struct methodology_row rows[METHODOLOGY_ROWS_MAX];
    const size_t n_nodes = report->topdown ? topdown_nodes(section, nodes) : 0;
    const size_t n_rows = methodology_rows(report, section, rows);

    for (size_t i = 0; i < section->n_rows; i++)
        put_row(report, section, i, stream);
    for (size_t i = 0; i < n_nodes; i++) {
        const bool is_leaf = nodes[i].depth > 1;
        char name[100];
        snprintf(name, sizeof name, "%s%s%s", is_leaf ? nodes[i].group : "", is_leaf ? " / " : "",
                 nodes[i].name);
        put_named(report, section, &(struct report_metric){name, nodes[i].share, "% of cycles", ""},
                  &nodes[i].cycles, stream);
    }
    for (size_t i = 0; i < n_rows; i++)
        put_named(
            report, section,
            &(struct report_metric){rows[i].metric->name, rows[i].value, rows[i].metric->unit, ""},
            NULL, stream);
    return true;
}

static bool md_end(const struct report *report, FILE *stream)
{
    fputc('\n', stream);
    report_print_gaps(report, "- ", stream);
    return true;
}

const struct report_printer print_md = {md_begin, md_section, md_end, NULL};

/* Separated values: perf's columns in perf's order, then ours.
 *
 *   [time] [thread] [cpu] [mode] count unit event [variance] run-time percent metric metric-unit
 *   number fidelity [counter overflows true-count]
 *
 * In brackets: with -I, --per-thread, --per-cpu, of a machine, -r and --mode hw. Which columns
 * there are depends on the options alone, so all lines of an output have the same number. A second
 * metric of an event has a line of its own with count, unit and event empty, as in perf's output. A
 * field that holds the separator, a quote or a line end is quoted as RFC 4180 says. Lines that
 * begin with '#' are comments and occur with -o and where the counts do not cover the whole
 * program. */
#include "cli/table/csv.h"
#include "cli/run/report.h"
#include "cli/run/methodology.h"
#include "cli/run/topdown.h"

#include <inttypes.h>
#include <stdarg.h>

struct line {
    const struct report *report;
    FILE *stream;
    bool started;
};

static void put(struct line *line, const char *field)
{
    const char *separator = line->report->argument;

    if (line->started)
        fputs(separator, line->stream);
    line->started = true;
    csv_field(field, separator, line->stream);
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
put_format(struct line *line, const char *format, ...)
{
    char field[64];
    va_list args;

    va_start(args, format);
    vsnprintf(field, sizeof field, format, args);
    va_end(args);
    put(line, field);
}

static void put_prefix(struct line *line, const struct report_section *section, const char *mode)
{
    if (line->report->intervals)
        put_format(line, "%.9f", section->seconds);
    if (report_part(line->report) != NULL)
        put(line, section->thread);
    if (line->report->per_cpu)
        put_format(line, "CPU%u", section->cpu);
    if (line->report->by_mode)
        put(line, mode);
}

static void put_count(struct line *line, const struct report_section *section,
                      const struct report_row *row)
{
    bool counted = row->state == REPORT_COUNTED;

    if (!counted)
        put(line, report_state_text(row->state));
    else
        put_format(line, "%" PRIu64,
                   line->report->mode == MODE_HW ? row->counter_value : row->count);
    put(line, report_unit(row));
    put(line, row->echo);
    if (line->report->runs > 1)
        put_format(line, "%.2f%%", row->deviation);
    if (line->report->lacks_time)
        put(line, "");
    else
        put_format(line, "%" PRIu64, counted ? section->runtime_ns : 0);
    put(line, "100.00"); /* no event ever waits for a counter */
}

/* The same columns, empty: the line continues the event above. */
static void put_no_count(struct line *line)
{
    int columns = line->report->runs > 1 ? 6 : 5;
    while (columns-- > 0)
        put(line, "");
}

static void put_metric(struct line *line, const struct report_row *row, size_t i)
{
    if (i < row->n_metrics) {
        put_format(line, "%.6f", row->metrics[i].value);
        put(line, row->metrics[i].shown);
    } else {
        put(line, "");
        put(line, "");
    }
}

static void put_trailer(struct line *line, const struct report_row *row, bool first)
{
    if (row->state == REPORT_NOT_SUPPORTED) {
        put(line, "");
        put(line, "");
    } else {
        put_format(line, "0x%02x", row->event->first);
        put(line, report_fidelity(line->report, row->event));
    }
    if (line->report->mode != MODE_HW)
        return;
    if (first && row->state == REPORT_COUNTED) {
        put(line, row->counter);
        put_format(line, "%" PRIu64, row->overflows);
        put_format(line, "%" PRIu64, row->count);
    } else {
        put(line, "");
        put(line, "");
        put(line, "");
    }
}

static bool csv_begin(const struct report *report, FILE *stream)
{
    return !report->in_file || report_print_setup(report, "# ", stream);
}

/* An event's lines in one mode of the processor. */
static void put_row(const struct report *report, const struct report_section *section, size_t i,
                    const char *mode, FILE *stream)
{
    const struct report_row *row = &section->rows[i];

    for (size_t m = 0; m == 0 || m < row->n_metrics; m++) {
        struct line line = {report, stream, false};
        put_prefix(&line, section, mode);
        if (m == 0)
            put_count(&line, section, row);
        else
            put_no_count(&line);
        put_metric(&line, row, m);
        put_trailer(&line, row, m == 0);
        fputc('\n', stream);
    }
}

/* A line about no event: the metric's name in place of the event's. count: of cycles, or NULL. */
static void put_named(const struct report *report, const struct report_section *section,
                      const struct report_metric *metric, const uint64_t *count, FILE *stream)
{
    struct line line = {report, stream, false};

    put_prefix(&line, section, "all");
    if (count != NULL)
        put_format(&line, "%" PRIu64, *count);
    else
        put(&line, "");
    put(&line, count != NULL ? "cycles" : "");
    put(&line, metric->name);
    if (report->runs > 1)
        put(&line, "");
    put_format(&line, "%" PRIu64, section->runtime_ns);
    put(&line, "100.00");
    put_format(&line, "%.6f", metric->value);
    put(&line, metric->unit);
    put(&line, "");
    put(&line, armpmu_fidelity_name(ARMPMU_MODELLED));
    for (int i = 0; report->mode == MODE_HW && i < 3; i++)
        put(&line, "");
    fputc('\n', stream);
}

/* The tree: "topdown/GROUP" or "topdown/GROUP/LEAF" in place of an event. */
static void put_topdown(const struct report *report, const struct report_section *section,
                        FILE *stream)
{
    struct topdown_node nodes[TOPDOWN_NODES_MAX];
    const size_t n = report->topdown ? topdown_nodes(section, nodes) : 0;
    char name[100];

    for (size_t i = 0; i < n; i++) {
        const bool is_leaf = nodes[i].depth > 1;
        snprintf(name, sizeof name, "topdown/%s%s%s", nodes[i].group, is_leaf ? "/" : "",
                 is_leaf ? nodes[i].name : "");
        put_named(report, section, &(struct report_metric){name, nodes[i].share, "% of cycles", ""},
                  &nodes[i].cycles, stream);
    }
}

/* "methodology/METRIC" of the first stage, "methodology/GROUP/METRIC" of the second. */
static void put_methodology(const struct report *report, const struct report_section *section,
                            FILE *stream)
{
    struct methodology_row rows[METHODOLOGY_ROWS_MAX];
    const size_t n = methodology_rows(report, section, rows);
    char name[100];

    for (size_t i = 0; i < n; i++) {
        const char *const group = rows[i].group;
        snprintf(name, sizeof name, "methodology/%s%s%s", group != NULL ? group : "",
                 group != NULL ? "/" : "", rows[i].metric->name);
        put_named(report, section,
                  &(struct report_metric){name, rows[i].value, rows[i].metric->unit, ""}, NULL,
                  stream);
    }
}

static bool csv_section(const struct report *report, const struct report_section *section,
                        FILE *stream)
{
    for (size_t i = 0; i < section->n_rows; i++) {
        put_row(report, section, i, "all", stream);
        if (!report->by_mode)
            continue;
        put_row(report, section->user, i, "user", stream);
        put_row(report, section->privileged, i, "privileged", stream);
    }
    put_topdown(report, section, stream);
    put_methodology(report, section, stream);
    return true;
}

static bool csv_end(const struct report *report, FILE *stream)
{
    report_print_gaps(report, "# ", stream);
    return true;
}

const struct report_printer print_csv = {csv_begin, csv_section, csv_end, csv_separator};

/* The report of `armpmu sweep`: a row for each machine; and that of --gather. */
#include "cli/run/sweep_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory_stream.h"
#include "base/printable.h"
#include "cli/machine_text.h"
#include "cli/table/metric_cells.h"
#include "cli/run/report.h"
#include "profile/metric.h"

static uint64_t count_of(const struct sweep_report *report, size_t machine,
                         const struct armpmu_event *event)
{
    return armpmu_event_count(event, machine == 0 ? report->first : report->others[machine - 1]);
}

uint64_t sweep_count(const struct sweep_report *report, size_t machine, size_t event)
{
    return count_of(report, machine, report->events[machine].items[event].event);
}

static const char *label(const struct sweep_report *report, size_t event)
{
    return report->events[0].items[event].label;
}

/* Returns false without memory. */
static bool put_machine(const struct sweep_machines *machines, size_t machine, FILE *stream)
{
    char *const text = machine_text(machines->machines[machine]);
    char hash[MACHINE_HASH_SIZE];

    if (text == NULL)
        return false;
    machine_hash(text, hash);
    fputs("machine ", stream);
    printable_put(sweep_machines_value(machines, machine, 0), stream);
    for (size_t i = 1; i < machines->n_axes; i++)
        fprintf(stream, " %s=%s", machines->axes[i].key,
                sweep_machines_value(machines, machine, i));
    fprintf(stream, " %s\n", hash);
    free(text);
    return true;
}

static void put_named(const char *name, const char *value, FILE *stream)
{
    if (value == NULL)
        return;
    fprintf(stream, "%s ", name);
    printable_put(value, stream);
    fputc('\n', stream);
}

char *sweep_identity(const struct sweep_machines *machines, const struct option_list *variables,
                     const char *qemu, const char *sysroot)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const stream = memory_stream_open(&text, &size);
    bool done = stream != NULL;

    for (size_t i = 0; done && i < machines->n; i++)
        done = put_machine(machines, i, stream);
    for (size_t i = 0; done && i < variables->n; i++)
        put_named("variable", variables->values[i], stream);
    if (done) {
        put_named("QEMU", qemu, stream);
        put_named("sysroot", sysroot, stream);
    }
    if (stream != NULL)
        done = memory_stream_close(stream, &text) && done;
    if (done)
        return text;
    free(text);
    return NULL;
}

/* ---- rows ---- */

static void put_ending(struct report_table *t, const struct sweep_report *report)
{
    table_text(t, "program", report->argv[0]);
    table_flag(t, "is-complete", report->early == NULL);
    if (report->early != NULL)
        table_text(t, "ended-early", report->early);
}

struct machine_counts {
    const struct sweep_report *report;
    size_t machine;
};

static bool find_count(void *user, const struct armpmu_event *event, double *count)
{
    const struct machine_counts *const of = user;
    const uint64_t n = count_of(of->report, of->machine, event);

    *count = (double)n;
    return report_state_of(of->report->machines->machines[of->machine], true, event, n) ==
           REPORT_COUNTED;
}

static void put_metrics(struct report_table *t, const struct sweep_report *report, size_t machine)
{
    const struct metric_choice *const metrics = &report->metrics[machine];
    struct machine_counts counts = {report, machine};

    if (metrics->n == 0)
        return;
    table_open(t, "metrics", '{');
    for (size_t i = 0; i < metrics->n; i++) {
        const struct armpmu_metric *const metric = metrics->metrics[i];
        double value;
        if (!metric_value(metrics->core, metric, find_count, &counts, &value))
            value = NAN;
        metric_put_cell(t, metric->name, metric, value);
    }
    table_close(t);
}

/* A document says once what lines say each. */
static void put_machine_row(struct report_table *t, const struct sweep_report *report,
                            size_t machine)
{
    const struct sweep_machines *const machines = report->machines;

    table_row(t);
    table_text(t, "machine", sweep_machines_value(machines, machine, 0));
    table_open(t, "settings", '{');
    for (size_t i = 1; i < machines->n_axes; i++)
        table_text(t, machines->axes[i].key, sweep_machines_value(machines, machine, i));
    table_close(t);
    table_open(t, "counts", '{');
    for (size_t event = 0; event < report->events[0].count; event++)
        table_count(t, label(report, event), sweep_count(report, machine, event));
    table_close(t);
    put_metrics(t, report, machine);
    if (!t->options->is_document)
        put_ending(t, report);
}

static void make_columns(const struct sweep_report *report, struct table_column *columns)
{
    const struct sweep_machines *const machines = report->machines;

    for (size_t i = 0; i < machines->n_axes; i++)
        *columns++ = (struct table_column){.key = machines->axes[i].key,
                                           .inside = i > 0 ? "settings" : NULL,
                                           .gap = i > 0 ? 2 : 1};
    for (size_t i = 0; i < report->events[0].count; i++)
        *columns++ = (struct table_column){.key = label(report, i),
                                           .inside = "counts",
                                           .is_right = true,
                                           .is_separated = true,
                                           .gap = i > 0 ? 1 : 2};
    for (size_t i = 0; i < report->metrics[0].n; i++)
        *columns++ = (struct table_column){.key = report->metrics[0].metrics[i]->name,
                                           .inside = "metrics",
                                           .is_right = true,
                                           .gap = 2};
}

static void print_comments(const char *lines, FILE *stream)
{
    fprintf(stream, "# armpmu %s\n", armpmu_version);
    while (*lines != '\0') {
        const size_t n = strcspn(lines, "\n");
        fprintf(stream, "# %.*s\n", (int)n, lines);
        lines += n + (lines[n] == '\n');
    }
}

static void print_before(const struct sweep_report *report, enum table_format format, FILE *stream)
{
    if (format == TABLE_CSV && report->identity != NULL)
        print_comments(report->identity, stream);
    if (format != TABLE_TEXT)
        return;
    fprintf(stream, "\n armpmu sweep: %zu machine%s, one execution of '", report->machines->n,
            report->machines->n == 1 ? "" : "s");
    printable_put(report->argv[0], stream);
    fputs("'\n\n", stream);
}

static void print_after(const struct sweep_report *report, enum table_format format, FILE *stream)
{
    const bool is_csv = format == TABLE_CSV;

    if (format == TABLE_JSON)
        return;
    if (is_csv && report->identity != NULL && report->early == NULL)
        fputs("# complete\n", stream);
    fputs(format == TABLE_TEXT ? "\n" : "", stream);
    if (is_csv && report->early != NULL)
        fprintf(stream, "# not complete: %s: counts up to then\n", report->early);
    else if (report->early != NULL)
        fprintf(stream, "%sNot complete: the program was %s; these are the counts up to then.\n\n",
                format == TABLE_TEXT ? " " : "\n", report->early);
}

enum armpmu_status sweep_print(const struct sweep_report *report,
                               const struct table_options *options, FILE *stream,
                               struct armpmu_error *err)
{
    const size_t n = report->machines->n_axes + report->events[0].count + report->metrics[0].n;
    struct table_column *const columns = calloc(n, sizeof *columns);
    const struct table_form form = {"sweep", "machines", columns, n, .has_headings = true};
    struct report_table t;

    if (columns == NULL)
        return fail_no_memory(err, "the report");
    make_columns(report, columns);
    print_before(report, options->format, stream);
    table_begin(&t, options, &form, stream);
    put_ending(&t, report);
    for (size_t i = 0; i < report->machines->n; i++)
        put_machine_row(&t, report, i);
    const enum armpmu_status status = table_end(&t, err);
    print_after(report, options->format, stream);
    free(columns);
    return status;
}

/* ---- results of other sweeps ---- */

static bool is_count(const char *text)
{
    return *text != '\0' && strspn(text, "0123456789") == strlen(text) && strlen(text) < 19;
}

/* A metric, or none: "0.552641", "". */
static bool is_real(const char *text)
{
    char *end;

    (void)strtod(text, &end);
    return *end == '\0' && text[strspn(text, "-.0123456789")] == '\0';
}

static bool all_cells(const struct sweep_results *r, size_t i, bool (*is_it)(const char *text))
{
    bool all = r->n > r->n_columns;

    for (size_t cell = i + r->n_columns; cell < r->n && all; cell += r->n_columns)
        all = is_it(r->cells[cell]);
    return all;
}

/* A column of numbers alone is one of numbers. */
static void make_cell_column(const struct sweep_results *r, size_t i, struct table_column *column)
{
    const bool has_counts = all_cells(r, i, is_count);

    *column = (struct table_column){.key = r->cells[i],
                                    .is_right = has_counts || all_cells(r, i, is_real),
                                    .is_separated = has_counts,
                                    .gap = i > 0 ? 2 : 1};
}

static void put_cell(struct report_table *t, const struct table_column *column, const char *text)
{
    if (column->is_separated)
        table_count(t, column->key, strtoull(text, NULL, 10));
    else if (column->is_right && table_is_json(t))
        table_real(t, column->key, *text != '\0' ? strtod(text, NULL) : NAN);
    else
        table_text(t, column->key, text);
}

enum armpmu_status sweep_print_results(const struct sweep_results *r,
                                       const struct table_options *options, FILE *stream,
                                       struct armpmu_error *err)
{
    struct table_column *const columns = calloc(r->n_columns, sizeof *columns);
    const struct table_form form = {"sweep-gathered", "machines", columns, r->n_columns,
                                    .has_headings = true};
    struct report_table t;

    if (columns == NULL)
        return fail_no_memory(err, "the table of the sweep");
    for (size_t i = 0; i < r->n_columns; i++)
        make_cell_column(r, i, &columns[i]);
    table_begin(&t, options, &form, stream);
    for (size_t i = r->n_columns; i < r->n; i++) {
        const struct table_column *const column = &columns[i % r->n_columns];
        if (column == columns)
            table_row(&t);
        put_cell(&t, column, r->cells[i]);
    }
    const enum armpmu_status status = table_end(&t, err);
    free(columns);
    return status;
}

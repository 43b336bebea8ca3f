#include "cli/report/sweep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory_stream.h"
#include "base/printable.h"
#include "cli/table/csv.h"
#include "cli/report/json_build.h"
#include "cli/machine_text.h"
#include "cli/text_wrap.h"

uint64_t sweep_count(const struct sweep_report *report, size_t machine, size_t event)
{
    const uint64_t *const signals = machine == 0 ? report->first : report->others[machine - 1];

    return armpmu_event_count(report->events[machine].items[event].event, signals);
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
    FILE *const stream = open_memstream(&text, &size);
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
        done = fclose(stream) == 0 && done;
    if (done)
        return text;
    free(text);
    return NULL;
}

/* ---- text ---- */

static int axis_width(const struct sweep_axis *axis)
{
    int width = text_wrap_longest(0, axis->key);

    for (size_t i = 0; i < axis->n; i++)
        width = text_wrap_longest(width, axis->values[i]);
    return width;
}

static int event_width(const struct sweep_report *report, size_t event)
{
    int width = text_wrap_longest(0, label(report, event));

    for (size_t i = 0; i < report->machines->n; i++) {
        char text[TEXT_WRAP_COUNT];
        text_wrap_count(sweep_count(report, i, event), true, text);
        width = text_wrap_longest(width, text);
    }
    return width;
}

static void print_heads(const struct sweep_report *report, FILE *stream)
{
    const struct sweep_machines *const machines = report->machines;

    fprintf(stream, "\n armpmu sweep: %zu machines, one execution of '", machines->n);
    printable_put(report->argv[0], stream);
    fputs("'\n\n", stream);
    for (size_t i = 0; i < machines->n_axes; i++)
        fprintf(stream, " %-*s ", axis_width(&machines->axes[i]), machines->axes[i].key);
    for (size_t i = 0; i < report->events[0].count; i++)
        fprintf(stream, " %*s", event_width(report, i), label(report, i));
    fputc('\n', stream);
}

static void print_text(const struct sweep_report *report, FILE *stream)
{
    const struct sweep_machines *const machines = report->machines;

    print_heads(report, stream);
    for (size_t i = 0; i < machines->n; i++) {
        for (size_t axis = 0; axis < machines->n_axes; axis++)
            fprintf(stream, " %-*s ", axis_width(&machines->axes[axis]),
                    sweep_machines_value(machines, i, axis));
        for (size_t event = 0; event < report->events[0].count; event++) {
            char text[TEXT_WRAP_COUNT];
            text_wrap_count(sweep_count(report, i, event), true, text);
            fprintf(stream, " %*s", event_width(report, event), text);
        }
        fputc('\n', stream);
    }
    fputc('\n', stream);
    if (report->early != NULL)
        fprintf(stream, " Not complete: the program was %s; these are the counts up to then.\n\n",
                report->early);
}

/* ---- separated values ---- */

/* program: NULL, or a first column. */
static void print_csv_rows(const struct sweep_report *report, const char *program, FILE *stream)
{
    const struct sweep_machines *const machines = report->machines;

    fputs(program != NULL ? "program," : "", stream);
    for (size_t i = 0; i < machines->n_axes; i++) {
        csv_field(machines->axes[i].key, ",", stream);
        fputc(',', stream);
    }
    for (size_t i = 0; i < report->events[0].count; i++) {
        fputs(i > 0 ? "," : "", stream);
        csv_field(label(report, i), ",", stream);
    }
    fputc('\n', stream);
    for (size_t i = 0; i < machines->n; i++) {
        if (program != NULL) {
            csv_field(program, ",", stream);
            fputc(',', stream);
        }
        for (size_t axis = 0; axis < machines->n_axes; axis++) {
            csv_field(sweep_machines_value(machines, i, axis), ",", stream);
            fputc(',', stream);
        }
        for (size_t event = 0; event < report->events[0].count; event++)
            fprintf(stream, "%s%" PRIu64, event > 0 ? "," : "", sweep_count(report, i, event));
        fputc('\n', stream);
    }
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

static void print_csv(const struct sweep_report *report, FILE *stream)
{
    if (report->identity != NULL)
        print_comments(report->identity, stream);
    print_csv_rows(report, NULL, stream);
    if (report->identity != NULL && report->early == NULL)
        fputs("# complete\n", stream);
    if (report->early != NULL)
        fprintf(stream, "# not complete: %s: counts up to then\n", report->early);
}

/* ---- JSON ---- */

static json_t *settings_json(const struct sweep_machines *machines, size_t machine)
{
    json_t *object = json_object();

    for (size_t i = 1; i < machines->n_axes; i++)
        object = build_put(object, machines->axes[i].key,
                           build_text(sweep_machines_value(machines, machine, i)));
    return object;
}

static json_t *machine_json(const struct sweep_report *report, size_t machine)
{
    json_t *object = json_object(), *counts = json_object();

    for (size_t event = 0; event < report->events[0].count; event++)
        counts = build_put(counts, label(report, event),
                           json_integer((json_int_t)sweep_count(report, machine, event)));
    object = build_put(object, "machine",
                       build_text(sweep_machines_value(report->machines, machine, 0)));
    object = build_put(object, "settings", settings_json(report->machines, machine));
    return build_put(object, "counts", counts);
}

static bool print_json(const struct sweep_report *report, FILE *stream)
{
    json_t *document = json_object(), *rows = json_array();

    for (size_t i = 0; i < report->machines->n; i++)
        rows = build_append(rows, machine_json(report, i));
    document = build_put(document, "program", build_text(report->argv[0]));
    document = build_put(document, "is-complete", json_boolean(report->early == NULL));
    if (report->early != NULL)
        document = build_put(document, "ended-early", json_string(report->early));
    return build_print(build_put(document, "machines", rows), stream);
}

/* ---- SQLite ---- */

static enum armpmu_status print_sqlite(const struct sweep_report *report, FILE *stream,
                                       struct armpmu_error *err)
{
    char *text = NULL;
    size_t n_bytes = 0;
    enum armpmu_status status = ARMPMU_NO_MEMORY;

    if (report->early != NULL)
        return fail(err, ARMPMU_IO,
                    "the program was %s: a database has only counts of whole runs, and none was "
                    "written; --format csv or json shows the counts up to then",
                    report->early);
    FILE *const memory = open_memstream(&text, &n_bytes);
    if (memory != NULL)
        print_csv_rows(report, report->argv[0], memory);
    if (memory != NULL && memory_stream_close(memory, &text))
        status = sweep_table_print(text, n_bytes, SWEEP_SQLITE, stream, err);
    else
        (void)!fail(err, status, "out of memory for the report");
    free(text);
    return status;
}

enum armpmu_status sweep_print(const struct sweep_report *report, enum sweep_format format,
                               FILE *stream, struct armpmu_error *err)
{
    bool printed = true;

    switch (format) {
    case SWEEP_TEXT:
        print_text(report, stream);
        break;
    case SWEEP_CSV:
        print_csv(report, stream);
        break;
    case SWEEP_SQLITE:
        return print_sqlite(report, stream, err);
    case SWEEP_JSON:
        printed = print_json(report, stream);
        break;
    }
    return printed ? ARMPMU_OK : fail_no_memory(err, "the report");
}

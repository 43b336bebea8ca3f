/* {what was run, "sections": [{"events": [...]}, ...], how it ended}, an event a line. It is
 * written as the sections come, so that intervals can be watched; it is whole when the run has
 * ended. */
#include "cli/report/stat_document.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/machine_text.h"
#include "cli/report/json_build.h"
#include "cli/report/topdown.h"

static json_t *real(double value)
{
    return json_real(round(value * 1e9) / 1e9);
}

static char *dump(json_t *object)
{
    char *const text =
        object != NULL
            ? json_dumps(object, JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15) | JSON_ENSURE_ASCII)
            : NULL;

    json_decref(object);
    return text;
}

/* Takes over the object, and prints it without its first or last so many characters. */
static bool put(json_t *object, size_t first, size_t last, FILE *stream)
{
    char *const text = dump(object);
    const bool done = text != NULL;

    if (done)
        fprintf(stream, "%.*s", (int)(strlen(text) - first - last), text + first);
    free(text);
    return done;
}

/* ---- what was run ---------------------------------------------------------------------------- */

static json_t *machine_json(const struct report *report)
{
    const struct armpmu_machine *const machine = report->machine;
    char *const text = machine_text(machine);
    char hash[MACHINE_HASH_SIZE] = "";
    json_t *object = json_object();

    if (text != NULL)
        machine_hash(text, hash);
    object = build_put(object, "name", build_text(armpmu_machine_name(machine)));
    object = build_put(object, "asked", build_text(report->machine_choice));
    if (armpmu_machine_settings(machine)[0] != '\0')
        object = build_put(object, "settings", json_string(armpmu_machine_settings(machine)));
    object = build_put(object, "core", json_string(armpmu_machine_core(machine)->name));
    object = build_put(object, "hash", text != NULL ? json_string(hash) : NULL);
    object = build_put(object, "clock-mhz", json_integer(armpmu_machine_clock_mhz(machine)));
    free(text);
    return object;
}

static json_t *command_json(const struct report *report)
{
    json_t *array = json_array();

    for (size_t i = 0; report->argv[i] != NULL; i++)
        array = build_append(array, build_text(report->argv[i]));
    return array;
}

static const char *mode_name(const struct report *report)
{
    return report->by_mode ? "machine" : report->mode == MODE_HW ? "hw" : "all";
}

/* Events that no core has, which were asked for. */
static json_t *add_not_supported(const struct event_list *events, json_t *object)
{
    json_t *array = json_array();

    for (size_t i = 0; i < events->count; i++)
        if (event_is_software(events->items[i].event))
            array = build_append(array, build_text(events->items[i].echo));
    if (array == NULL || json_array_size(array) > 0)
        return build_put(object, "not-supported", array);
    json_decref(array);
    return object;
}

static bool document_begin(const struct report *report, FILE *stream)
{
    const char *const seed = armpmu_machine_value(report->machine, "random.seed");
    json_t *object = build_put(json_object(), "schema", json_string(DOCUMENT_SCHEMA));

    object = build_put(object, "schema-version", json_integer(DOCUMENT_VERSION));
    object = build_put(object, "armpmu", json_string(armpmu_version));
    object = build_put(object, "machine", machine_json(report));
    if (seed != NULL)
        object = build_put(object, "seed", json_integer((json_int_t)strtoull(seed, NULL, 0)));
    object = build_put(object, "command", command_json(report));
    object = build_put(object, "stable", json_boolean(report->is_stable));
    object = build_put(object, "mode", json_string(mode_name(report)));
    object = add_not_supported(report->events, object);
    const bool done = put(object, 0, 1, stream);
    fputs(",\n\"sections\": [", stream);
    return done;
}

/* ---- events ---------------------------------------------------------------------------------- */

static json_t *metrics_json(const struct report_row *row)
{
    json_t *array = json_array();

    for (size_t i = 0; i < row->n_metrics; i++) {
        json_t *metric = build_put(json_object(), "name", json_string(row->metrics[i].name));
        metric = build_put(metric, "value", real(row->metrics[i].value));
        metric = build_put(metric, "unit", json_string(row->metrics[i].unit));
        array = build_append(array, metric);
    }
    return array;
}

static json_t *add_counter(const struct report_row *row, json_t *object)
{
    object = build_put(object, "counter", json_string(row->counter));
    object = build_put(object, "counter-value", json_integer((json_int_t)row->counter_value));
    return build_put(object, "overflows", json_integer((json_int_t)row->overflows));
}

static json_t *event_json(const struct report *report, const struct report_row *row)
{
    char number[8];
    const bool is_counted = row->state == REPORT_COUNTED;
    json_t *object = build_put(json_object(), "event", json_string(row->event->name));

    snprintf(number, sizeof number, "0x%02x", row->event->first);
    if (row->asked != NULL)
        object = build_put(object, "asked", build_text(row->asked));
    if (strcmp(row->label, row->event->name) != 0)
        object = build_put(object, "label", build_text(row->label));
    object = build_put(object, "number", json_string(number));
    object =
        build_put(object, "count", is_counted ? json_integer((json_int_t)row->count) : json_null());
    object = build_put(object, "unit", json_string(armpmu_unit_name(row->event->unit)));
    object = build_put(object, "fidelity", json_string(report_fidelity(report, row->event)));
    if (!is_counted)
        return build_put(object, "state", json_string(report_state_text(row->state)));
    if (report->runs > 1)
        object = build_put(object, "variance", real(row->deviation));
    if (report->has_medians) {
        object = build_put(object, "min", json_integer((json_int_t)row->least));
        object = build_put(object, "max", json_integer((json_int_t)row->most));
    }
    if (report->mode == MODE_HW)
        object = add_counter(row, object);
    return build_put(object, "metrics", metrics_json(row));
}

static bool put_topdown(const struct report_section *section, FILE *stream)
{
    struct topdown_node nodes[TOPDOWN_NODES_MAX];
    const size_t n = section->topdown != NULL ? topdown_nodes(section, nodes) : 0;
    bool done = true;

    for (size_t i = 0; i < n && done; i++) {
        json_t *object = build_put(json_object(), "group", json_string(nodes[i].group));
        if (nodes[i].depth > 1)
            object = build_put(object, "cause", json_string(nodes[i].name));
        object = build_put(object, "cycles", json_integer((json_int_t)nodes[i].cycles));
        object = build_put(object, "percent", real(nodes[i].share));
        fputs(i == 0 ? ", \"topdown\": [\n" : ",\n", stream);
        done = put(object, 0, 0, stream);
    }
    fputs(n > 0 ? "]" : "", stream);
    return done;
}

static bool put_section(const struct report *report, const struct report_section *section,
                        const char *mode, bool is_first, FILE *stream)
{
    json_t *object = json_object();

    if (report->intervals)
        object = build_put(object, "interval", real(section->seconds));
    if (section->thread != NULL)
        object = build_put(object, report->per_process ? "process" : "thread",
                           build_text(section->thread));
    if (report->per_cpu)
        object = build_put(object, "cpu", json_integer(section->cpu));
    if (report->by_mode)
        object = build_put(object, "mode", json_string(mode));
    object = build_put(object, "runtime-ns", json_integer((json_int_t)section->runtime_ns));
    fputs(is_first ? "\n" : ",\n", stream);
    bool done = put(object, 0, 1, stream);
    fputs(", \"events\": [", stream);
    for (size_t i = 0, n = 0; i < section->n_rows && done; i++) {
        if (section->rows[i].state == REPORT_NOT_SUPPORTED)
            continue; /* document_begin has named it */
        fputs(n++ == 0 ? "\n" : ",\n", stream);
        done = put(event_json(report, &section->rows[i]), 0, 0, stream);
    }
    fputc(']', stream);
    done = done && put_topdown(section, stream);
    fputc('}', stream);
    return done;
}

static bool document_section(const struct report *report, const struct report_section *section,
                             FILE *stream)
{
    bool done = put_section(report, section, "all", section->is_first, stream);

    if (!report->by_mode)
        return done;
    done = done && put_section(report, section->user, "user", false, stream);
    return done && put_section(report, section->privileged, "privileged", false, stream);
}

/* ---- how it ended ---------------------------------------------------------------------------- */

static bool document_end(const struct report *report, FILE *stream)
{
    const char *const cores = report->by_mode ? "processors" : "threads";
    json_t *object = build_put(json_object(), "runs", json_integer(report->runs_done));

    if (report->has_medians)
        object = build_put(object, "layouts", json_integer(report->runs));
    object = build_put(object, "seconds", real(report->seconds));
    object = build_put(object, cores, json_integer((json_int_t)report->n_threads));
    if (!report->by_mode) {
        object = build_put(object, "processes", json_integer(report->n_processes));
        object = build_put(object, "executed-programs", json_integer(report->n_programs));
    }
    object = build_put(object, "exit-status", json_integer(report->exit_status));
    object = build_put(object, "complete", json_boolean(report_is_complete(report)));
    if (report->is_killed)
        object = build_put(object, "killed", json_integer(report->signal));
    if (report->timed_out)
        object = build_put(object, "timed-out", json_true());
    if (report->interrupted != 0)
        object = build_put(object, "interrupted", json_integer(report->interrupted));
    object = build_put(object, "uncounted-programs", json_integer(report->n_execs));
    if (report->n_helper_calls > 0)
        object = build_put(object, "uncounted-helper-calls",
                           json_integer((json_int_t)report->n_helper_calls));
    if (report->lacks_registers)
        object = build_put(object, "no-registers", json_true());
    fputs("],\n", stream);
    const bool done = put(object, 1, 0, stream);
    fputc('\n', stream);
    return done;
}

const struct report_printer print_document = {document_begin, document_section, document_end, NULL};

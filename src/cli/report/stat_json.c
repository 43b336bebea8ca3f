/* One JSON object a line and event (--json=1: stat_document.c), with the keys of `perf stat -j` and
 * then ours.
 *
 * perf's: interval (-I), thread (--per-thread), process (--per-process), cpu (--per-cpu),
 * counter-value (a string), unit, event (as it was asked for), variance (-r), event-runtime,
 * pcnt-running, metric-value, metric-unit. As in perf 6, a further metric of the event has a line
 * of its own, with the last two alone. Ours: mode (of a machine), name (the canonical one), number,
 * fidelity, counter, overflows and true-count (--mode hw), machine; for --topdown, in place of an
 * event: topdown (a group) and cause (a leaf of it); and where they are true:
 * interrupted, killed (a signal), timed-out, cut-short, uncounted-programs. */
#include "cli/report/report.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cli/report/json_build.h"
#include "cli/report/stat_document.h"
#include "cli/report/topdown.h"

/* Six decimals, as perf's "%f": enough for every figure, and the same text on every host. */
static json_t *real(double value)
{
    return json_real(round(value * 1e6) / 1e6);
}

/* perf writes counts as strings, which also keeps all 64 bits in every reader. */
static json_t *count_string(uint64_t count)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, count);
    return json_string(text);
}

static json_t *add_prefix(const struct report *report, const struct report_section *section,
                          const char *mode, json_t *object)
{
    if (report->intervals)
        object = build_put(object, "interval", json_real(round(section->seconds * 1e9) / 1e9));
    if (section->thread != NULL)
        object = build_put(object, report->per_process ? "process" : "thread",
                           build_text(section->thread));
    if (report->per_cpu)
        object = build_put(object, "cpu", json_sprintf("%u", section->cpu));
    if (report->by_mode)
        object = build_put(object, "mode", json_string(mode));
    return object;
}

static json_t *add_counts(const struct report *report, const struct report_section *section,
                          const struct report_row *row, json_t *object)
{
    bool counted = row->state == REPORT_COUNTED;
    uint64_t count = report->mode == MODE_HW ? row->counter_value : row->count;

    object = build_put(object, "counter-value",
                       counted ? count_string(count) : json_string(report_state_text(row->state)));
    object = build_put(object, "unit", json_string(report_unit(row)));
    object = build_put(object, "event", build_text(row->echo));
    if (report->runs > 1)
        object = build_put(object, "variance", real(row->deviation));
    if (report->has_medians && counted) {
        object = build_put(object, "min", count_string(row->least));
        object = build_put(object, "max", count_string(row->most));
    }
    object = build_put(object, "event-runtime",
                       json_integer(counted ? (json_int_t)section->runtime_ns : 0));
    object = build_put(object, "pcnt-running", real(100));
    return object;
}

/* perf writes these as strings as well, with "%f". */
static json_t *add_metric(const struct report_metric *metric, json_t *object)
{
    char value[64];

    snprintf(value, sizeof value, "%f", metric->value);
    object = build_put(object, "metric-value", json_string(value));
    return build_put(object, "metric-unit", json_string(metric->unit));
}

static json_t *add_first_metric(const struct report_row *row, json_t *object)
{
    static const struct report_metric none = {.unit = ""};

    return add_metric(row->n_metrics > 0 ? &row->metrics[0] : &none, object);
}

/* Of the run. */
static json_t *add_run(const struct report *report, json_t *object)
{
    object = build_put(object, "machine", build_text(armpmu_machine_name(report->machine)));
    if (armpmu_machine_settings(report->machine)[0] != '\0')
        object =
            build_put(object, "settings", json_string(armpmu_machine_settings(report->machine)));
    if (report->interrupted)
        object = build_put(object, "interrupted", json_true());
    if (report->is_killed)
        object = build_put(object, "killed", json_integer(report->signal));
    if (report->timed_out)
        object = build_put(object, "timed-out", json_true());
    if (report->cut_short)
        object = build_put(object, "cut-short", json_true());
    if (report->n_execs > 0)
        object = build_put(object, "uncounted-programs", json_integer(report->n_execs));
    if (report->n_helper_calls > 0)
        object = build_put(object, "uncounted-helper-calls",
                           json_integer((json_int_t)report->n_helper_calls));
    return object;
}

static json_t *add_ours(const struct report *report, const struct report_row *row, json_t *object)
{
    char number[8];

    snprintf(number, sizeof number, "0x%02x", row->event->first);
    if (row->state != REPORT_NOT_SUPPORTED) {
        object = build_put(object, "name", json_string(row->event->name));
        object = build_put(object, "number", json_string(number));
        object = build_put(object, "fidelity", json_string(report_fidelity(report, row->event)));
    }
    if (report->mode == MODE_HW && row->state == REPORT_COUNTED) {
        object = build_put(object, "counter", json_string(row->counter));
        object = build_put(object, "overflows", json_integer((json_int_t)row->overflows));
        object = build_put(object, "true-count", count_string(row->count));
    }
    return add_run(report, object);
}

static bool print_object(const struct report *report, const struct report_section *section,
                         size_t i, const char *mode, FILE *stream)
{
    json_t *object = json_object();

    object = add_prefix(report, section, mode, object);
    object = add_counts(report, section, &section->rows[i], object);
    object = add_first_metric(&section->rows[i], object);
    object = add_ours(report, &section->rows[i], object);
    bool done = build_print_line(object, stream);
    for (size_t m = 1; m < section->rows[i].n_metrics && done; m++) {
        object = add_prefix(report, section, mode, json_object());
        done = build_print_line(add_metric(&section->rows[i].metrics[m], object), stream);
    }
    return done;
}

static bool print_node(const struct report *report, const struct report_section *section,
                       const struct topdown_node *node, FILE *stream)
{
    json_t *object = add_prefix(report, section, "all", json_object());

    object = build_put(object, "counter-value", count_string(node->cycles));
    object = build_put(object, "unit", json_string("cycles"));
    object = build_put(object, "topdown", json_string(node->group));
    if (node->depth > 1)
        object = build_put(object, "cause", json_string(node->name));
    object =
        add_metric(&(struct report_metric){.value = node->share, .unit = "% of cycles"}, object);
    return build_print_line(add_run(report, object), stream);
}

static bool print_topdown(const struct report *report, const struct report_section *section,
                          FILE *stream)
{
    struct topdown_node nodes[TOPDOWN_NODES_MAX];
    const size_t n = section->topdown != NULL ? topdown_nodes(section, nodes) : 0;
    bool done = true;

    for (size_t i = 0; i < n && done; i++)
        done = print_node(report, section, &nodes[i], stream);
    return done;
}

/* --json=1: the document. */
static bool is_document(const struct report *report)
{
    return report->argument != NULL;
}

static bool json_begin(const struct report *report, FILE *stream)
{
    return !is_document(report) || print_document.begin(report, stream);
}

static bool json_section(const struct report *report, const struct report_section *section,
                         FILE *stream)
{
    bool done = true;

    if (is_document(report))
        return print_document.section(report, section, stream);
    for (size_t i = 0; i < section->n_rows && done; i++) {
        done = print_object(report, section, i, "all", stream);
        if (report->by_mode)
            done = done && print_object(report, section->user, i, "user", stream) &&
                   print_object(report, section->privileged, i, "privileged", stream);
    }
    return done && print_topdown(report, section, stream);
}

static bool json_end(const struct report *report, FILE *stream)
{
    return !is_document(report) || print_document.end(report, stream);
}

static enum armpmu_status json_take(const char *option, const char *value, const char **argument,
                                    struct armpmu_error *err)
{
    if (value != NULL && strcmp(value, "1") != 0)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "%s '%.40s': there is version 1 of the document; without a value, an object a "
                    "line",
                    option, value);
    *argument = value;
    return ARMPMU_OK;
}

const struct report_printer print_json = {json_begin, json_section, json_end, json_take};

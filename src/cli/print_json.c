/* One JSON object a line and event, with the keys of `perf stat -j` and then ours.
 *
 * perf's: interval (-I), thread (--per-thread), cpu (--per-cpu), counter-value (a string), unit,
 * event, variance (-r), event-runtime, pcnt-running, metric-value, metric-unit. Ours: mode (of a
 * machine), metrics (the further metrics of the event), number, fidelity, counter, overflows and
 * true-count (--mode hw), machine; and where they are true: interrupted, cut-short,
 * uncounted-programs. */
#include "cli/report.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "cli/json_build.h"

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

static void add_prefix(const struct report *report, const struct report_section *section,
                       const char *mode, json_t *object)
{
    if (report->intervals)
        json_object_set_new(object, "interval", json_real(round(section->seconds * 1e9) / 1e9));
    if (section->thread != NULL)
        json_object_set_new(object, "thread", build_text(section->thread));
    if (report->per_cpu)
        json_object_set_new(object, "cpu", json_sprintf("%u", section->cpu));
    if (report->by_mode)
        json_object_set_new(object, "mode", json_string(mode));
}

static void add_counts(const struct report *report, const struct report_section *section,
                       const struct report_row *row, json_t *object)
{
    bool counted = row->state == REPORT_COUNTED;
    uint64_t count = report->mode == MODE_HW ? row->counter_value : row->count;

    json_object_set_new(object, "counter-value",
                        counted ? count_string(count) : json_string(report_state_text(row->state)));
    json_object_set_new(object, "unit", json_string(armpmu_unit_name(row->event->unit)));
    json_object_set_new(object, "event", build_text(row->label));
    if (report->runs > 1)
        json_object_set_new(object, "variance", real(row->deviation));
    json_object_set_new(object, "event-runtime",
                        json_integer(counted ? (json_int_t)section->runtime_ns : 0));
    json_object_set_new(object, "pcnt-running", real(100));
}

static void add_metrics(const struct report_row *row, json_t *object)
{
    json_object_set_new(object, "metric-value",
                        real(row->n_metrics > 0 ? row->metrics[0].value : 0));
    json_object_set_new(object, "metric-unit",
                        json_string(row->n_metrics > 0 ? row->metrics[0].unit : ""));
    if (row->n_metrics < 2)
        return;
    json_t *more = json_array();
    for (size_t i = 1; i < row->n_metrics; i++) {
        json_t *metric = json_object();
        json_object_set_new(metric, "metric-value", real(row->metrics[i].value));
        json_object_set_new(metric, "metric-unit", json_string(row->metrics[i].unit));
        json_array_append_new(more, metric);
    }
    json_object_set_new(object, "metrics", more);
}

static void add_ours(const struct report *report, const struct report_row *row, json_t *object)
{
    char number[8];

    snprintf(number, sizeof number, "0x%02x", row->event->first);
    json_object_set_new(object, "number", json_string(number));
    json_object_set_new(object, "fidelity",
                        json_string(armpmu_fidelity_name(row->event->fidelity)));
    if (report->mode == MODE_HW && row->state == REPORT_COUNTED) {
        json_object_set_new(object, "counter", json_string(row->counter));
        json_object_set_new(object, "overflows", json_integer((json_int_t)row->overflows));
        json_object_set_new(object, "true-count", count_string(row->count));
    }
    json_object_set_new(object, "machine", build_text(armpmu_machine_name(report->machine)));
    if (report->interrupted)
        json_object_set_new(object, "interrupted", json_true());
    if (report->cut_short)
        json_object_set_new(object, "cut-short", json_true());
    if (report->n_execs > 0)
        json_object_set_new(object, "uncounted-programs", json_integer(report->n_execs));
}

static void json_begin(const struct report *report, FILE *stream)
{
    (void)report;
    (void)stream;
}

static void print_object(const struct report *report, const struct report_section *section,
                         size_t i, const char *mode, FILE *stream)
{
    json_t *object = json_object();

    add_prefix(report, section, mode, object);
    add_counts(report, section, &section->rows[i], object);
    add_metrics(&section->rows[i], object);
    add_ours(report, &section->rows[i], object);
    if (object != NULL &&
        json_dumpf(object, stream,
                   JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15) | JSON_ENSURE_ASCII) == 0)
        fputc('\n', stream);
    json_decref(object);
}

static void json_section(const struct report *report, const struct report_section *section,
                         FILE *stream)
{
    for (size_t i = 0; i < section->n_rows; i++) {
        print_object(report, section, i, "all", stream);
        if (!report->by_mode)
            continue;
        print_object(report, section->user, i, "user", stream);
        print_object(report, section->privileged, i, "privileged", stream);
    }
}

static void json_end(const struct report *report, FILE *stream)
{
    (void)report;
    (void)stream;
}

const struct report_printer print_json = {json_begin, json_section, json_end};

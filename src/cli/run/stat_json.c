/* One JSON object a line and event (--json=1: stat_document.c), with the keys of `perf stat -j` and
 * then ours.
 *
 * perf's: interval (-I), thread (--per-thread), process (--per-process), cpu (--per-cpu),
 * counter-value (a string), unit, event (as it was asked for), variance (-r), event-runtime,
 * pcnt-running, metric-value, metric-unit. As in perf 6, a further metric of the event has a line
 * of its own, with the last two alone. Ours: mode (of a machine), name (the canonical one), number,
 * fidelity, counter, overflows and true-count (--mode hw), machine; for --topdown, in place of an
 * event: topdown (a group) and cause (a leaf of it); for --methodology methodology (a metric), and
 * group (of the second stage) or highest (of the first); and where they are true:
 * interrupted, killed (a signal), timed-out, cut-short, uncounted-programs. */
#include "cli/run/report.h"

#include <inttypes.h>

#include "cli/run/methodology.h"
#include "cli/run/topdown.h"
#include "cli/table/json.h"

/* perf writes counts as strings, which also keeps all 64 bits in every reader. */
static void put_count(struct json_writer *w, const char *key, uint64_t count)
{
    char text[24];

    snprintf(text, sizeof text, "%" PRIu64, count);
    json_put_text(w, key, text);
}

static void put_prefix(const struct report *report, const struct report_section *section,
                       const char *mode, struct json_writer *w)
{
    if (report->intervals)
        json_put_nano(w, "interval", section->seconds);
    if (section->thread != NULL)
        json_put_text(w, report_part(report), section->thread);
    if (report->per_cpu)
        put_count(w, "cpu", section->cpu);
    if (report->by_mode)
        json_put_text(w, "mode", mode);
}

static void put_counts(const struct report *report, const struct report_section *section,
                       const struct report_row *row, struct json_writer *w)
{
    bool counted = row->state == REPORT_COUNTED;
    uint64_t count = report->mode == MODE_HW ? row->counter_value : row->count;

    if (counted)
        put_count(w, "counter-value", count);
    else
        json_put_text(w, "counter-value", report_state_text(row->state));
    json_put_text(w, "unit", report_unit(row));
    json_put_text(w, "event", row->echo);
    if (report->runs > 1)
        json_put_real(w, "variance", row->deviation);
    if (report->has_medians && counted) {
        put_count(w, "min", row->least);
        put_count(w, "max", row->most);
    }
    if (!report->lacks_time)
        json_put_integer(w, "event-runtime", counted ? (int64_t)section->runtime_ns : 0);
    json_put_real(w, "pcnt-running", 100);
}

/* perf writes these as strings as well, with "%f". */
static void put_metric(const struct report_metric *metric, struct json_writer *w)
{
    char value[64];

    snprintf(value, sizeof value, "%f", metric->value);
    json_put_text(w, "metric-value", value);
    json_put_text(w, "metric-unit", metric->shown);
}

static void put_first_metric(const struct report_row *row, struct json_writer *w)
{
    static const struct report_metric none = {.shown = ""};

    put_metric(row->n_metrics > 0 ? &row->metrics[0] : &none, w);
}

/* Members of the whole run. */
static void put_run(const struct report *report, struct json_writer *w)
{
    json_put_text(w, "machine", armpmu_machine_name(report->machine));
    if (armpmu_machine_settings(report->machine)[0] != '\0')
        json_put_text(w, "settings", armpmu_machine_settings(report->machine));
    if (report->result->interrupted)
        json_put_flag(w, "interrupted", true);
    if (report->result->killed != 0)
        json_put_integer(w, "killed", report_signal(report));
    if (report->result->timed_out)
        json_put_flag(w, "timed-out", true);
    if (report_is_cut(report))
        json_put_flag(w, "cut-short", true);
    if (report->result->n_execs > 0)
        json_put_integer(w, "uncounted-programs", report->result->n_execs);
    if (report->result->n_helper_calls > 0)
        json_put_integer(w, "uncounted-helper-calls", (int64_t)report->result->n_helper_calls);
}

static void put_ours(const struct report *report, const struct report_row *row,
                     struct json_writer *w)
{
    char number[8];

    snprintf(number, sizeof number, "0x%02x", row->event->first);
    if (row->state != REPORT_NOT_SUPPORTED) {
        json_put_text(w, "name", row->event->name);
        json_put_text(w, "number", number);
        json_put_text(w, "fidelity", report_fidelity(report, row->event));
    }
    if (report->mode == MODE_HW && row->state == REPORT_COUNTED) {
        json_put_text(w, "counter", row->counter);
        json_put_integer(w, "overflows", (int64_t)row->overflows);
        put_count(w, "true-count", row->count);
    }
    put_run(report, w);
}

/* A line: begun with what every line of the section has. */
static struct json_writer begin_line(const struct report *report,
                                     const struct report_section *section, const char *mode,
                                     FILE *stream)
{
    struct json_writer w;

    json_begin(&w, false, stream);
    json_open(&w, NULL, '{');
    put_prefix(report, section, mode, &w);
    return w;
}

static bool end_line(struct json_writer *w)
{
    json_close(w);
    fputc('\n', w->stream);
    return json_end(w);
}

static bool print_object(const struct report *report, const struct report_section *section,
                         size_t i, const char *mode, FILE *stream)
{
    const struct report_row *const row = &section->rows[i];
    struct json_writer w = begin_line(report, section, mode, stream);

    put_counts(report, section, row, &w);
    put_first_metric(row, &w);
    put_ours(report, row, &w);
    bool done = end_line(&w);
    for (size_t m = 1; m < row->n_metrics && done; m++) {
        w = begin_line(report, section, mode, stream);
        put_metric(&row->metrics[m], &w);
        done = end_line(&w);
    }
    return done;
}

static bool print_node(const struct report *report, const struct report_section *section,
                       const struct topdown_node *node, FILE *stream)
{
    struct json_writer w = begin_line(report, section, "all", stream);

    put_count(&w, "counter-value", node->cycles);
    json_put_text(&w, "unit", "cycles");
    json_put_text(&w, "topdown", node->group);
    if (node->depth > 1)
        json_put_text(&w, "cause", node->name);
    put_metric(&(struct report_metric){.value = node->share, .shown = "% of cycles"}, &w);
    put_run(report, &w);
    return end_line(&w);
}

static bool print_topdown(const struct report *report, const struct report_section *section,
                          FILE *stream)
{
    struct topdown_node nodes[TOPDOWN_NODES_MAX];
    const size_t n = report->topdown ? topdown_nodes(section, nodes) : 0;
    bool done = true;

    for (size_t i = 0; i < n && done; i++)
        done = print_node(report, section, &nodes[i], stream);
    return done;
}

static bool print_step(const struct report *report, const struct report_section *section,
                       const struct methodology_row *row, FILE *stream)
{
    struct json_writer w = begin_line(report, section, "all", stream);
    struct report_metric metric = {.value = row->value};

    json_put_text(&w, "methodology", row->metric->name);
    if (row->group != NULL)
        json_put_text(&w, "group", row->group);
    else
        json_put_flag(&w, "highest", row->is_highest);
    snprintf(metric.shown, sizeof metric.shown, "%s", row->metric->unit);
    put_metric(&metric, &w);
    put_run(report, &w);
    return end_line(&w);
}

static bool print_methodology(const struct report *report, const struct report_section *section,
                              FILE *stream)
{
    struct methodology_row rows[METHODOLOGY_ROWS_MAX];
    const size_t n = methodology_rows(report, section, rows);
    bool done = true;

    for (size_t i = 0; i < n && done; i++)
        done = print_step(report, section, &rows[i], stream);
    return done;
}

/* --json=1: the document. */
static bool is_document(const struct report *report)
{
    return report->argument != NULL;
}

static bool lines_begin(const struct report *report, FILE *stream)
{
    return !is_document(report) || print_document.begin(report, stream);
}

static bool lines_section(const struct report *report, const struct report_section *section,
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
    return done && print_topdown(report, section, stream) &&
           print_methodology(report, section, stream);
}

static bool lines_end(const struct report *report, FILE *stream)
{
    return !is_document(report) || print_document.end(report, stream);
}

static enum armpmu_status json_take(const char *option, const char *value, const char **argument,
                                    struct armpmu_error *err)
{
    *argument = value;
    return json_check_version(option, value, err);
}

const struct report_printer print_json = {lines_begin, lines_section, lines_end, json_take};

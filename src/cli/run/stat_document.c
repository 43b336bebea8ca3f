/* {what was run, "sections": [{"events": [...]}, ...], how it ended}, an event a line. It is
 * written as the sections come, so that intervals can be watched; it is whole when the run has
 * ended. */
#include "cli/run/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/machine_text.h"
#include "cli/run/methodology.h"
#include "cli/run/topdown.h"
#include "cli/table/json.h"

/* ---- what was run ---------------------------------------------------------------------------- */

static void put_machine(struct json_writer *w, const struct report *report)
{
    const struct armpmu_machine *const machine = report->machine;
    char *const text = machine_text(machine);
    char hash[MACHINE_HASH_SIZE] = "";

    if (text != NULL)
        machine_hash(text, hash);
    w->failed |= text == NULL;
    json_open(w, "machine", '{');
    json_put_text(w, "name", armpmu_machine_name(machine));
    json_put_text(w, "asked", report->machine_choice);
    if (armpmu_machine_settings(machine)[0] != '\0')
        json_put_text(w, "settings", armpmu_machine_settings(machine));
    json_put_text(w, "core", armpmu_machine_core(machine)->name);
    json_put_text(w, "hash", hash);
    json_put_integer(w, "clock-mhz", armpmu_machine_clock_mhz(machine));
    json_close(w);
    free(text);
}

static const char *mode_name(const struct report *report)
{
    return report->by_mode ? "machine" : report->mode == MODE_HW ? "hw" : "all";
}

/* Events that no core has, which were asked for. */
static void put_not_supported(struct json_writer *w, const struct event_list *events)
{
    bool is_open = false;

    for (size_t i = 0; i < events->count; i++) {
        if (!event_is_software(events->items[i].event))
            continue;
        if (!is_open)
            json_open(w, "not-supported", '[');
        is_open = true;
        json_put_text(w, NULL, events->items[i].echo);
    }
    if (is_open)
        json_close(w);
}

static bool document_begin(const struct report *report, FILE *stream)
{
    const char *const seed = armpmu_machine_value(report->machine, "random.seed");
    struct json_writer w;

    json_begin(&w, false, stream);
    json_open(&w, NULL, '{');
    json_put_text(&w, "schema", DOCUMENT_SCHEMA);
    json_put_integer(&w, "schema-version", DOCUMENT_VERSION);
    json_put_text(&w, "armpmu", armpmu_version);
    put_machine(&w, report);
    if (seed != NULL)
        json_put_integer(&w, "seed", (int64_t)strtoull(seed, NULL, 0));
    json_open(&w, "command", '[');
    for (size_t i = 0; report->argv[i] != NULL; i++)
        json_put_text(&w, NULL, report->argv[i]);
    json_close(&w);
    json_put_flag(&w, "stable", report->is_stable);
    json_put_text(&w, "mode", mode_name(report));
    put_not_supported(&w, report->events);
    fputs(",\n\"sections\": [", stream);
    return json_end(&w);
}

/* ---- events ---------------------------------------------------------------------------------- */

static void put_metrics(struct json_writer *w, const struct report_row *row)
{
    json_open(w, "metrics", '[');
    for (size_t i = 0; i < row->n_metrics; i++) {
        json_open(w, NULL, '{');
        json_put_text(w, "name", row->metrics[i].name);
        json_put_nano(w, "value", row->metrics[i].value);
        json_put_text(w, "unit", row->metrics[i].unit);
        json_close(w);
    }
    json_close(w);
}

static void put_counted(struct json_writer *w, const struct report *report,
                        const struct report_row *row)
{
    if (report->runs > 1)
        json_put_nano(w, "variance", row->deviation);
    if (report->has_medians) {
        json_put_integer(w, "min", (int64_t)row->least);
        json_put_integer(w, "max", (int64_t)row->most);
    }
    if (report->mode == MODE_HW) {
        json_put_text(w, "counter", row->counter);
        json_put_integer(w, "counter-value", (int64_t)row->counter_value);
        json_put_integer(w, "overflows", (int64_t)row->overflows);
    }
    put_metrics(w, row);
}

static bool put_event(const struct report *report, const struct report_row *row, FILE *stream)
{
    const bool is_counted = row->state == REPORT_COUNTED;
    struct json_writer w;
    char number[8];

    json_begin(&w, false, stream);
    json_open(&w, NULL, '{');
    json_put_text(&w, "event", row->event->name);
    if (row->asked != NULL)
        json_put_text(&w, "asked", row->asked);
    if (strcmp(row->label, row->event->name) != 0)
        json_put_text(&w, "label", row->label);
    snprintf(number, sizeof number, "0x%02x", row->event->first);
    json_put_text(&w, "number", number);
    if (is_counted)
        json_put_integer(&w, "count", (int64_t)row->count);
    else
        json_put_real(&w, "count", NAN); /* null */
    json_put_text(&w, "unit", armpmu_unit_name(row->event->unit));
    json_put_text(&w, "fidelity", report_fidelity(report, row->event));
    if (is_counted)
        put_counted(&w, report, row);
    else
        json_put_text(&w, "state", report_state_text(row->state));
    json_close(&w);
    return json_end(&w);
}

static bool put_topdown(const struct report *report, const struct report_section *section,
                        FILE *stream)
{
    struct topdown_node nodes[TOPDOWN_NODES_MAX];
    const size_t n = report->topdown ? topdown_nodes(section, nodes) : 0;
    bool done = true;

    for (size_t i = 0; i < n && done; i++) {
        struct json_writer w;
        fputs(i == 0 ? ", \"topdown\": [\n" : ",\n", stream);
        json_begin(&w, false, stream);
        json_open(&w, NULL, '{');
        json_put_text(&w, "group", nodes[i].group);
        if (nodes[i].depth > 1)
            json_put_text(&w, "cause", nodes[i].name);
        json_put_integer(&w, "cycles", (int64_t)nodes[i].cycles);
        json_put_nano(&w, "percent", nodes[i].share);
        json_close(&w);
        done = json_end(&w);
    }
    fputs(n > 0 ? "]" : "", stream);
    return done;
}

static bool put_methodology(const struct report *report, const struct report_section *section,
                            FILE *stream)
{
    struct methodology_row rows[METHODOLOGY_ROWS_MAX];
    const size_t n = methodology_rows(report, section, rows);
    bool done = true;

    for (size_t i = 0; i < n && done; i++) {
        struct json_writer w;
        fputs(i == 0 ? ", \"methodology\": [\n" : ",\n", stream);
        json_begin(&w, false, stream);
        json_open(&w, NULL, '{');
        if (rows[i].group != NULL)
            json_put_text(&w, "group", rows[i].group);
        else
            json_put_flag(&w, "highest", rows[i].is_highest);
        json_put_text(&w, "name", rows[i].metric->name);
        json_put_nano(&w, "value", rows[i].value);
        json_put_text(&w, "unit", rows[i].metric->unit);
        json_close(&w);
        done = json_end(&w);
    }
    fputs(n > 0 ? "]" : "", stream);
    return done;
}

static bool put_section(const struct report *report, const struct report_section *section,
                        const char *mode, bool is_first, FILE *stream)
{
    const bool has_head = report->intervals || section->thread != NULL || report->per_cpu ||
                          report->by_mode || !report->lacks_time;
    struct json_writer w;

    fputs(is_first ? "\n" : ",\n", stream);
    json_begin(&w, false, stream);
    json_open(&w, NULL, '{');
    if (report->intervals)
        json_put_nano(&w, "interval", section->seconds);
    if (section->thread != NULL)
        json_put_text(&w, report_part(report), section->thread);
    if (report->per_cpu)
        json_put_integer(&w, "cpu", section->cpu);
    if (report->by_mode)
        json_put_text(&w, "mode", mode);
    if (!report->lacks_time)
        json_put_integer(&w, "runtime-ns", (int64_t)section->runtime_ns);
    bool done = json_end(&w);
    fprintf(stream, "%s\"events\": [", has_head ? ", " : "");
    for (size_t i = 0, n = 0; i < section->n_rows && done; i++) {
        if (section->rows[i].state == REPORT_NOT_SUPPORTED)
            continue; /* document_begin has named it */
        fputs(n++ == 0 ? "\n" : ",\n", stream);
        done = put_event(report, &section->rows[i], stream);
    }
    fputc(']', stream);
    done = done && put_topdown(report, section, stream) && put_methodology(report, section, stream);
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

/* SYNC(shared-cache) */
static void put_sharing(struct json_writer *w, const struct armpmu_machine *machine)
{
    static const char *const own[] = {"instruction-fetches", "page-walks", "memory-bandwidth"};
    const char *const l2 = armpmu_machine_value(machine, "l2.shared");
    const bool is_l2 = l2 != NULL && strcmp(l2, "yes") == 0;

    json_open(w, "shared", '{');
    json_put_integer(w, "cores",
                     (int64_t)strtoull(armpmu_machine_value(machine, "cores.count"), NULL, 0));
    json_put_text(w, "cache", is_l2 ? "level-2" : "last-level");
    json_open(w, "not", '[');
    for (size_t i = 0; i < sizeof own / sizeof own[0] && !is_l2; i++)
        json_put_text(w, NULL, own[i]);
    if (is_l2)
        json_put_text(w, NULL, "fill-buffers");
    json_close(w);
    json_close(w);
}

static void put_versions(struct json_writer *w, const struct versions *versions)
{
    json_open(w, "versions", '{');
    for (size_t i = 0; i < VERSIONS; i++)
        if (versions->text[i][0] != '\0')
            json_put_text(w, version_keys[i], versions->text[i]);
    json_close(w);
}

static bool document_end(const struct report *report, FILE *stream)
{
    const char *const cores = report->by_mode ? "processors" : "threads";
    struct json_writer w;

    fputs("],\n", stream);
    json_begin(&w, false, stream);
    json_resume(&w);
    json_put_integer(&w, "runs", report->runs_done);
    if (report->has_medians)
        json_put_integer(&w, "layouts", report->runs);
    if (!report->lacks_time)
        json_put_nano(&w, "seconds", report->seconds);
    json_put_integer(&w, cores, (int64_t)report->result->n_threads);
    if (!report->by_mode) {
        json_put_integer(&w, "processes", report->result->n_processes);
        json_put_integer(&w, "executed-programs", report->result->n_programs);
    }
    json_put_integer(&w, "exit-status", report->exit_status);
    json_put_flag(&w, "complete", report_is_complete(report));
    if (report->result->killed != 0)
        json_put_integer(&w, "killed", report_signal(report));
    if (report->result->timed_out)
        json_put_flag(&w, "timed-out", true);
    if (report->result->interrupted != 0)
        json_put_integer(&w, "interrupted", report->result->interrupted);
    json_put_integer(&w, "uncounted-programs", report->result->n_execs);
    if (report->result->n_helper_calls > 0)
        json_put_integer(&w, "uncounted-helper-calls", (int64_t)report->result->n_helper_calls);
    if (report->versions != NULL)
        put_versions(&w, report->versions);
    if (report->result->shares_cache)
        put_sharing(&w, report->machine);
    if (report->result->lacks_registers)
        json_put_flag(&w, "no-registers", true);
    json_close(&w);
    fputc('\n', stream);
    return json_end(&w);
}

const struct report_printer print_document = {document_begin, document_section, document_end, NULL};

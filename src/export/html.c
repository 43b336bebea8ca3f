/* A report as one page without a network: header, events and metrics, where cycles go,
 * flame graph, functions, maps of misses, source and timeline. html/ has the page, its style and
 * its script, which embed.py joins; this file writes the data between them. The page also draws
 * what others give it: changes of armpmu diff, results of armpmu sweep, commits of armpmu trend.
 *
 * The page stays below a megabyte for ordinary programs: call paths, functions, lines and intervals
 * have budgets, by event. What falls below them is part of its caller, so sums stay exact. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory_stream.h"
#include "armpmu/catalog.h"
#include "export/export.h"
#include "export/html_sections.h"
#include "export/json_text.h"
#include "profile/metric.h"
#include "html_parts.h"

/* Numbers of the timeline, over all events. */
#define TIMELINE_NUMBERS 30000u
#define INTERVALS_MOST   600u

void html_sums(const struct export_job *job, const uint64_t *sums, FILE *out)
{
    for (size_t i = 0; i < job->n_events; i++)
        fprintf(out, "%c%" PRIu64, i > 0 ? ',' : '[', sums[i]);
    fputs(job->n_events > 0 ? "]" : "[]", out);
}

double html_share(const struct export_job *job, const uint64_t *sums)
{
    double most = 0;

    for (size_t i = 0; i < job->n_events; i++) {
        const uint64_t total = export_total(job, i);
        const double share = total > 0 ? (double)sums[i] / (double)total : 0;
        most = share > most ? share : most;
    }
    return most;
}

/* ---- setup, events, metrics ---- */

/* A text as a list of its lines. */
static bool print_lines(const char *text, FILE *out)
{
    char *const copy = strdup(text != NULL ? text : ""), *rest = copy;

    fputs(",\"settings\":[", out);
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        json_text(line, out);
        fputs(rest != NULL ? ",\n" : "", out);
    }
    fputc(']', out);
    free(copy);
    return copy != NULL;
}

static bool print_setup(const struct profile_setup *setup, FILE *out)
{
    fputs("{\"setup\":{\"armpmu\":", out);
    json_text(setup->armpmu, out);
    json_member("core", setup->core, out);
    json_member("machine", setup->machine, out);
    json_member("hash", setup->machine_hash, out);
    json_member("engine", setup->engine, out);
    json_member("command", setup->command, out);
    fprintf(out, ",\"clock_mhz\":%.15g,\"seed\":%" PRIu64 ",\"exit_status\":%d", setup->clock_mhz,
            setup->seed, setup->exit_status);
    fprintf(out, ",\"complete\":%s,\"paths\":%s", setup->is_complete ? "true" : "false",
            setup->has_paths ? "true" : "false");
    const bool done = print_lines(setup->machine_text, out);
    fputc('}', out);
    return done;
}

static void print_events(const struct export_job *job, FILE *out)
{
    fputs(",\n\"events\":[", out);
    for (size_t i = 0; i < job->n_events; i++) {
        const struct profile_event *const event = export_event(job, i);
        fprintf(out, "%s{\"total\":%" PRIu64, i > 0 ? ",\n" : "", export_total(job, i));
        json_member("name", event->name, out);
        json_member("meaning", event->meaning, out);
        json_member("fidelity", event->fidelity, out);
        fputc('}', out);
    }
    fputc(']', out);
}

uint32_t html_find_number(const struct export_job *job, uint32_t number)
{
    for (uint32_t i = 0; i < job->n_events; i++)
        if (export_event(job, i)->number == number)
            return i;
    return PROFILE_NONE;
}

/* ---- intervals, and metrics by interval ---- */

/* The intervals that are shown: several of the profile's as one, where it has very many. */
struct timeline {
    uint64_t *sums, *ends; /* n_events of each; cycles at its end */
    size_t n;
};

static const struct armpmu_core *core_of(const struct export_job *job)
{
    const char *const core = job->profile->setup.core;

    return core != NULL ? armpmu_core_find(core) : NULL;
}

/* How many intervals are shown as one. */
static size_t intervals_in_one(const struct export_job *job)
{
    const struct armpmu_core *const core = core_of(job);
    const size_t n_numbers = job->n_events + (core != NULL ? core->n_metrics : 0) + 1;
    const size_t budget = TIMELINE_NUMBERS / n_numbers + 1;
    const size_t most = budget < INTERVALS_MOST ? budget : INTERVALS_MOST;

    return (job->profile->n_intervals + most - 1) / most;
}

/* Returns false without memory. */
static bool make_timeline(struct timeline *line, const struct export_job *job)
{
    const size_t n = job->profile->n_intervals, wide = intervals_in_one(job);

    line->n = wide > 0 ? (n + wide - 1) / wide : 0;
    line->sums = export_new_sums(job, line->n + 1);
    line->ends = calloc(line->n + 1, sizeof *line->ends);
    if (line->sums == NULL || line->ends == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct profile_interval *const interval = &job->profile->intervals[i];
        for (size_t e = 0; e < job->n_events; e++)
            line->sums[i / wide * job->n_events + e] += interval->counts[job->events[e]];
        line->ends[i / wide] = interval->end_cycles;
    }
    return true;
}

/* Counts of the run, or of an interval. */
struct counts_of {
    const struct export_job *job;
    const uint64_t *sums; /* NULL: totals */
};

static bool count_of(void *user, const struct armpmu_event *event, double *count)
{
    const struct counts_of *const of = user;
    const uint32_t at = html_find_number(of->job, event->first);

    *count = 0;
    if (at != PROFILE_NONE)
        *count = (double)(of->sums != NULL ? of->sums[at] : export_total(of->job, at));
    return at != PROFILE_NONE;
}

static void print_values(const struct export_job *job, const struct armpmu_core *core,
                         const struct armpmu_metric *metric, const struct timeline *line, FILE *out)
{
    for (size_t i = 0; i < line->n; i++) {
        struct counts_of interval = {job, line->sums + i * job->n_events};
        double value;
        fputs(i > 0 ? "," : "", out);
        if (metric_value(core, metric, count_of, &interval, &value))
            fprintf(out, "%.4g", value);
        else
            fputs("null", out);
    }
}

static void print_metric(const struct export_job *job, const struct armpmu_metric *metric,
                         const struct timeline *line, bool *any, FILE *out)
{
    const struct armpmu_core *const core = core_of(job);
    const uint32_t beside = html_find_number(job, metric->beside);
    struct counts_of run = {job, NULL};
    double value;

    if (beside == PROFILE_NONE || !metric_value(core, metric, count_of, &run, &value))
        return;
    fprintf(out, "%s{\"event\":%" PRIu32 ",\"value\":%.6g", *any ? ",\n" : "", beside, value);
    json_member("name", metric->name, out);
    json_member("unit", metric->unit, out);
    json_member("meaning", metric->meaning, out);
    fputs(",\"values\":[", out);
    print_values(job, core, metric, line, out);
    fputs("]}", out);
    *any = true;
}

static void print_metrics(const struct export_job *job, const struct timeline *line, FILE *out)
{
    const struct armpmu_core *const core = core_of(job);
    bool any = false;

    fputs(",\n\"metrics\":[", out);
    for (size_t i = 0; core != NULL && i < core->n_metrics; i++)
        print_metric(job, &core->metrics[i], line, &any, out);
    fputc(']', out);
}

static void print_timeline(const struct export_job *job, const struct timeline *line, FILE *out)
{
    fputs(",\n\"intervals\":[", out);
    for (size_t i = 0; i < line->n; i++) {
        fprintf(out, "%s{\"end\":%" PRIu64 ",\"counts\":", i > 0 ? ",\n" : "", line->ends[i]);
        html_sums(job, line->sums + i * job->n_events, out);
        fputc('}', out);
    }
    fputc(']', out);
}

/* ---- what changes would save ---- */

static void print_whatif(const struct export_job *job, FILE *out)
{
    const size_t n = job->whatif != NULL ? job->whatif->n : 0;

    fputs(",\n\"whatif\":[", out);
    for (size_t i = 0; i < n; i++) {
        const struct whatif_row *const row = &job->whatif->items[i];
        fprintf(out, "%s{\"percent\":%.1f", i > 0 ? ",\n" : "", row->percent);
        json_member("text", row->text, out);
        if (row->place != NULL)
            json_member("place", row->place, out);
        fputc('}', out);
    }
    fputc(']', out);
}

/* ---- the page ---- */

static enum armpmu_status print_sections(const struct export_job *job, const struct timeline *line,
                                         FILE *out, struct armpmu_error *err)
{
    if (!print_setup(&job->profile->setup, out))
        return export_no_memory(err);
    print_events(job, out);
    print_metrics(job, line, out);
    html_cycles(job, out);
    html_misses(job, out);
    print_whatif(job, out);
    print_timeline(job, line, out);
    enum armpmu_status status = html_calls(job, out, err);
    if (status == ARMPMU_OK)
        status = html_files(job, out, err);
    if (status == ARMPMU_OK && job->print_more != NULL)
        status = job->print_more(job->profile, out, err);
    fputs("}\n", out);
    return status;
}

enum armpmu_status export_html_data(const void *user, FILE *out, struct armpmu_error *err)
{
    const struct export_job *const job = user;
    struct timeline line;
    const enum armpmu_status status =
        make_timeline(&line, job) ? print_sections(job, &line, out, err) : export_no_memory(err);

    free(line.sums);
    free(line.ends);
    return status;
}

/* A '<' of a name must not end the element that the data is in. Indentation is left out: a text of
 * JSON has no end of a line. */
static void put_data(const char *data, size_t n, FILE *out)
{
    for (size_t i = 0, begin = 0; i < n; i++) {
        begin = data[i] == '\n' ? i + 1 : begin;
        if (data[i] == ' ' && i == begin)
            begin++;
        else if (data[i] == '<')
            fputs("\\u003c", out);
        else
            fputc(data[i], out);
    }
}

enum armpmu_status export_html_page(export_data_fn print, const void *user, FILE *out,
                                    struct armpmu_error *err)
{
    char *data = NULL;
    size_t n = 0;
    FILE *const text = memory_stream_open(&data, &n);
    enum armpmu_status status = text != NULL ? print(user, text, err) : export_no_memory(err);

    if (text != NULL && !memory_stream_close(text, &data) && status == ARMPMU_OK)
        status = export_no_memory(err);
    if (status == ARMPMU_OK) {
        fwrite(html_before_data, 1, sizeof html_before_data, out);
        put_data(data, n, out);
        fwrite(html_after_data, 1, sizeof html_after_data, out);
    }
    free(data);
    return status;
}

enum armpmu_status export_html(const struct export_job *job, FILE *out, struct armpmu_error *err)
{
    return export_html_page(export_html_data, job, out, err);
}

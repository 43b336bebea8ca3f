/* A report as one page without a network: header, events and metrics, where cycles go,
 * flame graph, functions, maps of misses, source and timeline. html/ has the page, its style and
 * its script, which embed.py joins; this file writes the data between them.
 *
 * The page stays below a megabyte for ordinary programs: call paths, functions, lines and intervals
 * have budgets, by event. What falls below them is part of its caller, so sums stay exact. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory_stream.h"
#include "armpmu/catalog.h"
#include "base/array.h"
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

static bool count_of(void *user, const struct armpmu_event *event, double *count)
{
    const struct export_job *const job = user;
    const uint32_t at = html_find_number(job, event->first);

    *count = at != PROFILE_NONE ? (double)export_total(job, at) : 0;
    return at != PROFILE_NONE;
}

static void print_metric(const struct export_job *job, const struct armpmu_core *core,
                         const struct armpmu_metric *metric, bool *has_any, FILE *out)
{
    const uint32_t beside = html_find_number(job, metric->beside);
    double value;

    if (beside == PROFILE_NONE || !metric_value(core, metric, count_of, (void *)job, &value))
        return;
    fprintf(out, "%s{\"event\":%" PRIu32 ",\"value\":%.6g", *has_any ? "," : "", beside, value);
    json_member("unit", metric->unit, out);
    json_member("meaning", metric->meaning, out);
    fputc('}', out);
    *has_any = true;
}

static void print_metrics(const struct export_job *job, FILE *out)
{
    const struct profile_setup *const setup = &job->profile->setup;
    const struct armpmu_core *core = setup->core != NULL ? armpmu_core_find(setup->core) : NULL;
    bool has_any = false;

    fputs(",\n\"metrics\":[", out);
    for (size_t i = 0; core != NULL && i < core->n_metrics; i++)
        print_metric(job, core, &core->metrics[i], &has_any, out);
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

/* ---- timeline ---- */

/* How many intervals are shown as one. */
static size_t intervals_in_one(const struct export_job *job)
{
    const size_t budget = TIMELINE_NUMBERS / (job->n_events + 1) + 1;
    const size_t most = budget < INTERVALS_MOST ? budget : INTERVALS_MOST;

    return (job->profile->n_intervals + most - 1) / most;
}

static void print_interval(const struct export_job *job, size_t first, size_t n, uint64_t *sums,
                           FILE *out)
{
    const struct profile_interval *const intervals = job->profile->intervals + first;

    memset(sums, 0, job->n_events * sizeof *sums);
    for (size_t i = 0; i < n; i++)
        for (size_t e = 0; e < job->n_events; e++)
            sums[e] += intervals[i].counts[job->events[e]];
    fprintf(out, "%s{\"end\":%" PRIu64 ",\"counts\":", first > 0 ? ",\n" : "",
            intervals[n - 1].end_cycles);
    html_sums(job, sums, out);
    fputc('}', out);
}

static enum armpmu_status print_timeline(const struct export_job *job, FILE *out,
                                         struct armpmu_error *err)
{
    const size_t n = job->profile->n_intervals, wide = intervals_in_one(job);
    uint64_t *const sums = export_new_sums(job, 1);

    if (sums == NULL)
        return export_no_memory(err);
    fputs(",\n\"intervals\":[", out);
    for (size_t i = 0; i < n; i += wide)
        print_interval(job, i, n - i < wide ? n - i : wide, sums, out);
    fputs("]}\n", out);
    free(sums);
    return ARMPMU_OK;
}

/* ---- the page ---- */

static enum armpmu_status print_data(const struct export_job *job, FILE *out,
                                     struct armpmu_error *err)
{
    if (!print_setup(&job->profile->setup, out))
        return export_no_memory(err);
    print_events(job, out);
    print_metrics(job, out);
    html_cycles(job, out);
    html_misses(job, out);
    print_whatif(job, out);
    enum armpmu_status status = html_calls(job, out, err);
    if (status == ARMPMU_OK)
        status = html_files(job, out, err);
    return status == ARMPMU_OK ? print_timeline(job, out, err) : status;
}

/* A '<' of a name must not end the element that the data is in. */
static void put_data(const char *data, size_t n, FILE *out)
{
    for (size_t i = 0; i < n; i++) {
        if (data[i] == '<')
            fputs("\\u003c", out);
        else
            fputc(data[i], out);
    }
}

enum armpmu_status export_html(const struct export_job *job, FILE *out, struct armpmu_error *err)
{
    char *data = NULL;
    size_t n = 0;
    FILE *const text = memory_stream_open(&data, &n);
    enum armpmu_status status = text != NULL ? print_data(job, text, err) : export_no_memory(err);

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

#include "cli/run/baseline.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/machine_text.h"
#include "profile/metric.h"

enum armpmu_status baseline_open(struct baseline *baseline, const struct baseline_options *options,
                                 struct armpmu_error *err)
{
    baseline->options = options;
    if (options->file == NULL && (options->limits.n > 0 || options->format != TABLE_TEXT))
        return fail(err, ARMPMU_BAD_CONFIG, "%s needs a run to compare with: --baseline",
                    options->limits.n > 0 ? "--fail-above" : "--baseline-format");
    if (options->file == NULL)
        return ARMPMU_OK;
    const enum armpmu_status status =
        comparison_limits(&baseline->comparison, &options->limits, err);
    return status == ARMPMU_OK
               ? diff_side_read(&baseline->comparison.diff.sides[0], options->file, err)
               : status;
}

void baseline_close(struct baseline *baseline)
{
    comparison_free(&baseline->comparison);
}

enum armpmu_status baseline_events(const struct baseline *baseline, const struct armpmu_core *core,
                                   struct event_list *list, struct armpmu_error *err)
{
    const struct diff_side *const side = &baseline->comparison.diff.sides[0];
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; status == ARMPMU_OK && i < side->n_events; i++) {
        const struct diff_event *const wanted = &side->events[i];
        const struct armpmu_event *const event =
            wanted->number <= 0xffff ? armpmu_event_by_number(core, wanted->number) : NULL;
        if (event != NULL && armpmu_event_matches(event, diff_event_name(wanted)) &&
            !event_list_has(list, event))
            status = event_list_add(list, event, err);
    }
    return status;
}

/* The name of a limit after its region, "cycles" of "sorting/cycles". */
static void own_name(const struct diff_limit *limit, char *name, size_t size)
{
    const char *const slash = memchr(limit->name, '/', limit->n_name);
    const char *const own = slash != NULL ? slash + 1 : limit->name;

    snprintf(name, size, "%.*s", (int)(limit->n_name - (size_t)(own - limit->name)), own);
}

static const struct armpmu_metric *find_metric(const struct armpmu_core *core,
                                               const struct diff_limit *limit)
{
    char name[128];

    own_name(limit, name, sizeof name);
    for (size_t i = 0; i < core->n_metrics; i++)
        if (strcasecmp(core->metrics[i].name, name) == 0)
            return &core->metrics[i];
    return NULL;
}

/* The counts that a metric needs, here and in the file. */
struct limit_events {
    const struct event_list *list;
    const struct diff_side *side;
    const struct armpmu_event *missing; /* the first */
    const char *why;
};

static void need(void *user, const struct armpmu_event *event)
{
    struct limit_events *const needs = user;
    const bool is_there = diff_side_find(needs->side, NULL, event->first) != NULL;

    if (needs->missing != NULL || (is_there && event_list_has(needs->list, event)))
        return;
    needs->missing = event;
    needs->why = is_there ? "is not counted here" : "the baseline does not have";
}

static enum armpmu_status check_metric(const struct armpmu_core *core,
                                       const struct armpmu_metric *metric,
                                       const struct diff_limit *limit, struct limit_events needs,
                                       struct armpmu_error *err)
{
    const struct armpmu_core *const other = needs.side->core;

    if (other != core)
        return fail(err, ARMPMU_NOT_FOUND,
                    "--fail-above '%.60s': the baseline is of %s; metrics are compared between "
                    "runs of one core",
                    limit->name, other != NULL ? other->title : "an unknown core");
    metric_each_event(core, metric, need, &needs);
    if (needs.missing == NULL)
        return ARMPMU_OK;
    return fail(err, ARMPMU_NOT_FOUND,
                "--fail-above '%.60s': it needs %s, which %s; -M %s counts them", limit->name,
                needs.missing->name, needs.why, metric->name);
}

static bool is_event(const struct event_list *list, const struct diff_limit *limit)
{
    char name[128];

    own_name(limit, name, sizeof name);
    for (size_t i = 0; i < list->count; i++)
        if (armpmu_event_matches(list->items[i].event, name))
            return true;
    return false;
}

enum armpmu_status baseline_check(const struct baseline *baseline, const struct armpmu_core *core,
                                  const struct event_list *list, struct armpmu_error *err)
{
    for (size_t i = 0; i < baseline->comparison.limits.n; i++) {
        const struct diff_limit *const limit = &baseline->comparison.limits.at[i];
        const struct armpmu_metric *const metric = find_metric(core, limit);
        const struct limit_events needs = {list, &baseline->comparison.diff.sides[0], NULL, NULL};
        if (metric != NULL && check_metric(core, metric, limit, needs, err) != ARMPMU_OK)
            return ARMPMU_NOT_FOUND;
        if (metric == NULL && !is_event(list, limit))
            return fail(err, ARMPMU_NOT_FOUND,
                        "--fail-above '%.60s': no event that is counted, and no metric of %s; "
                        "'armpmu list metric' shows those",
                        limit->name, core->title);
    }
    return ARMPMU_OK;
}

static enum armpmu_status name_machine(struct diff_side *side, const struct armpmu_machine *machine,
                                       struct armpmu_error *err)
{
    char *const text = machine_text(machine);
    char hash[MACHINE_HASH_SIZE] = "";

    if (text != NULL)
        machine_hash(text, hash);
    side->machine = strdup(armpmu_machine_name(machine));
    side->machine_hash = text != NULL ? strdup(hash) : NULL;
    free(text);
    return side->machine != NULL && side->machine_hash != NULL
               ? ARMPMU_OK
               : fail_no_memory(err, "the comparison");
}

/* The counts of the run, or of one of its regions. */
static enum armpmu_status take_counts(struct diff_side *side, const char *region,
                                      const struct report *report, const struct report_tally *tally,
                                      struct armpmu_error *err)
{
    struct report_section section = {.seconds = report->seconds};
    enum armpmu_status status = report_section_fill(report, tally, &section, err);

    for (size_t i = 0; status == ARMPMU_OK && i < section.n_rows; i++) {
        const struct report_row *const row = &section.rows[i];
        const struct diff_event event = {.name = (char *)(uintptr_t)row->event->name,
                                         .number = row->event->first,
                                         .n = row->count};
        if (row->state == REPORT_COUNTED)
            status = diff_side_add(side, region, &event, err);
    }
    report_section_free(&section);
    return status;
}

static enum armpmu_status take_regions(struct diff_side *side, const struct report *report,
                                       const struct region *region, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; status == ARMPMU_OK && i < region->n_marked; i++) {
        struct report_tally tally = {.runs = 0};
        status = report_tally_add(&tally, report->events, region->marked[i].signals, err);
        if (status == ARMPMU_OK)
            status = take_counts(side, region->marked[i].name, report, &tally, err);
        report_tally_free(&tally);
    }
    return status;
}

/* The run, as the other side. */
static enum armpmu_status take_run(struct diff_side *side, const struct report *report,
                                   const struct report_tally *tally, const struct region *region,
                                   struct armpmu_error *err)
{
    *side = (struct diff_side){.path = "this run", .core = armpmu_machine_core(report->machine)};
    const enum armpmu_status status = report->per_region
                                          ? take_regions(side, report, region, err)
                                          : take_counts(side, NULL, report, tally, err);
    for (size_t i = 0; report->versions != NULL && i < VERSIONS; i++)
        if (report->versions->text[i][0] != '\0')
            side->versions[i] = strdup(report->versions->text[i]);
    return status == ARMPMU_OK ? name_machine(side, report->machine, err) : status;
}

/* Sentences only where the text is in a file: on standard error they would be printed twice. */
static enum armpmu_status print_comparison(struct baseline *baseline, const struct report *report,
                                           FILE *stream, struct armpmu_error *err)
{
    const struct comparison *const c = &baseline->comparison;
    const struct table_options how = {.format = (enum table_format)baseline->options->format,
                                      .separator = ","};
    const enum armpmu_status status = diff_print(&c->diff, &c->limits, &how, stream, err);

    fflush(stream);
    if (status != ARMPMU_OK || (stream != stderr && !report->in_file && !comparison_is_on_github()))
        return status;
    return comparison_say(c, how.format, err);
}

enum armpmu_status baseline_compare(struct baseline *baseline, const struct report *report,
                                    const struct report_tally *tally, FILE *stream,
                                    struct armpmu_error *err)
{
    struct comparison *const c = &baseline->comparison;

    if (baseline->options->file == NULL)
        return ARMPMU_OK;
    if (!report_is_complete(report)) {
        print_error("not compared with '%.100s': the run is not complete", baseline->options->file);
        return ARMPMU_OK;
    }
    enum armpmu_status status = take_run(&c->diff.sides[1], report, tally, baseline->region, err);
    if (status == ARMPMU_OK)
        status = diff_compare(&c->diff, NULL, 0, err);
    if (status == ARMPMU_OK)
        status = comparison_judge(c, err);
    return status == ARMPMU_OK ? print_comparison(baseline, report, stream, err) : status;
}

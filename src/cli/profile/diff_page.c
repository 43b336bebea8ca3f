/* armpmu diff --format=html: the changes as in JSON, and what the page of a profile draws of both
 * runs. Its script makes one tree of both runs' call paths, so the pages of a run and of a
 * comparison are one. */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory_stream.h"
#include "cli/profile/diff_report.h"
#include "export/export.h"
#include "profile/event_choice.h"

enum armpmu_status diff_page_events(const struct diff *diff, char **events,
                                    struct armpmu_error *err)
{
    const struct profile *const p = diff->sides[1].profile;
    struct event_choice choice;
    size_t size;

    *events = NULL;
    if (p == NULL || diff->sides[0].profile == NULL)
        return ARMPMU_OK;
    enum armpmu_status status = event_choice_usual(p, &choice, err);
    FILE *const text = status == ARMPMU_OK ? memory_stream_open(events, &size) : NULL;
    bool any = false;
    for (size_t i = 0; text != NULL && i < choice.n && i < DIFF_EVENTS_MOST; i++) {
        const struct profile_event *const event = &p->events[choice.events[i]];
        if (diff_side_find(&diff->sides[0], NULL, event->number) == NULL)
            continue;
        fprintf(text, "%s%s", any ? "," : "", event->name);
        any = true;
    }
    if (status == ARMPMU_OK && (text == NULL || !memory_stream_close(text, events)))
        status = fail_no_memory(err, "the comparison");
    if (!any || status != ARMPMU_OK) {
        free(*events);
        *events = NULL;
    }
    event_choice_free(&choice);
    return status;
}

static enum armpmu_status print_side(const struct diff *diff, const struct diff_side *side,
                                     FILE *stream, struct armpmu_error *err)
{
    static const struct export_format page = {.name = "html"};
    struct export_job job;
    char *list = NULL;
    size_t size;
    FILE *const names = memory_stream_open(&list, &size);

    for (size_t i = 0; names != NULL && i < diff->n_events; i++)
        fprintf(names, "%s%s", i > 0 ? "," : "", diff->events[i]);
    if (names == NULL || !memory_stream_close(names, &list))
        return fail_no_memory(err, "the comparison");
    enum armpmu_status status = export_job_init(&job, &page, side->profile, list, err);
    if (status == ARMPMU_OK)
        status = export_html_data(&job, stream, err);
    export_job_free(&job);
    free(list);
    return status;
}

struct changes_page {
    const struct diff *diff;
    const struct diff_limits *limits;
};

static enum armpmu_status print_data(const void *user, FILE *stream, struct armpmu_error *err)
{
    static const char *const keys[] = {"before", "after"};
    static const struct table_options json = {.format = TABLE_JSON, .is_document = true};
    const struct changes_page *const page = user;

    fputs("{\"changes\":", stream);
    enum armpmu_status status = diff_print(page->diff, page->limits, &json, stream, err);
    for (int i = 0; status == ARMPMU_OK && i < 2; i++) {
        const struct diff_side *const side = &page->diff->sides[i];
        fprintf(stream, ",\n\"%s\":", keys[i]);
        if (side->profile != NULL && page->diff->n_events > 0)
            status = print_side(page->diff, side, stream, err);
        else
            fputs("null", stream);
    }
    fputs("}\n", stream);
    return status;
}

enum armpmu_status diff_page(const struct diff *diff, const struct diff_limits *limits,
                             FILE *stream, struct armpmu_error *err)
{
    return export_html_page(print_data, &(struct changes_page){diff, limits}, stream, err);
}

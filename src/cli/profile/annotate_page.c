/* The lines of code that a page shows. */
#include <stdlib.h>

#include "base/error.h"
#include "cli/profile/annotate_report.h"

#define INSNS_MOST   1500 /* a page stays below a megabyte */
#define LIMIT_LOWEST 0.01 /* percent of an event */

/* Instructions of the lines that have limit percent of one of the events. */
static size_t n_insns(const struct annotation *a, double limit, uint64_t *sums)
{
    size_t n = 0;

    for (size_t i = 0; i < a->n_files; i++)
        for (size_t j = 0; j < a->files[i].n; j++) {
            annotate_sum(a, &a->files[i].lines[j], sums);
            if (annotate_is_relevant(a, a->events->n, limit, sums))
                n += a->files[i].lines[j].n;
        }
    return n;
}

/* Returns false without memory. */
static bool find_limit(const struct annotation *a, double *limit)
{
    uint64_t *const sums = malloc((a->profile->n_events + 1) * sizeof *sums);

    *limit = LIMIT_LOWEST;
    while (sums != NULL && *limit < 100 && n_insns(a, *limit, sums) > INSNS_MOST)
        *limit *= 1.5;
    free(sums);
    return sums != NULL;
}

enum armpmu_status annotate_print_page(const struct profile *profile, FILE *stream,
                                       struct armpmu_error *err)
{
    static const struct table_options json = {.format = TABLE_JSON, .is_document = true};
    const struct metric_choice none = {.n = 0};
    struct annotate_print how = {.table = &json,
                                 .metrics = &none,
                                 .chose_events = true,
                                 .has_topdown = true,
                                 .takes_all = true};
    struct event_choice events;
    struct annotation annotation = {0};
    enum armpmu_status status = event_choice_make(profile, NULL, &events, err);

    if (status == ARMPMU_OK)
        status = annotation_make(&annotation, profile, &events, &how, err);
    if (status == ARMPMU_OK && !find_limit(&annotation, &how.limit))
        status = fail_no_memory(err, "the annotation");
    if (status == ARMPMU_OK)
        status = annotate_print_rows(&annotation, &how, stream, err);
    annotation_free(&annotation);
    event_choice_free(&events);
    return status;
}

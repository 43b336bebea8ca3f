/* The lines of code that a page shows, and their data accesses. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/profile/annotate_report.h"
#include "cli/profile/memory_report.h"
#include "cli/profile/profile_table.h"

#define BYTES_MOST   600000 /* a page stays below a megabyte */
#define ROW_BYTES    400    /* without its names */
#define LIMIT_LOWEST 0.01   /* percent of an event */

/* Bytes that the instructions of a line take, about: names of C++ are most of them. */
static size_t bytes_of(const struct annotation *a, const struct annotate_line *line)
{
    const struct profile *const p = a->profile;
    size_t n = 0;

    for (size_t i = line->first; i < line->first + line->n; i++) {
        const struct profile_insn *const insn = &p->insns[a->insns[i]];
        n += ROW_BYTES + strlen(profile_symbol(p, a->insns[i]));
        if (insn->n_inlines > 0)
            n += strlen(p->inlines[insn->first_inline + insn->n_inlines - 1].name);
    }
    return n;
}

/* Those of the lines that have limit percent of one of the events. */
static size_t n_bytes(const struct annotation *a, double limit, uint64_t *sums)
{
    size_t n = 0;

    for (size_t i = 0; i < a->n_files; i++)
        for (size_t j = 0; j < a->files[i].n; j++) {
            annotate_sum(a, &a->files[i].lines[j], sums);
            if (annotate_is_relevant(a, a->events->n, limit, sums))
                n += bytes_of(a, &a->files[i].lines[j]);
        }
    return n;
}

/* Returns false without memory. */
static bool find_limit(const struct annotation *a, double *limit)
{
    uint64_t *const sums = malloc((a->profile->n_events + 1) * sizeof *sums);

    *limit = LIMIT_LOWEST;
    while (sums != NULL && *limit < 100 && n_bytes(a, *limit, sums) > BYTES_MOST)
        *limit *= 1.5;
    free(sums);
    return sums != NULL;
}

static const struct table_options json = {.format = TABLE_JSON, .is_document = true};

/* ---- data accesses ---- */

/* Each is a report that `armpmu report` prints. */
static const struct {
    const char *member;
    struct memory_keys keys;
} access_reports[] = {
    {"accesses",
     {.at = {MEMORY_INSN, MEMORY_SYMBOL, MEMORY_SOURCE, MEMORY_TLB, MEMORY_DATA}, .n = 5}},
    {"data", {.at = {MEMORY_DATA}, .n = 1, .limit = LIMIT_LOWEST}},
    {"sources", {.at = {MEMORY_DATA, MEMORY_SOURCE}, .n = 2, .limit = LIMIT_LOWEST}},
};

/* For each instruction: true if its line is shown. NULL without memory. */
static bool *shown_insns(const struct annotation *a, double limit)
{
    uint64_t *const sums = malloc((a->profile->n_events + 1) * sizeof *sums);
    bool *const are_shown = calloc(a->profile->n_insns + 1, sizeof *are_shown);

    for (size_t i = 0; sums != NULL && are_shown != NULL && i < a->n_files; i++)
        for (size_t j = 0; j < a->files[i].n; j++) {
            const struct annotate_line *const line = &a->files[i].lines[j];
            annotate_sum(a, line, sums);
            for (size_t k = 0; k < line->n && annotate_is_relevant(a, a->events->n, limit, sums);
                 k++)
                are_shown[a->insns[line->first + k]] = true;
        }
    free(sums);
    return sums != NULL ? are_shown : (free(are_shown), NULL);
}

static enum armpmu_status print_accesses(const struct annotation *a, double limit, FILE *stream,
                                         struct armpmu_error *err)
{
    bool *const are_shown = shown_insns(a, limit);
    enum armpmu_status status =
        are_shown != NULL ? ARMPMU_OK : fail_no_memory(err, "the annotation");

    for (size_t i = 0; i < sizeof access_reports / sizeof *access_reports; i++) {
        struct memory_keys keys = access_reports[i].keys;
        keys.insns = keys.at[0] == MEMORY_INSN ? are_shown : NULL;
        fprintf(stream, ",\n\"%s\":", access_reports[i].member);
        if (status == ARMPMU_OK)
            status = memory_report(a->profile, &keys, &json, stream, err);
    }
    free(are_shown);
    return status;
}

/* ---- all of it ---- */

enum armpmu_status annotate_print_page(const struct profile *profile, FILE *stream,
                                       struct armpmu_error *err)
{
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
    fputs(",\n\"code\":", stream);
    if (status == ARMPMU_OK)
        status = annotate_print_rows(&annotation, &how, stream, err);
    if (status == ARMPMU_OK && profile->setup.access_latency != NULL)
        status = print_accesses(&annotation, how.limit, stream, err);
    annotation_free(&annotation);
    event_choice_free(&events);
    return status;
}

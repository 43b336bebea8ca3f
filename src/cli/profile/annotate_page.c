/* The lines of code on a page, and their data accesses. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/profile/annotate_report.h"
#include "cli/profile/disassembly.h"
#include "cli/profile/memory_report.h"
#include "cli/profile/profile_table.h"
#include "export/export.h"
#include "export/json_text.h"
#include "profile/topdown_leaves.h"

#define INSNS_MOST   2000 /* a page stays below a megabyte */
#define CAUSE_LEAST  10   /* percent of the cycles of a line or an instruction */
#define LIMIT_LOWEST 0.01 /* percent of an event */

/* The code of a page. Names of functions are kept once: they are long in C++. */
struct code_page {
    const struct annotation *a;
    struct disassembly *disassembly;
    FILE *stream;
    struct json_writer json;
    uint64_t *sums;     /* of a line */
    const char **names; /* room for two of each instruction, and for causes */
    size_t n_names;
};

/* Returns whether a line has limit percent of a chosen event, or ten times that of any event. */
static bool is_shown(const struct annotation *a, double limit, const uint64_t *sums)
{
    const struct profile *const p = a->profile;

    for (uint32_t i = 0; i < p->n_events; i++)
        if (10.0 * (double)sums[i] >= limit * (double)p->totals[i] && sums[i] > 0)
            return true;
    return annotate_is_relevant(a, a->events->n, limit, sums);
}

/* How many instructions the shown lines have. */
static size_t n_shown(const struct annotation *a, double limit, uint64_t *sums)
{
    size_t n = 0;

    for (size_t i = 0; i < a->n_files; i++)
        for (size_t j = 0; j < a->files[i].n; j++) {
            annotate_sum(a, &a->files[i].lines[j], sums);
            n += is_shown(a, limit, sums) ? a->files[i].lines[j].n : 0;
        }
    return n;
}

/* Returns false without memory. */
static bool find_limit(const struct annotation *a, double *limit)
{
    uint64_t *const sums = malloc((a->profile->n_events + 1) * sizeof *sums);

    *limit = LIMIT_LOWEST;
    while (sums != NULL && *limit < 100 && n_shown(a, *limit, sums) > INSNS_MOST)
        *limit *= 1.5;
    free(sums);
    return sums != NULL;
}

static const struct table_options json = {.format = TABLE_JSON, .is_document = true};

/* ---- lines and their instructions ---- */

/* Puts the place of a name among those that are printed after all lines. */
static void put_place(struct code_page *page, const char *key, const char *name)
{
    size_t i = page->n_names;

    while (i > 0 && page->names[i - 1] != name && strcmp(page->names[i - 1], name) != 0)
        i--;
    if (i == 0)
        page->names[i = page->n_names++] = name;
    else
        i--;
    json_put_integer(&page->json, key, (int64_t)i);
}

/* On a line of its own. */
static void open_row(struct code_page *page)
{
    fputc('\n', page->stream);
    json_open(&page->json, NULL, '{');
}

/* A list of event and count, event and count: without zeros. */
static void put_counts(struct code_page *page, const uint64_t *sums)
{
    json_open(&page->json, "counts", '[');
    for (uint32_t i = 0; i < page->a->profile->n_events; i++)
        if (sums[i] > 0) {
            json_put_integer(&page->json, NULL, i);
            json_put_integer(&page->json, NULL, (int64_t)sums[i]);
        }
    json_close(&page->json);
}

/* The causes of a tenth of the cycles and more: percent, and the place of the name. */
static void put_topdown(struct code_page *page, const uint64_t *sums)
{
    struct topdown_part parts[TOPDOWN_LEAVES_MOST];
    const size_t n = topdown_parts(page->a->profile, sums, parts);

    json_open(&page->json, "topdown", '[');
    for (size_t i = 0; i < n; i++) {
        if (parts[i].percent < CAUSE_LEAST)
            continue;
        json_open(&page->json, NULL, '[');
        json_put_integer(&page->json, NULL, lrint(parts[i].percent));
        put_place(page, NULL, parts[i].name);
        json_close(&page->json);
    }
    json_close(&page->json);
}

static void put_insn(struct code_page *page, uint32_t number)
{
    const struct profile *const p = page->a->profile;
    const struct profile_insn *const insn = &p->insns[number];
    const uint64_t *const sums = &page->a->sums[number * p->n_events];
    struct annotate_reason reasons[ANNOTATE_REASONS_MOST];
    char text[DISASSEMBLY_TEXT];

    open_row(page);
    annotate_put_address(&page->json, insn->address);
    put_place(page, "symbol", profile_symbol(p, number));
    if (insn->n_inlines > 0)
        put_place(page, "inlined", p->inlines[insn->first_inline + insn->n_inlines - 1].name);
    disassembly_text(page->disassembly, number, 0, text);
    json_put_text(&page->json, "insn", text);
    put_counts(page, sums);
    annotate_put_reasons(&page->json, p, reasons, annotate_insn_reasons(p, sums, reasons));
    put_topdown(page, sums);
    json_close(&page->json);
}

static void put_line(struct code_page *page, const struct annotate_file *file,
                     const struct annotate_line *line, const struct annotate_source *source)
{
    const struct profile *const p = page->a->profile;
    struct annotate_reason reasons[ANNOTATE_REASONS_MOST];

    open_row(page);
    json_put_integer(&page->json, "line", line->line);
    json_put_text(&page->json, "file", p->files[file->file].path);
    if (line->line > 0 && line->line <= source->n)
        json_put_exact(&page->json, "source", source->lines[line->line - 1]);
    put_counts(page, page->sums);
    annotate_put_reasons(&page->json, p, reasons, annotate_line_reasons(p, page->sums, reasons));
    annotate_put_wait(&page->json, page->a, page->disassembly, line);
    put_topdown(page, page->sums);
    json_open(&page->json, "insns", '[');
    for (size_t i = 0; i < line->n; i++)
        put_insn(page, page->a->insns[line->first + i]);
    json_close(&page->json);
    json_close(&page->json);
}

static void put_lines(struct code_page *page, double limit)
{
    json_open(&page->json, NULL, '[');
    for (size_t i = 0; i < page->a->n_files; i++) {
        const struct annotate_file *const file = &page->a->files[i];
        struct annotate_source source = {NULL, 0, 0};
        if (file->file == PROFILE_NONE)
            continue;
        (void)annotate_source_read(&source, page->a->profile->files[file->file].path, NULL);
        for (size_t j = 0; j < file->n; j++) {
            annotate_sum(page->a, &file->lines[j], page->sums);
            if (is_shown(page->a, limit, page->sums))
                put_line(page, file, &file->lines[j], &source);
        }
        annotate_source_free(&source);
    }
    json_close(&page->json);
}

static enum armpmu_status print_code(const struct annotation *a, double limit, FILE *stream,
                                     struct armpmu_error *err)
{
    const struct profile *const p = a->profile;
    struct code_page page = {.a = a,
                             .disassembly = disassembly_new(p),
                             .stream = stream,
                             .sums = malloc((p->n_events + 1) * sizeof *page.sums),
                             .names =
                                 malloc((2 * a->n + TOPDOWN_LEAVES_MOST) * sizeof *page.names)};
    bool is_ready = page.disassembly != NULL && page.sums != NULL && page.names != NULL;

    if (is_ready) {
        fputs(",\n\"code\":{\"lines\":", stream);
        json_begin(&page.json, false, stream);
        put_lines(&page, limit);
        is_ready = json_end(&page.json);
        fputs(",\n\"names\":[", stream);
        for (size_t i = 0; i < page.n_names; i++) {
            fputs(i > 0 ? ",\n" : "", stream);
            is_ready &= export_html_name(page.names[i], stream);
        }
        fputs("],\n\"events\":[", stream);
        for (uint32_t i = 0; i < p->n_events; i++) {
            fputs(i > 0 ? "," : "", stream);
            json_text(p->events[i].name, stream);
        }
        fputs("]}", stream);
    }
    disassembly_free(page.disassembly);
    free(page.sums);
    free(page.names);
    return is_ready ? ARMPMU_OK : fail_no_memory(err, "the annotation");
}

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
            for (size_t k = 0; k < line->n && is_shown(a, limit, sums); k++)
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
    if (status == ARMPMU_OK)
        status = print_code(&annotation, how.limit, stream, err);
    if (status == ARMPMU_OK && profile->setup.access_latency != NULL)
        status = print_accesses(&annotation, how.limit, stream, err);
    annotation_free(&annotation);
    event_choice_free(&events);
    return status;
}

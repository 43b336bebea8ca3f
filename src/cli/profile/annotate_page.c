/* The lines of code on a page, and their data accesses. */
#include <inttypes.h>
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

/* The place of a name among those that are printed after all lines. */
static size_t place_of(struct code_page *page, const char *name)
{
    size_t i = page->n_names;

    while (i > 0 && page->names[i - 1] != name && strcmp(page->names[i - 1], name) != 0)
        i--;
    if (i == 0)
        page->names[i = page->n_names++] = name;
    else
        i--;
    return i;
}

/* A list of event and count, event and count: without zeros. */
static void put_counts(const struct code_page *page, const uint64_t *sums)
{
    const char *between = "";

    fputs(",\"counts\":[", page->stream);
    for (uint32_t i = 0; i < page->a->profile->n_events; i++)
        if (sums[i] > 0) {
            fprintf(page->stream, "%s%" PRIu32 ",%" PRIu64, between, i, sums[i]);
            between = ",";
        }
    fputc(']', page->stream);
}

static void put_reasons(const struct code_page *page, const struct annotate_reason *reasons,
                        size_t n)
{
    fputs(",\"reasons\":[", page->stream);
    for (size_t i = 0; i < n; i++) {
        fprintf(page->stream, "%s{\"percent\":%.1f", i > 0 ? "," : "", reasons[i].percent);
        json_member("event", page->a->profile->events[reasons[i].event].name, page->stream);
        json_member("of", reasons[i].of, page->stream);
        json_member("meaning", reasons[i].meaning, page->stream);
        fputc('}', page->stream);
    }
    fputc(']', page->stream);
}

/* The causes of a tenth of the cycles and more: percent, and the place of the name. */
static void put_topdown(struct code_page *page, const uint64_t *sums)
{
    struct topdown_part parts[TOPDOWN_LEAVES_MOST];
    const size_t n = topdown_parts(page->a->profile, sums, parts);
    const char *between = "";

    fputs(",\"topdown\":[", page->stream);
    for (size_t i = 0; i < n; i++) {
        if (parts[i].percent < CAUSE_LEAST)
            continue;
        fprintf(page->stream, "%s[%.0f,%zu]", between, parts[i].percent,
                place_of(page, parts[i].name));
        between = ",";
    }
    fputc(']', page->stream);
}

static void put_wait(const struct code_page *page, const struct annotate_line *line)
{
    const struct profile *const p = page->a->profile;
    struct annotate_wait wait;

    if (!annotate_wait_of(page->a, page->disassembly, line, &wait))
        return;
    const struct profile_line at = annotate_line_of(page->a, wait.insn);
    fprintf(page->stream, ",\"waits-for\":{\"address\":\"0x%" PRIx64 "\",\"is-branch\":%s",
            p->insns[wait.insn].address, wait.is_branch ? "true" : "false");
    if (at.file != PROFILE_NONE) {
        json_member("file", p->files[at.file].path, page->stream);
        fprintf(page->stream, ",\"line\":%" PRIu32, at.line);
    }
    put_reasons(page, wait.reasons, wait.n);
    fputc('}', page->stream);
}

static void put_insn(struct code_page *page, uint32_t number)
{
    const struct profile *const p = page->a->profile;
    const struct profile_insn *const insn = &p->insns[number];
    const uint64_t *const sums = &page->a->sums[number * p->n_events];
    struct annotate_reason reasons[ANNOTATE_REASONS_MOST];
    char text[DISASSEMBLY_TEXT];

    disassembly_text(page->disassembly, number, 0, text);
    fprintf(page->stream, "{\"address\":\"0x%" PRIx64 "\",\"symbol\":%zu", insn->address,
            place_of(page, profile_symbol(p, number)));
    if (insn->n_inlines > 0)
        fprintf(page->stream, ",\"inlined\":%zu",
                place_of(page, p->inlines[insn->first_inline + insn->n_inlines - 1].name));
    json_member("insn", text, page->stream);
    put_counts(page, sums);
    put_reasons(page, reasons, annotate_insn_reasons(p, sums, reasons));
    put_topdown(page, sums);
    fputc('}', page->stream);
}

/* With its tabs. */
static void put_source(const struct code_page *page, const char *text)
{
    struct json_writer writer;

    json_begin(&writer, false, page->stream);
    fputs(",\"source\":", page->stream);
    json_put_exact(&writer, NULL, text);
    json_end(&writer);
}

static void put_line(struct code_page *page, const struct annotate_file *file,
                     const struct annotate_line *line, const struct annotate_source *source)
{
    const struct profile *const p = page->a->profile;
    struct annotate_reason reasons[ANNOTATE_REASONS_MOST];

    fprintf(page->stream, "{\"line\":%" PRIu32, line->line);
    json_member("file", p->files[file->file].path, page->stream);
    if (line->line > 0 && line->line <= source->n)
        put_source(page, source->lines[line->line - 1]);
    put_counts(page, page->sums);
    put_reasons(page, reasons, annotate_line_reasons(p, page->sums, reasons));
    put_wait(page, line);
    put_topdown(page, page->sums);
    fputs(",\"insns\":[", page->stream);
    for (size_t i = 0; i < line->n; i++) {
        fputs(i > 0 ? ",\n" : "", page->stream);
        put_insn(page, page->a->insns[line->first + i]);
    }
    fputs("]}", page->stream);
}

static void put_lines(struct code_page *page, double limit)
{
    const char *between = "";

    for (size_t i = 0; i < page->a->n_files; i++) {
        const struct annotate_file *const file = &page->a->files[i];
        struct annotate_source source = {NULL, 0, 0};
        if (file->file == PROFILE_NONE)
            continue;
        (void)annotate_source_read(&source, page->a->profile->files[file->file].path, NULL);
        for (size_t j = 0; j < file->n; j++) {
            annotate_sum(page->a, &file->lines[j], page->sums);
            if (!is_shown(page->a, limit, page->sums))
                continue;
            fputs(between, page->stream);
            put_line(page, file, &file->lines[j], &source);
            between = ",\n";
        }
        annotate_source_free(&source);
    }
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
        fputs(",\n\"code\":{\"lines\":[", stream);
        put_lines(&page, limit);
        fputs("],\n\"names\":[", stream);
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

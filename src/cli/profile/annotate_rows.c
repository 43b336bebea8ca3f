/* The rows of `armpmu annotate`, in the order of the text. JSON has an object for each source line:
 * file, line and source (where they are known), events and metrics as `armpmu report` has them,
 * reasons (event, percent, of and meaning), waits-for (where a line waits for another: address,
 * file and line, is-branch and reasons) and insns; each insn has address, insn (its text),
 * symbol, inlined (the innermost function it is inlined from), events, metrics and reasons. The
 * other formats have a line for each instruction, which begins with file and line. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "cli/profile/annotate_report.h"
#include "cli/profile/profile_table.h"

struct annotate_rows {
    struct report_table table;
    const struct annotation *a;
    struct event_columns counts;
    struct disassembly *disassembly;
    uint64_t *sums; /* of a line */
    bool has_topdown;
};

static void put_events(struct annotate_rows *rows, const uint64_t *sums)
{
    event_columns_put_cells(&rows->table, &rows->counts, sums, NULL);
}

void annotate_put_address(struct json_writer *json, uint64_t address)
{
    char text[24];

    snprintf(text, sizeof text, "0x%" PRIx64, address);
    json_put_text(json, "address", text);
}

void annotate_put_reasons(struct json_writer *json, const struct profile *profile,
                          const struct annotate_reason *reasons, size_t n)
{
    json_open(json, "reasons", '[');
    for (size_t i = 0; i < n; i++) {
        json_open(json, NULL, '{');
        json_put_text(json, "event", profile->events[reasons[i].event].name);
        json_put_real(json, "percent", reasons[i].percent);
        json_put_text(json, "of", reasons[i].of);
        json_put_text(json, "meaning", reasons[i].meaning);
        json_close(json);
    }
    json_close(json);
}

void annotate_put_wait(struct json_writer *json, const struct annotation *a,
                       struct disassembly *disassembly, const struct annotate_line *line)
{
    const struct profile *const p = a->profile;
    struct annotate_wait wait;

    if (!annotate_wait_of(a, disassembly, line, &wait))
        return;
    const struct profile_line at = annotate_line_of(a, wait.insn);
    json_open(json, "waits-for", '{');
    annotate_put_address(json, p->insns[wait.insn].address);
    if (at.file != PROFILE_NONE) {
        json_put_text(json, "file", p->files[at.file].path);
        json_put_integer(json, "line", at.line);
    }
    json_put_flag(json, "is-branch", wait.is_branch);
    annotate_put_reasons(json, p, wait.reasons, wait.n);
    json_close(json);
}

static void put_topdown(struct annotate_rows *rows, const uint64_t *sums)
{
    struct topdown_part parts[TOPDOWN_LEAVES_MOST];

    if (rows->has_topdown)
        event_columns_put_topdown(&rows->table, parts,
                                  topdown_parts(rows->a->profile, sums, parts));
}

static void put_insn(struct annotate_rows *rows, uint32_t number)
{
    struct report_table *const t = &rows->table;
    const struct profile *const p = rows->a->profile;
    const struct profile_insn *const insn = &p->insns[number];
    const uint64_t *const sums = &rows->a->sums[number * p->n_events];
    struct annotate_reason reasons[ANNOTATE_REASONS_MOST];
    char text[DISASSEMBLY_TEXT];

    table_hex(t, "address", 1, insn->address);
    disassembly_text(rows->disassembly, number, 0, text);
    table_text(t, "insn", text);
    table_text(t, "symbol", profile_symbol(p, number));
    if (insn->n_inlines > 0)
        table_text(t, "inlined", p->inlines[insn->first_inline + insn->n_inlines - 1].name);
    put_events(rows, sums);
    if (!table_is_json(t))
        return;
    annotate_put_reasons(&t->json, p, reasons, annotate_insn_reasons(p, sums, reasons));
    put_topdown(rows, sums);
}

/* A row for each instruction of a source line. */
static void put_insns(struct annotate_rows *rows, const struct annotate_line *line)
{
    const struct annotation *const a = rows->a;

    for (size_t i = 0; i < line->n; i++) {
        const struct profile_line at = annotate_line_of(a, a->insns[line->first + i]);
        table_row(&rows->table);
        if (at.file != PROFILE_NONE)
            table_text(&rows->table, "file", a->profile->files[at.file].path);
        table_count(&rows->table, "line", at.line);
        put_insn(rows, a->insns[line->first + i]);
    }
}

static void put_line(struct annotate_rows *rows, const struct annotate_file *file,
                     const struct annotate_line *line, const struct annotate_source *source)
{
    struct report_table *const t = &rows->table;
    const struct profile *const p = rows->a->profile;
    struct annotate_reason reasons[ANNOTATE_REASONS_MOST];

    table_row(t);
    if (file->file != PROFILE_NONE) {
        table_text(t, "file", p->files[file->file].path);
        table_count(t, "line", line->line);
    }
    if (line->line > 0 && line->line <= source->n)
        table_exact(t, "source", source->lines[line->line - 1]);
    put_events(rows, rows->sums);
    annotate_put_reasons(&t->json, p, reasons, annotate_line_reasons(p, rows->sums, reasons));
    annotate_put_wait(&t->json, rows->a, rows->disassembly, line);
    put_topdown(rows, rows->sums);
    table_open(t, "insns", '[');
    for (size_t i = 0; i < line->n; i++) {
        table_open(t, NULL, '{');
        put_insn(rows, rows->a->insns[line->first + i]);
        table_close(t);
    }
    table_close(t);
}

static void put_file(struct annotate_rows *rows, const struct annotate_print *how,
                     const struct annotate_file *file)
{
    const struct annotation *const a = rows->a;
    struct annotate_source source = {NULL, 0, 0};

    if (table_is_json(&rows->table) && file->file != PROFILE_NONE)
        (void)annotate_source_read(&source, a->profile->files[file->file].path, how->source_path);
    for (size_t i = 0; i < file->n; i++) {
        annotate_sum(a, &file->lines[i], rows->sums);
        if (!annotate_is_relevant(a, a->events->n, how->limit, rows->sums))
            continue;
        if (table_is_json(&rows->table))
            put_line(rows, file, &file->lines[i], &source);
        else
            put_insns(rows, &file->lines[i]);
    }
    annotate_source_free(&source);
}

enum armpmu_status annotate_print_rows(const struct annotation *a, const struct annotate_print *how,
                                       FILE *stream, struct armpmu_error *err)
{
    static const char *const names[] = {"file", "line", "address", "insn", "symbol", "inlined"};
    enum { N = sizeof names / sizeof *names };
    struct annotate_rows rows = {.has_topdown = how->has_topdown,
                                 .a = a,
                                 .counts = {.profile = a->profile,
                                            .events = a->events,
                                            .metrics = how->metrics,
                                            .has_all = true},
                                 .disassembly = disassembly_new(a->profile),
                                 .sums = malloc((a->profile->n_events + 1) * sizeof(uint64_t))};
    struct table_column *const columns =
        calloc(N + 4 * (a->events->n + how->metrics->n), sizeof *columns);
    const bool is_ready = rows.disassembly != NULL && rows.sums != NULL && columns != NULL;
    enum armpmu_status status = ARMPMU_NO_MEMORY;

    if (is_ready) {
        struct table_form form = {"annotate", "lines", columns, N, .keys = NULL};
        for (size_t i = 0; i < N; i++)
            columns[i].key = names[i];
        form.n_columns += event_columns_of_table(&rows.counts, columns + N);
        table_begin(&rows.table, how->table, &form, stream);
        for (size_t i = 0; i < a->n_files; i++)
            put_file(&rows, how, &a->files[i]);
        status = table_end(&rows.table, err);
    }
    disassembly_free(rows.disassembly);
    free(rows.sums);
    free(columns);
    return is_ready ? status : fail_no_memory(err, "the annotation");
}

/* Annotated code as one JSON object a source line, in the order of the text: file, line and source
 * (where they are known); events, as `armpmu report -j` has them; reasons; insns. Each insn has
 * address, insn (its text), symbol, inlined (the innermost function it is inlined from), events and
 * reasons. A reason has event, percent, of and meaning. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/printable.h"
#include "cli/report/annotate.h"
#include "cli/report/json_build.h"
#include "cli/report/profile_table.h"

struct json_lines {
    const struct annotation *a;
    struct disassembly *disassembly;
    uint64_t *sums; /* of the line at hand */
};

static json_t *rounded(double percent)
{
    return json_real(round(percent * 1e6) / 1e6);
}

static json_t *events(const struct annotation *a, const uint64_t *sums)
{
    json_t *object = json_object();

    for (size_t i = 0; i < a->events->n; i++) {
        const uint64_t n = sums[a->events->events[i]];
        char *const name = printable_copy(a->profile->events[a->events->events[i]].name);
        json_t *counts = build_put(json_object(), "self", json_integer((json_int_t)n));
        counts = build_put(counts, "self-percent", rounded(annotate_percent(a, i, n)));
        if (name == NULL) {
            json_decref(counts);
            counts = NULL;
        }
        object = build_put(object, name != NULL ? name : "", counts);
        free(name);
    }
    return object;
}

static json_t *reasons_list(const struct profile *p, const struct annotate_reason *reasons,
                            size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++) {
        json_t *reason =
            build_put(json_object(), "event", build_text(p->events[reasons[i].event].name));
        reason = build_put(reason, "percent", rounded(reasons[i].percent));
        reason = build_put(reason, "of", build_text(reasons[i].of));
        list = build_append(list, build_put(reason, "meaning", build_text(reasons[i].meaning)));
    }
    return list;
}

static json_t *insn_object(const struct json_lines *printer, uint32_t number)
{
    const struct profile *const p = printer->a->profile;
    const struct profile_insn *const insn = &p->insns[number];
    const uint64_t *const sums = &printer->a->sums[number * p->n_events];
    struct annotate_reason reasons[ANNOTATE_REASONS_MOST];
    char text[DISASSEMBLY_TEXT];
    json_t *object = build_put(json_object(), "address", build_hexadecimal(1, insn->address));

    disassembly_text(printer->disassembly, number, 0, text);
    object = build_put(object, "insn", build_text(text));
    object = build_put(object, "symbol", build_text(profile_symbol(p, number)));
    if (insn->n_inlines > 0)
        object = build_put(object, "inlined",
                           build_text(p->inlines[insn->first_inline + insn->n_inlines - 1].name));
    object = build_put(object, "events", events(printer->a, sums));
    const size_t n = annotate_insn_reasons(p, sums, reasons);
    return build_put(object, "reasons", reasons_list(p, reasons, n));
}

/* As it is, where it is UTF-8. */
static json_t *source_text(const char *source)
{
    json_t *const text = json_string(source);

    return text != NULL ? text : build_text(source);
}

static json_t *line_object(const struct json_lines *printer, const struct annotate_file *file,
                           const struct annotate_line *line, const char *source)
{
    const struct profile *const p = printer->a->profile;
    struct annotate_reason reasons[ANNOTATE_REASONS_MOST];
    json_t *object = json_object(), *insns = json_array();

    if (file->file != PROFILE_NONE) {
        object = build_put(object, "file", build_text(p->files[file->file].path));
        object = build_put(object, "line", json_integer(line->line));
    }
    if (source != NULL)
        object = build_put(object, "source", source_text(source));
    object = build_put(object, "events", events(printer->a, printer->sums));
    const size_t n = annotate_line_reasons(p, printer->sums, reasons);
    object = build_put(object, "reasons", reasons_list(p, reasons, n));
    for (size_t i = 0; i < line->n; i++)
        insns = build_append(insns, insn_object(printer, printer->a->insns[line->first + i]));
    return build_put(object, "insns", insns);
}

static bool print_line(const struct json_lines *printer, const struct annotate_file *file,
                       const struct annotate_line *line, const struct annotate_source *source,
                       FILE *stream)
{
    const char *const text =
        line->line > 0 && line->line <= source->n ? source->lines[line->line - 1] : NULL;

    return build_print_line(line_object(printer, file, line, text), stream);
}

static bool print_file(const struct json_lines *printer, const struct annotate_print *how,
                       const struct annotate_file *file, FILE *stream)
{
    const struct annotation *const a = printer->a;
    struct annotate_source source = {NULL, 0, 0};
    bool done = true;

    if (file->file != PROFILE_NONE)
        (void)annotate_source_read(&source, a->profile->files[file->file].path, how->source_path);
    for (size_t i = 0; i < file->n && done; i++) {
        annotate_sum(a, &file->lines[i], printer->sums);
        if (annotate_is_relevant(a, a->events->n, how->limit, printer->sums))
            done = print_line(printer, file, &file->lines[i], &source, stream);
    }
    annotate_source_free(&source);
    return done;
}

enum armpmu_status annotate_print_json(const struct annotation *a, const struct annotate_print *how,
                                       FILE *stream, struct armpmu_error *err)
{
    const struct json_lines printer = {a, disassembly_new(a->profile),
                                       malloc((a->profile->n_events + 1) * sizeof(uint64_t))};
    bool done = printer.disassembly != NULL && printer.sums != NULL;

    for (size_t i = 0; i < a->n_files && done; i++)
        done = print_file(&printer, how, &a->files[i], stream);
    disassembly_free(printer.disassembly);
    free(printer.sums);
    return done ? ARMPMU_OK : fail_no_memory(err, "the annotation");
}

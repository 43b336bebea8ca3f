/* Annotated code as separated values: a line of names, then one for each instruction, in the order
 * of the text: file; line; address; insn (its text); symbol; inlined, the innermost function it is
 * inlined from; for each event its count, and its percentage of the total in a column named
 * EVENT %. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "cli/report/annotate.h"
#include "cli/table/csv.h"
#include "cli/report/profile_table.h"

struct insn_rows {
    const struct annotation *a;
    const char *separator;
    struct disassembly *disassembly;
    FILE *stream;
};

static void put(const struct insn_rows *rows, const char *field)
{
    csv_field(field, rows->separator, rows->stream);
}

static void put_names(const struct insn_rows *rows)
{
    static const char *const names[] = {"file", "line", "address", "insn", "symbol", "inlined"};
    const struct annotation *const a = rows->a;
    char text[300];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        fprintf(rows->stream, "%s%s", i > 0 ? rows->separator : "", names[i]);
    for (size_t i = 0; i < 2 * a->events->n; i++) {
        snprintf(text, sizeof text, "%.256s%s", a->profile->events[a->events->events[i / 2]].name,
                 i % 2 == 0 ? "" : " %");
        fputs(rows->separator, rows->stream);
        put(rows, text);
    }
    fputc('\n', rows->stream);
}

static void put_insn(const struct insn_rows *rows, uint32_t number)
{
    const struct annotation *const a = rows->a;
    const struct profile *const p = a->profile;
    const struct profile_insn *const insn = &p->insns[number];
    const char *const separator = rows->separator;
    char text[DISASSEMBLY_TEXT];

    put(rows, insn->line.file != PROFILE_NONE ? p->files[insn->line.file].path : "");
    fprintf(rows->stream, "%s%" PRIu32 "%s0x%" PRIx64 "%s", separator, insn->line.line, separator,
            insn->address, separator);
    disassembly_text(rows->disassembly, number, 0, text);
    put(rows, text);
    fputs(separator, rows->stream);
    put(rows, profile_symbol(p, number));
    fputs(separator, rows->stream);
    put(rows, insn->n_inlines > 0 ? p->inlines[insn->first_inline + insn->n_inlines - 1].name : "");
    for (size_t i = 0; i < a->events->n; i++) {
        const uint64_t n = a->sums[number * p->n_events + a->events->events[i]];
        fprintf(rows->stream, "%s%" PRIu64 "%s%.2f", separator, n, separator,
                annotate_percent(a, i, n));
    }
    fputc('\n', rows->stream);
}

static void put_file(const struct insn_rows *rows, const struct annotate_file *file, double limit,
                     uint64_t *sums)
{
    const struct annotation *const a = rows->a;

    for (size_t i = 0; i < file->n; i++) {
        annotate_sum(a, &file->lines[i], sums);
        if (!annotate_is_relevant(a, a->events->n, limit, sums))
            continue;
        for (size_t k = 0; k < file->lines[i].n; k++)
            put_insn(rows, a->insns[file->lines[i].first + k]);
    }
}

enum armpmu_status annotate_print_csv(const struct annotation *a, const struct annotate_print *how,
                                      FILE *stream, struct armpmu_error *err)
{
    const struct insn_rows rows = {a, how->separator, disassembly_new(a->profile), stream};
    uint64_t *const sums = malloc((a->profile->n_events + 1) * sizeof *sums);
    const bool is_ready = rows.disassembly != NULL && sums != NULL;

    if (is_ready)
        put_names(&rows);
    for (size_t i = 0; i < a->n_files && is_ready; i++)
        put_file(&rows, &a->files[i], how->limit, sums);
    disassembly_free(rows.disassembly);
    free(sums);
    return is_ready ? ARMPMU_OK : fail_no_memory(err, "the annotation");
}

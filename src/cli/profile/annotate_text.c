/* Annotated code for people:
 *
 *             CPU_CYCLES  L1D_CACHE_REFILL
 *                 11,330             1,007  total
 *   70.61 %        8,000   89.37 %     900  --> 13      while (node != NULL)
 *                                             ^ L1D_CACHE_REFILL: 98.9 % of L1D accesses
 *   70.61 %        8,000   89.37 %     900          10484:  ldr  r0, [r1]
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory_stream.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/profile/annotate_report.h"
#include "cli/profile/profile_table.h"
#include "cli/text_wrap.h"

#define CODE_COLUMNS     40 /* of the terminal are kept for code */
#define TAB              8
#define NOTE_INDENT      12
#define INSN_NOTE_INDENT 18
#define PART_PERCENT     10.0 /* of the cycles of a line: what is said to explain them */

struct listing {
    const struct annotation *a;
    const struct annotate_print *how;
    struct disassembly *disassembly;
    struct event_columns counts;
    uint64_t *sums;   /* n_events of the profile, of a line */
    bool has_missing; /* sources */
    FILE *stream;
    bool *is_short; /* of memory: a line is missing */
};

/* ---- counts ---- */

static const struct profile *profile_of(const struct listing *l)
{
    return l->a->profile;
}

static uint32_t event_of(const struct listing *l, size_t i)
{
    return l->a->events->events[i];
}

/* Where code begins. */
static int left_of(const struct listing *l)
{
    return event_columns_left(&l->counts);
}

static void put_counts(const struct listing *l, const uint64_t *sums)
{
    event_columns_put(&l->counts, sums, NULL, true);
}

static bool has_relevant(const struct listing *l, const struct annotate_file *file)
{
    for (size_t i = 0; i < file->n; i++) {
        annotate_sum(l->a, &file->lines[i], l->sums);
        if (annotate_is_relevant(l->a, l->counts.n, l->how->limit, l->sums))
            return true;
    }
    return false;
}

/* ---- instructions ---- */

/* The rest of a line, to the edge of the terminal: UTF-8, fit to print. NULL: no memory for it. */
static void put_rest(const struct listing *l, int column, const char *text)
{
    const int columns = (int)l->how->columns;
    size_t n = 0;

    if (text == NULL) {
        *l->is_short = true;
        return;
    }
    for (; text[n] != '\0'; n++) {
        const bool begins = ((unsigned char)text[n] & 0xc0) != 0x80;
        if (begins && columns > 0 && column >= columns)
            break;
        column += begins;
    }
    fprintf(l->stream, "%.*s\n", (int)n, text);
}

/* How far in lines of a width begin below the code: further left where they do not fit. */
static int note_indent(const struct listing *l, int indent, size_t width)
{
    const int columns = (int)l->how->columns, least = columns - (int)width;

    indent += left_of(l);
    if (columns == 0 || indent <= least)
        return indent;
    return least > 0 ? least : 0;
}

static void put_line_reasons(const struct listing *l, const uint64_t *sums)
{
    struct annotate_reason reasons[ANNOTATE_REASONS_MOST];
    const size_t n = annotate_line_reasons(profile_of(l), sums, reasons);

    for (size_t i = 0; i < n; i++) {
        char text[400];
        const char *const name = profile_of(l)->events[reasons[i].event].name;
        const char *const meaning = reasons[i].meaning;
        const int width = snprintf(text, sizeof text, "%.200s: %.1f %% of %s", name,
                                   reasons[i].percent, reasons[i].of);
        const size_t widest = strlen(meaning) > (size_t)width ? strlen(meaning) : (size_t)width;
        const int indent = note_indent(l, NOTE_INDENT, widest + 2);
        fprintf(l->stream, "%*s^ ", indent, "");
        printable_put(text, l->stream);
        fprintf(l->stream, "\n%*s  ", indent, "");
        text_wrap_fitted(meaning, indent + 2, indent + 2, l->stream);
    }
}

/* "^ waits for the load of line 20, at 400880: 100.0 % of these loads miss L1D, 79.3 % miss L2" */
static void put_wait(const struct listing *l, const struct annotate_file *file,
                     const struct annotate_line *line)
{
    const struct profile *const p = profile_of(l);
    struct annotate_wait wait;
    char text[500];

    if (!annotate_wait_of(l->a, l->disassembly, line, &wait))
        return;
    const struct profile_line at = annotate_line_of(l->a, wait.insn);
    snprintf(text, sizeof text, "^ %s ",
             wait.is_branch ? "comes after the branch" : "waits for the load");
    if (at.file == file->file && at.line > 0)
        text_join(text, sizeof text, "", "of line %" PRIu32 ", ", at.line);
    else if (at.file != PROFILE_NONE)
        text_join(text, sizeof text, "", "of %.200s:%" PRIu32 ", ",
                  profile_basename(p->files[at.file].path), at.line);
    text_join(text, sizeof text, "", "at %" PRIx64 ": %.1f %% of these %s %s",
              p->insns[wait.insn].address, wait.reasons[0].percent, wait.reasons[0].of,
              wait.reasons[0].meaning);
    for (size_t i = 1; i < wait.n; i++)
        text_join(text, sizeof text, ", ", "%.1f %% %s", wait.reasons[i].percent,
                  wait.reasons[i].meaning);
    const int indent = note_indent(l, NOTE_INDENT, strlen(text));
    fprintf(l->stream, "%*s", indent, "");
    text_wrap_fitted(text, indent, indent + 2, l->stream);
}

/* The largest causes of a line's cycles. */
static void put_topdown(const struct listing *l, const uint64_t *sums, int indent)
{
    struct topdown_part parts[TOPDOWN_LEAVES_MOST];
    const size_t n = l->how->has_topdown ? topdown_parts(profile_of(l), sums, parts) : 0;

    for (size_t i = 0; i < n; i++) {
        char text[160];
        if (parts[i].percent < PART_PERCENT)
            continue;
        const int width = snprintf(text, sizeof text, "^ %.1f %% of these cycles: %.100s",
                                   parts[i].percent, parts[i].name);
        fprintf(l->stream, "%*s%s\n", note_indent(l, indent, (size_t)width), "", text);
    }
}

/* Prints the share of all cycles that each change of a place saves. place: "chase.c:129", or the
 * name of a function. */
static void put_whatif(const struct listing *l, const char *place, int indent)
{
    const struct whatif_rows *const rows = l->how->whatif;

    for (size_t i = 0; place != NULL && i < rows->n; i++) {
        const struct whatif_row *const row = &rows->items[i];
        char percent[64];
        if (row->place == NULL || strcmp(row->place, place) != 0)
            continue;
        const int width =
            snprintf(percent, sizeof percent, ": %+.1f %% of all cycles", row->percent);
        const size_t all = strlen("^ if ") + strlen(row->text) + (size_t)width;
        fprintf(l->stream, "%*s^ if ", note_indent(l, indent, all), "");
        printable_put(row->text, l->stream);
        fprintf(l->stream, "%s\n", percent);
    }
}

static void put_line_whatif(const struct listing *l, const struct annotate_file *file,
                            uint32_t line)
{
    char place[400];

    if (file->file == PROFILE_NONE)
        return;
    snprintf(place, sizeof place, "%.300s:%" PRIu32,
             profile_basename(profile_of(l)->files[file->file].path), line);
    put_whatif(l, place, NOTE_INDENT);
}

static void put_insn_reasons(const struct listing *l, uint32_t insn)
{
    struct annotate_reason reasons[ANNOTATE_REASONS_MOST];
    const struct profile *const p = profile_of(l);
    const size_t n = annotate_insn_reasons(p, &l->a->sums[insn * p->n_events], reasons);

    for (size_t i = 0; i < n; i++) {
        char text[100];
        const int width = snprintf(text, sizeof text, "^ %.1f %% of these %s %s",
                                   reasons[i].percent, reasons[i].of, reasons[i].meaning);
        fprintf(l->stream, "%*s%s\n", note_indent(l, INSN_NOTE_INDENT, (size_t)width), "", text);
    }
}

static void put_inlines(const struct profile *p, const struct profile_insn *insn, FILE *stream)
{
    if (insn->n_inlines == 0)
        return;
    fputs("  ; inlined ", stream);
    printable_put(p->inlines[insn->first_inline + insn->n_inlines - 1].name, stream);
}

static void put_insn(const struct listing *l, uint32_t number)
{
    const struct profile *const p = profile_of(l);
    const struct profile_insn *const insn = &p->insns[number];
    char text[DISASSEMBLY_TEXT], *line = NULL;
    size_t size;
    FILE *const stream = memory_stream_open(&line, &size);

    put_counts(l, &l->a->sums[number * p->n_events]);
    disassembly_text(l->disassembly, number, MNEMONIC_WIDTH, text);
    if (stream != NULL) {
        fprintf(stream, "        %8" PRIx64 ":  %s", insn->address, text);
        put_inlines(p, insn, stream);
        (void)memory_stream_close(stream, &line);
    }
    put_rest(l, left_of(l), line);
    free(line);
    put_insn_reasons(l, number);
}

static void put_insns(const struct listing *l, const struct annotate_line *line)
{
    for (size_t i = 0; i < line->n; i++)
        put_insn(l, l->a->insns[line->first + i]);
}

/* ---- source ---- */

/* Tabs become columns; what a terminal would obey is made fit to print. */
static void put_source_text(const char *text, FILE *stream)
{
    for (int column = 0; *text != '\0';) {
        const size_t n = strcspn(text, "\t");
        printable_put_n(text, n, stream);
        column += (int)n;
        text += n;
        if (*text == '\t') {
            fprintf(stream, "%*s", TAB - column % TAB, "");
            column += TAB - column % TAB;
            text++;
        }
    }
}

static void put_line(const struct listing *l, const uint64_t *sums, uint32_t line, const char *text)
{
    const bool is_hottest = sums != NULL && l->counts.n > 0 && l->a->hottest > 0 &&
                            sums[event_of(l, 0)] == l->a->hottest;
    char *rest = NULL;
    size_t size;
    FILE *const stream = memory_stream_open(&rest, &size);

    if (sums != NULL)
        put_counts(l, sums);
    else
        fprintf(l->stream, "%*s", left_of(l), "");
    if (stream != NULL) {
        fprintf(stream, " %s %5" PRIu32 "%s", is_hottest ? "-->" : "   ", line,
                *text != '\0' ? "  " : "");
        put_source_text(text, stream);
        (void)memory_stream_close(stream, &rest);
    }
    put_rest(l, left_of(l), rest);
    free(rest);
}

static const char *text_of(const struct annotate_source *source, uint32_t line)
{
    return line > 0 && line <= source->n ? source->lines[line - 1] : "";
}

static void put_context(const struct listing *l, const struct annotate_source *source,
                        uint64_t first, uint64_t last)
{
    for (uint64_t line = first; line <= last && line <= source->n; line++)
        put_line(l, NULL, (uint32_t)line, source->lines[line - 1]);
}

/* Lines between two that are shown: all, or those that are near with a mark between. */
static void put_between(const struct listing *l, const struct annotate_source *source,
                        uint64_t before, uint64_t after)
{
    const uint64_t n = l->how->context;
    const uint64_t first = after > n ? after - n : 1;

    if (before == 0)
        put_context(l, source, first, after - 1);
    else if (before + n + 1 >= first)
        put_context(l, source, before + 1, after - 1);
    else {
        put_context(l, source, before + 1, before + n);
        fprintf(l->stream, "%*s    ----\n", left_of(l), "");
        put_context(l, source, first, after - 1);
    }
}

static void put_spans(const struct listing *l, const struct annotate_file *file,
                      const struct annotate_source *source)
{
    uint64_t before = 0;
    size_t n_hidden = 0;

    for (size_t i = 0; i < file->n; i++) {
        const struct annotate_line *const line = &file->lines[i];
        annotate_sum(l->a, line, l->sums);
        if (!annotate_is_relevant(l->a, l->counts.n, l->how->limit, l->sums)) {
            n_hidden++;
            continue;
        }
        if (line->line > 0 && source->n > 0)
            put_between(l, source, before, line->line);
        put_line(l, l->sums, line->line, text_of(source, line->line));
        put_line_reasons(l, l->sums);
        put_wait(l, file, line);
        put_topdown(l, l->sums, NOTE_INDENT);
        put_line_whatif(l, file, line->line);
        put_insns(l, line);
        before = line->line;
    }
    if (before > 0)
        put_context(l, source, before + 1, before + l->how->context);
    if (n_hidden > 0)
        fprintf(l->stream, "%*s    and %zu more below the limit\n", left_of(l), "", n_hidden);
}

/* The first such file says what helps. */
static void put_missing(struct listing *l, int why)
{
    fprintf(l->stream, ": %s; only instructions are shown%s", strerror(why),
            l->has_missing ? "" : "; --source-path finds sources that moved");
    l->has_missing = true;
}

/* Code without source has its address alone. */
static void put_file(struct listing *l, const struct annotate_file *file)
{
    struct annotate_source source = {NULL, 0, 0};

    if (file->file == PROFILE_NONE) {
        fprintf(l->stream, "\n no source is known\n");
        for (size_t i = 0; i < file->n; i++)
            put_insns(l, &file->lines[i]);
        return;
    }
    const char *const path = profile_of(l)->files[file->file].path;
    const bool is_read = annotate_source_read(&source, path, l->how->source_path);
    const int why = errno;
    fputs("\n ", l->stream);
    printable_put(path, l->stream);
    if (!is_read)
        put_missing(l, why);
    fputc('\n', l->stream);
    put_spans(l, file, &source);
    annotate_source_free(&source);
}

/* ---- head ---- */

static void put_choice(const struct listing *l)
{
    if (!l->how->chose_events || l->a->events->n < 2)
        return;
    fputs(" events: cycles and what costs most here; -e chooses others\n", l->stream);
    (void)event_columns_put_hidden(&l->counts);
    fputc('\n', l->stream);
}

static void put_head(const struct listing *l)
{
    const struct annotate_line all = {0, l->a->n, 0};

    profile_put_setup(profile_of(l), "annotate", l->stream);
    put_choice(l);
    event_columns_put_head(&l->counts);
    annotate_sum(l->a, &all, l->sums);
    put_counts(l, l->sums);
    fputs("  ", l->stream);
    printable_put(l->a->title, l->stream);
    fputc('\n', l->stream);
    put_whatif(l, l->a->title, NOTE_INDENT);
}

static void put_files(struct listing *l)
{
    bool is_any = false;

    for (size_t i = 0; i < l->a->n_files; i++)
        if (has_relevant(l, &l->a->files[i])) {
            put_file(l, &l->a->files[i]);
            is_any = true;
        }
    if (!is_any)
        fprintf(l->stream, "\n each line has less than %g %% of these events: --percent-limit\n",
                l->how->limit);
}

static bool prepare(struct listing *l)
{
    l->disassembly = disassembly_new(profile_of(l));
    l->sums = calloc(profile_of(l)->n_events + 1, sizeof *l->sums);
    return event_columns_open(&l->counts, l->how->chose_events, l->how->columns, CODE_COLUMNS) &&
           l->disassembly != NULL && l->sums != NULL;
}

enum armpmu_status annotate_print_text(const struct annotation *annotation,
                                       const struct annotate_print *how, FILE *stream,
                                       struct armpmu_error *err)
{
    bool is_short = false;
    struct listing l = {.a = annotation,
                        .how = how,
                        .stream = stream,
                        .is_short = &is_short,
                        .counts = {.profile = annotation->profile,
                                   .events = annotation->events,
                                   .metrics = how->metrics,
                                   .has_all = true,
                                   .color = how->color,
                                   .stream = stream}};
    const bool is_ready = prepare(&l);

    if (is_ready) {
        put_head(&l);
        put_files(&l);
    }
    disassembly_free(l.disassembly);
    free(l.sums);
    event_columns_close(&l.counts);
    return is_ready && !is_short ? ARMPMU_OK : fail_no_memory(err, "the annotation");
}

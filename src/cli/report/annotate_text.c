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
#include "base/printable.h"
#include "cli/report/annotate.h"
#include "cli/report/profile_table.h"
#include "cli/text_wrap.h"

#define CODE_COLUMNS 40 /* of the terminal are kept for code */
#define TAB          8

/* All of a source line, or an instruction. */
struct line_span {
    size_t first, n; /* of the annotation's insns */
    uint32_t line;
};

struct file_spans {
    uint32_t file;
    struct line_span *spans;
    size_t n;
    uint64_t heat; /* of the first event */
    bool is_done;
};

struct listing {
    const struct annotation *a;
    const struct annotate_print *how;
    struct disassembly *disassembly;
    struct line_span *spans;
    struct file_spans *files;
    size_t n_files, n_events;
    uint64_t hottest; /* line's count of the first event */
    uint64_t *sums;   /* n_events of the profile, of the line at hand */
    int *counts;      /* widths */
    bool has_missing; /* sources */
    FILE *stream;
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

static int block_width(const struct listing *l, size_t i)
{
    return PROFILE_PERCENT_WIDTH + 2 + l->counts[i];
}

/* Where code begins. */
static int left_of(const struct listing *l)
{
    int left = 0;

    for (size_t i = 0; i < l->n_events; i++)
        left += 2 + block_width(l, i);
    return left;
}

/* The first event is always shown, and all that were asked for. */
static void measure(struct listing *l)
{
    char text[TEXT_WRAP_COUNT];

    for (size_t i = 0; i < l->a->events->n; i++) {
        const int name = (int)strlen(profile_of(l)->events[event_of(l, i)].name);
        l->counts[i] = text_wrap_count(profile_of(l)->totals[event_of(l, i)], true, text);
        if (block_width(l, i) < name)
            l->counts[i] += name - block_width(l, i);
    }
    l->n_events = l->a->events->n;
    while (l->how->chose_events && l->how->columns > 0 && l->n_events > 1 &&
           left_of(l) + CODE_COLUMNS > (int)l->how->columns)
        l->n_events--;
}

static double percent(const struct listing *l, size_t i, uint64_t n)
{
    const uint64_t total = profile_of(l)->totals[event_of(l, i)];

    return total > 0 ? 100.0 * (double)n / (double)total : 0;
}

static void put_counts(const struct listing *l, const uint64_t *sums)
{
    char text[TEXT_WRAP_COUNT];

    for (size_t i = 0; i < l->n_events; i++) {
        const uint64_t n = sums[event_of(l, i)];
        if (n == 0) {
            fprintf(l->stream, "  %*s", block_width(l, i), "");
            continue;
        }
        text_wrap_count(n, true, text);
        fputs("  ", l->stream);
        profile_put_percent(percent(l, i, n), l->how->color, l->stream);
        fprintf(l->stream, "  %*s", l->counts[i], text);
    }
}

static void sum_span(const struct listing *l, const struct line_span *span)
{
    const size_t n = profile_of(l)->n_events;

    memset(l->sums, 0, n * sizeof *l->sums);
    for (size_t i = 0; i < span->n; i++)
        for (size_t e = 0; e < n; e++)
            l->sums[e] += l->a->sums[l->a->insns[span->first + i] * n + e];
}

/* Of a share that is to be shown: in one of the events that are. */
static bool is_relevant(const struct listing *l, const uint64_t *sums)
{
    for (size_t i = 0; i < l->n_events; i++)
        if (percent(l, i, sums[event_of(l, i)]) >= l->how->limit)
            return true;
    return false;
}

/* ---- lines and files ---- */

static void add_insn(struct listing *l, size_t *n_spans, size_t i)
{
    const struct profile_line at = profile_of(l)->insns[l->a->insns[i]].line;
    struct file_spans *file = &l->files[l->n_files - (l->n_files > 0)];

    if (l->n_files == 0 || file->file != at.file) {
        file = &l->files[l->n_files++];
        *file = (struct file_spans){.file = at.file, .spans = &l->spans[*n_spans]};
    }
    if (file->n == 0 || file->spans[file->n - 1].line != at.line) {
        file->spans[file->n++] = (struct line_span){.first = i, .line = at.line};
        ++*n_spans;
    }
    file->spans[file->n - 1].n++;
}

static void find_heat(struct listing *l)
{
    for (size_t f = 0; f < l->n_files; f++)
        for (size_t i = 0; i < l->files[f].n; i++) {
            sum_span(l, &l->files[f].spans[i]);
            const uint64_t n = l->n_events > 0 ? l->sums[event_of(l, 0)] : 0;
            l->files[f].heat += n;
            if (l->files[f].file != PROFILE_NONE && l->files[f].spans[i].line > 0)
                l->hottest = n > l->hottest ? n : l->hottest;
        }
}

static struct file_spans *next_file(struct listing *l)
{
    struct file_spans *best = NULL;

    for (size_t f = 0; f < l->n_files; f++)
        if (!l->files[f].is_done && (best == NULL || l->files[f].heat > best->heat))
            best = &l->files[f];
    if (best != NULL)
        best->is_done = true;
    return best;
}

static bool has_relevant(const struct listing *l, const struct file_spans *file)
{
    for (size_t i = 0; i < file->n; i++) {
        sum_span(l, &file->spans[i]);
        if (is_relevant(l, l->sums))
            return true;
    }
    return false;
}

/* ---- instructions ---- */

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
    char text[DISASSEMBLY_TEXT];

    put_counts(l, &l->a->sums[number * p->n_events]);
    disassembly_text(l->disassembly, number, MNEMONIC_WIDTH, text);
    fprintf(l->stream, "        %8" PRIx64 ":  %s", insn->address, text);
    put_inlines(p, insn, l->stream);
    fputc('\n', l->stream);
}

static void put_insns(const struct listing *l, const struct line_span *span)
{
    for (size_t i = 0; i < span->n; i++)
        put_insn(l, l->a->insns[span->first + i]);
}

/* ---- source ---- */

/* Tabs become columns; what a terminal would obey is made fit to print. */
static void put_source_text(const char *text, FILE *stream)
{
    for (int column = 0; *text != '\0';) {
        const size_t n = strcspn(text, "\t");
        char *const part = strndup(text, n);
        if (part != NULL)
            printable_put(part, stream);
        free(part);
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
    const bool is_hottest =
        sums != NULL && l->n_events > 0 && l->hottest > 0 && sums[event_of(l, 0)] == l->hottest;

    if (sums != NULL)
        put_counts(l, sums);
    else
        fprintf(l->stream, "%*s", left_of(l), "");
    fprintf(l->stream, " %s %5" PRIu32 "%s", is_hottest ? "-->" : "   ", line,
            text != NULL && *text != '\0' ? "  " : "");
    put_source_text(text != NULL ? text : "", l->stream);
    fputc('\n', l->stream);
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

static void put_spans(const struct listing *l, const struct file_spans *file,
                      const struct annotate_source *source)
{
    uint64_t before = 0;
    size_t n_hidden = 0;

    for (size_t i = 0; i < file->n; i++) {
        const struct line_span *const span = &file->spans[i];
        sum_span(l, span);
        if (!is_relevant(l, l->sums)) {
            n_hidden++;
            continue;
        }
        if (span->line > 0 && source->n > 0)
            put_between(l, source, before, span->line);
        put_line(l, l->sums, span->line, text_of(source, span->line));
        annotate_put_reasons(profile_of(l), l->sums, left_of(l) + 12, l->stream);
        put_insns(l, span);
        before = span->line;
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

/* Code without source stands by address alone. */
static void put_file(struct listing *l, const struct file_spans *file)
{
    struct annotate_source source = {NULL, 0, 0};

    if (file->file == PROFILE_NONE) {
        fprintf(l->stream, "\n no source is known\n");
        for (size_t i = 0; i < file->n; i++)
            put_insns(l, &file->spans[i]);
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
    fputs(" events: cycles and the costs that fewest instructions cause; -e chooses others\n",
          l->stream);
    if (l->n_events == l->a->events->n)
        return;
    fputs(" too wide for the terminal:", l->stream);
    for (size_t i = l->n_events; i < l->a->events->n; i++) {
        fputc(' ', l->stream);
        printable_put(profile_of(l)->events[event_of(l, i)].name, l->stream);
    }
    fputc('\n', l->stream);
}

static void put_head(const struct listing *l)
{
    const struct line_span all = {0, l->a->n, 0};
    char text[TEXT_WRAP_COUNT];

    profile_put_setup(profile_of(l), "annotate", l->stream);
    put_choice(l);
    fputs(l->how->chose_events ? "\n" : "", l->stream);
    for (size_t i = 0; i < l->n_events; i++) {
        const char *const name = profile_of(l)->events[event_of(l, i)].name;
        fprintf(l->stream, "  %*s", block_width(l, i) - (int)strlen(name), "");
        printable_put(name, l->stream);
    }
    fputc('\n', l->stream);
    for (size_t i = 0; i < l->n_events; i++) {
        text_wrap_count(profile_of(l)->totals[event_of(l, i)], true, text);
        fprintf(l->stream, "  %*s", block_width(l, i), text);
    }
    fputs("  total\n", l->stream);
    sum_span(l, &all);
    put_counts(l, l->sums);
    fputs("  ", l->stream);
    printable_put(l->a->title, l->stream);
    fputc('\n', l->stream);
}

static bool prepare(struct listing *l)
{
    const size_t n = l->a->n;
    size_t n_spans = 0;

    l->disassembly = disassembly_new(profile_of(l));
    l->spans = calloc(n + 1, sizeof *l->spans);
    l->files = calloc(n + 1, sizeof *l->files);
    l->sums = calloc(profile_of(l)->n_events + 1, sizeof *l->sums);
    l->counts = calloc(l->a->events->n + 1, sizeof *l->counts);
    if (l->disassembly == NULL || l->spans == NULL || l->files == NULL || l->sums == NULL ||
        l->counts == NULL)
        return false;
    measure(l);
    for (size_t i = 0; i < n; i++)
        add_insn(l, &n_spans, i);
    find_heat(l);
    return true;
}

enum armpmu_status annotate_print_text(const struct annotation *annotation,
                                       const struct annotate_print *how, FILE *stream,
                                       struct armpmu_error *err)
{
    struct listing l = {.a = annotation, .how = how, .stream = stream};
    const bool is_ready = prepare(&l);

    if (is_ready) {
        put_head(&l);
        for (const struct file_spans *file; (file = next_file(&l)) != NULL;)
            if (has_relevant(&l, file))
                put_file(&l, file);
    }
    disassembly_free(l.disassembly);
    free(l.spans);
    free(l.files);
    free(l.sums);
    free(l.counts);
    return is_ready ? ARMPMU_OK : fail(err, ARMPMU_NO_MEMORY, "out of memory for the annotation");
}

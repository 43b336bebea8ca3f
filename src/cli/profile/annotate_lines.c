/* The source lines and files of an annotation. */
#include <stdlib.h>
#include <string.h>

#include "cli/profile/annotate_report.h"

void annotate_sum(const struct annotation *a, const struct annotate_line *line, uint64_t *sums)
{
    const size_t n = a->profile->n_events;

    memset(sums, 0, n * sizeof *sums);
    for (size_t i = 0; i < line->n; i++)
        for (size_t e = 0; e < n; e++)
            sums[e] += a->sums[a->insns[line->first + i] * n + e];
}

bool annotate_is_relevant(const struct annotation *a, size_t n_events, double limit,
                          const uint64_t *sums)
{
    for (size_t i = 0; i < n_events; i++)
        if (event_percent(a->profile, a->events, i, sums[a->events->events[i]]) >= limit)
            return true;
    return false;
}

static void add_insn(struct annotation *a, size_t *n_lines, size_t i)
{
    const struct profile_line at = annotate_line_of(a, a->insns[i]);
    struct annotate_file *file = &a->files[a->n_files - (a->n_files > 0)];

    if (a->n_files == 0 || file->file != at.file) {
        file = &a->files[a->n_files++];
        *file = (struct annotate_file){.file = at.file, .lines = &a->lines[*n_lines]};
    }
    if (file->n == 0 || file->lines[file->n - 1].line != at.line) {
        file->lines[file->n++] = (struct annotate_line){.first = i, .line = at.line};
        ++*n_lines;
    }
    file->lines[file->n - 1].n++;
}

static uint64_t heat_of(const struct annotation *a, const struct annotate_line *line)
{
    const size_t n_events = a->profile->n_events;
    uint64_t n = 0;

    for (size_t i = 0; i < line->n && a->events->n > 0; i++)
        n += a->sums[a->insns[line->first + i] * n_events + a->events->events[0]];
    return n;
}

static void find_heat(struct annotation *a, struct annotate_file *file)
{
    for (size_t i = 0; i < file->n; i++) {
        const uint64_t n = heat_of(a, &file->lines[i]);
        file->heat += n;
        if (file->file != PROFILE_NONE && file->lines[i].line > 0 && n > a->hottest)
            a->hottest = n;
    }
}

static int hottest_first(const void *left, const void *right)
{
    const struct annotate_file *const x = left, *const y = right;

    if (x->heat != y->heat)
        return x->heat > y->heat ? -1 : 1;
    return x->lines < y->lines ? -1 : x->lines > y->lines;
}

bool annotate_find_lines(struct annotation *a)
{
    size_t n_lines = 0;

    a->lines = calloc(a->n + 1, sizeof *a->lines);
    a->files = calloc(a->n + 1, sizeof *a->files);
    if (a->lines == NULL || a->files == NULL)
        return false;
    for (size_t i = 0; i < a->n; i++)
        add_insn(a, &n_lines, i);
    for (size_t i = 0; i < a->n_files; i++)
        find_heat(a, &a->files[i]);
    qsort(a->files, a->n_files, sizeof *a->files, hottest_first);
    return true;
}

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/order.h"
#include "export/html_sections.h"
#include "export/json_text.h"

#define CONTEXT          6u            /* lines shown around those with counts */
#define TEXT_BUDGET      (200u * 1024) /* bytes of source, over all files */
#define SOURCE_BYTES_MAX (16 * 1024 * 1024)
#define LINE_NUMBERS     20000u /* counts of lines, over all events */

/* A line with counts; those of one file are together, by line. */
struct line_sums {
    struct profile_line at;
    uint64_t *sums;
};

struct source_files {
    const struct export_job *job;
    struct line_sums *items;
    size_t n;
    uint64_t *sums;
    size_t text_left, numbers_left;
};

/* ---- counts by line ---- */

static int in_order(const void *a, const void *b)
{
    const struct profile_line x = ((const struct line_sums *)a)->at,
                              y = ((const struct line_sums *)b)->at;

    return ORDER(x.file, y.file, x.line, y.line);
}

static void merge(struct source_files *lines)
{
    size_t last = 0;

    for (size_t i = 1; i < lines->n; i++) {
        if (in_order(&lines->items[last], &lines->items[i]) == 0)
            export_add(lines->job, lines->items[last].sums, lines->items[i].sums);
        else
            lines->items[++last] = lines->items[i];
    }
    lines->n = lines->n > 0 ? last + 1 : 0;
}

static bool read_lines(struct source_files *lines, const struct export_job *job)
{
    const struct profile *const p = job->profile;

    *lines = (struct source_files){.job = job,
                                   .items = calloc(p->n_insns + 1, sizeof *lines->items),
                                   .sums = export_sums_by_insn(job),
                                   .text_left = TEXT_BUDGET,
                                   .numbers_left = LINE_NUMBERS};
    if (lines->items == NULL || lines->sums == NULL)
        return false;
    for (uint32_t i = 0; i < p->n_insns; i++) {
        const struct profile_line line = profile_own_line(p, i);
        if (line.file != PROFILE_NONE && line.line > 0)
            lines->items[lines->n++] = (struct line_sums){line, lines->sums + i * job->n_events};
    }
    qsort(lines->items, lines->n, sizeof *lines->items, in_order);
    merge(lines);
    return true;
}

/* ---- files: the program's own, hottest first, then libraries' ---- */

struct file {
    size_t first, n; /* lines */
    double share;    /* of the line with the largest */
    bool is_library;
};

static int hotter(const void *a, const void *b)
{
    const struct file *const x = a, *const y = b;

    if (x->is_library != y->is_library)
        return x->is_library ? 1 : -1;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    return ORDER(x->first, y->first);
}

static struct file *new_files(const struct source_files *lines, size_t *n)
{
    struct file *const files = calloc(lines->n + 1, sizeof *files);

    *n = 0;
    for (size_t i = 0; files != NULL && i < lines->n; i++) {
        const double share = html_share(lines->job, lines->items[i].sums);
        const uint32_t number = lines->items[i].at.file;
        if (i == 0 || number != lines->items[i - 1].at.file)
            files[(*n)++] = (struct file){
                i, 0, 0, profile_is_library_file(lines->job->profile->files[number].path)};
        struct file *const file = &files[*n - 1];
        file->n++;
        file->share = share > file->share ? share : file->share;
    }
    if (files != NULL)
        qsort(files, *n, sizeof *files, hotter);
    return files;
}

/* ---- text ---- */

/* A regular file of no unlikely size; NULL where it cannot be read: then the lines have no text. */
static FILE *open_source(const char *path)
{
    struct stat about;
    const int fd = path[0] == '/' ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    FILE *const source = fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
                                 about.st_size <= SOURCE_BYTES_MAX
                             ? fdopen(fd, "r")
                             : NULL;

    if (source == NULL && fd >= 0)
        close(fd);
    return source;
}

/* Returns whether a line is near one with counts; *next: the first with counts that is not far
 * above. */
static bool is_near(const struct source_files *lines, const struct file *file, uint32_t number,
                    size_t *next)
{
    const size_t end = file->first + file->n;

    while (*next < end && (uint64_t)lines->items[*next].at.line + CONTEXT < number)
        (*next)++;
    return *next < end && lines->items[*next].at.line <= (uint64_t)number + CONTEXT;
}

/* Tabs become columns of 8, as far as a line of source has them. */
static void expand(const char *text, char *wide, size_t size)
{
    size_t n = 0;

    for (; *text != '\0' && *text != '\n' && *text != '\r' && n + 9 < size; text++) {
        if (*text != '\t') {
            wide[n++] = *text;
            continue;
        }
        do
            wide[n++] = ' ';
        while (n % 8 != 0);
    }
    wide[n] = '\0';
}

static void print_text(struct source_files *lines, const struct file *file, FILE *source, FILE *out)
{
    char *text = NULL, wide[512];
    size_t room = 0, next = file->first;
    bool has_any = false;

    for (uint32_t number = 1; lines->text_left > sizeof wide && getline(&text, &room, source) >= 0;
         number++) {
        if (!is_near(lines, file, number, &next))
            continue;
        expand(text, wide, sizeof wide);
        fprintf(out, "%s[%" PRIu32 ",", has_any ? ",\n" : "", number);
        json_text(wide, out);
        fputc(']', out);
        lines->text_left -= strlen(wide);
        has_any = true;
    }
    free(text);
}

/* ---- all of it ---- */

/* Prints the counts of a file: event and count, one after another, without zeros. */
static void print_sums(const struct source_files *lines, const struct file *file, FILE *out)
{
    const char *between = "";

    for (size_t e = 0; e < lines->job->n_events; e++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < file->n; i++)
            sum += lines->items[file->first + i].sums[e];
        if (sum > 0) {
            fprintf(out, "%s%zu,%" PRIu64, between, e, sum);
            between = ",";
        }
    }
}

/* Prints those of each line after its number. Returns the number of lines. */
static size_t print_counts(struct source_files *lines, const struct file *file, FILE *out)
{
    size_t i = 0;

    for (; i < file->n && lines->numbers_left > 0; i++) {
        const struct line_sums *const line = &lines->items[file->first + i];
        fprintf(out, "%s[%" PRIu32, i > 0 ? ",\n" : "", line->at.line);
        for (size_t e = 0; e < lines->job->n_events; e++)
            if (line->sums[e] > 0) {
                fprintf(out, ",%zu,%" PRIu64, e, line->sums[e]);
                lines->numbers_left -= lines->numbers_left > 0;
            }
        fputc(']', out);
    }
    return i;
}

static void print_file(struct source_files *lines, const struct file *file, FILE *out)
{
    const uint32_t number = lines->items[file->first].at.file;
    const char *const path = lines->job->profile->files[number].path;
    FILE *const source = open_source(path);
    struct file shown = *file;

    fputs("{\"path\":", out);
    json_text(path, out);
    fprintf(out, ",\"library\":%s,\"sums\":[", file->is_library ? "true" : "false");
    print_sums(lines, file, out);
    fputs("],\"counts\":[", out);
    shown.n = print_counts(lines, file, out);
    fputs("],\"text\":[", out);
    if (source != NULL) {
        print_text(lines, &shown, source, out);
        fclose(source);
    }
    fputs("]}", out);
}

static bool write_files(struct source_files *lines, FILE *out)
{
    size_t n = 0;
    struct file *const files = new_files(lines, &n);

    if (files == NULL)
        return false;
    fputs(",\n\"files\":[", out);
    for (size_t i = 0; i < n && lines->numbers_left > 0; i++) {
        fputs(i > 0 ? ",\n" : "", out);
        print_file(lines, &files[i], out);
    }
    fputc(']', out);
    free(files);
    return true;
}

enum armpmu_status html_files(const struct export_job *job, FILE *out, struct armpmu_error *err)
{
    struct source_files lines;
    const bool done = read_lines(&lines, job) && write_files(&lines, out);

    free(lines.items);
    free(lines.sums);
    return done ? ARMPMU_OK : export_no_memory(err);
}

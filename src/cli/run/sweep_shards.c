/* Jobs are scripts over armpmu sweep itself: their results are its CSV, so that a person can read
 * them, and gathering needs no format of its own. The mark of a complete result is at its end, so a
 * killed job leaves none. */
#include "cli/run/sweep_shards.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/memory_stream.h"
#include "base/own_path.h"
#include "base/read_file.h"
#include "cli/run/sweep_report.h"
#include "cli/shell_words.h"
#include "sweep_shard.h"

#define SCRIPT   "sweep.sh"
#define COMPLETE "# complete\n"

/* ---- files ----------------------------------------------------------------------------------- */

static enum armpmu_status cannot(const char *what, const char *path, struct armpmu_error *err)
{
    return fail(err, errno == ENOENT ? ARMPMU_NOT_FOUND : ARMPMU_IO, "cannot %s '%.200s': %s", what,
                path, strerror(errno));
}

/* A file's text; the caller frees it. */
static enum armpmu_status read_text(const char *path, char **text, struct armpmu_error *err)
{
    const struct file_source asked = {
        path, "name a folder of 'armpmu sweep --slurm', or run its shard again", 0};

    return read_text_file(&asked, text, err);
}

static char *next_line(const char *line)
{
    const size_t n = strcspn(line, "\n");

    return (char *)(uintptr_t)line + n + (line[n] == '\n');
}

static size_t count_lines(const char *text)
{
    size_t n = 0;

    for (; *text != '\0'; text = next_line(text))
        n++;
    return n;
}

/* A file of the folder; the caller frees it. */
static char *in_folder(const char *folder, const char *name)
{
    char *path;

    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/* Results belong to the file that is there: another text would mix them up. */
static enum armpmu_status check_same(const char *path, const char *text, const char *what,
                                     struct armpmu_error *err)
{
    char *before;

    if (access(path, F_OK) != 0)
        return ARMPMU_OK;
    enum armpmu_status status = read_text(path, &before, err);
    if (status == ARMPMU_OK && *before != '\0' && strcmp(before, text) != 0)
        status = fail(err, ARMPMU_BAD_CONFIG,
                      "'%.200s' has other %s and may have their results; name another folder, or "
                      "remove that one",
                      path, what);
    free(before);
    return status;
}

static enum armpmu_status write_text(const char *folder, const char *name, const char *text,
                                     struct armpmu_error *err)
{
    const bool is_script = strcmp(name, SCRIPT) == 0;
    char *const path = in_folder(folder, name);
    enum armpmu_status status = path == NULL ? fail_no_memory(err, "the shards of a sweep")
                                : is_script  ? ARMPMU_OK
                                             : check_same(path, text, name, err);
    FILE *const file = status == ARMPMU_OK ? fopen(path, "we") : NULL;

    bool written = file != NULL && fputs(text, file) >= 0;

    if (file != NULL && fclose(file) != 0)
        written = false;
    if (status == ARMPMU_OK && (!written || (is_script && chmod(path, 0777 & ~022) != 0)))
        status = cannot("write", path, err);
    free(path);
    return status;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* The command lines, with neither comments nor empty lines. */
static enum armpmu_status put_programs(const struct sweep_shards *shards, FILE *out,
                                       struct armpmu_error *err)
{
    char *text = NULL;

    if (shards->programs == NULL) {
        shell_words(shards->program, out);
        fputc('\n', out);
        return ARMPMU_OK;
    }
    const enum armpmu_status status = read_text(shards->programs, &text, err);
    for (const char *line = text; status == ARMPMU_OK && *line != '\0'; line = next_line(line)) {
        const char first = line[strspn(line, " \t")];
        if (first != '\0' && first != '\n' && first != '#')
            fprintf(out, "%.*s\n", (int)strcspn(line, "\n"), line);
    }
    free(text);
    return status;
}

static size_t per_shard(size_t n_programs)
{
    return (n_programs + SWEEP_SHARDS_MAX - 1) / SWEEP_SHARDS_MAX;
}

static size_t shards_of(size_t n_programs)
{
    return (n_programs + per_shard(n_programs) - 1) / per_shard(n_programs);
}

static void put_script(const struct sweep_shards *shards, const char *folder, size_t n_programs,
                       FILE *file)
{
    char self[PATH_MAX] = "armpmu", here[PATH_MAX] = "";

    (void)!own_path(self, sizeof self);
    fprintf(file,
            "#!/bin/sh\n#SBATCH --job-name=armpmu-sweep\n#SBATCH --array=0-%zu\n"
            "#SBATCH --cpus-per-task=2\n#SBATCH --output=/dev/null\n"
            "# Made by armpmu sweep --slurm. Submit it with sbatch, or run it with the number of a "
            "shard.\n"
            "programs=%zu per_shard=%zu shards=%zu dir=",
            shards_of(n_programs) - 1, n_programs, per_shard(n_programs), shards_of(n_programs));
    shell_word(folder, file);
    fputs("\narmpmu=", file);
    shell_word(self, file);
    fputs("\nsweep() {\n    \"${ARMPMU:-$armpmu}\" sweep ", file);
    shell_words(shards->arguments, file);
    fputs(" --format csv --comments \"$@\"\n}\n", file);
    if (getcwd(here, sizeof here) != NULL) {
        fputs("cd ", file);
        shell_word(here, file);
        fputs(" || exit\n", file);
    }
    fwrite(sweep_shard, 1, sizeof sweep_shard, file);
}

static enum armpmu_status make_folders(const char *path, char **folder, struct armpmu_error *err)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return cannot("make", path, err);
    *folder = realpath(path, NULL);
    char *const results = *folder != NULL ? in_folder(*folder, "results") : NULL;
    const enum armpmu_status status = results == NULL ? fail_no_memory(err, "the shards of a sweep")
                                      : mkdir(results, 0777) != 0 && errno != EEXIST
                                          ? cannot("make", results, err)
                                          : ARMPMU_OK;
    free(results);
    return status;
}

static enum armpmu_status write_folder(const struct sweep_shards *shards, const char *programs,
                                       FILE *out, struct armpmu_error *err)
{
    const size_t n = count_lines(programs);
    char *folder = NULL, *script = NULL;
    size_t size = 0;

    if (n == 0)
        return fail(err, ARMPMU_BAD_CONFIG, "'%.200s' has no command lines; write one on each line",
                    shards->programs);
    enum armpmu_status status = make_folders(shards->folder, &folder, err);
    FILE *const stream = status == ARMPMU_OK ? memory_stream_open(&script, &size) : NULL;
    if (stream != NULL)
        put_script(shards, folder, n, stream);
    if (status == ARMPMU_OK && (stream == NULL || !memory_stream_close(stream, &script)))
        status = fail_no_memory(err, "the shards of a sweep");
    if (status == ARMPMU_OK)
        status = write_text(folder, "programs", programs, err);
    if (status == ARMPMU_OK)
        status = write_text(folder, "machines", shards->identity, err);
    if (status == ARMPMU_OK)
        status = write_text(folder, SCRIPT, script, err);
    if (status == ARMPMU_OK) {
        fprintf(out,
                "%zu program%s in %zu shard%s. Submit them, and when they are done gather them:\n\n"
                "    sbatch ",
                n, n == 1 ? "" : "s", shards_of(n), shards_of(n) == 1 ? "" : "s");
        shell_word(folder, out);
        fputs("/" SCRIPT "\n    armpmu sweep --gather ", out);
        shell_word(shards->folder, out);
        fputc('\n', out);
    }
    free(script);
    free(folder);
    return status;
}

enum armpmu_status sweep_shards_write(const struct sweep_shards *shards, FILE *out,
                                      struct armpmu_error *err)
{
    char *programs = NULL;
    size_t size = 0;
    FILE *const stream = memory_stream_open(&programs, &size);

    if (stream == NULL)
        return fail_no_memory(err, "the shards of a sweep");
    enum armpmu_status status = put_programs(shards, stream, err);
    if (!memory_stream_close(stream, &programs) && status == ARMPMU_OK)
        status = fail_no_memory(err, "the shards of a sweep");
    if (status == ARMPMU_OK)
        status = write_folder(shards, programs, out, err);
    free(programs);
    return status;
}

/* ---- results --------------------------------------------------------------------------------- */

struct gathering {
    const char *folder;
    size_t n_programs, n_missing;
    bool is_missing[SWEEP_SHARDS_MAX]; /* by shard: it has programs without a result */
    char *head;                        /* the first result's comments and its line of names */
    char **texts;                      /* of results; the cells point into them */
    size_t n_texts, texts_room;
    struct sweep_results results;
    size_t cells_room;
};

/* Takes the quotes away from a field, in place. Returns what ended it: ',', '\n' or '\0'; *at:
 * after that. */
static char take_field(char **at)
{
    char *from = *at, *to = *at;
    const bool is_quoted = *from == '"';

    for (from += is_quoted; *from != '\0'; from++) {
        if (is_quoted && *from == '"' && *++from != '"')
            break;
        if (!is_quoted && (*from == ',' || *from == '\n'))
            break;
        *to++ = *from;
    }
    const char end = *from;
    *at = from + (end != '\0');
    *to = '\0';
    return end;
}

/* A result's file while it is read. */
struct result_file {
    char *program, *path;
    size_t shard;
};

static enum armpmu_status not_whole(const struct result_file *r, struct armpmu_error *err)
{
    return fail(err, ARMPMU_BAD_INPUT,
                "'%.200s' is incomplete; remove it, and run its shard %zu again", r->path,
                r->shard);
}

/* Adds lines of a result as rows: the program, then their fields. */
static enum armpmu_status add_rows(struct gathering *g, const struct result_file *r, char *lines,
                                   struct armpmu_error *err)
{
    size_t column = 0;

    for (char end = '\n'; *lines != '\0';) {
        if (!ARRAY_RESERVE(g->results.cells, g->cells_room, g->results.n + 2))
            return fail_no_memory(err, "the table of the sweep");
        if (end == '\n')
            g->results.cells[g->results.n++] = r->program;
        g->results.cells[g->results.n++] = lines;
        column++;
        end = take_field(&lines);
        if (end == ',')
            continue;
        if (g->results.n_columns == 0)
            g->results.n_columns = column + 1;
        if (column + 1 != g->results.n_columns)
            return not_whole(r, err);
        column = 0;
    }
    return ARMPMU_OK;
}

/* The length of a line, for a message. */
static int limited(const char *line)
{
    const size_t n = strcspn(line, "\n");

    return n < 100 ? (int)n : 100;
}

/* Results of other machines, settings or versions are of another sweep. */
static enum armpmu_status check_head(const struct gathering *g, const struct result_file *r,
                                     const char *own, struct armpmu_error *err)
{
    const char *other = g->head;
    size_t n;

    while ((n = strcspn(own, "\n")) == strcspn(other, "\n") && strncmp(own, other, n) == 0) {
        if (*own == '\0')
            return ARMPMU_OK;
        own = next_line(own);
        other = next_line(other);
    }
    own += strncmp(own, "# ", 2) == 0 ? 2 : 0;
    other += strncmp(other, "# ", 2) == 0 ? 2 : 0;
    return fail(err, ARMPMU_BAD_INPUT,
                "'%.150s' belongs to another sweep than the results before it: '%.*s' in place of "
                "'%.*s'; remove it, and run its shard %zu again",
                r->path, limited(own), own, limited(other), other, r->shard);
}

/* A whole result: comments with its machines, names, a row for each machine, COMPLETE. Ends the
 * text after the rows. Returns them, or NULL. */
static char *find_rows(char *text, char **names)
{
    size_t n_machines = 0, n_rows = 0;
    char *line = text;

    for (; *line == '#'; line = next_line(line))
        n_machines += strncmp(line, "# machine ", 10) == 0;
    *names = line;
    line = next_line(line);
    char *const rows = line;
    for (; *line != '\0' && *line != '#'; line = next_line(line))
        n_rows++;
    const bool is_whole = strcmp(line, COMPLETE) == 0 && n_rows == n_machines;
    *line = '\0';
    return is_whole ? rows : NULL;
}

static enum armpmu_status take_result(struct gathering *g, const struct result_file *r, char *text,
                                      struct armpmu_error *err)
{
    char *names, *const rows = find_rows(text, &names);

    if (rows == NULL)
        return not_whole(r, err);
    char *const head = strndup(text, (size_t)(rows - text));
    if (head == NULL)
        return fail_no_memory(err, "the shards of a sweep");
    enum armpmu_status status = ARMPMU_OK;
    if (g->head != NULL) {
        status = check_head(g, r, head, err);
        free(head);
    } else {
        static char program[] = "program";
        const struct result_file named = {program, r->path, r->shard};
        g->head = head;
        rows[-1] = '\0';
        status = add_rows(g, &named, names, err);
    }
    return status == ARMPMU_OK ? add_rows(g, r, rows, err) : status;
}

static enum armpmu_status gather_program(struct gathering *g, char *program, size_t i,
                                         struct armpmu_error *err)
{
    struct result_file r = {.program = program + strspn(program, " "),
                            .shard = i / per_shard(g->n_programs)};

    if (asprintf(&r.path, "%s/results/%zu.csv", g->folder, i + 1) < 0 ||
        !ARRAY_RESERVE(g->texts, g->texts_room, g->n_texts + 1))
        return fail_no_memory(err, "the shards of a sweep");
    enum armpmu_status status = ARMPMU_OK;
    if (access(r.path, F_OK) == 0) {
        char **const text = &g->texts[g->n_texts++];
        status = read_text(r.path, text, err);
        if (status == ARMPMU_OK)
            status = take_result(g, &r, *text, err);
    } else {
        g->n_missing++;
        g->is_missing[r.shard] = true;
    }
    free(r.path);
    return status;
}

/* Says on standard error which shards to submit, in ranges as Slurm reads them. */
static void say_missing(const struct gathering *g)
{
    const char *gap = "sbatch --array=";

    fprintf(stderr, "armpmu: sweep: %zu of %zu programs have no result; submit their shards: ",
            g->n_missing, g->n_programs);
    for (size_t i = 0, last; i < SWEEP_SHARDS_MAX; i++) {
        if (!g->is_missing[i])
            continue;
        for (last = i; last + 1 < SWEEP_SHARDS_MAX && g->is_missing[last + 1];)
            last++;
        fprintf(stderr, "%s%zu", gap, i);
        if (last > i)
            fprintf(stderr, "-%zu", last);
        gap = ",";
        i = last;
    }
    fputc(' ', stderr);
    shell_word(g->folder, stderr);
    fputs("/" SCRIPT "\n", stderr);
}

static void free_gathering(struct gathering *g)
{
    ARRAY_FREE_EACH(g->texts, g->n_texts);
    free(g->results.cells);
    free(g->head);
}

enum armpmu_status sweep_shards_gather(const char *folder, const struct table_options *options,
                                       FILE *out, size_t *missing, struct armpmu_error *err)
{
    struct gathering g = {.folder = folder};
    char *const path = in_folder(folder, "programs"), *programs = NULL, *line;
    enum armpmu_status status = path != NULL ? read_text(path, &programs, err)
                                             : fail_no_memory(err, "the shards of a sweep");

    if (status == ARMPMU_OK)
        g.n_programs = count_lines(programs);
    char *rest = programs;
    for (size_t i = 0; i < g.n_programs && status == ARMPMU_OK; i++)
        if ((line = strsep(&rest, "\n")) != NULL)
            status = gather_program(&g, line, i, err);
    if (status == ARMPMU_OK && g.n_missing != 0)
        say_missing(&g);
    if (status == ARMPMU_OK && g.results.n != 0)
        status = sweep_print_results(&g.results, options, out, err);
    *missing = g.n_missing;
    free_gathering(&g);
    free(programs);
    free(path);
    return status;
}

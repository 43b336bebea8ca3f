#include "cli/cmd/sweep_shards.h"

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
#include "cli/table/csv.h"

struct lines {
    char **line;
    size_t n, room;
};

static enum armpmu_status cannot(const char *what, const char *path, struct armpmu_error *err)
{
    return fail(err, errno == ENOENT ? ARMPMU_NOT_FOUND : ARMPMU_IO, "cannot %s '%.200s': %s", what,
                path, strerror(errno));
}

static void free_lines(struct lines *lines)
{
    for (size_t i = 0; i < lines->n; i++)
        free(lines->line[i]);
    free(lines->line);
    *lines = (struct lines){0};
}

/* ---- programs -------------------------------------------------------------------------------- */

static bool is_program(const char *line)
{
    return line[strspn(line, " \t\n")] != '\0' && line[strspn(line, " \t")] != '#';
}

/* The lines that are no comments. */
static enum armpmu_status read_lines(const char *path, struct lines *lines,
                                     struct armpmu_error *err)
{
    FILE *const file = read_file_stream(path);
    enum armpmu_status status = ARMPMU_OK;
    char *line = NULL;
    size_t room = 0;

    if (file == NULL)
        return cannot("read", path, err);
    while (status == ARMPMU_OK && getline(&line, &room, file) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        if (!is_program(line))
            continue;
        char *const copy = strdup(line);
        if (copy == NULL || !ARRAY_RESERVE(lines->line, lines->room, lines->n + 1)) {
            free(copy);
            status = fail_no_memory(err, "the shards of a sweep");
            break;
        }
        lines->line[lines->n++] = copy;
    }
    if (status == ARMPMU_OK && ferror(file))
        status = cannot("read", path, err);
    free(line);
    fclose(file);
    return status;
}

/* In single quotes, as a shell reads it. */
static void put_word(const char *word, FILE *file)
{
    fputc('\'', file);
    for (; *word != '\0'; word++)
        if (*word == '\'')
            fputs("'\\''", file);
        else
            fputc(*word, file);
    fputc('\'', file);
}

static void put_words(const char *const *words, FILE *file)
{
    for (; *words != NULL; words++) {
        fputc(' ', file);
        put_word(*words, file);
    }
}

static enum armpmu_status add_command(const char *const *program, struct lines *lines,
                                      struct armpmu_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const stream = open_memstream(&text, &size);

    if (stream == NULL)
        return fail_no_memory(err, "the shards of a sweep");
    put_words(program, stream);
    const bool whole = memory_stream_close(stream, &text);
    if (!whole || !ARRAY_RESERVE(lines->line, lines->room, lines->n + 1)) {
        free(text);
        return fail_no_memory(err, "the shards of a sweep");
    }
    lines->line[lines->n++] = text;
    return ARMPMU_OK;
}

static enum armpmu_status find_programs(const struct sweep_shards *shards, struct lines *lines,
                                        struct armpmu_error *err)
{
    const enum armpmu_status status = shards->programs != NULL
                                          ? read_lines(shards->programs, lines, err)
                                          : add_command(shards->program, lines, err);

    if (status == ARMPMU_OK && lines->n == 0)
        return fail(err, ARMPMU_BAD_CONFIG, "'%.200s' has no command line: one a line",
                    shards->programs);
    return status;
}

/* ---- the folder ------------------------------------------------------------------------------ */

static enum armpmu_status make_folder(const char *path, struct armpmu_error *err)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST ? ARMPMU_OK : cannot("make", path, err);
}

/* A file of the folder; the caller frees it. */
static char *in_folder(const char *folder, const char *name)
{
    char *path;

    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/* Results belong to what stands there: another list would mix them up. */
static enum armpmu_status check_same(const char *path, const struct lines *lines, const char *what,
                                     struct armpmu_error *err)
{
    struct lines before = {0};
    enum armpmu_status status =
        access(path, F_OK) == 0 ? read_lines(path, &before, err) : ARMPMU_OK;
    bool same = before.n == lines->n || before.n == 0;

    for (size_t i = 0; same && i < before.n; i++)
        same = strcmp(before.line[i], lines->line[i]) == 0;
    free_lines(&before);
    if (status == ARMPMU_OK && !same)
        status = fail(err, ARMPMU_BAD_CONFIG,
                      "'%.200s' has other %s, whose results may be beside it; name a folder of its "
                      "own, or remove that one",
                      path, what);
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

/* A sweep that is interrupted reports what it has: that is no result, and the shard ends. Whoever
 * ends a job ends this script, too, perhaps before the sweep has reported: only the script gives a
 * result its name. Neither is a sweep a result whose program was killed: its table says so. A
 * program's own status does not matter. */
static const char body[] =
    "set -u\n"
    "shard=${SLURM_ARRAY_TASK_ID:-${1:?the number of a shard}}\n"
    "case $shard in *[!0-9]*|???????*) shard=-1;; esac\n"
    "if [ \"$shard\" -lt 0 ] || [ \"$shard\" -ge \"$shards\" ]; then\n"
    "    echo \"armpmu: there is no such shard: they are 0 to $((shards - 1))\" >&2\n"
    "    exit 2\n"
    "fi\n"
    "i=$((shard * per_shard))\n"
    "end=$((i + per_shard < programs ? i + per_shard : programs))\n"
    "failed=0\n"
    "while [ $i -lt $end ]; do\n"
    "    i=$((i + 1))\n"
    "    [ -e \"$dir/results/$i.csv\" ] && continue\n"
    "    eval \"set -- $(sed -n \"${i}p\" \"$dir/programs\")\"\n"
    "    counted=$dir/results/$i.part\n"
    "    rm -f \"$counted\"\n"
    "    sweep -o \"$counted\" -- \"$@\" </dev/null >\"$dir/results/$i.log\" 2>&1\n"
    "    case $? in 130|143) exit 143;; esac\n"
    "    [ \"$(tail -n 1 \"$counted\" 2>/dev/null)\" = '# complete' ] || rm -f \"$counted\"\n"
    "    [ -e \"$counted\" ] && sync \"$counted\" && mv \"$counted\" \"$dir/results/$i.csv\" && "
    "continue\n"
    "    echo \"armpmu: no result of program $i, see $dir/results/$i.log\" >&2\n"
    "    failed=1\n"
    "done\n"
    "exit $failed\n";

static void put_script(const struct sweep_shards *shards, const char *folder, size_t n_programs,
                       FILE *file)
{
    char self[PATH_MAX] = "armpmu", here[PATH_MAX] = "";

    (void)!own_path(self, sizeof self);
    fputs("#!/bin/sh\n#SBATCH --job-name=armpmu-sweep\n", file);
    fprintf(file, "#SBATCH --array=0-%zu\n", shards_of(n_programs) - 1);
    fputs("#SBATCH --cpus-per-task=2\n#SBATCH --output=/dev/null\n", file);
    fputs("# Made by armpmu sweep --slurm. Submit it with sbatch, or run it with the number of a "
          "shard.\n",
          file);
    fprintf(file, "programs=%zu per_shard=%zu shards=%zu dir=", n_programs, per_shard(n_programs),
            shards_of(n_programs));
    put_word(folder, file);
    fputs("\narmpmu=", file);
    put_word(self, file);
    fputs("\nsweep() {\n    \"${ARMPMU:-$armpmu}\" sweep", file);
    put_words(shards->arguments, file);
    fputs(" --format csv --comments \"$@\"\n}\n", file);
    if (getcwd(here, sizeof here) != NULL) {
        fputs("cd ", file);
        put_word(here, file);
        fputs(" || exit\n", file);
    }
    fputs(body, file);
}

static enum armpmu_status finish(FILE *file, const char *path, struct armpmu_error *err)
{
    const bool bad = ferror(file) != 0;

    return fclose(file) != 0 || bad ? cannot("write", path, err) : ARMPMU_OK;
}

/* A file of lines that stays as it is. */
static enum armpmu_status write_lines(const char *folder, const char *name,
                                      const struct lines *lines, struct armpmu_error *err)
{
    char *const path = in_folder(folder, name);
    enum armpmu_status status = path != NULL ? check_same(path, lines, name, err)
                                             : fail_no_memory(err, "the shards of a sweep");
    FILE *const file = status == ARMPMU_OK ? fopen(path, "we") : NULL;

    if (status == ARMPMU_OK && file == NULL)
        status = cannot("write", path, err);
    if (status == ARMPMU_OK) {
        for (size_t i = 0; i < lines->n; i++)
            fprintf(file, "%s\n", lines->line[i]);
        status = finish(file, path, err);
    }
    free(path);
    return status;
}

/* The lines of a text. */
static enum armpmu_status split_lines(const char *text, struct lines *lines,
                                      struct armpmu_error *err)
{
    while (*text != '\0') {
        const size_t n = strcspn(text, "\n");
        if (!ARRAY_RESERVE(lines->line, lines->room, lines->n + 1) ||
            (lines->line[lines->n] = strndup(text, n)) == NULL)
            return fail_no_memory(err, "the shards of a sweep");
        lines->n++;
        text += n + (text[n] == '\n');
    }
    return ARMPMU_OK;
}

static enum armpmu_status write_script(const struct sweep_shards *shards, const char *folder,
                                       size_t n_programs, struct armpmu_error *err)
{
    char *const script = in_folder(folder, "sweep.sh");
    FILE *const file = script != NULL ? fopen(script, "we") : NULL;
    enum armpmu_status status = script == NULL ? fail_no_memory(err, "the shards of a sweep")
                                : file == NULL ? cannot("write", script, err)
                                               : ARMPMU_OK;

    if (status == ARMPMU_OK) {
        put_script(shards, folder, n_programs, file);
        status = finish(file, script, err);
    }
    if (status == ARMPMU_OK && chmod(script, 0777 & ~022) != 0)
        status = cannot("write", script, err);
    free(script);
    return status;
}

static enum armpmu_status write_files(const struct sweep_shards *shards, const char *folder,
                                      const struct lines *lines, struct armpmu_error *err)
{
    struct lines identity = {0};
    enum armpmu_status status = write_lines(folder, "programs", lines, err);

    if (status == ARMPMU_OK)
        status = split_lines(shards->identity, &identity, err);
    if (status == ARMPMU_OK)
        status = write_lines(folder, "machines", &identity, err);
    free_lines(&identity);
    return status == ARMPMU_OK ? write_script(shards, folder, lines->n, err) : status;
}

/* For a shell to read; in quotes where it needs them. */
static void put_path(const char *path, FILE *out)
{
    if (path[strcspn(path, " \t\n\"'`$\\*?[]#~&;|<>(){}!")] != '\0')
        put_word(path, out);
    else
        fputs(path, out);
}

/* How to submit, for a shell to read. ranges: NULL for all shards. */
static void put_submit(const char *folder, const char *ranges, FILE *out)
{
    fprintf(out, "sbatch %s%s%s", ranges != NULL ? "--array=" : "", ranges != NULL ? ranges : "",
            ranges != NULL ? " " : "");
    put_path(folder, out);
    fputs("/sweep.sh", out);
}

enum armpmu_status sweep_shards_write(const struct sweep_shards *shards, FILE *out,
                                      struct armpmu_error *err)
{
    struct lines lines = {0};
    char *folder = NULL, *results = NULL;
    enum armpmu_status status = find_programs(shards, &lines, err);

    if (status == ARMPMU_OK)
        status = make_folder(shards->folder, err);
    if (status == ARMPMU_OK) {
        folder = realpath(shards->folder, NULL);
        results = folder != NULL ? in_folder(folder, "results") : NULL;
        status = results != NULL ? make_folder(results, err)
                                 : fail_no_memory(err, "the shards of a sweep");
    }
    if (status == ARMPMU_OK)
        status = write_files(shards, folder, &lines, err);
    if (status == ARMPMU_OK) {
        fprintf(out,
                "%zu program%s in %zu shard%s. Submit them, and when they are done gather them:\n\n"
                "    ",
                lines.n, lines.n == 1 ? "" : "s", shards_of(lines.n),
                shards_of(lines.n) == 1 ? "" : "s");
        put_submit(folder, NULL, out);
        fputs("\n    armpmu sweep --gather ", out);
        put_path(shards->folder, out);
        fputc('\n', out);
    }
    free(results);
    free(folder);
    free_lines(&lines);
    return status;
}

/* ---- gathering ------------------------------------------------------------------------------- */

struct gathering {
    const char *folder;
    FILE *out;
    size_t n_programs;
    char *heads;                       /* the first line of the first result */
    char *identity;                    /* and its comments */
    size_t missing, n_missing_shards;  /* programs; shards that have some */
    FILE *ranges;                      /* of those shards, as Slurm reads them */
    size_t first_shard, missing_shard; /* of the last range */
};

static void put_range(struct gathering *g)
{
    if (g->n_missing_shards == 0)
        return;
    fprintf(g->ranges, "%s%zu", ftell(g->ranges) > 0 ? "," : "", g->first_shard);
    if (g->missing_shard > g->first_shard)
        fprintf(g->ranges, "-%zu", g->missing_shard);
}

/* Names the shard of a program, once. */
static void note_missing(struct gathering *g, size_t shard)
{
    g->missing++;
    if (g->n_missing_shards > 0 && shard == g->missing_shard)
        return;
    if (g->n_missing_shards == 0 || shard != g->missing_shard + 1) {
        put_range(g);
        g->first_shard = shard;
    }
    g->missing_shard = shard;
    g->n_missing_shards++;
}

/* A result's file while it is read. */
struct result_file {
    const char *program, *path;
    size_t shard, n_machines, n_rows;
    bool has_heads, is_complete;
    char *identity;
    FILE *comments;
};

static enum armpmu_status not_whole(const struct result_file *r, struct armpmu_error *err)
{
    return fail(err, ARMPMU_BAD_INPUT,
                "'%.200s' is not whole; remove it, and run its shard %zu again", r->path, r->shard);
}

/* The line that differs, in its own and in the other text. */
static void find_difference(const char **own, const char **other)
{
    for (;;) {
        const size_t n = strcspn(*own, "\n");
        if (**own == '\0' || strcspn(*other, "\n") != n || strncmp(*own, *other, n) != 0)
            return;
        *own += n + ((*own)[n] == '\n');
        *other += n + ((*other)[n] == '\n');
    }
}

/* The length of a line, for a message. */
static int limited(const char *line)
{
    const size_t n = strcspn(line, "\n");

    return n < 100 ? (int)n : 100;
}

/* Results of other machines, settings or versions are of another sweep. */
static enum armpmu_status check_identity(struct gathering *g, const struct result_file *r,
                                         struct armpmu_error *err)
{
    const char *own = r->identity, *other = g->identity;

    find_difference(&own, &other);
    if (*own == '\0' && *other == '\0')
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_INPUT,
                "'%.150s' is of another sweep than the results before it: '%.*s' in place of "
                "'%.*s'; remove it, and run its shard %zu again",
                r->path, limited(own), own, limited(other), other, r->shard);
}

static enum armpmu_status take_heads(struct gathering *g, struct result_file *r, const char *line,
                                     struct armpmu_error *err)
{
    r->has_heads = true;
    if (fflush(r->comments) != 0)
        return fail_no_memory(err, "the shards of a sweep");
    if (g->heads != NULL && strcmp(g->heads, line) != 0)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%.200s' has other columns than the results before it; remove it, and run its "
                    "shard %zu again",
                    r->path, r->shard);
    if (g->heads != NULL)
        return check_identity(g, r, err);
    g->heads = strdup(line);
    g->identity = strdup(r->identity);
    if (g->heads == NULL || g->identity == NULL)
        return fail_no_memory(err, "the shards of a sweep");
    fprintf(g->out, "program,%s", line);
    return ARMPMU_OK;
}

static enum armpmu_status take_line(struct gathering *g, struct result_file *r, const char *line,
                                    struct armpmu_error *err)
{
    static const char machine[] = "# machine ";

    if (r->is_complete) /* nothing follows */
        return not_whole(r, err);
    if (line[0] == '#' && r->has_heads) {
        r->is_complete = strcmp(line, "# complete\n") == 0;
        return r->is_complete && r->n_rows == r->n_machines ? ARMPMU_OK : not_whole(r, err);
    }
    if (line[0] == '#') {
        r->n_machines += strncmp(line, machine, sizeof machine - 1) == 0;
        fputs(line + 1 + (line[1] == ' '), r->comments);
        return ARMPMU_OK;
    }
    if (!r->has_heads)
        return take_heads(g, r, line, err);
    r->n_rows++;
    csv_field(r->program, ",", g->out);
    fprintf(g->out, ",%s", line);
    return ARMPMU_OK;
}

static enum armpmu_status read_result(struct gathering *g, struct result_file *r,
                                      struct armpmu_error *err)
{
    FILE *const file = read_file_stream(r->path);
    enum armpmu_status status = ARMPMU_OK;
    char *line = NULL;
    size_t room = 0;

    if (file == NULL)
        return cannot("read", r->path, err);
    while (status == ARMPMU_OK && getline(&line, &room, file) >= 0)
        status = take_line(g, r, line, err);
    if (status == ARMPMU_OK && (ferror(file) || !r->is_complete))
        status = not_whole(r, err);
    free(line);
    fclose(file);
    return status;
}

static enum armpmu_status take_result(struct gathering *g, const char *program, const char *path,
                                      size_t shard, struct armpmu_error *err)
{
    struct result_file r = {.program = program, .path = path, .shard = shard};
    size_t size = 0;

    r.comments = open_memstream(&r.identity, &size);
    if (r.comments == NULL)
        return fail_no_memory(err, "the shards of a sweep");
    const enum armpmu_status status = read_result(g, &r, err);
    fclose(r.comments);
    free(r.identity);
    return status;
}

static enum armpmu_status gather_program(struct gathering *g, const struct lines *lines, size_t i,
                                         struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    char *path;

    if (asprintf(&path, "%s/results/%zu.csv", g->folder, i + 1) < 0)
        return fail_no_memory(err, "the shards of a sweep");
    if (access(path, F_OK) == 0)
        status = take_result(g, lines->line[i] + strspn(lines->line[i], " "), path,
                             i / per_shard(lines->n), err);
    else
        note_missing(g, i / per_shard(lines->n));
    free(path);
    return status;
}

/* Says on standard error what is missing: there may be many. */
static void say_missing(const struct gathering *g, const char *ranges)
{
    fprintf(stderr,
            "armpmu: sweep: %zu of %zu programs have no result; submit their shards: ", g->missing,
            g->n_programs);
    put_submit(g->folder, ranges, stderr);
    fputc('\n', stderr);
}

static enum armpmu_status gather_all(struct gathering *g, const struct lines *lines,
                                     struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    char *ranges = NULL;
    size_t size = 0;

    g->ranges = open_memstream(&ranges, &size);
    if (g->ranges == NULL)
        return fail_no_memory(err, "the shards of a sweep");
    for (size_t i = 0; i < lines->n && status == ARMPMU_OK; i++)
        status = gather_program(g, lines, i, err);
    put_range(g);
    if (fclose(g->ranges) != 0 && status == ARMPMU_OK)
        status = fail_no_memory(err, "the shards of a sweep");
    if (status == ARMPMU_OK && g->missing != 0)
        say_missing(g, ranges);
    free(ranges);
    return status;
}

enum armpmu_status sweep_shards_gather(const char *folder, FILE *out, size_t *missing,
                                       struct armpmu_error *err)
{
    struct gathering g = {.folder = folder, .out = out};
    struct lines lines = {0};
    char *const programs = in_folder(folder, "programs");
    enum armpmu_status status = programs != NULL ? read_lines(programs, &lines, err)
                                                 : fail_no_memory(err, "the shards of a sweep");

    g.n_programs = lines.n;
    if (status == ARMPMU_OK)
        status = gather_all(&g, &lines, err);
    *missing = g.missing;
    free(g.heads);
    free(g.identity);
    free(programs);
    free_lines(&lines);
    return status;
}

#include "cli/cmd/sweep_shards.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/own_path.h"
#include "cli/report/csv.h"

struct lines {
    char **line;
    size_t n, room;
};

static enum armpmu_status no_memory(struct armpmu_error *err)
{
    return fail(err, ARMPMU_NO_MEMORY, "out of memory for the shards of a sweep");
}

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
    FILE *const file = fopen(path, "re");
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
            status = no_memory(err);
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
        return no_memory(err);
    put_words(program, stream);
    const bool whole = fclose(stream) == 0;
    if (!whole || !ARRAY_RESERVE(lines->line, lines->room, lines->n + 1)) {
        free(text);
        return no_memory(err);
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

/* Results belong to the programs that stand there: another list would mix them up. */
static enum armpmu_status check_same(const char *path, const struct lines *lines,
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
                      "'%.200s' has other programs, whose results may be beside it; name a folder "
                      "of its own",
                      path);
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

static void put_programs(const struct lines *lines, FILE *file)
{
    for (size_t i = 0; i < lines->n; i++)
        fprintf(file, "%s\n", lines->line[i]);
}

/* A sweep that is interrupted reports what it has: that is no result, and the shard ends. Whoever
 * ends a job ends this script, too, perhaps before the sweep has reported: only the script gives a
 * result its name. Neither is a sweep a result whose program was killed: its table says so. A
 * program's own status does not matter. */
static const char body[] =
    "set -u\n"
    "shard=${SLURM_ARRAY_TASK_ID:-${1:?the number of a shard}}\n"
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
    "    if grep -q '^# not complete' \"$counted\" 2>/dev/null; then\n"
    "        rm -f \"$counted\"\n"
    "    fi\n"
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
    fprintf(file, "programs=%zu per_shard=%zu dir=", n_programs, per_shard(n_programs));
    put_word(folder, file);
    fputs("\nsweep() {\n    \"${ARMPMU:-", file);
    fputs(self, file);
    fputs("}\" sweep", file);
    put_words(shards->arguments, file);
    fputs(" --format csv \"$@\"\n}\n", file);
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

static enum armpmu_status write_files(const struct sweep_shards *shards, const char *folder,
                                      const struct lines *lines, struct armpmu_error *err)
{
    char *const programs = in_folder(folder, "programs"), *const script =
                                                              in_folder(folder, "sweep.sh");
    enum armpmu_status status =
        programs != NULL && script != NULL ? check_same(programs, lines, err) : no_memory(err);
    FILE *file = status == ARMPMU_OK ? fopen(programs, "we") : NULL;

    if (status == ARMPMU_OK && file == NULL)
        status = cannot("write", programs, err);
    if (status == ARMPMU_OK) {
        put_programs(lines, file);
        status = finish(file, programs, err);
    }
    file = status == ARMPMU_OK ? fopen(script, "we") : NULL;
    if (status == ARMPMU_OK && file == NULL)
        status = cannot("write", script, err);
    if (status == ARMPMU_OK) {
        put_script(shards, folder, lines->n, file);
        status = finish(file, script, err);
    }
    if (status == ARMPMU_OK && chmod(script, 0777 & ~022) != 0)
        status = cannot("write", script, err);
    free(programs);
    free(script);
    return status;
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
        status = results != NULL ? make_folder(results, err) : no_memory(err);
    }
    if (status == ARMPMU_OK)
        status = write_files(shards, folder, &lines, err);
    if (status == ARMPMU_OK)
        fprintf(out,
                "%zu program%s in %zu shard%s. Submit them, and when they are done gather them:\n\n"
                "    sbatch %s/sweep.sh\n    armpmu sweep --gather %s\n",
                lines.n, lines.n == 1 ? "" : "s", shards_of(lines.n),
                shards_of(lines.n) == 1 ? "" : "s", folder, shards->folder);
    free(results);
    free(folder);
    free_lines(&lines);
    return status;
}

/* ---- gathering ------------------------------------------------------------------------------- */

struct gathering {
    const char *folder;
    FILE *out;
    char *heads; /* the first line of the first result */
    char shards[200];
    size_t missing, last_shard; /* number plus 1 of the last one named */
};

/* Names the shard of a program, once. */
static void note_missing(struct gathering *g, size_t shard)
{
    const size_t used = strlen(g->shards);

    g->missing++;
    if (g->last_shard == shard + 1)
        return;
    g->last_shard = shard + 1;
    snprintf(g->shards + used, sizeof g->shards - used, "%s%zu", used > 0 ? "," : "", shard);
}

static enum armpmu_status take_heads(struct gathering *g, const char *line, const char *path,
                                     struct armpmu_error *err)
{
    if (g->heads != NULL)
        return strcmp(g->heads, line) == 0
                   ? ARMPMU_OK
                   : fail(err, ARMPMU_BAD_INPUT,
                          "'%.200s' has other columns than the results before it; remove it, and "
                          "run its shard again",
                          path);
    g->heads = strdup(line);
    if (g->heads == NULL)
        return no_memory(err);
    fprintf(g->out, "program,%s", line);
    return ARMPMU_OK;
}

static enum armpmu_status take_result(struct gathering *g, const char *program, const char *path,
                                      struct armpmu_error *err)
{
    FILE *const file = fopen(path, "re");
    enum armpmu_status status = ARMPMU_OK;
    char *line = NULL;
    size_t room = 0, n = 0;

    if (file == NULL)
        return cannot("read", path, err);
    for (; status == ARMPMU_OK && getline(&line, &room, file) >= 0; n++) {
        if (n == 0) {
            status = take_heads(g, line, path, err);
            continue;
        }
        csv_field(program, ",", g->out);
        fprintf(g->out, ",%s", line);
    }
    if (status == ARMPMU_OK && (ferror(file) || n < 2))
        status = fail(err, ARMPMU_BAD_INPUT,
                      "'%.200s' is not whole; remove it, and run its shard "
                      "again",
                      path);
    free(line);
    fclose(file);
    return status;
}

static enum armpmu_status gather_program(struct gathering *g, const struct lines *lines, size_t i,
                                         struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    char *path;

    if (asprintf(&path, "%s/results/%zu.csv", g->folder, i + 1) < 0)
        return no_memory(err);
    if (access(path, F_OK) == 0)
        status = take_result(g, lines->line[i] + strspn(lines->line[i], " "), path, err);
    else
        note_missing(g, i / per_shard(lines->n));
    free(path);
    return status;
}

enum armpmu_status sweep_shards_gather(const char *folder, FILE *out, size_t *missing,
                                       struct armpmu_error *err)
{
    struct gathering g = {.folder = folder, .out = out};
    struct lines lines = {0};
    char *const programs = in_folder(folder, "programs");
    enum armpmu_status status =
        programs != NULL ? read_lines(programs, &lines, err) : no_memory(err);

    for (size_t i = 0; i < lines.n && status == ARMPMU_OK; i++)
        status = gather_program(&g, &lines, i, err);
    *missing = g.missing;
    if (status == ARMPMU_OK && g.missing != 0)
        (void)!fail(err, ARMPMU_NOT_FOUND,
                    "sweep: %zu of %zu programs have no result; submit their shards: sbatch "
                    "--array=%s %.100s/sweep.sh",
                    g.missing, lines.n, g.shards, folder);
    free(g.heads);
    free(programs);
    free_lines(&lines);
    return status;
}

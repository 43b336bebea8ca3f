#include "cli/profile/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/error.h"
#include "base/read_file.h"
#include "cli/output.h"

#define HISTORY_SCHEMA  "armpmu-history"
#define HISTORY_VERSION 1

/* ---- reading ---- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *const text = json_string_value(json_object_get(object, key));

    return text != NULL ? text : "";
}

static bool are_counts(const json_t *counts)
{
    const char *name;
    json_t *count;

    json_object_foreach((json_t *)(uintptr_t)counts, name,
                        count) if (!json_is_integer(count) ||
                                   json_integer_value(count) < 0) return false;
    return json_object_size(counts) > 0;
}

static struct history_commit *find(const struct history *h, const char *revision)
{
    for (size_t i = h->n; i-- > 0;)
        if (strcmp(h->commits[i].revision, revision) == 0)
            return &h->commits[i];
    return NULL;
}

/* A commit that was counted again is where it was before. */
static enum armpmu_status add(struct history *h, json_t *object, struct armpmu_error *err)
{
    const struct history_commit made = {
        .object = object,
        .revision = text_of(object, "revision"),
        .date = text_of(object, "date"),
        .machine = text_of(object, "machine"),
        .machine_hash = text_of(object, "machine-hash"),
        .core = armpmu_core_find(text_of(object, "core")),
        .counts = json_object_get(object, "counts"),
    };
    struct history_commit *const before = find(h, made.revision);

    if (before != NULL) {
        json_decref(before->object);
        *before = made;
        return ARMPMU_OK;
    }
    if (!ARRAY_RESERVE(h->commits, h->room, h->n + 1)) {
        json_decref(object);
        return fail_no_memory(err, "the history");
    }
    h->commits[h->n++] = made;
    return ARMPMU_OK;
}

static enum armpmu_status read_line(struct history *h, const char *text, size_t line,
                                    struct armpmu_error *err)
{
    json_error_t where;
    json_t *const object = json_loads(text, JSON_REJECT_DUPLICATES, &where);
    const char *what = NULL;

    if (strcmp(text_of(object, "schema"), HISTORY_SCHEMA) != 0)
        what = "no line of a history; 'armpmu trend --add' appends them";
    else if (json_integer_value(json_object_get(object, "schema-version")) != HISTORY_VERSION)
        what = "a line of another version than 1; use that armpmu";
    else if (text_of(object, "revision")[0] == '\0')
        what = "no revision";
    else if (!are_counts(json_object_get(object, "counts")))
        what = "no counts, or an invalid one";
    if (what == NULL)
        return add(h, object, err);
    json_decref(object);
    return fail(err, ARMPMU_BAD_INPUT, "%.200s:%zu: %s", h->path, line, what);
}

enum armpmu_status history_read(struct history *h, const char *path, struct armpmu_error *err)
{
    const struct file_source asked = {path, "name a history, which 'armpmu trend --add' makes", 0};
    char *text;

    *h = (struct history){.path = path};
    enum armpmu_status status = read_text_file(&asked, &text, err);
    char *rest = text, *at;
    for (size_t line = 1; status == ARMPMU_OK && (at = strsep(&rest, "\n")) != NULL; line++)
        if (at[strspn(at, " \r")] != '\0')
            status = read_line(h, at, line, err);
    if (status == ARMPMU_OK && h->n == 0)
        status = fail(err, ARMPMU_BAD_INPUT, "%.200s: no commit; 'armpmu trend --add' appends one",
                      path);
    free(text);
    return status;
}

void history_free(struct history *h)
{
    for (size_t i = 0; i < h->n; i++)
        json_decref(h->commits[i].object);
    free(h->commits);
}

/* ---- appending ---- */

static void put(json_t *object, const char *key, const char *text)
{
    if (text != NULL && text[0] != '\0')
        json_object_set_new(object, key, json_string(text));
}

static json_t *line_of(const struct diff_side *run, const char *revision, const char *date)
{
    json_t *const object =
        json_pack("{s:s, s:i}", "schema", HISTORY_SCHEMA, "schema-version", HISTORY_VERSION);
    json_t *const counts = json_object();

    put(object, "revision", revision);
    put(object, "date", date);
    put(object, "armpmu", armpmu_version);
    put(object, "machine", run->machine);
    put(object, "core", run->core != NULL ? run->core->name : NULL);
    put(object, "machine-hash", run->machine_hash);
    for (size_t i = 0; i < VERSIONS; i++)
        put(object, version_keys[i], run->versions[i]);
    for (size_t i = 0; i < run->n_events; i++)
        json_object_set_new(counts, run->events[i].name,
                            json_integer((json_int_t)run->events[i].n));
    json_object_set_new(object, "counts", counts);
    return object;
}

/* False where an editor left out the end of the last line: the next one would be a part of it. */
static bool ends_with_line(const char *path)
{
    struct stat about;
    FILE *const file = stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0
                           ? fopen(path, "rb")
                           : NULL;
    const bool is_whole = file == NULL || fseek(file, -1, SEEK_END) != 0 || getc(file) == '\n';

    if (file != NULL)
        fclose(file);
    return is_whole;
}

enum armpmu_status history_append(const char *path, const struct diff_side *run,
                                  const char *revision, const char *date, struct armpmu_error *err)
{
    struct output file;

    if (run->is_partial)
        return fail(err, ARMPMU_BAD_INPUT, "'%.200s' is an incomplete run: count it again",
                    run->path);
    json_t *const object = line_of(run, revision, date);
    char *const text = json_dumps(object, 0);
    const bool is_whole = ends_with_line(path);
    enum armpmu_status status =
        text != NULL && json_object_get(object, "revision") != NULL
            ? output_open(&file, "trend", path, true, err)
            : fail(err, ARMPMU_BAD_INPUT, "--revision '%.60s': not UTF-8, or out of memory",
                   revision);
    if (status == ARMPMU_OK) {
        fprintf(file.stream, "%s%s\n", is_whole ? "" : "\n", text);
        status = output_close(&file, err);
    }
    free(text);
    json_decref(object);
    return status;
}

/* ---- commits ---- */

bool history_count(const struct history_commit *commit, const char *event, uint64_t *count)
{
    const json_t *const found = json_object_get(commit->counts, event);

    *count = (uint64_t)json_integer_value(found);
    return found != NULL;
}

/* "sorting/CPU_CYCLES" is the event of a region: it is asked for so, or as CPU_CYCLES of any. */
static bool is_asked(const struct history_commit *commit, const char *name, const char *wanted)
{
    const char *const slash = strchr(name, '/');
    const size_t n_region = slash != NULL ? (size_t)(slash + 1 - name) : 0;
    const struct armpmu_event *const known =
        commit->core != NULL ? armpmu_event_by_name(commit->core, name + n_region) : NULL;
    const char *const own = strncmp(name, wanted, n_region) == 0 ? wanted + n_region : wanted;

    return strcasecmp(name, wanted) == 0 || (known != NULL && armpmu_event_matches(known, own));
}

const char *history_event(const struct history *h, const char *wanted, const char *previous)
{
    const struct history_commit *const last = &h->commits[h->n - 1];
    bool is_after = previous == NULL;
    const char *name;
    json_t *count;

    json_object_foreach((json_t *)(uintptr_t)last->counts, name, count)
    {
        if (is_after && is_asked(last, name, wanted))
            return name;
        is_after |= previous != NULL && strcmp(name, previous) == 0;
    }
    return NULL;
}

static void put_cause(const char *what, const char *before, const char *after, FILE *stream)
{
    if (before[0] != '\0' && after[0] != '\0' && strcmp(before, after) != 0)
        fprintf(stream, "%sanother %s: %s -> %s", ftell(stream) > 0 ? "; " : "", what, before,
                after);
}

void history_put_causes(const struct history_commit *before, const struct history_commit *after,
                        FILE *stream)
{
    for (enum version i = 0; i < VERSION_BUILD_ID; i++)
        put_cause(version_names[i], text_of(before->object, version_keys[i]),
                  text_of(after->object, version_keys[i]), stream);
    if (strcmp(before->machine, after->machine) != 0)
        put_cause("machine", before->machine, after->machine, stream);
    else
        put_cause("setting of the machine", before->machine_hash, after->machine_hash, stream);
    put_cause("armpmu", text_of(before->object, "armpmu"), text_of(after->object, "armpmu"),
              stream);
}

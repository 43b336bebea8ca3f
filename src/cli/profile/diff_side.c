#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/read_file.h"
#include "base/printable.h"
#include "cli/foreign_file.h"
#include "cli/machine_choice.h"
#include "cli/profile/diff_report.h"
#include "cli/run/report.h"
#include "machine/core_descriptor.h"
#include "profile/profile_file.h"

enum armpmu_status diff_side_add(struct diff_side *side, const char *region,
                                 const struct diff_event *event, struct armpmu_error *err)
{
    if (!ARRAY_RESERVE(side->events, side->room_events, side->n_events + 1))
        return fail_no_memory(err, "the comparison");
    struct diff_event *const to = &side->events[side->n_events];
    *to = *event;
    to->n_region = 0;
    if (region == NULL) {
        to->name = printable_copy(event->name);
    } else {
        char *const part = printable_copy(region), *const name = printable_copy(event->name);
        const bool done =
            part != NULL && name != NULL && asprintf(&to->name, "%s/%s", part, name) > 0;
        to->n_region = done ? strlen(part) + 1 : 0;
        free(part);
        free(name);
        if (!done)
            to->name = NULL;
    }
    if (to->name == NULL)
        return fail_no_memory(err, "the comparison");
    side->n_events++;
    return ARMPMU_OK;
}

/* ---- of armpmu record ---- */

static enum armpmu_status read_profile(struct diff_side *side, struct armpmu_error *err)
{
    enum armpmu_status status = foreign_file_check(side->path, side->force, err);
    if (status == ARMPMU_OK)
        status = profile_file_read(side->path, &side->profile, err);
    const struct profile *const p = side->profile;

    for (uint32_t i = 0; status == ARMPMU_OK && i < p->n_events; i++)
        status = diff_side_add(side, NULL,
                               &(struct diff_event){.name = (char *)(uintptr_t)p->events[i].name,
                                                    .number = p->events[i].number,
                                                    .n = p->totals[i]},
                               err);
    if (status != ARMPMU_OK)
        return status;
    side->is_partial = !p->setup.is_complete;
    for (size_t i = 0; i < VERSIONS; i++)
        if (p->setup.versions[i] != NULL &&
            (side->versions[i] = printable_copy(p->setup.versions[i])) == NULL)
            return fail_no_memory(err, "the comparison");
    if (p->setup.machine != NULL && (side->machine = strdup(p->setup.machine)) == NULL)
        return fail_no_memory(err, "the comparison");
    if (p->setup.core != NULL)
        side->core = armpmu_core_find(p->setup.core);
    if (p->setup.machine_hash != NULL &&
        (side->machine_hash = strdup(p->setup.machine_hash)) == NULL)
        return fail_no_memory(err, "the comparison");
    return ARMPMU_OK;
}

/* ---- of armpmu stat -j ---- */

static enum armpmu_status bad_line(const struct diff_side *side, size_t line, const char *what,
                                   struct armpmu_error *err)
{
    return fail(err, ARMPMU_BAD_INPUT, "%.200s:%zu: %s", side->path, line, what);
}

/* Events that appear several times are parts of a run. */
static const char *part_of(const json_t *object)
{
    static const char *const keys[] = {"interval", "thread", "process", "cpu", "mode"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (json_object_get(object, keys[i]) != NULL)
            return keys[i];
    return NULL;
}

/* Returns whether a line of -j is of a run that is not complete. */
static bool is_partial(const json_t *object)
{
    static const char *const keys[] = {"interrupted", "killed", "timed-out", "cut-short"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (json_object_get(object, keys[i]) != NULL)
            return true;
    return false;
}

static enum armpmu_status add_object(struct diff_side *side, const json_t *object, size_t line,
                                     struct armpmu_error *err)
{
    const char *const asked = json_string_value(json_object_get(object, "event"));
    const char *const canonical = json_string_value(json_object_get(object, "name"));
    const char *const value = json_string_value(json_object_get(object, "counter-value"));
    const char *const number = json_string_value(json_object_get(object, "number"));
    const char *const machine = json_string_value(json_object_get(object, "machine"));
    char *end = NULL;

    if (asked == NULL && value == NULL && json_object_get(object, "metric-value") != NULL)
        return ARMPMU_OK; /* a further metric of the event before */
    if (asked == NULL || value == NULL)
        return bad_line(side, line, "no event and counter-value; 'armpmu stat -j' prints them",
                        err);
    if (part_of(object) != NULL)
        return bad_line(
            side, line,
            "counts of a part of a run (interval, thread, process, cpu or mode); compare totals",
            err);
    if (machine != NULL && side->machine == NULL && (side->machine = strdup(machine)) == NULL)
        return fail_no_memory(err, "the comparison");
    side->is_partial |= is_partial(object);
    const uint64_t n = strtoull(value, &end, 10);
    if (end == value || *end != '\0')
        return ARMPMU_OK; /* "<not counted>" */
    return diff_side_add(
        side, json_string_value(json_object_get(object, "region")),
        &(struct diff_event){.name = (char *)(uintptr_t)(canonical != NULL ? canonical : asked),
                             .number =
                                 number != NULL ? (uint32_t)strtoul(number, NULL, 0) : PROFILE_NONE,
                             .n = n},
        err);
}

static enum armpmu_status read_line(struct diff_side *side, const char *text, size_t line,
                                    struct armpmu_error *err)
{
    json_error_t where;
    json_t *const object = json_loads(text, JSON_REJECT_DUPLICATES, &where);

    if (!json_is_object(object)) {
        json_decref(object);
        return bad_line(side, line, "no JSON object, as 'armpmu stat -j' prints on each line", err);
    }
    const enum armpmu_status status = add_object(side, object, line, err);
    json_decref(object);
    return status;
}

/* ---- of armpmu stat --json=1 ---- */

static enum armpmu_status bad_document(const struct diff_side *side, const char *what,
                                       struct armpmu_error *err)
{
    return fail(err, ARMPMU_BAD_INPUT, "%.200s: %s", side->path, what);
}

static char *text_of(const json_t *object, const char *key)
{
    const char *const text = json_string_value(json_object_get(object, key));

    return text != NULL ? strdup(text) : NULL;
}

static enum armpmu_status add_document_event(struct diff_side *side, const char *region,
                                             const json_t *event, struct armpmu_error *err)
{
    const char *const name = json_string_value(json_object_get(event, "event"));
    const char *const number = json_string_value(json_object_get(event, "number"));
    const json_t *const count = json_object_get(event, "count");

    if (name == NULL || number == NULL || count == NULL)
        return bad_document(side, "an event without its name, number and count", err);
    if (!json_is_integer(count) || json_integer_value(count) < 0)
        return ARMPMU_OK; /* it was not counted */
    return diff_side_add(side, region,
                         &(struct diff_event){.name = (char *)(uintptr_t)name,
                                              .number = (uint32_t)strtoul(number, NULL, 0),
                                              .n = (uint64_t)json_integer_value(count)},
                         err);
}

/* The events of the run, or of each of its regions. */
static enum armpmu_status add_sections(struct diff_side *side, const json_t *sections,
                                       struct armpmu_error *err)
{
    const bool has_regions = json_object_get(json_array_get(sections, 0), "region") != NULL;
    enum armpmu_status status = ARMPMU_OK;

    if ((json_array_size(sections) != 1 && !has_regions) ||
        part_of(json_array_get(sections, 0)) != NULL)
        return bad_document(
            side,
            "counts of parts of a run (interval, thread, process, cpu or mode); compare totals",
            err);
    for (size_t i = 0; i < json_array_size(sections); i++) {
        const json_t *const section = json_array_get(sections, i);
        const json_t *const events = json_object_get(section, "events");
        const char *const region = json_string_value(json_object_get(section, "region"));
        for (size_t e = 0; status == ARMPMU_OK && e < json_array_size(events); e++)
            status = add_document_event(side, region, json_array_get(events, e), err);
    }
    return status;
}

static enum armpmu_status read_document(struct diff_side *side, const json_t *document,
                                        struct armpmu_error *err)
{
    const json_t *const machine = json_object_get(document, "machine");
    const char *const core = json_string_value(json_object_get(machine, "core"));
    const json_t *const sections = json_object_get(document, "sections");

    if (json_integer_value(json_object_get(document, "schema-version")) != DOCUMENT_VERSION)
        return bad_document(side, "a document of another version than 1; use that armpmu", err);
    side->is_partial = json_is_false(json_object_get(document, "complete"));
    side->core = core != NULL ? armpmu_core_find(core) : NULL;
    side->machine = text_of(machine, "name");
    side->machine_hash = text_of(machine, "hash");
    for (size_t i = 0; i < VERSIONS; i++) {
        char *const text = text_of(json_object_get(document, "versions"), version_keys[i]);
        side->versions[i] = text != NULL ? printable_copy(text) : NULL;
        free(text);
    }
    return add_sections(side, sections, err);
}

/* Returns whether the file is a document; if so, reads it. */
static bool is_document(struct diff_side *side, const char *text, enum armpmu_status *status,
                        struct armpmu_error *err)
{
    json_error_t where;
    json_t *const document = json_loads(text, 0, &where);
    const char *const schema = json_string_value(json_object_get(document, "schema"));
    const bool is_one = schema != NULL && strcmp(schema, DOCUMENT_SCHEMA) == 0;

    if (is_one)
        *status = read_document(side, document, err);
    json_decref(document);
    return is_one;
}

/* ---- either ---- */

/* Returns whether a core calls all the events so. */
static bool has_events(const struct armpmu_core *core, const struct diff_side *side)
{
    for (size_t i = 0; i < side->n_events; i++) {
        const uint32_t number = side->events[i].number;
        const struct armpmu_event *const event =
            number <= 0xffff ? armpmu_event_by_number(core, number) : NULL;
        if (event == NULL || !armpmu_event_matches(event, diff_event_name(&side->events[i])))
            return false;
    }
    return side->n_events > 0;
}

/* The core of the machine that lines name; NULL if there is no such machine here. */
static const struct armpmu_core *core_of_machine(const struct diff_side *side)
{
    struct armpmu_machine *machine = NULL;
    struct armpmu_error unused;
    const bool is_name = side->machine != NULL && !machine_is_file(side->machine);
    const struct armpmu_core *const core =
        is_name && machine_choice_load(side->machine, NULL, &machine, &unused) == ARMPMU_OK
            ? armpmu_machine_core(machine)
            : NULL;

    armpmu_machine_free(machine);
    return core;
}

/* Many cores call common events alike: the machine decides, where it is known. */
static const struct armpmu_core *core_of(const struct diff_side *side)
{
    size_t n_cores;
    const struct armpmu_core *const *const cores = armpmu_cores(&n_cores);
    const struct armpmu_core *const named = side->core != NULL ? side->core : core_of_machine(side);

    if (named != NULL && has_events(named, side))
        return named;
    for (size_t i = 0; i < n_cores; i++)
        if (has_events(cores[i], side))
            return cores[i];
    return NULL;
}

static enum armpmu_status read_stat(struct diff_side *side, FILE *file, struct armpmu_error *err)
{
    const struct file_source asked = {side->path, "name a report of 'armpmu stat -j'", 0};
    char *text, *at;

    enum armpmu_status status = read_file_text(file, &asked, &text, err);
    char *rest = status == ARMPMU_OK && !is_document(side, text, &status, err) ? text : NULL;
    for (size_t line = 1; status == ARMPMU_OK && (at = strsep(&rest, "\n")) != NULL; line++)
        if (at[strspn(at, " \r")] != '\0')
            status = read_line(side, at, line, err);
    free(text);
    if (status == ARMPMU_OK && side->n_events == 0)
        status = fail(err, ARMPMU_BAD_INPUT, "%.200s: no event was counted", side->path);
    side->core = core_of(side);
    return status;
}

/* A regular file that begins as JSON; what is wrong with others, profile_file_read says. */
static FILE *open_json(const char *path)
{
    struct stat about;
    char first = '\0';
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const bool is_json = fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
                         pread(fd, &first, 1, 0) == 1 && first == '{';
    FILE *const file = is_json ? fdopen(fd, "r") : NULL;

    if (fd >= 0 && file == NULL)
        close(fd);
    return file;
}

/* One name for an event, by whichever it was asked for. */
static enum armpmu_status name_events(struct diff_side *side, struct armpmu_error *err)
{
    for (size_t i = 0; side->core != NULL && i < side->n_events; i++) {
        struct diff_event *const event = &side->events[i];
        const struct armpmu_event *const known =
            event->number <= 0xffff ? armpmu_event_by_number(side->core, event->number) : NULL;
        char *name;
        if (known == NULL || known->name[0] == '\0' ||
            !armpmu_event_matches(known, diff_event_name(event)))
            continue;
        if (asprintf(&name, "%.*s%s", (int)event->n_region, event->name, known->name) < 0)
            return fail_no_memory(err, "the comparison");
        free(event->name);
        event->name = name;
    }
    return ARMPMU_OK;
}

enum armpmu_status diff_side_read(struct diff_side *side, const char *path,
                                  struct armpmu_error *err)
{
    enum armpmu_status status;

    *side = (struct diff_side){.path = path, .force = side->force};
    FILE *const file = open_json(path);
    if (file == NULL && access(path, F_OK) != 0)
        status =
            fail(err, ARMPMU_NOT_FOUND,
                 "cannot open '%s': %s; 'armpmu stat -j -o FILE' and 'armpmu record' write what "
                 "is compared",
                 path, strerror(errno));
    else if (file == NULL)
        status = read_profile(side, err);
    else {
        status = read_stat(side, file, err);
        fclose(file);
    }
    return status == ARMPMU_OK ? name_events(side, err) : status;
}

void diff_side_free(struct diff_side *side)
{
    for (size_t i = 0; i < side->n_events; i++)
        free(side->events[i].name);
    free(side->events);
    free(side->machine);
    free(side->machine_hash);
    for (size_t i = 0; i < VERSIONS; i++)
        free(side->versions[i]);
    profile_free(side->profile);
}

#include "export/export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "armpmu/catalog.h"
#include "base/error.h"

enum { ALL, ONE };

const struct export_format export_formats[] = {
#define FORMAT(name, file, events, help) {#name, file, help, (events) == ONE, export_##name},
#include "export/formats.def"
#undef FORMAT
};
const size_t export_n_formats = sizeof export_formats / sizeof export_formats[0];

enum armpmu_status export_no_memory(struct armpmu_error *err)
{
    return fail(err, ARMPMU_NO_MEMORY, "out of memory while the profile is converted");
}

/* ---- which events ---- */

/* The names of all events, as many as fit; the last word is "..." where not all do. */
static void name_events(const struct profile *profile, char *text, size_t size)
{
    size_t n = 0;

    text[0] = '\0';
    for (size_t i = 0; i < profile->n_events && n < size; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%s", i > 0 ? ", " : "",
                              profile->events[i].name);
    if (n >= size)
        memcpy(text + size - 4, "...", 4);
}

static void take_event(struct export_job *job, uint32_t event)
{
    if (job->columns[event] != PROFILE_NONE)
        return;
    job->columns[event] = (uint32_t)job->n_events;
    job->events[job->n_events++] = event;
}

/* Whether the profile calls an event so, or the core's catalogue: by an alias, number or pattern.
 */
static bool is_event(const struct export_job *job, uint32_t number, const char *name)
{
    const struct profile_event *const event = &job->profile->events[number];
    const char *const core_name = job->profile->setup.core;
    const struct armpmu_core *const core = core_name != NULL ? armpmu_core_find(core_name) : NULL;
    const struct armpmu_event *const known =
        core != NULL ? armpmu_event_by_number(core, event->number) : NULL;

    return strcasecmp(event->name, name) == 0 ||
           (known != NULL && armpmu_event_matches(known, name));
}

static enum armpmu_status take_name(struct export_job *job, const char *name,
                                    struct armpmu_error *err)
{
    const size_t n_profile = job->profile->n_events;
    bool is_recorded = false;
    char names[300];

    for (uint32_t i = 0; i < n_profile; i++) {
        if (!is_event(job, i, name))
            continue;
        take_event(job, i);
        is_recorded = true;
    }
    if (is_recorded)
        return ARMPMU_OK;
    name_events(job->profile, names, sizeof names);
    return fail(err, ARMPMU_NOT_FOUND, "-e '%.60s': not recorded; the profile has %s", name, names);
}

/* list: a copy, which is cut up. */
static enum armpmu_status take_list(struct export_job *job, char *list, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (char *name; status == ARMPMU_OK && (name = strsep(&list, ",")) != NULL;)
        status = take_name(job, name, err);
    return status;
}

/* Tools show the first event where none is asked for: that is cycles, and what never happened comes
 * last. */
static void take_all(struct export_job *job)
{
    const struct profile *const p = job->profile;
    const struct armpmu_core *const core =
        p->setup.core != NULL ? armpmu_core_find(p->setup.core) : NULL;

    for (uint32_t i = 0; core != NULL && i < p->n_events; i++)
        if (p->events[i].number == core->cycles_event && p->totals[i] > 0)
            take_event(job, i);
    for (uint32_t i = 0; i < p->n_events; i++)
        if (p->totals[i] > 0)
            take_event(job, i);
    for (uint32_t i = 0; i < p->n_events; i++)
        take_event(job, i);
}

static enum armpmu_status take_events(struct export_job *job, const char *list,
                                      struct armpmu_error *err)
{
    if (list == NULL) {
        take_all(job);
        return ARMPMU_OK;
    }
    char *const copy = strdup(list);
    if (copy == NULL)
        return export_no_memory(err);
    const enum armpmu_status status = take_list(job, copy, err);
    free(copy);
    return status;
}

enum armpmu_status export_job_init(struct export_job *job, const struct export_format *format,
                                   const struct profile *profile, const char *list,
                                   struct armpmu_error *err)
{
    char names[300];
    const size_t room = profile->n_events + 1;

    *job = (struct export_job){profile, malloc(room * sizeof *job->events),
                               malloc(room * sizeof *job->columns), 0};
    if (job->events == NULL || job->columns == NULL)
        return export_no_memory(err);
    memset(job->columns, 0xff, room * sizeof *job->columns);
    const enum armpmu_status status = take_events(job, list, err);
    if (status != ARMPMU_OK || !format->has_one_event || job->n_events == 1)
        return status;
    name_events(profile, names, sizeof names);
    return fail(err, ARMPMU_BAD_CONFIG, "--to %s holds one event: choose it with -e from %s",
                format->name, names);
}

void export_job_free(struct export_job *job)
{
    free(job->events);
    free(job->columns);
}

/* ---- for the formats ---- */

void export_add_row(const struct export_job *job, const struct profile_row *row, uint64_t *sums)
{
    const struct profile_count *counts = job->profile->counts + row->first_count;

    for (uint32_t i = 0; i < row->n_counts; i++)
        if (job->columns[counts[i].event] != PROFILE_NONE)
            sums[job->columns[counts[i].event]] += counts[i].n;
}

uint64_t *export_new_sums(const struct export_job *job, size_t n)
{
    return calloc(n * job->n_events + 1, sizeof(uint64_t));
}

uint64_t *export_sums_by_insn(const struct export_job *job)
{
    const struct profile *p = job->profile;
    uint64_t *const sums = export_new_sums(job, p->n_insns);

    for (size_t i = 0; sums != NULL && i < p->n_rows; i++)
        export_add_row(job, &p->rows[i], sums + p->rows[i].insn * job->n_events);
    return sums;
}

void export_add(const struct export_job *job, uint64_t *sums, const uint64_t *others)
{
    for (size_t i = 0; i < job->n_events; i++)
        sums[i] += others[i];
}

void export_print_sums(const struct export_job *job, const uint64_t *sums, FILE *out)
{
    for (size_t i = 0; i < job->n_events; i++)
        fprintf(out, " %" PRIu64, sums[i]);
    fputc('\n', out);
}

void export_print_totals(const struct export_job *job, const char *key, FILE *out)
{
    fputs(key, out);
    for (size_t i = 0; i < job->n_events; i++)
        fprintf(out, " %" PRIu64, export_total(job, i));
    fputc('\n', out);
}

/* A label may be anything; what parts names here must not be in one. */
static void print_word(const char *name, FILE *out)
{
    for (; *name != '\0'; name++)
        fputc(strchr(":=", *name) != NULL || (unsigned char)*name <= ' ' ? '_' : *name, out);
}

void export_print_names(const struct export_job *job, FILE *out)
{
    fputs("\nevents:", out);
    for (size_t i = 0; i < job->n_events; i++) {
        fputc(' ', out);
        print_word(export_event(job, i)->name, out);
    }
    fputc('\n', out);
}

uint64_t export_file_address(const struct profile *profile, uint32_t object, uint64_t address)
{
    return object == PROFILE_NONE ? address : address - profile->objects[object].bias;
}

#define PAGE UINT64_C(4096)

static void include(struct export_range *range, const struct profile_insn *insn)
{
    const uint64_t start = insn->address & ~(PAGE - 1);
    const uint64_t end = ((insn->address + insn->n_bytes) | (PAGE - 1)) + 1;

    if (range->end == 0 || start < range->start)
        range->start = start;
    if (end > range->end)
        range->end = end;
}

struct export_range *export_object_ranges(const struct profile *profile)
{
    struct export_range *const ranges = calloc(profile->n_objects + 1, sizeof *ranges);

    for (size_t i = 0; ranges != NULL && i < profile->n_insns; i++)
        if (profile->insns[i].object != PROFILE_NONE)
            include(&ranges[profile->insns[i].object], &profile->insns[i]);
    return ranges;
}

#include "export/export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "profile/event_choice.h"

enum { ALL, ONE, INSNS };

const struct export_format export_formats[] = {
#define FORMAT(id, name, file, events, help)                                                       \
    {name, file, help, (events) == ONE, (events) == INSNS, export_##id},
#include "export/formats.def"
#undef FORMAT
};
const size_t export_n_formats = sizeof export_formats / sizeof export_formats[0];

enum armpmu_status export_no_memory(struct armpmu_error *err)
{
    return fail(err, ARMPMU_NO_MEMORY, "out of memory while the profile is converted");
}

/* ---- which events ---- */

enum armpmu_status export_job_init(struct export_job *job, const struct export_format *format,
                                   const struct profile *profile, const char *list,
                                   struct armpmu_error *err)
{
    char names[300];
    struct event_choice choice;
    const bool is_refused = format->counts_insns && list != NULL;
    enum armpmu_status status =
        event_choice_make(profile, format->counts_insns ? "instructions" : list, &choice, err);

    if (is_refused)
        status = fail(err, ARMPMU_BAD_CONFIG,
                      "--to %s holds executed instructions only: leave out -e", format->name);
    else if (format->counts_insns && status == ARMPMU_NOT_FOUND)
        status = fail(err, status,
                      "--to %s needs executed instructions: record them, too, -e instructions",
                      format->name);
    *job = (struct export_job){
        .profile = profile,
        .events = choice.events,
        .columns = malloc((profile->n_events + 1) * sizeof *job->columns),
        .n_events = choice.n,
    };
    if (job->columns == NULL)
        return export_no_memory(err);
    for (size_t i = 0; i < profile->n_events; i++)
        job->columns[i] = PROFILE_NONE;
    for (size_t i = 0; i < job->n_events; i++)
        job->columns[job->events[i]] = (uint32_t)i;
    if (status != ARMPMU_OK || !format->has_one_event || job->n_events == 1)
        return status;
    event_choice_name(profile, names, sizeof names);
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

bool export_has_object(const struct export_job *job, uint32_t object)
{
    const char *const path = job->profile->objects[object].path, *const name = job->object;
    const char *const slash = strrchr(path, '/');

    if (name == NULL)
        return true;
    const size_t n = strlen(name);
    return strcmp(path, name) == 0 || (slash != NULL && strcmp(slash + 1, name) == 0) ||
           (strncmp(path, name, n) == 0 && strncmp(path + n, " [", 2) == 0);
}

const char *export_file_of(const struct export_job *job, const char *path)
{
    return job->object_file != NULL ? job->object_file : path;
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

/* Profiles in the formats of other tools: a file in this folder for each, a row of formats.def.
 *
 * Every format is exact: the sum over all that is written is the profile's total, event by event.
 * A sample, where a format has such, is one call path and instruction with its count as weight.
 * Addresses are those of the objects' own files where a format has no other place for the bias.
 *
 * docs/export.md says what each format cannot hold. */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "armpmu/status.h"
#include "profile/profile.h"

/* The parts of a profile that are written. */
struct export_job {
    const struct profile *profile;
    uint32_t *events;  /* n_events of the profile's, in the order wanted */
    uint32_t *columns; /* of each of the profile's events: its place in events, or PROFILE_NONE */
    size_t n_events;
    const char *object; /* only code of this one, in formats for compilers; NULL: as they choose.
                         * Its path, the last part of that, or the name of a machine's program */
    const char *object_file;          /* where it is; NULL: where its path says */
    const struct whatif_rows *whatif; /* what changes would save, in formats that have it; NULL */
    /* Prints more members of html's data, each after a comma: "code", a document that `armpmu
     * annotate -j=1` prints; "accesses", "data" and "sources", of `armpmu report`; NULL */
    enum armpmu_status (*print_more)(const struct profile *profile, FILE *out,
                                     struct armpmu_error *err);
};

/* Writes to out, whose errors the caller finds. Returns ARMPMU_OK, ARMPMU_NO_MEMORY, or what the
 * format cannot do with this profile. */
typedef enum armpmu_status (*export_fn)(const struct export_job *job, FILE *out,
                                        struct armpmu_error *err);

struct export_format {
    const char *name, *file, *help;
    bool has_one_event, counts_insns; /* insns: no other event */
    export_fn write;
};

/* In the order of formats.def. */
extern const struct export_format export_formats[];
extern const size_t export_n_formats;

/* Chooses what is written of a profile: the events of a list separated by ',', all for NULL, cycles
 * first. Names are those of the profile, or what the core's catalogue knows an event by: aliases,
 * numbers, patterns. job is freed by export_job_free, also after a failure. Returns ARMPMU_OK,
 * ARMPMU_NOT_FOUND (no such event), ARMPMU_BAD_CONFIG (the format has one event, or instructions
 * and no choice) or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status export_job_init(struct export_job *job,
                                                   const struct export_format *format,
                                                   const struct profile *profile, const char *list,
                                                   struct armpmu_error *err);
void export_job_free(struct export_job *job);

/* ---- the page of html ---- */

/* Prints what the page draws, a JSON object that html/page.js knows. */
typedef enum armpmu_status (*export_data_fn)(const void *user, FILE *out, struct armpmu_error *err);

/* That of a profile; user: the job. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status export_html_data(const void *user, FILE *out,
                                                    struct armpmu_error *err);

/* Prints the page with what print prints. Returns ARMPMU_OK, ARMPMU_NO_MEMORY or what print
 * returned: then nothing is printed. */
ARMPMU_MUST_USE enum armpmu_status export_html_page(export_data_fn print, const void *user,
                                                    FILE *out, struct armpmu_error *err);

/* Prints the name of a function as the page has it, a text of JSON: short where it is very long.
 * Returns false without memory. */
bool export_html_name(const char *name, FILE *out);

/* ---- for the formats ---- */

#define FORMAT(id, name, file, events, help)                                                       \
    enum armpmu_status export_##id(const struct export_job *job, FILE *out,                        \
                                   struct armpmu_error *err);
#include "export/formats.def"
#undef FORMAT

/* The name and total of the i-th event of the job. */
static inline const struct profile_event *export_event(const struct export_job *job, size_t i)
{
    return &job->profile->events[job->events[i]];
}

static inline uint64_t export_total(const struct export_job *job, size_t i)
{
    return job->profile->totals[job->events[i]];
}

/* Adds the counts of a row to n_events sums. */
void export_add_row(const struct export_job *job, const struct profile_row *row, uint64_t *sums);

/* Zeroed sums of n_events for each of n things; NULL without memory. */
uint64_t *export_new_sums(const struct export_job *job, size_t n);

/* Sums by instruction: n_insns times n_events. NULL without memory. */
uint64_t *export_sums_by_insn(const struct export_job *job);

/* Adds n_events of others to sums. */
void export_add(const struct export_job *job, uint64_t *sums, const uint64_t *others);

/* Lines of valgrind's formats: " 12 0 7", the same after a key for the totals, and the names. */
void export_print_sums(const struct export_job *job, const uint64_t *sums, FILE *out);
void export_print_totals(const struct export_job *job, const char *key, FILE *out);
void export_print_names(const struct export_job *job, FILE *out);

/* Returns whether the job wants code of an object. */
bool export_has_object(const struct export_job *job, uint32_t object);

/* The file of an object with a path. */
const char *export_file_of(const struct export_job *job, const char *path);

/* The address of an instruction or function in the object's own file. */
uint64_t export_file_address(const struct profile *profile, uint32_t object, uint64_t address);

/* The whole pages that an object's instructions are in; end 0 where it has none. */
struct export_range {
    uint64_t start, end;
};

/* One for each object; the caller frees them. NULL without memory. */
struct export_range *export_object_ranges(const struct profile *profile);

enum armpmu_status export_no_memory(struct armpmu_error *err);

#endif

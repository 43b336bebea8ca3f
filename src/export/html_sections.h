/* Members of the page's data, which html.c joins. Each begins with a comma. */
#ifndef EXPORT_HTML_SECTIONS_H
#define EXPORT_HTML_SECTIONS_H

#include "export/export.h"

/* ,"name":[1,2,3] is printed as a list of n_events numbers. */
void html_sums(const struct export_job *job, const uint64_t *sums, FILE *out);

/* The place of an event's code among those of the job; PROFILE_NONE where it is none. */
uint32_t html_find_number(const struct export_job *job, uint32_t number);

/* "cycles": the event, stalls and what is none. "caches": misses by region and time, and by set. */
void html_cycles(const struct export_job *job, FILE *out);
void html_misses(const struct export_job *job, FILE *out);

/* The largest share of its event's total that any of n_events sums is. */
double html_share(const struct export_job *job, const uint64_t *sums);

/* "frames", "objects", "nodes", "self", "functions": call paths, without those that are too narrow
 * to see. */
ARMPMU_MUST_USE enum armpmu_status html_calls(const struct export_job *job, FILE *out,
                                              struct armpmu_error *err);

/* "files": the lines with counts, and the text around them of files that can be read. */
ARMPMU_MUST_USE enum armpmu_status html_files(const struct export_job *job, FILE *out,
                                              struct armpmu_error *err);

#endif

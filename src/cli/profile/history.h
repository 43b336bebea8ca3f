/* A history: a file with a JSON object for each commit, the counts of one benchmark. It grows by a
 * line a commit, so that version control and people can read what was added. */
#ifndef CLI_PROFILE_HISTORY_H
#define CLI_PROFILE_HISTORY_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/profile/diff_report.h"

struct history_commit {
    json_t *object;                                       /* the line; texts are of it */
    const char *revision, *date, *machine, *machine_hash; /* "" where it is not known */
    const struct armpmu_core *core;                       /* NULL: not known */
    const json_t *counts;
};

struct history {
    const char *path;
    struct history_commit *commits; /* oldest first; of a revision only the last */
    size_t n, room;
};

/* Reads a file. history_free in any case. Returns ARMPMU_OK, ARMPMU_BAD_INPUT (the message names
 * the line), ARMPMU_NOT_FOUND or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status history_read(struct history *history, const char *path,
                                                struct armpmu_error *err);
void history_free(struct history *history);

/* Appends the counts of a run to a file, which is made where it is missing. revision: not empty.
 * date: NULL: none. Returns ARMPMU_OK, ARMPMU_BAD_INPUT, ARMPMU_IO or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status history_append(const char *path, const struct diff_side *run,
                                                  const char *revision, const char *date,
                                                  struct armpmu_error *err);

/* True if a commit has a count of an event, by its name in the history. */
bool history_count(const struct history_commit *commit, const char *event, uint64_t *count);

/* The name in the last commit of an event that is called otherwise, too, or is one of a region: the
 * first after previous, or of all for NULL. NULL: none. */
const char *history_event(const struct history *history, const char *wanted, const char *previous);

/* Names causes of a change besides the program's source: another compiler, C library, QEMU or
 * machine. Prints nothing where none is known. */
void history_put_causes(const struct history_commit *before, const struct history_commit *after,
                        FILE *stream);

#endif

/* Makes a profile from the core models at the end of a run.
 *
 * Threads end in any order, on any host: the profile has them in order of their numbers, so the
 * same run makes the same profile. */
#ifndef PROFILE_COLLECT_H
#define PROFILE_COLLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/profile.h"
#include "profile/profile.h"

struct profile_collection;

/* A file of code: where it was in memory. */
struct collected_file {
    const char *path; /* NULL: there is none of this number */
    uint64_t start, offset;
    bool is_fixed; /* its headers say where, less the bias: start and offset do not matter */
    uint64_t bias;
};

/* The difference between addresses in memory and in the file's headers; of a file that cannot be
 * read, as if its headers said where its bytes lie. */
uint64_t collected_file_bias(const struct collected_file *file);

/* events: n_events, whose counts are wanted; borrowed. has_paths: by call path. *out is freed by
 * profile_collection_free, NULL on failure. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status profile_collection_new(const struct armpmu_event *const *events,
                                                          size_t n_events, bool has_paths,
                                                          struct profile_collection **out,
                                                          struct armpmu_error *err);
void profile_collection_free(struct profile_collection *collection); /* NULL is fine */

/* Takes what a thread counted; sim is as after armpmu_sim_finish. file: the number of the one that
 * all code is from; 0: as the core model says. One call at a time. Returns ARMPMU_OK or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status profile_collect(struct profile_collection *collection,
                                                   uint32_t process, uint32_t thread,
                                                   struct armpmu_sim *sim, uint32_t file,
                                                   struct armpmu_error *err);

/* The same of a system, one by one: its tasks by number from 1, each context of a path; of each
 * processor its paths by number from 0, then its rows, whose file is that of their code. Rows of
 * paths of context 0 are of the processor. */
struct collected_task {
    uint32_t process, thread;
    const char *name;
};

ARMPMU_MUST_USE enum armpmu_status profile_collect_task(struct profile_collection *collection,
                                                        const struct collected_task *task,
                                                        struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status profile_collect_path(struct profile_collection *collection,
                                                        unsigned cpu,
                                                        const struct armpmu_profile_path *path,
                                                        struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status profile_collect_row(struct profile_collection *collection,
                                                       unsigned cpu,
                                                       const struct armpmu_profile_row *row,
                                                       struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status profile_collect_edge(struct profile_collection *collection,
                                                        unsigned cpu,
                                                        const struct armpmu_profile_edge *edge,
                                                        struct armpmu_error *err);
/* latency: armpmu_sim_access_latency, kept. */
ARMPMU_MUST_USE enum armpmu_status profile_collect_access(struct profile_collection *collection,
                                                          unsigned cpu,
                                                          const struct armpmu_data_access *access,
                                                          const char *latency,
                                                          struct armpmu_error *err);
/* Returns whether any instruction of what was taken ran. */
bool profile_collection_has_run(const struct profile_collection *collection);

/* Fills a profile that has its set-up and its events, in the order of the collection,
 * and nothing else; symbols_resolve gives names to what is there then. files: by number - 1.
 * name: the name of all threads but a system's. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status profile_collection_fill(struct profile_collection *collection,
                                                           const struct collected_file *files,
                                                           size_t n_files, const char *name,
                                                           struct profile *profile,
                                                           struct armpmu_error *err);

/* After that and symbols_resolve: names a path by the function that execution came to, where what
 * was called only jumps on to it: a stub of the dynamic linker, a veneer, a wrapper. Returns
 * ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status
profile_collection_skip_stubs(const struct profile_collection *collection, struct profile *profile,
                              struct armpmu_error *err);

/* The name that firmware has for a task; the first one counts. Returns false without memory. */
bool profile_collection_name_task(struct profile_collection *collection, uint32_t context,
                                  const char *name);

/* After symbols_resolve: other tasks of firmware have the names of the functions that they begin
 * with. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status
profile_collection_name_tasks(const struct profile_collection *collection, struct profile *profile,
                              struct armpmu_error *err);

#endif

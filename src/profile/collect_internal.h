/* The state of a collection, shared by its files. */
#ifndef PROFILE_COLLECT_INTERNAL_H
#define PROFILE_COLLECT_INTERNAL_H

#include <stdbool.h>

#include "armpmu/profile.h"
#include "profile/profile.h"

/* A row of a core model, with its events. */
struct collected_row {
    struct profile_insn insn;
    uint32_t path, file;
    uint64_t retired; /* instructions */
    size_t counts_at;
    uint32_t n_counts; /* those that are not 0 */
};

/* A thread of a program; or of a system a processor, which is the thread of its context 0. */
struct collected_thread {
    uint32_t process, thread;
    struct armpmu_profile_path *paths;
    struct collected_row *rows; /* by path and address */
    struct profile_count *counts;
    uint32_t *path_numbers, *insn_numbers; /* in the profile: of paths; of each row's */
    uint32_t *tasks; /* its threads of contexts from 1 on; NULL: there are none, or a system's */
    size_t n_paths, paths_room, n_rows, rows_room, n_counts, counts_room;
};

/* A task of a system. */
struct collected_context {
    uint32_t process, thread, number; /* number: of its thread in the profile */
    char *name;
};

struct profile_collection {
    const struct armpmu_event *const *events;
    size_t n_events;
    bool has_paths;
    struct collected_thread *threads;
    size_t n_threads, threads_room;
    struct collected_context *contexts; /* from number 1 on */
    size_t n_contexts, contexts_room;
    bool is_system;
    struct armpmu_miss_map *misses[ARMPMU_MISS_CACHES]; /* of all threads; NULL: none are known */
    enum armpmu_signal miss_signals[ARMPMU_MISS_CACHES];
};

/* ---- collect_misses.c ---- */

/* Takes the maps of misses that a core model kept. */
void profile_collect_misses(struct profile_collection *collection, struct armpmu_sim *sim);

/* Fills a profile that has its events with the misses of all. Returns ARMPMU_OK or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status profile_fill_misses(const struct profile_collection *collection,
                                                       struct profile *profile,
                                                       struct armpmu_error *err);

#endif

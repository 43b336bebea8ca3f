/* The state of a collection, shared by its files. */
#ifndef PROFILE_COLLECT_INTERNAL_H
#define PROFILE_COLLECT_INTERNAL_H

#include <stdbool.h>

#include "armpmu/profile.h"
#include "profile/profile.h"

/* A row of a core model, with its events. Kept small: a profile of call paths has many, and a new
 * page of memory takes longer than its use. */
struct collected_row {
    uint64_t address, retired; /* instructions */
    size_t counts_at;
    uint32_t n_counts; /* those that are not 0 */
    uint32_t path, file;
    uint8_t isa, n_bytes, bytes[4]; /* as of struct profile_insn */
};

/* A thread of a program; or of a system a processor, which is the thread of its context 0. */
struct collected_thread {
    uint32_t process, thread;
    struct armpmu_profile_path *paths;
    struct collected_row *rows; /* by path and address */
    struct profile_count *counts;
    struct armpmu_profile_edge *edges;
    struct armpmu_data_access *accesses;
    struct armpmu_allocation *allocations;
    struct armpmu_allocated *allocated;    /* by address */
    uint32_t *allocation_numbers;          /* in the profile */
    uint32_t *path_numbers, *insn_numbers; /* in the profile: of paths; of each row's */
    uint32_t *tasks; /* its threads of contexts from 1 on; NULL: there are none, or a system's */
    size_t n_paths, paths_room, n_rows, rows_room, n_counts, counts_room, n_edges, edges_room,
        n_accesses, accesses_room, n_allocations, n_allocated, allocated_room;
};

/* A task of a system. */
struct collected_context {
    uint32_t process, thread, number; /* number: of its thread in the profile */
    char *name;
};

struct profile_collection {
    const struct armpmu_event *const *events;
    size_t n_events;
    uint32_t events_of[ARMPMU_SIGNAL_COUNT + 1]; /* where those of each signal begin ... */
    uint32_t *of_signals;                        /* ... here */
    uint64_t *sums;                              /* of the row that is collected; all 0 between */
    bool has_paths;
    struct collected_thread *threads;
    size_t n_threads, threads_room;
    struct collected_context *contexts; /* from number 1 on */
    size_t n_contexts, contexts_room;
    bool is_system;
    char **task_names; /* by context of firmware; NULL: not known */
    size_t task_names_room;
    struct armpmu_miss_map *misses[ARMPMU_MISS_CACHES]; /* of all threads; NULL: none are known */
    enum armpmu_signal miss_signals[ARMPMU_MISS_CACHES];
    const char *access_latency; /* NULL: accesses are not kept */
    struct profile_edge *edges; /* of all threads, by the profile's numbers */
    size_t n_edges, edges_room;
};

/* A row by its context and address, then by its path. */
struct by_address {
    uint64_t address;
    uint32_t context, path;
    size_t row;
};

/* The first row of a context at an address, in a path or one after it; n where there is none. */
size_t first_row_at(const struct by_address *sorted, size_t n, uint32_t context, uint64_t address,
                    uint32_t path);

/* The thread in the profile of a context of a thread, which itself is `own` there. */
uint32_t context_thread(const struct profile_collection *collection,
                        const struct collected_thread *thread, uint32_t own, uint32_t context);

/* ---- collect_edges.c ---- */

bool collect_edge(struct collected_thread *thread, const struct armpmu_profile_edge *edge);

/* Adds those of a thread, whose rows are sorted. False without memory. */
bool number_edges(struct profile_collection *collection, const struct collected_thread *thread,
                  const struct by_address *sorted);

/* Fills a profile with those of all. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status fill_edges(struct profile_collection *collection,
                                              struct profile *profile, struct armpmu_error *err);

/* ---- collect_accesses.c ---- */

/* Takes the data accesses that a core model kept. */
ARMPMU_MUST_USE enum armpmu_status collect_accesses(struct profile_collection *collection,
                                                    struct collected_thread *thread,
                                                    struct armpmu_sim *sim,
                                                    struct armpmu_error *err);

/* Adds those of a thread, which is `own` in the profile and whose rows have their instructions'
 * numbers. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status fill_accesses(const struct profile_collection *collection,
                                                 struct collected_thread *thread, uint32_t own,
                                                 struct profile *profile, struct armpmu_error *err);

/* ---- collect_allocations.c ---- */

/* Takes the blocks of memory that a core model was told of. False without memory. */
bool collect_allocations(struct collected_thread *thread, const struct armpmu_sim *sim);

/* Adds where those of a thread are from; call: the number of the instruction before an address, in
 * the profile. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status
fill_allocations(struct collected_thread *thread,
                 uint32_t (*call)(const void *insns, uint64_t returns_to), const void *insns,
                 struct profile *profile, struct armpmu_error *err);

/* Finds the blocks that accesses are to which their core model did not know. Returns ARMPMU_OK or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status find_latest_blocks(const struct profile_collection *collection,
                                                      struct profile *profile,
                                                      struct armpmu_error *err);

/* ---- collect_misses.c ---- */

/* Takes the maps of misses that a core model kept. */
void profile_collect_misses(struct profile_collection *collection, struct armpmu_sim *sim);

/* Fills a profile that has its events with the misses of all. Returns ARMPMU_OK or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status profile_fill_misses(const struct profile_collection *collection,
                                                       struct profile *profile,
                                                       struct armpmu_error *err);

#endif

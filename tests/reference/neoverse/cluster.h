/* The slow model of cores that share their last level, or their level 2, without time: what each
 * access of a core finds in its own caches, in those of the others and in the shared one.
 *
 * Written from the choices cluster-states, cluster-level2, amu-inclusion and pmuv3-memory of
 * docs/choices.md alone.
 * Assumes that no private cache ever loses a line for lack of room. */
#ifndef REFERENCE_NEOVERSE_CLUSTER_H
#define REFERENCE_NEOVERSE_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

enum { SLOW_CORES = 4, SLOW_LINES = 1024, SLOW_WAYS_MAX = 16, SLOW_SETS_MAX = 64 };

/* What a core has counted. */
struct slow_cluster_counts {
    uint64_t load_refills, store_refills, shared_reads, shared_misses, cleaned, invalidated;
    uint64_t snooped, level1_write_backs, level2_write_backs; /* where level 2 is shared */
};

struct slow_cluster {
    bool shares_level2;
    unsigned n_cores, sets, ways;             /* of the shared cache */
    int newest[SLOW_SETS_MAX][SLOW_WAYS_MAX]; /* line + 1, the latest used first; 0: none */
    char states[SLOW_CORES][SLOW_LINES];      /* 0 absent, or M written, E alone, S shared */
    bool dirty[SLOW_LINES];                   /* level 2 has it written */
    struct slow_cluster_counts counts[SLOW_CORES];
};

void slow_cluster_access(struct slow_cluster *cluster, unsigned core, unsigned line, bool store);

#endif

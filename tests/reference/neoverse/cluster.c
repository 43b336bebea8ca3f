#include "cluster.h"

#include <string.h>

/* Returns whether the shared cache has the line; then it is the latest used. */
static bool shared_has(struct slow_cluster *cluster, unsigned line)
{
    int *const newest = cluster->newest[line % cluster->sets];

    for (unsigned i = 0; i < cluster->ways; i++) {
        if (newest[i] != (int)line + 1)
            continue;
        memmove(&newest[1], &newest[0], i * sizeof newest[0]);
        newest[0] = (int)line + 1;
        return true;
    }
    return false;
}

static void shared_takes(struct slow_cluster *cluster, unsigned line)
{
    int *const newest = cluster->newest[line % cluster->sets];

    if (shared_has(cluster, line))
        return;
    memmove(&newest[1], &newest[0], (cluster->ways - 1) * sizeof newest[0]);
    newest[0] = (int)line + 1;
}

/* All others hear of the access. Returns whether one of them had the line. */
static bool tell_others(struct slow_cluster *cluster, unsigned core, unsigned line, bool store)
{
    bool found = false;

    for (unsigned other = 0; other < cluster->n_cores; other++) {
        char *const state = &cluster->states[other][line];
        if (other == core || *state == 0)
            continue;
        found = true;
        cluster->counts[core].snooped += cluster->shares_level2 && *state != 'S';
        if (*state == 'M') {
            cluster->counts[other].cleaned++;
            cluster->dirty[line] = true;
            if (!cluster->shares_level2)
                shared_takes(cluster, line);
        }
        cluster->counts[other].invalidated += store;
        *state = store ? 0 : 'S';
    }
    return found;
}

static bool anybody_has(const struct slow_cluster *cluster, unsigned line)
{
    for (unsigned core = 0; core < cluster->n_cores; core++)
        if (cluster->states[core][line] != 0)
            return true;
    return false;
}

/* A line that the core does not have. */
static void fetch(struct slow_cluster *cluster, unsigned core, unsigned line)
{
    struct slow_cluster_counts *const counts = &cluster->counts[core];

    counts->shared_reads++;
    if (shared_has(cluster, line) || anybody_has(cluster, line))
        return;
    counts->shared_misses++;
    shared_takes(cluster, line);
}

/* Level 2 takes a line; what it loses leaves all data caches. */
static void level2_takes(struct slow_cluster *cluster, unsigned core, unsigned line)
{
    const int last = cluster->newest[line % cluster->sets][cluster->ways - 1];

    if (last != 0) {
        for (unsigned other = 0; other < cluster->n_cores; other++) {
            char *const state = &cluster->states[other][last - 1];
            cluster->counts[other].invalidated += *state != 0;
            cluster->counts[other].level1_write_backs += *state == 'M';
            cluster->dirty[last - 1] |= *state == 'M';
            *state = 0;
        }
        cluster->counts[core].level2_write_backs += cluster->dirty[last - 1];
        cluster->dirty[last - 1] = false;
    }
    shared_takes(cluster, line);
}

/* The same of a line that the data cache does not have. */
static void fetch_from_level2(struct slow_cluster *cluster, unsigned core, unsigned line)
{
    struct slow_cluster_counts *const counts = &cluster->counts[core];

    counts->shared_reads++;
    if (shared_has(cluster, line))
        return;
    counts->shared_misses++;
    level2_takes(cluster, core, line);
}

void slow_cluster_access(struct slow_cluster *cluster, unsigned core, unsigned line, bool store)
{
    char *const state = &cluster->states[core][line];
    const char before = *state;

    if (before == 0) {
        cluster->counts[core].load_refills += !store;
        cluster->counts[core].store_refills += store;
        (cluster->shares_level2 ? fetch_from_level2 : fetch)(cluster, core, line);
    }
    if (store) {
        if (before == 0 || before == 'S')
            tell_others(cluster, core, line, true);
        *state = 'M';
    } else if (before == 0) {
        *state = tell_others(cluster, core, line, false) ? 'S' : 'E';
    }
}

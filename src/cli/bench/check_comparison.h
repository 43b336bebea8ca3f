/* The comparison of the checks on each event. */
#ifndef CLI_BENCH_CHECK_COMPARISON_H
#define CLI_BENCH_CHECK_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/catalog.h"
#include "cli/bench/check_set.h"

struct check_comparison {
    const struct armpmu_event *event;
    bool wanted;
    size_t n_checks, n_wrong;
    /* A run that shows it, best by its count or (is_change) what that rose by, else by a rule it is
     * part of; rule NULL: none. expected and measured are the rule's right and left. */
    const struct check_rule *rule;
    bool by_count, is_relation, is_change;
    int64_t expected, measured;
    const struct check_run *run;
};

struct check_comparisons {
    struct check_comparison *events; /* one for each of the core's that is not reserved */
    size_t n_events;
    size_t n_checks, n_wrong;
    char **complaints; /* n_complaints of them */
    size_t n_complaints, room;
};

/* Verdicts on all events of the core that match one of the globs (NULL-terminated; none: all).
 * Returns ARMPMU_OK, ARMPMU_NOT_FOUND (a glob matches no event) or ARMPMU_NO_MEMORY;
 * check_comparisons_free in any case. */
ARMPMU_MUST_USE enum armpmu_status check_comparisons_init(struct check_comparisons *comparisons,
                                                          const struct armpmu_core *core,
                                                          char *const *globs,
                                                          struct armpmu_error *err);
void check_comparisons_free(struct check_comparisons *comparisons);

/* Returns whether a run says something about an event that is wanted. */
bool check_is_wanted(const struct check_comparisons *comparisons, const struct check_run *run);

/* The counts of a run, and those of the run that its changes are from. */
struct check_counts {
    const struct check_run *run, *since_run;
    const uint64_t *signals, *since; /* since NULL: no changes */
};

/* Judges a run by its counts.
 * Returns ARMPMU_OK, ARMPMU_BAD_INPUT (a formula is wrong) or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status check_judge(struct check_comparisons *comparisons,
                                               const struct check_counts *counts,
                                               struct armpmu_error *err);

/* A run that did not end as it should: what it claims is wrong. */
ARMPMU_MUST_USE enum armpmu_status check_failed_run(struct check_comparisons *comparisons,
                                                    const struct check_run *run, int status,
                                                    struct armpmu_error *err);

#endif

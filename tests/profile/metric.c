/* Metrics: Arm's of the Neoverse cores against Arm's own table, and those that cannot be worked
 * out. */
#include "../test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/formula.h"
#include "profile/metric.h"

static const struct {
    const char *cores, *name, *formula, *unit, *groups;
} published[] = {
#define PUBLISHED(cores, name, formula, unit, groups) {cores, #name, formula, unit, groups},
#include "../manual/neoverse_metrics.def"
#undef PUBLISHED
};

#define N_PUBLISHED (sizeof published / sizeof published[0])

static const struct {
    char letter;
    const char *name;
    unsigned n_published; /* of them without those of SVE's events */
} cores[] = {{'1', "neoverse-n1", 31},
             {'V', "neoverse-v1", 35},
             {'2', "neoverse-n2", 35},
             {'W', "neoverse-v2", 40}};

#define N_CORES (sizeof cores / sizeof cores[0])

/* Counts without a pattern: of each event another. */
static double count_at(const char *name, unsigned round)
{
    uint32_t hash = round * 2654435761u + 1;
    for (const char *at = name; *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    return 1 + hash % 100000;
}

static bool count_of(void *user, const struct armpmu_event *event, double *count)
{
    *count = count_at(event->name, *(unsigned *)user);
    return event->fidelity != ARMPMU_RESERVED;
}

static bool count_of_name(void *user, const char *name, double *value)
{
    *value = count_at(name, *(unsigned *)user);
    return true;
}

static const struct armpmu_metric *metric_named(const struct armpmu_core *core, const char *name)
{
    for (size_t i = 0; i < core->n_metrics; i++)
        if (strcmp(core->metrics[i].name, name) == 0)
            return &core->metrics[i];
    return NULL;
}

static void expect_groups(const struct armpmu_metric *metric, const char *groups)
{
    char group[64];

    for (const char *at = groups; *at != '\0'; at += *at == ';') {
        const size_t n = strcspn(at, ";");
        snprintf(group, sizeof group, "%.*s", (int)n, at);
        if (!metric_is_in_group(metric, group))
            fail_msg("%s is not in %s", metric->name, group);
        at += n;
    }
}

static void expect_published(const struct armpmu_core *core, size_t i)
{
    const struct armpmu_metric *const metric = metric_named(core, published[i].name);

    if (metric == NULL)
        fail_msg("%s has no %s", core->name, published[i].name);
    assert_string_equal(metric->unit, published[i].unit);
    expect_groups(metric, published[i].groups);
    for (unsigned round = 0; round < 20; round++) {
        double ours, theirs;
        assert_true(metric_value(core, metric, count_of, &round, &ours));
        assert_int_equal(formula_real(published[i].formula, count_of_name, &round, &theirs, NULL),
                         ARMPMU_OK);
        if (fabs(ours - theirs) > 1e-9 * fabs(theirs))
            fail_msg("%s of %s is %.9g, by Arm's formula %.9g", metric->name, core->name, ours,
                     theirs);
    }
}

TEST(neoverse_has_what_arm_published)
{
    for (size_t c = 0; c < N_CORES; c++) {
        unsigned n = 0;
        for (size_t i = 0; i < N_PUBLISHED; i++)
            if (strchr(published[i].cores, cores[c].letter) != NULL &&
                strstr(published[i].formula, "SVE_") == NULL &&
                strstr(published[i].formula, "FP_SCALE_") == NULL) {
                expect_published(armpmu_core_find(cores[c].name), i);
                n++;
            }
        assert_int_equal(n, cores[c].n_published);
    }
}

/* Level 1 of top-down shares out all slots, where each slot is one of the two stalls or used. */
static bool count_of_slots(void *user, const struct armpmu_event *event, double *count)
{
    static const struct {
        const char *name;
        double count;
    } counts[] = {{"CPU_CYCLES", 1000},        {"STALL_SLOT", 1200}, {"STALL_SLOT_FRONTEND", 700},
                  {"STALL_SLOT_BACKEND", 500}, {"OP_RETIRED", 3000}, {"OP_SPEC", 3800},
                  {"BR_MIS_PRED", 25}};

    (void)user;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (strcmp(event->name, counts[i].name) == 0) {
            *count = counts[i].count;
            return true;
        }
    return false;
}

TEST(topdown_adds_up_to_all_slots)
{
    static const char *const names[] = {"frontend_bound", "backend_bound", "retiring",
                                        "bad_speculation"};

    for (size_t c = 1; c < N_CORES; c++) {
        const struct armpmu_core *const core = armpmu_core_find(cores[c].name);
        double sum = 0;
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            double share;
            assert_true(
                metric_value(core, metric_named(core, names[i]), count_of_slots, NULL, &share));
            sum += share;
        }
        assert_true(fabs(sum - 100) < 1e-9);
    }
    assert_null(metric_named(armpmu_core_find("neoverse-n1"), "retiring"));
}

static bool count_some(void *user, const struct armpmu_event *event, double *count)
{
    *count = strcmp(event->name, "INST_RETIRED") == 0 ? 10 : 0;
    return strcmp(event->name, user) != 0;
}

TEST(no_value_without_counts)
{
    const struct armpmu_core *const core = armpmu_core_find("neoverse-v1");
    double value;

    assert_true(metric_value(core, metric_named(core, "l1d_cache_mpki"), count_some, "", &value));
    assert_true(value == 0);
    assert_false(metric_value(core, metric_named(core, "l1d_cache_mpki"), count_some,
                              "L1D_CACHE_REFILL", &value)); /* not counted */
    assert_false(metric_value(core, metric_named(core, "ipc"), count_some, "", &value)); /* by 0 */
    assert_false(metric_value(core, metric_named(core, "frontend_bound"), count_some, "BR_MIS_PRED",
                              &value));
}

/* Each metric of each core is made of events that the core counts. */
static void count_event(void *user, const struct armpmu_event *event)
{
    assert_true(event->fidelity != ARMPMU_RESERVED);
    ++*(unsigned *)user;
}

TEST(all_are_made_of_events_that_count)
{
    size_t n_cores;
    const struct armpmu_core *const *const all = armpmu_cores(&n_cores);

    for (size_t c = 0; c < n_cores; c++)
        for (size_t i = 0; i < all[c]->n_metrics; i++) {
            unsigned n = 0;
            double value;
            metric_each_event(all[c], &all[c]->metrics[i], count_event, &n);
            assert_in_range(n, 2, 10);
            assert_true(metric_value(all[c], &all[c]->metrics[i], count_of, &n, &value));
        }
}

TEST(groups_are_found_as_perf_and_arm_spell_them)
{
    const struct armpmu_core *const core = armpmu_core_find("neoverse-v1");
    const struct armpmu_metric *const retiring = metric_named(core, "retiring");

    assert_true(metric_is_in_group(retiring, "TopdownL1"));
    assert_true(metric_is_in_group(retiring, "Topdown_L1"));
    assert_true(metric_is_in_group(retiring, "topdown"));
    assert_false(metric_is_in_group(retiring, "topdown_l"));
    assert_false(metric_is_in_group(retiring, "topdown_l11"));
    assert_false(metric_is_in_group(retiring, ""));
    assert_false(metric_is_in_group(retiring, "topdown;Topdown_L1"));
}

/* Which snapshots a device takes: its own, undamaged, of an equal configuration. */
#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "operation.h"

struct subject {
    union armpmu_memory memory, snapshot;
    struct armpmu *pmu;
};

static void make(struct subject *s, const struct armpmu_config *config)
{
    struct armpmu_error error = {""};

    if (armpmu_create(&s->memory, sizeof s->memory, config, &s->pmu, &error) != ARMPMU_OK)
        fail_msg("%s", error.message);
    armpmu_snapshot(s->pmu, &s->snapshot);
}

static bool takes(struct subject *s, const void *snapshot, size_t bytes)
{
    struct armpmu_error error = {""};
    const bool taken = armpmu_restore(s->pmu, snapshot, bytes, &error) == ARMPMU_OK;

    assert_int_equal(taken, error.message[0] == '\0');
    assert_int_equal(armpmu_restore(s->pmu, snapshot, bytes, NULL) == ARMPMU_OK, taken);
    return taken;
}

TEST(a_core_takes_no_snapshot_of_another)
{
    size_t count;
    const struct armpmu_core *const *const cores = armpmu_cores(&count);
    struct subject *const subjects = calloc(count, sizeof *subjects);

    assert_non_null(subjects);
    for (size_t i = 0; i < count; i++) {
        const struct armpmu_config config = {.core = cores[i]->name};

        make(&subjects[i], &config);
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            assert_int_equal(
                takes(&subjects[i], &subjects[j].snapshot, armpmu_snapshot_bytes(subjects[j].pmu)),
                i == j);
    free(subjects);
}

static void check_configs(const struct armpmu_config *first, const struct armpmu_config *others,
                          unsigned n)
{
    static struct subject one, other;

    make(&one, first);
    for (unsigned i = 0; i < n; i++) {
        make(&other, &others[i]);
        if (takes(&one, &other.snapshot, armpmu_snapshot_bytes(other.pmu)) ||
            takes(&other, &one.snapshot, armpmu_snapshot_bytes(one.pmu)))
            fail_msg("configuration %u is taken for the first", i);
        make(&other, first);
        assert_true(takes(&one, &other.snapshot, armpmu_snapshot_bytes(other.pmu)));
    }
}

TEST(a_device_takes_no_snapshot_of_another_configuration)
{
    const struct armpmu_config first = {.core = "amuv1", .amu = {.v1p1 = true, .group1_map = 6}};
    struct armpmu_config others[16];
    unsigned n = 0;

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        others[i] = first;
    others[n++].amu.v1p1 = false;
    others[0].amu.group1_map = 0;
    others[0].amu.group1_counters = 2;
    others[n++].amu.group1_map = 5;
    others[n++].amu.group1_offsets = 2;
    others[n++].amu.group1_fixed = 1;
    others[n++].amu.group1_events[1] = 0x300;
    others[n++].amu.group1_events[15] = 0x300;
    others[n++].amu.group1_events[0] = 1;
    others[n++].amu.highest_el = 2;
    others[n++].amu.without_el2 = true;
    others[n++].amu.without_fine_traps = true;
    others[n++].amu.layout64 = true;
    others[n++].amu.always_powered = true;
    others[n++].amu.external_control = 1;
    others[n++].amu.implementer_id = 0x43b;
    others[n++].amu.affinity = 1;
    others[n++].amu.part = 1;
    assert_int_equal(n, sizeof others / sizeof others[0]);

    check_configs(&first, others, n);
}

TEST(a_pmuv3_takes_no_snapshot_of_another_configuration)
{
    const struct armpmu_config first = {.core = "neoverse-n2"};
    struct armpmu_config others[8];
    unsigned n = 0;

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        others[i] = first;
    others[n++].pmuv3.version = 7;
    others[n++].pmuv3.counters = 5;
    others[n++].pmuv3.highest_el = 2;
    others[n++].pmuv3.without_el2 = true;
    others[n++].pmuv3.without_secure_el2 = true;
    others[n++].pmuv3.without_fine_traps = true;
    others[n++].pmuv3.always_powered = true;
    others[n++].pmuv3.affinity = 1;
    assert_int_equal(n, sizeof others / sizeof others[0]);
    check_configs(&first, others, n);
}

TEST(a_device_with_the_erratum_is_another)
{
    const struct armpmu_config later = {.core = "xscale1"};
    const struct armpmu_config early = {.core = "xscale1", .flag_erratum = true};
    static struct subject one, other;

    make(&one, &later);
    make(&other, &early);
    assert_false(takes(&one, &other.snapshot, armpmu_snapshot_bytes(other.pmu)));
}

TEST(a_device_takes_no_damaged_snapshot_and_stays_as_it_is)
{
    static struct maker maker;
    static struct subject s;
    static union armpmu_memory damaged, before, after;

    maker_start(&maker, armpmu_core_find("cortex-r4f"), 7);
    make(&s, &maker.config);
    for (unsigned i = 0; i < 200; i++) {
        const struct operation next = maker_next(&maker);

        operation_run(s.pmu, &next);
    }
    const size_t bytes = armpmu_snapshot_bytes(s.pmu);
    armpmu_snapshot(s.pmu, &before);
    assert_true(bytes <= sizeof before);
    for (size_t at = 0; at < bytes; at++) {
        damaged = before;
        damaged.bytes[at] ^= (unsigned char)(1 + random_below(&maker.random, 255));
        if (takes(&s, &damaged, bytes))
            fail_msg("byte %zu may be damaged", at);
    }
    assert_false(takes(&s, &before, bytes - 1));
    assert_false(takes(&s, &before, bytes + 1));
    assert_false(takes(&s, &before, 0));
    armpmu_snapshot(s.pmu, &after);
    assert_memory_equal(&before, &after, bytes);
    assert_true(takes(&s, &before, bytes));
}

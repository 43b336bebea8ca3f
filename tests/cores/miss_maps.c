/* Maps of misses of random streams: keeping them changes no count, and each adds up to its signal,
 * by time and by set, with and without a profile. */
#include <string.h>

#include "armpmu/profile.h"
#include "../test.h"
#include "model.h"
#include "random_trace.h"

enum { SEEDS = 4, BLOCKS = 2000 };

#define LEVEL_1 (1u << ARMPMU_MISS_L1I | 1u << ARMPMU_MISS_L1D)
#define LEVEL_2 (LEVEL_1 | 1u << ARMPMU_MISS_L2)

static const struct {
    const char *machine;
    unsigned caches;
} machines[] = {
    {"cortex-a8", LEVEL_2},    {"cortex-a8-am335x", LEVEL_2}, {"cortex-a8-plain", LEVEL_2},
    {"neoverse-v1", LEVEL_2},  {"neoverse-n2", LEVEL_2},      {"pxa255", LEVEL_1},
    {"xscale-80200", LEVEL_1}, {"cortex-r4f", LEVEL_1},       {"rm48", 0},
};

static uint64_t sum(const uint64_t *counts, size_t n)
{
    uint64_t total = 0;

    for (size_t i = 0; i < n; i++)
        total += counts[i];
    return total;
}

/* Returns how many misses the map has. */
static uint64_t expect_total(const struct armpmu_miss_map *map, uint64_t want)
{
    const size_t n_cells = (size_t)map->n_rows * ARMPMU_MISS_COLUMNS;

    assert_int_equal(sum(&map->by_time[0][0], n_cells), want);
    assert_int_equal(sum(map->by_set, (size_t)map->n_rows * map->n_sets), want);
    return want;
}

/* Which caches missed at all, as a mask. */
static unsigned expect_maps(const char *machine, struct random_stream *stream,
                            enum armpmu_profile_detail detail, const uint64_t *want)
{
    struct armpmu_error err = {""};
    uint64_t have[ARMPMU_SIGNAL_COUNT];
    struct model model = model_new(machine, random_stream_lookup, stream);
    unsigned missed = 0;

    assert_int_equal(armpmu_sim_set_profile(model.sim, detail, &err), ARMPMU_OK);
    assert_int_equal(armpmu_sim_map_misses(model.sim, &err), ARMPMU_OK);
    model_run(&model, stream->blocks.word, stream->blocks.n);
    armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
    armpmu_sim_signals(model.sim, have);
    assert_memory_equal(have, want, sizeof have);
    for (int cache = 0; cache < ARMPMU_MISS_CACHES; cache++) {
        enum armpmu_signal signal;
        const struct armpmu_miss_map *const map =
            armpmu_sim_miss_map(model.sim, (enum armpmu_miss_cache)cache, &signal);
        if (map != NULL && expect_total(map, have[signal]) != 0)
            missed |= 1u << cache;
    }
    model_free(&model);
    return missed;
}

static void try_machine(const char *machine, unsigned caches)
{
    unsigned missed = 0;

    for (unsigned i = 0; i < 4 * SEEDS; i++) {
        struct random_stream stream;
        uint64_t want[ARMPMU_SIGNAL_COUNT];
        (i & 1 ? random_stream_init_rich : random_stream_init)(&stream, i / 4 + 1, i & 2, BLOCKS);
        model_count(model_new(machine, random_stream_lookup, &stream), stream.blocks.word,
                    stream.blocks.n, want);
        missed |= expect_maps(machine, &stream, ARMPMU_PROFILE_OFF, want);
        missed |= expect_maps(machine, &stream, ARMPMU_PROFILE_PATHS, want);
        random_stream_free(&stream);
    }
    assert_int_equal(missed, caches);
}

TEST(each_map_adds_up)
{
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        try_machine(machines[i].machine, machines[i].caches);
}

static bool no_block(void *user, uint32_t id, struct armpmu_block_source *out)
{
    (void)user;
    (void)id;
    (void)out;
    return false;
}

TEST(no_map_unless_asked_for)
{
    enum armpmu_signal signal;
    struct armpmu_error err = {""};
    struct model model = model_new("cortex-a8", no_block, NULL);

    assert_null(armpmu_sim_miss_map(model.sim, ARMPMU_MISS_L1D, &signal));
    assert_int_equal(signal, ARMPMU_SIGNAL_L1D_REFILL);
    assert_int_equal(armpmu_sim_map_misses(model.sim, &err), ARMPMU_OK);
    struct armpmu_miss_map *const map = armpmu_sim_take_miss_map(model.sim, ARMPMU_MISS_L1D);
    assert_int_equal(map->n_sets, 128);
    assert_null(armpmu_sim_miss_map(model.sim, ARMPMU_MISS_L1D, &signal));
    model_free(&model);
    armpmu_miss_map_free(map);
}

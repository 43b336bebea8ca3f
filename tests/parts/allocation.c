/* Every model whose memory runs out says so and keeps nothing, and releasing twice is fine. */
#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "failing_memory.h"
#include "cores/neoverse/core.h"
#include "parts/cache.h"
#include "parts/tage.h"
#include "parts/page_map48.h"
#include "parts/miss_intervals.h"
#include "parts/branch_predictor.h"
#include "parts/tlb.h"
#include "parts/way_predictor.h"
#include "parts/tag_array.h"

static enum armpmu_status make_cache_of(enum machine_replacement policy, struct armpmu_error *err)
{
    struct cache cache;
    enum armpmu_status status = cache_init(&cache, 4, 2, policy, 0, err);
    if (status != ARMPMU_OK)
        assert_int_equal(failing_memory.n_held, 0);
    cache_free(&cache);
    cache_free(&cache);
    return status;
}

static enum armpmu_status make_cache(struct armpmu_error *err)
{
    return make_cache_of(REPLACEMENT_ROUND_ROBIN, err);
}

static enum armpmu_status make_lru_cache(struct armpmu_error *err)
{
    return make_cache_of(REPLACEMENT_LRU, err);
}

static enum armpmu_status make_random_cache(struct armpmu_error *err)
{
    return make_cache_of(REPLACEMENT_RANDOM, err);
}

static enum armpmu_status make_way_hash(struct armpmu_error *err)
{
    struct way_predictor hash;
    enum armpmu_status status = way_predictor_init(&hash, 4, 2, err);
    if (status != ARMPMU_OK)
        assert_int_equal(failing_memory.n_held, 0);
    way_predictor_free(&hash);
    way_predictor_free(&hash);
    return status;
}

static enum armpmu_status make_tlb(struct armpmu_error *err)
{
    struct tlb tlb;
    enum armpmu_status status = tlb_init(&tlb, 32, REPLACEMENT_LRU, 0, err);
    if (status != ARMPMU_OK)
        assert_int_equal(failing_memory.n_held, 0);
    tlb_free(&tlb);
    tlb_free(&tlb);
    return status;
}

static enum armpmu_status make_predictor(struct armpmu_error *err)
{
    static const struct armpmu_machine machine = {.branch_btb_entries = 8,
                                                  .branch_btb_ways = 2,
                                                  .branch_counters = 16,
                                                  .branch_return_stack = 3};
    struct branch_predictor predictor;
    enum armpmu_status status = branch_predictor_init(&predictor, &machine, err);
    if (status != ARMPMU_OK)
        assert_int_equal(failing_memory.n_held, 0);
    branch_predictor_free(&predictor);
    branch_predictor_free(&predictor);
    return status;
}

static enum armpmu_status make_tag_array(struct armpmu_error *err)
{
    struct tag_array cache;
    enum armpmu_status status = tag_array_init(&cache, 4, 2, REPLACEMENT_LRU, 0, err);
    if (status != ARMPMU_OK)
        assert_int_equal(failing_memory.n_held, 0);
    tag_array_free(&cache);
    tag_array_free(&cache);
    return status;
}

static enum armpmu_status make_miss_intervals(struct armpmu_error *err)
{
    struct miss_intervals intervals;
    enum armpmu_status status = miss_intervals_init(&intervals, 10, err);
    if (status != ARMPMU_OK)
        assert_int_equal(failing_memory.n_held, 0);
    miss_intervals_free(&intervals);
    miss_intervals_free(&intervals);
    return status;
}

static enum armpmu_status make_tage(struct armpmu_error *err)
{
    static const struct armpmu_machine machine = {.branch_btb_entries = 8,
                                                  .branch_btb_ways = 2,
                                                  .branch_return_stack = 3,
                                                  .branch_base_counters = 16,
                                                  .branch_table_entries = 64,
                                                  .branch_history_branches = 8,
                                                  .branch_indirect_entries = 4};
    struct tage tage;
    enum armpmu_status status = tage_init(&tage, &machine, err);
    if (status != ARMPMU_OK)
        assert_int_equal(failing_memory.n_held, 0);
    tage_free(&tage);
    tage_free(&tage);
    return status;
}

/* More pages than the first table holds. A page that was not placed for lack of memory is where it
 * was, and so are those before it. */
static enum armpmu_status place_pages(struct armpmu_error *err)
{
    struct page_map48 frames = {0};
    enum armpmu_status status = ARMPMU_OK;
    uint64_t n_placed = 0;
    while (n_placed < 1000 && status == ARMPMU_OK)
        status = page_map48_place(&frames, 7 * n_placed++, 0x1234);
    if (status != ARMPMU_OK) {
        n_placed--;
        strcpy(err->message, "no memory for a page"); /* of frames the caller says it */
    }
    for (uint64_t page = 0; page < 1000; page++)
        assert_int_equal(page_map48_physical(&frames, 7 * page),
                         page < n_placed ? 0x1234 : 7 * page);
    page_map48_free(&frames);
    return status;
}

static const struct armpmu_machine machine_of_core = {
    .l1i_size_kb = 1,
    .l1i_ways = 2,
    .l1i_line_bytes = 64,
    .l1i_replacement = REPLACEMENT_LRU,
    .l1d_size_kb = 2,
    .l1d_ways = 4,
    .l1d_line_bytes = 64,
    .l1d_replacement = REPLACEMENT_ROUND_ROBIN,
    .l2_size_kb = 3,
    .l2_ways = 3,
    .l2_line_bytes = 64,
    .l2_replacement = REPLACEMENT_LRU,
    .llc_ways = 1,
    .llc_replacement = REPLACEMENT_LRU,
    .itlb_entries = 4,
    .dtlb_entries = 4,
    .l2tlb_entries = 8,
    .l2tlb_ways = 2,
    .l2tlb_replacement = REPLACEMENT_RANDOM,
    .branch_btb_entries = 8,
    .branch_btb_ways = 2,
    .branch_base_counters = 16,
    .branch_table_entries = 64,
    .branch_history_branches = 8,
    .branch_indirect_entries = 4,
    .branch_near_entries = 4,
    .bus_width_bits = 256,
    .dispatch_width = 4,
    .dispatch_queue = 8,
    .window_entries = 16,
    .window_loads = 4,
    .window_stores = 4,
    .window_misses = 2,
    .l2_fill_buffers = 2,
    .memory_page_kb = 4,
    .memory_page_run = 1,
};

static enum armpmu_status make_memory(struct armpmu_error *err)
{
    static struct neoverse_memory memory;
    static struct ooo_timing window;
    uint64_t tally[ARMPMU_SIGNAL_COUNT];
    const enum armpmu_status status = memory_init(&memory, &machine_of_core, &window, tally, err);
    if (status != ARMPMU_OK)
        assert_int_equal(failing_memory.n_held, 0);
    memory_free(&memory);
    memory_free(&memory);
    return status;
}

static enum armpmu_status make_core(struct armpmu_error *err)
{
    struct armpmu_machine machine = machine_of_core;
    struct core *core;

    machine.core = armpmu_core_find("amuv1");
    const enum armpmu_status status = core_new(&core_model_neoverse, &machine, NULL, &core, err);
    if (status != ARMPMU_OK) {
        assert_int_equal(failing_memory.n_held, 0);
        assert_null(core);
    }
    if (strstr(err->message, "cache lines") != NULL)
        assert_true(strcmp(err->message, "no memory for 32 cache lines") == 0 ||
                    strcmp(err->message, "no memory for 48 cache lines") == 0);
    core_free(&core_model_neoverse, core);
    return status;
}

/* Lets the first, then the second ... allocation fail, until none is left to fail. */
static void expect_failures(enum armpmu_status (*make)(struct armpmu_error *), unsigned n_expected)
{
    for (unsigned nth = 0; nth <= n_expected; nth++) {
        struct armpmu_error err = {""};
        failing_memory.left = nth;
        enum armpmu_status status = make(&err);
        failing_memory.left = MEMORY_FOR_ALL;
        assert_int_equal(failing_memory.n_held, 0);
        if (nth == n_expected) {
            assert_int_equal(status, ARMPMU_OK);
        } else {
            assert_int_equal(status, ARMPMU_NO_MEMORY);
            assert_non_null(strstr(err.message, "memory for"));
        }
    }
}

TEST(models_without_memory_say_so_and_keep_nothing)
{
    expect_failures(make_cache, 3);
    expect_failures(make_lru_cache, 3);
    expect_failures(make_random_cache, 2);
    expect_failures(make_way_hash, 1);
    expect_failures(make_tlb, 2);
    expect_failures(make_predictor, 4);
    expect_failures(make_tag_array, 3);
    expect_failures(make_miss_intervals, 1);
    expect_failures(make_tage, 8);
    expect_failures(place_pages, 2);
    expect_failures(make_memory, 25);
    expect_failures(make_core, 40);
}

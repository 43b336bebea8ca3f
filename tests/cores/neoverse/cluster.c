/* Cores that share their last level or their level 2, on random loads and stores in a random order,
 * against the slow model in ../../reference/neoverse/cluster.h: every count of every core. */
#include "cores/neoverse/core.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../test.h"
#include "../../reference/neoverse/cluster.h"
#include "../../reference/pick.h"
#include "../../seeds.h"

#define MACHINES SOURCE_ROOT "/machines"
#define DATA     0x10000000u
#define LINE     64u

/* Pages of data. The last line of each is accessed before anything is compared, so that no page is
 * walked later; those from FLUSHED on fill the shared cache, so that nothing else is in it. */
enum { PAGES = 5, FLUSHED = 3, PAGE_LINES = 4096 / LINE, SPARE = PAGE_LINES - 1 };

struct bench {
    struct armpmu_machine machine;
    struct core *cores[SLOW_CORES];
    uint64_t before[SLOW_CORES][ARMPMU_SIGNAL_COUNT];
    struct slow_cluster slow;
    bool has_victims; /* of the data caches, which are small, in each private level 2 */
    uint64_t seed;
};

static void access_line(struct bench *bench, unsigned core, unsigned line, bool store)
{
    const struct insn insn = {.size = 4,
                              .condition = 14,
                              .operations = 1,
                              .klass = store ? CLASS_STORE : CLASS_LOAD,
                              .reads = REG_X(1),
                              .writes = store ? 0 : REG_X(2),
                              .memory = {.load = !store, .store = store, .bytes = 8, .align = 8}};
    struct block *const block = calloc(1, sizeof *block + sizeof insn);
    struct neoverse *const model = (struct neoverse *)bench->cores[core];
    const struct retired_access access = {DATA + line * LINE, 0, false};

    assert_non_null(block);
    *block = (struct block){.address = 0x400000, .n_bytes = 4, .n_insns = 1, .isa = ARMPMU_A64};
    block->insns[0] = insn;
    void *const defined = neoverse_ops.new_block(model, block);
    assert_non_null(defined);
    const struct retired_block walked = {
        .block = block, .data = defined, .n_executed = 1, .accesses = &access, .n_accesses = 1};
    neoverse_ops.retire_block(model, &walked);
    neoverse_ops.block_exit(model, &walked, EXIT_SEQUENTIAL, block->address + 4);
    neoverse_ops.free_block(model, defined);
    free(block);
}

static void start(struct bench *bench, unsigned ways, unsigned kb)
{
    struct armpmu_machine *loaded;
    struct armpmu_error err = {""};

    assert_int_equal(
        armpmu_machine_load(bench->slow.shares_level2 ? "cortex-a72-plain" : "neoverse-n2-plain",
                            MACHINES, &loaded, &err),
        ARMPMU_OK);
    bench->machine = *loaded;
    armpmu_machine_free(loaded);
    bench->machine.cores_count = bench->slow.n_cores;
    if (bench->has_victims) {
        bench->machine.l2_holds = HOLDS_VICTIMS;
        bench->machine.l1d_size_kb = 4;
    }
    if (bench->slow.shares_level2) {
        bench->machine.l2_size_kb = kb;
        bench->machine.l2_ways = ways;
        bench->machine.l2_replacement = REPLACEMENT_LRU;
    } else {
        bench->machine.llc_size_kb = kb;
        bench->machine.llc_ways = ways;
    }
    bench->slow.ways = ways;
    bench->slow.sets = kb * 1024 / LINE / ways;
    for (unsigned core = 0; core < bench->slow.n_cores; core++) {
        assert_int_equal(
            core_new(&core_model_neoverse, &bench->machine, NULL, &bench->cores[core], &err),
            ARMPMU_OK);
        for (unsigned page = 0; page < PAGES; page++)
            access_line(bench, core, page * PAGE_LINES + SPARE, false);
        if (core > 0)
            assert_int_equal(core_model_neoverse.share(bench->cores[core], bench->cores[0],
                                                       pick(&bench->seed, 1000), &err),
                             ARMPMU_OK);
    }
    for (unsigned line = FLUSHED * PAGE_LINES; line < PAGES * PAGE_LINES; line++) {
        if (line % PAGE_LINES == SPARE)
            continue;
        access_line(bench, 0, line, false);
        slow_cluster_access(&bench->slow, 0, line, false);
    }
    memset(bench->slow.counts, 0, sizeof bench->slow.counts);
    for (unsigned core = 0; core < bench->slow.n_cores; core++)
        core_model_neoverse.signals(bench->cores[core], bench->before[core]);
}

struct row {
    enum armpmu_signal signal;
    uint64_t count;
};

static void compare_rows(const struct bench *bench, unsigned core, const struct row *rows, size_t n)
{
    uint64_t now[ARMPMU_SIGNAL_COUNT];

    core_model_neoverse.signals(bench->cores[core], now);
    for (size_t i = 0; i < n; i++) {
        const uint64_t counted = now[rows[i].signal] - bench->before[core][rows[i].signal];
        if (counted != rows[i].count)
            fail_msg("seed %" PRIu64 ", core %u, row %zu: %" PRIu64 ", the slow model has %" PRIu64,
                     bench->seed, core, i, counted, rows[i].count);
    }
}

/* A private level 2 and the data cache have a line in turn, as one cache of the slow model. */
static void compare_either(const struct bench *bench, unsigned core)
{
    const struct slow_cluster_counts *const slow = &bench->slow.counts[core];
    const struct row rows[] = {{ARMPMU_SIGNAL_L1D_REFILL_OUTER, slow->shared_misses},
                               {ARMPMU_SIGNAL_L3_READ, slow->shared_reads},
                               {ARMPMU_SIGNAL_L3_MISS, slow->shared_misses},
                               {ARMPMU_SIGNAL_L2_WRITE_BACK, 0},
                               {ARMPMU_SIGNAL_SNOOPED_LINE, 0}};
    uint64_t now[ARMPMU_SIGNAL_COUNT];

    compare_rows(bench, core, rows, sizeof rows / sizeof rows[0]);
    core_model_neoverse.signals(bench->cores[core], now);
    for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
        now[signal] -= bench->before[core][signal];
    assert_int_equal(now[ARMPMU_SIGNAL_L1D_CLEANED] + now[ARMPMU_SIGNAL_L2_CLEANED], slow->cleaned);
    assert_int_equal(now[ARMPMU_SIGNAL_L1D_INVALIDATED] + now[ARMPMU_SIGNAL_L2_INVALIDATED],
                     slow->invalidated);
}

static void compare(const struct bench *bench, unsigned core)
{
    const struct slow_cluster_counts *const slow = &bench->slow.counts[core];
    const struct row common[] = {{ARMPMU_SIGNAL_L1D_READ_REFILL, slow->load_refills},
                                 {ARMPMU_SIGNAL_L1D_WRITE_REFILL, slow->store_refills},
                                 {ARMPMU_SIGNAL_L1D_REFILL_OUTER, slow->shared_misses},
                                 {ARMPMU_SIGNAL_L1D_CLEANED, slow->cleaned},
                                 {ARMPMU_SIGNAL_L1D_INVALIDATED, slow->invalidated}};
    const struct row of_llc[] = {{ARMPMU_SIGNAL_L3_READ, slow->shared_reads},
                                 {ARMPMU_SIGNAL_L3_MISS, slow->shared_misses},
                                 {ARMPMU_SIGNAL_L2_CLEANED, slow->cleaned},
                                 {ARMPMU_SIGNAL_L2_INVALIDATED, slow->invalidated},
                                 {ARMPMU_SIGNAL_SNOOPED_LINE, 0}};
    const struct row of_level2[] = {{ARMPMU_SIGNAL_L2_ACCESS, slow->shared_reads},
                                    {ARMPMU_SIGNAL_L2_MISS, slow->shared_misses},
                                    {ARMPMU_SIGNAL_SNOOPED_LINE, slow->snooped},
                                    {ARMPMU_SIGNAL_L1D_WRITE_BACK, slow->level1_write_backs},
                                    {ARMPMU_SIGNAL_L2_WRITE_BACK, slow->level2_write_backs},
                                    {ARMPMU_SIGNAL_L2_CLEANED, 0},
                                    {ARMPMU_SIGNAL_L2_INVALIDATED, 0}};

    if (bench->has_victims) {
        compare_either(bench, core);
        return;
    }
    compare_rows(bench, core, common, sizeof common / sizeof common[0]);
    if (bench->slow.shares_level2)
        compare_rows(bench, core, of_level2, sizeof of_level2 / sizeof of_level2[0]);
    else
        compare_rows(bench, core, of_llc, sizeof of_llc / sizeof of_llc[0]);
}

/* n_lines: of each page, of those that are accessed. */
static void run(struct bench *bench, unsigned n_lines, unsigned n_accesses)
{
    for (unsigned i = 0; i < n_accesses; i++) {
        const unsigned core = pick(&bench->seed, bench->slow.n_cores);
        const unsigned line =
            pick(&bench->seed, FLUSHED) * PAGE_LINES + pick(&bench->seed, n_lines);
        const bool store = pick(&bench->seed, 3) == 0;
        access_line(bench, core, line, store);
        slow_cluster_access(&bench->slow, core, line, store);
        compare(bench, core);
    }
    for (unsigned core = 0; core < bench->slow.n_cores; core++)
        compare(bench, core);
}

/* Returns the counts of the first core, summed over random machines and accesses. */
static struct slow_cluster_counts run_seeds(bool shares_level2, bool has_victims)
{
    struct slow_cluster_counts sum = {0};

    for (uint64_t seed = 1; seed <= seeds_of(120); seed++) {
        struct bench bench = {
            .seed = seed, .slow.shares_level2 = shares_level2, .has_victims = has_victims};
        bench.slow.n_cores = 2 + (unsigned)seed % 3;
        start(&bench, seed & 1 ? 4 : 2, seed & 2 ? 4 : 2);
        run(&bench, 1 + pick(&bench.seed, SPARE), 1500);
        sum.cleaned += bench.slow.counts[0].cleaned;
        sum.invalidated += bench.slow.counts[0].invalidated;
        sum.shared_misses += bench.slow.counts[0].shared_misses;
        sum.snooped += bench.slow.counts[0].snooped;
        sum.level2_write_backs += bench.slow.counts[0].level2_write_backs;
        for (unsigned core = 0; core < bench.slow.n_cores; core++)
            core_free(&core_model_neoverse, bench.cores[core]);
    }
    return sum;
}

TEST(a_shared_last_level_counts_as_the_slow_model)
{
    const struct slow_cluster_counts sum = run_seeds(false, false);

    assert_true(sum.cleaned > 100 && sum.invalidated > 100 && sum.shared_misses > 100);
}

TEST(a_shared_last_level_and_victims_in_level2_count_as_the_slow_model)
{
    const struct slow_cluster_counts sum = run_seeds(false, true);

    assert_true(sum.cleaned > 100 && sum.invalidated > 100 && sum.shared_misses > 100);
}

TEST(a_shared_level2_counts_as_the_slow_model)
{
    const struct slow_cluster_counts sum = run_seeds(true, false);

    assert_true(sum.cleaned > 100 && sum.invalidated > 100 && sum.shared_misses > 100);
    assert_true(sum.snooped > 100 && sum.level2_write_backs > 100);
}

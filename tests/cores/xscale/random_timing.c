/* The XScale model against a second opinion on random ways through random programs, on many
 * machines: every signal, and the clock. */
#include "../../test.h"
#include "../model.h"
#include "../../reference/xscale/timing.h"

enum { SEEDS = 12, BLOCKS = 4000 };

/* Each is a base and what differs from it. */
static const struct {
    const char *base, *change;
} machines[] = {
    {"pxa270", ""},
    {"xscale-80200", ""},
    /* small, so that everything is thrown out again */
    {"pxa255", "[l1i]\nsize_kb = 1\nways = 2\n[l1d]\nsize_kb = 1\nways = 2\nwrite_allocate = yes\n"
               "[itlb]\nentries = 2\n[dtlb]\nentries = 3\n[issue]\nmultiply_class = 1\n"
               "[branch]\nmispredict_cycles = 1\n"},
    {"xscale-80200",
     "[l1i]\nsize_kb = 2\nways = 4\nreplacement = lru\n[l1d]\nsize_kb = 2\nways = 4\n"
     "replacement = lru\nwrite_back = no\n[product]\necc = yes\nrequests = 2\n"
     "[write_buffer]\nentries = 2\ndrain_cycles = 9\n[issue]\nmultiply_class = 3\n"
     "[dtlb]\nreplacement = lru\nentries = 4\n[itlb]\nentries = 3\n"},
    {"xscale-80200",
     "[l1d]\nsize_kb = 4\nways = 8\nwrite_allocate = yes\nwrite_back = no\n"
     "[product]\necc = yes\nrequests = 1\n[write_buffer]\nentries = 1\ncoalesce = no\n"
     "[fill_buffer]\nentries = 1\n[pend_buffer]\nentries = 1\n[memory]\nlatency_cycles = 20\n"
     "[mini_data]\nfirst_mb = 4\nsize_mb = 1\n[dtlb]\nentries = 1\n[itlb]\nentries = 1\n"},
    {"pxa270",
     "[fill_buffer]\nentries = 2\n[pend_buffer]\nentries = 3\n[bus]\nwidth_bits = 64\n"
     "beat_cycles = 9\n[l1d]\nsize_kb = 1\nways = 32\nreplacement = lru\nwrite_allocate = yes\n"
     "[write_buffer]\nentries = 3\ndrain_cycles = 60\n[branch]\nprediction = no\n"
     "[l1i]\nsize_kb = 1\nways = 1\n[memory]\nlatency_cycles = 0\n[walk]\nlevels = 1\n"
     "[itlb]\nreplacement = lru\nentries = 4\n[dtlb]\nentries = 5\n"},
    /* stores go to lines just cast out; the mini data cache is for the megabyte before the data */
    {"xscale-80200",
     "[l1d]\nsize_kb = 1\nways = 2\n[write_buffer]\nentries = 6\ndrain_cycles = 90\n"
     "[mini_data]\nfirst_mb = 3\nsize_mb = 1\n"},
    {"ixp425", "[l1d]\nsize_kb = 1\nways = 1\nwrite_allocate = yes\n[bus]\nwidth_bits = 256\n"
               "beat_cycles = 1\n[fill_buffer]\nentries = 3\n[pend_buffer]\nentries = 2\n"
               "[memory]\nlatency_cycles = 7\n[issue]\nswap_cycles = 9\nsystem_write_cycles = 5\n"
               "system_read_latency = 8\n[branch]\nmispredict_cycles = 7\n[dtlb]\nentries = "
               "3\nreplacement = lru\n"},
};

static struct armpmu_machine *machine_of(size_t i)
{
    return model_machine("timed", machines[i].base, "%s", machines[i].change);
}

static void run_model(size_t i, struct way *way, const struct way_words *records, uint64_t *signals)
{
    model_count(model_of(machine_of(i), way_lookup, way), records->word, records->n, signals);
}

static void compare(const uint64_t *have, const uint64_t *want, size_t machine, uint64_t seed,
                    bool in_blocks)
{
    for (int i = 0; i < ARMPMU_SIGNAL_COUNT; i++)
        if (!is_cycle_account(i) && have[i] != want[i])
            fail_msg("machine %d, seed %d, blocks %d: %s is %lld, one at a time it is %lld",
                     (int)machine, (int)seed, in_blocks, armpmu_signal_name((enum armpmu_signal)i),
                     (long long)have[i], (long long)want[i]);
}

/* A comparison of nothing with nothing shows nothing. */
static void expect_all(const uint64_t *seen)
{
    static const enum armpmu_signal signals[] = {
        ARMPMU_SIGNAL_INST_RETIRED,
        ARMPMU_SIGNAL_PC_WRITE,
        ARMPMU_SIGNAL_L1I_REFILL,
        ARMPMU_SIGNAL_ITLB_WALK,
        ARMPMU_SIGNAL_DTLB_WALK,
        ARMPMU_SIGNAL_CPU_CYCLES,
        ARMPMU_SIGNAL_DATA_DEPENDENCY_STALL,
        ARMPMU_SIGNAL_FETCH_STALL,
        ARMPMU_SIGNAL_DIRECT_BRANCH,
        ARMPMU_SIGNAL_DIRECT_BRANCH_MISPREDICT,
        ARMPMU_SIGNAL_DATA_BUFFER_STALL,
        ARMPMU_SIGNAL_DATA_BUFFER_STALL_RUN,
        ARMPMU_SIGNAL_L1D_WORD_ACCESS,
        ARMPMU_SIGNAL_L1D_WORD_MISS,
        ARMPMU_SIGNAL_PRODUCT_INPUT0,
        ARMPMU_SIGNAL_L1D_HALF_LINE_WRITE_BACK,
        ARMPMU_SIGNAL_PRODUCT_INPUT1,
        ARMPMU_SIGNAL_PRODUCT_INPUT2,
        ARMPMU_SIGNAL_PRODUCT_INPUT6,
    };
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (seen[signals[i]] < 1000)
            fail_msg("%s is %d over all", armpmu_signal_name(signals[i]), (int)seen[signals[i]]);
}

TEST(the_model_keeps_time)
{
    struct way *way = malloc(sizeof *way);
    uint64_t seen[ARMPMU_SIGNAL_COUNT] = {0};
    assert_non_null(way);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        way_init(way, seed, BLOCKS);
        for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
            uint64_t want[ARMPMU_SIGNAL_COUNT], have[ARMPMU_SIGNAL_COUNT];
            struct armpmu_machine *machine = machine_of(i);
            slow_xscale_time(machine, way, want);
            run_model(i, way, &way->blocks, have);
            compare(have, want, i, seed, true);
            run_model(i, way, &way->single, have);
            compare(have, want, i, seed, false);
            for (int signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
                seen[signal] += want[signal];
            armpmu_machine_free(machine);
        }
    }
    free(way);
    expect_all(seen);
}

/* Places that a replay of armpmu whatif cures: all code of random programs, for each cure. What a
 * cure prevents does not happen, everything that does not depend on it counts the same, and a place
 * that no code is in changes nothing. */
#include <string.h>

#include "machine/machine.h"
#include "../test.h"
#include "model.h"
#include "random_trace.h"

enum { BLOCKS = 3000, SEEDS = 6 };

static const struct cure_range everywhere = {0, UINT64_MAX}, nowhere = {8, 8};

static struct cures cures_of(enum cure kind, uint32_t turns, const struct cure_range *range)
{
    return (struct cures){.kind = kind, .turns = turns, .ranges = range, .n_ranges = 1};
}

static void count(const char *machine, const struct cures *cures, const char *keys, uint64_t seed,
                  uint64_t *signals)
{
    struct random_stream stream;
    struct armpmu_machine *const made = model_machine("cured", machine, "%s", keys);

    made->cures = cures;
    random_stream_init(&stream, seed, false, BLOCKS);
    model_count(model_of(made, random_stream_lookup, &stream), stream.blocks.word, stream.blocks.n,
                signals);
    random_stream_free(&stream);
}

static void expect_same(const uint64_t *have, const uint64_t *want, const char *what)
{
    for (int signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
        if (have[signal] != want[signal] && signal != ARMPMU_SIGNAL_CURED_CYCLES)
            fail_msg("%s: %s is %lld, want %lld", what,
                     armpmu_signal_name((enum armpmu_signal)signal), (long long)have[signal],
                     (long long)want[signal]);
}

static const char *const machines[] = {"neoverse-n1", "cortex-a53", "cortex-a8", "cortex-r4f",
                                       "xscale-80200"};

#define EACH(machine, seed)                                                                        \
    for (size_t at = 0; at < sizeof machines / sizeof machines[0]; at++)                           \
        for (uint64_t seed = 1; seed <= SEEDS; seed++)

static bool can(size_t machine, enum cure kind)
{
    return machine < 2 || kind == CURE_BRANCH || kind == CURE_LEVEL1 ||
           (machine == 2 && (kind == CURE_LEVEL2 || kind == CURE_TLB || kind == CURE_STORES));
}

TEST(a_place_without_code_changes_nothing)
{
    uint64_t cured[ARMPMU_SIGNAL_COUNT], plain[ARMPMU_SIGNAL_COUNT];

    EACH(machine, seed)
    {
        count(machines[at], NULL, "", seed, plain);
        assert_int_equal(plain[ARMPMU_SIGNAL_CURED_CYCLES], 0);
        for (enum cure kind = 0; kind < CURES; kind++) {
            struct cures cures = cures_of(kind, 16, &nowhere);
            for (unsigned turn = 0; turn < 2; turn++, cures.of_data = true) {
                count(machines[at], &cures, "", seed, cured);
                expect_same(cured, plain, machines[at]);
                assert_int_equal(cured[ARMPMU_SIGNAL_CURED_CYCLES], 0);
            }
        }
    }
}

/* The same mechanism with two names. */
TEST(all_branches_are_a_perfect_predictor)
{
    const struct cures cures = cures_of(CURE_BRANCH, 0, &everywhere);
    uint64_t cured[ARMPMU_SIGNAL_COUNT], perfect[ARMPMU_SIGNAL_COUNT];

    EACH(machine, seed)
    {
        count(machines[at], &cures, "", seed, cured);
        count(machines[at], NULL, "[branch]\nperfect = yes\n", seed, perfect);
        expect_same(cured, perfect, machines[at]);
        assert_int_equal(cured[ARMPMU_SIGNAL_BRANCH_FLUSH], 0);
        assert_int_equal(cured[ARMPMU_SIGNAL_DIRECT_BRANCH_MISPREDICT], 0);
    }
}

TEST(cycles_of_all_code_are_those_of_the_run)
{
    uint64_t cured[ARMPMU_SIGNAL_COUNT];

    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        for (enum cure kind = 0; kind < CURES; kind++) {
            const struct cures cures = cures_of(kind, 16, &everywhere);
            count("neoverse-n1", &cures, "", seed, cured);
            assert_int_equal(cured[ARMPMU_SIGNAL_CURED_CYCLES], cured[ARMPMU_SIGNAL_CPU_CYCLES]);
        }
}

/* Of each cure a signal that is 0 then, and was not. */
TEST(what_is_cured_does_not_happen)
{
    static const struct {
        enum cure kind;
        enum armpmu_signal none;
    } cases[] = {
        {CURE_LEVEL1, ARMPMU_SIGNAL_L1D_REFILL},       {CURE_LEVEL1, ARMPMU_SIGNAL_L1D_WORD_MISS},
        {CURE_TLB, ARMPMU_SIGNAL_DTLB_WALK},           {CURE_CODE, ARMPMU_SIGNAL_L1I_REFILL},
        {CURE_STORES, ARMPMU_SIGNAL_L1D_WRITE_REFILL}, {CURE_BRANCH, ARMPMU_SIGNAL_BRANCH_FLUSH},
    };
    uint64_t cured[ARMPMU_SIGNAL_COUNT], plain[ARMPMU_SIGNAL_COUNT];

    EACH(machine, seed)
    {
        count(machines[at], NULL, "", seed, plain);
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            const struct cures cures = cures_of(cases[i].kind, 0, &everywhere);
            if (!can(at, cases[i].kind))
                continue;
            count(machines[at], &cures, "", seed, cured);
            /* A store of the Cortex-R4F leaves the store buffer when its line may be gone again. */
            assert_true(cured[cases[i].none] <=
                        (at == 3 && cases[i].kind == CURE_LEVEL1 ? plain[cases[i].none] / 100 : 0));
            assert_true(plain[cases[i].none] != 0 || at >= 2 ||
                        cases[i].none == ARMPMU_SIGNAL_L1D_WORD_MISS);
            assert_int_equal(cured[ARMPMU_SIGNAL_INST_RETIRED], plain[ARMPMU_SIGNAL_INST_RETIRED]);
            assert_true(cured[ARMPMU_SIGNAL_CPU_CYCLES] <= plain[ARMPMU_SIGNAL_CPU_CYCLES]);
            assert_true(cases[i].kind != CURE_LEVEL1 || /* all machines have some that miss */
                        cured[ARMPMU_SIGNAL_CPU_CYCLES] < plain[ARMPMU_SIGNAL_CPU_CYCLES]);
        }
    }
}

/* Level 1 saves at least as much as level 2, which saves something. */
TEST(level_2_is_between)
{
    const struct cures level1 = cures_of(CURE_LEVEL1, 0, &everywhere),
                       level2 = cures_of(CURE_LEVEL2, 0, &everywhere);
    uint64_t counts[3][ARMPMU_SIGNAL_COUNT];

    (void)state;
    EACH(machine, seed)
    {
        if (!can(at, CURE_LEVEL2))
            continue;
        count(machines[at], NULL, "", seed, counts[0]);
        count(machines[at], &level2, "", seed, counts[1]);
        count(machines[at], &level1, "", seed, counts[2]);
        assert_true(counts[0][ARMPMU_SIGNAL_L2_MISS] > counts[1][ARMPMU_SIGNAL_L2_MISS]);
        for (unsigned i = 1; i < 3; i++)
            assert_true(counts[i][ARMPMU_SIGNAL_CPU_CYCLES] <
                        counts[i - 1][ARMPMU_SIGNAL_CPU_CYCLES]);
    }
}

/* All data is what all code accesses. */
TEST(all_data_is_cured_as_all_code)
{
    static const enum cure kinds[] = {CURE_LEVEL1, CURE_LEVEL2, CURE_CONFLICTS, CURE_TLB};
    uint64_t of_data[ARMPMU_SIGNAL_COUNT], of_code[ARMPMU_SIGNAL_COUNT];

    EACH(machine, seed)
    {
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
            struct cures cures = cures_of(kinds[i], 0, &everywhere);
            count(machines[at], &cures, "", seed, of_code);
            cures.of_data = true;
            count(machines[at], &cures, "", seed, of_data);
            if (can(at, kinds[i]))
                expect_same(of_data, of_code, machines[at]);
        }
    }
}

/* A cache of one set has no conflicts. One of a single way has some: without them it misses no more
 * than that of one set. */
TEST(conflicts_are_what_a_single_set_would_not_miss)
{
    static const char single[] = "[l1d]\nsize_kb = 2\nways = 32\nreplacement = lru\n",
                      direct[] = "[l1d]\nsize_kb = 2\nways = 1\nreplacement = lru\n";
    const struct cures cures = cures_of(CURE_CONFLICTS, 0, &everywhere);
    uint64_t one_set[ARMPMU_SIGNAL_COUNT], plain[ARMPMU_SIGNAL_COUNT], cured[ARMPMU_SIGNAL_COUNT];

    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        count("neoverse-n1", NULL, single, seed, one_set);
        count("neoverse-n1", &cures, single, seed, cured);
        cured[ARMPMU_SIGNAL_CURED_CYCLES] = 0;
        expect_same(cured, one_set, "one set");
        count("neoverse-n1", NULL, direct, seed, plain);
        count("neoverse-n1", &cures, direct, seed, cured);
        assert_true(cured[ARMPMU_SIGNAL_L1D_REFILL] < plain[ARMPMU_SIGNAL_L1D_REFILL]);
        assert_true(cured[ARMPMU_SIGNAL_L1D_REFILL] <= one_set[ARMPMU_SIGNAL_L1D_REFILL]);
    }
}

/* A prefetch for the same turn fetches what the access would, no later; one further ahead is no
 * slower. */
TEST(a_prefetch_saves_with_its_distance)
{
    static const uint32_t turns[] = {1, 4, 16, CURE_TURNS_MAX};
    uint64_t counts[ARMPMU_SIGNAL_COUNT];

    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        count("neoverse-n1", NULL, "", seed, counts);
        const uint64_t before = counts[ARMPMU_SIGNAL_CPU_CYCLES];
        for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
            const struct cures cures = cures_of(CURE_PREFETCH, turns[i], &everywhere);
            count("neoverse-n1", &cures, "", seed, counts);
            assert_true(counts[ARMPMU_SIGNAL_CPU_CYCLES] < before);
        }
    }
}

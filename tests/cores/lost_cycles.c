/* Where cycles go: on in-order cores each cycle is in one account, at any time and in every row of
 * a profile. */
#include <stdlib.h>
#include <string.h>

#include "armpmu/profile.h"
#include "../test.h"
#include "model.h"
#include "random_trace.h"

enum { SEEDS = 12, BLOCKS = 3000 };

static const struct {
    enum armpmu_signal signal;
} accounts[] = {
#define GROUP(depth, name, meaning)
#define LEAF(depth, name, signal) {ARMPMU_SIGNAL_##signal},
#include "armpmu/topdown.def"
#undef LEAF
#undef GROUP
};

#define N_ACCOUNTS (sizeof accounts / sizeof accounts[0])

static uint64_t sum_of(const uint64_t *signals)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < N_ACCOUNTS; i++)
        sum += signals[accounts[i].signal];
    return sum;
}

static void print_accounts(const uint64_t *signals)
{
    for (size_t i = 0; i < N_ACCOUNTS; i++)
        print_message("%-24s %lld\n", armpmu_signal_name(accounts[i].signal),
                      (long long)signals[accounts[i].signal]);
}

/* Of the out-of-order core cycles are told up to the latest dispatch; instructions retire later. */
static bool adds_up(const char *machine, uint64_t sum, uint64_t cycles)
{
    const uint64_t after = strncmp(machine, "neoverse", 8) == 0 ? 2000 : 0;
    return sum <= cycles && cycles - sum <= after;
}

static void check(const char *machine, uint64_t seed, const uint64_t *signals)
{
    const uint64_t sum = sum_of(signals), cycles = signals[ARMPMU_SIGNAL_CPU_CYCLES];
    if (adds_up(machine, sum, cycles))
        return;
    print_accounts(signals);
    fail_msg("%s, seed %d: %lld cycles, %lld in accounts", machine, (int)seed, (long long)cycles,
             (long long)sum);
}

static size_t next_block(const struct records *records, size_t at)
{
    while (at < records->n && armpmu_record_kind(records->word[at]) != ARMPMU_RECORD_BLOCK)
        at++;
    return at < records->n ? at : records->n;
}

static void run(const char *machine, const char *keys, uint64_t seed, bool system, bool profile,
                uint64_t *seen)
{
    struct random_stream stream;
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
    struct armpmu_error err;
    random_stream_init_rich(&stream, seed, system, BLOCKS);
    struct model model =
        model_of(model_machine("lost-cycles", machine, "%s", keys), random_stream_lookup, &stream);
    if (profile)
        assert_int_equal(armpmu_sim_set_profile(model.sim, ARMPMU_PROFILE_INSNS, &err), ARMPMU_OK);
    for (size_t at = 0, end = 0; at < stream.blocks.n; at = end) {
        end = next_block(&stream.blocks, at + stream.blocks.n / 5);
        model_run(&model, stream.blocks.word + at, end - at);
        armpmu_sim_signals(model.sim, signals);
        check(machine, seed, signals);
    }
    armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
    armpmu_sim_signals(model.sim, signals);
    check(machine, seed, signals);
    for (size_t i = 0; i < N_ACCOUNTS; i++)
        seen[i] += signals[accounts[i].signal];
    model_free(&model);
    random_stream_free(&stream);
}

#define IN_ORDER "ISSUE_DISPATCH WRONG_PATH STALL_BACKEND_WINDOW STALL_BACKEND_LOAD MEMORY_STALL "
#define NO_TCM   "STALL_FRONTEND_TCM STALL_BACKEND_TCM"
#define ONLY_XSCALE                                                                                \
    IN_ORDER NO_TCM " ISSUE_PAIR STALL_FRONTEND_FLOW STALL_FRONTEND_L1I NEON_QUEUE_STALL "         \
                    "NEON_TRANSFER_STALL STALL_BACKEND_L1D STALL_BACKEND_ST STALL_BACKEND_REPLAY"
#define ONLY_R4F                                                                                   \
    IN_ORDER "STALL_FRONTEND_FLOW STALL_FRONTEND_L1I STALL_FRONTEND_TLB NEON_QUEUE_STALL "         \
             "NEON_TRANSFER_STALL STALL_BACKEND_L1D STALL_BACKEND_TLB DATA_BUFFER_STALL "          \
             "STALL_BACKEND_REPLAY"
#define WITH_TCM                                                                                   \
    "[atcm]\nbase_kb = 64\nsize_kb = 4\nwait_cycles = 2\n"                                         \
    "[btcm]\nbase_kb = 256\nsize_kb = 8\nwait_cycles = 1\n"

/* Names of the accounts that a core has none of, between spaces. */
static void expect_all_but(const char *machine, const uint64_t *seen, const char *none)
{
    for (size_t i = 0; i < N_ACCOUNTS; i++) {
        const char *const name = armpmu_signal_name(accounts[i].signal);
        if ((seen[i] == 0) != (strstr(none, name) != NULL))
            fail_msg("%s: %lld cycles of %s", machine, (long long)seen[i], name);
    }
}

TEST(each_cycle_is_in_one_account)
{
    static const struct {
        const char *machine, *keys, *none;
    } cases[] = {
        {"cortex-a8", "[branch]\ntaken_bubble_cycles = 2\n[neon]\ninstruction_queue = 1\n",
         IN_ORDER NO_TCM " STALL_BACKEND_BUSY DATA_BUFFER_STALL"},
        {"cortex-a8-plain", "[neon]\ninstruction_queue = 1\n",
         IN_ORDER NO_TCM " STALL_BACKEND_BUSY STALL_FRONTEND_FLOW DATA_BUFFER_STALL"},
        {"pxa255", "", ONLY_XSCALE},
        {"xscale-80200", "", ONLY_XSCALE},
        {"cortex-r4f", "", ONLY_R4F " " NO_TCM},
        {"cortex-r4f", WITH_TCM, ONLY_R4F " STALL_FRONTEND_MEM"},
        {"neoverse-v1", "[window]\nentries = 24\nstores = 4\n",
         NO_TCM " ISSUE_PAIR ISSUE_SINGLE ISSUE_STEP STALL_BACKEND_ILOCK STALL_BACKEND_BUSY "
                "NEON_QUEUE_STALL NEON_TRANSFER_STALL STALL_BACKEND_L1D STALL_BACKEND_MEM "
                "STALL_BACKEND_TLB DATA_BUFFER_STALL STALL_BACKEND_REPLAY STALL_BACKEND_DEVICE"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t seen[N_ACCOUNTS] = {0};
        for (uint64_t seed = 1; seed <= SEEDS; seed++)
            run(cases[i].machine, cases[i].keys, seed, seed % 2, seed % 4 > 1, seen);
        expect_all_but(cases[i].machine, seen, cases[i].none);
    }
}

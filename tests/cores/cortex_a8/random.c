/* The Cortex-A8 model against a second opinion on random streams: every signal, the clock
 * included, on machines of all kinds. */
#include "../../seeds.h"
#include "../../test.h"
#include "../model.h"
#include "../random_trace.h"
#include "../../reference/cortex_a8/core.h"

enum { BLOCKS = 3000 };
#define SEEDS seeds_of(30)

static const struct {
    const char *base, *keys;
} machines[] = {
    {"cortex-a8", ""},
    {"cortex-a8-plain", ""},
    /* little of everything, and nothing of level 2 */
    {"cortex-a8", "[l1i]\nsize_kb = 1\nways = 2\nreplacement = round-robin\n"
                  "[l1d]\nsize_kb = 1\nways = 1\nreplacement = round-robin\n[l2]\nsize_kb = 0\n"
                  "[itlb]\nentries = 1\n[dtlb]\nentries = 2\n[store_buffer]\nentries = 1\n"
                  "[neon]\ninstruction_queue = 1\nload_queue = 1\n[branch]\nbtb_entries = 4\n"},
    /* two pages a way, small enough to be cast out of; stores and NEON loads fill */
    {"cortex-a8", "[l1d]\nsize_kb = 16\nways = 1\nwrite_allocate = yes\nneon_allocate = yes\n"
                  "[l2]\nsize_kb = 2\nways = 2\nwrite_allocate = yes\nfill_buffers = "
                  "1\n[dtlb]\nentries = 5\nreplacement = lru\n"
                  "[itlb]\nentries = 3\nreplacement = lru\n"
                  "[branch]\ntaken_bubble_cycles = 2\n[bus]\nwidth_bits = 128\n"},
    {"cortex-a8", "[l1d]\nsize_kb = 2\nwrite_allocate = yes\n[way_hash]\nreplay_cycles = 3\n"
                  "[l2]\nsize_kb = 4\nreplacement = round-robin\n"
                  "[bus]\nbeat_cycles = 40\nwrite_beat_cycles = 30\noverlaps_writes = yes\n"
                  "[memory]\nturnaround_cycles = 50\n"
                  "[issue]\nwidth = 1\n[walk]\nlevels = 1\n[itlb]\nreplacement = random\n"
                  "[branch]\nprediction = no\n"},
    {"cortex-a8-plain",
     "[l1d]\nsize_kb = 4\n[l2]\nsize_kb = 8\nwrite_allocate = yes\n"
     "[neon]\nstore_cycles = 0\n[store_buffer]\nentries = 3\ndrain_cycles = 40\nfull_cycles = 30\n"
     "[memory]\nturnaround_cycles = 20\n[dtlb]\nentries = 3\n[walk]\nlevels = 4\n"
     "[l1i]\nfetch_bytes = 16\n[bus]\nwidth_bits = 128\n"},
    {"cortex-a8",
     "[branch]\nperfect = yes\nbtb_entries = 4\nreturn_stack = 1\ntaken_bubble_cycles = 1\n"},
};

/* A system's pages move behind a branch before it is known where that went, which the two do not
 * tell in the same order: there the wrong path is not fetched. */
static struct armpmu_machine *machine_of(size_t i, bool system)
{
    static const unsigned wrong_path_fetches[] = {6, 0, 1, 12};
    return model_machine("random", machines[i].base, "%s[branch]\nwrong_path_fetches = %u\n",
                         machines[i].keys, system ? 0 : wrong_path_fetches[i % 4]);
}

static void compare(size_t i, struct random_stream *stream, bool in_blocks)
{
    uint64_t have[ARMPMU_SIGNAL_COUNT], want[ARMPMU_SIGNAL_COUNT];
    const struct records *records = in_blocks ? &stream->blocks : &stream->insns;
    struct armpmu_machine *machine = machine_of(i, stream->system);
    slow_cortex_a8(machine, random_stream_lookup, stream, records->word, records->n, want);
    model_count(model_of(machine, random_stream_lookup, stream), records->word, records->n, have);
    for (int signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++) {
        if (!is_cycle_account(signal) && have[signal] != want[signal])
            fail_msg("machine %d, seed %d, system %d, in blocks %d: %s is %lld, want %lld", (int)i,
                     (int)stream->seed, stream->system, in_blocks,
                     armpmu_signal_name((enum armpmu_signal)signal), (long long)have[signal],
                     (long long)want[signal]);
    }
}

static void compare_all(bool system)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct random_stream stream;
        random_stream_init_rich(&stream, seed, system, BLOCKS);
        for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
            compare(i, &stream, true);
            compare(i, &stream, false);
        }
        random_stream_free(&stream);
    }
}

TEST(a_program_counts_the_same_one_thing_at_a_time)
{
    compare_all(false);
}

TEST(a_system_counts_the_same_one_thing_at_a_time)
{
    compare_all(true);
}

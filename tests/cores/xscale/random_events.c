/* The XScale model against a second opinion on random streams, to the event. */
#include "../../test.h"
#include "../model.h"
#include "../../reference/xscale/events.h"

enum { SEEDS = 25, BLOCKS = 4000 };

/* slow_memory: else lines and records come at once, so that nothing is ever on its way. */
static struct armpmu_machine *machine_of(const struct slow_geometry *geometry, bool slow_memory)
{
    return model_machine(
        "slow", "xscale-80200",
        "[l1i]\nsize_kb = %u\nways = %u\n"
        "[l1d]\nsize_kb = %u\nways = %u\nwrite_allocate = %s\nwrite_back = %s\n"
        "[itlb]\nentries = %u\n[dtlb]\nentries = %u\n[write_buffer]\ncoalesce = no\n%s",
        geometry->l1i_kb, geometry->l1i_ways, geometry->l1d_kb, geometry->l1d_ways,
        geometry->write_allocate ? "yes" : "no", geometry->write_back ? "yes" : "no",
        geometry->itlb, geometry->dtlb,
        slow_memory ? "" : "[memory]\nlatency_cycles = 0\n[bus]\nwidth_bits = 256\n");
}

static void compare(const uint64_t *signals, const struct slow_counts *slow, bool slow_memory,
                    uint64_t seed)
{
    const struct {
        enum armpmu_signal signal;
        uint64_t want;
        bool depends_on_time;
    } rows[] = {
        {ARMPMU_SIGNAL_INST_RETIRED, slow->insns, false},
        {ARMPMU_SIGNAL_L1I_REFILL, slow->l1i_misses, false},
        {ARMPMU_SIGNAL_ITLB_WALK, slow->itlb_misses, false},
        {ARMPMU_SIGNAL_DTLB_WALK, slow->dtlb_misses, false},
        {ARMPMU_SIGNAL_DIRECT_BRANCH, slow->branches, false},
        {ARMPMU_SIGNAL_DIRECT_BRANCH_MISPREDICT, slow->mispredicts, false},
        {ARMPMU_SIGNAL_L1D_WORD_ACCESS, slow->accesses, false},
        {ARMPMU_SIGNAL_L1D_HALF_LINE_WRITE_BACK, slow->half_lines, false},
        {ARMPMU_SIGNAL_PRODUCT_INPUT0, slow->requests, false},
        {ARMPMU_SIGNAL_L1D_WORD_MISS, slow->misses, true}, /* on its way: a miss */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint64_t have = signals[rows[i].signal];
        const bool right =
            slow_memory && rows[i].depends_on_time ? have >= rows[i].want : have == rows[i].want;
        if (!right)
            fail_msg("seed %d, slow memory %d: %s is %d, the lists say %d", (int)seed, slow_memory,
                     armpmu_signal_name(rows[i].signal), (int)have, (int)rows[i].want);
    }
}

TEST(structures_agree_with_plain_lists)
{
    static const struct slow_geometry geometries[] = {
        {32, 32, 32, 32, 32, 32, false, true}, /* the core's */
        {1, 2, 2, 4, 1, 4, false, true},       {1, 32, 1, 32, 1, 1, true, true},
        {1, 4, 4, 32, 2, 8, true, true},       {1, 1, 1, 1, 1, 2, true, false},
        {1, 8, 2, 16, 1, 3, false, false},
    };
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct random_stream stream;
        uint64_t signals[ARMPMU_SIGNAL_COUNT];
        random_stream_init(&stream, seed, false, BLOCKS);
        for (size_t i = 0; i < sizeof geometries / sizeof geometries[0]; i++) {
            const struct slow_counts slow = slow_xscale(&stream, &geometries[i]);
            for (int slow_memory = 0; slow_memory < 2; slow_memory++) {
                const struct records *records = slow_memory ? &stream.blocks : &stream.insns;
                model_count(model_of(machine_of(&geometries[i], slow_memory), random_stream_lookup,
                                     &stream),
                            records->word, records->n, signals);
                compare(signals, &slow, slow_memory, seed);
            }
            assert_true(slow.misses > 100 && slow.mispredicts > 100 && slow.insns > BLOCKS);
        }
        random_stream_free(&stream);
    }
}

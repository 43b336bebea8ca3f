/* Random ways through random programs: told in other blocks they count the same, and what is taken
 * now and then adds up. */
#include <stdio.h>
#include <string.h>

#include "../reference/trace/counting.h"
#include "../seeds.h"
#include "../test.h"
#include "model.h"
#include "random_trace.h"

enum { BLOCKS = 4000 };
#define SEEDS seeds_of(60)

/* In the Cortex-R4F model too, where a block may have two lines: when its data is asked for
 * differs, not what is. */
static bool depends_on_time(enum armpmu_signal signal)
{
    return signal == ARMPMU_SIGNAL_CPU_CYCLES || signal == ARMPMU_SIGNAL_LSU_BUSY_STALL ||
           signal == ARMPMU_SIGNAL_STORE_BUFFER_STALL || signal == ARMPMU_SIGNAL_STORE_QUEUE_STALL;
}

/* In the Cortex-A8 model the instruction fetches of a block come before its data: what depends on
 * the order in which the two reach level 2 may differ. */
static bool depends_on_order(const char *machine, enum armpmu_signal signal)
{
    if (strncmp(machine, "cortex-r4f", 10) == 0)
        return depends_on_time(signal) || is_cycle_account(signal);
    if (strncmp(machine, "cortex-a8", 9) != 0)
        return false;
    if (is_cycle_account(signal))
        return true;
    switch (signal) {
    case ARMPMU_SIGNAL_L2_ACCESS:
    case ARMPMU_SIGNAL_L2_MISS:
    case ARMPMU_SIGNAL_BUS_READ_BEAT:
    case ARMPMU_SIGNAL_BUS_WRITE_BEAT:
    case ARMPMU_SIGNAL_NEON_L2_ACCESS:
    case ARMPMU_SIGNAL_NEON_L2_HIT:
    case ARMPMU_SIGNAL_REPLAY:
    case ARMPMU_SIGNAL_STORE_MERGED:
    case ARMPMU_SIGNAL_STORE_BUFFER_FULL:
    case ARMPMU_SIGNAL_ISSUE_EMPTY:
    case ARMPMU_SIGNAL_CPU_CYCLES:
    case ARMPMU_SIGNAL_NEON_TRANSFER_STALL: /* this and the next two by what a miss costs */
    case ARMPMU_SIGNAL_NEON_QUEUE_STALL:
    case ARMPMU_SIGNAL_NEON_BUSY:
        return true;
    default:
        return false;
    }
}

static void count_whole(struct random_stream *stream, const struct records *records,
                        const uint64_t *signals)
{
    struct counting *counting = counting_new(random_stream_lookup, stream);
    char where[64];
    snprintf(where, sizeof where, "seed %d, system %d", (int)stream->seed, stream->system);
    counting_run(counting, records->word, records->n);
    counting_finish(counting, ARMPMU_END_EXIT);
    counting_expect(counting, signals, where);
    counting_free(counting);
}

static struct model begin(const char *machine, struct random_stream *stream, unsigned off)
{
    struct model model = model_new(machine, random_stream_lookup, stream);
    const uint64_t control = armpmu_system_record(ARMPMU_SYSTEM_CONTROL, off);
    if (off != 0)
        model_run(&model, &control, 1);
    return model;
}

/* off: ARMPMU_CONTROL_ bits. */
static void run_whole(const char *machine, struct random_stream *stream,
                      const struct records *records, unsigned off, uint64_t *signals)
{
    struct model model = begin(machine, stream, off);
    model_run(&model, records->word, records->n);
    armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
    armpmu_sim_signals(model.sim, signals);
    model_free(&model);
}

static void compare_forms(const char *machine, uint64_t seed, bool system)
{
    struct random_stream stream;
    uint64_t in_blocks[ARMPMU_SIGNAL_COUNT], in_insns[ARMPMU_SIGNAL_COUNT];
    random_stream_init(&stream, seed, system, BLOCKS);
    run_whole(machine, &stream, &stream.blocks, 0, in_blocks);
    run_whole(machine, &stream, &stream.insns, 0, in_insns);
    if (strncmp(machine, "cortex-a8", 9) == 0) {
        count_whole(&stream, &stream.blocks, in_blocks);
        count_whole(&stream, &stream.insns, in_insns);
    }
    for (int signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++) {
        if (!depends_on_order(machine, (enum armpmu_signal)signal) &&
            in_blocks[signal] != in_insns[signal])
            fail_msg("%s, seed %d, system %d: %s is %llu in blocks, %llu in instructions", machine,
                     (int)seed, system, armpmu_signal_name((enum armpmu_signal)signal),
                     (unsigned long long)in_blocks[signal], (unsigned long long)in_insns[signal]);
    }
    assert_true(in_blocks[ARMPMU_SIGNAL_EXCEPTION_TAKEN] > (system ? 100 : 10));
    assert_true(in_blocks[ARMPMU_SIGNAL_L1D_REFILL] + in_blocks[ARMPMU_SIGNAL_L1D_WORD_MISS] > 100);
    random_stream_free(&stream);
}

TEST(a_stream_counts_the_same_one_instruction_a_block)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        compare_forms("cortex-a8", seed, true);
        compare_forms("cortex-a8-plain", seed, true);
        compare_forms("cortex-a8", seed, false);
        compare_forms("cortex-r4f", seed, true);
        compare_forms("cortex-r4f", seed, false);
        compare_forms("pxa255", seed, true);
        compare_forms("xscale-80200", seed, false);
    }
}

/* ---- takes ---- */

/* Whether a call may end before the word: it is not about the last block's inside. */
static bool may_begin(uint64_t word)
{
    switch (armpmu_record_kind(word)) {
    case ARMPMU_RECORD_BLOCK:
    case ARMPMU_RECORD_MAP:
    case ARMPMU_RECORD_TLB_FLUSH:
    case ARMPMU_RECORD_MMU:
        return true;
    case ARMPMU_RECORD_EXCEPTION:
        return armpmu_record_index(word) == ARMPMU_RECORD_ALL;
    default:
        return false;
    }
}

static size_t next_cut(const struct records *records, size_t from, uint64_t *random)
{
    *random = *random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    size_t at = from + 1 + (*random >> 33) % ((*random >> 40) % 8 == 0 ? 2000 : 20);
    while (at < records->n && !may_begin(records->word[at]))
        at++;
    return at < records->n ? at : records->n;
}

static void expect_same(const uint64_t *have, const uint64_t *want, uint64_t seed, size_t at)
{
    for (int signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++) {
        if (have[signal] != want[signal])
            fail_msg("seed %d, %s: %llu taken, %llu counted up to word %d", (int)seed,
                     armpmu_signal_name((enum armpmu_signal)signal),
                     (unsigned long long)have[signal], (unsigned long long)want[signal], (int)at);
    }
}

/* A counter that gets what is taken must not run backwards. */
static void add(uint64_t *sum, const uint64_t *delta, const char *machine, uint64_t seed, size_t at)
{
    for (int signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++) {
        if (delta[signal] > UINT32_MAX)
            fail_msg("%s, seed %d, %s: rose by %lld up to word %d", machine, (int)seed,
                     armpmu_signal_name((enum armpmu_signal)signal), (long long)delta[signal],
                     (int)at);
        sum[signal] += delta[signal];
    }
}

static void take_in_pieces(const char *machine, uint64_t seed, bool system, unsigned off)
{
    struct random_stream stream;
    uint64_t whole[ARMPMU_SIGNAL_COUNT], now[ARMPMU_SIGNAL_COUNT], sum[ARMPMU_SIGNAL_COUNT] = {0};
    uint64_t random = seed;
    random_stream_init(&stream, seed, system, BLOCKS);
    const struct records *records = &stream.blocks;
    run_whole(machine, &stream, records, off, whole);
    struct model model = begin(machine, &stream, off);
    for (size_t at = 0; at < records->n;) {
        const size_t end = next_cut(records, at, &random);
        uint64_t delta[ARMPMU_SIGNAL_COUNT] = {0};
        model_run(&model, records->word + at, end - at);
        armpmu_sim_read_delta(model.sim, delta);
        armpmu_sim_signals(model.sim, now);
        add(sum, delta, machine, seed, end);
        expect_same(sum, now, seed, end);
        at = end;
    }
    armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
    armpmu_sim_read_delta(model.sim, sum); /* adds */
    expect_same(sum, whole, seed, records->n);
    model_free(&model);
    random_stream_free(&stream);
}

TEST(takes_add_up_wherever_they_are)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        take_in_pieces("cortex-a8", seed, true, 0);
        take_in_pieces("cortex-a8-plain", seed, true, 0);
        take_in_pieces("cortex-a8", seed, false, 0);
        take_in_pieces("cortex-r4f", seed, false, 0);
        take_in_pieces("neoverse-v1-plain", seed, false, 0);
        take_in_pieces("pxa270", seed, false, 0);
    }
}

TEST(takes_add_up_with_caches_off)
{
    static const char *const machines[] = {"cortex-a8", "cortex-a8-plain", "cortex-r4f", "pxa270"};
    static const unsigned off[] = {ARMPMU_CONTROL_NO_CODE_CACHE, ARMPMU_CONTROL_NO_DATA_CACHE,
                                   ARMPMU_CONTROL_NO_CODE_CACHE | ARMPMU_CONTROL_NO_DATA_CACHE |
                                       ARMPMU_CONTROL_NO_PREDICTION};
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        for (unsigned machine = 0; machine < sizeof machines / sizeof machines[0]; machine++)
            take_in_pieces(machines[machine], seed, true, off[seed % 3]);
}

/* A block that is settled and then cut short by an exception has been told as a whole: of a system,
 * blocks of one instruction, which are not. */
static void count_in_pieces(uint64_t seed, bool system)
{
    struct random_stream stream;
    uint64_t whole[ARMPMU_SIGNAL_COUNT], random = seed;
    random_stream_init(&stream, seed, system, BLOCKS);
    const struct records *records = system ? &stream.insns : &stream.blocks;
    run_whole("cortex-a8-plain", &stream, records, 0, whole);
    struct counting *counting = counting_new(random_stream_lookup, &stream);
    for (size_t at = 0; at < records->n;) {
        const size_t end = next_cut(records, at, &random);
        counting_run(counting, records->word + at, end - at);
        counting_signals(counting); /* settles */
        at = end;
    }
    counting_finish(counting, ARMPMU_END_EXIT);
    counting_expect(counting, whole, "in pieces");
    counting_free(counting);
    random_stream_free(&stream);
}

TEST(a_walk_may_be_settled_anywhere)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        count_in_pieces(seed, true);
        count_in_pieces(seed, false);
    }
}

/* ---- intervals ---- */

static void note_interval(void *user, uint64_t interval)
{
    uint64_t *passed = user;
    *passed = interval;
}

/* Of one instruction each: as many pass as retire. */
static void pass_intervals(const char *machine, uint64_t seed, bool system)
{
    struct random_stream stream;
    if (seed % 2 == 0)
        random_stream_init_rich(&stream, seed, system, BLOCKS);
    else
        random_stream_init(&stream, seed, system, BLOCKS);
    for (int in_blocks = 0; in_blocks < 2; in_blocks++) {
        const struct records *records = in_blocks ? &stream.blocks : &stream.insns;
        struct model model = model_new(machine, random_stream_lookup, &stream);
        uint64_t passed = 0;
        armpmu_sim_set_interval(model.sim, ARMPMU_SIGNAL_INST_RETIRED, 1, note_interval, &passed);
        model_run(&model, records->word, records->n);
        armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
        const uint64_t retired = model_signal(&model, ARMPMU_SIGNAL_INST_RETIRED);
        if (passed != retired)
            fail_msg("%s, seed %d, system %d, in blocks %d: %llu intervals, %llu retired", machine,
                     (int)seed, system, in_blocks, (unsigned long long)passed,
                     (unsigned long long)retired);
        model_free(&model);
    }
    random_stream_free(&stream);
}

TEST(intervals_pass_as_instructions_retire)
{
    for (uint64_t seed = 1; seed <= SEEDS / 4; seed++) {
        for (int system = 0; system < 2; system++) {
            pass_intervals("cortex-a8-plain", seed, system);
            pass_intervals("cortex-r4f", seed, system);
            pass_intervals("neoverse-v1-plain", seed, system);
        }
    }
}

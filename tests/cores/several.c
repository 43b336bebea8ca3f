/* One model of several machines counts what a model of each does, on random programs. */
#include <string.h>

#include "../seeds.h"
#include "cores/several.h"
#include "machine/machine.h"
#include "../test.h"
#include "model.h"
#include "random_trace.h"

enum { BLOCKS = 3000 };
#define SEEDS seeds_of(12)

/* What decides what happens in the front: of a Cortex-A8 as boards have it; with caches that are
 * small, allocate for all and remember what was used; without a way predictor, with small TLBs; and
 * without a level 2. */
static const char *const fronts[] = {
    "",
    "[l1d]\nsize_kb = 1\nreplacement = lru\nwrite_allocate = yes\nneon_allocate = yes\n"
    "[dtlb]\nreplacement = lru\n[l1i]\nsize_kb = 1\n",
    "[way_hash]\nenabled = no\n[l1d]\nsize_kb = 2\nways = 2\nneon_allocate = yes\n"
    "[itlb]\nentries = 4\n[dtlb]\nentries = 4\n",
    "[l2]\nsize_kb = 0\n[l1d]\nsize_kb = 1\n",
};

static const struct {
    const char *name, *sections;
} backs[] = {
    {"usual", ""},
    {"small-l2", "[l2]\nsize_kb = 4\n"},
    {"lru-l2", "[l2]\nsize_kb = 2\nways = 2\nreplacement = lru\nwrite_allocate = yes\n"
               "hit_cycles = 21\nfetch_hit_cycles = 2\n"},
    {"near", "[memory]\nminimum_cycles = 3\nlatency_cycles = 0\n[clock]\nmhz = 100\n"},
    {"far", "[memory]\nlatency_cycles = 400\n[bus]\nbeat_cycles = 40\nwidth_bits = 32\n"
            "[l2]\nsize_kb = 8\n"},
    {"overlaps", "[bus]\noverlaps_writes = yes\nwrite_beat_cycles = 30\n"
                 "[memory]\nturnaround_cycles = 20\n"
                 "[l2]\nfill_buffers = 1\nsize_kb = 1\n"},
    {"one-store", "[store_buffer]\nentries = 1\ndrain_cycles = 40\nfull_cycles = 9\n"
                  "[walk]\nlevels = 1\ncycles = 90\n"},
};

enum { N_BACKS = sizeof backs / sizeof backs[0] };

static void expect_same(const struct armpmu_machine *machine, uint64_t seed, const uint64_t *have,
                        const uint64_t *want)
{
    for (int signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
        if (have[signal] != want[signal])
            fail_msg("%s, seed %d, %s: %llu of several machines, %llu alone",
                     armpmu_machine_name(machine), (int)seed,
                     armpmu_signal_name((enum armpmu_signal)signal),
                     (unsigned long long)have[signal], (unsigned long long)want[signal]);
}

/* The next block some records after one. */
static size_t next_block(const struct records *records, size_t at)
{
    const size_t least = at + 1 + at % 97;

    while (at < records->n &&
           (at < least || armpmu_record_kind(records->word[at]) != ARMPMU_RECORD_BLOCK))
        at += armpmu_record_kind(records->word[at]) == ARMPMU_RECORD_BURST ? 2 : 1;
    return at;
}

/* In parts: after each the counts of all machines are read, which no count may depend on. */
static void feed(struct model *model, const struct records *records, size_t n_machines)
{
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
    size_t end;

    for (size_t at = 0; at < records->n; at = end) {
        end = next_block(records, at);
        model_run(model, records->word + at, end - at);
        for (size_t i = 0; i < n_machines; i++)
            sim_signals_of(model->sim, i, signals);
    }
    armpmu_sim_finish(model->sim, ARMPMU_END_EXIT);
}

/* Those that say nothing of what the front fixes. */
static size_t load_machines(const char *front, struct armpmu_machine **machines)
{
    size_t n = 0;

    for (size_t i = 0; i < N_BACKS; i++)
        if (strstr(front, "[l2]") == NULL || strstr(backs[i].sections, "[l2]") == NULL)
            machines[n++] =
                model_machine(backs[i].name, "cortex-a8", "%s%s", front, backs[i].sections);
    return n;
}

static struct model model_of_several(struct armpmu_machine **machines, size_t n,
                                     struct random_stream *stream)
{
    struct model several = model_of(machines[0], random_stream_lookup, stream);
    struct armpmu_error err = {""};

    for (size_t i = 1; i < n; i++) {
        assert_true(sim_can_add(machines[0], machines[i]));
        assert_int_equal(sim_add_machine(several.sim, machines[i], &err), ARMPMU_OK);
    }
    return several;
}

/* Returns the cycles of the machine. */
static uint64_t compare_one(struct armpmu_machine *machine, armpmu_block_lookup lookup,
                            struct random_stream *stream, const uint64_t *together)
{
    struct model one = model_of(machine, lookup, stream);
    uint64_t alone[ARMPMU_SIGNAL_COUNT];

    model_run(&one, stream->blocks.word, stream->blocks.n);
    armpmu_sim_finish(one.sim, ARMPMU_END_EXIT);
    armpmu_sim_signals(one.sim, alone);
    expect_same(machine, stream->seed, together, alone);
    armpmu_sim_free(one.sim);
    armpmu_code_free(one.code);
    return alone[ARMPMU_SIGNAL_CPU_CYCLES];
}

static void compare(const char *front, uint64_t seed, bool rich)
{
    struct armpmu_machine *machines[N_BACKS];
    uint64_t together[ARMPMU_SIGNAL_COUNT], least = UINT64_MAX, most = 0;
    struct random_stream stream;

    (rich ? random_stream_init_rich : random_stream_init)(&stream, seed, false, BLOCKS);
    const size_t n = load_machines(front, machines);
    struct model several = model_of_several(machines, n, &stream);
    feed(&several, &stream.blocks, n);
    for (size_t i = 0; i < n; i++) {
        sim_signals_of(several.sim, i, together);
        const uint64_t cycles = compare_one(machines[i], random_stream_lookup, &stream, together);
        least = cycles < least ? cycles : least;
        most = cycles > most ? cycles : most;
    }
    assert_true(most > least + least / 8); /* they do differ */
    model_free(&several);
    for (size_t i = 1; i < n; i++)
        armpmu_machine_free(machines[i]);
    random_stream_free(&stream);
}

TEST(each_machine_counts_what_it_does_alone)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        for (size_t i = 0; i < sizeof fronts / sizeof fronts[0]; i++) {
            compare(fronts[i], seed, false);
            compare(fronts[i], seed, true);
        }
}

/* Two blocks in turns: vmul.f32 s0, s0, s0; vmov r0, s0. Then add r0, r0, #1; b to the first. */
static bool transfers_lookup(void *user, uint32_t id, struct armpmu_block_source *out)
{
    static const uint32_t code[2][2] = {{0xee200a00, 0xee100a10}, {0xe2800001, 0xeafffffb}};
    (void)user;
    *out = (struct armpmu_block_source){.address = 0x1000 + 8 * id,
                                        .bytes = (const uint8_t *)code[id & 1],
                                        .n_bytes = sizeof code[0],
                                        .n_insns = 2,
                                        .isa = ARMPMU_A32};
    return id < 2;
}

/* The block after a move from NEON waits for it, on each machine, though it has no instruction of
 * NEON: the multiplication's result comes later than the addition could issue, every time. */
TEST(a_block_without_vectors_waits_for_those_before)
{
    struct armpmu_machine *const far =
        model_machine("far", "cortex-a8", "[memory]\nlatency_cycles = 400\n");
    uint64_t together[ARMPMU_SIGNAL_COUNT];
    struct random_stream stream = {.seed = 0};
    struct armpmu_error err = {""};
    uint64_t words[2000];

    stream.blocks = (struct records){.word = words, .n = 2000};
    for (size_t i = 0; i < stream.blocks.n; i++)
        words[i] = BLOCK(i % 2);
    struct model several = model_new("cortex-a8", transfers_lookup, NULL);
    assert_int_equal(sim_add_machine(several.sim, far, &err), ARMPMU_OK);
    model_run(&several, words, stream.blocks.n);
    armpmu_sim_finish(several.sim, ARMPMU_END_EXIT);
    sim_signals_of(several.sim, 1, together);
    assert_true(together[ARMPMU_SIGNAL_NEON_TRANSFER_STALL] > 1000);
    (void)compare_one(far, transfers_lookup, &stream, together);
    model_free(&several);
    armpmu_machine_free(far);
}

static void expect_apart(const char *base, const char *sections)
{
    struct armpmu_machine *const one = model_machine("one", base, "[clock]\nmhz = 100\n");
    struct armpmu_machine *const other = model_machine("other", base, "%s", sections);

    assert_true(sim_can_add(one, one) == (strcmp(base, "cortex-a8") == 0));
    assert_false(sim_can_add(one, other));
    armpmu_machine_free(one);
    armpmu_machine_free(other);
}

TEST(what_the_front_reads_must_be_the_same)
{
    expect_apart("cortex-a8", "[l1d]\nsize_kb = 16\n");
    expect_apart("cortex-a8", "[l2]\nsize_kb = 0\n");
    expect_apart("cortex-a8", "[random]\nseed = 2\n");
    expect_apart("cortex-a8", "[branch]\nmispredict_cycles = 12\n");
    expect_apart("cortex-a8", "[memory]\npage_map = identity\n");
    expect_apart("cortex-a8", "[neon]\nload_queue = 3\n");
    expect_apart("neoverse-n1", "[clock]\nmhz = 100\n");
}

TEST(a_system_is_refused)
{
    struct armpmu_machine *const other =
        model_machine("other", "cortex-a8", "[l2]\nsize_kb = 512\n");
    struct armpmu_error err = {""};
    struct random_stream stream;

    random_stream_init(&stream, 1, true, 200);
    struct model several = model_new("cortex-a8", random_stream_lookup, &stream);
    assert_int_equal(sim_add_machine(several.sim, other, &err), ARMPMU_OK);
    assert_int_equal(armpmu_sim_run(several.sim, stream.blocks.word, stream.blocks.n, &err),
                     ARMPMU_BAD_INPUT);
    assert_non_null(strstr(err.message, "one machine at a time"));
    model_free(&several);
    armpmu_machine_free(other);
    random_stream_free(&stream);
}

/* Core models that forget blocks, and engines that name them anew, on random streams: nothing they
 * count changes, whenever it happens. */
#include <stdio.h>
#include <string.h>

#include "../seeds.h"
#include "../test.h"
#include "model.h"
#include "random_trace.h"

enum { BLOCKS = 2000, IDS = 2 * STREAM_INSNS };
#define SEEDS seeds_of(3)

static const char *const machines[] = {"cortex-a8",         "cortex-a8-plain", "cortex-r4f",
                                       "tms570ls",          "pxa255",          "xscale-80200",
                                       "neoverse-v1-plain", "neoverse-n2"};
enum { MACHINES_TRIED = sizeof machines / sizeof machines[0] };

/* A stream whose engine names block n (n + moved) % IDS. */
struct renamed {
    struct random_stream *stream;
    uint32_t moved;
    unsigned lookups;
};

static bool look_up(void *user, uint32_t id, struct armpmu_block_source *out)
{
    struct renamed *renamed = user;
    uint8_t bytes[4 * STREAM_LINE_INSNS]; /* nobody may look at them later */
    static uint8_t kept[2][sizeof bytes];
    static unsigned turn;
    renamed->lookups++;
    if (!random_stream_lookup(renamed->stream, (id + IDS - renamed->moved) % IDS, out))
        return false;
    uint8_t *const here = kept[turn++ % 2];
    memcpy(here, out->bytes, out->n_bytes);
    memset(kept[turn % 2], 0xff, sizeof bytes);
    out->bytes = here;
    return true;
}

static uint32_t next(uint64_t *random)
{
    *random = *random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(*random >> 33);
}

/* Whether a call may end before the word: it is not about the last block's inside. */
static bool may_begin(uint64_t word)
{
    return armpmu_record_kind(word) == ARMPMU_RECORD_BLOCK;
}

static size_t next_cut(const struct records *records, size_t from, uint64_t *random)
{
    size_t at = from + 1 + next(random) % (next(random) % 8 == 0 ? 2000 : 20);
    while (at < records->n && !may_begin(records->word[at]))
        at++;
    return at < records->n ? at : records->n;
}

static void run_renamed(struct armpmu_sim *sim, const uint64_t *records, size_t n, uint32_t moved)
{
    struct armpmu_error err = {""};
    uint64_t *named = malloc(n * sizeof *named);
    bool plain = false; /* the second word of two */
    for (size_t i = 0; i < n; i++) {
        named[i] = records[i];
        if (!plain && armpmu_record_kind(records[i]) == ARMPMU_RECORD_BLOCK)
            named[i] = armpmu_record(ARMPMU_RECORD_BLOCK, 0) | ((uint32_t)records[i] + moved) % IDS;
        plain = !plain && (armpmu_record_kind(records[i]) == ARMPMU_RECORD_BURST ||
                           armpmu_record_kind(records[i]) == ARMPMU_RECORD_MAP64);
    }
    if (armpmu_sim_run(sim, named, n, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
    free(named);
}

static unsigned count_whole(const char *machine, struct random_stream *stream,
                            const struct records *records, uint64_t *signals)
{
    struct renamed renamed = {.stream = stream};
    model_count(model_new(machine, look_up, &renamed), records->word, records->n, signals);
    return renamed.lookups;
}

static void expect_same(const char *machine, const struct random_stream *stream, const char *how,
                        const uint64_t *have, const uint64_t *want)
{
    for (int signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
        if (have[signal] != want[signal])
            fail_msg("%s, seed %d, system %d, %s: %s is %llu, should be %llu", machine,
                     (int)stream->seed, stream->system, how,
                     armpmu_signal_name((enum armpmu_signal)signal),
                     (unsigned long long)have[signal], (unsigned long long)want[signal]);
}

/* With room for so many bytes from start to end. */
static void bounded(const char *machine, struct random_stream *stream,
                    const struct records *records, size_t limit, const uint64_t *want,
                    unsigned lookups)
{
    struct renamed renamed = {.stream = stream};
    uint64_t have[ARMPMU_SIGNAL_COUNT];
    char how[40];
    struct model model = model_new(machine, look_up, &renamed);
    armpmu_code_limit(model.code, limit);
    model_count(model, records->word, records->n, have);
    snprintf(how, sizeof how, "in %llu bytes", (unsigned long long)limit);
    expect_same(machine, stream, how, have, want);
    if (limit < 8192 && renamed.lookups < 4 * lookups)
        fail_msg("%s, %s: looked up %u times, without a bound %u times", machine, how,
                 renamed.lookups, lookups);
}

/* Room comes and goes, ids are given anew, what was counted is taken now and then; beside it
 * another thread runs the same program. */
static void at_random(const char *machine, struct random_stream *stream,
                      const struct records *records, const uint64_t *want)
{
    struct renamed renamed = {.stream = stream};
    struct armpmu_sim *other;
    struct armpmu_error err = {""};
    uint64_t random = stream->seed, taken[ARMPMU_SIGNAL_COUNT] = {0}, have[ARMPMU_SIGNAL_COUNT];
    struct model model = model_new(machine, look_up, &renamed);
    assert_int_equal(armpmu_sim_new(model.machine, model.code, &other, &err), ARMPMU_OK);
    for (size_t at = 0, end; at < records->n; at = end) {
        end = next_cut(records, at, &random);
        armpmu_code_limit(model.code, next(&random) % 3 == 0 ? next(&random) % 200000 : 1000000);
        run_renamed(model.sim, records->word + at, end - at, renamed.moved);
        if (next(&random) % 3 == 0)
            armpmu_sim_read_delta(model.sim, taken);
        run_renamed(other, records->word + at, end - at, renamed.moved);
        if (next(&random) % 10 != 0)
            continue;
        renamed.moved = next(&random) % IDS;
        armpmu_sim_rename(model.sim);
        armpmu_sim_rename(other);
    }
    armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
    armpmu_sim_read_delta(model.sim, taken);
    expect_same(machine, stream, "at random", taken, want);
    armpmu_sim_finish(other, ARMPMU_END_EXIT);
    armpmu_sim_signals(other, have);
    expect_same(machine, stream, "another thread", have, want);
    armpmu_sim_free(other);
    model_free(&model);
}

static void compare(const char *machine, uint64_t seed, bool system, bool rich)
{
    struct random_stream stream;
    uint64_t want[ARMPMU_SIGNAL_COUNT];
    (rich ? random_stream_init_rich : random_stream_init)(&stream, seed, system, BLOCKS);
    const struct records *records = seed % 4 == 0 ? &stream.insns : &stream.blocks;
    const unsigned lookups = count_whole(machine, &stream, records, want);
    bounded(machine, &stream, records, 0, want, lookups);
    bounded(machine, &stream, records, 4000, want, lookups);
    bounded(machine, &stream, records, 30000, want, lookups);
    at_random(machine, &stream, records, want);
    random_stream_free(&stream);
}

TEST(no_count_depends_on_what_was_forgotten)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        for (int i = 0; i < MACHINES_TRIED; i++)
            for (unsigned kind = 0; kind < 4; kind++)
                compare(machines[i], seed, kind & 1, kind >> 1);
}

/* ---- the bound ---- */

enum { FRESH = 20000 };

/* Block n: two instructions at an address of its own. */
static bool look_up_fresh(void *user, uint32_t id, struct armpmu_block_source *out)
{
    static const uint8_t code[] = {0x01, 0x00, 0x80, 0xe2, 0x00, 0x20, 0x91, 0xe5};
    static const uint8_t code_a64[] = {0x00, 0x04, 0x00, 0x91, 0x22, 0x00, 0x40, 0xf9};
    const bool is_a64 = *(const bool *)user;
    *out = (struct armpmu_block_source){.address = 0x10000 + 8 * (uint64_t)id,
                                        .bytes = is_a64 ? code_a64 : code,
                                        .n_bytes = 8,
                                        .n_insns = 2,
                                        .isa = is_a64 ? ARMPMU_A64 : ARMPMU_A32};
    return true;
}

/* Memory that the process takes, in pages. */
static long pages_taken(void)
{
    long all, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld %ld", &all, &resident), 2);
    fclose(file);
    return resident;
}

TEST(fresh_blocks_take_what_is_allowed)
{
#ifdef __SANITIZE_ADDRESS__
    skip(); /* AddressSanitizer keeps what was freed */
#endif
    for (int i = 0; i < MACHINES_TRIED; i++) {
        bool is_a64 = strncmp(machines[i], "neoverse", 8) == 0;
        struct model model = model_new(machines[i], look_up_fresh, &is_a64);
        long after_first = 0;
        armpmu_code_limit(model.code, 1 << 20);
        for (uint32_t round = 0; round < 40; round++) {
            for (uint32_t n = 0; n < FRESH / 40; n++) {
                const uint32_t id = round * (FRESH / 40) + n;
                const uint64_t records[] = {armpmu_record(ARMPMU_RECORD_BLOCK, 0) | id,
                                            armpmu_record(ARMPMU_RECORD_ACCESS, 1) | 0x100000};
                model_run(&model, records, 2);
            }
            if (round == 9)
                after_first = pages_taken();
        }
        const long more = pages_taken() - after_first;
        if (more > 300) /* of 4 KB: 15000 blocks would take 3000 */
            fail_msg("%s: %ld more pages", machines[i], more);
        model_free(&model);
    }
}

/* A core model whose memory runs out, wherever that is, says so or counts the same, and keeps
 * nothing: what it remembers to be quick it can do without, and the disassembler has a reserve. */
#include <string.h>

#include "armpmu/profile.h"
#include "failing_memory.h"
#include "../test.h"
#include "model.h"
#include "random_trace.h"

enum { BLOCKS = 150, CHUNK = 100 };

/* No count may fall, also after a failure: an engine posts what each has risen by. */
static void read_delta(struct armpmu_sim *sim)
{
    uint64_t delta[ARMPMU_SIGNAL_COUNT] = {0};
    armpmu_sim_read_delta(sim, delta);
    for (int signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
        if (delta[signal] > INT64_MAX)
            fail_msg("%s falls by %lld", armpmu_signal_name(signal), -(long long)delta[signal]);
}

/* The records of some blocks, and where those of the next begin. */
static size_t end_of_chunk(const struct records *records, size_t from)
{
    size_t end = from + CHUNK;
    while (end < records->n && armpmu_record_kind(records->word[end]) != ARMPMU_RECORD_BLOCK)
        end++;
    return end < records->n ? end : records->n;
}

static enum armpmu_status run(struct armpmu_sim *sim, const struct records *records,
                              struct armpmu_error *err)
{
    const uint64_t uncached[] = {MAP_UNCACHED(0x777, 0x778)};
    enum armpmu_status status = ARMPMU_OK;
    for (size_t from = 0, end; status == ARMPMU_OK && from < records->n; from = end) {
        end = end_of_chunk(records, from);
        status = armpmu_sim_run(sim, records->word + from, end - from, err);
        read_delta(sim);
    }
    if (status == ARMPMU_OK)
        status = armpmu_sim_run(sim, uncached, 1, err);
    return status;
}

/* n allocations succeed before one fails. Returns what came of it; signals receives what was
 * counted. */
static enum armpmu_status try(const struct armpmu_machine *machine,
                              enum armpmu_profile_detail profile, struct random_stream *stream,
                              unsigned n, uint64_t *signals, struct armpmu_error *err)
{
    struct armpmu_code *code = NULL;
    struct armpmu_sim *sim = NULL;
    failing_memory.left = n;
    enum armpmu_status status = armpmu_code_new(random_stream_lookup, stream, &code, err);
    if (status == ARMPMU_OK)
        status = armpmu_sim_new(machine, code, &sim, err);
    if (status == ARMPMU_OK)
        status = armpmu_sim_set_profile(sim, profile, err);
    if (status == ARMPMU_OK)
        status = run(sim, &stream->blocks, err);
    if (status == ARMPMU_OK)
        armpmu_sim_signals(sim, signals);
    failing_memory.left = MEMORY_FOR_ALL;
    armpmu_sim_free(sim);
    armpmu_code_free(code);
    return status;
}

static void expect_failures_of(const char *name, enum armpmu_profile_detail profile, bool system,
                               bool once)
{
    uint64_t want[ARMPMU_SIGNAL_COUNT], have[ARMPMU_SIGNAL_COUNT];
    struct armpmu_machine *machine;
    struct armpmu_error err = {""};
    struct random_stream stream;
    failing_memory.fails_on = !once;
    random_stream_init_rich(&stream, 3, system, BLOCKS);
    if (armpmu_machine_load(name, MACHINES, &machine, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
    failing_memory.n_asked = 0;
    assert_int_equal(try(machine, profile, &stream, MEMORY_FOR_ALL, want, &err), ARMPMU_OK);
    const unsigned n_needed = failing_memory.n_asked;
    assert_true(n_needed > 200);
    for (unsigned n = 0; n < n_needed; n++) {
        const int held = failing_memory.n_held;
        err.message[0] = '\0';
        const enum armpmu_status status = try(machine, profile, &stream, n, have, &err);
        if (failing_memory.n_held != held)
            fail_msg("without allocation %u: %d are kept", n, failing_memory.n_held - held);
        if (status == ARMPMU_OK && memcmp(have, want, sizeof want) == 0)
            continue;
        if (status != ARMPMU_NO_MEMORY || strstr(err.message, "memory") == NULL)
            fail_msg("without allocation %u: status %d, \"%s\"", n, (int)status, err.message);
    }
    armpmu_machine_free(machine);
    random_stream_free(&stream);
}

static void expect_failures(const char *name, bool system, bool once)
{
    expect_failures_of(name, ARMPMU_PROFILE_OFF, system, once);
}

TEST(a_cortex_a8_without_memory_says_so_or_counts_the_same)
{
    for (int once = 0; once < 2; once++) {
        expect_failures("cortex-a8", false, once);
        expect_failures("cortex-a8", true, once);
        expect_failures("cortex-a8-plain", true, once);
    }
}

TEST(an_amuv1_core_without_memory_says_so_or_counts_the_same)
{
    for (int once = 0; once < 2; once++) {
        expect_failures("neoverse-v1-plain", false, once);
        expect_failures("neoverse-v1-plain", true, once);
    }
}

TEST(a_cortex_r4f_without_memory_says_so_or_counts_the_same)
{
    for (int once = 0; once < 2; once++)
        expect_failures("cortex-r4f", true, once);
}

TEST(an_xscale_without_memory_says_so_or_counts_the_same)
{
    for (int once = 0; once < 2; once++)
        expect_failures("xscale-80200", true, once);
}

TEST(a_profile_without_memory_says_so_or_counts_the_same)
{
    static const char *const names[] = {"cortex-a8", "neoverse-v1-plain", "cortex-r4f",
                                        "xscale-80200"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        expect_failures_of(names[i], ARMPMU_PROFILE_INSNS, true, false);
}

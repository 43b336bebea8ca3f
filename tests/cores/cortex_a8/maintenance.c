/* Cache and branch predictor maintenance in a system's stream: hand-made streams against what the
 * manual says becomes of the lines. */
#include <string.h>

#include "../../test.h"
#include "../model.h"

#define LDR   UINT32_C(0xe5912000) /* ldr r2, [r1] */
#define STR   UINT32_C(0xe5810000) /* str r0, [r1] */
#define BX_LR UINT32_C(0xe12fff1e)
#define B_A   UINT32_C(0xea00003e) /* b .+0x100 */
#define B_B   UINT32_C(0xeaffffbe) /* b .-0x100 */

enum { READ, WRITE, JUMP, BACK };

static const struct {
    uint32_t address, n_insns, records[2];
} program[] = {
    [READ] = {0x10000, 2, {LDR, BX_LR}},
    [WRITE] = {0x10040, 2, {STR, BX_LR}},
    [JUMP] = {0x11000, 1, {B_A}},
    [BACK] = {0x11100, 1, {B_B}},
};

static bool lookup(void *user, uint32_t id, struct armpmu_block_source *out)
{
    (void)user;
    if (id >= sizeof program / sizeof program[0])
        return false;
    *out = (struct armpmu_block_source){.address = program[id].address,
                                        .bytes = (const uint8_t *)program[id].records,
                                        .n_bytes = program[id].n_insns * 4,
                                        .n_insns = program[id].n_insns,
                                        .isa = ARMPMU_A32};
    return true;
}

#define PAGE  0x40u
#define FRAME 0x7cu
#define DATA  (PAGE << 12 | 0x140)

#define CACHE(bits, operand) (armpmu_system_record(ARMPMU_SYSTEM_CACHE, bits) | (operand))
#define INVALIDATE           ARMPMU_CACHE_INVALIDATE
#define CLEAN                ARMPMU_CACHE_CLEAN
#define ADDRESS              (ARMPMU_CACHE_DATA | ARMPMU_CACHE_ADDRESS)
#define COHERENCY            ARMPMU_CACHE_COHERENCY
#define SET_WAY              (ARMPMU_CACHE_DATA | ARMPMU_CACHE_SET_WAY)

#define LOAD           BLOCK(READ), ACCESS(0, DATA)
#define STORE          BLOCK(WRITE), ACCESS(0, DATA)
#define SIGNAL(name)   model_signal(&model, ARMPMU_SIGNAL_##name)
#define LOADED         MMU(1), MAP(PAGE, FRAME), LOAD
#define DIRTY          LOADED, STORE
#define CAST_OUT_LINES (SIGNAL(L2_ACCESS) - l2_before)

static struct model start(void)
{
    return model_new("cortex-a8-plain", lookup, NULL);
}

/* What one load after the operation counts anew. */
static uint64_t refills_after(uint64_t operation)
{
    struct model model = start();
    FEED(&model, LOADED, LOAD);
    const uint64_t before = SIGNAL(L1D_REFILL);
    assert_int_equal(before, 1);
    FEED(&model, operation, LOAD);
    const uint64_t refills = SIGNAL(L1D_REFILL) - before;
    model_free(&model);
    return refills;
}

TEST(an_invalidated_line_is_refilled)
{
    const struct {
        int line;
        uint64_t operation;
        unsigned refills;
    } cases[] = {
        {__LINE__, CACHE(ADDRESS | INVALIDATE, DATA), 1},
        {__LINE__, CACHE(ADDRESS | INVALIDATE | COHERENCY, DATA + 60), 1},
        {__LINE__, CACHE(ADDRESS | CLEAN | INVALIDATE, DATA), 1},
        {__LINE__, CACHE(ADDRESS | CLEAN, DATA), 0},
        {__LINE__, CACHE(ADDRESS | INVALIDATE, DATA + 64), 0},
        {__LINE__, CACHE(ADDRESS | INVALIDATE, DATA + 0x1000), 0},
        {__LINE__, CACHE(ADDRESS | INVALIDATE, FRAME << 12 | 0x140), 1}, /* its other name */
        {__LINE__, CACHE(ARMPMU_CACHE_DATA | INVALIDATE, 0), 1},
        {__LINE__, CACHE(ARMPMU_CACHE_INSTRUCTION | INVALIDATE, 0), 0},
        {__LINE__, CACHE(SET_WAY | INVALIDATE, 0x140), 1}, /* the first line of a set is way 0 */
        {__LINE__, CACHE(SET_WAY | INVALIDATE, 0x140 | 1u << 30), 0},
        {__LINE__, CACHE(SET_WAY | INVALIDATE, 0x180), 0},
        {__LINE__, CACHE(SET_WAY | INVALIDATE, 0x142), 0}, /* level 2 */
        {__LINE__, CACHE(SET_WAY | INVALIDATE, 0x144), 0}, /* a level that is not there */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (refills_after(cases[i].operation) != cases[i].refills)
            fail_msg("line %d: not %u refills", cases[i].line, cases[i].refills);
}

TEST(level_2_keeps_what_only_level_1_loses)
{
    struct model model = start();
    FEED(&model, LOADED);
    const uint64_t misses = SIGNAL(L2_MISS);
    FEED(&model, CACHE(ADDRESS | INVALIDATE, DATA), LOAD);
    assert_int_equal(SIGNAL(L2_MISS), misses);
    FEED(&model, CACHE(ADDRESS | INVALIDATE | COHERENCY, DATA), LOAD);
    assert_int_equal(SIGNAL(L2_MISS), misses + 1);
    model_free(&model);
}

/* A dirty line goes to level 2 once, and is clean then. */
TEST(cleaning_casts_a_dirty_line_out)
{
    struct model model = start();
    FEED(&model, DIRTY);
    uint64_t l2_before = SIGNAL(L2_ACCESS);
    FEED(&model, CACHE(ADDRESS | CLEAN, DATA));
    assert_int_equal(CAST_OUT_LINES, 1);
    l2_before = SIGNAL(L2_ACCESS);
    FEED(&model, CACHE(ADDRESS | CLEAN, DATA), LOAD);
    assert_int_equal(CAST_OUT_LINES, 0);
    FEED(&model, STORE, STORE, CACHE(ARMPMU_CACHE_DATA | CLEAN, 0), LOAD);
    assert_int_equal(CAST_OUT_LINES, 1); /* it was dirty again */
    assert_int_equal(SIGNAL(L1D_REFILL), 1);
    model_free(&model);
}

TEST(invalidating_alone_loses_what_was_written)
{
    struct model model = start();
    FEED(&model, DIRTY);
    const uint64_t l2_before = SIGNAL(L2_ACCESS), writes = SIGNAL(BUS_WRITE_BEAT);
    FEED(&model, CACHE(ADDRESS | INVALIDATE | COHERENCY, DATA));
    assert_int_equal(CAST_OUT_LINES, 0);
    assert_int_equal(SIGNAL(BUS_WRITE_BEAT), writes);
    FEED(&model, STORE); /* misses, goes to level 2 */
    assert_int_equal(SIGNAL(STORE_TO_L2), 1);
    model_free(&model);
}

TEST(cleaning_to_coherency_reaches_memory)
{
    struct model model = start();
    FEED(&model, DIRTY);
    assert_int_equal(SIGNAL(BUS_WRITE_BEAT), 0);
    FEED(&model, CACHE(ADDRESS | CLEAN | COHERENCY, DATA), LOAD);
    assert_int_equal(SIGNAL(BUS_WRITE_BEAT), 8); /* 64 bytes over a bus of 64 bits */
    FEED(&model, CACHE(ADDRESS | CLEAN | COHERENCY, DATA), LOAD);
    assert_int_equal(SIGNAL(BUS_WRITE_BEAT), 8);
    model_free(&model);
}

TEST(code_is_fetched_again)
{
    const uint64_t operations[] = {
        CACHE(ARMPMU_CACHE_INSTRUCTION | INVALIDATE, 0),
        CACHE(ARMPMU_CACHE_INSTRUCTION | INVALIDATE | ARMPMU_CACHE_ADDRESS, 0x11004),
    };
    for (size_t i = 0; i < 2; i++) {
        struct model model = start();
        FEED(&model, LOADED, BLOCK(JUMP), BLOCK(BACK), BLOCK(JUMP), BLOCK(BACK));
        const uint64_t refills = SIGNAL(L1I_REFILL);
        FEED(&model, operations[i], BLOCK(JUMP), BLOCK(BACK), BLOCK(JUMP), BLOCK(BACK));
        assert_int_equal(SIGNAL(L1I_REFILL), refills + 2 - i);
        model_free(&model);
    }
}

TEST(a_forgotten_branch_is_not_predicted)
{
    const struct {
        uint64_t operation;
        unsigned flushes;
    } cases[] = {
        {armpmu_system_record(ARMPMU_SYSTEM_PREDICTOR, 0), 2},
        {armpmu_system_record(ARMPMU_SYSTEM_PREDICTOR, ARMPMU_PREDICTOR_ADDRESS) | 0x11000, 1},
        {armpmu_system_record(ARMPMU_SYSTEM_PREDICTOR, ARMPMU_PREDICTOR_ADDRESS) | 0x11004, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct model model = start();
        FEED(&model, LOADED, BLOCK(JUMP), BLOCK(BACK), BLOCK(JUMP), BLOCK(BACK), BLOCK(JUMP));
        const uint64_t flushes = SIGNAL(BRANCH_FLUSH);
        FEED(&model, BLOCK(BACK), cases[i].operation, BLOCK(JUMP), BLOCK(BACK), BLOCK(JUMP),
             BLOCK(BACK));
        assert_int_equal(SIGNAL(BRANCH_FLUSH) - flushes, cases[i].flushes);
        model_free(&model);
    }
}

/* Loads and stores of a page whose memory is not cacheable, or no longer, or again. */
TEST(uncached_memory_is_in_no_cache)
{
    struct model model = start();
    FEED(&model, LOADED, LOAD, STORE);
    const uint64_t accesses = SIGNAL(L1D_ACCESS), refills = SIGNAL(L1D_REFILL);
    const uint64_t l2 = SIGNAL(L2_ACCESS), reads = SIGNAL(BUS_READ_BEAT),
                   loads = SIGNAL(LOAD_RETIRED);
    FEED(&model, MAP_UNCACHED(PAGE, FRAME), LOAD, LOAD, STORE);
    assert_int_equal(SIGNAL(L1D_ACCESS), accesses);
    assert_int_equal(SIGNAL(L1D_REFILL), refills);
    assert_int_equal(SIGNAL(L2_ACCESS), l2);
    assert_int_equal(SIGNAL(BUS_READ_BEAT), reads + 2);
    assert_int_equal(SIGNAL(LOAD_RETIRED), loads + 2);
    FEED(&model, MAP(PAGE, FRAME), LOAD, LOAD);
    assert_int_equal(SIGNAL(L1D_ACCESS), accesses + 2);
    assert_int_equal(SIGNAL(L1D_REFILL), refills); /* the line is there still */
    model_free(&model);
}

/* The highest page of all, and only that one. */
TEST(the_last_page_may_be_uncached)
{
    struct model model = start();
    FEED(&model, MMU(1), MAP_UNCACHED(0xfffff, FRAME), BLOCK(READ), ACCESS(0, 0xfffff100));
    assert_int_equal(SIGNAL(L1D_ACCESS), 0);
    FEED(&model, BLOCK(READ), ACCESS(0, 0xffffe100));
    assert_int_equal(SIGNAL(L1D_ACCESS), 1);
    model_free(&model);
}

TEST(uncached_memory_may_be_unaligned)
{
    struct model model = start();
    FEED(&model, MMU(1), MAP_UNCACHED(PAGE, FRAME), BLOCK(READ), ACCESS(0, DATA + 2));
    assert_int_equal(SIGNAL(UNALIGNED_RETIRED), 1);
    assert_int_equal(SIGNAL(L1D_ACCESS), 0);
    model_free(&model);
}

/* A word about something this model has no part of. */
TEST(what_is_unknown_changes_nothing)
{
    struct model model = start();
    FEED(&model, LOADED, armpmu_system_record((enum armpmu_system)15, 0xff), LOAD);
    assert_int_equal(SIGNAL(L1D_REFILL), 1);
    model_free(&model);
}

/* The store of blocks: what is one block and what is two. */
#include "../test.h"

#include <pthread.h>
#include <string.h>

#include "isa/code.h"

static const uint8_t moves[8] = {0x01, 0x00, 0xa0, 0xe1, 0x02, 0x10, 0xa0, 0xe1};
static const uint8_t same_moves[8] = {0x01, 0x00, 0xa0, 0xe1, 0x02, 0x10, 0xa0, 0xe1};
static const uint8_t other_moves[8] = {0x01, 0x00, 0xa0, 0xe1, 0x03, 0x10, 0xa0, 0xe1};
static const uint8_t adds[2] = {0x40, 0x18};

static const struct armpmu_block_source sources[] = {
    {.address = 0x8000, .bytes = moves, .n_bytes = 8, .n_insns = 2, .isa = ARMPMU_A32},
    {.address = 0x8000, .bytes = same_moves, .n_bytes = 8, .n_insns = 2, .isa = ARMPMU_A32},
    {.address = 0x9000, .bytes = moves, .n_bytes = 8, .n_insns = 2, .isa = ARMPMU_A32},
    {.address = 0x8000, .bytes = moves, .n_bytes = 4, .n_insns = 1, .isa = ARMPMU_A32},
    {.address = 0x8000, .bytes = other_moves, .n_bytes = 8, .n_insns = 2, .isa = ARMPMU_A32},
    {.address = 0x8000, .bytes = adds, .n_bytes = 2, .n_insns = 1, .isa = ARMPMU_T32},
    {.address = 0x8000, .bytes = NULL, .n_bytes = 8, .n_insns = 2, .isa = ARMPMU_A32},
    {.address = 0x8000,
     .bytes = NULL,
     .n_bytes = 0,
     .n_insns = BLOCK_INSNS_MAX + 1,
     .isa = ARMPMU_A32},
    {.address = 0x8000,
     .bytes = adds,
     .n_bytes = 2,
     .n_insns = 1,
     .isa = ARMPMU_T32,
     .it_known = true,
     .it_before = 0x08},
};
enum { N_SOURCES = sizeof sources / sizeof sources[0] };

static bool look_up(void *user, uint32_t id, struct armpmu_block_source *out)
{
    (void)user;
    if (id >= N_SOURCES)
        return false;
    *out = sources[id];
    return true;
}

/* An endless program of one-instruction blocks, each id at its own address, four ids each. */
static bool look_up_many(void *user, uint32_t id, struct armpmu_block_source *out)
{
    (void)user;
    *out = (struct armpmu_block_source){.address = 0x8000 + 4 * (uint64_t)(id / 4),
                                        .bytes = moves,
                                        .n_bytes = 4,
                                        .n_insns = 1,
                                        .isa = ARMPMU_A32};
    return true;
}

enum { ANY = CODE_AARCH32 | CODE_AARCH64 };

static const struct block *get(struct armpmu_code *code, uint32_t id, uint8_t it_before)
{
    const struct block *block;

    assert_int_equal(code_decoded(code, id, it_before, ANY, &block, NULL), ARMPMU_OK);
    assert_non_null(block);
    assert_true(block->index < code_block_count(code));
    return block;
}

static int set_up(void **state)
{
    return armpmu_code_new(look_up, NULL, (struct armpmu_code **)state, NULL) != ARMPMU_OK;
}

static int tear_down(void **state)
{
    armpmu_code_free(*state);
    return 0;
}

TEST_WITH(equal_code_at_one_address_is_one_block, set_up, tear_down)
{
    const struct block *first = get(*state, 0, 0);

    assert_ptr_equal(first, get(*state, 0, 0));
    assert_ptr_equal(first, get(*state, 1, 0));
    assert_int_equal(code_block_count(*state), 1);
    assert_int_equal(first->index, 0);
    assert_int_equal(first->n_insns, 2);
}

TEST_WITH(address_length_bytes_and_instruction_set_tell_blocks_apart, set_up, tear_down)
{
    static const uint32_t ids[] = {0, 2, 3, 4, 5, 6};

    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(get(*state, ids[i], 0)->index, i);
    assert_int_equal(code_block_count(*state), 6);
}

TEST_WITH(it_state_tells_t32_blocks_apart_and_a32_ones_not, set_up, tear_down)
{
    const struct block *outside = get(*state, 5, 0), *inside = get(*state, 5, 0x08);

    assert_ptr_not_equal(outside, inside);
    assert_int_equal(outside->insns[0].condition, 14);
    assert_int_equal(inside->insns[0].condition, 0);
    assert_ptr_equal(get(*state, 0, 0), get(*state, 0, 0x08));
    assert_ptr_equal(get(*state, 8, 0), inside); /* the engine knows better */
}

TEST_WITH(what_cannot_be_had_is_said, set_up, tear_down)
{
    static const struct block *const none = NULL;
    const struct block *block = (const struct block *)&none;

    assert_int_equal(code_decoded(*state, N_SOURCES, 0, ANY, &block, NULL), ARMPMU_BAD_INPUT);
    assert_null(block);
    assert_int_equal(code_decoded(*state, 7, 0, ANY, &block, NULL), ARMPMU_BAD_INPUT);
    assert_int_equal(code_decoded(*state, 0, 0, CODE_AARCH64, &block, NULL), ARMPMU_BAD_INPUT);
    assert_int_equal(code_block_count(*state), 0);
}

enum { N_MANY = 20000 };

static void *walk(void *user)
{
    static const struct block *none = NULL;
    struct armpmu_code *code = user;

    for (uint32_t id = 0; id < N_MANY; id++) {
        const struct block *block;
        if (code_decoded(code, id, 0, ANY, &block, NULL) != ARMPMU_OK ||
            block->address != 0x8000 + 4 * (uint64_t)(id / 4))
            return &none;
    }
    return NULL;
}

TEST(threads_share_the_blocks)
{
    struct armpmu_code *code;
    pthread_t threads[4];
    uint8_t seen[N_MANY / 4] = {0};

    assert_int_equal(armpmu_code_new(look_up_many, NULL, &code, NULL), ARMPMU_OK);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, walk, code), 0);
    for (unsigned i = 0; i < 4; i++) {
        void *failure;
        pthread_join(threads[i], &failure);
        assert_null(failure);
    }
    assert_int_equal(code_block_count(code), N_MANY / 4);
    for (uint32_t id = 0; id < N_MANY; id += 4)
        seen[get(code, id, 0)->index]++;
    for (uint32_t i = 0; i < N_MANY / 4; i++)
        assert_int_equal(seen[i], 1); /* the numbers are dense */
    armpmu_code_free(code);
}

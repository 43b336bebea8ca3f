/* The store of blocks as emulators cut them: what makes two blocks one, and that a block stays
 * where it is. */
#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "isa/block_store.h"

/* An emulator's block. */
struct own {
    struct code_block code;
    unsigned mark;
};

static const uint8_t code[8] = {0x01, 0x00, 0xa0, 0xe1, 0x02, 0x00, 0xa0, 0xe1};
static const uint8_t other_code[8] = {0x01, 0x00, 0xa0, 0xe1, 0x03, 0x00, 0xa0, 0xe1};
static const uint8_t sizes[2] = {4, 4};

static const struct code_block key = {
    .address = 0x8000, .n_bytes = 8, .n_insns = 2, .bytes = code, .sizes = sizes};

static int make(void **state)
{
    struct block_store *const store = calloc(1, sizeof *store);

    assert_non_null(store);
    store->block_bytes = sizeof(struct own);
    *state = store;
    return 0;
}

static int end(void **state)
{
    block_store_free(*state);
    free(*state);
    return 0;
}

static struct own *intern(struct block_store *store, const struct code_block *wanted, bool is_new)
{
    bool was_new = !is_new;
    struct own *const block = (struct own *)block_store_intern(store, wanted, &was_new);

    assert_non_null(block);
    assert_int_equal(was_new, is_new);
    return block;
}

TEST_WITH(the_same_block_is_known_once, make, end)
{
    uint8_t bytes[8];
    struct code_block again = key;

    struct own *const block = intern(*state, &key, true);
    assert_int_equal(block->mark, 0);
    block->mark = 7;
    memcpy(bytes, code, sizeof bytes);
    again.bytes = bytes;
    assert_ptr_equal(intern(*state, &again, false), block);
    assert_int_equal(block->mark, 7);
    assert_ptr_equal(block_store_at(*state, 0), &block->code);
    assert_int_equal(block->code.record, armpmu_record(ARMPMU_RECORD_BLOCK, 0));
}

TEST_WITH(whatever_differs_makes_another_block, make, end)
{
    struct code_block keys[] = {key, key, key, key, key, key, key, key, key};

    keys[1].address = 0x8004;
    keys[2].isa = ARMPMU_T32;
    keys[3].mode = 1;
    keys[4].it_state = 0x18;
    keys[5].frame[0] = 5;
    keys[6].frame[1] = 5;
    keys[7].bytes = other_code;
    keys[8].n_bytes = keys[8].n_insns = 0;
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_int_equal((uint32_t)intern(*state, &keys[i], true)->code.record, i);
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_int_equal((uint32_t)intern(*state, &keys[i], false)->code.record, i);
}

TEST_WITH(an_arrival_needs_no_bytes, make, end)
{
    const struct code_block arrival = {.address = 0x8000};
    struct armpmu_block_source source;

    (void)intern(*state, &arrival, true);
    (void)intern(*state, &arrival, false);
    assert_true(block_store_lookup(*state, 0, &source));
    assert_int_equal(source.n_insns, 0);
}

TEST_WITH(a_look_up_gives_the_copy, make, end)
{
    uint8_t bytes[8];
    struct code_block wanted = key;
    struct armpmu_block_source source;

    memcpy(bytes, code, sizeof bytes);
    wanted.bytes = bytes;
    wanted.isa = ARMPMU_T32;
    wanted.it_state = 0x18;
    (void)intern(*state, &wanted, true);
    memset(bytes, 0, sizeof bytes);
    assert_true(block_store_lookup(*state, 0, &source));
    assert_int_equal(source.address, 0x8000);
    assert_int_equal(source.n_bytes, 8);
    assert_int_equal(source.n_insns, 2);
    assert_memory_equal(source.bytes, code, 8);
    assert_int_equal(source.isa, ARMPMU_T32);
    assert_true(source.it_known);
    assert_int_equal(source.it_before, 0x18);
}

TEST_WITH(unknown_numbers_are_none, make, end)
{
    static const uint32_t ids[] = {1, BLOCK_STORE_SHELF, BLOCK_STORE_MAX - 1, BLOCK_STORE_MAX,
                                   UINT32_MAX};
    struct armpmu_block_source source;

    (void)intern(*state, &key, true);
    for (unsigned i = 0; i < sizeof ids / sizeof *ids; i++)
        assert_false(block_store_lookup(*state, ids[i], &source));
}

TEST_WITH(blocks_stay_where_they_are, make, end)
{
    struct code_block many = key;
    struct own *const first = intern(*state, &key, true);

    for (uint32_t i = 1; i < 3 * BLOCK_STORE_SHELF; i++) {
        many.address = 0x8000 + 8 * i;
        intern(*state, &many, true)->mark = i;
    }
    assert_ptr_equal(intern(*state, &key, false), first);
    for (uint32_t i = 0; i < 3 * BLOCK_STORE_SHELF; i++) {
        const struct code_block *const block = block_store_at(*state, i);
        assert_int_equal(block->address, 0x8000 + 8 * i);
        assert_memory_equal(block->sizes, sizes, 2);
        assert_int_equal(((const struct own *)block)->mark, i);
    }
}

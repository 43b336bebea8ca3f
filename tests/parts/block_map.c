/* A map of blocks against an array with the latest block of each byte. */
#include "parts/block_map.h"

#include <string.h>

#include "../test.h"

#define BYTES 4096u
#define TURNS 4000u

static struct {
    uint32_t value, begins; /* value 0: of no block */
} latest[BYTES];

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static bool rises(void *user, const struct mapped_block *block)
{
    uint64_t *const end = user;

    assert_true(block->start >= *end);
    assert_true(block->end > block->start);
    assert_true(block->begins <= block->start);
    *end = block->end;
    return true;
}

TEST(each_byte_is_of_its_latest_block)
{
    struct block_map map = {0};
    uint32_t seed = 5;
    uint64_t end = 0;

    for (uint32_t turn = 1; turn <= TURNS; turn++) {
        const uint32_t start = next_random(&seed) % BYTES;
        uint32_t n = 1 + next_random(&seed) % (turn % 50 == 0 ? BYTES : 64);
        n = start + n > BYTES ? BYTES - start : n;
        assert_true(block_map_add(&map, start, start + n, turn));
        for (uint32_t i = start; i < start + n; i++) {
            latest[i].value = turn;
            latest[i].begins = start;
        }
        for (uint32_t i = turn % 7; i < BYTES; i += 7) {
            const struct mapped_block *const found = block_map_find(&map, i);
            assert_int_equal(found != NULL ? found->value : 0, latest[i].value);
            assert_int_equal(found != NULL ? found->begins : 0, latest[i].begins);
        }
    }
    assert_true(block_map_each(&map, rises, &end));
    assert_true(end <= BYTES);
    assert_null(block_map_find(&map, BYTES));
    assert_true(map.n <= BYTES); /* places are used again */
    block_map_free(&map);
}

TEST(an_empty_map_has_nothing)
{
    struct block_map map = {0};
    uint64_t end = 0;

    assert_null(block_map_find(&map, 0));
    assert_true(block_map_each(&map, rises, &end));
    assert_int_equal(end, 0);
}

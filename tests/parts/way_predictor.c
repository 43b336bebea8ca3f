/* The way prediction against a list of (set, way, hash) that is searched from end to end. */
#include "parts/way_predictor.h"

#include <string.h>

#include "../test.h"
#include "../reference/pick.h"

#define SETS 8u
#define WAYS 4u

struct slow_hash {
    int hash[SETS][WAYS]; /* -1 for none */
};

/* Bit by bit: bit i of the hash is the parity of the page's bits i, i + 6, i + 12 and i + 18. */
static int slow_fold(uint64_t line)
{
    const uint64_t page = line / 64 % (1u << 20);
    int hash = 0;
    for (unsigned i = 0; i < 20; i++)
        hash ^= (int)(page >> i & 1) << i % 6;
    return hash;
}

static uint32_t slow_predict(const struct slow_hash *slow, uint64_t line)
{
    for (uint32_t way = 0; way < WAYS; way++)
        if (slow->hash[line % SETS][way] == slow_fold(line))
            return way;
    return WAY_NONE;
}

static uint32_t slow_give(struct slow_hash *slow, uint64_t line, uint32_t way)
{
    const uint32_t before = slow_predict(slow, line);
    if (before != WAY_NONE)
        slow->hash[line % SETS][before] = -1;
    slow->hash[line % SETS][way] = slow_fold(line);
    return before == way ? WAY_NONE : before;
}

TEST(equals_a_list)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct way_predictor hash;
        struct slow_hash slow;
        uint64_t picks = seed;
        assert_int_equal(way_predictor_init(&hash, SETS, WAYS, NULL), ARMPMU_OK);
        memset(&slow, -1, sizeof slow);
        for (unsigned op = 0; op < 200000; op++) {
            /* few pages, so that hashes meet: bits 0, 6, 13 and 19 of the page number */
            const uint32_t page = pick(&picks, 2) | pick(&picks, 2) << 6 | pick(&picks, 2) << 13 |
                                  pick(&picks, 2) << 19;
            const uint64_t line = (uint64_t)page << 6 | pick(&picks, SETS);
            const uint32_t way = pick(&picks, WAYS);
            assert_int_equal(way_predictor_predict(&hash, line), slow_predict(&slow, line));
            switch (pick(&picks, 4)) {
            case 0:
                way_predictor_take(&hash, line, way);
                slow.hash[line % SETS][way] = -1;
                break;
            case 1:
            case 2:
                assert_int_equal(way_predictor_train(&hash, line, way),
                                 slow_give(&slow, line, way));
                break;
            default:
                break;
            }
        }
        way_predictor_free(&hash);
    }
}

TEST(off_until_it_is_made)
{
    struct way_predictor hash = {0};
    assert_false(way_predictor_is_on(&hash));
    way_predictor_free(&hash);
    assert_int_equal(way_predictor_init(&hash, SETS, WAYS, NULL), ARMPMU_OK);
    assert_true(way_predictor_is_on(&hash));
    assert_int_equal(way_predictor_predict(&hash, 0), WAY_NONE);
    way_predictor_free(&hash);
    assert_false(way_predictor_is_on(&hash));
}

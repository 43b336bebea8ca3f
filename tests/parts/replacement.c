/* What each policy chooses from a full set; the arrays' own tests compare long sequences. */
#include "parts/replacement.h"

#include "../test.h"

#define SETS 2u
#define WAYS 3u

TEST(round_robin_takes_the_ways_of_a_set_in_turn)
{
    struct replacement r;
    assert_true(replacement_init(&r, REPLACEMENT_ROUND_ROBIN, 0, SETS, WAYS));
    for (uint32_t i = 0; i < 7; i++)
        assert_int_equal(replacement_choose(&r, REPLACEMENT_ROUND_ROBIN, 0, WAYS), i % WAYS);
    assert_int_equal(replacement_choose(&r, REPLACEMENT_ROUND_ROBIN, 1, WAYS), 0);
    replacement_free(&r);
}

TEST(lru_takes_the_lowest_of_the_ways_used_longest_ago)
{
    static const struct {
        uint64_t used[WAYS];
        uint32_t way;
    } cases[] = {{{3, 1, 2}, 1}, {{1, 2, 3}, 0}, {{5, 0, 0}, 1}, {{4, 9, 4}, 0}, {{7, 6, 5}, 2}};
    struct replacement r;
    assert_true(replacement_init(&r, REPLACEMENT_LRU, 0, SETS, WAYS));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (uint32_t way = 0; way < WAYS; way++)
            r.used[WAYS + way] = cases[i].used[way];
        assert_int_equal(replacement_choose(&r, REPLACEMENT_LRU, 1, WAYS), cases[i].way);
    }
    assert_int_equal(replacement_choose(&r, REPLACEMENT_LRU, 0, WAYS), 0);
    replacement_free(&r);
}

TEST(random_is_drawn_from_the_seed)
{
    struct random drawn = {7};
    struct replacement r;
    assert_true(replacement_init(&r, REPLACEMENT_RANDOM, 7, SETS, WAYS));
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(replacement_choose(&r, REPLACEMENT_RANDOM, i & 1, WAYS),
                         random_below(&drawn, WAYS));
    replacement_free(&r);
}

/* The wide cache against a slow reference: for each set an array of places, each with a name and
 * the time of its last use. */
#include "parts/tag_array.h"

#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "../reference/pick.h"

#define MAX_SETS 16

struct place {
    uint64_t name, used;
    bool taken;
};

struct slow {
    struct place places[MAX_SETS][TAG_ARRAY_MAX_WAYS];
    unsigned n_victims[MAX_SETS];
    unsigned sets, ways;
    uint64_t now;
    enum machine_replacement policy;
    struct random random;
};

static struct place *slow_find(struct slow *slow, uint64_t name)
{
    struct place *set = slow->places[name % slow->sets];
    for (unsigned way = 0; way < slow->ways; way++)
        if (set[way].taken && set[way].name == name)
            return &set[way];
    return NULL;
}

static struct place *slow_victim(struct slow *slow, unsigned set)
{
    struct place *places = slow->places[set], *longest_ago = places;
    for (unsigned way = 0; way < slow->ways; way++)
        if (!places[way].taken)
            return &places[way];
    switch (slow->policy) {
    case REPLACEMENT_RANDOM: {
        const uint64_t draw = random_next(&slow->random) / (UINT64_C(1) << 32);
        return &places[draw * slow->ways / (UINT64_C(1) << 32)];
    }
    case REPLACEMENT_ROUND_ROBIN:
        return &places[slow->n_victims[set]++ % slow->ways];
    case REPLACEMENT_LRU:
        for (unsigned way = 1; way < slow->ways; way++)
            if (places[way].used < longest_ago->used)
                longest_ago = &places[way];
    }
    return longest_ago;
}

/* Names apart in the low and in the high 32 bits, few of them for each set. */
static uint64_t pick_name(uint64_t *seed, unsigned sets, unsigned ways)
{
    const uint64_t tag = pick(seed, ways + 2), set = pick(seed, sets);
    return tag * UINT64_C(0x10000000400) + set;
}

static void step(struct tag_array *cache, struct slow *slow, uint64_t *seed)
{
    const uint64_t name = pick_name(seed, slow->sets, slow->ways);
    struct place *place = slow_find(slow, name);
    uint32_t slot = tag_array_peek(cache, name);

    assert_int_equal(slot != TAG_ARRAY_NO_SLOT, place != NULL);
    if (place != NULL && one_in(seed, 8)) {
        tag_array_drop(cache, slot);
        place->taken = false;
        return;
    }
    slot = tag_array_lookup(cache, name);
    if (place == NULL) {
        uint64_t victim = 0;
        place = slow_victim(slow, (unsigned)(name % slow->sets));
        slot = tag_array_fill(cache, name, &victim);
        assert_true(victim == (place->taken ? place->name : TAG_ARRAY_NO_NAME));
        *place = (struct place){.name = name, .taken = true};
    }
    place->used = ++slow->now;
    assert_int_equal(slot, name % slow->sets * slow->ways +
                               (size_t)(place - slow->places[name % slow->sets]));
}

TEST(agrees_with_a_slow_one)
{
    static const struct {
        unsigned sets, ways;
    } shapes[] = {{1, 1}, {1, 5}, {4, 2}, {16, 5}, {8, 16}, {2, 32}, {3, 4}, {12, 2}};
    uint64_t seed = 20;

    for (unsigned policy = REPLACEMENT_RANDOM; policy <= REPLACEMENT_LRU; policy++) {
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
            struct tag_array cache;
            struct slow *slow = calloc(1, sizeof *slow);
            assert_non_null(slow);
            slow->sets = shapes[i].sets;
            slow->ways = shapes[i].ways;
            slow->policy = (enum machine_replacement)policy;
            slow->random.state = 7;
            assert_int_equal(tag_array_init(&cache, slow->sets, slow->ways, slow->policy, 7, NULL),
                             ARMPMU_OK);
            for (unsigned n = 0; n < 20000; n++)
                step(&cache, slow, &seed);
            tag_array_clear(&cache);
            for (unsigned set = 0; set < slow->sets; set++)
                for (unsigned way = 0; way < slow->ways; way++)
                    slow->places[set][way].taken = false;
            for (unsigned n = 0; n < 1000; n++)
                step(&cache, slow, &seed);
            tag_array_free(&cache);
            free(slow);
        }
    }
}

TEST(a_peek_changes_no_order)
{
    struct tag_array cache;
    uint64_t victim;

    assert_int_equal(tag_array_init(&cache, 1, 2, REPLACEMENT_LRU, 0, NULL), ARMPMU_OK);
    tag_array_fill(&cache, 10, &victim);
    tag_array_fill(&cache, 20, &victim);
    assert_int_not_equal(tag_array_peek(&cache, 10), TAG_ARRAY_NO_SLOT);
    tag_array_fill(&cache, 30, &victim);
    assert_int_equal(victim, 10);
    assert_int_not_equal(tag_array_lookup(&cache, 20), TAG_ARRAY_NO_SLOT);
    tag_array_fill(&cache, 40, &victim);
    assert_int_equal(victim, 30);
    tag_array_free(&cache);
    tag_array_free(&cache);
}

TEST(shapes_that_cannot_be_are_told)
{
    static const struct {
        uint32_t sets, ways;
        const char *message;
    } cases[] = {
        {0, 1, "sets: 0, must be at least 1; change the size or the ways (sets = size / ways)"},
        {4, 0, "ways: 0, must be 1 to 32"},
        {4, 33, "ways: 33, must be 1 to 32"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct armpmu_error err = {""};
        struct tag_array cache;
        memset(&cache, 0xa5, sizeof cache); /* not pointers that could be released */
        assert_int_equal(
            tag_array_init(&cache, cases[i].sets, cases[i].ways, REPLACEMENT_LRU, 0, &err),
            ARMPMU_BAD_CONFIG);
        assert_string_equal(err.message, cases[i].message);
        tag_array_free(&cache);
    }
}

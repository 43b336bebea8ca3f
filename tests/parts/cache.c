/* The cache against a slow reference that keeps, for each set, either a list of lines from newest
 * to oldest (LRU: no ways at all) or an array of slots with a count of victims (round robin,
 * random). */
#include "parts/cache.h"

#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "../reference/pick.h"

struct slow_line {
    uint64_t virtual_line, physical;
    unsigned dirty;
    bool taken;
};

struct slow_set {
    struct slow_line at[CACHE_MAX_WAYS]; /* LRU: newest first, the first n_lines; else by way */
    unsigned n_lines, n_victims;
};

struct slow_cache {
    struct slow_set *sets;
    unsigned n_sets, n_ways;
    enum machine_replacement policy;
    struct random random;
};

static struct slow_cache slow_new(unsigned n_sets, unsigned n_ways, enum machine_replacement policy,
                                  uint64_t seed)
{
    struct slow_cache slow = {NULL, n_sets, n_ways, policy, {seed}};
    slow.sets = calloc(n_sets, sizeof *slow.sets);
    assert_non_null(slow.sets);
    return slow;
}

static struct slow_set *slow_set(struct slow_cache *slow, uint64_t virtual_line)
{
    return &slow->sets[virtual_line % slow->n_sets];
}

static void slow_move_to_front(struct slow_set *set, unsigned from)
{
    struct slow_line line = set->at[from];
    memmove(&set->at[1], &set->at[0], from * sizeof line);
    set->at[0] = line;
}

static struct slow_line *slow_find(struct slow_cache *slow, uint64_t virtual_line,
                                   uint64_t physical, bool touch)
{
    struct slow_set *set = slow_set(slow, virtual_line);
    for (unsigned i = 0; i < slow->n_ways; i++) {
        if (!set->at[i].taken || set->at[i].physical != physical)
            continue;
        if (slow->policy != REPLACEMENT_LRU || !touch)
            return &set->at[i];
        slow_move_to_front(set, i);
        return &set->at[0];
    }
    return NULL;
}

static void slow_drop(struct slow_cache *slow, uint64_t virtual_line, struct slow_line *line)
{
    struct slow_set *set = slow_set(slow, virtual_line);
    line->taken = false;
    if (slow->policy != REPLACEMENT_LRU)
        return;
    struct slow_line *end = &set->at[set->n_lines--];
    memmove(line, line + 1, (size_t)(end - line - 1) * sizeof *line);
    end[-1].taken = false;
}

static struct slow_line slow_fill_list(struct slow_cache *slow, struct slow_set *set,
                                       struct slow_line line)
{
    struct slow_line victim = {0};
    if (set->n_lines == slow->n_ways)
        victim = set->at[--set->n_lines];
    set->at[set->n_lines] = line;
    slow_move_to_front(set, set->n_lines++);
    return victim;
}

static struct slow_line slow_fill_slots(struct slow_cache *slow, struct slow_set *set,
                                        struct slow_line line)
{
    unsigned way = 0;
    while (way < slow->n_ways && set->at[way].taken)
        way++;
    if (way == slow->n_ways && slow->policy == REPLACEMENT_ROUND_ROBIN)
        way = set->n_victims++ % slow->n_ways;
    else if (way == slow->n_ways) /* the top bits of the draw, as a fraction of the ways */
        way = (unsigned)((random_next(&slow->random) / (UINT64_C(1) << 32)) * slow->n_ways /
                         (UINT64_C(1) << 32));
    struct slow_line victim = set->at[way];
    set->at[way] = line;
    return victim;
}

static struct slow_line slow_fill(struct slow_cache *slow, uint64_t virtual_line, uint64_t physical)
{
    struct slow_line line = {virtual_line, physical, 0, true};
    struct slow_set *set = slow_set(slow, virtual_line);
    if (slow->policy == REPLACEMENT_LRU)
        return slow_fill_list(slow, set, line);
    return slow_fill_slots(slow, set, line);
}

static void check_line(const struct cache_line *got, const struct slow_line *want, bool want_taken,
                       const char *what, uint64_t seed, unsigned op)
{
    bool got_valid = got != NULL && got->valid;
    if (got_valid != want_taken)
        fail_msg("seed %llu operation %u, %s: present %d, want %d", (unsigned long long)seed, op,
                 what, got_valid, want_taken);
    if (want_taken && (got->physical != want->physical || got->virtual_line != want->virtual_line ||
                       got->dirty != want->dirty))
        fail_msg("seed %llu operation %u, %s: line %llx/%llx/%x, want %llx/%llx/%x",
                 (unsigned long long)seed, op, what, (unsigned long long)got->physical,
                 (unsigned long long)got->virtual_line, got->dirty,
                 (unsigned long long)want->physical, (unsigned long long)want->virtual_line,
                 want->dirty);
}

/* One random thing done to both, compared. */
static void step(struct cache *cache, struct slow_cache *slow, uint32_t n_lines, uint64_t *state,
                 uint64_t seed, unsigned op)
{
    uint64_t virtual_line = pick(state, n_lines);
    /* Mostly one frame a line; sometimes two virtual lines share one (an alias), sometimes a line
     * is seen under another frame. */
    uint64_t physical = one_in(state, 8) ? pick(state, n_lines) : virtual_line ^ 0x5a0000;
    bool touch = !one_in(state, 8);
    struct cache_line *line = touch ? cache_lookup(cache, virtual_line, physical)
                                    : cache_peek(cache, virtual_line, physical);
    struct slow_line *want = slow_find(slow, virtual_line, physical, touch);
    check_line(line, want, want != NULL, touch ? "lookup" : "peek", seed, op);
    if (line == NULL && !one_in(state, 8)) {
        struct cache_line victim;
        memset(&victim, 0xee, sizeof victim);
        line = cache_fill(cache, virtual_line, physical, &victim);
        struct slow_line slow_victim = slow_fill(slow, virtual_line, physical);
        check_line(&victim, &slow_victim, slow_victim.taken, "victim", seed, op);
        want = slow_find(slow, virtual_line, physical, false);
        check_line(line, want, true, "fill", seed, op);
    } else if (line != NULL && one_in(state, 4)) {
        unsigned part = 1u << pick(state, 4);
        line->dirty |= part;
        want->dirty |= part;
    } else if (line != NULL && one_in(state, 64)) {
        cache_drop(cache, line);
        slow_drop(slow, virtual_line, want);
    }
}

static void compare(uint32_t sets, uint32_t ways, enum machine_replacement policy,
                    unsigned operations)
{
    uint64_t seed = UINT64_C(0x1000) * sets + UINT64_C(16) * ways + (unsigned)policy + 1;
    uint64_t state = seed;
    struct cache cache;
    assert_int_equal(cache_init(&cache, sets, ways, policy, seed, NULL), ARMPMU_OK);
    struct slow_cache slow = slow_new(sets, ways, policy, seed);
    /* From a little more than fits to twice as much: hits and misses are both common. */
    uint32_t n_lines = sets * ways + 1 + pick(&state, sets * ways);
    for (unsigned op = 0; op < operations; op++)
        step(&cache, &slow, n_lines, &state, seed, op);
    cache_free(&cache);
    free(slow.sets);
}

TEST(cache_agrees_with_the_slow_reference)
{
    static const struct {
        uint32_t sets, ways;
    } geometries[] = {{1, 1}, {1, 2}, {8, 1}, {1, 32}, {4, 3}, {16, 5}, {64, 4}, {512, 8}};
    for (size_t i = 0; i < sizeof geometries / sizeof geometries[0]; i++)
        for (int policy = REPLACEMENT_RANDOM; policy <= REPLACEMENT_LRU; policy++)
            compare(geometries[i].sets, geometries[i].ways, (enum machine_replacement)policy,
                    150000);
}

static void fill_lines(struct cache *cache, uint64_t first, uint64_t last)
{
    struct cache_line victim;
    for (uint64_t line = first; line <= last; line++)
        assert_non_null(cache_fill(cache, line, line, &victim));
}

/* Looks the lines from 9 down to 0 up, and says whether a byte of the cache changed. */
static bool lookups_change_state(struct cache *cache, bool peek)
{
    struct cache before = *cache;
    struct cache_line lines[8];
    uint8_t next_victim[2] = {0};
    memcpy(lines, cache->lines, sizeof lines);
    if (cache->replacement.next_victim != NULL)
        memcpy(next_victim, cache->replacement.next_victim, sizeof next_victim);
    for (uint64_t line = 10; line-- > 0;)
        (void)(peek ? cache_peek(cache, line, line) : cache_lookup(cache, line, line));
    return memcmp(&before, cache, sizeof before) != 0 ||
           memcmp(lines, cache->lines, sizeof lines) != 0 ||
           (cache->replacement.next_victim != NULL &&
            memcmp(next_victim, cache->replacement.next_victim, sizeof next_victim) != 0);
}

TEST(lookups_change_state_with_lru_only)
{
    for (int policy = REPLACEMENT_RANDOM; policy <= REPLACEMENT_LRU; policy++) {
        struct cache cache;
        assert_int_equal(cache_init(&cache, 2, 4, (enum machine_replacement)policy, 9, NULL), 0);
        fill_lines(&cache, 0, 9); /* eight fit */
        assert_false(lookups_change_state(&cache, true));
        assert_int_equal(lookups_change_state(&cache, false), policy == REPLACEMENT_LRU);
        cache_free(&cache);
    }
}

/* Ways 0 1 2 hold lines 0 1 2. A hit on 0 saves it from LRU, not from round robin. */
TEST(a_hit_protects_a_line_with_lru_only)
{
    struct cache lru, round_robin;
    struct cache_line victim;
    assert_int_equal(cache_init(&lru, 1, 3, REPLACEMENT_LRU, 0, NULL), ARMPMU_OK);
    assert_int_equal(cache_init(&round_robin, 1, 3, REPLACEMENT_ROUND_ROBIN, 0, NULL), ARMPMU_OK);
    fill_lines(&lru, 0, 2);
    fill_lines(&round_robin, 0, 2);
    assert_non_null(cache_lookup(&lru, 0, 0));
    assert_non_null(cache_lookup(&round_robin, 0, 0));
    cache_fill(&lru, 3, 3, &victim);
    assert_int_equal(victim.physical, 1);
    cache_fill(&round_robin, 3, 3, &victim);
    assert_int_equal(victim.physical, 0);
    cache_free(&lru);
    cache_free(&round_robin);
}

TEST(the_seed_alone_chooses_random_victims)
{
    struct cache same[2], other;
    struct cache_line victim[3];
    unsigned n_different = 0;
    assert_int_equal(cache_init(&same[0], 4, 4, REPLACEMENT_RANDOM, 5, NULL), ARMPMU_OK);
    assert_int_equal(cache_init(&same[1], 4, 4, REPLACEMENT_RANDOM, 5, NULL), ARMPMU_OK);
    assert_int_equal(cache_init(&other, 4, 4, REPLACEMENT_RANDOM, 6, NULL), ARMPMU_OK);
    for (uint64_t line = 0; line < 200; line++) {
        cache_fill(&same[0], line, line, &victim[0]);
        cache_fill(&same[1], line, line, &victim[1]);
        cache_fill(&other, line, line, &victim[2]);
        assert_int_equal(victim[0].physical, victim[1].physical);
        n_different += victim[0].physical != victim[2].physical;
    }
    assert_in_range(n_different, 50, 200);
    cache_free(&same[0]);
    cache_free(&same[1]);
    cache_free(&other);
}

TEST(bad_geometry_is_refused_by_name_and_value)
{
    static const struct {
        int line;
        uint32_t sets, ways;
        const char *message;
    } cases[] = {
        {__LINE__, 0, 4, "cache sets: 0, must be a power of two"},
        {__LINE__, 3, 4, "cache sets: 3, must be a power of two"},
        {__LINE__, 64, 0, "cache ways: 0, must be 1 to 32"},
        {__LINE__, 64, 33, "cache ways: 33, must be 1 to 32"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cache cache;
        struct armpmu_error err = {""};
        enum armpmu_status status =
            cache_init(&cache, cases[i].sets, cases[i].ways, REPLACEMENT_LRU, 0, &err);
        if (status != ARMPMU_BAD_CONFIG || strstr(err.message, cases[i].message) != err.message)
            fail_msg("case of line %d: status %d, message %s", cases[i].line, status, err.message);
        cache_free(&cache);
    }
}

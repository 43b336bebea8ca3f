/* The TLB against an array of page pairs: in the order of their last use for LRU, in the order they
 * came for round robin (with nothing ever invalidated, round robin is first in, first out), in
 * their places for random. */
#include "parts/tlb.h"

#include <string.h>

#include "../test.h"
#include "../reference/pick.h"

struct pair {
    uint64_t virtual_page, physical_page;
};

struct slow_tlb {
    struct pair pair[TLB_MAX_ENTRIES];
    uint32_t used, capacity;
    enum machine_replacement policy;
    struct random random;
};

/* Takes a pair out and closes the gap. */
static struct pair take_out(struct slow_tlb *slow, uint32_t i)
{
    struct pair pair = slow->pair[i];
    slow->used--;
    memmove(&slow->pair[i], &slow->pair[i + 1], (slow->used - i) * sizeof pair);
    return pair;
}

static const struct pair *slow_lookup(struct slow_tlb *slow, uint64_t virtual_page)
{
    for (uint32_t i = 0; i < slow->used; i++) {
        if (slow->pair[i].virtual_page != virtual_page)
            continue;
        if (slow->policy != REPLACEMENT_LRU)
            return &slow->pair[i];
        struct pair hit = take_out(slow, i);
        slow->pair[slow->used++] = hit;
        return &slow->pair[slow->used - 1];
    }
    return NULL;
}

/* Returns whether a pair was displaced. */
static bool slow_fill(struct slow_tlb *slow, struct pair pair, struct pair *victim)
{
    bool full = slow->used == slow->capacity;
    if (full && slow->policy == REPLACEMENT_RANDOM) {
        uint64_t draw = random_next(&slow->random) / (UINT64_C(1) << 32);
        uint32_t place = (uint32_t)(draw * slow->capacity / (UINT64_C(1) << 32));
        *victim = slow->pair[place];
        slow->pair[place] = pair;
        return true;
    }
    if (full)
        *victim = take_out(slow, 0);
    slow->pair[slow->used++] = pair;
    return full;
}

static void step(struct tlb *tlb, struct slow_tlb *slow, uint64_t virtual_page, uint64_t physical,
                 uint64_t seed, unsigned op)
{
    const struct tlb_entry *entry = tlb_lookup(tlb, virtual_page);
    const struct pair *want = slow_lookup(slow, virtual_page);
    if ((entry == NULL) != (want == NULL) ||
        (entry != NULL && (!entry->valid || entry->virtual_page != virtual_page ||
                           entry->physical_page != want->physical_page)))
        fail_msg("seed %llu operation %u, lookup %llx: hit %d, want %d", (unsigned long long)seed,
                 op, (unsigned long long)virtual_page, entry != NULL, want != NULL);
    if (entry != NULL)
        return;
    struct tlb_entry victim;
    struct pair pair = {virtual_page, physical}, want_victim = {0, 0};
    entry = tlb_fill(tlb, virtual_page, physical, &victim);
    bool displaced = slow_fill(slow, pair, &want_victim);
    if (entry->virtual_page != virtual_page || entry->physical_page != physical || !entry->valid)
        fail_msg("seed %llu operation %u: fill of %llx not entered", (unsigned long long)seed, op,
                 (unsigned long long)virtual_page);
    if (victim.valid != displaced ||
        (displaced && (victim.virtual_page != want_victim.virtual_page ||
                       victim.physical_page != want_victim.physical_page)))
        fail_msg("seed %llu operation %u: victim %d %llx, want %d %llx", (unsigned long long)seed,
                 op, victim.valid, (unsigned long long)victim.virtual_page, displaced,
                 (unsigned long long)want_victim.virtual_page);
}

static void compare(uint32_t n_entries, enum machine_replacement policy, unsigned operations)
{
    uint64_t seed = UINT64_C(16) * n_entries + (unsigned)policy + 1, state = seed;
    struct tlb tlb;
    static struct slow_tlb slow;
    slow = (struct slow_tlb){.capacity = n_entries, .policy = policy, .random = {seed}};
    assert_int_equal(tlb_init(&tlb, n_entries, policy, seed, NULL), ARMPMU_OK);
    uint32_t n_pages = n_entries + 1 + pick(&state, n_entries);
    for (unsigned op = 0; op < operations; op++) {
        /* Neighbours, and pages far apart that agree in their low bits. */
        uint64_t page = pick(&state, n_pages);
        if (page % 3 == 0)
            page <<= 32;
        step(&tlb, &slow, page, pick(&state, UINT32_C(1) << 20), seed, op);
    }
    tlb_free(&tlb);
}

TEST(tlb_agrees_with_the_slow_reference)
{
    static const struct {
        uint32_t entries, operations;
    } geometries[] = {{1, 100000},
                      {2, 100000},
                      {3, 100000},
                      {7, 100000},
                      {32, 100000},
                      {64, 100000},
                      {TLB_MAX_ENTRIES, 15000}};
    for (size_t i = 0; i < sizeof geometries / sizeof geometries[0]; i++)
        for (int policy = REPLACEMENT_RANDOM; policy <= REPLACEMENT_LRU; policy++)
            compare(geometries[i].entries, (enum machine_replacement)policy,
                    geometries[i].operations);
}

TEST(lookups_change_no_state_without_lru)
{
    for (int policy = REPLACEMENT_RANDOM; policy <= REPLACEMENT_ROUND_ROBIN; policy++) {
        struct tlb tlb;
        struct tlb_entry before[4], victim;
        assert_int_equal(tlb_init(&tlb, 4, (enum machine_replacement)policy, 3, NULL), ARMPMU_OK);
        for (uint64_t page = 0; page < 6; page++)
            tlb_fill(&tlb, page, page, &victim);
        struct tlb all_before = tlb;
        memcpy(before, tlb.entries, sizeof before);
        for (uint64_t page = 0; page < 8; page++)
            (void)tlb_lookup(&tlb, page);
        assert_memory_equal(before, tlb.entries, sizeof before);
        assert_memory_equal(&all_before, &tlb, sizeof tlb);
        tlb_free(&tlb);
    }
}

TEST(bad_geometry_is_refused_by_name_and_value)
{
    struct tlb tlb;
    struct armpmu_error err;
    assert_int_equal(tlb_init(&tlb, 0, REPLACEMENT_LRU, 0, &err), ARMPMU_BAD_CONFIG);
    assert_string_equal(err.message, "TLB entries: 0, must be 1 to 1024");
    tlb_free(&tlb);
    assert_int_equal(tlb_init(&tlb, 1025, REPLACEMENT_LRU, 0, &err), ARMPMU_BAD_CONFIG);
    assert_string_equal(err.message, "TLB entries: 1025, must be 1 to 1024");
    tlb_free(&tlb);
}

static uint32_t entries_in(struct tlb *tlb, uint32_t n_pages)
{
    uint32_t n = 0;
    for (uint32_t page = 0; page < n_pages; page++)
        n += tlb_lookup(tlb, page) != NULL;
    return n;
}

/* Emptied entries are filled before any is displaced, in order of their number. */
TEST(a_flush_leaves_room_that_is_filled_first)
{
    for (int policy = REPLACEMENT_RANDOM; policy <= REPLACEMENT_LRU; policy++) {
        struct tlb tlb;
        struct tlb_entry victim;
        assert_int_equal(tlb_init(&tlb, 7, (enum machine_replacement)policy, 3, NULL), ARMPMU_OK);
        for (uint64_t page = 0; page < 7; page++)
            tlb_fill(&tlb, page, page + 100, &victim);
        tlb_flush_page(&tlb, 5);
        tlb_flush_page(&tlb, 2);
        tlb_flush_page(&tlb, 77); /* not there */
        assert_int_equal(entries_in(&tlb, 8), 5);
        assert_ptr_equal(tlb_fill(&tlb, 20, 1, &victim), &tlb.entries[2]);
        assert_false(victim.valid);
        assert_ptr_equal(tlb_fill(&tlb, 21, 1, &victim), &tlb.entries[5]);
        assert_false(victim.valid);
        assert_int_equal(entries_in(&tlb, 32), 7);
        tlb_fill(&tlb, 22, 1, &victim);
        assert_true(victim.valid);
        tlb_flush(&tlb);
        assert_int_equal(entries_in(&tlb, 32), 0);
        for (uint64_t page = 0; page < 7; page++) {
            assert_ptr_equal(tlb_fill(&tlb, page, 1, &victim), &tlb.entries[page]);
            assert_false(victim.valid);
        }
        tlb_free(&tlb);
    }
}

/* Names that share a virtual number are entries of their own, and leave together. */
/* However often: what was in the buckets is gone as well. */
TEST(a_flushed_tlb_finds_nothing)
{
    struct tlb tlb;
    struct tlb_entry victim;
    assert_int_equal(tlb_init(&tlb, 7, REPLACEMENT_ROUND_ROBIN, 0, NULL), ARMPMU_OK);
    for (uint64_t round = 1; round < 100; round++) {
        for (uint64_t i = 0; i < 7; i++)
            tlb_fill(&tlb, i * round, i, &victim);
        assert_int_equal(entries_in(&tlb, 1024), 7);
        tlb_flush(&tlb);
        assert_int_equal(entries_in(&tlb, 1024), 0);
    }
    tlb_free(&tlb);
}

TEST(a_flush_of_a_page_takes_it_from_all_address_spaces)
{
    struct tlb tlb;
    struct tlb_entry victim;
    assert_int_equal(tlb_init(&tlb, 8, REPLACEMENT_LRU, 3, NULL), ARMPMU_OK);
    for (uint64_t space = 0; space < 4; space++)
        for (uint64_t page = 6; page < 8; page++)
            tlb_fill(&tlb, space << 32 | page, space * 10 + page, &victim);
    assert_int_equal(tlb_lookup(&tlb, UINT64_C(3) << 32 | 7)->physical_page, 37);
    tlb_flush_page(&tlb, 6);
    for (uint64_t space = 0; space < 4; space++) {
        assert_null(tlb_lookup(&tlb, space << 32 | 6));
        assert_int_equal(tlb_lookup(&tlb, space << 32 | 7)->physical_page, space * 10 + 7);
    }
    tlb_free(&tlb);
}

TEST(a_mask_says_which_bits_of_a_name_are_the_page)
{
    const uint64_t mask = (UINT64_C(1) << 36) - 1, space = UINT64_C(7) << 36;
    struct tlb tlb;
    struct tlb_entry victim;

    assert_int_equal(tlb_init(&tlb, 4, REPLACEMENT_LRU, 0, NULL), ARMPMU_OK);
    tlb_fill(&tlb, 5 | space, 1, &victim);
    tlb_fill(&tlb, 5 | UINT64_C(1) << 32, 2, &victim);
    tlb_flush_masked(&tlb, 5, mask);
    assert_null(tlb_lookup(&tlb, 5 | space));
    assert_non_null(tlb_lookup(&tlb, 5 | UINT64_C(1) << 32)); /* the same 32 bits, another page */
    tlb_flush_page(&tlb, 5);
    assert_null(tlb_lookup(&tlb, 5 | UINT64_C(1) << 32));
    tlb_free(&tlb);
}

TEST(an_entry_that_hits_again_is_the_newest)
{
    struct tlb tlb;
    struct tlb_entry victim;

    assert_int_equal(tlb_init(&tlb, 2, REPLACEMENT_LRU, 0, NULL), ARMPMU_OK);
    const uint32_t one = (uint32_t)(tlb_fill(&tlb, 1, 1, &victim) - tlb.entries);
    tlb_fill(&tlb, 2, 2, &victim);
    assert_true(tlb_hits_again(&tlb, one, 1));
    assert_false(tlb_hits_again(&tlb, one, 2));
    tlb_fill(&tlb, 3, 3, &victim);
    assert_int_equal(victim.virtual_page, 2);
    tlb_flush_page(&tlb, 1);
    assert_false(tlb_hits_again(&tlb, one, 1));
    tlb_fill(&tlb, 0, 3, &victim);
    tlb_flush(&tlb);
    assert_false(tlb_hits_again(&tlb, one, 0)); /* page 0 of an empty entry is none */
    tlb_free(&tlb);
}

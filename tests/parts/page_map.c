/* The page map is a permutation that the seed chooses. */
#include "parts/page_map.h"

#include <stdlib.h>

#include "../test.h"
#include "../reference/pick.h"

#define N_PAGES (UINT32_C(1) << 20)

TEST(every_frame_has_exactly_one_page)
{
    static const uint64_t seeds[] = {0, 1, 0xffffffff, UINT64_C(0x123456789abcdef0)};
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        struct page_map map;
        page_map_init(&map, PAGE_MAP_SCATTERED, seeds[i]);
        uint8_t *taken = calloc(N_PAGES, 1);
        assert_non_null(taken);
        for (uint32_t page = 0; page < N_PAGES; page++) {
            uint64_t frame = page_map_physical(&map, page);
            if (frame >= N_PAGES || taken[frame]++ != 0)
                fail_msg("seed %llu: page %x has frame %llx, which is taken or too high",
                         (unsigned long long)seeds[i], page, (unsigned long long)frame);
        }
        free(taken);
    }
}

/* Frames of a second implementation of the same rounds, run once: the map is the same everywhere.
 */
TEST(page_map48_are_the_same_on_every_host)
{
    static const struct {
        int line;
        uint64_t seed, page, frame;
    } cases[] = {
        {__LINE__, 1, 0, 0x5ccc9},       {__LINE__, 1, 1, 0x81557},       {__LINE__, 1, 8, 0xf4aaf},
        {__LINE__, 1, 0x10000, 0xf3983}, {__LINE__, 1, 0xfffff, 0x3aeb8}, {__LINE__, 2, 0, 0x91da1},
        {__LINE__, 2, 8, 0xe14b7},       {__LINE__, 2, 0xfffff, 0xfb3b5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct page_map map;
        page_map_init(&map, PAGE_MAP_SCATTERED, cases[i].seed);
        uint64_t frame = page_map_physical(&map, cases[i].page);
        if (frame != cases[i].frame)
            fail_msg("case of line %d: frame %llx, want %llx", cases[i].line,
                     (unsigned long long)frame, (unsigned long long)cases[i].frame);
    }
}

TEST(two_seeds_give_different_maps_without_a_pattern)
{
    struct page_map first, second;
    page_map_init(&first, PAGE_MAP_SCATTERED, 1);
    page_map_init(&second, PAGE_MAP_SCATTERED, 2);
    uint32_t n_same = 0, n_fixed = 0, n_colour_differs = 0, n_neighbours = 0;
    for (uint32_t page = 0; page < N_PAGES; page++) {
        uint64_t frame = page_map_physical(&first, page);
        n_same += frame == page_map_physical(&second, page);
        n_fixed += frame == page;
        n_colour_differs += (frame ^ page) & 1;
        n_neighbours += page_map_physical(&first, page ^ 1) == (frame ^ 1);
    }
    /* Chance alone gives about one of each, and half of the colours. */
    assert_in_range(n_same, 0, 64);
    assert_in_range(n_fixed, 0, 64);
    assert_in_range(n_neighbours, 0, 64);
    assert_in_range(n_colour_differs, N_PAGES / 100 * 48, N_PAGES / 100 * 52);
}

TEST(bits_above_the_low_twenty_are_kept)
{
    struct page_map map;
    page_map_init(&map, PAGE_MAP_SCATTERED, 7);
    for (uint32_t page = 0; page < 1000; page++) {
        uint64_t high = UINT64_C(0xfedcba9876500000);
        assert_true(page_map_physical(&map, high | page) == (high | page_map_physical(&map, page)));
    }
}

TEST(pages_of_a_run_stay_side_by_side)
{
    struct page_map single, map;
    page_map_init(&single, PAGE_MAP_SCATTERED, 7);
    page_map_init(&map, PAGE_MAP_SCATTERED, 7);
    map.run_shift = 4;
    for (uint64_t page = 0; page < 16 * 1000; page++) {
        const uint64_t run = page_map_physical(&single, page / 16);
        assert_true(page_map_physical(&map, page) == run * 16 + page % 16);
    }
}

/* Four pages side by side are scattered, and no two pages of 2^22 share a frame. */
TEST(low_bits_are_kept)
{
    const uint64_t n_pages = UINT64_C(4) * N_PAGES;
    uint8_t *const taken = calloc(n_pages, 1);
    unsigned n_neighbours = 0;
    struct page_map map;
    page_map_init(&map, PAGE_MAP_SCATTERED, 7);
    map.kept_shift = 2;
    for (uint64_t page = 0; page < n_pages; page++) {
        const uint64_t frame = page_map_physical(&map, page);
        assert_true(frame < n_pages && frame % 4 == page % 4);
        assert_int_equal(taken[frame]++, 0);
        n_neighbours += page % 4 != 0 && frame == page_map_physical(&map, page - 1) + 1;
    }
    assert_in_range(n_neighbours, 0, 64);
    free(taken);
}

TEST(identity_is_identity_whatever_the_seed)
{
    struct page_map map;
    page_map_init(&map, PAGE_MAP_IDENTITY, 7);
    for (uint64_t page = 0; page < 1000; page++)
        assert_true(page_map_physical(&map, page << 40 | page) == (page << 40 | page));
}

TEST(a_page_that_was_placed_lies_there_and_the_others_at_home)
{
    struct page_map map;
    page_map_init(&map, PAGE_MAP_SCATTERED, 7);
    assert_false(page_map_is_placed(&map));
    assert_true(page_map_physical(&map, 5) != 5);
    assert_int_equal(page_map_place(&map, N_PAGES - 1, 0), ARMPMU_OK);
    assert_true(page_map_is_placed(&map));
    assert_int_equal(page_map_place(&map, 3, 0), ARMPMU_OK);
    assert_int_equal(page_map_physical(&map, N_PAGES - 1), 0);
    assert_int_equal(page_map_physical(&map, 3), 0); /* a frame may be shared */
    assert_int_equal(page_map_physical(&map, 5), 5);
    assert_int_equal(page_map_place(&map, 3, N_PAGES - 1), ARMPMU_OK);
    assert_int_equal(page_map_physical(&map, 3), N_PAGES - 1);
    assert_int_equal(page_map_physical(&map, 3 * N_PAGES + 3), 3 * N_PAGES + N_PAGES - 1);
    page_map_free(&map);
    page_map_free(&map);
}

/* A walk remembers; what it remembers goes when pages are placed. */
TEST(a_walk_finds_what_the_map_says)
{
    struct page_map map;
    uint64_t picks = 1;
    page_map_init(&map, PAGE_MAP_SCATTERED, 7);
    for (unsigned op = 0; op < 300000; op++) {
        const uint32_t page = pick(&picks, 8) << 17 | pick(&picks, 400); /* more than remembered */
        if (op >= 100000 && pick(&picks, 4) == 0)
            assert_int_equal(page_map_place(&map, page, pick(&picks, N_PAGES)), ARMPMU_OK);
        assert_int_equal(page_map_walk(&map, page), page_map_physical(&map, page));
    }
    page_map_free(&map);
}

/* Placed pages against a plain list. */
#include "parts/page_map48.h"

#include "../test.h"
#include "../reference/pick.h"

#define PAGES 5000 /* more than the table begins with */

TEST(pages_lie_where_they_were_placed_last)
{
    static uint64_t physical[PAGES];
    struct page_map48 frames = {0};
    uint64_t seed = 3;

    for (unsigned n = 0; n < 4 * PAGES; n++) {
        const uint32_t page = pick(&seed, PAGES);
        const uint64_t virtual_page = (uint64_t)page << 22 | page; /* up to 36 bits */
        assert_true(page_map48_physical(&frames, virtual_page) ==
                    (physical[page] != 0 ? physical[page] : virtual_page));
        physical[page] = 1 + pick(&seed, 1u << 30);
        assert_int_equal(page_map48_place(&frames, virtual_page, physical[page]), ARMPMU_OK);
    }
    for (uint32_t page = 0; page < PAGES; page++) {
        const uint64_t virtual_page = (uint64_t)page << 22 | page;
        assert_true(page_map48_physical(&frames, virtual_page) ==
                    (physical[page] != 0 ? physical[page] : virtual_page));
    }
    assert_true(page_map48_physical(&frames, 0xffffffff0) == 0xffffffff0);
    page_map48_free(&frames);
    page_map48_free(&frames);
    assert_true(page_map48_physical(&frames, 77) == 77);
}

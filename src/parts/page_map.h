/* Virtual to physical pages.
 *
 * scattered: a seeded permutation of the 20-bit page number (four Feistel rounds), or of the number
 * of a run of pages, which stay side by side, with as many low bits kept as a virtually indexed
 * cache needs. So page colours differ as they do on a real system,
 * no two pages share a frame, and the mapping does not depend on the order in which threads touch
 * pages. Once a page is placed from outside, every page lies at its own address until it is placed,
 * and pages may share a frame. Does not model: an operating system's allocator, page_map48 beyond 4
 * GiB. */
#ifndef PARTS_PAGE_MAP_H
#define PARTS_PAGE_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "base/arm.h"
#include "base/compiler.h"
#include "machine/machine.h"

#define PAGE_MAP_ROUNDS 4
#define PAGE_MAP_RECENT 256 /* frames that are known without working them out */

struct page_frame {
    uint32_t page_plus_1, frame; /* 0: none */
};

struct page_map {
    enum machine_page_map kind;
    uint32_t key[PAGE_MAP_ROUNDS];
    unsigned run_shift;  /* log2 of the pages of a run; 0 after page_map_init */
    unsigned kept_shift; /* how many low bits of each page number are kept; 0 after page_map_init */
    uint32_t *placed;    /* virtual page xor its frame, by virtual page; NULL before the first */
    struct page_frame recent[PAGE_MAP_RECENT];
};

/* seed: chooses the permutation; identity ignores it. */
void page_map_init(struct page_map *map, enum machine_page_map kind, uint64_t seed);

/* Releases what page_map_place took. A zeroed map is fine. */
void page_map_free(struct page_map *map);

/* Page numbers, not addresses. Bits above the low 20, and those of a run or kept, stay. */
uint64_t page_map_physical(const struct page_map *map, uint64_t virtual_page);

/* Returns whether a page was ever placed. */
static inline bool page_map_is_placed(const struct page_map *map)
{
    return map->placed != NULL;
}

/* As page_map_physical, of a page below 2^20, and remembers it: what a table walk asks. */
static inline uint64_t page_map_walk(struct page_map *map, uint32_t virtual_page)
{
    struct page_frame *const known = &map->recent[virtual_page % PAGE_MAP_RECENT];
    if (unlikely(known->page_plus_1 != virtual_page + 1))
        *known = (struct page_frame){.page_plus_1 = virtual_page + 1,
                                     .frame = (uint32_t)page_map_physical(map, virtual_page)};
    return known->frame;
}

/* Places a page; page numbers are below 2^20. Returns ARMPMU_OK, or ARMPMU_NO_MEMORY with the map
 * as it was. */
ARMPMU_MUST_USE enum armpmu_status page_map_place(struct page_map *map, uint32_t virtual_page,
                                                  uint32_t physical_page);

#endif

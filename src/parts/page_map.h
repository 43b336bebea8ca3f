/* Virtual to physical pages.
 *
 * scattered: a seeded permutation of the 20-bit page number (four Feistel rounds), so that page
 * colours differ as they do on a real system, no two pages share a frame, and the mapping does not
 * depend on the order in which threads touch pages. Once a page is placed from outside, every page
 * lies at its own address until it is placed, and pages may share a frame. Does not model: an
 * operating system's allocator, page_map48 beyond 4 GiB. */
#ifndef PARTS_PAGE_MAP_H
#define PARTS_PAGE_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "base/arm.h"
#include "machine/machine.h"

#define PAGE_MAP_ROUNDS 4

struct page_map {
    enum machine_page_map kind;
    uint32_t key[PAGE_MAP_ROUNDS];
    uint32_t *placed; /* virtual page xor its frame, by virtual page; NULL before the first */
};

/* seed: chooses the permutation; identity ignores it. */
void page_map_init(struct page_map *map, enum machine_page_map kind, uint64_t seed);

/* Releases what page_map_place took. A zeroed map is fine. */
void page_map_free(struct page_map *map);

/* Page numbers, not addresses. Bits above the low 20 are kept. */
uint64_t page_map_physical(const struct page_map *map, uint64_t virtual_page);

/* Whether a page was ever placed. */
static inline bool page_map_is_placed(const struct page_map *map)
{
    return map->placed != NULL;
}

/* Places a page; page numbers are below 2^20. Returns ARMPMU_OK, or ARMPMU_NO_MEMORY with the map
 * as it was. */
ARMPMU_MUST_USE enum armpmu_status page_map_place(struct page_map *map, uint32_t virtual_page,
                                                  uint32_t physical_page);

#endif

/* Virtual to physical pages.
 *
 * scattered: a seeded permutation of the 20-bit page number (four Feistel rounds), so that page
 * colours differ as they do on a real system, no two pages share a frame, and the mapping does not
 * depend on the order in which threads touch pages.
 * Does not model: an operating system's allocator, shared mappings, frames beyond 4 GiB. */
#ifndef UARCH_PAGE_MAP_H
#define UARCH_PAGE_MAP_H

#include <stdint.h>

#include "catalog/machine.h"

#define PAGE_SHIFT      12
#define PAGE_MAP_ROUNDS 4

struct page_map {
    enum machine_page_map kind;
    uint32_t key[PAGE_MAP_ROUNDS];
};

/* seed: chooses the permutation; identity ignores it. */
void page_map_init(struct page_map *map, enum machine_page_map kind, uint64_t seed);

/* Page numbers, not addresses. Bits above the low 20 are kept. */
uint64_t page_map_physical(const struct page_map *map, uint64_t virtual_page);

#endif

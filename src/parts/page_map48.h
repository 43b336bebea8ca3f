/* The physical page of each virtual page of a 48-bit address space.
 *
 * Assumes: page numbers of 36 bits. A page that was not placed lies at its own address. Does not
 * model: page tables; larger pages.
 *
 * A table of its own, not base/intern.h: each miss of a TLB asks, so that a page and its place
 * are in one cache line of the host. */
#ifndef PARTS_PAGE_MAP48_H
#define PARTS_PAGE_MAP48_H

#include <stdint.h>

#include "armpmu/status.h"

struct page_map48_entry {
    uint64_t virtual_page; /* + 1, 0 for an empty entry */
    uint64_t physical_page;
};

struct page_map48 {
    struct page_map48_entry *entries; /* a hash table without chains; NULL before the first page */
    uint64_t mask;                    /* entries - 1 */
    uint64_t n_placed;
};

/* Releases what page_map48_place took. A map begins zeroed; one without places, or freed already,
 * may be freed. */
void page_map48_free(struct page_map48 *page_map48);

/* Places a page. Returns ARMPMU_OK, or ARMPMU_NO_MEMORY with all as it was. */
ARMPMU_MUST_USE enum armpmu_status page_map48_place(struct page_map48 *page_map48,
                                                    uint64_t virtual_page, uint64_t physical_page);

uint64_t page_map48_physical(const struct page_map48 *page_map48, uint64_t virtual_page);

#endif

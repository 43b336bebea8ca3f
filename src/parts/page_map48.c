#include "parts/page_map48.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define FIRST_ENTRIES 1024 /* a power of two */

void page_map48_free(struct page_map48 *page_map48)
{
    free(page_map48->entries);
    *page_map48 = (struct page_map48){0};
}

/* The page's entry, or the empty one where it would be. Multiplying by an odd constant near
 * 2^64 / golden ratio spreads neighbouring pages; the middle bits are the best mixed. */
static struct page_map48_entry *entry_of(const struct page_map48 *page_map48, uint64_t virtual_page)
{
    uint64_t at = virtual_page * UINT64_C(0x9e3779b97f4a7c15) >> 20 & page_map48->mask;
    while (page_map48->entries[at].virtual_page != 0 &&
           page_map48->entries[at].virtual_page != virtual_page + 1)
        at = (at + 1) & page_map48->mask;
    return &page_map48->entries[at];
}

/* Makes room so that at most half of the entries are taken. */
static bool grow(struct page_map48 *page_map48)
{
    const uint64_t entries =
        page_map48->entries == NULL ? FIRST_ENTRIES : 2 * (page_map48->mask + 1);
    struct page_map48 larger = {
        .entries = calloc((size_t)entries, sizeof *larger.entries),
        .mask = entries - 1,
        .n_placed = page_map48->n_placed,
    };
    if (larger.entries == NULL)
        return false;
    if (page_map48->entries != NULL)
        for (uint64_t i = 0; i <= page_map48->mask; i++)
            if (page_map48->entries[i].virtual_page != 0)
                *entry_of(&larger, page_map48->entries[i].virtual_page - 1) =
                    page_map48->entries[i];
    free(page_map48->entries);
    *page_map48 = larger;
    return true;
}

enum armpmu_status page_map48_place(struct page_map48 *page_map48, uint64_t virtual_page,
                                    uint64_t physical_page)
{
    if ((page_map48->entries == NULL || 2 * page_map48->n_placed > page_map48->mask) &&
        !grow(page_map48))
        return ARMPMU_NO_MEMORY;
    struct page_map48_entry *entry = entry_of(page_map48, virtual_page);
    page_map48->n_placed += entry->virtual_page == 0;
    *entry = (struct page_map48_entry){virtual_page + 1, physical_page};
    return ARMPMU_OK;
}

uint64_t page_map48_physical(const struct page_map48 *page_map48, uint64_t virtual_page)
{
    if (page_map48->entries == NULL)
        return virtual_page;
    const struct page_map48_entry *entry = entry_of(page_map48, virtual_page);
    return entry->virtual_page == 0 ? virtual_page : entry->physical_page;
}

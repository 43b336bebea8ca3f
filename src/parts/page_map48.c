#include "parts/page_map48.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define FIRST_ENTRIES 1024 /* a power of two */

void page_map48_free(struct page_map48 *frames)
{
    free(frames->entries);
    *frames = (struct page_map48){0};
}

/* The page's entry, or the empty one where it would be. Multiplying by an odd constant near
 * 2^64 / golden ratio spreads neighbouring pages; the middle bits are the best mixed. */
static struct page_map48_entry *entry_of(const struct page_map48 *frames, uint64_t virtual_page)
{
    uint64_t at = virtual_page * UINT64_C(0x9e3779b97f4a7c15) >> 20 & frames->mask;
    while (frames->entries[at].virtual_page != 0 &&
           frames->entries[at].virtual_page != virtual_page + 1)
        at = (at + 1) & frames->mask;
    return &frames->entries[at];
}

/* Makes room so that at most half of the entries are taken. */
static bool grow(struct page_map48 *frames)
{
    const uint64_t entries = frames->entries == NULL ? FIRST_ENTRIES : 2 * (frames->mask + 1);
    struct page_map48 larger = {
        .entries = calloc((size_t)entries, sizeof *larger.entries),
        .mask = entries - 1,
        .n_placed = frames->n_placed,
    };
    if (larger.entries == NULL)
        return false;
    if (frames->entries != NULL)
        for (uint64_t i = 0; i <= frames->mask; i++)
            if (frames->entries[i].virtual_page != 0)
                *entry_of(&larger, frames->entries[i].virtual_page - 1) = frames->entries[i];
    free(frames->entries);
    *frames = larger;
    return true;
}

enum armpmu_status page_map48_place(struct page_map48 *frames, uint64_t virtual_page,
                                    uint64_t physical_page)
{
    if ((frames->entries == NULL || 2 * frames->n_placed > frames->mask) && !grow(frames))
        return ARMPMU_NO_MEMORY;
    struct page_map48_entry *entry = entry_of(frames, virtual_page);
    frames->n_placed += entry->virtual_page == 0;
    *entry = (struct page_map48_entry){virtual_page + 1, physical_page};
    return ARMPMU_OK;
}

uint64_t page_map48_physical(const struct page_map48 *frames, uint64_t virtual_page)
{
    if (frames->entries == NULL)
        return virtual_page;
    const struct page_map48_entry *entry = entry_of(frames, virtual_page);
    return entry->virtual_page == 0 ? virtual_page : entry->physical_page;
}

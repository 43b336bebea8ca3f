#include "parts/page_map.h"

#include <stdlib.h>
#include <string.h>

#include "parts/random.h"

#define HALF_BITS 10 /* a 20-bit page number is two halves */
#define HALF_MASK ((UINT32_C(1) << HALF_BITS) - 1)
#define N_PAGES   (UINT32_C(1) << (2 * HALF_BITS))

void page_map_init(struct page_map *map, enum machine_page_map kind, uint64_t seed)
{
    struct random random = {seed};
    *map = (struct page_map){.kind = kind};
    for (unsigned round = 0; round < PAGE_MAP_ROUNDS; round++)
        map->key[round] = (uint32_t)(random_next(&random) >> 32);
}

void page_map_free(struct page_map *map)
{
    free(map->placed);
    map->placed = NULL;
}

enum armpmu_status page_map_place(struct page_map *map, uint32_t virtual_page,
                                  uint32_t physical_page)
{
    if (map->placed == NULL) {
        map->placed = calloc(N_PAGES, sizeof *map->placed);
        memset(map->recent, 0, sizeof map->recent); /* every page has moved */
    }
    if (map->placed == NULL)
        return ARMPMU_NO_MEMORY;
    map->recent[virtual_page % PAGE_MAP_RECENT] = (struct page_frame){0};
    map->placed[virtual_page] = virtual_page ^ physical_page;
    return ARMPMU_OK;
}

/* Any function does for a permutation; this one lets every bit of half and key reach the result. */
static uint32_t scramble(uint32_t half, uint32_t key)
{
    uint32_t mixed = (half ^ key) * UINT32_C(0x9e3779b1);
    mixed = (mixed ^ mixed >> 15) * UINT32_C(0x85ebca77);
    return mixed >> (32 - HALF_BITS);
}

uint64_t page_map_physical(const struct page_map *map, uint64_t virtual_page)
{
    if (map->placed != NULL)
        return virtual_page ^ map->placed[virtual_page % N_PAGES];
    if (map->kind == PAGE_MAP_IDENTITY)
        return virtual_page;
    const unsigned shift = map->run_shift > map->kept_shift ? map->run_shift : map->kept_shift;
    const uint64_t low = virtual_page & ((UINT64_C(1) << shift) - 1);
    const uint32_t tweak = (uint32_t)(low >> map->run_shift) << HALF_BITS;
    const uint64_t run = virtual_page >> shift;
    uint32_t left = (uint32_t)(run >> HALF_BITS) & HALF_MASK;
    uint32_t right = (uint32_t)run & HALF_MASK;
    for (unsigned round = 0; round < PAGE_MAP_ROUNDS; round++) {
        uint32_t next = left ^ scramble(right | tweak, map->key[round]);
        left = right;
        right = next;
    }
    const uint64_t kept = run >> (2 * HALF_BITS) << (2 * HALF_BITS);
    return (kept | left << HALF_BITS | right) << shift | low;
}

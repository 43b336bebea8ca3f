#include "parts/block_map.h"

#include <stdlib.h>

#include "base/array.h"

#define NO_BLOCK BLOCK_MAP_NONE

/* Two halves of a tree: that of lower addresses and the other. */
struct halves {
    uint32_t low, high;
};

static uint32_t root_of(const struct block_map *map)
{
    return map->root - 1; /* NO_BLOCK of 0 */
}

/* A parent's is greater than its children's. */
static uint32_t priority(const struct block_map *map, uint32_t at)
{
    uint64_t mixed = map->blocks[at].start * UINT64_C(0x9e3779b97f4a7c15);

    mixed =
        (mixed ^ mixed >> 32) * UINT64_C(0xd6e8feb86659fd93); /* steps between blocks are even */
    return (uint32_t)(mixed >> 32);
}

static uint32_t merge(struct block_map *map, uint32_t low, uint32_t high)
{
    if (low == NO_BLOCK || high == NO_BLOCK)
        return low == NO_BLOCK ? high : low;
    if (priority(map, low) > priority(map, high)) {
        map->blocks[low].right = merge(map, map->blocks[low].right, high);
        return low;
    }
    map->blocks[high].left = merge(map, low, map->blocks[high].left);
    return high;
}

/* Those that start before an address, and the others. */
static struct halves split(struct block_map *map, uint32_t at, uint64_t address)
{
    if (at == NO_BLOCK)
        return (struct halves){NO_BLOCK, NO_BLOCK};
    struct mapped_block *const block = &map->blocks[at];
    if (block->start < address) {
        const struct halves rest = split(map, block->right, address);
        block->right = rest.low;
        return (struct halves){at, rest.high};
    }
    const struct halves rest = split(map, block->left, address);
    block->left = rest.high;
    return (struct halves){rest.low, at};
}

/* There is room. */
static uint32_t take(struct block_map *map, struct mapped_block block)
{
    uint32_t at = map->free - 1;

    if (map->free != 0)
        map->free = map->blocks[at].right + 1;
    else
        at = (uint32_t)map->n++;
    block.left = block.right = NO_BLOCK;
    map->blocks[at] = block;
    return at;
}

static void release(struct block_map *map, uint32_t at)
{
    if (at == NO_BLOCK)
        return;
    release(map, map->blocks[at].left);
    release(map, map->blocks[at].right);
    map->blocks[at].right = map->free - 1;
    map->free = at + 1;
}

static uint32_t last_of(const struct block_map *map, uint32_t at)
{
    while (at != NO_BLOCK && map->blocks[at].right != NO_BLOCK)
        at = map->blocks[at].right;
    return at;
}

/* Shortens what reaches past `start`; what it has past `end`, as a tree. */
static uint32_t cut(struct block_map *map, uint32_t tree, uint64_t start, uint64_t end)
{
    const uint32_t at = last_of(map, tree);

    if (at == NO_BLOCK || map->blocks[at].end <= start)
        return NO_BLOCK;
    struct mapped_block rest = map->blocks[at];
    if (map->blocks[at].start < start)
        map->blocks[at].end = start;
    rest.start = end;
    return rest.end > end ? take(map, rest) : NO_BLOCK;
}

bool block_map_add(struct block_map *map, uint64_t start, uint64_t end, uint32_t value)
{
    if (!ARRAY_RESERVE(map->blocks, map->room, map->n + 3))
        return false;
    const struct halves before = split(map, root_of(map), start);
    const struct halves after = split(map, before.high, end);
    const uint32_t rests[] = {cut(map, before.low, start, end), cut(map, after.low, start, end)};
    release(map, after.low);
    uint32_t tree = merge(
        map, before.low,
        take(map,
             (struct mapped_block){.start = start, .end = end, .begins = start, .value = value}));
    tree = merge(map, tree, rests[0] != NO_BLOCK ? rests[0] : rests[1]);
    map->root = merge(map, tree, after.high) + 1;
    return true;
}

const struct mapped_block *block_map_find(const struct block_map *map, uint64_t address)
{
    const struct mapped_block *found = NULL;

    for (uint32_t at = root_of(map); at != NO_BLOCK;) {
        const struct mapped_block *const block = &map->blocks[at];
        if (block->start <= address)
            found = block;
        at = block->start <= address ? block->right : block->left;
    }
    return found != NULL && address < found->end ? found : NULL;
}

static bool each(const struct block_map *map, uint32_t at,
                 bool (*call)(void *user, const struct mapped_block *block), void *user)
{
    return at == NO_BLOCK ||
           (each(map, map->blocks[at].left, call, user) && call(user, &map->blocks[at]) &&
            each(map, map->blocks[at].right, call, user));
}

bool block_map_each(const struct block_map *map,
                    bool (*call)(void *user, const struct mapped_block *block), void *user)
{
    return each(map, root_of(map), call, user);
}

void block_map_free(struct block_map *map)
{
    free(map->blocks);
    *map = (struct block_map){0};
}

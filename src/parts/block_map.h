/* Blocks of memory by address, each the latest one there: a block that is freed is still known, up
 * to where another one gets its addresses.
 *
 * A tree ordered by address, whose shape comes from hashes of the addresses: the same in each run.
 *
 * Assumes: blocks are added in order of time. Does not model: what frees. */
#ifndef PARTS_BLOCK_MAP_H
#define PARTS_BLOCK_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BLOCK_MAP_NONE UINT32_MAX

/* A part of a block that no later one has. */
struct mapped_block {
    uint64_t start, end; /* of the part */
    uint64_t begins;     /* the whole block */
    uint32_t value;
    uint32_t left, right; /* in the tree, or BLOCK_MAP_NONE; right: the next free one */
};

/* Zeroed it is empty. */
struct block_map {
    struct mapped_block *blocks;
    size_t n, room;
    uint32_t root, free; /* number + 1, 0 for none */
};

/* False, with everything as it was, without memory. */
bool block_map_add(struct block_map *map, uint64_t start, uint64_t end, uint32_t value);

/* The block that holds an address, NULL for none; valid until the next is added. */
const struct mapped_block *block_map_find(const struct block_map *map, uint64_t address);

/* Calls back for each, by address. Returns false as soon as a call does. */
bool block_map_each(const struct block_map *map,
                    bool (*call)(void *user, const struct mapped_block *block), void *user);

void block_map_free(struct block_map *map);

#endif

#include "qemu/plugin/block_index.h"

#include <stdlib.h>
#include <string.h>

#include "qemu/ring.h"

/* FNV-1a over address and code. */
static uint32_t hash(uint64_t address, const uint8_t *bytes, uint32_t n_bytes)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325) ^ address;
    h *= UINT64_C(0x100000001b3);
    for (uint32_t i = 0; i < n_bytes; i++)
        h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
    return (uint32_t)(h ^ h >> 32);
}

static bool block_is(void *ring, const struct ring_block *block, const struct block_key *key)
{
    const uint8_t *code = ring_text(ring, block->text_at);
    return block->address == key->address && block->n_bytes == key->n_bytes &&
           block->n_insns == key->n_insns && block->text_bytes == strlen(key->text) &&
           memcmp(code, key->bytes, key->n_bytes) == 0 &&
           memcmp(code + key->n_bytes, key->text, block->text_bytes) == 0;
}

void block_index_clear(struct block_index *index)
{
    if (index->n_slots != 0)
        memset(index->slots, 0, index->n_slots * sizeof *index->slots);
    index->used = 0;
}

bool block_index_find(const struct block_index *index, void *ring, const struct block_key *key,
                      uint32_t *id)
{
    if (index->n_slots == 0)
        return false;
    uint32_t mask = index->n_slots - 1;
    for (uint32_t i = hash(key->address, key->bytes, key->n_bytes) & mask; index->slots[i] != 0;
         i = (i + 1) & mask) {
        *id = index->slots[i] - 1;
        if (block_is(ring, ring_block(ring, *id), key))
            return true;
    }
    return false;
}

static void insert(struct block_index *index, uint32_t hashed, uint32_t id)
{
    uint32_t mask = index->n_slots - 1, i = hashed & mask;
    while (index->slots[i] != 0)
        i = (i + 1) & mask;
    index->slots[i] = id + 1;
}

static bool grow(struct block_index *index, void *ring)
{
    struct block_index larger = {.n_slots = index->n_slots ? 2 * index->n_slots : 4096,
                                 .used = index->used};
    larger.slots = calloc(larger.n_slots, sizeof *larger.slots);
    if (larger.slots == NULL)
        return false;
    for (uint32_t i = 0; i < index->n_slots; i++) {
        if (index->slots[i] == 0)
            continue;
        const struct ring_block *block = ring_block(ring, index->slots[i] - 1);
        insert(&larger, hash(block->address, ring_text(ring, block->text_at), block->n_bytes),
               index->slots[i] - 1);
    }
    free(index->slots);
    *index = larger;
    return true;
}

bool block_index_add(struct block_index *index, void *ring, const struct block_key *key,
                     uint32_t id)
{
    if (2 * (index->used + 1) > index->n_slots && !grow(index, ring))
        return false;
    insert(index, hash(key->address, key->bytes, key->n_bytes), id);
    index->used++;
    return true;
}

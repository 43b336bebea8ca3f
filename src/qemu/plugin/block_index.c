#include "qemu/plugin/block_index.h"

#include <string.h>

#include "qemu/ring/layout.h"

static uint32_t hash_of(const struct block_key *key)
{
    return hash_bytes(hash_bytes(HASH_START, &key->address, sizeof key->address), key->bytes,
                      key->n_bytes);
}

static bool same(const void *memory, uint32_t id, const void *wanted)
{
    void *const ring = (void *)(uintptr_t)memory;
    const struct ring_block *const block = ring_block(ring, id);
    const struct block_key *const key = wanted;
    const uint8_t *const code = ring_text(ring, block->text_at);

    return block->address == key->address && block->n_bytes == key->n_bytes &&
           block->n_insns == key->n_insns && block->isa == key->isa &&
           memcmp(code, key->bytes, key->n_bytes) == 0;
}

bool block_index_find(const struct intern *index, void *ring, const struct block_key *key,
                      uint32_t *id)
{
    *id = intern_find(index, hash_of(key), same, ring, key);
    return *id != INTERN_NONE;
}

bool block_index_add(struct intern *index, const struct block_key *key, uint32_t id)
{
    return intern_add(index, hash_of(key), id);
}

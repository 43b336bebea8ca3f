#include "isa/block_store.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash_of(const struct code_block *key)
{
    const uint64_t facts[] = {key->address, key->frame[0], key->n_insns};

    return hash_bytes(hash_bytes(HASH_START, facts, sizeof facts), key->bytes, key->n_bytes);
}

static struct code_block *place_of(const struct block_store *store, uint32_t id)
{
    void *const shelf = store->shelf[id / BLOCK_STORE_SHELF];

    return shelf == NULL ? NULL
                         : (void *)((char *)shelf + id % BLOCK_STORE_SHELF * store->block_bytes);
}

static bool is_same(const void *store, uint32_t id, const void *key)
{
    const struct code_block *const left = place_of(store, id), *const right = key;

    return left->address == right->address && left->n_bytes == right->n_bytes &&
           left->n_insns == right->n_insns && left->isa == right->isa &&
           left->mode == right->mode && left->it_state == right->it_state &&
           left->frame[0] == right->frame[0] && left->frame[1] == right->frame[1] &&
           (left->n_bytes == 0 || memcmp(left->bytes, right->bytes, left->n_bytes) == 0);
}

/* The code, and after it the sizes of its instructions. */
static uint8_t *copy_of(const struct code_block *key)
{
    uint8_t *const copy = malloc(key->n_bytes + key->n_insns + 1u);

    if (copy != NULL && key->n_bytes > 0)
        memcpy(copy, key->bytes, key->n_bytes);
    if (copy != NULL && key->n_insns > 0)
        memcpy(copy + key->n_bytes, key->sizes, key->n_insns);
    return copy;
}

static struct code_block *add(struct block_store *store, const struct code_block *key)
{
    if (store->n == BLOCK_STORE_MAX || !intern_reserve(&store->ids))
        return NULL;
    void **const shelf = &store->shelf[store->n / BLOCK_STORE_SHELF];
    if (*shelf == NULL)
        *shelf = calloc(BLOCK_STORE_SHELF, store->block_bytes);
    const uint8_t *const copy = *shelf != NULL ? copy_of(key) : NULL;
    if (copy == NULL)
        return NULL;
    struct code_block *const block = place_of(store, store->n);
    *block = *key;
    block->bytes = copy;
    block->sizes = copy + key->n_bytes;
    block->record = armpmu_record(ARMPMU_RECORD_BLOCK, 0) | store->n++;
    return block;
}

struct code_block *block_store_intern(struct block_store *store, const struct code_block *key,
                                      bool *is_new)
{
    const uint32_t hash = hash_of(key), id = intern_find(&store->ids, hash, is_same, store, key);

    *is_new = false;
    if (id != INTERN_NONE)
        return place_of(store, id);
    struct code_block *const block = add(store, key);
    *is_new = block != NULL && intern_add(&store->ids, hash, store->n - 1);
    return block;
}

struct code_block *block_store_at(const struct block_store *store, uint32_t id)
{
    struct code_block *const block = id < BLOCK_STORE_MAX ? place_of(store, id) : NULL;

    return block != NULL && block->bytes != NULL ? block : NULL;
}

bool block_store_lookup(void *user, uint32_t id, struct armpmu_block_source *out)
{
    const struct code_block *const block = block_store_at(user, id);

    if (block == NULL)
        return false;
    *out = (struct armpmu_block_source){.address = block->address,
                                        .bytes = block->bytes,
                                        .n_bytes = block->n_bytes,
                                        .n_insns = block->n_insns,
                                        .isa = block->isa,
                                        .it_known = true,
                                        .it_before = block->it_state};
    return true;
}

void block_store_free(struct block_store *store)
{
    for (uint32_t id = 0; id < store->n; id++)
        free((void *)(uintptr_t)place_of(store, id)->bytes);
    for (uint32_t i = 0; i < BLOCK_STORE_SHELVES; i++)
        free(store->shelf[i]);
    intern_free(&store->ids);
}

unsigned block_store_insns_before(const struct code_block *block, uint64_t address)
{
    unsigned n = 0;

    if (address - block->address >= block->n_bytes)
        return ARMPMU_RECORD_ALL;
    for (uint64_t at = block->address; n < block->n_insns && at < address;)
        at += block->sizes[n++];
    return n;
}

const uint8_t *block_store_nop(enum armpmu_isa isa)
{
    static const uint8_t nops[][4] = {[ARMPMU_A32] = {0x00, 0xf0, 0x20, 0xe3},
                                      [ARMPMU_T32] = {0xaf, 0xf3, 0x00, 0x80},
                                      [ARMPMU_A64] = {0x1f, 0x20, 0x03, 0xd5}};

    return nops[isa];
}

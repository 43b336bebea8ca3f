/* Finds the block definitions this process has already made since QEMU last threw its translations
 * away, so that code translated again (when it changes back) keeps its id.
 *
 * The definitions are in the ring, which processes share; this knows only where. Blocks of one
 * process have isa/block_store.h. */
#ifndef QEMU_PLUGIN_BLOCK_INDEX_H
#define QEMU_PLUGIN_BLOCK_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"

struct block_key {
    uint64_t address;
    const uint8_t *bytes;
    uint32_t n_bytes;
    uint16_t n_insns;
    uint16_t isa; /* enum ring_isa */
};

bool block_index_find(const struct intern *index, void *ring, const struct block_key *key,
                      uint32_t *id);

/* The block is in the ring already. Returns false when out of memory. */
bool block_index_add(struct intern *index, const struct block_key *key, uint32_t id);

#endif

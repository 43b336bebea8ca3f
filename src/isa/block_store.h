/* Blocks of code as an emulator divides it: each is stored once, with the number that BLOCK records
 * use. Firmware and guests use it, and keep their own facts about a block.
 *
 * Not the store of decoded blocks (isa/code.h), which looks blocks up here on the models' threads
 * and has one for all that are the same code; nor the definitions that the recorder shares with
 * another process (qemu/plugin/block_index.h, qemu/launcher/recorded_blocks.h).
 *
 * Blocks are never moved or forgotten: whoever has a block's number may look it up while others are
 * added. One thread at a time adds. */
#ifndef ISA_BLOCK_STORE_H
#define ISA_BLOCK_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"
#include "base/intern.h"

#define BLOCK_STORE_SHELF   4096u /* blocks */
#define BLOCK_STORE_SHELVES 4096u
#define BLOCK_STORE_MAX     (BLOCK_STORE_SHELF * BLOCK_STORE_SHELVES)

/* Code that executes from its first instruction to its last unless an exception cuts it short. One
 * of no instructions says that execution arrives at its address. */
struct code_block {
    uint64_t record;            /* BLOCK */
    uint64_t page[2], frame[2]; /* virtual and physical page of its first and last byte, if told */
    uint64_t address;
    uint32_t n_bytes;
    uint16_t n_insns;
    enum armpmu_isa isa;
    uint8_t mode;                 /* that it is translated for: the emulator's number */
    uint8_t it_state;             /* T32: ITSTATE at its first instruction */
    const uint8_t *bytes, *sizes; /* of the code, and of each instruction */
};

/* Empty when zeroed but for block_bytes. */
struct block_store {
    size_t block_bytes; /* of a structure that begins with a code block */
    uint32_t n;
    void *shelf[BLOCK_STORE_SHELVES];
    struct intern ids;
};

/* The block that is the same as key, with copies of its bytes and sizes; new ones are zero after
 * the code_block. NULL without memory, and where there are BLOCK_STORE_MAX. */
struct code_block *block_store_intern(struct block_store *store, const struct code_block *key,
                                      bool *is_new);

/* The block of a number, NULL if there is none. */
struct code_block *block_store_at(const struct block_store *store, uint32_t id);

/* An armpmu_block_lookup; user: struct block_store. */
bool block_store_lookup(void *user, uint32_t id, struct armpmu_block_source *out);

/* Frees all but what the emulator added to each. */
void block_store_free(struct block_store *store);

/* How many instructions of a block precede an address; ARMPMU_RECORD_ALL if it is no
 * instruction's. */
unsigned block_store_insns_before(const struct code_block *block, uint64_t address);

/* The bytes of a NOP of 4 bytes. */
const uint8_t *block_store_nop(enum armpmu_isa isa);

#endif

/* Code blocks of firmware, split at intercepted instructions and decoded once. */
#ifndef UNICORN_CODE_BLOCK_H
#define UNICORN_CODE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"
#include "armpmu/status.h"
#include "isa/block_store.h"
#include "isa/insn.h"
#include "unicorn/firmware.h"
#include "unicorn/library.h"
#include "unicorn/processor.h"

struct address_summary;

/* An instruction of a code block that accesses memory. */
struct slot {
    uint16_t index; /* of the instruction */
    uint16_t bytes; /* all it accesses: twice .span where it loads and stores */
    uint16_t span;
    uint8_t condition;
    bool multiple;  /* several registers or elements */
    bool exclusive; /* a store that may not happen */
    bool line;      /* clears a line of .span bytes */
    uint8_t align;  /* bytes, below which an address is unaligned: */
    bool faults;    /* then it faults even without SCTLR.A */
};

/* A block, and what its accesses may be. */
struct firmware_block {
    struct code_block code;
    uint16_t n_slots;
    uint8_t stack_effect; /* as task_stacks_effect has it */
    bool leaves_out;      /* an access, perhaps: one that is not made by the last instruction */
    bool keeps_state;     /* mode, instruction set and IT state are after it what they are in it */
    struct slot *slots;
    struct address_summary *summary; /* its registers by the library's numbers; NULL: none */
};

/* All blocks of firmware are such. */
static inline const struct firmware_block *firmware_block(const struct code_block *code_block)
{
    return (const struct firmware_block *)code_block;
}

/* An instruction with a hook of its own. */
struct hook {
    struct firmware *fw;
    uint64_t address;
    uint32_t word; /* T32 with its first halfword high */
    enum armpmu_isa isa;
    enum intercept_kind kind;
    struct insn_sum sum; /* of a preload: its address */
    uint8_t size, condition;
    bool after; /* of an instruction of the system: the library may continue here in one block */
    bool hooked;
    uc_hook hook;
    struct hook *next;
};

/* A translation block: what the library executes in one go. */
struct tb {
    uint64_t address;
    uint32_t n_bytes;
    enum armpmu_isa isa;
    bool user;
    uint8_t it;       /* ITSTATE at its first instruction */
    bool steps;       /* it begins inside an IT block with an intercepted instruction */
    uint32_t checked; /* code_blocks.generation when its bytes were last compared */
    const struct code_block
        *first; /* up to the first intercepted instruction; NULL: that is the first */
    uint8_t *bytes;
    bool changes_code; /* it may write where code is, or access unaligned: its accesses are watched
                        */
    bool plain;        /* the library's translation of it calls no hook at reads */
    uint32_t runs,
        calls;           /* with a summary, since it was made plain: and what called all the same */
    uint32_t call_limit; /* how many calls until it is made plain */
    uint32_t epoch;      /* the firmware's when its own pages were known */
    struct tb *next;
};

#define TBS_HASH (1u << 16)

struct code_blocks {
    struct block_store store;
    struct decoder *decoder;
    struct tb *tbs[TBS_HASH];
    struct hook *hooks;
    bool unhooked;       /* some hook is not set yet */
    uint32_t generation; /* counts writes to memory that holds known code */
    uint8_t *holds;      /* a bit for each 16 bytes of 4 GiB, to which all other addresses map */
};

ARMPMU_MUST_USE enum armpmu_status code_blocks_new(struct code_blocks *code_blocks,
                                                   struct armpmu_error *err);
void code_blocks_free(struct code_blocks *code_blocks);

/* The tb that begins at an address; NULL when its code cannot be read, or without memory. */
struct tb *code_blocks_tb(struct firmware *fw, uint64_t address, uint32_t n_bytes, uint32_t cpsr);

/* Blocks; NULL without memory, or where there is none to read. That execution arrives at an
 * address; one instruction. */
const struct code_block *code_blocks_arrival(struct firmware *fw, uint64_t address, uint32_t cpsr);
const struct code_block *code_blocks_one(struct firmware *fw, uint64_t address, uint32_t cpsr);

/* The instruction at an address, as if outside of an IT block; false where memory cannot be read.
 */
bool code_blocks_fetch(const struct firmware *fw, uint64_t address, enum armpmu_isa isa,
                       struct hook *out);

/* Instruction n of a code_block, as if outside of an IT block. */
struct hook code_blocks_insn(const struct firmware *fw, const struct code_block *code_block,
                             unsigned n);

/* Instructions `from` to `to` - 1 of a code_block. */
const struct code_block *code_blocks_part(struct firmware *fw, const struct code_block *code_block,
                                          unsigned from, unsigned to);

/* A NOP in place of an instruction of 4 bytes. */
const struct code_block *code_blocks_nop(struct firmware *fw, uint64_t address, uint32_t cpsr);

/* The IT bits of the CPSR before instruction n. */
uint32_t code_blocks_it(const struct code_block *code_block, unsigned n);

/* The tb at an address in the cache of recent ones; NULL if it is not there. */
static inline struct tb *firmware_cached_tb(const struct firmware *fw, uint64_t address,
                                            uint32_t n_bytes, uint32_t cpsr)
{
    struct tb *const tb = fw->cache[(address >> 1) % TB_CACHE];

    return tb != NULL && tb->address == address && tb->n_bytes == n_bytes &&
                   tb->checked == fw->code_blocks->generation && tb->isa == cpsr_isa(cpsr) &&
                   tb->user == cpsr_is_user(cpsr) && tb->it == 0 && (cpsr & CPSR_IT) == 0
               ? tb
               : NULL;
}

/* Returns whether a byte's grain of 16 holds known code. */
static inline bool code_blocks_hold(const struct code_blocks *code_blocks, uint64_t address)
{
    return code_blocks->holds[(uint32_t)address >> 7] >> (address >> 4 & 7) & 1;
}

/* Returns whether a page of 4 KiB holds some. */
static inline bool code_blocks_hold_in_page(const struct code_blocks *code_blocks, uint32_t page)
{
    const uint8_t *const holds = &code_blocks->holds[page << 5];
    uint8_t any = 0;

    for (unsigned i = 0; i < 32; i++)
        any |= holds[i];
    return any != 0;
}

/* The same of any of n_bytes, at least one. */
static inline bool code_blocks_hold_any(const struct code_blocks *code_blocks, uint64_t address,
                                        uint32_t n_bytes)
{
    bool holds = code_blocks_hold(code_blocks, address + n_bytes - 1);

    for (uint32_t at = 0; at < n_bytes; at += 16)
        holds = holds || code_blocks_hold(code_blocks, address + at);
    return holds;
}

#endif

/* Blocks of firmware's code: parted where an instruction stands alone, decoded once. */
#ifndef UNICORN_CODE_BLOCK_H
#define UNICORN_CODE_BLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"
#include "armpmu/status.h"
#include "unicorn/library.h"

struct firmware;
struct forecast;

/* An instruction of a piece that accesses memory. */
struct slot {
    uint16_t index; /* of the instruction */
    uint16_t bytes; /* all it accesses: twice .span where it loads and stores */
    uint16_t span;
    uint8_t condition;
    bool multiple;  /* several registers or elements */
    bool exclusive; /* a store that may not happen */
    bool line;      /* clears a line of .span bytes */
};

/* Code that executes from its first instruction to its last unless an exception cuts it short. */
struct piece {
    uint64_t word; /* BLOCK */
    uint64_t address;
    uint32_t n_bytes;
    uint16_t n_insns, n_slots;
    enum armpmu_isa isa;
    bool user;
    bool leaves_out;  /* an access, perhaps: one that is not made by the last instruction */
    bool keeps_state; /* mode, instruction set and IT state are behind it what they are in it */
    uint8_t it;       /* ITSTATE at its first instruction */
    uint8_t *bytes, *sizes;
    struct slot *slots;
    struct forecast *forecast; /* its registers by the library's numbers; NULL: none */
    struct piece *next;        /* of the same hash */
};

/* What an instruction that stands alone does. */
enum alone_kind {
    ALONE_NONE,
    ALONE_TRANSFER,
    ALONE_MEMORY,
    ALONE_SYSTEM,
    ALONE_PRELOAD,
    ALONE_SLEEP,
    ALONE_IT_BLOCK, /* an IT instruction, one of whose instructions stands alone */
    ALONE_LEVEL,    /* of AArch64: registers and calls of Exception levels */
    ALONE_REACHED
};

/* An instruction with a hook of its own. */
struct site {
    struct firmware *fw;
    uint64_t address;
    uint32_t word; /* T32 with its first halfword high */
    enum armpmu_isa isa;
    enum alone_kind kind;
    uint8_t size, condition;
    bool behind; /* of an instruction of the system: the library may go on here in one block */
    bool hooked;
    uc_hook hook;
    struct site *next;
};

/* What the library executes in one go. */
struct stretch {
    uint64_t address;
    uint32_t n_bytes;
    enum armpmu_isa isa;
    bool user;
    uint8_t it;                /* ITSTATE at its first instruction */
    bool steps;                /* it begins inside an IT block where one stands alone */
    uint32_t checked;          /* pieces.generation when its bytes were last compared */
    const struct piece *first; /* up to the first instruction that stands alone; NULL: that is the
                                  first */
    uint8_t *bytes;
    bool changes_code; /* it may write where code is: its accesses are not forecast */
    bool plain;        /* the library's translation of it calls no hook at reads */
    uint32_t runs,
        calls;         /* with a forecast, since it was made plain: and what called all the same */
    uint32_t patience; /* how many calls until it is made plain */
    struct stretch *next;
};

#define PIECES_HASH (1u << 12)

struct pieces {
    pthread_mutex_t lock; /* of list: the model looks pieces up on a thread of its own */
    struct decoder *decoder;
    struct piece **list; /* by number */
    uint32_t n_pieces, room;
    struct piece *by_hash[PIECES_HASH];
    struct stretch *stretches[PIECES_HASH];
    struct site *sites;
    bool unhooked;       /* some site has no hook yet */
    uint32_t generation; /* counts writes to memory that holds known code */
    uint8_t *holds;      /* a bit for each 16 bytes of 4 GiB, which stand for all others */
};

ARMPMU_MUST_USE enum armpmu_status pieces_new(struct pieces *pieces, struct armpmu_error *err);
void pieces_free(struct pieces *pieces);

/* The stretch that begins at an address; NULL when its code cannot be read, or without memory. */
struct stretch *pieces_stretch(struct firmware *fw, uint64_t address, uint32_t n_bytes,
                               uint32_t cpsr);

/* Pieces; NULL without memory, or where there is none to read. That execution arrives at an
 * address; one instruction. */
const struct piece *pieces_arrival(struct firmware *fw, uint64_t address, uint32_t cpsr);
const struct piece *pieces_one(struct firmware *fw, uint64_t address, uint32_t cpsr);

/* The instruction at an address, as if outside of an IT block; false where memory cannot be read.
 */
bool pieces_fetch(const struct firmware *fw, uint64_t address, enum armpmu_isa isa,
                  struct site *out);

/* Instructions `from` to `to` - 1 of a piece. */
const struct piece *pieces_part(struct firmware *fw, const struct piece *piece, unsigned from,
                                unsigned to);

/* A NOP in place of an instruction of 4 bytes. */
const struct piece *pieces_nop(struct firmware *fw, uint64_t address, uint32_t cpsr);

/* The site of an address, NULL for none. */
struct site *pieces_site(const struct pieces *pieces, uint64_t address, enum armpmu_isa isa);

/* The IT bits of the CPSR in front of instruction n. */
uint32_t pieces_it(const struct piece *piece, unsigned n);

/* struct armpmu_block_lookup; user: struct pieces. */
bool pieces_lookup(void *user, uint32_t id, struct armpmu_block_source *out);

/* Whether a byte's grain of 16 holds known code. */
static inline bool pieces_hold(const struct pieces *pieces, uint64_t address)
{
    return pieces->holds[(uint32_t)address >> 7] >> (address >> 4 & 7) & 1;
}

/* The same of any of n_bytes, at least one. */
static inline bool pieces_hold_any(const struct pieces *pieces, uint64_t address, uint32_t n_bytes)
{
    bool holds = pieces_hold(pieces, address + n_bytes - 1);

    for (uint32_t at = 0; at < n_bytes; at += 16)
        holds = holds || pieces_hold(pieces, address + at);
    return holds;
}

#endif

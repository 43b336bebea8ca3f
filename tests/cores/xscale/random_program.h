/* Random XScale programs and ways through them: what each instruction is, said by hand, and the
 * stream as an engine tells it, in blocks and one instruction at a time. */
#ifndef TESTS_CORES_XSCALE_RANDOM_PROGRAM_H
#define TESTS_CORES_XSCALE_RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/trace.h"

enum way_unit { WAY_ALU, WAY_MULTIPLY, WAY_LOAD, WAY_STORE, WAY_SWAP };

#define WAY_FLAGS (1u << 16)

/* Times of 0: one cycle. Those of a multiply and of what the machine file times are with it. */
enum way_timing {
    WAY_FIXED,
    WAY_BY_STEPS,       /* MUL: the steps of a multiply are added to latency, and are its own */
    WAY_LONG_BY_STEPS,  /* UMULL */
    WAY_FLAGS_BY_STEPS, /* MULS: it holds the pipeline until its end */
    WAY_SWAP_CYCLES,
    WAY_SYSTEM_READ,
    WAY_SYSTEM_WRITE,
};

struct way_insn {
    uint32_t word;
    enum way_unit unit;
    enum way_timing timing;
    uint32_t uses, shifted;    /* registers read or written; those that an immediate shift reads */
    uint32_t out, later, base; /* results, one that comes a cycle later, an updated address */
    uint8_t issue, latency, multiplier, base_latency;
    uint8_t records, bytes; /* of its access */
    bool list, may_fail, drains, holds;
};

enum way_end { WAY_GOES_ON, WAY_PREDICTED, WAY_INDIRECT, WAY_LOADED };

enum { WAY_CHUNKS = 24, WAY_CHUNK_INSNS = 16, WAY_INSNS = WAY_CHUNKS * WAY_CHUNK_INSNS };

/* Something that happened. */
struct way_step {
    uint64_t system; /* a SYSTEM, TLB_FLUSH or MMU word behind which nothing executes; 0: an insn */
    uint32_t insn;
    uint32_t address; /* of its access */
    bool accesses, device;
    bool taken;    /* it went elsewhere than to the next */
    uint32_t next; /* address of the next */
};

struct way_words {
    uint64_t word[1 << 18];
    size_t n;
};

struct way {
    uint64_t random;
    uint32_t code[WAY_INSNS];
    const struct way_insn *insns[WAY_INSNS];
    enum way_end ends[WAY_INSNS];
    uint32_t target[WAY_INSNS];
    uint32_t length[WAY_INSNS]; /* of the block that begins here, 0 if none does */
    struct way_step step[1 << 16];
    size_t n_steps;
    struct way_words blocks, single;
};

/* Makes a program and runs n_blocks of its blocks. */
void way_init(struct way *way, uint64_t seed, unsigned n_blocks);

uint32_t way_address(uint32_t insn);

/* An armpmu_block_lookup; user: the struct way. */
struct armpmu_block_source;
bool way_lookup(void *user, uint32_t id, struct armpmu_block_source *out);

#endif

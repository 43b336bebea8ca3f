/* The NEON and VFP unit of the Cortex-A8, behind its queues.
 *
 * The integer pipeline hands each instruction over, in order, and goes on. The unit starts them in
 * order: one of data processing and one of load, store, permute or transfer in a cycle, each when
 * its registers are ready and, of a load, its data has come. An instruction leaves its queue when
 * it starts; where a queue is full, the integer pipeline waits.
 *
 * Assumes: results are forwarded as soon as they are ready; a load takes one entry of the load
 * queue however many registers it fills; a store's data needs no time; the VFP is not pipelined:
 * one of its instructions at a time, and nothing starts beside it.
 * Does not model: which stage reads an operand, results of parts of a register, instructions of
 * more than one micro-operation other than by how long they keep their pipe. */
#ifndef CORES_CORTEX_A8_NEON_H
#define CORES_CORTEX_A8_NEON_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"
#include "isa/insn.h"

#define NEON_QUEUE_MAX 64 /* machine.def allows no more */

enum neon_pipe {
    NEON_PIPE_DATA = 1,
    NEON_PIPE_PERMUTE = 2, /* loads, stores, permutes, transfers */
    NEON_PIPE_BOTH = 3,    /* VFP */
};

/* What the unit has to know about an instruction. */
struct neon_insn {
    uint16_t index;  /* in its block */
    uint8_t latency; /* from its start to its result */
    uint8_t cycles;  /* for which it keeps its pipe */
    uint8_t pipe;    /* enum neon_pipe */
    bool load, transfer;
    uint32_t reads, writes; /* D registers */
};

struct neon_unit {
    uint64_t queued[NEON_QUEUE_MAX]; /* ring: when the last instructions started */
    uint64_t loaded[NEON_QUEUE_MAX]; /* ring: when the last loads started */
    uint32_t queue_size, load_size, queue_next, load_next;
    uint64_t ready[32];
    uint64_t pipe_free[2]; /* data, permute */
    uint64_t last_start;
    uint64_t busy_until;
};

/* What became of an instruction that was handed over. */
struct neon_outcome {
    uint64_t entered; /* its queues had room: the integer pipeline went on */
    uint64_t start;
    uint64_t busy; /* cycles by which it prolongs the time in which the unit has work */
};

void neon_init(struct neon_unit *unit, const struct armpmu_machine *machine);

/* The facts of an instruction of the block; false when it is none of the unit's. */
bool neon_describe(const struct armpmu_machine *machine, const struct insn *insn, unsigned index,
                   struct neon_insn *out);

/* When the queues have room for an instruction, not before a time. */
uint64_t neon_room(const struct neon_unit *unit, const struct neon_insn *insn, uint64_t at);

/* Hands an instruction over at a time not before the last one's `entered`. data: when what it loads
 * has come, 0 if that is no question. */
struct neon_outcome neon_accept(struct neon_unit *unit, const struct neon_insn *insn, uint64_t at,
                                uint64_t data);

#endif

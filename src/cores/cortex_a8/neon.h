/* The NEON and VFP unit of the Cortex-A8, with its queues.
 *
 * The integer pipeline hands each instruction over, in order, and continues. The unit starts them
 * in order: one of data processing and one of load, store, permute or transfer in a cycle, each
 * when its registers are ready and, of a load, its data has come. An instruction leaves its queue
 * when it starts; where a queue is full, the integer pipeline waits.
 *
 * An instruction reads each operand in a stage of its own, N1 to N3, and has its result in a later
 * one, as neon.def tells; results are forwarded from there. Where it passes its pipe in several
 * cycles, the halves of quadwords follow each other, and but for the first and the last of these
 * cycles nothing starts beside it. A multiplication of integers hands its result to the accumulator
 * of a following one of the same type and size in time for any order.
 *
 * Assumes: a load takes one entry of the load queue however many registers it fills; the VFP is not
 * pipelined: one of its instructions at a time, and nothing starts beside it.
 * Does not model: results of parts of a register. */
#ifndef CORES_CORTEX_A8_NEON_H
#define CORES_CORTEX_A8_NEON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arithmetic.h"
#include "base/compiler.h"
#include "machine/machine.h"
#include "isa/insn.h"

#define NEON_QUEUE_MAX 64 /* machine.def allows no more */

enum neon_pipe {
    NEON_PIPE_DATA = 1,
    NEON_PIPE_PERMUTE = 2, /* loads, stores, permutes, transfers */
    NEON_PIPE_BOTH = 3,    /* VFP */
};

enum neon_float {
    NEON_FLOAT_NONE,
    NEON_FLOAT_PLAIN,
    NEON_FLOAT_ACCUMULATE, /* multiplies, then adds: plain ones wait after it */
};

enum {
    NEON_STAGES = 16,       /* no operand is read as late */
    NEON_OPERANDS_MAX = 16, /* VLDM */
};

/* A D register and a time: of a result, from the start on until an operand of the first stage can
 * have it; of an operand NEON_STAGES less the cycles after the start in which it is read. */
struct neon_operand {
    uint8_t reg, time;
};

/* The facts of an instruction that the unit needs. */
struct neon_insn {
    uint16_t index;     /* in its block */
    uint8_t busy;       /* from its start to its last result, and the end of its cycles */
    uint8_t cycles;     /* for which it keeps its pipe */
    uint8_t pipe;       /* enum neon_pipe */
    uint8_t floats;     /* enum neon_float */
    uint8_t multiplies; /* type and size of a multiplication of integers, else 0 */
    bool load, of_memory, transfer;
    bool special;    /* has accumulators, or holds or is held by more than pipes and registers */
    uint8_t n_reads; /* operands[0 ...]: read by all */
    uint8_t n_accumulators; /* then those that `multiplies` can be handed to */
    uint8_t n_results;      /* then these */
    uint8_t n_operands;
    struct neon_operand operands[NEON_OPERANDS_MAX];
};

struct neon_unit {
    uint64_t queued[NEON_QUEUE_MAX]; /* ring: when the last instructions started */
    uint64_t loaded[NEON_QUEUE_MAX]; /* ring: when the last loads started */
    uint32_t queue_size, load_size, queue_next, load_next;
    uint64_t ready[32];     /* for an operand of the first stage */
    uint8_t multiplies[32]; /* of the instructions that made the registers */
    uint64_t pipe_free[4];  /* by enum neon_pipe: what takes it, or them, can start */
    uint64_t last_start;
    uint64_t alone_until;   /* but for what starts with the last: it is between its cycles */
    uint64_t float_free[3]; /* by enum neon_float: no such instruction starts before */
    uint32_t float_wait;
    uint64_t busy_until;
};

/* The outcome of an instruction that was handed over; unit->last_start is when it started. */
struct neon_outcome {
    uint64_t entered; /* its queues had room: the integer pipeline went on */
    uint64_t busy;    /* cycles by which it prolongs the time in which the unit has work */
};

void neon_init(struct neon_unit *unit, const struct armpmu_machine *machine);

/* Returns whether instructions of a class go to the unit. */
static inline bool neon_takes(enum insn_class klass)
{
    return klass >= CLASS_NEON_ALU && klass <= CLASS_NEON_TO_CORE;
}

/* The facts of an instruction of the block; false when it is none of the unit's. */
bool neon_describe(const struct armpmu_machine *machine, const struct insn *insn, unsigned index,
                   struct neon_insn *out);

/* CHOICE(cures): the instruction, if it is none of memory, takes one cycle: it reads in the first
 * stage, and a next one can have its results in the cycle after. */
void neon_make_plain(struct neon_insn *insn);

/* ---- what few instructions meet ---- */

/* Accumulators, and what an instruction of single precision waits for. */
RARE uint64_t neon_special_start(const struct neon_unit *unit, const struct neon_insn *insn,
                                 uint64_t start);
RARE void neon_hold_others(struct neon_unit *unit, const struct neon_insn *insn, uint64_t end);

/* Between the first and the last cycle of an instruction nothing starts. */
RARE uint64_t neon_start_alone(const struct neon_unit *unit, uint64_t start);

/* ---- inline, since the calls took a tenth of the time of programs that use NEON ---- */

static inline uint64_t neon_operands_ready(const struct neon_unit *unit,
                                           const struct neon_operand *at, unsigned n)
{
    uint64_t time = 0;

    for (const struct neon_operand *end = at + n; at < end; at++)
        time = later(time, unit->ready[at->reg] + at->time);
    return time;
}

static inline void neon_make_results(struct neon_unit *unit, const struct neon_insn *insn,
                                     uint64_t start)
{
    const struct neon_operand *end = insn->operands + insn->n_operands;

    for (const struct neon_operand *at = end - insn->n_results; at < end; at++) {
        unit->ready[at->reg] = start + at->time;
        unit->multiplies[at->reg] = insn->multiplies;
    }
}

static inline void neon_take_pipes(struct neon_unit *unit, const struct neon_insn *insn,
                                   uint64_t end)
{
    unit->pipe_free[insn->pipe] = end;
    if (insn->pipe == NEON_PIPE_BOTH)
        unit->pipe_free[NEON_PIPE_DATA] = unit->pipe_free[NEON_PIPE_PERMUTE] = end;
    else
        unit->pipe_free[NEON_PIPE_BOTH] = later(unit->pipe_free[NEON_PIPE_BOTH], end);
    if (unlikely(insn->special))
        neon_hold_others(unit, insn, end);
}

/* Enters a start into a ring. */
static inline void neon_push(uint64_t *ring, uint32_t size, uint32_t *next, uint64_t start)
{
    ring[*next] = start;
    *next = *next + 1 == size ? 0 : *next + 1;
}

static inline uint64_t neon_prolong(struct neon_unit *unit, uint64_t from, uint64_t to)
{
    const uint64_t begin = later(from, unit->busy_until);
    if (to <= begin)
        return 0;
    unit->busy_until = to;
    return to - begin;
}

/* When the queues have room for an instruction, not before a time. */
static inline uint64_t neon_room(const struct neon_unit *unit, const struct neon_insn *insn,
                                 uint64_t at)
{
    const uint64_t room = later(at, unit->queued[unit->queue_next]);
    return insn->load ? later(room, unit->loaded[unit->load_next]) : room;
}

/* Hands an instruction over at a time not before the last one's `entered`. data: when what it loads
 * has come, 0 if that is no question. */
static ALWAYS_INLINE struct neon_outcome
neon_accept(struct neon_unit *unit, const struct neon_insn *insn, uint64_t at, uint64_t data)
{
    const uint64_t entered = neon_room(unit, insn, at);
    const uint64_t operands = neon_operands_ready(unit, insn->operands, insn->n_reads);
    uint64_t start = later(later(entered, unit->last_start), data);
    start = later(start + NEON_STAGES, operands) - NEON_STAGES;
    start = later(start, unit->pipe_free[insn->pipe]);
    if (unlikely(insn->special))
        start = neon_special_start(unit, insn, start);
    if (unlikely(start < unit->alone_until))
        start = neon_start_alone(unit, start);
    neon_take_pipes(unit, insn, start + insn->cycles);
    neon_make_results(unit, insn, start);
    unit->last_start = start;
    neon_push(unit->queued, unit->queue_size, &unit->queue_next, start);
    if (insn->load)
        neon_push(unit->loaded, unit->load_size, &unit->load_next, start);
    return (struct neon_outcome){entered, neon_prolong(unit, entered, start + insn->busy)};
}

#endif

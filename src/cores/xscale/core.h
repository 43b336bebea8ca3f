/* The inside of the XScale core model: what its files share.
 *
 *   core.c            from one block to the next
 *   op.c              instructions as the pipeline sees them
 *   pipeline.c        a block in the pipeline
 *   pipeline_state.c  states of the pipeline, by number
 *   memory.c          caches, TLBs, buffers
 *   bus_unit.c        what the 80200's bus unit counts
 *   btb.h             branch prediction
 *
 * The core issues one instruction a cycle, in order; results come out of order. A block runs
 * instruction by instruction: each waits for its line, its registers, its unit, a free buffer. When
 * all accesses are known to hit and nothing is on its way, the result depends on the state of the
 * pipeline alone, and is remembered with the block. */
#ifndef CORES_XSCALE_CORE_H
#define CORES_XSCALE_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/sim.h"
#include "base/intern.h"
#include "isa/insn.h"
#include "trace/preload.h"
#include "trace/trace_reader.h"
#include "cores/xscale/btb.h"
#include "cores/xscale/memory.h"

/* R0 to R15, flags, GE, Q, FPSCR: the low bits of isa/insn.h's sets. What coprocessors with
 * registers of their own do is not modelled. */
#define XS_REGISTERS 20
#define XS_CORE_SET  ((1u << XS_REGISTERS) - 1)
#define XS_PC        15

/* ---- op.c ---- */

enum xs_unit { XS_ALU, XS_MULTIPLY, XS_LOAD, XS_STORE, XS_SWAP };

struct xs_op {
    uint32_t waits; /* registers that it reads, or writes */
    uint32_t early; /* those that a shift by a number, or QDADD's, needs a cycle earlier */
    /* Results: ready `latency` cycles after issue, one later, and, the base, back_latency after. Of
     * what is loaded each register is ready one cycle later than the one before. */
    uint32_t first, second, back;
    uint16_t offset;
    uint8_t unit;
    uint8_t issue; /* cycles until the next instruction may issue */
    uint8_t latency, back_latency;
    uint8_t multiplier; /* cycles until the next multiply may issue, if more than `issue` */
    uint8_t words;      /* of its data access, one for less than a word */
    uint8_t bytes;      /* of each: 4, or what there is of less */
    bool list;
    bool drains;       /* waits until all that data accesses asked for has come */
    bool holds_memory; /* LDRD: the next access waits a cycle */
    bool preloads;     /* PLD, as below */
    struct preload preload;
};

struct xs_op xs_op_of(const struct insn *insn, const struct armpmu_machine *machine);

/* ---- pipeline_state.c ---- */

#define XS_IDLE     0          /* nothing in flight */
#define XS_EXPLICIT UINT32_MAX /* a state that has no number */

/* What the pipeline remembers, in cycles from now. Compared bytewise: no padding. */
struct xs_state {
    uint8_t ready[XS_REGISTERS];
    uint8_t multiplier, memory; /* until the next multiply, the next access may issue */
    uint16_t longest;           /* until all of it is over */
    uint32_t late;              /* registers that are not there early until a cycle after `ready` */
};

/* The same in cycles of the clock. */
struct xs_timeline {
    uint64_t ready[XS_REGISTERS];
    uint64_t multiplier, memory;
    uint32_t late;
};

struct xs_states {
    struct xs_state *states; /* by number */
    uint32_t n_states;
    size_t room;
    struct intern numbers;
};

enum armpmu_status xs_states_init(struct xs_states *states);
void xs_states_free(struct xs_states *states);

/* The number of the state that a timeline is in at a time; XS_EXPLICIT for one that lasts too long
 * or when there is no memory or number for another. */
uint32_t xs_state_at(struct xs_states *states, const struct xs_timeline *timeline, uint64_t now);

/* The same of a state some cycles later. */
uint32_t xs_state_after(struct xs_states *states, uint32_t number, uint64_t cycles);

void xs_timeline_of(const struct xs_states *states, uint32_t number, uint64_t now,
                    struct xs_timeline *timeline);

/* ---- blocks ---- */

/* How a block ends, when its last instruction writes the PC. */
enum xs_end {
    XS_END_PLAIN,
    XS_END_PREDICTED, /* in the branch target buffer: B and BL, in Thumb state B */
    XS_END_DIRECT,    /* counts as a branch, is never predicted: BL in Thumb state */
    XS_END_OTHER,     /* BX, BLX, data processing */
    XS_END_LOAD,      /* LDR, LDM */
};

/* What a block does when entered in a state, if all its accesses hit. */
struct xs_schedule_memo {
    struct xs_schedule_memo *sibling;
    uint32_t before, after;
    uint32_t cycles, stalls;
};

struct xs_block {
    uint32_t start;
    uint32_t first_line, last_line;
    uint32_t fetched_at; /* memory.fetch_epoch when its lines were last seen to hit */
    uint32_t n_insns;
    uint32_t n_accesses; /* instructions with one */
    uint32_t n_words;    /* of all of them */
    enum xs_end end;
    bool thumb, returns_exception;
    bool reaches_memory; /* one of its instructions drains or preloads */
    uint32_t last_address;
    struct xs_schedule_memo *memos; /* the last one used first */
    struct xs_op ops[];
};

struct xscale {
    struct xs_memory memory;
    struct xs_btb btb;
    struct xs_states states;
    struct xs_timeline timeline; /* of an explicit state */
    uint32_t state;
    uint64_t now;
    uint64_t tally[ARMPMU_SIGNAL_COUNT];
    struct trace_reader *reader;
    const struct armpmu_machine *machine;
};

/* ---- pipeline.c ---- */

/* Runs what executed of a block. */
void xs_run_block(struct xscale *xscale, const struct retired_block *executed);

/* Nothing issues for some cycles. */
void xs_idle(struct xscale *xscale, uint64_t cycles);

/* Cycles until the PC that an executed instruction loads is there. */
uint64_t xs_pc_wait(const struct xscale *xscale);

extern const struct core_model core_model_xscale;

#endif

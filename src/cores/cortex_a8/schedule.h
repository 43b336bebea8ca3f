/* The in-order dual-issue schedule of a straight run of instructions, with perfect caches and
 * perfect prediction. The core adds the cost of memory, TLBs and prediction at run time.
 *
 * The clock is at a cycle `now`. Its older slot is free, or (slot_open) taken with the younger
 * one still free. Each instruction moves the clock to the first slot it leaves free:
 *
 *            older  younger                                 now   slot_open
 *   cycle 0  ADD    .        after ADD:                     0     1
 *   cycle 0  ADD    SUB      after SUB:                     1     0
 *   cycle 1  MUL    -        (step 1 of 2: nothing joins)
 *   cycle 2  MUL    .        after MUL:                     2     1
 *
 * A cycle is a pair, a single, a step before a multi-cycle instruction's last one, or a wait:
 * cycles = pairs + singles + (operations - issued) + waits.
 *
 * A run's cycles are the difference of the two clocks, so an open cycle is counted by the run that
 * closes it, and cutting a run anywhere changes no total: the whole equals its parts, each started
 * from the state the one before it left. Code that drops an open state (a flush, the end of the
 * program) adds its slot_open as the cycle that was not closed.
 *
 * The state is canonical and small: equal states have equal futures, so that a core can remember
 * (block, entry state) -> result and never schedule the same thing twice.
 *
 * Assumes: the issue rules of the Cortex-A8 (ARM DDI 0344, Instruction Cycle Timing): one
 * load/store, one multiply (older slot only), one branch a cycle; no two writers of a register
 * together; a multi-cycle instruction takes the older slot and pairs only in its last cycle; a
 * register list starts at an address that is a multiple of a transfer; NEON and VFP
 * instructions take one slot of the integer pipeline and do not wait for each other there, and what
 * one moves to a core register is ready like an ALU result (the unit adds its time at run time); a
 * failed condition changes no timing.
 * Does not model: the fetch queue, NEON pipeline timing and queues, which step of a
 * store multiple reads which register, forwarding exceptions between particular opcodes other than
 * the accumulator's. */
#ifndef CORES_CORTEX_A8_SCHEDULE_H
#define CORES_CORTEX_A8_SCHEDULE_H

#include <stdint.h>

#include "machine/machine.h"
#include "isa/insn.h"

#define SCHEDULE_REGISTERS 18 /* R0..R14, 15 (the PC) always zero, flags 16, GE 17: as in REG_ */

/* The unit that the instruction in the open slot holds for its whole cycle. */
enum schedule_unit {
    UNIT_LOAD_STORE = 1,
    UNIT_BRANCH = 2,       /* any writer of the PC */
    UNIT_NEON_DATA = 4,    /* NEON and VFP data processing */
    UNIT_NEON_PERMUTE = 8, /* NEON load, store, permute and transfers */
};

enum schedule_product {
    PRODUCT_WORD,      /* of MUL, MLA, the 16-bit multiplies */
    PRODUCT_LONG_LOW,  /* RdLo of a long multiply */
    PRODUCT_LONG_HIGH, /* RdHi */
    SCHEDULE_PRODUCTS
};

/* Compared bytewise: no padding. Fields that cannot matter any more are zero. */
struct schedule_state {
    /* Cycles from now until the register can be read at the earliest stage anyone reads it; 0 is
     * ready. Capped at 255, which no latency machine.def allows comes to. */
    uint8_t ready[SCHEDULE_REGISTERS];
    uint8_t slot_open;  /* 1: the older slot of this cycle is taken, the younger one free */
    uint8_t open_units; /* enum schedule_unit the taken slot holds */
    /* R0..R14 still on their way from a multiply, by enum schedule_product: an accumulator of the
     * same kind takes them without waiting. */
    uint16_t multiply_results[SCHEDULE_PRODUCTS];
    uint16_t zero;
    uint32_t open_writes; /* registers (bits as ready) the taken slot writes */
};

/* The result of a run. Sums of several are kept, too. */
struct schedule_counts {
    uint32_t cycles;     /* cycles by which the run moves the clock on */
    uint32_t issued;     /* instructions issued, each once */
    uint32_t operations; /* slots taken: instructions, and each step of a multi-cycle one */
    uint32_t pairs;      /* cycles whose younger slot this run filled */
    uint32_t singles;    /* cycles that it closed with the younger slot empty */
    uint32_t waits;      /* cycles in which nothing issued, for operands that were not ready */
};

static inline void schedule_counts_add(struct schedule_counts *sum,
                                       const struct schedule_counts *more)
{
    sum->cycles += more->cycles;
    sum->issued += more->issued;
    sum->operations += more->operations;
    sum->pairs += more->pairs;
    sum->singles += more->singles;
    sum->waits += more->waits;
}

struct schedule_result {
    struct schedule_counts counts;
    struct schedule_state after;
};

/* The state after the clock has moved on by `cycles` in which nothing issued: a stall that
 * instructions in flight do not share. Zero cycles change nothing; more close an open cycle. */
struct schedule_state schedule_wait(const struct armpmu_machine *machine,
                                    const struct schedule_state *before, uint32_t cycles);

/* Schedules instructions [first, end) of a block. An instruction that changes the PC is the last.
 */
void schedule_run(const struct armpmu_machine *machine, const struct block *block, unsigned first,
                  unsigned end, const struct schedule_state *before, struct schedule_result *out);

#endif

/* The in-order dual-issue schedule of a Cortex-R4F, with perfect memory and perfect prediction.
 *
 * The clock is at a cycle `now`. An instruction issues as soon as its operands are ready and the
 * one before it has left the issue stage. The next one may join it as its pair, in which case the
 * two take as long as the longer one, and both wait for the operands of either. The last
 * instruction therefore stays open until the next one is known:
 *
 *            first   second                              now   open
 *   cycle 0  LDR     .        after LDR:                 0     LDR, 1 cycle
 *   cycle 0  LDR     ADD      after ADD:                 1     nothing
 *   cycle 1  ADD     .        after ADD:                 1     ADD, 1 cycle
 *
 * A run's cycles are the difference of the two clocks: the run that closes an open instruction
 * counts its cycles. So cutting a run anywhere changes no total.
 *
 * Which two pair (ARM DDI 0363E, Dual issue; the table of pairs from the GNU compiler's description
 * of the core): the instructions take ports A, B and C and the ALU,
 *
 *     ALU operation                     A+ALU or B+ALU
 *     the same, shifted by a register   A+ALU or B+C+ALU
 *     MOV                               A or B+ALU
 *     multiply, divide                  A+ALU
 *     load, store of one register       A+C
 *     several registers, doubles        everything
 *     branch                            B
 *     NOP, IT, single VFP               A or B
 *
 * and two of them pair when they can do so without taking the same. The first must not write the
 * PC; the second must not read it, nor anything the first writes.
 *
 * Assumes: a failed condition changes no timing; a stall for memory stops everything, the divider
 * too.
 * Does not model: the prefetch buffer, early termination of divides, forwarding exceptions between
 * particular opcodes, pairs disabled by the Auxiliary Control Register but all of them at once
 * (issue.width). */
#ifndef CORES_CORTEX_R4F_ISSUE_H
#define CORES_CORTEX_R4F_ISSUE_H

#include <stdint.h>

#include "machine/machine.h"
#include "isa/insn.h"

/* R0 to R14, flags, GE, FPSCR as in struct insn, two that stay zero among them; D0 to D15. */
#define R4F_TRACKED 36

/* Compared bytewise: no padding. What cannot matter any more is zero. */
struct r4f_issue_state {
    uint64_t open_writes; /* registers, as in struct insn, that the open instruction writes ... */
    uint16_t open_writes_back; /* ... those of R0 to R14 that are an updated base */
    uint16_t divided;          /* R0 to R14 that wait for the divider */
    /* Cycles until the register can be an operand of an address, which is needed first. */
    uint8_t ready[R4F_TRACKED];
    uint8_t divider;      /* cycles until the divider has written its result, 0 when it is idle */
    uint8_t float_busy;   /* cycles until the VFP unit can start another operation */
    uint8_t open;         /* flags of issue.c, and kind of the open instruction; or 0 */
    uint8_t open_cycles;  /* how long it stays in the issue stage */
    uint8_t open_ways[2]; /* what it may take: masks of ports */
    uint8_t open_latency; /* of its result */
    uint8_t open_float;   /* cycles for which it keeps the VFP unit */
};

enum r4f_pair { R4F_PAIR_A, R4F_PAIR_B, R4F_PAIR_OTHER, R4F_PAIRS };

/* The result of a run. */
struct r4f_issue_counts {
    uint32_t cycles;            /* by which the run moves the clock on */
    uint32_t dependency_stalls; /* cycles in which nothing issues for want of an operand ... */
    uint32_t divide_stalls;     /* ... of the divider, the cycle it takes to write included */
    uint32_t pairs[R4F_PAIRS];
    /* The kinds of cycles besides pairs: one instruction alone, or the first of its steps;
     * further steps; waits for operands, and for the divider or the VFP unit. */
    uint32_t singles, steps, interlocks, busy;
};

struct r4f_issue_result {
    struct r4f_issue_counts counts;
    struct r4f_issue_state after;
};

/* Schedules instructions [first, end) of a block. One that changes the PC is the last. */
void r4f_issue_run(const struct armpmu_machine *machine, const struct block *block, unsigned first,
                   unsigned end, const struct r4f_issue_state *before,
                   struct r4f_issue_result *out);

/* Lets cycles pass in which nothing issues, and nothing is open: results come nearer. Returns
 * how many results the divider wrote meanwhile: 0 or 1. */
uint32_t r4f_issue_wait(struct r4f_issue_state *state, uint32_t cycles);

/* Closes the open instruction: returns the cycles it has left, which are not counted yet.
 * *written: as r4f_issue_wait returns, of these cycles. */
uint32_t r4f_issue_close(struct r4f_issue_state *state, const struct armpmu_machine *machine,
                         uint32_t *written);

#endif

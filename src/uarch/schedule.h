/* The in-order dual-issue schedule of a straight run of instructions, with perfect caches and
 * perfect prediction. What memory, TLBs and prediction cost is added by the core at run time.
 *
 * The state between two runs is canonical and small: equal states have equal futures, so that a core
 * can remember (block, entry state) -> result and never schedule the same thing twice.
 *
 * Assumes: the issue rules of the Cortex-A8 (ARM DDI 0344, instruction timing): one load/store, one
 * multiply (older slot only), one branch a cycle; no two writers of a register together; a
 * multi-cycle instruction pairs only in its last cycle; NEON and VFP instructions leave the integer
 * pipeline in order and do not wait for each other there.
 * Does not model: the fetch queue, NEON pipeline timing and queues, forwarding exceptions between
 * particular opcodes. */
#ifndef UARCH_SCHEDULE_H
#define UARCH_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "catalog/machine.h"
#include "isa/insn.h"

/* Ready times relative to the next issue cycle; 0 is ready. Compared bytewise: no padding. */
struct schedule_state {
    uint8_t ready[20]; /* R0..R14, flags (15), GE (16), Q (17), FPSCR (18), zero (19) */
    uint8_t slot_open; /* 1: the older slot of the next cycle is taken, the younger one free */
    uint8_t open_class_load_store, open_class_branch; /* what the taken slot holds */
    uint8_t open_is_move; /* its result forwards with move_latency */
    uint32_t open_writes; /* registers (bits 0..19 as above) the taken slot writes */
};

struct schedule_result {
    uint32_t cycles;     /* cycles by which the run moves the clock on */
    uint32_t issued;     /* instructions issued */
    uint32_t operations; /* instructions and steps of multi-cycle instructions */
    uint32_t pairs;      /* cycles that issued two instructions */
    struct schedule_state after;
};

/* Nothing in flight, both slots free: after a flush or an exception. */
struct schedule_state schedule_idle(void);

/* Schedules instructions [first, end) of a block. */
void schedule_run(const struct armpmu_machine *machine, const struct block *block, unsigned first,
                  unsigned end, const struct schedule_state *before, struct schedule_result *out);

#endif

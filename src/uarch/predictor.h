/* Program flow prediction: branch target buffer, global history buffer, return stack.
 *
 * Assumes: a branch that hits the BTB is predicted; a conditional one takes its direction from the
 * two-bit counter that history and address choose, an unconditional one is taken; a return takes
 * its target from the return stack (from the BTB when the stack is empty), everything else from
 * the BTB. A branch that misses the BTB runs as predicted not taken. Taken branches enter the
 * BTB. History and counters learn from every conditional branch, taken calls push and taken returns
 * pop, whether they hit or not.
 * Does not model: speculative history, repair after a flush, aliasing by partial tags.
 *
 * Where the manual is silent (ARM DDI 0344, program flow prediction), the model chooses:
 *   BTB set      (pc / 4) mod sets, the whole pc as tag, round-robin victim within the set
 *   counter      (history * 4) xor (pc / 4 mod 16), mod the number of counters
 *   history      the newest outcome in bit 0, 1 for taken
 *   at reset     BTB and stack empty, history all not taken, counters weakly not taken
 *   full stack   the oldest return address is overwritten */
#ifndef UARCH_PREDICTOR_H
#define UARCH_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "catalog/machine.h"

struct btb_entry {
    uint64_t pc; /* 1 when empty: no branch stands at an odd address */
    uint64_t target;
};

struct predictor {
    bool enabled;
    struct btb_entry *btb; /* btb_sets * btb_ways */
    uint8_t *btb_next;     /* round robin victim a set */
    uint32_t btb_sets, btb_ways;
    uint8_t *counters; /* 0 strongly not taken to 3 strongly taken */
    uint32_t counter_mask, history_mask, history;
    uint64_t *stack;                            /* a ring of stack_size, NULL when that is 0 */
    uint32_t stack_size, stack_top, stack_used; /* top: the slot the next push writes */
};

/* A branch that was executed. Addresses without the Thumb bit. */
struct flow {
    uint64_t pc, fall_through; /* its address, and that of the next instruction */
    uint64_t target;           /* where it went when taken */
    bool conditional, taken;
    bool is_return, links;
};

enum flow_result {
    FLOW_PREDICTED_TAKEN = 1,
    FLOW_WRONG_DIRECTION = 2, /* it hit the BTB and went the other way      */
    FLOW_WRONG_RETURN = 4,    /* predicted taken, return stack target wrong */
    FLOW_WRONG_TARGET = 8,    /* predicted taken, BTB target wrong          */
    FLOW_UNPREDICTED = 16,    /* missed the BTB and was taken               */
    FLOW_FLUSH = 32,          /* any of the four above                      */
};

/* Makes a predictor that has seen nothing, from the [branch] keys of the machine. It owns its
 * tables, predictor_free releases them; after a failure there is nothing to release. Returns
 * ARMPMU_OK, ARMPMU_BAD_CONFIG or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status predictor_init(struct predictor *predictor,
                                                  const struct armpmu_machine *machine,
                                                  struct armpmu_error *err);

/* Releases what predictor_init took. A zeroed or a freed predictor is fine. */
void predictor_free(struct predictor *predictor);

/* Predicts the branch, compares with what it did, and learns. Returns a set of enum flow_result;
 * after a flush *wrong_path is where the front end had gone, otherwise it is left alone. With
 * prediction off every taken branch is FLOW_UNPREDICTED and nothing is learned. */
unsigned predictor_branch(struct predictor *predictor, const struct flow *flow,
                          uint64_t *wrong_path);

#endif

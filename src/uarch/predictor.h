/* Program flow prediction: branch target buffer, global history buffer, return stack.
 *
 * Assumes: a branch that hits the BTB is predicted; a conditional one takes its direction from the
 * two-bit counter that history and address choose, an unconditional one is taken; a return takes
 * its target from the return stack (from the BTB when the stack is empty), everything else from
 * the BTB. A branch that misses the BTB runs as predicted not taken. Taken branches enter the
 * BTB. History and counters learn from every conditional branch, calls push and taken returns pop,
 * whether they hit or not.
 * Does not model: speculative history, repair after a flush, aliasing by partial tags. */
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
    uint8_t *counters;     /* two bits each, weakly not taken at reset */
    uint32_t counter_mask, history_mask, history;
    uint64_t *stack;
    uint32_t stack_size, stack_top, stack_used;
};

/* A branch that was executed. */
struct flow {
    uint64_t pc, fall_through; /* its address, and that of the next instruction */
    uint64_t target;           /* where it went when taken */
    bool conditional, taken;
    bool is_return, links;
};

enum flow_result {
    FLOW_PREDICTED_TAKEN = 1,
    FLOW_WRONG_DIRECTION = 2,  /* it hit the BTB and went the other way      */
    FLOW_WRONG_RETURN = 4,     /* predicted taken, return stack target wrong */
    FLOW_WRONG_TARGET = 8,     /* predicted taken, BTB target wrong          */
    FLOW_UNPREDICTED = 16,     /* missed the BTB and was taken               */
    FLOW_FLUSH = 32,           /* any of the four above                      */
};

enum armpmu_status predictor_init(struct predictor *predictor, const struct armpmu_machine *machine,
                                  struct armpmu_error *err);
void predictor_free(struct predictor *predictor);

/* Predicts the branch, compares with what it did, and learns. Returns a set of enum flow_result;
 * after a flush *wrong_path is where the front end had gone. With prediction off every taken branch is
 * FLOW_UNPREDICTED. */
unsigned predictor_branch(struct predictor *predictor, const struct flow *flow,
                          uint64_t *wrong_path);

#endif

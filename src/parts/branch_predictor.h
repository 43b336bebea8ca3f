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
#ifndef PARTS_BRANCH_PREDICTOR_H
#define PARTS_BRANCH_PREDICTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "base/compiler.h"
#include "machine/machine.h"

/* A two-bit counter: 0 strongly not taken to 3 strongly taken. */
#define WEAKLY_NOT_TAKEN 1
#define STRONGLY_TAKEN   3

#define NEWEST_OUTCOME (1u << 2) /* of the history, below it is the branch's address alone */

#define BTB_EMPTY 1 /* odd, so no branch is there */

struct btb_entry {
    uint32_t pc; /* BTB_EMPTY: none */
    uint32_t target;
};

struct branch_predictor {
    bool enabled;
    struct btb_entry *btb; /* btb_sets * btb_ways */
    uint64_t *btb_entered; /* a set: branches that entered it so far, in its ways in turn */
    uint32_t btb_sets, btb_ways;
    uint8_t *counters; /* 0 strongly not taken to 3 strongly taken */
    uint32_t counter_mask;
    uint32_t history_mask, history;             /* shifted to where they choose the counter */
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
 * tables, branch_predictor_free releases them; after a failure there is nothing to release. Returns
 * ARMPMU_OK, ARMPMU_BAD_CONFIG or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status branch_predictor_init(struct branch_predictor *predictor,
                                                         const struct armpmu_machine *machine,
                                                         struct armpmu_error *err);

/* Releases what branch_predictor_init took. A zeroed or a freed predictor is fine. */
void branch_predictor_free(struct branch_predictor *predictor);

/* Predicts the branch, compares with what it did, and learns. Returns a set of enum flow_result;
 * after a flush *wrong_path is where the front end had gone, otherwise it is left alone. With
 * prediction off every taken branch is FLOW_UNPREDICTED and nothing is learned. */
unsigned branch_predictor_branch(struct branch_predictor *predictor, const struct flow *flow,
                                 uint64_t *wrong_path);

/* A branch that is not in the BTB was taken: it enters it. Returns its entry. Part of
 * branch_predictor_branch, but for its direction. target replaces that of flow. */
struct btb_entry *branch_predictor_enter(struct branch_predictor *predictor,
                                         const struct flow *flow, uint64_t target);

/* The branch target buffer loses its entry of the branch at an address, or all of them. Directions
 * and the return stack stay. */
void branch_predictor_forget(struct branch_predictor *predictor, uint64_t pc);
void branch_predictor_forget_all(struct branch_predictor *predictor);

/* ---- the common case, inline: 2.0 ns where the call takes 3.1 ---- */

static inline uint32_t branch_predictor_newest_return(const struct branch_predictor *predictor)
{
    return (predictor->stack_top == 0 ? predictor->stack_size : predictor->stack_top) - 1;
}

static inline void branch_predictor_push_return(struct branch_predictor *predictor,
                                                uint64_t address)
{
    if (predictor->stack_size == 0)
        return;
    predictor->stack[predictor->stack_top] = address;
    if (++predictor->stack_top == predictor->stack_size)
        predictor->stack_top = 0;
    if (predictor->stack_used < predictor->stack_size)
        predictor->stack_used++;
}

static inline void branch_predictor_pop_return(struct branch_predictor *predictor)
{
    if (predictor->stack_used == 0)
        return;
    predictor->stack_top = branch_predictor_newest_return(predictor);
    predictor->stack_used--;
}

/* Where a branch is expected to go when taken that is in an entry of the BTB. */
static inline uint64_t branch_predictor_guess(const struct branch_predictor *predictor,
                                              const struct flow *flow,
                                              const struct btb_entry *entry)
{
    return flow->is_return && predictor->stack_used > 0
               ? predictor->stack[branch_predictor_newest_return(predictor)]
               : entry->target;
}

/* It was taken, to a target. */
static inline void branch_predictor_learn_target(struct branch_predictor *predictor,
                                                 const struct flow *flow, struct btb_entry *entry,
                                                 uint64_t target)
{
    if (flow->is_return)
        branch_predictor_pop_return(predictor);
    if (flow->links)
        branch_predictor_push_return(predictor, flow->fall_through);
    entry->target = (uint32_t)target;
}

static inline struct btb_entry *branch_predictor_find(const struct branch_predictor *predictor,
                                                      uint64_t pc)
{
    const size_t set = (uint32_t)(pc >> 2) & (predictor->btb_sets - 1);
    struct btb_entry *entry = predictor->btb + set * predictor->btb_ways;
    for (const struct btb_entry *end = entry + predictor->btb_ways; entry != end; entry++)
        if (entry->pc == pc)
            return entry;
    return NULL;
}

/* How many branches entered the set of an address so far: a branch that is not in the BTB is not
 * until that changes. */
static inline const uint64_t *branch_predictor_entered(const struct branch_predictor *predictor,
                                                       uint64_t pc)
{
    return &predictor->btb_entered[(uint32_t)(pc >> 2) & (predictor->btb_sets - 1)];
}

/* branch_predictor_find, where the branch was found before, if anywhere: which way of a set it is
 * the host cannot predict. *before: then there. */
static inline struct btb_entry *
branch_predictor_find_again(const struct branch_predictor *predictor, struct btb_entry **before,
                            uint64_t pc)
{
    if (likely(*before != NULL && (*before)->pc == pc))
        return *before;
    struct btb_entry *const entry = branch_predictor_find(predictor, pc);
    if (entry != NULL)
        *before = entry;
    return entry;
}

/* The part of a branch's address that chooses its counter. */
static inline uint32_t branch_predictor_hash(const struct branch_predictor *predictor, uint64_t pc)
{
    return (uint32_t)(pc >> 2) & 15 & predictor->counter_mask;
}

static inline uint8_t *branch_predictor_counter(const struct branch_predictor *predictor,
                                                uint32_t hash)
{
    return &predictor->counters[predictor->history ^ hash];
}

static inline void branch_predictor_remember(struct branch_predictor *predictor, bool taken)
{
    predictor->history =
        (predictor->history * 2 + (taken ? NEWEST_OUTCOME : 0)) & predictor->history_mask;
}

/* By table, not by comparing: outcomes are what the host cannot predict either. */
static inline void branch_predictor_learn_direction(struct branch_predictor *predictor,
                                                    uint8_t *counter, bool taken)
{
    static const uint8_t after[2][4] = {{0, 0, 1, 2}, {1, 2, 3, 3}};
    branch_predictor_remember(predictor, taken);
    *counter = after[taken][*counter];
}

/* The same of an outcome that the counter foretold: it is at its end now. */
static inline void branch_predictor_confirm_direction(struct branch_predictor *predictor,
                                                      uint8_t *counter, bool taken)
{
    branch_predictor_remember(predictor, taken);
    *counter = taken ? STRONGLY_TAKEN : 0;
}

/* branch_predictor_branch for a branch that causes no flush: does all of its work and returns
 * true when the prediction is right (it is then FLOW_PREDICTED_TAKEN if taken, else 0), or
 * returns false having changed nothing. taken and target replace the fields of flow, which are
 * not read. before: as of branch_predictor_find_again, NULL if that is not known. */
static inline bool branch_predictor_agrees(struct branch_predictor *predictor,
                                           const struct flow *flow, struct btb_entry **before,
                                           bool taken, uint64_t target)
{
    struct btb_entry *entry =
        predictor->enabled ? branch_predictor_find_again(predictor, before, flow->pc) : NULL;
    if (entry == NULL) {
        if (taken)
            return false;
    } else if (taken && branch_predictor_guess(predictor, flow, entry) != target) {
        return false;
    }
    if (!flow->conditional) {
        if (entry != NULL && !taken)
            return false;
    } else if (predictor->enabled) {
        uint8_t *counter =
            branch_predictor_counter(predictor, branch_predictor_hash(predictor, flow->pc));
        if (entry != NULL && *counter >> 1 != taken)
            return false;
        branch_predictor_learn_direction(predictor, counter, taken);
    }
    if (taken)
        branch_predictor_learn_target(predictor, flow, entry, target);
    return true;
}

#endif

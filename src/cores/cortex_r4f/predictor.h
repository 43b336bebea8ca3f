/* Program flow prediction of the Cortex-R4F: a global history table, a loop counter and a return
 * stack. There is no cache of targets: they come from the instruction or from the stack.
 *
 * Assumes: directions of conditional branches come from two-bit counters, chosen by history and
 * address, unless the loop counter knows the branch as that of a loop of a steady number of
 * iterations; a return takes its target from the stack; every other branch by a register or memory
 * counts as not taken. Calls push when taken, returns pop when taken.
 * Does not model: speculative history, the prefetch unit's own pace.
 *
 * Where the manual is silent the model chooses:
 *   counter      (address / 2) exclusive or history, mod the number of counters;
 *                CHOICE(r4f-history): the hysteresis that the manual names is the second bit
 *   at reset     counters weakly not taken, history all not taken, stack empty
 *   loop counter CHOICE(r4f-loop-counter): one loop at a time, of a backward branch; it predicts
 *                after two runs in a row with equally many iterations, and is lost when a run
 *                differs or another loop has run
 *   full stack   the oldest return address is lost */
#ifndef CORES_CORTEX_R4F_PREDICTOR_H
#define CORES_CORTEX_R4F_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "base/compiler.h"
#include "machine/machine.h"

#define R4F_STACK_MAX 64

struct r4f_loop {
    uint64_t branch;     /* its address, 1 for none: no branch is at an odd one */
    uint32_t iterations; /* of its last run */
    bool steady;         /* the run before had as many */
};

struct r4f_predictor {
    bool enabled;
    uint8_t *counters; /* 0 strongly not taken to 3 strongly taken */
    uint32_t counter_mask, history_mask, history;
    struct r4f_loop loop;
    uint64_t running; /* the backward branch that was taken last, 1 for none ... */
    uint32_t taken;   /* ... and how often in a row */
    uint32_t loop_limit;
    uint64_t stack[R4F_STACK_MAX]; /* a ring */
    uint32_t stack_size, stack_used, stack_end;
};

/* A branch that was executed. Addresses without the Thumb bit. */
struct r4f_branch {
    uint64_t pc, fall_through;
    uint64_t target; /* where it went when taken */
    bool conditional, taken;
    bool direct;  /* the instruction holds the target */
    bool returns; /* it takes the target from the return stack */
    bool links;
};

enum r4f_flow {
    R4F_FLOW_RIGHT,
    R4F_FLOW_DIRECTION, /* the condition was predicted wrongly */
    R4F_FLOW_TARGET,    /* the return stack's target was wrong, or there was none */
};

/* A predictor that has seen nothing, from the [branch] keys of the machine. Freed with
 * r4f_predictor_free; after a failure nothing needs freeing. Returns ARMPMU_OK or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status r4f_predictor_init(struct r4f_predictor *predictor,
                                                      const struct armpmu_machine *machine);
void r4f_predictor_free(struct r4f_predictor *predictor); /* a zeroed one is fine */

/* Predicts the branch, compares with what it did, and learns. With prediction off every taken
 * branch is wrong, and nothing is learned. */
enum r4f_flow r4f_predictor_branch(struct r4f_predictor *predictor,
                                   const struct r4f_branch *branch);

/* Forgets everything. */
void r4f_predictor_forget(struct r4f_predictor *predictor);

/* ---- inline: calls and returns ---- */

static inline void r4f_predictor_push(struct r4f_predictor *predictor, uint64_t address)
{
    predictor->stack[predictor->stack_end++ % R4F_STACK_MAX] = address;
    predictor->stack_used += predictor->stack_used != predictor->stack_size;
}

/* Returns whether the stack has the target of a return; takes it off. */
static inline bool r4f_predictor_pop(struct r4f_predictor *predictor, uint64_t target)
{
    if (predictor->stack_used == 0)
        return false;
    predictor->stack_used--;
    return predictor->stack[--predictor->stack_end % R4F_STACK_MAX] == target;
}

/* ---- inline: most branches are direct and conditional ---- */

#define R4F_NO_BRANCH 1

/* A run of the loop has ended after this number of iterations. */
void r4f_predictor_learn_loop(struct r4f_predictor *predictor, uint64_t pc, uint32_t iterations);

static inline uint8_t *r4f_counter_of(const struct r4f_predictor *predictor, uint64_t pc)
{
    return &predictor
                ->counters[((uint32_t)(pc >> 1) ^ predictor->history) & predictor->counter_mask];
}

/* How often a branch was executed in the run of its loop under way, this time included. */
static inline uint32_t r4f_iterations(const struct r4f_predictor *predictor, uint64_t pc)
{
    return predictor->running == pc ? predictor->taken + 1 : 1;
}

/* Returns whether the loop counter, not the history, predicts a branch. */
static inline bool r4f_loop_predicts(const struct r4f_predictor *predictor, uint64_t pc)
{
    return predictor->loop.branch == pc && predictor->loop.steady;
}

static inline bool r4f_loop_goes_on(const struct r4f_predictor *predictor, uint64_t pc)
{
    return r4f_iterations(predictor, pc) < predictor->loop.iterations;
}

static inline bool r4f_predicts_taken(const struct r4f_predictor *predictor, uint64_t pc)
{
    if (r4f_loop_predicts(predictor, pc))
        return r4f_loop_goes_on(predictor, pc);
    return *r4f_counter_of(predictor, pc) >> 1;
}

/* Returns what the counter of the branch predicted. Without a branch, which the host could not
 * foresee. */
static inline bool r4f_predictor_learn_direction(struct r4f_predictor *predictor, uint64_t pc,
                                                 bool taken)
{
    static const uint8_t after[2][4] = {{0, 0, 1, 2}, {1, 2, 3, 3}};
    uint8_t *counter = r4f_counter_of(predictor, pc);
    const uint8_t before = *counter;

    *counter = after[taken][before];
    predictor->history = (predictor->history << 1 | taken) & predictor->history_mask;
    return before >> 1;
}

/* A backward branch went one way. iterations: its r4f_iterations. */
static inline void r4f_predictor_follow_loop(struct r4f_predictor *predictor, uint64_t pc,
                                             uint32_t iterations, bool taken)
{
    struct r4f_loop *loop = &predictor->loop;

    if (!taken) {
        if (iterations > 1 || loop->branch == pc)
            r4f_predictor_learn_loop(predictor, pc, iterations);
        predictor->running = R4F_NO_BRANCH;
        return;
    }
    predictor->taken = iterations;
    predictor->running = pc;
    if (loop->branch == pc && iterations >= loop->iterations)
        loop->steady = false;
}

/* r4f_predictor_branch for a direct conditional branch that is no call, with prediction on: whether
 * the prediction was right. */
static inline bool r4f_predictor_forward(struct r4f_predictor *predictor, uint64_t pc, bool taken)
{
    const bool counted = r4f_predictor_learn_direction(predictor, pc, taken);

    if (unlikely(r4f_loop_predicts(predictor, pc))) /* a backward one stood here before */
        return r4f_loop_goes_on(predictor, pc) == taken;
    return counted == taken;
}

static inline bool r4f_predictor_backward(struct r4f_predictor *predictor, uint64_t pc, bool taken)
{
    const uint32_t iterations = r4f_iterations(predictor, pc);
    bool expected = r4f_predictor_learn_direction(predictor, pc, taken);

    if (r4f_loop_predicts(predictor, pc))
        expected = iterations < predictor->loop.iterations;
    r4f_predictor_follow_loop(predictor, pc, iterations, taken);
    return expected == taken;
}

#endif

#include "cores/cortex_r4f/predictor.h"

#include <stdlib.h>
#include <string.h>

#include "parts/branch_predictor.h"

enum armpmu_status r4f_predictor_init(struct r4f_predictor *predictor,
                                      const struct armpmu_machine *machine)
{
    *predictor = (struct r4f_predictor){
        .enabled = machine->branch_prediction == YESNO_YES,
        .counters = malloc(machine->branch_counters),
        .counter_mask = machine->branch_counters - 1,
        .history_mask = (UINT32_C(1) << machine->branch_history_bits) - 1,
        .loop_limit = machine->branch_loop_iterations,
        .stack_size = machine->branch_return_stack,
    };
    if (predictor->counters == NULL)
        return ARMPMU_NO_MEMORY;
    r4f_predictor_forget(predictor);
    return ARMPMU_OK;
}

void r4f_predictor_free(struct r4f_predictor *predictor)
{
    free(predictor->counters);
}

void r4f_predictor_forget(struct r4f_predictor *predictor)
{
    memset(predictor->counters, WEAKLY_NOT_TAKEN, (size_t)predictor->counter_mask + 1);
    predictor->history = 0;
    predictor->loop = (struct r4f_loop){.branch = R4F_NO_BRANCH};
    predictor->taken = 0;
    predictor->stack_used = 0;
}

/* ---- directions ---- */

void r4f_predictor_learn_loop(struct r4f_predictor *predictor, uint64_t pc, uint32_t iterations)
{
    struct r4f_loop *loop = &predictor->loop;

    if (iterations > predictor->loop_limit) {
        if (loop->branch == pc)
            loop->branch = R4F_NO_BRANCH;
        return;
    }
    loop->steady = loop->branch == pc && loop->iterations == iterations;
    loop->branch = pc;
    loop->iterations = iterations;
}

/* ---- any branch ---- */

/* Returns whether the front end expects the branch to be taken, given that it could. */
static bool expects(const struct r4f_predictor *predictor, const struct r4f_branch *branch)
{
    if (!branch->direct && !branch->returns)
        return false;
    return !branch->conditional || r4f_predicts_taken(predictor, branch->pc);
}

enum r4f_flow r4f_predictor_branch(struct r4f_predictor *predictor, const struct r4f_branch *branch)
{
    if (!predictor->enabled)
        return !branch->taken   ? R4F_FLOW_RIGHT
               : branch->direct ? R4F_FLOW_DIRECTION
                                : R4F_FLOW_TARGET;
    const bool expected = expects(predictor, branch);
    enum r4f_flow flow = R4F_FLOW_RIGHT;

    if (expected != branch->taken)
        flow = branch->direct || branch->returns ? R4F_FLOW_DIRECTION : R4F_FLOW_TARGET;
    if (branch->conditional && (branch->direct || branch->returns)) {
        if (branch->direct && branch->target < branch->pc)
            r4f_predictor_follow_loop(predictor, branch->pc, r4f_iterations(predictor, branch->pc),
                                      branch->taken);
        r4f_predictor_learn_direction(predictor, branch->pc, branch->taken);
    }
    if (!branch->taken)
        return flow;
    if (branch->returns && !r4f_predictor_pop(predictor, branch->target) && flow == R4F_FLOW_RIGHT)
        flow = R4F_FLOW_TARGET;
    if (branch->links)
        r4f_predictor_push(predictor, branch->fall_through);
    return flow;
}

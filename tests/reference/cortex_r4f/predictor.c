#include "predictor.h"

#include <string.h>

void slow_predictor_init(struct slow_predictor *slow, const struct armpmu_machine *machine)
{
    memset(slow, 0, sizeof *slow);
    slow->machine = machine;
    for (unsigned i = 0; i < SLOW_COUNTERS; i++)
        slow->counters[i] = 1;
}

static unsigned slow_index(const struct slow_predictor *slow, uint64_t pc)
{
    unsigned history = 0;
    for (unsigned i = 0; i < slow->machine->branch_history_bits && i < slow->n; i++)
        history |= (unsigned)slow->conditional[slow->n - 1 - i].taken << i;
    return ((unsigned)(pc / 2) ^ history) % slow->machine->branch_counters;
}

/* How often the branch at pc was taken without another backward one being taken, or itself not. */
static unsigned slow_current_run(const struct slow_predictor *slow, uint64_t pc)
{
    unsigned run = 0;
    for (unsigned i = slow->n_backward; i-- > 0;) {
        const struct slow_outcome *outcome = &slow->backward[i];
        if (outcome->pc != pc || !outcome->taken)
            break;
        run++;
    }
    return run;
}

/* Replays all loops from the start: which one is known, with how many iterations, steady or not. */
static void slow_loop(const struct slow_predictor *slow, uint64_t *branch, unsigned *iterations,
                      bool *steady)
{
    uint64_t running = 0;
    unsigned taken = 0;
    *branch = 0;
    *iterations = 0;
    *steady = false;
    for (unsigned i = 0; i < slow->n_backward; i++) {
        const struct slow_outcome *outcome = &slow->backward[i];
        if (running != outcome->pc)
            taken = 0;
        if (outcome->taken) {
            running = outcome->pc;
            taken++;
            if (*branch == outcome->pc && taken >= *iterations)
                *steady = false;
            continue;
        }
        running = 0;
        if (taken == 0 && *branch != outcome->pc)
            continue;
        if (taken + 1 > slow->machine->branch_loop_iterations) {
            *branch = *branch == outcome->pc ? 0 : *branch;
        } else {
            *steady = *branch == outcome->pc && *iterations == taken + 1;
            *branch = outcome->pc;
            *iterations = taken + 1;
        }
        taken = 0;
    }
}

static bool slow_direction(const struct slow_predictor *slow, uint64_t pc)
{
    uint64_t branch;
    unsigned iterations;
    bool steady;
    slow_loop(slow, &branch, &iterations, &steady);
    if (branch == pc && steady)
        return slow_current_run(slow, pc) + 1 < iterations;
    return slow->counters[slow_index(slow, pc)] >= 2;
}

/* Takes the newest address of the last calls that are still there; 0 for none. */
static uint64_t slow_pop(struct slow_predictor *slow)
{
    return slow->n_calls == 0 ? 0 : slow->calls[--slow->n_calls];
}

static void slow_push(struct slow_predictor *slow, uint64_t address)
{
    slow->calls[slow->n_calls++] = address;
    if (slow->n_calls > slow->machine->branch_return_stack)
        memmove(slow->calls, slow->calls + 1, --slow->n_calls * sizeof slow->calls[0]);
}

static void slow_learn(struct slow_predictor *slow, const struct r4f_branch *branch)
{
    int *counter = &slow->counters[slow_index(slow, branch->pc)];
    *counter += branch->taken ? 1 : -1;
    *counter = *counter < 0 ? 0 : *counter > 3 ? 3 : *counter;
    slow->conditional[slow->n++] = (struct slow_outcome){branch->pc, branch->taken};
    if (branch->direct && branch->target < branch->pc)
        slow->backward[slow->n_backward++] = (struct slow_outcome){branch->pc, branch->taken};
}

enum r4f_flow slow_predictor_branch(struct slow_predictor *slow, const struct r4f_branch *branch)
{
    const bool on = slow->machine->branch_prediction == YESNO_YES;
    const bool predictable = branch->direct || branch->returns;
    const bool expected =
        on && predictable && (!branch->conditional || slow_direction(slow, branch->pc));
    const bool has_target = on ? predictable : branch->direct;
    enum r4f_flow flow = expected == branch->taken ? R4F_FLOW_RIGHT
                         : has_target              ? R4F_FLOW_DIRECTION
                                                   : R4F_FLOW_TARGET;
    if (!on)
        return flow;
    if (predictable && branch->conditional)
        slow_learn(slow, branch);
    if (branch->taken && branch->returns && slow_pop(slow) != branch->target &&
        flow == R4F_FLOW_RIGHT)
        flow = R4F_FLOW_TARGET;
    if (branch->taken && branch->links)
        slow_push(slow, branch->fall_through);
    return flow;
}

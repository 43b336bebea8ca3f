#include "parts/branch_predictor.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define HISTORY_BITS_MAX 20
#define RETURN_STACK_MAX 64
#define BTB_WAYS_MAX     128

static bool is_power_of_two(uint32_t number)
{
    return number != 0 && (number & (number - 1)) == 0;
}

static enum armpmu_status check_geometry(const struct armpmu_machine *machine,
                                         struct armpmu_error *err)
{
    if (!is_power_of_two(machine->branch_btb_entries))
        return fail(err, ARMPMU_BAD_CONFIG, "branch.btb_entries: %u, must be a power of two",
                    machine->branch_btb_entries);
    if (!is_power_of_two(machine->branch_btb_ways) || machine->branch_btb_ways > BTB_WAYS_MAX)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "branch.btb_ways: %u, must be a power of two and at most %d",
                    machine->branch_btb_ways, BTB_WAYS_MAX);
    if (machine->branch_btb_ways > machine->branch_btb_entries)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "branch.btb_ways: %u, must be at most branch.btb_entries, which is %u",
                    machine->branch_btb_ways, machine->branch_btb_entries);
    if (!is_power_of_two(machine->branch_counters))
        return fail(err, ARMPMU_BAD_CONFIG, "branch.counters: %u, must be a power of two",
                    machine->branch_counters);
    if (machine->branch_history_bits > HISTORY_BITS_MAX)
        return fail(err, ARMPMU_BAD_CONFIG, "branch.history_bits: %u, must be at most %d",
                    machine->branch_history_bits, HISTORY_BITS_MAX);
    if (machine->branch_return_stack > RETURN_STACK_MAX)
        return fail(err, ARMPMU_BAD_CONFIG, "branch.return_stack: %u, must be at most %d",
                    machine->branch_return_stack, RETURN_STACK_MAX);
    return ARMPMU_OK;
}

static bool take_memory(struct branch_predictor *predictor)
{
    size_t n_entries = (size_t)predictor->btb_sets * predictor->btb_ways;
    size_t n_counters = (size_t)predictor->counter_mask + 1;
    predictor->btb = calloc(n_entries, sizeof *predictor->btb);
    predictor->btb_entered = calloc(predictor->btb_sets, sizeof *predictor->btb_entered);
    predictor->counters = malloc(n_counters);
    if (predictor->btb == NULL || predictor->btb_entered == NULL || predictor->counters == NULL)
        return false;
    for (size_t i = 0; i < n_entries; i++)
        predictor->btb[i].pc = BTB_EMPTY;
    memset(predictor->counters, WEAKLY_NOT_TAKEN, n_counters);
    if (predictor->stack_size == 0)
        return true;
    predictor->stack = calloc(predictor->stack_size, sizeof *predictor->stack);
    return predictor->stack != NULL;
}

enum armpmu_status branch_predictor_init(struct branch_predictor *predictor,
                                         const struct armpmu_machine *machine,
                                         struct armpmu_error *err)
{
    *predictor = (struct branch_predictor){0};
    enum armpmu_status status = check_geometry(machine, err);
    if (status != ARMPMU_OK)
        return status;
    *predictor = (struct branch_predictor){
        .enabled = machine->branch_prediction == YESNO_YES,
        .btb_sets = machine->branch_btb_entries / machine->branch_btb_ways,
        .btb_ways = machine->branch_btb_ways,
        .counter_mask = machine->branch_counters - 1,
        .history_mask = ((UINT32_C(1) << machine->branch_history_bits) - 1) * NEWEST_OUTCOME &
                        (machine->branch_counters - 1),
        .stack_size = machine->branch_return_stack,
    };
    if (!take_memory(predictor)) {
        branch_predictor_free(predictor);
        return fail(err, ARMPMU_NO_MEMORY,
                    "branch predictor: no memory for %u BTB entries and %u counters; make it "
                    "smaller",
                    machine->branch_btb_entries, machine->branch_counters);
    }
    return ARMPMU_OK;
}

void branch_predictor_free(struct branch_predictor *predictor)
{
    free(predictor->btb);
    free(predictor->btb_entered);
    free(predictor->counters);
    free(predictor->stack);
    *predictor = (struct branch_predictor){0};
}

static uint32_t btb_set(const struct branch_predictor *predictor, uint64_t pc)
{
    return (uint32_t)(pc >> 2) & (predictor->btb_sets - 1);
}

/* Going round also fills the empty ways first, of a set that has forgotten none. */
static struct btb_entry *btb_victim(struct branch_predictor *predictor, uint64_t pc)
{
    uint32_t set = btb_set(predictor, pc);
    const uint64_t way = predictor->btb_entered[set]++ & (predictor->btb_ways - 1);
    return predictor->btb + (size_t)set * predictor->btb_ways + way;
}

/* Returns whether the counter says taken, before it learns the outcome. */
static bool direction(struct branch_predictor *predictor, const struct flow *flow)
{
    uint8_t *counter =
        branch_predictor_counter(predictor, branch_predictor_hash(predictor, flow->pc));
    const bool says_taken = *counter >> 1;
    branch_predictor_learn_direction(predictor, counter, flow->taken);
    return says_taken;
}

struct btb_entry *branch_predictor_enter(struct branch_predictor *predictor,
                                         const struct flow *flow, uint64_t target)
{
    struct btb_entry *const entry = btb_victim(predictor, flow->pc);
    entry->pc = (uint32_t)flow->pc;
    branch_predictor_learn_target(predictor, flow, entry, target);
    return entry;
}

/* A branch that hit the BTB: the prediction against what it did. says_taken: the direction guessed.
 */
static unsigned judge(const struct branch_predictor *predictor, const struct flow *flow,
                      bool says_taken, const struct btb_entry *entry, uint64_t *wrong_path)
{
    if (!says_taken) {
        if (!flow->taken)
            return 0;
        *wrong_path = flow->fall_through;
        return FLOW_WRONG_DIRECTION | FLOW_FLUSH;
    }
    bool by_stack = flow->is_return && predictor->stack_used > 0;
    const uint64_t guess = branch_predictor_guess(predictor, flow, entry);
    if (flow->taken && guess == flow->target)
        return FLOW_PREDICTED_TAKEN;
    *wrong_path = guess;
    if (!flow->taken)
        return FLOW_PREDICTED_TAKEN | FLOW_WRONG_DIRECTION | FLOW_FLUSH;
    return FLOW_PREDICTED_TAKEN | FLOW_FLUSH | (by_stack ? FLOW_WRONG_RETURN : FLOW_WRONG_TARGET);
}

static unsigned unpredicted(const struct flow *flow, uint64_t *wrong_path)
{
    if (!flow->taken)
        return 0;
    *wrong_path = flow->fall_through;
    return FLOW_UNPREDICTED | FLOW_FLUSH;
}

unsigned branch_predictor_branch(struct branch_predictor *predictor, const struct flow *flow,
                                 uint64_t *wrong_path)
{
    if (!predictor->enabled)
        return unpredicted(flow, wrong_path);
    struct btb_entry *entry = branch_predictor_find(predictor, flow->pc);
    bool says_taken = !flow->conditional || direction(predictor, flow);
    unsigned result = entry == NULL ? unpredicted(flow, wrong_path)
                                    : judge(predictor, flow, says_taken, entry, wrong_path);
    if (flow->taken && entry == NULL)
        branch_predictor_enter(predictor, flow, flow->target);
    else if (flow->taken)
        branch_predictor_learn_target(predictor, flow, entry, flow->target);
    return result;
}

void branch_predictor_forget(struct branch_predictor *predictor, uint64_t pc)
{
    struct btb_entry *const entry = branch_predictor_find(predictor, pc);
    if (entry != NULL)
        entry->pc = BTB_EMPTY;
}

void branch_predictor_forget_all(struct branch_predictor *predictor)
{
    const size_t n = (size_t)predictor->btb_sets * predictor->btb_ways;
    for (size_t i = 0; i < n; i++)
        predictor->btb[i].pc = BTB_EMPTY;
}

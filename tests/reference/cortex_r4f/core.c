#include "core.h"

#include <stdlib.h>
#include <string.h>

#include "armpmu/trace.h"

#define COUNT(core, signal) (core)->memory.count[ARMPMU_SIGNAL_##signal]

void slow_core_init(struct slow_core *core, const struct armpmu_machine *machine)
{
    memset(core, 0, sizeof *core);
    core->machine = machine;
    core->jumped = true;
    core->stuck_at = 1;
    slow_memory_init(&core->memory, machine);
    slow_issue_init(&core->issue, machine);
    slow_predictor_init(&core->predictor, machine);
    core->lost = 0 - core->issue.clock;
}

void slow_core_free(struct slow_core *core)
{
    slow_memory_free(&core->memory);
}

/* ---- what happens when ---- */

static struct slow_action *add_action(struct slow_core *core)
{
    if (core->n_actions == 2 * SLOW_RUN)
        abort();
    struct slow_action *action = &core->actions[core->n_actions++];
    *action = (struct slow_action){.n = core->n_run};
    return action;
}

static void count_masked(struct slow_core *core)
{
    const uint64_t cycles = core->memory.now - core->masked_since;
    COUNT(core, FIQ_MASKED) += core->masks & ARMPMU_MASKS_FIQ ? cycles : 0;
    COUNT(core, IRQ_MASKED) += core->masks & ARMPMU_MASKS_IRQ ? cycles : 0;
    core->masked_since = core->memory.now;
}

static void maintain(struct slow_memory *memory, const struct slow_action *action)
{
    const bool code = (action->bits & ARMPMU_CACHE_INSTRUCTION) != 0;
    const bool data = (action->bits & ARMPMU_CACHE_DATA) != 0;
    const bool clean = (action->bits & ARMPMU_CACHE_CLEAN) != 0;
    const bool invalidate = (action->bits & ARMPMU_CACHE_INVALIDATE) != 0;
    if (action->bits & ARMPMU_CACHE_ADDRESS)
        slow_memory_treat_line(memory, action->start / SLOW_LINE, code, data, clean, invalidate);
    else
        slow_memory_treat_all(memory, code, data, clean, invalidate);
}

static void act(struct slow_core *core, const struct slow_action *action)
{
    switch (action->what) {
    case SLOW_FETCH:
        slow_memory_fetch(&core->memory, action->start, action->end, action->jumped);
        break;
    case SLOW_ACCESS:
        slow_memory_access(&core->memory, &action->access);
        break;
    case SLOW_DRAIN:
        slow_memory_drain(&core->memory);
        break;
    case SLOW_PRELOAD:
        slow_memory_preload(&core->memory, action->start);
        break;
    case SLOW_MASK:
        count_masked(core);
        core->masks = action->bits;
        break;
    case SLOW_MAINTAIN:
        maintain(&core->memory, action);
        break;
    }
}

/* The pipeline refills: all that has been put off issues, and then nothing for so long. */
static void refill(struct slow_core *core, unsigned cycles)
{
    uint64_t *at = calloc(core->n_run + 1, sizeof *at);
    if (at == NULL)
        abort();
    at[0] = core->issue.clock;
    slow_issue_run(&core->issue, core->run, core->n_run, at + 1);
    for (unsigned i = 0; i < core->n_actions; i++) {
        core->memory.now = at[core->actions[i].n] + core->lost;
        act(core, &core->actions[i]);
        core->lost = core->memory.now - at[core->actions[i].n];
    }
    slow_issue_pass(&core->issue, cycles);
    COUNT(core, ISSUE_EMPTY) += cycles;
    core->memory.now = core->issue.clock + core->lost;
    core->n_run = core->n_actions = 0;
    free(at);
}

/* ---- blocks ---- */

static void fetch(struct slow_core *core, uint32_t start, uint32_t end)
{
    struct slow_action *action = add_action(core);
    action->what = SLOW_FETCH;
    action->start = start;
    action->end = end;
    action->jumped = core->jumped;
}

/* Which access of the block has the address of a preload, by the same register: -1 for none. */
static int told_by(const struct block *code, unsigned preload)
{
    const struct insn *insns = code->insns;
    for (unsigned i = 0; i < code->n_insns; i++) {
        const unsigned first = i < preload ? i : preload + 1, end = i < preload ? preload : i;
        bool same = insns[i].memory.bytes != 0 && insns[i].condition == 14 &&
                    !insns[i].memory.exclusive && insn_plain_base(&insns[preload]) != 0 &&
                    insn_plain_base(&insns[i]) == insn_plain_base(&insns[preload]);
        for (unsigned between = first; between < end; between++)
            same = same && (insns[between].writes & insn_plain_base(&insns[i])) == 0;
        if (same)
            return (int)i;
    }
    return -1;
}

static void preload_by(struct slow_core *core, const struct slow_block *block, unsigned index)
{
    const int other = told_by(block->code, index);
    if (other < 0 || !block->accessed[other])
        return;
    struct slow_action *action = add_action(core);
    action->what = SLOW_PRELOAD;
    action->start = block->address[other] + (uint32_t)block->code->insns[index].sum.number -
                    (uint32_t)block->code->insns[other].sum.number;
}

static void access_memory(struct slow_core *core, const struct slow_block *block, unsigned index)
{
    const struct insn_memory *memory = &block->code->insns[index].memory;
    const uint32_t address = block->address[index];
    COUNT(core, LOAD_RETIRED) += memory->load;
    COUNT(core, STORE_RETIRED) += memory->store;
    COUNT(core, UNALIGNED_RETIRED) += address % memory->align != 0;
    struct slow_action *action = add_action(core);
    action->what = SLOW_ACCESS;
    action->access =
        (struct slow_access){.address = address,
                             .bytes = memory->bytes,
                             .load = memory->load,
                             .store = memory->store,
                             .device = block->device[index],
                             .exclusive = memory->exclusive,
                             .spread = memory->bytes > 8 ? (memory->bytes - 1u) / 8 : 0};
}

static void execute(struct slow_core *core, const struct slow_block *block, unsigned index)
{
    const struct insn *insn = &block->code->insns[index];
    if (core->n_run == SLOW_RUN)
        abort();
    core->run[core->n_run++] = insn;
    COUNT(core, INST_RETIRED)++;
    COUNT(core, BRANCH_IMMEDIATE) += insn->branch == BRANCH_IMMEDIATE;
    COUNT(core, CONTEXTIDR_WRITE) += insn->effect == EFFECT_CONTEXTIDR_WRITE;
    COUNT(core, SW_INCREMENT) += insn->effect == EFFECT_SW_INCREMENT;
    COUNT(core, INTEGER_DIVIDE) += insn->klass == CLASS_DIVIDE;
    COUNT(core, DOUBLE_PRECISION) += insn->doubles;
    if (block->accessed[index])
        access_memory(core, block, index);
    else if (insn->orders_stores)
        add_action(core)->what = SLOW_DRAIN;
    else if (insn->klass == CLASS_PRELOAD)
        preload_by(core, block, index);
}

/* ---- flow ---- */

static void leave_exception(struct slow_core *core)
{
    COUNT(core, PC_WRITE)++;
    COUNT(core, EXCEPTION_RETURN)++;
}

static enum r4f_flow predict(struct slow_core *core, const struct slow_block *block, bool taken)
{
    const struct block *code = block->code;
    const struct insn *last = &code->insns[code->n_insns - 1];
    const bool direct = last->branch == BRANCH_IMMEDIATE;
    const struct r4f_branch branch = {.pc = code->address + code->n_bytes - last->size,
                                      .fall_through = code->address + code->n_bytes,
                                      .target = direct ? last->target : block->next,
                                      .conditional = insn_is_conditional(last),
                                      .taken = taken,
                                      .direct = direct,
                                      .returns = block->returns,
                                      .links = last->links};
    COUNT(core, PC_WRITE) += taken;
    COUNT(core, BRANCH_PREDICTABLE) +=
        core->machine->branch_prediction == YESNO_YES && (direct || block->returns);
    COUNT(core, BRANCH_RETURN) += taken && block->returns;
    return block->end == SLOW_HIDDEN && !direct ? R4F_FLOW_RIGHT
                                                : slow_predictor_branch(&core->predictor, &branch);
}

static void branch(struct slow_core *core, const struct slow_block *block)
{
    const struct insn *last = &block->code->insns[block->code->n_insns - 1];
    const bool taken = block->end != SLOW_FELL_THROUGH;
    if (last->branch == BRANCH_EXCEPTION_RETURN) {
        if (taken)
            leave_exception(core);
        if (block->end == SLOW_WENT)
            refill(core, core->machine->exception_return_cycles);
        return;
    }
    const enum r4f_flow flow = predict(core, block, taken);
    COUNT(core, BRANCH_FLUSH) += flow != R4F_FLOW_RIGHT;
    if (flow != R4F_FLOW_RIGHT && block->end != SLOW_HIDDEN)
        refill(core, core->machine->branch_mispredict_cycles +
                         (flow == R4F_FLOW_TARGET ? core->machine->branch_register_cycles : 0));
}

void slow_core_block(struct slow_core *core, const struct slow_block *block)
{
    const struct block *code = block->code;
    const uint32_t start = (uint32_t)code->address;
    const unsigned n = block->n_executed;
    uint32_t end = start;
    COUNT(core, LIVELOCK) += core->entered && core->stuck_at == start;
    core->at_vector = core->entered && n == 0;
    core->last_start = start;
    core->stuck_at = 1;
    core->entered = false;
    for (unsigned i = 0; i < n; i++)
        end += code->insns[i].size;
    if (n > 0) {
        fetch(core, start, end);
        core->jumped = false;
    }
    for (unsigned i = 0; i < n; i++)
        execute(core, block, i);
    if (n < code->n_insns)
        fetch(core, end, end + code->insns[n].size); /* it did not execute, but was fetched */
    core->jumped = block->end != SLOW_FELL_THROUGH;
    if (n == code->n_insns && code->insns[n - 1].branch != BRANCH_NONE && block->end != SLOW_ENDED)
        branch(core, block);
}

void slow_core_exception(struct slow_core *core)
{
    COUNT(core, EXCEPTION_TAKEN)++;
    core->stuck_at = core->at_vector ? core->last_start : 1;
    core->entered = true;
    core->jumped = true;
    refill(core, core->machine->exception_entry_cycles);
}

void slow_core_return(struct slow_core *core)
{
    COUNT(core, EXCEPTION_RETURN)++;
    core->entered = false;
    core->jumped = true;
    refill(core, core->machine->exception_return_cycles);
}

/* ---- the system ---- */

void slow_core_mask(struct slow_core *core, unsigned masks)
{
    struct slow_action *action = add_action(core);
    action->what = SLOW_MASK;
    action->bits = masks;
}

void slow_core_preload(struct slow_core *core, uint32_t address)
{
    struct slow_action *action = add_action(core);
    action->what = SLOW_PRELOAD;
    action->start = address;
}

void slow_core_maintain(struct slow_core *core, unsigned bits, uint32_t address)
{
    struct slow_action *action = add_action(core);
    action->what = SLOW_MAINTAIN;
    action->start = address;
    action->bits = bits;
}

void slow_core_forget_branches(struct slow_core *core)
{
    slow_predictor_init(&core->predictor, core->machine);
}

void slow_core_finish(struct slow_core *core)
{
    refill(core, 0);
    slow_memory_finish(&core->memory);
    count_masked(core);
    COUNT(core, CPU_CYCLES) = core->memory.now;
    COUNT(core, DATA_DEPENDENCY_STALL) = core->issue.dependency;
    COUNT(core, INTEGER_DIVIDE_STALL) = core->issue.divide + (core->issue.divider_write != 0);
    COUNT(core, PAIR_WITH_BRANCH) = core->issue.pairs[R4F_PAIR_A];
    COUNT(core, PAIR_WITH_ACCESS) = core->issue.pairs[R4F_PAIR_B];
    COUNT(core, PAIR_OTHER) = core->issue.pairs[R4F_PAIR_OTHER];
    COUNT(core, PAIR_RETIRED) = core->issue.pairs[R4F_PAIR_A] + core->issue.pairs[R4F_PAIR_B] +
                                core->issue.pairs[R4F_PAIR_OTHER];
}

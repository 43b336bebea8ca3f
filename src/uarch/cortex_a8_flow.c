/* The Cortex-A8 model from one block to the next. */
#include "uarch/cortex_a8.h"

#include <string.h>

/* System calls by which a signal handler returns (Arm EABI numbers). */
enum { SYSCALL_SIGRETURN = 119, SYSCALL_RT_SIGRETURN = 173 };

static void fetch_wrong_path(struct a8 *a8, uint64_t address)
{
    const uint64_t bytes = a8->machine->l1i_fetch_bytes;
    const uint64_t fetches = a8->machine->branch_wrong_path_fetches;
    if (fetches == 0)
        return;
    a8->tally[ARMPMU_SIGNAL_L1I_ACCESS] += fetches;
    const uint64_t last = (address / bytes + fetches) * bytes - 1;
    for (uint64_t line = address >> LINE_SHIFT; line <= last >> LINE_SHIFT; line++)
        a8_fetch_line(&a8->memory, line, true);
}

static void flush(struct a8 *a8, unsigned result, uint64_t wrong_path)
{
    const uint32_t cycles = a8->machine->branch_mispredict_cycles;
    a8->tally[ARMPMU_SIGNAL_BRANCH_FLUSH]++;
    a8->tally[ARMPMU_SIGNAL_DIRECTION_MISPREDICT] += (result & FLOW_WRONG_DIRECTION) != 0;
    a8->tally[ARMPMU_SIGNAL_RETURN_MISPREDICT] += (result & FLOW_WRONG_RETURN) != 0;
    a8->tally[ARMPMU_SIGNAL_ISSUE_EMPTY] += cycles;
    a8->memory.now += cycles;
    fetch_wrong_path(a8, wrong_path);
}

/* The next block starts with nothing in flight, cycles later. */
static uint32_t restart(struct a8 *a8, uint32_t cycles)
{
    a8->memory.now += cycles;
    a8->tally[ARMPMU_SIGNAL_ISSUE_EMPTY] += cycles;
    return IDLE_KEY;
}

uint32_t a8_exception_entry(struct a8 *a8)
{
    a8->tally[ARMPMU_SIGNAL_EXCEPTION_TAKEN]++;
    return restart(a8, a8->machine->exception_entry_cycles);
}

uint32_t a8_exception_return(struct a8 *a8)
{
    a8->tally[ARMPMU_SIGNAL_EXCEPTION_RETURN]++;
    return restart(a8, a8->machine->exception_return_cycles);
}

/* The last block's branch was executed; returns the key of the next block's schedule. */
static uint32_t branch(struct a8 *a8, struct a8_block *block, bool taken, uint64_t target)
{
    const struct a8_variant *variant = a8->variant;
    block->taken += taken;
    if (unlikely(block->returns_exception))
        return taken ? restart(a8, a8->machine->exception_return_cycles) : sequential_key(variant);
    if (predictor_agrees(&a8->predictor, &block->flow, taken, target)) {
        block->btb = predictor_find(&a8->predictor, block->flow.pc);
        a8->memory.now += taken ? variant->jump_cycles : 0;
        a8->steady = true;
        return taken ? jump_key(variant) : sequential_key(variant);
    }
    uint64_t wrong_path;
    struct flow flow = block->flow;
    flow.taken = taken;
    flow.target = target;
    const unsigned result = predictor_branch(&a8->predictor, &flow, &wrong_path);
    /* A taken branch counts as predicted taken unless it is found here that it was not. */
    const bool predicted = result & FLOW_PREDICTED_TAKEN;
    a8->tally[ARMPMU_SIGNAL_BRANCH_PREDICTED_TAKEN] +=
        a8->predictor.enabled ? (uint64_t)predicted - taken : 0;
    a8->flushed_taken += predicted;
    a8->memory.now += variant->open_cycles;
    flush(a8, result, wrong_path);
    return IDLE_KEY;
}

static uint64_t insn_address(const struct a8_block *block, unsigned index)
{
    return block->start + block->code->insns[index].offset;
}

/* The last block executed only its first n instructions: puts its tallies right. */
void a8_cut_short(struct a8 *a8, struct a8_block *block, unsigned n)
{
    struct a8_variant *variant = a8->variant;
    const struct schedule_state before = *schedule_state_of(&a8->states, variant->key >> 1);
    struct schedule_result result;
    schedule_run(a8->machine, block->code, 0, n, &before, &result);
    a8->memory.now += (uint64_t)result.cycles + result.after.slot_open - variant->cycles;
    a8->retired += n;
    a8->tally[ARMPMU_SIGNAL_INST_ISSUED] += result.issued;
    a8->tally[ARMPMU_SIGNAL_OPERATION_ISSUED] += result.operations;
    const uint64_t end = n < block->n_insns ? insn_address(block, n) + block->code->insns[n].size
                                            : block->fall_through;
    a8->tally[ARMPMU_SIGNAL_L1I_ACCESS] += a8_fetch_groups(a8, block->start, end, variant->key & 1);
    for (unsigned i = 0; i < n; i++)
        a8_add_insn(&block->code->insns[i], a8->tally);
    for (uint32_t i = 0; i < block->n_accesses && block->accesses[i].index < n; i++) {
        const struct a8_access *access = &block->accesses[i];
        if (!access->optional)
            a8_add_access(access, &block->code->insns[access->index], a8->tally);
    }
    a8->cut = true;
    a8->variant = &a8->nowhere;
    a8_exception_entry(a8);
}

/* Whether an instruction of this effect may be refused instead of executed. */
bool a8_may_trap(enum insn_effect effect)
{
    switch (effect) {
    case EFFECT_UNDEFINED:
    case EFFECT_BREAKPOINT:
    case EFFECT_SYSTEM:
    case EFFECT_CONTEXTIDR_WRITE: /* privileged modes only */
    case EFFECT_SW_INCREMENT:     /* in User mode only when it is enabled */
        return true;
    case EFFECT_NONE:
    case EFFECT_SYSCALL:
        return false;
    }
    return false;
}

/* The next block is none that the last one leads to. Either its last instruction faulted, or an
 * asynchronous signal came after it. */
static uint32_t discontinuity(struct a8 *a8, struct a8_block *block)
{
    const unsigned last = block->n_insns - 1;
    const enum insn_effect effect = block->code->insns[last].effect;
    if (a8_may_trap(effect)) {
        a8_cut_short(a8, block, last);
        a8->cut = false;
        return a8_exception_return(a8);
    }
    if (ends_with_branch(block) && block->flow.conditional) {
        if (a8->n_interrupted == INTERRUPTED_MAX) {
            memmove(a8->interrupted, a8->interrupted + 1,
                    (INTERRUPTED_MAX - 1) * sizeof a8->interrupted[0]);
            a8->n_interrupted--;
        }
        a8->interrupted[a8->n_interrupted++] = block;
    } else if (ends_with_branch(block)) {
        block->taken++;
    }
    return IDLE_KEY;
}

/* A signal handler returned to `start`: a branch it hid may show its direction. */
static void resume(struct a8 *a8, uint64_t start)
{
    if (a8->n_interrupted == 0)
        return;
    struct a8_block *block = a8->interrupted[a8->n_interrupted - 1];
    if (start != block->flow.target && start != block->fall_through)
        return;
    block->taken += start != block->fall_through;
    a8->n_interrupted--;
}

/* The last block ended with SVC. Without a word about it the call was one of the few that QEMU
 * answers itself (set_tls, cacheflush), or its condition failed. */
static uint32_t leave_syscall(struct a8 *a8, const struct a8_block *block,
                              const struct a8_block *next)
{
    if (a8->called) {
        a8->called = false;
        if (a8->syscall == SYSCALL_SIGRETURN || a8->syscall == SYSCALL_RT_SIGRETURN)
            resume(a8, next->start);
        return IDLE_KEY;
    }
    if (insn_is_conditional(&block->code->insns[block->n_insns - 1]))
        return sequential_key(a8->variant);
    a8->memory.now += a8->variant->open_cycles;
    a8_exception_entry(a8);
    return a8_exception_return(a8);
}

/* Settles how the last block ended, now that the next one is known; returns the key of the
 * next block's schedule. */
static uint32_t leave(struct a8 *a8, const struct a8_block *next)
{
    struct a8_block *block = a8->variant->block;
    if (a8->cut) {
        a8->cut = false;
        return a8_exception_return(a8);
    }
    if (block == NULL)
        return IDLE_KEY;
    if (ends_with_branch(block)) {
        if (block->indirect)
            return branch(a8, block, !block->flow.conditional || next->start != block->fall_through,
                          next->start);
        if (next->start == block->fall_through && block->flow.conditional)
            return branch(a8, block, false, 0);
        if (next->start == block->flow.target)
            return branch(a8, block, true, block->flow.target);
        return discontinuity(a8, block);
    }
    if (block->end == END_SYSCALL)
        return leave_syscall(a8, block, next);
    if (next->start != block->fall_through)
        return discontinuity(a8, block);
    a8->steady = true;
    return sequential_key(a8->variant);
}

/* Leaves the last block for the one a word names, the long way; returns that one's schedule, NULL
 * without memory. Remembers the way when nothing special happened on it. */
struct a8_variant *a8_enter(struct a8 *a8, struct a8_block *block, uint64_t word)
{
    struct a8_variant *from = a8->variant;
    a8->steady = false;
    const uint32_t key = leave(a8, block);
    if (a8->variant == from)
        from->left[0]++; /* it was not cut short */
    struct a8_variant *variant = block->variants;
    if (variant == NULL || variant->key != key)
        variant = a8_find_variant(a8, block, key);
    if (variant == NULL)
        return NULL;
    if (a8->steady) {
        const bool taken = (key & 1) == 0;
        from->next_word[taken] = word;
        from->next_variant[taken] = variant;
        from->next_cycles[taken] = (taken ? from->jump_cycles : 0) + variant->cycles;
    }
    a8->memory.now += variant->cycles;
    return variant;
}

/* The Cortex-A8 model from one block to the next. */
#include "cores/cortex_a8/core.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"

/* System calls by which a signal handler returns (Arm EABI numbers). */
enum { SYSCALL_SIGRETURN = 119, SYSCALL_RT_SIGRETURN = 173 };

struct a8_lines a8_wrong_path(const struct a8 *a8, uint64_t address)
{
    const uint64_t bytes = a8->machine->l1i_fetch_bytes;
    const uint64_t last = (address / bytes + a8->machine->branch_wrong_path_fetches) * bytes - 1;
    return (struct a8_lines){(uint32_t)(address >> LINE_SHIFT), (uint32_t)(last >> LINE_SHIFT)};
}

static void fetch_wrong_path(struct a8 *a8, struct a8_lines lines)
{
    const uint64_t fetches = a8->machine->branch_wrong_path_fetches;
    if (fetches == 0)
        return;
    a8->tally[ARMPMU_SIGNAL_L1I_ACCESS] += fetches;
    for (uint64_t line = lines.first; line <= lines.last; line++)
        if (!a8_filter_has(&a8->memory.fetch, line))
            a8_fetch_line(&a8->memory, line, true);
}

static void flush(struct a8 *a8, unsigned result, struct a8_lines wrong_path)
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

/* CHOICE(exception-entry): the pipeline refills. */
uint32_t a8_exception_entry(struct a8 *a8)
{
    a8->tally[ARMPMU_SIGNAL_EXCEPTION_TAKEN]++;
    a8->vectors_ahead = 0;
    return restart(a8, a8->machine->exception_entry_cycles);
}

uint32_t a8_exception_return(struct a8 *a8)
{
    a8->tally[ARMPMU_SIGNAL_EXCEPTION_RETURN]++;
    return restart(a8, a8->machine->exception_return_cycles);
}

/* The last block's branch was not what the predictor said, or not known to it. */
static void mispredict(struct a8 *a8, const struct a8_block *block, bool taken, uint64_t target)
{
    uint64_t wrong_path;
    struct flow flow = block->flow;
    flow.taken = taken;
    flow.target = target;
    const unsigned result = branch_predictor_branch(&a8->predictor, &flow, &wrong_path);
    /* A taken branch counts as predicted taken unless it is found here that it was not. */
    const bool predicted = result & FLOW_PREDICTED_TAKEN;
    a8->tally[ARMPMU_SIGNAL_BRANCH_PREDICTED_TAKEN] +=
        a8->predictor.enabled ? (uint64_t)predicted - taken : 0;
    a8->flushed_taken += predicted;
    a8->memory.now += a8->memo->open_cycles;
    flush(a8, result, a8_wrong_path(a8, wrong_path));
}

/* mispredict() for the most frequent case: a direct conditional branch hit the BTB where it did
 * last time, and went the other way than its counter said. Then only the counter and the history
 * learn.
 */
static inline void mispredict_direction(struct a8 *a8, const struct a8_schedule_memo *from,
                                        bool taken)
{
    struct branch_predictor *predictor = &a8->predictor;
    const struct a8_block *block = from->block;
    branch_predictor_learn_direction(predictor, branch_predictor_counter(predictor, block->flow.pc),
                                     taken);
    a8->tally[ARMPMU_SIGNAL_BRANCH_PREDICTED_TAKEN] += taken ? -UINT64_C(1) : 1;
    a8->flushed_taken += !taken;
    a8->memory.now += from->open_cycles;
    flush(a8, FLOW_WRONG_DIRECTION, block->wrong[taken]);
}

/* The last block's branch was executed; returns the key of the next block's schedule. */
static uint32_t branch(struct a8 *a8, struct a8_block *block, bool taken, uint64_t target)
{
    const struct a8_schedule_memo *memo = a8->memo;
    block->taken += taken;
    if (unlikely(block->returns_exception)) {
        a8->memory.now += taken ? memo->open_cycles : 0;
        return taken ? restart(a8, a8->machine->exception_return_cycles) : sequential_key(memo);
    }
    if (branch_predictor_agrees(&a8->predictor, &block->flow, block->btb, taken, target)) {
        block->btb = branch_predictor_find(&a8->predictor, block->flow.pc);
        a8->memory.now += taken ? memo->jump_cycles : 0;
        a8->memo_valid = true;
        return taken ? jump_key(memo) : sequential_key(memo);
    }
    mispredict(a8, block, taken, target);
    return IDLE_KEY;
}

static uint64_t insn_address(const struct a8_block *block, unsigned index)
{
    return block->start + block->code->insns[index].offset;
}

/* The last block does not execute to its end: it no longer counts as a whole. Its accesses up to
 * instruction n are known to have happened; the clock goes back to its start. */
static void stop_block(struct a8 *a8, unsigned n)
{
    const struct a8_block *block = a8->memo->block;
    a8->memory.now -= a8->memo->cycles;
    for (uint32_t i = 0; i < block->n_accesses && block->accesses[i].index < n; i++) {
        const struct a8_access *access = &block->accesses[i];
        if (!access->optional)
            a8_add_access(access, &block->code->insns[access->index], 1, a8->tally);
    }
    a8->memo = &a8->nowhere;
}

/* Retires the first n instructions of a stopped block, fetched up to the address `fetched`. Returns
 * the state in which they leave the pipeline. */
static struct schedule_state retire_part(struct a8 *a8, const struct a8_schedule_memo *memo,
                                         unsigned n, uint64_t fetched)
{
    const struct a8_block *block = memo->block;
    const struct schedule_state before = *a8_state(a8, memo->key >> 1);
    struct schedule_result result;
    schedule_run(a8->machine, block->code, 0, n, &before, &result);
    a8->memory.now += result.cycles;
    a8->retired += n;
    a8->tally[ARMPMU_SIGNAL_INST_ISSUED] += result.issued;
    a8->tally[ARMPMU_SIGNAL_OPERATION_ISSUED] += result.operations;
    a8->tally[ARMPMU_SIGNAL_L1I_ACCESS] +=
        a8_fetch_groups(a8, block->start, fetched, memo->key & 1);
    for (unsigned i = 0; i < n; i++)
        a8_add_insn(&block->code->insns[i], a8->tally);
    return result.after;
}

/* An exception ended the stopped block after its first n instructions: the next was fetched, too.
 */
static void retire_until(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned n)
{
    const struct a8_block *block = memo->block;
    const uint64_t fetched = n < block->n_insns
                                 ? insn_address(block, n) + block->code->insns[n].size
                                 : block->fall_through;
    a8->memory.now += retire_part(a8, memo, n, fetched).slot_open;
}

/* The stopped block's first n instructions executed: hands those of NEON and VFP over, for which
 * the clock has to stand at its end. */
static void end_stopped_vectors(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned n)
{
    a8->memory.now += memo->cycles;
    a8_end_vectors(a8, memo, n);
    a8->memory.now -= memo->cycles;
}

/* The engine goes on after the stopped block's first n instructions with another block, which the
 * core does not notice; returns that one's key. */
static uint32_t restart_at(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned n)
{
    const struct schedule_state state = retire_part(a8, memo, n, insn_address(memo->block, n));
    const uint32_t id = schedule_states_number(&a8->states, &state);
    return id == SCHEDULE_NO_STATE ? IDLE_KEY : id << 1 | 1;
}

/* In a user program that was a fault. A system announces its exceptions, so the next block decides
 * what happened. */
void a8_cut_short(struct a8 *a8, unsigned n)
{
    struct a8_schedule_memo *memo = a8->memo;
    stop_block(a8, n);
    a8->cut = true;
    if (a8->system) {
        a8->cut_memo = memo;
        a8->cut_at = n;
        return;
    }
    retire_until(a8, memo, n);
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
    case EFFECT_WAIT:
        return false;
    }
    return false;
}

/* The number of the instruction at an address in the block, n_insns if none is. */
static unsigned insn_at(const struct a8_block *block, uint64_t address)
{
    unsigned i = 0;
    while (i < block->n_insns && insn_address(block, i) != address)
        i++;
    return i;
}

/* A branch that an exception hid is known to have been taken: its prediction cost no time. */
static void show_taken(struct a8 *a8, struct a8_block *block)
{
    block->taken++;
    a8->flushed_taken += a8->predictor.enabled && !block->returns_exception;
}

/* A signal or an interrupt hides where the block's branch went. An unconditional one was taken. */
static void hide_branch(struct a8 *a8, struct a8_block *block)
{
    if (!ends_with_branch(block))
        return;
    if (!block->flow.conditional) {
        show_taken(a8, block);
        return;
    }
    if (a8->n_interrupted == INTERRUPTED_MAX) {
        memmove(a8->interrupted, a8->interrupted + 1,
                (INTERRUPTED_MAX - 1) * sizeof a8->interrupted[0]);
        a8->n_interrupted--;
    }
    a8->interrupted[a8->n_interrupted++] = block;
}

/* The block ran to its end for the core, and its instructions from `rest` on come again. */
static void expect_vectors_again(struct a8 *a8, const struct a8_block *block, unsigned rest)
{
    for (uint32_t i = 0; i < block->n_vectors; i++)
        a8->vectors_ahead += block->vectors[i].index >= rest;
}

/* The last block does not lead to the next one. In a user program either its last instruction
 * faulted or an asynchronous signal came after it. In a system the engine may have gone on in the
 * middle of the block. */
static uint32_t discontinuity(struct a8 *a8, struct a8_block *block, uint64_t next)
{
    const struct a8_schedule_memo *memo = a8->memo;
    if (block->n_insns == 0)
        return IDLE_KEY;
    const unsigned last = block->n_insns - 1;
    const enum insn_effect effect = block->code->insns[last].effect;
    const unsigned rest = a8->system ? insn_at(block, next) : block->n_insns;
    if (rest != block->n_insns) {
        a8->retired -= block->n_insns; /* it was taken for whole */
        expect_vectors_again(a8, block, rest);
        stop_block(a8, rest);
        return restart_at(a8, memo, rest);
    }
    if (a8_may_trap(effect) && !a8->system) {
        a8->retired -= block->n_insns;
        a8_cut_short(a8, last);
        a8->cut = false;
        return a8_exception_return(a8);
    }
    hide_branch(a8, block);
    a8->memory.now += memo->open_cycles;
    return IDLE_KEY;
}

/* A handler returned to `start`: the direction of a branch that it hid may be known now. Handlers
 * do not return in the order they came in when a system switches between its tasks.
 *
 * CHOICE(hidden-branch): the newest such branch that can have gone there did, once. */
static void resume(struct a8 *a8, uint64_t start)
{
    for (uint32_t i = a8->n_interrupted; i-- > 0;) {
        struct a8_block *block = a8->interrupted[i];
        if (start != block->fall_through && (block->indirect || start != block->flow.target))
            continue;
        a8_mark_dirty(a8, block); /* it ran before, perhaps before the last read */
        if (start != block->fall_through)
            show_taken(a8, block);
        a8->n_interrupted--;
        memmove(a8->interrupted + i, a8->interrupted + i + 1,
                (a8->n_interrupted - i) * sizeof a8->interrupted[0]);
        return;
    }
}

/* The last block ended with SVC. Without a record about it the call was one of the few that QEMU
 * answers itself (set_tls, cacheflush), or its condition failed.
 *
 * CHOICE(engine-call): a system's calls are announced; one without a record was the engine's. */
static uint32_t leave_syscall(struct a8 *a8, const struct a8_block *block,
                              const struct a8_block *next)
{
    if (a8->called) {
        a8->called = false;
        if (a8->syscall == SYSCALL_SIGRETURN || a8->syscall == SYSCALL_RT_SIGRETURN)
            resume(a8, next->start);
        return IDLE_KEY;
    }
    if (insn_is_conditional(&block->code->insns[block->n_insns - 1]) || a8->system)
        return sequential_key(a8->memo);
    a8->memory.now += a8->memo->open_cycles;
    a8_exception_entry(a8);
    return a8_exception_return(a8);
}

void a8_end_cut(struct a8 *a8)
{
    end_stopped_vectors(a8, a8->cut_memo, a8->cut_at);
    retire_until(a8, a8->cut_memo, a8->cut_at);
    a8->cut_memo = NULL;
}

/* The last block did not execute as a whole, and no record said why.
 *
 * CHOICE(engine-restart): in a system's trace a next block that begins in the last one, at or
 * before the instruction that is missing, is the rest of it, which the engine started anew.
 *
 * CHOICE(silent-cut): any other is the handler's of an exception. */
static uint32_t leave_cut(struct a8 *a8, const struct a8_block *next)
{
    a8->cut = false;
    if (a8->cut_memo == NULL)
        return a8_exception_return(a8);
    const struct a8_schedule_memo *memo = a8->cut_memo;
    const unsigned rest = insn_at(memo->block, next->start);
    if (rest > a8->cut_at) {
        a8_end_cut(a8);
        return a8_exception_entry(a8);
    }
    a8->cut_memo = NULL;
    end_stopped_vectors(a8, memo, rest);
    return restart_at(a8, memo, rest);
}

/* The whole block executed before the exception; execution would have gone on at `address`, 0 if
 * that is not known.
 *
 * CHOICE(hidden-branch): a branch whose target is known went there, as if its next block had come;
 * where another went is known when the handler returns. */
static void retire_whole(struct a8 *a8, struct a8_block *block, uint64_t address)
{
    struct a8_schedule_memo *memo = a8->memo;
    uint32_t key = sequential_key(memo);
    if (ends_with_branch(block)) {
        const bool always = !block->flow.conditional;
        if (address != 0 || (always && !block->indirect))
            key = branch(a8, block, always || address != block->fall_through,
                         block->indirect ? address : block->flow.target);
        else
            hide_branch(a8, block);
    }
    if (key & 1)
        a8->memory.now += memo->open_cycles;
    memo->exits[0]++;
    a8->memo = &a8->nowhere;
}

/* The last block, if there is one, ended after its first n instructions. */
static void end_block(struct a8 *a8, unsigned n, uint64_t address)
{
    const struct a8_schedule_memo *memo = a8->memo;
    if (a8->cut_memo != NULL) {
        end_stopped_vectors(a8, a8->cut_memo, n);
        retire_until(a8, a8->cut_memo, n);
        a8->cut_memo = NULL;
        a8->cut = false;
    } else if (memo->block != NULL && n < memo->block->n_insns) {
        stop_block(a8, n);
        retire_until(a8, memo, n);
    } else if (memo->block != NULL) {
        retire_whole(a8, memo->block, address);
    }
}

enum armpmu_status a8_exception(struct a8 *a8, uint64_t word, struct armpmu_error *err)
{
    const struct a8_schedule_memo *memo = a8->cut_memo != NULL ? a8->cut_memo : a8->memo;
    const struct a8_block *block = memo->block;
    const unsigned index = armpmu_record_index(word);
    const unsigned n = block != NULL && index == ARMPMU_RECORD_ALL ? block->n_insns : index;
    if (block != NULL && n > block->n_insns)
        return fail(err, ARMPMU_BAD_INPUT,
                    "the engine's stream has an exception behind %u instructions of the block "
                    "at 0x%" PRIx64 ", which has %u; it must count those of the last block",
                    n, block->start, block->n_insns);
    end_block(a8, n, word & ARMPMU_RECORD_ADDRESS);
    a8_exception_entry(a8);
    return ARMPMU_OK;
}

/* Decides how the last block ended, now that the next one is known; returns the key of the
 * next block's schedule. */
static uint32_t leave(struct a8 *a8, const struct a8_block *next)
{
    struct a8_block *block = a8->memo->block;
    if (a8->cut)
        return leave_cut(a8, next);
    if (block == NULL)
        return IDLE_KEY;
    if (ends_with_branch(block)) {
        if (block->indirect) {
            const bool taken = !block->flow.conditional || next->start != block->fall_through;
            if (block->returns_exception && taken)
                resume(a8, next->start);
            return branch(a8, block, taken, next->start);
        }
        if (next->start == block->fall_through && block->flow.conditional)
            return branch(a8, block, false, 0);
        if (next->start == block->flow.target)
            return branch(a8, block, true, block->flow.target);
        return discontinuity(a8, block, next->start);
    }
    if (block->end == END_SYSCALL)
        return leave_syscall(a8, block, next);
    if (next->start != block->fall_through)
        return discontinuity(a8, block, next->start);
    a8->memo_valid = true;
    return sequential_key(a8->memo);
}

/* Leaves the last block for the one a record names, the slow path; returns that one's schedule,
 * NULL without memory. Remembers the way when nothing special happened on it. */
struct a8_schedule_memo *a8_enter(struct a8 *a8, struct a8_block *block, uint64_t word)
{
    struct a8_schedule_memo *from = a8->memo;
    a8->memo_valid = false;
    const uint32_t key = leave(a8, block);
    if (a8->memo == from)
        from->exits[0]++; /* it was not cut short */
    struct a8_schedule_memo *memo = a8_find_memo(a8, block, key);
    if (memo == NULL)
        return NULL;
    if (a8->memo_valid) {
        const bool taken = (key & 1) == 0;
        from->next_word[taken] = word;
        from->next_memo[taken] = memo;
        from->next_cycles[taken] = (taken ? from->jump_cycles : 0) + memo->cycles;
    }
    a8->memory.now += memo->cycles;
    return memo;
}

struct a8_schedule_memo *a8_enter_flushed(struct a8 *a8, bool taken)
{
    struct a8_schedule_memo *from = a8->memo;
    const struct a8_block *block = from->block;
    struct a8_block *next = from->next_memo[taken]->block;
    from->exits[taken]++;
    if (likely(block->end == END_CONDITIONAL && a8_hits_btb_again(block)))
        mispredict_direction(a8, from, taken);
    else
        mispredict(a8, block, taken, next->start);
    struct a8_schedule_memo *memo = next->idle;
    if (unlikely(memo == NULL))
        memo = a8_find_memo(a8, next, IDLE_KEY);
    if (memo != NULL)
        a8->memory.now += memo->cycles;
    else
        a8->memo = &a8->nowhere; /* it was left, and is not left once more */
    return memo;
}

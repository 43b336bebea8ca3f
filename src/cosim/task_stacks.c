#include "cosim/task_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define CONTEXTS_MAX 65536u
#define LEFT_MAX     4096u
/* A switch by a call keeps so much on the stack of a task, at most: where the task called it is
 * known, and where not. */
#define FRAME_BYTES       1024u
#define FRAME_BYTES_LEAST 256u

/* ---- what a block does ---- */

/* Registers that the block loaded before count as memory; the frame pointer does not: it gives the
 * stack pointer what it was. */
static bool loads_stack(const struct insn *insn, uint64_t sp, uint64_t frame, uint64_t loaded)
{
    const bool is_load = insn->memory.load && !insn->memory.store;

    if ((insn->writes & ~insn->writes_back & sp) == 0)
        return false;
    return is_load ? (insn->reads & frame) == 0 : (insn->reads & sp) == 0 && (insn->reads & loaded);
}

static unsigned end_of(const struct insn *last)
{
    if (last->links)
        return STACK_CALLS;
    return last->branch == BRANCH_EXCEPTION_RETURN                            ? STACK_RETURNS
           : last->branch == BRANCH_RETURN || last->branch == BRANCH_INDIRECT ? STACK_JUMPS
                                                                              : 0;
}

unsigned task_stacks_effect(const struct block *block)
{
    const bool is_64 = block->isa == ARMPMU_A64;
    const uint64_t sp = is_64 ? REG_XSP : REG_SP, frame = is_64 ? REG_X(29) : REG_R(11);
    uint64_t loaded = 0;
    unsigned effect = block->n_insns > 0 ? end_of(&block->insns[block->n_insns - 1]) : 0;

    for (uint16_t i = 0; i < block->n_insns; i++) {
        const struct insn *const insn = &block->insns[i];
        if (loads_stack(insn, sp, frame, loaded))
            effect |= STACK_LOADED;
        loaded &= ~insn->writes;
        if (insn->memory.load)
            loaded |= insn->writes & ~insn->writes_back;
    }
    return effect;
}

/* ---- tasks ---- */

bool task_stacks_init(struct task_stacks *tasks)
{
    *tasks = (struct task_stacks){.n_contexts = 1};
    return ARRAY_RESERVE(tasks->bases, tasks->bases_room, 1);
}

void task_stacks_free(struct task_stacks *tasks)
{
    free(tasks->left);
    free(tasks->bases);
    *tasks = (struct task_stacks){0};
}

/* Where many are never resumed, as handlers that do not return leave them, the oldest are
 * forgotten. */
static void leave(struct task_stacks *tasks, bool by_exception, uint64_t pc, uint64_t sp)
{
    if (tasks->n_left == LEFT_MAX) {
        tasks->n_left /= 2;
        memmove(tasks->left, tasks->left + tasks->n_left, tasks->n_left * sizeof *tasks->left);
    }
    tasks->is_lost |= !ARRAY_RESERVE(tasks->left, tasks->left_room, tasks->n_left + 1);
    if (!tasks->is_lost)
        tasks->left[tasks->n_left++] = (struct task_left){tasks->current, by_exception, pc, sp};
}

/* Resumes one. Whatever its context left after it, inside handlers, is never resumed. */
static void resume(struct task_stacks *tasks, size_t at)
{
    size_t n = at;

    tasks->current = tasks->left[at].context;
    for (size_t i = at + 1; i < tasks->n_left; i++)
        if (tasks->left[i].context != tasks->current)
            tasks->left[n++] = tasks->left[i];
    tasks->n_left = n;
}

static void begin(struct task_stacks *tasks, uint64_t sp)
{
    tasks->is_lost |= tasks->n_contexts == CONTEXTS_MAX ||
                      !ARRAY_RESERVE(tasks->bases, tasks->bases_room, tasks->n_contexts + 1u);
    if (tasks->is_lost)
        return;
    tasks->current = tasks->n_contexts++;
    tasks->bases[tasks->current] = sp;
}

/* How well a task that was left suits: 0 is best, UINT64_MAX not at all. */
static uint64_t distance(const struct task_left *left, uint64_t pc, uint64_t sp)
{
    const uint64_t bytes = sp > left->sp ? sp - left->sp : left->sp - sp;

    if (left->by_exception || left->pc == pc)
        return left->pc == pc && bytes <= (left->by_exception ? 0 : FRAME_BYTES) ? bytes
                                                                                 : UINT64_MAX;
    return bytes <= FRAME_BYTES_LEAST ? FRAME_BYTES + bytes : UINT64_MAX;
}

/* Resumes the task that suits best. False where none does. */
static bool resume_best(struct task_stacks *tasks, uint64_t pc, uint64_t sp)
{
    uint64_t least = UINT64_MAX;
    size_t best = 0;

    for (size_t i = tasks->n_left; i-- > 0;) {
        const uint64_t bytes = distance(&tasks->left[i], pc, sp);
        if (bytes < least) {
            least = bytes;
            best = i;
        }
    }
    if (least != UINT64_MAX)
        resume(tasks, best);
    return least != UINT64_MAX;
}

/* The latest that the running context left by an exception; n_left for none. */
static size_t latest_of(const struct task_stacks *tasks)
{
    size_t i = tasks->n_left;

    while (i-- > 0)
        if (tasks->left[i].context == tasks->current && tasks->left[i].by_exception)
            return i;
    return tasks->n_left;
}

void task_stacks_interrupt(struct task_stacks *tasks, uint64_t pc, uint64_t sp)
{
    leave(tasks, true, pc, sp);
}

void task_stacks_load(struct task_stacks *tasks, uint64_t link, uint64_t sp)
{
    if (tasks->is_loading)
        return;
    tasks->is_loading = true;
    tasks->loading_pc = link;
    tasks->loading_sp = sp;
}

/* A handler may have changed where it returns to. Without an exception, and with a stack pointer
 * without a load before, it is the way to a lower level, as at a start. */
static void end_exception(struct task_stacks *tasks, uint64_t pc, uint64_t sp)
{
    if (resume_best(tasks, pc, sp))
        return;
    const size_t latest = latest_of(tasks);
    if (latest != tasks->n_left && tasks->left[latest].sp == sp)
        resume(tasks, latest);
    else if (latest != tasks->n_left || tasks->is_loading)
        begin(tasks, sp);
}

/* Loaded by longjmp, the stack pointer is where its own stack was before. One whose end is not
 * known is loaded for the first time. */
static void jump(struct task_stacks *tasks, uint64_t pc, uint64_t sp)
{
    const struct task_left left = {tasks->current, false, tasks->loading_pc, tasks->loading_sp};
    const uint64_t base = tasks->bases[tasks->current];

    if (base == 0)
        tasks->bases[tasks->current] = sp;
    else if (sp >= left.sp && sp <= base)
        return;
    else if (!resume_best(tasks, pc, sp))
        begin(tasks, sp);
    if (tasks->current == left.context || tasks->is_lost)
        return;
    const uint32_t now = tasks->current;
    tasks->current = left.context;
    leave(tasks, false, left.pc, left.sp);
    tasks->current = now;
}

uint32_t task_stacks_follow(struct task_stacks *tasks, unsigned effect, uint64_t pc, uint64_t sp)
{
    if (tasks->is_lost)
        return tasks->current;
    if (effect & STACK_RETURNS) {
        end_exception(tasks, pc, sp);
        tasks->is_loading = false;
    } else if (tasks->is_loading && (effect & STACK_JUMPS)) {
        jump(tasks, pc, sp);
        tasks->is_loading = false;
    } else if (effect & STACK_CALLS) {
        if (latest_of(tasks) == tasks->n_left) /* no handler's */
            tasks->bases[tasks->current] = sp;
        tasks->is_loading = false;
    }
    return tasks->current;
}

/* Finds the running task of a small operating system, for a profile: tasks are distinguished by
 * their stacks.
 *
 * A task that was interrupted continues where it was, with the stack pointer it had then. So a
 * return from an exception to another stack pointer is to another task, and to a new one where none
 * was left with it. A task that gives up the processor by a call of its own is left where the stack
 * pointer is loaded from memory and execution jumps; it continues after that call.
 *
 * Contexts are numbered by first execution, from 0, the one that starts the others. Does not see:
 * that a task ended; one that gets its stack is another. Knows no processor. */
#ifndef COSIM_TASK_STACKS_H
#define COSIM_TASK_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/insn.h"

/* Effects of a block on the stack pointer, and of its last instruction on tasks. */
enum {
    STACK_LOADED = 1,  /* it comes from memory */
    STACK_JUMPS = 2,   /* to where a register or memory says, but for calls */
    STACK_CALLS = 4,   /* as a call */
    STACK_RETURNS = 8, /* from an exception */
};

unsigned task_stacks_effect(const struct block *block);

/* A task that was left, by an exception or of its own accord. */
struct task_left {
    uint32_t context;
    bool by_exception;
    uint64_t pc, sp;
};

struct task_stacks {
    uint32_t current, n_contexts;
    struct task_left *left; /* the latest last */
    size_t n_left, left_room;
    uint64_t *bases; /* of each context: where its stack ends; 0: not known */
    size_t bases_room;
    bool is_loading; /* the stack pointer was loaded, and execution did not jump since: */
    uint64_t loading_pc, loading_sp; /* link register and stack pointer before */
    bool is_lost;                    /* no memory: contexts stay as they are */
};

bool task_stacks_init(struct task_stacks *tasks); /* false without memory */
void task_stacks_free(struct task_stacks *tasks); /* zeroed is fine */

/* An exception is taken at an address, with the stack pointer of what it interrupts. */
void task_stacks_interrupt(struct task_stacks *tasks, uint64_t pc, uint64_t sp);

/* A block that loads the stack pointer begins. */
void task_stacks_load(struct task_stacks *tasks, uint64_t link, uint64_t sp);

/* True where the end of a block with these effects may matter. */
static inline bool task_stacks_asks(const struct task_stacks *tasks, unsigned effect)
{
    return (effect & STACK_RETURNS) ||
           (effect != 0 && (tasks->is_loading || tasks->bases[tasks->current] == 0));
}

/* It did, and its last instruction led to an address. Returns the context that runs there. */
uint32_t task_stacks_follow(struct task_stacks *tasks, unsigned effect, uint64_t pc, uint64_t sp);

#endif

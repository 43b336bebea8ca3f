/* How a block ended, and what is told of it. */
#include "trace/trace_reader_internal.h"

#include <string.h>

void walk_close_intervals(struct walk *walk)
{
    const uint64_t now =
        walk->clock == ARMPMU_SIGNAL_INST_RETIRED ? walk->retired : walk->model->cycles(walk->core);
    while (now >= walk->next_end) {
        walk->next_end += walk->period;
        walk->on_interval(walk->interval_user, ++walk->interval);
    }
}

void walk_tell(struct walk *walk, uint32_t n)
{
    if (unlikely(walk->told))
        return;
    walk->told = true;
    walk->now.n_executed = n;
    if (unlikely(walk->ahead >= n && walk->ahead != 0)) {
        walk->ahead -= n;
        return;
    }
    walk->ahead = 0;
    while (walk->now.n_accesses != 0 && walk->accesses[walk->now.n_accesses - 1].index >= n)
        walk->now.n_accesses--;
    walk->retired += n;
    walk->model->executed(walk->core, &walk->now);
}

void walk_leave(struct walk *walk, uint32_t n, enum walk_exit exit, uint64_t next)
{
    if (unlikely(walk->last->n_insns == 0)) {
        walk->last = NULL;
        return;
    }
    walk_tell(walk, n);
    walk->model->left(walk->core, &walk->now, exit, next);
    walk->last = NULL;
}

static void drop_hidden(struct walk *walk, uint32_t i)
{
    walk->n_hidden--;
    memmove(walk->hidden + i, walk->hidden + i + 1, (walk->n_hidden - i) * sizeof walk->hidden[0]);
}

/* A signal or an interrupt hides where the last block's branch went. An unconditional one went
 * somewhere. */
static void hide_branch(struct walk *walk)
{
    const struct walk_entry *entry = walk->last;
    walk_leave(walk, entry->n_insns, WALK_HIDDEN, 0);
    if (!entry->conditional) {
        walk->model->showed(walk->core, entry->code, true);
        return;
    }
    if (walk->n_hidden == HIDDEN_MAX)
        drop_hidden(walk, 0);
    walk->hidden[walk->n_hidden++] = entry;
}

/* A handler returned to `start`: a branch it hid may show its direction. Handlers do not return in
 * the order they came in when a system switches between its tasks.
 *
 * As CHOICE(hidden-branch) has it, the newest such branch that can have gone there did, once. */
static void resume(struct walk *walk, uint64_t start)
{
    for (uint32_t i = walk->n_hidden; i-- > 0;) {
        const struct walk_entry *entry = walk->hidden[i];
        if (start != entry->fall_through && (entry->indirect || start != entry->target))
            continue;
        drop_hidden(walk, i);
        walk->model->showed(walk->core, entry->code, start != entry->fall_through);
        return;
    }
}

/* ---- how it ended ---- */

bool walk_may_trap(enum insn_effect effect)
{
    return effect != EFFECT_NONE && effect != EFFECT_SYSCALL && effect != EFFECT_WAIT;
}

/* The number of the instruction at an address in the block, n_insns if none is. */
static unsigned insn_at(const struct walk_entry *entry, uint64_t address)
{
    unsigned i = 0;
    while (i < entry->n_insns && entry->start + entry->code->insns[i].offset != address)
        i++;
    return i;
}

/* The engine goes on behind the last block's first n instructions with another block, which the
 * core does not notice. */
static void restart(struct walk *walk, unsigned n, uint64_t next)
{
    if (walk->told)
        walk->ahead += walk->last->n_insns - n;
    else
        walk_leave(walk, n, WALK_SEQUENTIAL, next);
}

/* CHOICE(xscale-kernel-helper): a call of the kernel's helper page looks like an instruction that
 * faults and is handled.
 *
 * The next block is none that the last one leads to. Of a user program, either its last instruction
 * faulted or an asynchronous signal came after it. Of a system, the engine may have gone on in the
 * midst of the block. */
static RARE void leave_elsewhere(struct walk *walk, uint64_t next)
{
    const struct walk_entry *entry = walk->last;
    if (entry->n_insns == 0)
        return;
    const unsigned last = entry->n_insns - 1;
    const unsigned rest = walk->system ? insn_at(entry, next) : entry->n_insns;
    if (rest != entry->n_insns) {
        restart(walk, rest, next);
    } else if (walk_may_trap(entry->code->insns[last].effect) && !walk->system) {
        walk_stop(walk, last);
        walk->model->exception(walk->core);
        walk->model->exception_return(walk->core);
    } else if (entry->end == END_BRANCH) {
        hide_branch(walk);
    } else {
        walk_stop(walk, entry->n_insns);
    }
}

/* The last block ended with SVC, and no word says that the call was made: QEMU answered it itself
 * (set_tls, cacheflush), or its condition failed.
 *
 * As CHOICE(engine-call) has it, a system's calls are announced; one without a word was the
 * engine's. */
static void leave_syscall(struct walk *walk, uint64_t next)
{
    const struct walk_entry *entry = walk->last;
    if (insn_is_conditional(&entry->code->insns[entry->n_insns - 1]) || walk->system) {
        walk_leave(walk, entry->n_insns, WALK_SEQUENTIAL, next);
        return;
    }
    walk_stop(walk, entry->n_insns);
    walk->model->exception(walk->core);
    walk->model->exception_return(walk->core);
}

/* An access of the last block is missing, and no word said why: of a system.
 *
 * As CHOICE(engine-restart) has it, a next block that begins in the last one, at or before the
 * instruction that is missing, is the rest of it, which the engine started anew; by
 * CHOICE(silent-cut) any other is the handler's of an exception. */
static RARE void leave_cut(struct walk *walk, uint64_t next)
{
    const unsigned rest = insn_at(walk->last, next);
    walk->cut = false;
    if (rest <= walk->cut_at) {
        restart(walk, rest, next);
        return;
    }
    walk_stop(walk, walk->cut_at);
    walk->model->exception(walk->core);
}

static inline void leave_branch(struct walk *walk, uint64_t next)
{
    const struct walk_entry *entry = walk->last;
    if (entry->indirect) {
        const bool taken = !entry->conditional || next != entry->fall_through;
        if (entry->returns_exception && taken)
            resume(walk, next);
        walk_leave(walk, entry->n_insns, taken ? WALK_BRANCH : WALK_SEQUENTIAL, next);
    } else if (next == entry->fall_through && entry->conditional) {
        walk_leave(walk, entry->n_insns, WALK_SEQUENTIAL, next);
    } else if (next == entry->target) {
        walk_leave(walk, entry->n_insns, WALK_BRANCH, next);
    } else {
        leave_elsewhere(walk, next);
    }
}

/* What the next block says of those before it, when none is open: of a user program, what the
 * kernel did. */
static RARE void return_to(struct walk *walk, uint64_t next)
{
    if (walk->faulted)
        walk->model->exception_return(walk->core);
    if (walk->called && walk->sigreturn)
        resume(walk, next);
    walk->faulted = walk->called = false;
}

void walk_arrive(struct walk *walk, uint64_t next)
{
    const struct walk_entry *entry = walk->last;
    if (unlikely(entry == NULL)) {
        if (walk->faulted || walk->called)
            return_to(walk, next);
        return;
    }
    if (unlikely(walk->cut))
        leave_cut(walk, next);
    else if (entry->end == END_BRANCH)
        leave_branch(walk, next);
    else if (unlikely(entry->end == END_SYSCALL))
        leave_syscall(walk, next);
    else if (likely(next == entry->fall_through))
        walk_leave(walk, entry->n_insns, WALK_SEQUENTIAL, next);
    else
        leave_elsewhere(walk, next);
    walk_end_intervals(walk);
}

/* An access of the last block is missing: of a user program that was a fault. Of a system, whose
 * exceptions are announced, it depends on the next word what happened. */
RARE void walk_cut_short(struct walk *walk, unsigned n)
{
    if (walk->system) {
        walk->cut = true;
        walk->cut_at = n;
        return;
    }
    walk_stop(walk, n);
    walk->model->exception(walk->core);
    walk->faulted = true;
    walk_end_intervals(walk);
}

/* The whole block executed before the exception; execution would have gone on at `address`, 0 if
 * that is not known. */
void walk_leave_whole(struct walk *walk, uint64_t address)
{
    const struct walk_entry *entry = walk->last;
    if (entry->end != END_BRANCH) {
        walk_stop(walk, entry->n_insns);
    } else if (address == 0 && (entry->conditional || entry->indirect)) {
        hide_branch(walk);
    } else if (entry->conditional && address == entry->fall_through) {
        walk_leave(walk, entry->n_insns, WALK_SEQUENTIAL, address);
    } else {
        walk_leave(walk, entry->n_insns, WALK_BRANCH, entry->indirect ? address : entry->target);
    }
}

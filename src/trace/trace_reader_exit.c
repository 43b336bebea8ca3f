/* Decides how a block ended, and calls the core's callbacks accordingly. */
#include "trace/trace_reader_internal.h"

#include <string.h>

void reader_close_intervals(struct trace_reader *reader)
{
    const uint64_t now = reader->clock == ARMPMU_SIGNAL_INST_RETIRED
                             ? reader->retired
                             : reader->model->cycles(reader->core);
    while (now >= reader->next_end) {
        reader->next_end += reader->period;
        reader->on_interval(reader->interval_user, ++reader->interval);
    }
}

void reader_retire(struct trace_reader *reader, uint32_t n)
{
    if (unlikely(reader->was_retired))
        return;
    reader->was_retired = true;
    reader->from = &reader->nowhere;
    reader->now.n_executed = n;
    if (unlikely(reader->ahead >= n && reader->ahead != 0)) {
        reader->ahead -= n;
        return;
    }
    reader->ahead = 0;
    while (reader->now.n_accesses != 0 && reader->accesses[reader->now.n_accesses - 1].index >= n)
        reader->now.n_accesses--;
    reader->retired += reader->period != 0 ? n : 0;
    reader->model->retire_block(reader->core, &reader->now);
}

/* ---- edges ---- */

static uint64_t mispredictions(const struct trace_reader *reader, const uint64_t *row)
{
    return row[ARMPMU_SIGNAL_BRANCH_FLUSH] +
           profile_rows_counted(row, reader->model->n_signals,
                                ARMPMU_SIGNAL_DIRECT_BRANCH_MISPREDICT);
}

/* The row of the branch at the end of a block. */
static const uint64_t *branch_row(struct trace_reader *reader, const struct reader_entry *entry)
{
    return profile_rows_at(&reader->profile, entry->profile, entry->n_insns - 1);
}

/* before: the mispredictions so far. */
static void add_edge(struct trace_reader *reader, const struct reader_entry *entry, uint64_t to,
                     uint64_t before)
{
    const uint64_t from = entry->start + entry->code->insns[entry->n_insns - 1].offset;
    if (!reader->paths.paths[entry->path].is_inside)
        return;
    struct armpmu_profile_edge *const edge =
        edges_find(&reader->edges, entry->path, from, to != 0 ? to : ARMPMU_PROFILE_NO_TARGET);
    reader->profile.lost |= edge == NULL;
    if (edge == NULL)
        return;
    edge->n++;
    edge->n_mispredicted += mispredictions(reader, branch_row(reader, entry)) != before;
}

void reader_exit_by_edge(struct trace_reader *reader, const struct reader_entry *entry,
                         enum block_exit exit, uint64_t next)
{
    const bool is_branch =
        entry->end == END_BRANCH && reader->now.n_executed == entry->n_insns && entry->n_insns != 0;
    const bool is_known = exit == EXIT_BRANCH || exit == EXIT_SEQUENTIAL;
    const uint64_t before = is_branch ? mispredictions(reader, branch_row(reader, entry)) : 0;
    reader->model->block_exit(reader->core, &reader->now, exit, next);
    if (is_branch)
        add_edge(reader, entry, is_known ? next : ARMPMU_PROFILE_NO_TARGET, before);
}

/* A handler hid where the branch led, which is known now: the edge to no target is another's. */
static void move_edge(struct trace_reader *reader, const struct reader_entry *entry, bool taken,
                      uint64_t before)
{
    const uint64_t from = entry->start + entry->code->insns[entry->n_insns - 1].offset;
    struct armpmu_profile_edge *const unknown =
        edges_find(&reader->edges, entry->path, from, ARMPMU_PROFILE_NO_TARGET);
    if (unknown != NULL && unknown->n != 0)
        unknown->n--;
    add_edge(reader, entry,
             !taken            ? entry->fall_through
             : entry->indirect ? ARMPMU_PROFILE_NO_TARGET
                               : entry->target,
             before);
}

void reader_leave(struct trace_reader *reader, uint32_t n, enum block_exit exit, uint64_t next)
{
    const bool retires_late = reader->model->positions->retires_late;
    if (likely(reader->last->n_insns != 0 || !retires_late)) {
        reader_retire(reader, n);
        if (!retires_late && n == reader->last->n_insns)
            reader_end_intervals(reader);
        if (unlikely(reader->edges.are_kept))
            reader_exit_by_edge(reader, reader->last, exit, next);
        else
            reader->model->block_exit(reader->core, &reader->now, exit, next);
    }
    reader->path = reader->last->path;
    reader->last = NULL;
    reader->from = &reader->nowhere;
}

static void drop_hidden(struct trace_reader *reader, uint32_t i)
{
    reader->n_hidden--;
    memmove(reader->hidden + i, reader->hidden + i + 1,
            (reader->n_hidden - i) * sizeof reader->hidden[0]);
}

static void tell_branch(struct trace_reader *reader, const struct reader_entry *entry, bool taken)
{
    const bool has_edge = reader->edges.are_kept && entry->n_insns != 0;
    const uint64_t before = has_edge ? mispredictions(reader, branch_row(reader, entry)) : 0;
    const struct retired_block block = {.block = entry->code,
                                        .data = entry->data,
                                        .profile = entry->profile,
                                        .n_executed = entry->n_insns};
    if (reader->model->late_branch != NULL)
        reader->model->late_branch(reader->core, &block, taken);
    if (has_edge)
        move_edge(reader, entry, taken, before);
}

/* A signal or an interrupt hides where the last block's branch went. An unconditional one was
 * taken. */
static void hide_branch(struct trace_reader *reader)
{
    const struct reader_entry *entry = reader->last;
    reader_goes(reader, MODE_HANDLER, 0);
    reader_leave(reader, entry->n_insns, EXIT_HIDDEN, 0);
    if (!entry->conditional) {
        tell_branch(reader, entry, true);
        if (!entry->indirect)
            reader_branched(reader, entry, entry->target);
        return;
    }
    if (reader->n_hidden == HIDDEN_MAX)
        drop_hidden(reader, 0);
    reader->hidden[reader->n_hidden++] = entry;
}

/* A handler returned to `start`: the direction of a branch that it hid may be known now. Handlers
 * do not return in the order they came in when a system switches between its tasks.
 *
 * As CHOICE(hidden-branch) has it, the newest such branch that can have gone there did, once. */
static void resume(struct trace_reader *reader, uint64_t start)
{
    for (uint32_t i = reader->n_hidden; i-- > 0;) {
        const struct reader_entry *entry = reader->hidden[i];
        if (start != entry->fall_through && (entry->indirect || start != entry->target))
            continue;
        drop_hidden(reader, i);
        tell_branch(reader, entry, start != entry->fall_through);
        return;
    }
}

/* ---- how it ended ---- */

bool reader_may_trap(enum insn_effect effect)
{
    return effect != EFFECT_NONE && effect != EFFECT_SYSCALL && effect != EFFECT_WAIT;
}

/* The number of the instruction at an address in the block, n_insns if none is. */
static unsigned insn_at(const struct reader_entry *entry, uint64_t address)
{
    unsigned i = 0;
    while (i < entry->n_insns && entry->start + entry->code->insns[i].offset != address)
        i++;
    return i;
}

void reader_take_exception(const struct trace_reader *reader, enum armpmu_exception kind)
{
    if (reader->model->exception_kind != NULL)
        reader->model->exception_kind(reader->core, kind);
    reader->model->exception(reader->core);
}

/* The engine continues after the last block's first n instructions with another block, which the
 * core does not notice. */
static void restart(struct trace_reader *reader, unsigned n, uint64_t next)
{
    reader_goes(reader, MODE_ON, 0);
    reader->path = reader->last->path;
    if (reader->was_retired)
        reader->ahead += reader->last->n_insns - n;
    else
        reader_leave(reader, n, EXIT_SEQUENTIAL, next);
}

/* CHOICE(xscale-kernel-helper): a call of the kernel's helper page looks like an instruction that
 * faults and is handled.
 *
 * The last block does not lead to the next one. In a user program either its last instruction
 * faulted or an asynchronous signal came after it. In a system the engine may have gone on in the
 * middle of the block. */
static RARE void leave_elsewhere(struct trace_reader *reader, uint64_t next)
{
    const struct reader_entry *entry = reader->last;
    reader_goes(reader, MODE_KERNEL, entry->fall_through);
    uint32_t n_bytes;
    reader->n_helper_calls += code_bytes(reader->share.code, entry->code, &n_bytes) == NULL;
    if (entry->n_insns == 0) {
        reader_leave(reader, 0, EXIT_END, 0);
        return;
    }
    const unsigned last = entry->n_insns - 1;
    const unsigned rest = reader->system ? insn_at(entry, next) : entry->n_insns;
    if (rest != entry->n_insns) {
        restart(reader, rest, next);
    } else if (reader_may_trap(entry->code->insns[last].effect) && !reader->system) {
        reader_stop(reader, last);
        reader_take_exception(reader, ARMPMU_EXCEPTION_OTHER);
        reader->model->exception_return(reader->core);
    } else if (entry->end == END_BRANCH) {
        hide_branch(reader);
    } else {
        reader_goes(reader, MODE_HANDLER, entry->fall_through);
        reader_stop(reader, entry->n_insns);
    }
}

/* The last block ended with SVC, and no record says that the call was made: QEMU answered it itself
 * (set_tls, cacheflush), or its condition failed.
 *
 * As CHOICE(engine-call) has it, a system's calls are announced; one without a record was the
 * engine's. */
static void leave_syscall(struct trace_reader *reader, uint64_t next)
{
    const struct reader_entry *entry = reader->last;
    reader_goes(reader, MODE_KERNEL, entry->fall_through);
    if (insn_is_conditional(&entry->code->insns[entry->n_insns - 1]) || reader->system) {
        reader_leave(reader, entry->n_insns, EXIT_SEQUENTIAL, next);
        return;
    }
    reader_stop(reader, entry->n_insns);
    reader->model->exception(reader->core);
    reader->model->exception_return(reader->core);
}

/* In the trace of a system: an access of the last block is missing, and no record said why.
 *
 * As CHOICE(engine-restart) has it, a next block that begins in the last one, at or before the
 * instruction that is missing, is the rest of it, which the engine started again; by
 * CHOICE(silent-cut) any other is the handler's of an exception. */
static RARE void leave_cut(struct trace_reader *reader, uint64_t next)
{
    const unsigned rest = insn_at(reader->last, next);
    reader->cut = false;
    if (rest <= reader->cut_at) {
        restart(reader, rest, next);
        return;
    }
    reader_goes(reader, MODE_HANDLER,
                reader->last->start + reader->last->code->insns[reader->cut_at].offset);
    reader_stop(reader, reader->cut_at);
    reader->model->exception(reader->core);
}

/* The whole block executed, and no more is known when it leads there again. */
static void leave_regularly(struct trace_reader *reader, bool taken, uint64_t next)
{
    const bool left_out = reader->last->n_insns == 0 && reader->model->positions->retires_late;
    reader->repeatable = left_out ? -1 : taken;
    reader_leave(reader, reader->last->n_insns, taken ? EXIT_BRANCH : EXIT_SEQUENTIAL, next);
}

/* Neither an exception nor the engine is known to have come between. */
static void leave_plainly(struct trace_reader *reader, uint64_t next)
{
    const struct reader_entry *entry = reader->last;
    const int taken = reader_regular_exit(entry, next);
    if (taken < 0) {
        leave_elsewhere(reader, next);
        return;
    }
    reader_goes(reader,
                !taken                     ? MODE_ON
                : entry->returns_exception ? MODE_RESUMED
                                           : MODE_BRANCH,
                0);
    if (entry->returns_exception && taken)
        resume(reader, next);
    leave_regularly(reader, taken, next);
    if (entry->returns_exception)
        reader->repeatable = -1;
}

/* The next block tells about the previous ones when none is open: in a user program, what the
 * kernel did. */
static RARE void return_to(struct trace_reader *reader, uint64_t next)
{
    if (reader->faulted)
        reader->model->exception_return(reader->core);
    if (reader->called && reader->sigreturn) {
        reader_goes(reader, MODE_RESUMED, 0);
        resume(reader, next);
    }
    reader->faulted = reader->called = false;
}

void reader_arrive(struct trace_reader *reader, uint64_t next)
{
    const struct reader_entry *entry = reader->last;
    if (unlikely(entry == NULL)) {
        if (reader->faulted || reader->called)
            return_to(reader, next);
        return;
    }
    if (unlikely(reader->cut))
        leave_cut(reader, next);
    else if (unlikely(entry->end == END_SYSCALL))
        leave_syscall(reader, next);
    else
        leave_plainly(reader, next);
    reader_end_intervals_after(reader);
}

/* An access of the last block is missing. In a user program that was a fault. A system announces
 * its exceptions, so the next record decides what happened. */
RARE void reader_cut_short(struct trace_reader *reader, unsigned n)
{
    if (reader->system) {
        reader->cut = true;
        reader->cut_at = n;
        reader->from = &reader->nowhere;
        reader->model->positions->cut_short(reader->core, reader->last, n);
        return;
    }
    reader_goes(reader, MODE_KERNEL, reader->last->start + reader->last->code->insns[n].offset);
    reader_stop(reader, n);
    reader_take_exception(reader, ARMPMU_EXCEPTION_DATA_ABORT);
    reader->faulted = true;
    reader_end_intervals(reader);
}

/* The reason why the fetch of an instruction at `address` is refused. */
static enum armpmu_exception fetch_exception(const struct reader_entry *entry, uint64_t address)
{
    const bool is_misaligned = entry->code->isa == ARMPMU_A64 && (address & 3) != 0;
    return is_misaligned ? ARMPMU_EXCEPTION_OTHER : ARMPMU_EXCEPTION_FETCH_ABORT;
}

/* A conditional access is missing as if its condition had failed. */
static void fault_inside(struct trace_reader *reader, unsigned n, uint64_t address)
{
    if (reader->last->code->insns[n].memory.bytes == 0)
        return;
    reader_goes(reader, MODE_KERNEL, address);
    reader_stop(reader, n);
    reader_take_exception(reader, ARMPMU_EXCEPTION_DATA_ABORT);
    reader->faulted = true;
}

/* The last block leads to an instruction that cannot be fetched. A64 from a misaligned address is
 * a block without instructions. */
static void fault_behind(struct trace_reader *reader, uint64_t address)
{
    const struct reader_entry *entry = reader->last;
    const bool is_empty = entry->n_insns == 0;
    const int taken = is_empty ? 0 : reader_regular_exit(entry, address);
    if (taken < 0)
        return;
    reader_goes(reader, MODE_KERNEL, address);
    reader_leave(reader, entry->n_insns,
                 is_empty ? EXIT_END
                 : taken  ? EXIT_BRANCH
                          : EXIT_SEQUENTIAL,
                 address);
    reader_take_exception(reader, fetch_exception(entry, address));
    reader->faulted = true;
}

RARE void reader_fault(struct trace_reader *reader, uint64_t address)
{
    if (reader->last == NULL || reader->system) /* a fault that is known already */
        return;
    const unsigned n = insn_at(reader->last, address);
    if (n < reader->last->n_insns)
        fault_inside(reader, n, address);
    else
        fault_behind(reader, address);
    reader_end_intervals(reader);
}

RARE void reader_fetch_fault(struct trace_reader *reader)
{
    const struct reader_entry *entry = reader->last;
    const bool is_branch = entry->end == END_BRANCH;
    if (entry->n_insns == 0) {
        if (entry->code->isa == ARMPMU_A64)
            fault_behind(reader, entry->start);
        return;
    }
    const uint64_t address = !is_branch ? entry->fall_through : entry->indirect ? 0 : entry->target;
    if (entry->end == END_SYSCALL)
        return;
    reader_leave(reader, entry->n_insns,
                 !is_branch                               ? EXIT_SEQUENTIAL
                 : entry->conditional && !entry->indirect ? EXIT_HIDDEN
                                                          : EXIT_BRANCH,
                 address);
    reader_take_exception(reader, fetch_exception(entry, address));
}

/* The whole block executed before the exception; execution would have gone on at `address`, 0 if
 * that is not known. */
void reader_leave_whole(struct trace_reader *reader, uint64_t address)
{
    const struct reader_entry *entry = reader->last;
    if (entry->end != END_BRANCH) {
        reader_stop(reader, entry->n_insns);
    } else if (address == 0 && (entry->conditional || entry->indirect)) {
        hide_branch(reader);
    } else if (entry->conditional && address == entry->fall_through) {
        reader_leave(reader, entry->n_insns, EXIT_SEQUENTIAL, address);
    } else {
        const uint64_t to = entry->indirect ? address : entry->target;
        reader_leave(reader, entry->n_insns, EXIT_BRANCH, to);
        reader_branched(reader, entry, to);
    }
}

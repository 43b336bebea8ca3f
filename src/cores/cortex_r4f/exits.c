/* The ends of blocks on the Cortex-R4F: branches, mispredictions, exceptions and interruptions. */
#include "cores/cortex_r4f/core.h"

#include "base/array.h"
#include "base/compiler.h"

#define NO_ADDRESS 1 /* no instruction is at an odd address */

/* ---- the pipeline empties ---- */

/* Closes the pipeline and stalls it: what is in flight completes meanwhile. */
static struct r4f_flush flushed(struct r4f *core, uint32_t cycles)
{
    struct r4f_issue_state state = *r4f_state(core);
    uint32_t written;
    const uint32_t closed = r4f_issue_close(&state, core->core.machine, &written);

    written += r4f_issue_wait(&state, cycles);
    r4f_set_state(core, &state);
    return (struct r4f_flush){core->state != SCHEDULE_NO_STATE, (uint16_t)closed, (uint16_t)written,
                              cycles, core->state};
}

/* Adds what flushes count, whatever their reason. */
static void add_refills(const struct r4f_flush *flush, enum armpmu_signal why, uint64_t times,
                        uint64_t *tally)
{
    if (flush->closed != 0) { /* the instruction that was open */
        tally[ARMPMU_SIGNAL_ISSUE_SINGLE] += times;
        tally[ARMPMU_SIGNAL_ISSUE_STEP] += times * (flush->closed - 1u);
    }
    tally[ARMPMU_SIGNAL_INTEGER_DIVIDE_STALL] += times * flush->written;
    tally[ARMPMU_SIGNAL_ISSUE_EMPTY] += times * flush->cycles;
    tally[why] += times * flush->cycles;
}

static void refilled(struct r4f *core, const struct r4f_flush *flush, enum armpmu_signal why)
{
    const uint64_t since = core->memory.now;

    add_refills(flush, why, 1, core->memory.tally);
    core->memory.now += flush->closed + flush->cycles;
    r4f_charge(core, since);
}

void r4f_add_flushes(const struct r4f_flush *flush, uint64_t times, uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_BRANCH_FLUSH] += times;
    add_refills(flush, ARMPMU_SIGNAL_STALL_FRONTEND_FLUSH, times, tally);
}

void r4f_refill(struct r4f *core, uint32_t cycles)
{
    const struct r4f_flush flush = flushed(core, cycles);

    refilled(core, &flush, ARMPMU_SIGNAL_STALL_EXCEPTION);
}

/* The state after a misprediction is remembered, too: NULL without memory or a number. */
static struct r4f_flush *flush_of(struct r4f *core, size_t at)
{
    if (core->state == SCHEDULE_NO_STATE || !ARRAY_RESERVE(core->flushes, core->flush_room, at + 1))
        return NULL;
    return &core->flushes[at];
}

static OUT_OF_LINE struct r4f_flush flush_anew(struct r4f *core, size_t at, uint32_t cycles)
{
    struct r4f_flush *known = flush_of(core, at);
    const struct r4f_flush once = flushed(core, cycles);

    if (known != NULL)
        *known = once;
    return once;
}

struct r4f_flush r4f_mispredict(struct r4f *core, enum r4f_flow flow)
{
    const struct armpmu_machine *machine = core->core.machine;
    const size_t at = 2 * (size_t)core->state + (flow == R4F_FLOW_TARGET);
    uint32_t cycles = machine->branch_mispredict_cycles;

    cycles += flow == R4F_FLOW_TARGET ? machine->branch_register_cycles : 0;
    core->memory.tally[ARMPMU_SIGNAL_BRANCH_FLUSH]++;
    const struct r4f_flush flush = likely(at < core->flush_room && core->flushes[at].is_known)
                                       ? core->flushes[at]
                                       : flush_anew(core, at, cycles);
    core->state = flush.after;
    refilled(core, &flush, ARMPMU_SIGNAL_STALL_FRONTEND_FLUSH);
    return flush;
}

/* ---- branches ---- */

/* A branch that is no exception return went one way. */
static void count_branch(struct r4f *core, const struct r4f_branch *branch)
{
    core->memory.tally[ARMPMU_SIGNAL_PC_WRITE] += branch->taken;
    core->memory.tally[ARMPMU_SIGNAL_BRANCH_PREDICTABLE] +=
        core->predictor.enabled && (branch->direct || branch->returns);
    core->memory.tally[ARMPMU_SIGNAL_BRANCH_RETURN] += branch->taken && branch->returns;
}

static void return_from_exception(struct r4f *core)
{
    core->memory.tally[ARMPMU_SIGNAL_PC_WRITE]++;
    core->memory.tally[ARMPMU_SIGNAL_EXCEPTION_RETURN]++;
    r4f_refill(core, core->core.machine->exception_return_cycles);
}

static void any_branch(struct r4f *core, struct r4f_block *block, bool taken, uint64_t target)
{
    struct r4f_branch *branch = &block->branch;

    branch->taken = taken;
    if (!branch->direct)
        branch->target = target;
    count_branch(core, branch);
    const enum r4f_flow flow = r4f_predictor_branch(&core->predictor, branch);
    if (flow != R4F_FLOW_RIGHT && !block->is_perfect)
        r4f_mispredict(core, flow);
}

void r4f_other_branch(struct r4f *core, struct r4f_block *block, bool taken, uint64_t target)
{
    if (likely(block->ends == END_RETURN) &&
        (!taken || likely(r4f_predictor_pop(&core->predictor, target)) || block->is_perfect))
        return;
    r4f_attribute_to_branch(core, block);
    if (block->ends == END_RETURN)
        r4f_mispredict(core, R4F_FLOW_TARGET);
    else if (block->ends == END_ANY_BRANCH)
        any_branch(core, block, taken, target);
    else if (taken)
        return_from_exception(core);
}

/* Where an indirect branch led does not show: the predictor hears of the direct ones. The exception
 * that hid the branch refilled the pipeline. */
void r4f_late_branch(void *user, const struct retired_block *executed, bool taken)
{
    const struct block *code = executed->block;
    struct r4f *core = user;
    struct r4f_branch branch = r4f_branch_of(code);

    branch.taken = taken;
    if (unlikely(core->is_attributing))
        r4f_attribute_to(core, executed->profile, code->n_insns - 1u);
    if (code->insns[code->n_insns - 1].branch == BRANCH_EXCEPTION_RETURN) {
        core->memory.tally[ARMPMU_SIGNAL_PC_WRITE] += taken;
        core->memory.tally[ARMPMU_SIGNAL_EXCEPTION_RETURN] += taken;
        return;
    }
    count_branch(core, &branch);
    if (branch.direct)
        core->memory.tally[ARMPMU_SIGNAL_BRANCH_FLUSH] +=
            r4f_predictor_branch(&core->predictor, &branch) != R4F_FLOW_RIGHT &&
            !r4f_is_perfect(core, branch.pc);
}

/* ---- exceptions ---- */

/* CHOICE(r4f-livelock): an exception at the first instruction of an exception's vector, which leads
 * to that vector again. */
void r4f_watch_vectors(struct r4f *core, const struct retired_block *executed)
{
    const uint64_t start = executed->block->address;

    core->memory.tally[ARMPMU_SIGNAL_LIVELOCK] += core->stuck_at == start;
    core->vectors = executed->n_executed == 0 ? R4F_AT_VECTOR : 0;
    core->last_start = start;
}

/* An exception stopped the block at an instruction, which was fetched too. */
static void fetch_stopped(struct r4f *core, const struct r4f_block *block, uint32_t n)
{
    const struct insn *insn = &block->code->insns[n];
    const uint64_t start = block->start + insn->offset, since = core->memory.now;

    r4f_memory_fetch(&core->memory, start, start + insn->size, core->jumped);
    r4f_charge(core, since);
}

void r4f_exit_otherwise(struct r4f *core, const struct retired_block *executed,
                        enum block_exit exit)
{
    const struct r4f_block *block = executed->data;

    if (executed->n_executed != block->code->n_insns && exit == EXIT_EXCEPTION)
        fetch_stopped(core, block, executed->n_executed);
    if (executed->n_executed == 0 && exit == EXIT_SEQUENTIAL) /* it comes once more */
        return;
    core->jumped = exit != EXIT_SEQUENTIAL;
    core->vectors &= R4F_ENTERED;
    if (core->vectors != 0)
        r4f_watch_vectors(core, executed);
}

/* CHOICE(r4f-exception): the pipeline refills; what is stored stays in the store buffer. */
void r4f_exception(void *user)
{
    struct r4f *core = user;

    core->memory.tally[ARMPMU_SIGNAL_EXCEPTION_TAKEN]++;
    core->stuck_at = core->vectors & R4F_AT_VECTOR ? core->last_start : NO_ADDRESS;
    core->vectors |= R4F_ENTERED;
    core->jumped = true;
    r4f_refill(core, core->core.machine->exception_entry_cycles);
}

void r4f_exception_return(void *user)
{
    struct r4f *core = user;

    core->memory.tally[ARMPMU_SIGNAL_EXCEPTION_RETURN]++;
    core->vectors &= ~(unsigned)R4F_ENTERED;
    r4f_refill(core, core->core.machine->exception_return_cycles);
}

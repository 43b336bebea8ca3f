/* The counts of the Cortex-R4F model: what instructions and schedules add, the part that blocks
 * keep until the next read, and the signals computed by a read. */
#include "cores/cortex_r4f/core.h"

#include <string.h>

#include "armpmu/trace.h"

/* CHOICE(r4f-failed-condition): a divide or a VFP operation counts when it executes, also if its
 * condition fails: which of them fail cannot be seen. */
void r4f_add_insn(const struct insn *insn, uint64_t runs, uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_INST_RETIRED] += runs;
    tally[ARMPMU_SIGNAL_BRANCH_IMMEDIATE] += insn->branch == BRANCH_IMMEDIATE ? runs : 0;
    tally[ARMPMU_SIGNAL_CONTEXTIDR_WRITE] += insn->effect == EFFECT_CONTEXTIDR_WRITE ? runs : 0;
    tally[ARMPMU_SIGNAL_SW_INCREMENT] += insn->effect == EFFECT_SW_INCREMENT ? runs : 0;
    tally[ARMPMU_SIGNAL_INTEGER_DIVIDE] += insn->klass == CLASS_DIVIDE ? runs : 0;
    tally[ARMPMU_SIGNAL_DOUBLE_PRECISION] += runs * insn->doubles;
}

void r4f_add_insns(const struct block *code, uint32_t n, uint64_t *tally)
{
    for (uint32_t i = 0; i < n; i++)
        r4f_add_insn(&code->insns[i], 1, tally);
}

void r4f_add_schedule(const struct r4f_issue_counts *counts, uint64_t runs, uint64_t *tally)
{
    const uint32_t *const of = counts->pairs;
    const uint64_t pairs = of[R4F_PAIR_A] + of[R4F_PAIR_B] + of[R4F_PAIR_OTHER];

    tally[ARMPMU_SIGNAL_DATA_DEPENDENCY_STALL] += runs * counts->dependency_stalls;
    tally[ARMPMU_SIGNAL_INTEGER_DIVIDE_STALL] += runs * counts->divide_stalls;
    tally[ARMPMU_SIGNAL_PAIR_WITH_BRANCH] += runs * of[R4F_PAIR_A];
    tally[ARMPMU_SIGNAL_PAIR_WITH_ACCESS] += runs * of[R4F_PAIR_B];
    tally[ARMPMU_SIGNAL_PAIR_OTHER] += runs * of[R4F_PAIR_OTHER];
    tally[ARMPMU_SIGNAL_PAIR_RETIRED] += runs * pairs;
    tally[ARMPMU_SIGNAL_ISSUE_PAIR] += runs * pairs;
    tally[ARMPMU_SIGNAL_ISSUE_SINGLE] += runs * counts->singles;
    tally[ARMPMU_SIGNAL_ISSUE_STEP] += runs * counts->steps;
    tally[ARMPMU_SIGNAL_STALL_BACKEND_ILOCK] += runs * counts->interlocks;
    tally[ARMPMU_SIGNAL_STALL_BACKEND_BUSY] += runs * counts->busy;
}

/* ---- what blocks hold ---- */

static const struct r4f_schedule_memo *memo_of(const struct schedule_memo *memo)
{
    return (const struct r4f_schedule_memo *)memo;
}

/* The counts that retire_whole leaves to be added: whole, taken: how often it ran, and the branch
 * was taken.
 */
static void add_whole(const struct r4f_block *block, uint64_t whole, uint64_t taken,
                      uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_LOAD_RETIRED] += whole * block->n_loads;
    tally[ARMPMU_SIGNAL_STORE_RETIRED] += whole * block->n_stores;
    tally[ARMPMU_SIGNAL_L1D_ACCESS] += whole * block->n_only_loads;
    r4f_add_branches(block, whole, taken, tally);
}

void r4f_add_block(const struct r4f_block *block, uint64_t *tally)
{
    uint64_t runs = 0, exits[2] = {0, 0};

    for (const struct schedule_memo *memo = block->memos.memos.all; memo != NULL;
         memo = memo->sibling) {
        const struct r4f_schedule_memo *of = memo_of(memo);
        r4f_add_schedule(&of->counts, r4f_runs(of), tally);
        r4f_add_flushes(&of->flush, of->flushes, tally);
        runs += of->runs;
        exits[0] += of->exits[0];
        exits[1] += of->exits[1];
    }
    const uint64_t whole = exits[0] + exits[1];
    add_whole(block, whole, exits[1], tally);
    for (unsigned jumped = 0; jumped < 2; jumped++)
        tally[ARMPMU_SIGNAL_L1I_ACCESS] += block->fetches[jumped] * block->groups[jumped];
    run_increments_add(block->increments, block->n_increments, runs + whole, tally);
}

/* Adds what the blocks hold that ran since the last read. */
static void add_held(const struct r4f *core, uint64_t *tally)
{
    for (const struct memo_block *block = core->dirty_blocks; block != NULL;
         block = block->next_dirty)
        r4f_add_block((const struct r4f_block *)block, tally);
}

/* Blocks enter the list of dirty blocks where their lines are looked for: all have to look
 * again. */
void r4f_sync(struct r4f *core)
{
    for (struct memo_block *block = core->dirty_blocks; block != NULL; block = block->next_dirty) {
        struct r4f_block *const held = (struct r4f_block *)block;
        if (core->is_attributing)
            r4f_attribute_block(core, held);
        else
            r4f_add_block(held, core->tally);
        held->fetches[0] = held->fetches[1] = 0;
        for (struct schedule_memo *memo = block->memos.all; memo != NULL; memo = memo->sibling) {
            struct r4f_schedule_memo *of = (struct r4f_schedule_memo *)memo;
            of->runs = of->exits[0] = of->exits[1] = of->flushes = 0;
        }
        block->is_dirty = false;
    }
    core->dirty_blocks = NULL;
    core->memory.fetch_epoch++;
}

/* ---- interrupts that are masked ---- */

/* Adds the cycles of the masks up to now. A profile has them where it has the others. */
static void add_masked(const struct r4f *core, uint64_t *tally)
{
    const uint64_t cycles = core->memory.now - core->masked_since;

    if (core->is_attributing)
        return;
    if (core->masks & ARMPMU_MASKS_FIQ)
        tally[ARMPMU_SIGNAL_FIQ_MASKED] += cycles;
    if (core->masks & ARMPMU_MASKS_IRQ)
        tally[ARMPMU_SIGNAL_IRQ_MASKED] += cycles;
}

void r4f_set_masks(struct r4f *core, unsigned masks)
{
    if (core->is_attributing && core->masks != masks)
        r4f_sync(core); /* what blocks hold was with the old ones */
    add_masked(core, core->tally);
    core->masks = masks;
    core->masked_since = core->memory.now;
}

/* ---- the signals ---- */

/* The divider still has to write what it works on. */
static void complete(const struct r4f *core, uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_INTEGER_DIVIDE_STALL] += r4f_state(core)->divider != 0;
    tally[ARMPMU_SIGNAL_CPU_CYCLES] = core->memory.now;
    add_masked(core, tally);
}

void r4f_signals(const void *state, uint64_t *out)
{
    const struct r4f *core = state;

    memcpy(out, core->tally, sizeof core->tally);
    if (core->is_attributing) {
        r4f_sync(core->core.reader->core);
        profile_rows_sum(&core->core.reader->profile, out);
    }
    add_held(core, out);
    complete(core, out);
}

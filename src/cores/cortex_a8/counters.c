/* Computes the tallies of the Cortex-A8 model.
 *
 * A block that runs only counts how often each of its exits was taken, in its schedules. The
 * tallies are computed when they are read. A read moves the counts into the tally, so that the next
 * one finds only the blocks that ran since: those are in a list. A block enters the list where its
 * lines are checked, which a read makes happen again; so a read costs the running model nothing but
 * that check, once for each block. */
#include "cores/cortex_a8/core.h"

#include <string.h>

/* Adds what the instructions of a block always count. executed: how often the block ran; taken: how
 * often its branch was taken. Summed up here and not once for each block, of which many run seldom.
 */
static void add_insns(const struct a8 *a8, const struct a8_block *block, uint64_t executed,
                      uint64_t taken, uint64_t *tally)
{
    const struct reader_entry *entry = &block->entry;
    for (uint32_t i = 0; i < entry->n_insns; i++)
        a8_add_insn(&entry->code->insns[i], executed, tally);
    for (uint32_t i = 0; i < entry->n_accesses; i++) {
        const struct a8_access *access = &a8_accesses(block)[i];
        if (!access->known.optional)
            a8_add_access(access, &entry->code->insns[access->known.index], executed, tally);
    }
    if (entry->end == END_BRANCH)
        a8_add_branch(a8, entry, executed, taken, tally);
}

static void add_schedule(const struct a8_schedule_memo *memo, uint64_t executed, uint64_t *tally)
{
    a8_add_issue(&memo->schedule, executed, tally);
    tally[ARMPMU_SIGNAL_L1I_ACCESS] += executed * memo->fetches;
}

/* Accesses that may be left out, as often as they happened; and aliases. */
static void add_accesses(const struct a8_block *block, uint64_t *tally)
{
    for (uint32_t i = 0; i < block->entry.n_accesses; i++) {
        const struct a8_access *access = &a8_accesses(block)[i];
        if (access->happened != 0)
            a8_add_access(access, &block->entry.code->insns[access->known.index], access->happened,
                          tally);
        tally[ARMPMU_SIGNAL_L1D_COLOUR_ALIAS] += access->aliased / FILTER_ALIAS;
    }
}

void a8_add_exits(const struct a8 *a8, const struct a8_schedule_memo *memo, uint64_t *tally)
{
    const struct armpmu_machine *machine = a8->core.machine;
    const uint64_t n = memo->flushes[0] + memo->flushes[1];
    const bool is_direct = !a8_memo_block(memo)->is_plain;
    a8_add_jumps(a8, memo, memo->exits[1], tally);
    tally[ARMPMU_SIGNAL_CPU_CYCLES] += n * (memo->flush_cycles - memo->memo.cycles);
    tally[ARMPMU_SIGNAL_ISSUE_SINGLE] += n * memo->open_cycles;
    tally[ARMPMU_SIGNAL_STALL_FRONTEND_FLUSH] += n * machine->branch_mispredict_cycles;
    tally[ARMPMU_SIGNAL_BRANCH_FLUSH] += n;
    tally[ARMPMU_SIGNAL_DIRECTION_MISPREDICT] += is_direct ? n : 0;
    tally[ARMPMU_SIGNAL_ISSUE_EMPTY] += n * machine->branch_mispredict_cycles;
    tally[ARMPMU_SIGNAL_ISSUE_EMPTY] -= memo->flushes[1] * machine->branch_taken_bubble_cycles;
    tally[ARMPMU_SIGNAL_L1I_ACCESS] += n * machine->branch_wrong_path_fetches;
    tally[ARMPMU_SIGNAL_BRANCH_PREDICTED_TAKEN] +=
        is_direct ? memo->flushes[0] - memo->flushes[1] : 0;
}

void a8_add_block(const struct a8 *a8, const struct a8_block *block, uint64_t *tally)
{
    uint64_t executed = 0, taken = block->taken;
    for (const struct a8_schedule_memo *v = a8_first_memo(block); v != NULL; v = a8_next_memo(v)) {
        executed += a8_runs(v);
        taken += a8_times_taken(v);
        add_schedule(v, a8_runs(v), tally);
        a8_add_exits(a8, v, tally);
    }
    add_insns(a8, block, executed, taken, tally);
    add_accesses(block, tally);
}

/* The cycles so far in which NEON had work and the integer pipeline did not wait for it. While
 * it is not known where a block was interrupted, the clock lags: then the last value is used.
 * The rows of a profile are without the waits already. */
static uint64_t both_busy(const struct a8 *a8, const uint64_t *tally)
{
    const uint64_t now = tally[ARMPMU_SIGNAL_CPU_CYCLES], until = a8->neon.busy_until;
    if (a8->busy != NULL)
        return tally[ARMPMU_SIGNAL_NEON_BUSY] - a8_neon_ahead(a8);
    const uint64_t passed = tally[ARMPMU_SIGNAL_NEON_BUSY] - (until > now ? until - now : 0);
    const uint64_t waited =
        tally[ARMPMU_SIGNAL_NEON_QUEUE_STALL] + tally[ARMPMU_SIGNAL_NEON_TRANSFER_STALL];
    const uint64_t last_read = a8->core.last_read[ARMPMU_SIGNAL_NEON_BUSY];
    return passed > waited + last_read ? passed - waited : last_read;
}

/* Adds what is known without the blocks that hold counts: of the block that runs, which was not
 * left yet, and what follows from other signals. back: of a front; else the same core. */
static void complete(const struct a8 *a8, const struct a8 *back, uint64_t *tally)
{
    const struct a8_schedule_memo *open = a8_open(a8);
    tally[ARMPMU_SIGNAL_CPU_CYCLES] = a8->memory.now + back->memory.ahead;
    if (a8->memory.no_code_cache && a8_is_part(a8)) /* added back until the block ends */
        tally[ARMPMU_SIGNAL_L1I_ACCESS] += a8_memo_of(a8->core.reader->position)->fetches;
    if (open != NULL) {
        tally[ARMPMU_SIGNAL_CPU_CYCLES] += open->memo.cycles;
        add_schedule(open, 1, tally);
        add_insns(a8, a8_memo_block(open), 1, 0, tally);
    }
    tally[ARMPMU_SIGNAL_NEON_BUSY] = both_busy(back, tally);
}

void a8_signals_of(const void *front, const void *its_back, uint64_t *signals)
{
    const struct a8 *a8 = front, *back = its_back;
    a8_hand_over_open(a8->core.reader->core);
    memcpy(signals, a8->tally, sizeof a8->tally);
    if (a8->busy != NULL)
        profile_rows_sum(&a8->core.reader->profile, signals);
    for (const struct memo_block *b = a8->dirty_blocks; b != NULL; b = b->next_dirty)
        a8_add_block(a8, a8_dirty_block(b), signals);
    for (unsigned signal = 0; back != a8 && signal < ARMPMU_SIGNAL_COUNT; signal++)
        signals[signal] += back->tally[signal];
    complete(a8, back, signals);
}

void a8_signals(const void *state, uint64_t *signals)
{
    a8_signals_of(state, state, signals);
}

static void attribute(struct a8 *a8, const struct a8_block *block)
{
    struct trace_reader *const reader = a8->core.reader;
    const bool packs = reader_open_rows(reader, block->entry.profile);

    a8_attribute_block(a8, block);
    profile_rows_close(&reader->profile, block->entry.profile, packs);
}

void a8_sync(void *core)
{
    struct a8 *a8 = core;
    for (struct memo_block *b = a8->dirty_blocks; b != NULL; b = b->next_dirty) {
        struct a8_block *const block = a8_dirty_block(b);
        if (a8->busy != NULL)
            attribute(a8, block);
        else
            a8_add_block(a8, block, a8->tally);
        for (struct a8_schedule_memo *v = a8_first_memo(block); v != NULL; v = a8_next_memo(v))
            v->exits[0] = v->exits[1] = v->flushes[0] = v->flushes[1] = 0;
        for (uint32_t i = 0; i < block->entry.n_accesses; i++)
            a8_accesses(block)[i].happened = a8_accesses(block)[i].aliased = 0;
        block->taken = 0;
        block->fetched_at = (struct a8_epoch){0};
        b->is_dirty = false;
    }
    a8->dirty_blocks = NULL;
    reader_catch_up(a8->core.reader);
    if (a8->core.reader->last != NULL)
        memo_block_mark(&a8->dirty_blocks, /* it counts when it is left */
                        &a8_block_of(a8->core.reader->last)->memos);
}

void a8_sync_all(void *state)
{
    a8_hand_over_open(state);
    a8_sync(state);
}

/* Attributes the counts of the Cortex-A8 model to instructions, for a profile. A posted event goes
 * to the row of the current instruction. The counts that blocks and their schedules remember are
 * split among their instructions when they are read. The rules are in docs/profiling.md. */
#include <stdlib.h>

#include "base/arithmetic.h"
#include "cores/cortex_a8/core.h"

/* More than instructions can wait in the queues of NEON. */
#define A8_BUSY_MAX (4 * NEON_QUEUE_MAX)

static uint64_t *row_of(struct a8 *a8, const struct a8_block *block, unsigned index)
{
    return profile_rows_at(&a8->core.reader->profile, block->entry.profile, index);
}

/* ---- what blocks hold ---- */

static void add_insns(struct a8 *a8, const struct a8_block *block, uint64_t runs)
{
    for (uint32_t i = 0; i < block->entry.n_insns; i++)
        a8_add_insn(&block->entry.code->insns[i], runs, row_of(a8, block, i));
}

/* Those that always happen, and those that did as often as they did; and aliases. */
static void add_accesses(struct a8 *a8, const struct a8_block *block, uint64_t runs)
{
    for (uint32_t i = 0; i < block->entry.n_accesses; i++) {
        const struct a8_access *const access = &a8_accesses(block)[i];
        const unsigned index = access->known.index;
        const uint64_t n = access->known.optional ? access->happened : runs;
        if (n != 0)
            a8_add_access(access, &block->entry.code->insns[index], n, row_of(a8, block, index));
        if (access->aliased != 0)
            row_of(a8, block, index)[ARMPMU_SIGNAL_L1D_COLOUR_ALIAS] +=
                access->aliased / FILTER_ALIAS;
    }
}

void a8_attribute_fetches(struct a8 *a8, const struct a8_block *block, uint32_t n, uint64_t end,
                          bool sequential, uint64_t times)
{
    const struct reader_entry *const entry = &block->entry;
    uint32_t before = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t after = i + 1 == n ? end : entry->start + entry->code->insns[i + 1].offset;
        const uint32_t fetches = a8_fetch_groups(a8, entry->start, after, sequential);
        row_of(a8, block, i)[ARMPMU_SIGNAL_L1I_ACCESS] += times * (fetches - before);
        before = fetches;
    }
}

static void add_schedule(struct a8 *a8, const struct a8_block *block,
                         const struct a8_schedule_memo *memo, uint64_t runs)
{
    struct schedule_state state = *a8_state(a8, memo->memo.key >> 1);
    for (uint32_t i = 0; i < block->entry.n_insns; i++) {
        uint64_t *const row = row_of(a8, block, i);
        struct schedule_result part;
        schedule_run(a8->core.machine, block->entry.code, i, i + 1, &state, &part);
        row[ARMPMU_SIGNAL_CPU_CYCLES] += runs * part.counts.cycles;
        a8_add_issue(&part.counts, runs, row);
        state = part.after;
    }
}

static uint64_t taken_cycles(const struct a8_schedule_memo *memo)
{
    return memo->exits[1] * (memo->exit_cycles[1] - memo->memo.cycles);
}

static void add_memo(struct a8 *a8, const struct a8_block *block,
                     const struct a8_schedule_memo *memo)
{
    const struct reader_entry *const entry = &block->entry;
    const uint64_t runs = a8_runs(memo);
    if (runs == 0)
        return;
    add_schedule(a8, block, memo, runs);
    if (entry->n_insns != 0)
        a8_attribute_fetches(a8, block, entry->n_insns, entry->fall_through, memo->memo.key & 1,
                             runs);
    else
        row_of(a8, block, 0)[ARMPMU_SIGNAL_L1I_ACCESS] += memo->fetches * runs;
    row_of(a8, block, entry->n_insns - 1)[ARMPMU_SIGNAL_CPU_CYCLES] += taken_cycles(memo);
    a8_add_exits(a8, memo, row_of(a8, block, entry->n_insns - 1));
}

/* In a profile by block: what is counted without a profile, and the cycles of the schedules. */
static void attribute_whole(struct a8 *a8, const struct a8_block *block)
{
    uint64_t *const row = row_of(a8, block, 0);
    for (const struct a8_schedule_memo *memo = a8_first_memo(block); memo != NULL;
         memo = a8_next_memo(memo))
        row[ARMPMU_SIGNAL_CPU_CYCLES] += a8_runs(memo) * memo->memo.cycles + taken_cycles(memo);
    a8_add_block(a8, block, row);
}

void a8_attribute_block(struct a8 *a8, const struct a8_block *block)
{
    uint64_t runs = 0, taken = block->taken;
    if (a8->core.reader->profile.detail == ARMPMU_PROFILE_BLOCKS) {
        attribute_whole(a8, block);
        return;
    }
    for (const struct a8_schedule_memo *memo = a8_first_memo(block); memo != NULL;
         memo = a8_next_memo(memo)) {
        add_memo(a8, block, memo);
        runs += a8_runs(memo);
        taken += a8_times_taken(memo);
    }
    add_insns(a8, block, runs);
    add_accesses(a8, block, runs);
    if (block->entry.end == END_BRANCH)
        a8_add_branch(a8, &block->entry, runs, taken, row_of(a8, block, block->entry.n_insns - 1));
}

/* ---- NEON at work while the integer pipeline is ---- */

/* The first time of work that ends after `begin`, or the next one: each ends no sooner than the one
 * before it. It is near the one that was asked for last; the latest ones are mostly far ahead. */
static uint32_t first_busy(const struct a8 *a8, uint64_t begin)
{
    uint32_t at = a8->first_busy;
    if (a8->next_busy - at > A8_BUSY_MAX)
        at = a8->next_busy - A8_BUSY_MAX;
    while (begin < a8->busy_since && a8->next_busy - at < A8_BUSY_MAX &&
           a8->busy[(at - 1) % A8_BUSY_MAX].end > begin)
        at--;
    while (at != a8->next_busy && a8->busy[at % A8_BUSY_MAX].end <= begin)
        at++;
    return at;
}

/* How long both are from `begin` on until `end`, where `at` is the first_busy; takes that away from
 * the rows with `take`. */
static uint64_t overlap(const struct a8 *a8, uint32_t at, uint64_t begin, uint64_t end, bool take)
{
    uint64_t sum = 0;
    for (; at != a8->next_busy && a8->busy[at % A8_BUSY_MAX].begin < end; at++) {
        const struct a8_busy *const busy = &a8->busy[at % A8_BUSY_MAX];
        const uint64_t from = later(begin, busy->begin);
        const uint64_t to = end < busy->end ? end : busy->end;
        if (from >= to)
            continue;
        sum += to - from;
        if (take)
            busy->row[ARMPMU_SIGNAL_NEON_BUSY] -= to - from;
    }
    return sum;
}

void a8_waited_for_neon(struct a8 *a8, uint64_t begin, uint64_t end)
{
    if (begin >= end)
        return;
    a8->first_busy = first_busy(a8, begin);
    a8->busy_since = begin;
    (void)overlap(a8, a8->first_busy, begin, end, true);
}

void a8_neon_worked(struct a8 *a8, uint64_t at, struct neon_outcome outcome)
{
    const uint64_t end = a8->neon.busy_until, begin = end - outcome.busy;
    a8_waited_for_neon(a8, at, outcome.entered);
    if (outcome.busy != 0)
        a8->busy[a8->next_busy++ % A8_BUSY_MAX] = (struct a8_busy){a8->memory.tally, begin, end};
}

uint64_t a8_neon_ahead(const struct a8 *a8)
{
    const uint64_t now = a8->memory.now;
    return overlap(a8, first_busy(a8, now), now, UINT64_MAX, false);
}

/* ---- what the profile asks ---- */

/* Notes one more row, unless it is known. Few are at work at a time. */
static void hold(uint64_t **held, size_t *n, uint64_t *row)
{
    size_t i = 0;

    while (i < *n && held[i] != row)
        i++;
    if (i == *n && row != NULL)
        held[(*n)++] = row;
}

void a8_pack_rows(void *core)
{
    struct a8 *const a8 = core;
    uint64_t *held[A8_BUSY_MAX + 1] = {a8->memory.tally};
    size_t n = 1;

    for (uint32_t i = 0; i < A8_BUSY_MAX; i++)
        hold(held, &n, a8->busy[i].row);
    profile_rows_pack(&a8->core.reader->profile, held, n);
}

enum armpmu_status a8_attribute_all(void *state)
{
    struct a8 *a8 = state;
    a8->busy = calloc(A8_BUSY_MAX, sizeof *a8->busy);
    if (a8->busy == NULL)
        return ARMPMU_NO_MEMORY;
    a8->memory.tally = a8->core.reader->profile.elsewhere;
    return ARMPMU_OK;
}

/* NEON's remaining work at the end of the program is no work beside the integer pipeline's. */
void a8_sync_rows(void *state)
{
    struct a8 *a8 = state;
    a8_sync(a8);
    a8_waited_for_neon(a8, a8->memory.now, UINT64_MAX);
    for (uint32_t i = 0; i < A8_BUSY_MAX; i++)
        if (a8->busy[i].end > a8->memory.now)
            a8->busy[i].end = later(a8->memory.now, a8->busy[i].begin);
}

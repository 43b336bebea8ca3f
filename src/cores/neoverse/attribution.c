/* Attributes the counts of the Neoverse model to instructions, for a profile. The rules are in
 * docs/profiling.md. */
#include <stdlib.h>

#include "cores/neoverse/core.h"
#include "trace/trace_reader_internal.h"

#define MISSES_KEPT OOO_RING /* no queue holds more loads */

/* The row of the oldest miss whose line was not there in a cycle; the current row if there is
 * none. Cycles only rise, so that the oldest whose lines are there are asked about no more. */
static uint64_t *waited_for(struct neoverse *core, uint64_t cycle)
{
    if (core->next_miss - core->first_miss > MISSES_KEPT)
        core->first_miss = core->next_miss - MISSES_KEPT;
    for (; core->first_miss != core->next_miss; core->first_miss++)
        if (core->misses[core->first_miss % MISSES_KEPT].until > cycle)
            return core->misses[core->first_miss % MISSES_KEPT].row;
    return core->memory.tally;
}

/* The cycles that dispatch has lost to data misses since the last instruction. */
static void attribute_stall(struct neoverse *core)
{
    const uint64_t lost = core->window.memory_stall - core->stall_before;

    if (lost == 0)
        return;
    core->stall_before = core->window.memory_stall;
    waited_for(core, ooo_cycle(core->dispatched) - lost)[ARMPMU_SIGNAL_MEMORY_STALL] += lost;
}

static inline void attribute_one(struct neoverse *core, unsigned account, uint64_t lost)
{
    uint64_t *const before = &core->lost_before.of[account];

    core->memory.tally[neoverse_accounts[account]] += lost - *before;
    *before = lost;
}

/* The back end of an out-of-order core has lost cycles since the last instruction. */
static void attribute_back_end(struct neoverse *core)
{
    const struct ooo_timing *const window = &core->window;

    attribute_one(core, LOST_TO_LOADS, window->load_stall);
    attribute_one(core, LOST_TO_STORES, window->store_stall);
    attribute_one(core, LOST_TO_WINDOW,
                  window->backend_stall - window->memory_stall - window->load_stall -
                      window->store_stall - window->recovery);
    attribute_one(core, LOST_TO_WRONG_PATH, window->wrong_cycles + window->recovery);
    attribute_one(core, LOST_BEHIND, window->backend_stall);
}

/* The front end of an out-of-order core may have, and dispatch has sent something. */
static void attribute_front_end(struct neoverse *core, const struct ooo_pace *pace)
{
    const struct ooo_timing *const window = &core->window;
    const struct neoverse_lost *const before = &core->lost_before;
    const uint64_t starved = window->starved;

    if (starved != before->of[LOST_IN_FRONT]) {
        for (unsigned i = 0; i < OOO_HOLDS; i++)
            if (window->frontend_stall[i] != before->of[i])
                attribute_one(core, i, window->frontend_stall[i]);
        attribute_one(core, LOST_IN_FRONT, starved);
    }
    attribute_one(core, NOT_LOST,
                  ooo_cycle(pace->dispatched) - starved - window->backend_stall -
                      window->wrong_cycles);
    attribute_one(core, SLOTS_IN_FRONT, ooo_frontend_slots(window, pace));
    if (window->backend_slots != before->of[SLOTS_BEHIND])
        attribute_one(core, SLOTS_BEHIND, window->backend_slots);
}

static void attribute_accounts(struct neoverse *core, const struct ooo_pace *pace)
{
    const struct ooo_timing *const window = &core->window;

    if (!window->in_order) {
        if (window->backend_stall != core->lost_before.of[LOST_BEHIND] ||
            window->wrong_cycles + window->recovery != core->lost_before.of[LOST_TO_WRONG_PATH])
            attribute_back_end(core);
        attribute_front_end(core, pace);
        return;
    }
    uint64_t *const row = core->memory.tally;
    const struct neoverse_lost lost = neoverse_lost_of(core, pace);

    for (unsigned i = 0; i < NEOVERSE_ACCOUNTS; i++)
        if (lost.of[i] != core->lost_before.of[i])
            row[neoverse_accounts[i]] += lost.of[i] - core->lost_before.of[i];
    core->lost_before = lost;
}

void neoverse_attribute_lost(struct neoverse *core, const struct ooo_pace *pace)
{
    core->dispatched = pace->dispatched;
    attribute_stall(core);
    attribute_accounts(core, pace);
}

void neoverse_attribute_miss(struct neoverse *core)
{
    core->waits_before = core->window.n_waits;
    core->misses[core->next_miss++ % MISSES_KEPT] =
        (struct neoverse_miss){core->memory.tally, core->window.waits_until};
}

void neoverse_attribute_retired(struct neoverse *core, const struct ooo_pace *pace, uint64_t cycles)
{
    uint64_t *const row = core->memory.tally;

    row[ARMPMU_SIGNAL_CPU_CYCLES] += cycles;
    if (pace->dispatched != core->dispatched) /* nothing is lost between two of one cycle */
        neoverse_attribute_lost(core, pace);
    neoverse_attribute_misses(core);
}

static void attribute_step_runs(const struct neoverse_step *step, const struct insn *insn,
                                uint64_t runs, uint64_t *row)
{
    if (step->n_counted == NEOVERSE_MANY) {
        uint64_t counts[ARMPMU_SIGNAL_COUNT] = {0};
        neoverse_count_insn(insn, step->window.slots, counts);
        for (unsigned k = 0; k < ARMPMU_SIGNAL_COUNT; k++)
            row[k] += counts[k] * runs;
        return;
    }
    for (unsigned k = 0; k < step->n_counted; k++)
        row[step->counted[k]] += runs;
}

void neoverse_attribute_runs(struct neoverse *core, const struct neoverse_block *block)
{
    struct profile_rows *const rows = &core->core.reader->profile;
    const bool packs = profile_rows_open(rows, block->profile);

    for (uint32_t i = 0; i < block->n_insns; i++)
        attribute_step_runs(&block->steps[i], &block->code->insns[i], block->runs + 1,
                            profile_rows_at(rows, block->profile, i));
    profile_rows_close(rows, block->profile, packs);
}

/* ---- by block ---- */

void neoverse_attribute_block_retired(struct neoverse *core)
{
    uint64_t *const row = core->memory.tally;

    neoverse_sync_block(core);
    if (!core->window.in_order)
        return;
    row[ARMPMU_SIGNAL_MEMORY_STALL] += core->window.memory_stall - core->stall_before;
    core->stall_before = core->window.memory_stall;
    attribute_accounts(core, &core->window.pace);
}

/* Signals that are not told by block are at no instruction. */
static void add_elsewhere(const struct neoverse *core)
{
    uint64_t *const elsewhere = core->core.reader->profile.elsewhere;
    const struct neoverse_lost lost = neoverse_lost_of(core, &core->window.pace);

    elsewhere[ARMPMU_SIGNAL_MEMORY_STALL] = core->window.memory_stall;
    for (unsigned i = 0; i < NEOVERSE_ACCOUNTS; i++)
        if (i != LOST_IN_FRONT && i != LOST_BEHIND)
            elsewhere[neoverse_accounts[i]] = lost.of[i];
}

/* ---- a profile ---- */

enum armpmu_status neoverse_attribute_all(void *state)
{
    struct neoverse *core = state;

    core->by_block = core->core.reader->profile.detail == ARMPMU_PROFILE_BLOCKS;
    core->memory.tally = core->core.reader->profile.elsewhere;
    if (core->by_block)
        return ARMPMU_OK;
    core->is_slow = true;
    core->misses = calloc(MISSES_KEPT, sizeof *core->misses);
    if (core->misses == NULL)
        return ARMPMU_NO_MEMORY;
    return ARMPMU_OK;
}

/* Dispatch waits for no miss that was over when the last instruction was dispatched. */
void neoverse_pack_rows(void *state)
{
    struct neoverse *const core = state;
    uint64_t *held[MISSES_KEPT + 1] = {core->memory.tally};
    size_t n = 1;

    neoverse_sync_runs(core);
    for (uint32_t i = 0; i < MISSES_KEPT && core->misses != NULL; i++)
        if (core->misses[i].row != NULL && core->misses[i].until >= ooo_cycle(core->dispatched))
            held[n++] = core->misses[i].row;
    profile_rows_pack(&core->core.reader->profile, held, n);
}

/* Signals that are sums of others; and ticks of the counter, separated by the cycles of the rows
 * one after the other: their sum is that of all cycles. */
static void complete_rows(const struct neoverse *core)
{
    const struct armpmu_machine *const machine = core->core.machine;
    struct profile_rows *const rows = &core->core.reader->profile;
    uint64_t cycles = 0, ticks = 0;

    neoverse_add_up(machine, rows->elsewhere);
    for (struct profile_block *block = rows->blocks; block != NULL; block = block->next) {
        const bool packs = profile_rows_open(rows, block);
        for (uint32_t i = 0; i < block->n_insns; i++) {
            if (block->rows[i] == NULL)
                continue;
            neoverse_add_up(machine, block->rows[i]);
            cycles += block->rows[i][ARMPMU_SIGNAL_CPU_CYCLES];
            const uint64_t now =
                neoverse_constant_cycles(cycles, machine->clock_counter_khz, machine->clock_mhz);
            block->rows[i][ARMPMU_SIGNAL_CONSTANT_CYCLES] = now - ticks;
            ticks = now;
        }
        profile_rows_close(rows, block, packs);
    }
}

void neoverse_sync_rows(void *state)
{
    struct neoverse *core = state;

    neoverse_sync_runs(core);
    if (core->by_block)
        neoverse_attribute_block_retired(core);
    if (core->by_block && !core->window.in_order)
        add_elsewhere(core);
    complete_rows(core);
}

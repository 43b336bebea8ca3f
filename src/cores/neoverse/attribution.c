/* Where what the out-of-order core counts happens, for a profile. The rules are in
 * docs/attribution.md. */
#include <stdlib.h>

#include "cores/neoverse/core.h"
#include "trace/trace_reader_internal.h"

#define MISSES_KEPT OOO_RING /* no queue holds more loads */

void neoverse_attribute(struct neoverse *amu, struct profile_block *block, unsigned index)
{
    amu->memory.tally = profile_rows_at(&amu->core.reader->profile, block, index);
}

/* The row of the oldest miss whose line was not there in a cycle; the row at hand if there is none.
 */
static uint64_t *waited_for(const struct neoverse *amu, uint64_t cycle)
{
    const uint32_t n = amu->next_miss < MISSES_KEPT ? amu->next_miss : MISSES_KEPT;

    for (uint32_t i = amu->next_miss - n; i != amu->next_miss; i++)
        if (amu->misses[i % MISSES_KEPT].until > cycle)
            return amu->misses[i % MISSES_KEPT].row;
    return amu->memory.tally;
}

/* The cycles that dispatch has lost to data misses since the last instruction. */
static void attribute_stall(struct neoverse *amu)
{
    const uint64_t lost = amu->window.memory_stall - amu->stall_before;

    if (lost == 0)
        return;
    amu->stall_before = amu->window.memory_stall;
    waited_for(amu, ooo_cycle(amu->dispatched) - lost)[ARMPMU_SIGNAL_MEMORY_STALL] += lost;
}

void neoverse_attribute_retired(struct neoverse *amu, const struct ooo_pace *pace, uint64_t cycles)
{
    uint64_t *const row = amu->memory.tally;

    row[ARMPMU_SIGNAL_INST_RETIRED]++;
    row[ARMPMU_SIGNAL_CPU_CYCLES] += cycles;
    amu->dispatched = pace->dispatched;
    attribute_stall(amu);
    const struct neoverse_lost lost = neoverse_lost_of(amu, pace);
    for (unsigned i = 0; i < NEOVERSE_ACCOUNTS; i++)
        row[neoverse_accounts[i]] += lost.of[i] - amu->lost_before.of[i];
    amu->lost_before = lost;
    if (amu->window.n_waits == amu->waits_before)
        return;
    amu->waits_before = amu->window.n_waits;
    amu->misses[amu->next_miss++ % MISSES_KEPT] =
        (struct neoverse_miss){row, amu->window.waits_until};
}

enum armpmu_status neoverse_attribute_all(void *state)
{
    struct neoverse *amu = state;

    amu->misses = calloc(MISSES_KEPT, sizeof *amu->misses);
    if (amu->misses == NULL)
        return ARMPMU_NO_MEMORY;
    amu->memory.tally = amu->core.reader->profile.elsewhere;
    return ARMPMU_OK;
}

/* Dispatch waits for no miss that was over when the last instruction was dispatched. */
void neoverse_pack_rows(void *core)
{
    struct neoverse *const amu = core;
    uint64_t *held[MISSES_KEPT + 1] = {amu->memory.tally};
    size_t n = 1;

    for (uint32_t i = 0; i < MISSES_KEPT; i++)
        if (amu->misses[i].row != NULL && amu->misses[i].until >= ooo_cycle(amu->dispatched))
            held[n++] = amu->misses[i].row;
    profile_rows_pack(&amu->core.reader->profile, held, n);
}

/* Signals that are sums of others; and ticks of the counter, parted by the cycles of the rows one
 * after the other: their sum is that of all cycles. */
static void complete_rows(const struct neoverse *amu)
{
    const struct armpmu_machine *const machine = amu->core.machine;
    struct profile_rows *const rows = &amu->core.reader->profile;
    uint64_t cycles = 0, ticks = 0;

    neoverse_add_up(machine, rows->elsewhere);
    for (struct profile_block *block = rows->blocks; block != NULL; block = block->next) {
        const bool was_packed = profile_rows_open(rows, block);
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
        profile_rows_close(rows, block, was_packed);
    }
}

void neoverse_sync_rows(void *state)
{
    struct neoverse *amu = state;

    complete_rows(amu);
}

/* Adds up the counts that the parts of the core keep. */
#include "cores/neoverse/core.h"

#include <string.h>

#include "trace/trace_reader_internal.h"

/* In two parts, so that nothing overflows. */
uint64_t neoverse_constant_cycles(uint64_t cycles, uint64_t khz, uint64_t mhz)
{
    const uint64_t clock_khz = mhz * 1000;
    return cycles / clock_khz * khz + cycles % clock_khz * khz / clock_khz;
}

struct neoverse_lost neoverse_lost_of(const struct neoverse *core, const struct ooo_pace *pace)
{
    const struct ooo_timing *window = &core->window;
    struct neoverse_lost lost = {.of = {[LOST_TO_LOADS] = window->load_stall,
                                        [LOST_TO_STORES] = window->store_stall,
                                        [LOST_IN_FRONT] = window->starved,
                                        [LOST_BEHIND] = window->backend_stall,
                                        [SLOTS_BEHIND] = window->backend_slots,
                                        [STORE_WAITS] = window->store_waits}};

    for (unsigned i = 0; i < OOO_HOLDS; i++)
        lost.of[i] = window->frontend_stall[i];
    for (unsigned i = 0; i < OOO_INTERLOCKS; i++) {
        lost.of[LOST_TO_INTERLOCK + i] = window->interlocks[i];
        lost.of[LOST_TO_OPERANDS] += window->interlocks[i];
    }
    lost.of[LOST_TO_WINDOW] = window->backend_stall - window->memory_stall - window->load_stall -
                              window->store_stall - window->recovery - lost.of[LOST_TO_OPERANDS];
    lost.of[LOST_TO_WRONG_PATH] = window->wrong_cycles + window->recovery;
    lost.of[NOT_LOST] = ooo_cycle(pace->dispatched) - lost.of[LOST_IN_FRONT] -
                        lost.of[LOST_BEHIND] - window->wrong_cycles;
    lost.of[SLOTS_IN_FRONT] = ooo_frontend_slots(window, pace);
    return lost;
}

static void add_up(uint64_t *tally, enum armpmu_signal sum, enum armpmu_signal one,
                   enum armpmu_signal other)
{
    tally[sum] = tally[one] + tally[other];
}

void neoverse_add_up(const struct armpmu_machine *machine, uint64_t *tally)
{
    const bool shared = machine->llc_size_kb != 0;

    add_up(tally, ARMPMU_SIGNAL_L1D_ACCESS, ARMPMU_SIGNAL_L1D_READ, ARMPMU_SIGNAL_L1D_WRITE);
    add_up(tally, ARMPMU_SIGNAL_L1D_REFILL, ARMPMU_SIGNAL_L1D_READ_REFILL,
           ARMPMU_SIGNAL_L1D_WRITE_REFILL);
    add_up(tally, ARMPMU_SIGNAL_DTLB_WALK, ARMPMU_SIGNAL_DTLB_READ_WALK,
           ARMPMU_SIGNAL_DTLB_WRITE_WALK);
    add_up(tally, ARMPMU_SIGNAL_L2_ACCESS, ARMPMU_SIGNAL_L2_READ, ARMPMU_SIGNAL_L2_WRITE);
    add_up(tally, ARMPMU_SIGNAL_L2_MISS, ARMPMU_SIGNAL_L2_READ_MISS, ARMPMU_SIGNAL_L2_WRITE_MISS);
    tally[ARMPMU_SIGNAL_LLC_READ] = tally[shared ? ARMPMU_SIGNAL_L3_READ : ARMPMU_SIGNAL_L2_ACCESS];
    tally[ARMPMU_SIGNAL_LLC_MISS] = tally[shared ? ARMPMU_SIGNAL_L3_MISS : ARMPMU_SIGNAL_L2_MISS];
}

void neoverse_signals(const struct neoverse *core, uint64_t *tally)
{
    const uint64_t cycles = ooo_cycle(core->window.pace.retired);

    memcpy(tally, core->tally, sizeof core->tally);
    neoverse_add_runs(core, tally);
    if (core->misses != NULL || core->by_block)
        profile_rows_sum(&core->core.reader->profile, tally);
    tally[ARMPMU_SIGNAL_INST_RETIRED] = core->window.pace.n;
    tally[ARMPMU_SIGNAL_CPU_CYCLES] = cycles;
    tally[ARMPMU_SIGNAL_CONSTANT_CYCLES] = neoverse_constant_cycles(
        cycles, core->core.machine->clock_counter_khz, core->core.machine->clock_mhz);
    tally[ARMPMU_SIGNAL_MEMORY_STALL] = core->window.memory_stall;
    const struct neoverse_lost lost = neoverse_lost_of(core, &core->window.pace);
    for (unsigned i = 0; i < NEOVERSE_ACCOUNTS; i++)
        tally[neoverse_accounts[i]] = lost.of[i];
    neoverse_add_up(core->core.machine, tally);
}

/* Attributes the counts of the XScale model to instructions, for a profile. The rules are in
 * docs/profiling.md. */
#include "cores/xscale/core.h"

static const enum armpmu_signal tail_signals[2] = {ARMPMU_SIGNAL_PRODUCT_INPUT1,
                                                   ARMPMU_SIGNAL_PRODUCT_INPUT6};

/* The counts of a memo that is being made since the previous instruction. */
void xs_charge_to(struct xscale *xscale, unsigned index, uint64_t cycles)
{
    uint64_t *const tally = xscale->memory.tally;
    if (xscale->parts == NULL) {
        tally[ARMPMU_SIGNAL_CPU_CYCLES] += cycles;
        return;
    }
    struct xs_part *const part = &xscale->parts[index];
    part->cycles = (uint32_t)cycles;
    for (unsigned k = 0; k < XS_SCHEDULED; k++) {
        part->counts[k] = (uint32_t)tally[xs_scheduled[k]];
        for (unsigned i = 0; i < index; i++)
            part->counts[k] -= xscale->parts[i].counts[k];
    }
}

static void add_memo(struct xscale *xscale, const struct xs_block *block,
                     struct xs_schedule_memo *memo)
{
    const struct xs_part *const parts = xs_parts(block, memo);
    const uint64_t runs = xs_runs(memo);
    if (runs == 0)
        return;
    for (uint32_t i = 0; i < block->n_insns; i++) {
        uint64_t *const row = profile_rows_at(&xscale->core.reader->profile, block->profile, i);
        xs_count_insns(row, runs);
        row[ARMPMU_SIGNAL_CPU_CYCLES] += runs * parts[i].cycles;
        for (unsigned k = 0; k < XS_SCHEDULED; k++)
            row[xs_scheduled[k]] += runs * parts[i].counts[k];
        row[ARMPMU_SIGNAL_DIRECT_BRANCH] +=
            i + 1 == block->n_insns && block->is_direct_branch ? runs : 0;
        if (i + 1 == block->n_insns)
            xs_count_ends(block, memo, row);
    }
}

static void add_block(struct xscale *xscale, const struct xs_block *block)
{
    struct trace_reader *const reader = xscale->core.reader;
    const bool packs = reader_open_rows(reader, block->profile);
    for (struct xs_schedule_memo *memo = block->all_memos; memo != NULL; memo = memo->next)
        add_memo(xscale, block, memo);
    profile_rows_close(&reader->profile, block->profile, packs);
}

void xs_attribute_held(struct xscale *xscale)
{
    for (struct memo_block *block = xscale->dirty_blocks; block != NULL; block = block->next_dirty)
        add_block(xscale, (const struct xs_block *)block);
}

enum armpmu_status xs_attribute_all(void *state)
{
    struct xscale *xscale = state;
    xscale->is_attributing = true;
    xscale->by_insn = xscale->core.reader->profile.detail != ARMPMU_PROFILE_BLOCKS;
    xscale->memory.tally = xscale->memory.unit.tally = xscale->core.reader->profile.elsewhere;
    return ARMPMU_OK;
}

void xs_pack_rows(void *core)
{
    struct xscale *const xscale = core;
    uint64_t *const held[] = {xscale->memory.tally, xscale->tail_row};

    profile_rows_pack(&xscale->core.reader->profile, held, 2);
}

void xs_remove_tail(const struct xscale *xscale, uint64_t *tally)
{
    for (unsigned i = 0; i < 2; i++)
        tally[tail_signals[i]] -= xscale->tail[i];
}

/* The counts that the bus unit still owes belong to the current instruction. */
void xs_sync_rows(void *state)
{
    struct xscale *xscale = state;
    uint64_t tally[ARMPMU_SIGNAL_COUNT] = {0};
    xs_sync(xscale);
    xs_attribute_left(xscale);
    if (xscale->tail_row != NULL)
        xs_remove_tail(xscale, xscale->tail_row);
    xscale->tail_row = xscale->memory.tally;
    xs_bus_unit_add(&xscale->memory.unit, &xscale->memory.writes, xscale->now, tally);
    for (unsigned i = 0; i < 2; i++) {
        xscale->tail[i] = tally[tail_signals[i]];
        xscale->tail_row[tail_signals[i]] += xscale->tail[i];
    }
}

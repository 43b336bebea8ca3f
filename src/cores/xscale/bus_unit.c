#include "cores/xscale/bus_unit.h"

#include <string.h>

#include "armpmu/catalog.h"

#define ECC_BYTES 8
#define ECC_LANES ((1u << ECC_BYTES) - 1)

void xs_bus_unit_init(struct xs_bus_unit *unit, const struct armpmu_machine *machine,
                      uint64_t *tally)
{
    const bool present = machine->product_bus_unit == YESNO_YES;
    memset(unit, 0, sizeof *unit);
    unit->tally = tally;
    unit->room = present ? machine->product_requests : 0;
    unit->ecc = present && machine->product_ecc == YESNO_YES;
}

/* ---- the queue ---- */

/* The first time from now on at which there is room, if nothing comes in before. */
static uint64_t full_until(const struct xs_bus_unit *unit, uint64_t now)
{
    for (;;) {
        uint32_t under_way = unit->written > now;
        uint64_t first = under_way ? unit->written : UINT64_MAX;
        for (unsigned i = 0; i < XS_READS_MAX; i++) {
            if (unit->ends[i] <= now)
                continue;
            under_way++;
            first = unit->ends[i] < first ? unit->ends[i] : first;
        }
        if (under_way < unit->room)
            return now;
        now = first;
    }
}

/* Clocks without room that are not in the tally yet. */
static uint64_t full_clocks(const struct xs_bus_unit *unit, uint64_t now)
{
    if (now <= unit->counted)
        return 0;
    const uint64_t until = full_until(unit, unit->counted);
    return (until < now ? until : now) - unit->counted;
}

static void count_full(struct xs_bus_unit *unit, uint64_t now)
{
    unit->tally[ARMPMU_SIGNAL_PRODUCT_INPUT1] += full_clocks(unit, now);
    unit->counted = now > unit->counted ? now : unit->counted;
}

uint64_t xs_bus_unit_read(struct xs_bus_unit *unit, uint64_t now)
{
    unit->tally[ARMPMU_SIGNAL_PRODUCT_INPUT0]++;
    count_full(unit, now);
    return full_until(unit, now);
}

void xs_bus_unit_ends(struct xs_bus_unit *unit, uint64_t end)
{
    unit->ends[unit->next] = end;
    unit->next = (unit->next + 1) & (XS_READS_MAX - 1);
}

void xs_bus_unit_write(struct xs_bus_unit *unit, const struct store_buffer *writes, uint64_t now,
                       uint16_t lanes)
{
    const uint32_t newest = store_buffer_slot(writes, writes->used - 1);
    if (unit->room == 0)
        return;
    unit->tally[ARMPMU_SIGNAL_PRODUCT_INPUT0]++;
    count_full(unit, now);
    unit->written = writes->drained[newest];
    unit->lanes[newest] = lanes;
}

void xs_bus_unit_drain(struct xs_bus_unit *unit)
{
    unit->tally[ARMPMU_SIGNAL_PRODUCT_INPUT2] += unit->room != 0;
}

/* ---- narrow writes ---- */

void xs_bus_unit_join(struct xs_bus_unit *unit, const struct store_buffer *writes, uint64_t line,
                      uint16_t lanes)
{
    for (uint32_t i = writes->used; i-- > 1;) {
        const uint32_t at = store_buffer_slot(writes, i);
        if (writes->line[at] != line || !writes->mergeable[at])
            continue;
        unit->lanes[at] |= lanes;
        return;
    }
}

static uint64_t written_in_part(unsigned lanes)
{
    const unsigned low = lanes & ECC_LANES, high = lanes >> ECC_BYTES;
    return (low != 0 && low != ECC_LANES) + (high != 0 && high != ECC_LANES);
}

static uint64_t narrow_writes(const struct xs_bus_unit *unit, const struct store_buffer *writes,
                              uint64_t now)
{
    uint64_t narrow = 0;
    for (uint32_t i = 0; i < writes->used && unit->ecc; i++) {
        const uint32_t at = store_buffer_slot(writes, i);
        if (writes->drained[at] > now)
            break;
        narrow += written_in_part(unit->lanes[at]);
    }
    return narrow;
}

void xs_bus_unit_retire(struct xs_bus_unit *unit, const struct store_buffer *writes, uint64_t now)
{
    unit->tally[ARMPMU_SIGNAL_PRODUCT_INPUT6] += narrow_writes(unit, writes, now);
}

void xs_bus_unit_add(const struct xs_bus_unit *unit, const struct store_buffer *writes,
                     uint64_t now, uint64_t *tally)
{
    if (unit->room == 0)
        return;
    tally[ARMPMU_SIGNAL_PRODUCT_INPUT1] += full_clocks(unit, now);
    tally[ARMPMU_SIGNAL_PRODUCT_INPUT6] += narrow_writes(unit, writes, now);
}

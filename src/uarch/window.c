#include "uarch/window.h"

#include <string.h>

/* The most bytes an instruction accesses. */
#define ACCESS_BYTES_MAX 256

enum armpmu_status window_init(struct window *window, const struct armpmu_machine *machine,
                               struct armpmu_error *err)
{
    const size_t lines = ACCESS_BYTES_MAX / machine->l1d_line_bytes + 1;

    memset(window, 0, sizeof *window);
    window->width = machine->dispatch_width;
    window->queue = machine->dispatch_queue;
    window->entries = machine->window_entries;
    window->loads = machine->window_loads;
    window->stores = machine->window_stores;
    window->alu_latency = (uint16_t)machine->latency_alu;
    window->units[UNIT_INTEGER] = (uint8_t)machine->units_integer;
    window->units[UNIT_MULTICYCLE] = (uint8_t)machine->units_multicycle;
    window->units[UNIT_BRANCH] = (uint8_t)machine->units_branch;
    window->units[UNIT_LOAD] = (uint8_t)machine->units_load;
    window->units[UNIT_STORE] = (uint8_t)machine->units_store;
    window->units[UNIT_VECTOR] = (uint8_t)machine->units_vector;
    return outstanding_init(&window->outstanding, lines * (window->loads + window->stores), err);
}

void window_free(struct window *window)
{
    outstanding_free(&window->outstanding);
}

/* As window_take_unit, for one kind. Passes over the span that is known to be full and remembers
 * what it finds full: a queue of waiting instructions is not searched again for each of them. */
static uint64_t free_cycle(struct window *window, enum window_unit unit, uint64_t at, uint64_t end)
{
    struct window_full *full = &window->full[unit];
    uint64_t cycle = at;

    while (cycle < end) {
        if (cycle >= full->from && cycle < full->until) {
            cycle = full->until;
            continue;
        }
        if (window_slot_of(window, cycle)->taken[unit] < window->units[unit])
            break;
        cycle++;
    }
    if (cycle > end)
        cycle = end;
    if (at >= full->from && at <= full->until)
        full->until = window_later(full->until, cycle);
    else if (cycle > at)
        *full = (struct window_full){at, cycle};
    return cycle;
}

uint64_t window_search_unit(struct window *window, enum window_unit unit, uint64_t at)
{
    const uint64_t end = window->dispatched + WINDOW_HORIZON;

    if (at >= end)
        return at;
    at = free_cycle(window, unit, at, end);
    if (unit == UNIT_MULTICYCLE) {
        for (uint64_t both = 0; at < end && both != at;) {
            both = at;
            at = free_cycle(window, UNIT_INTEGER, at, end);
            at = free_cycle(window, UNIT_MULTICYCLE, at, end);
        }
    }
    if (at >= end)
        return at;
    window_slot_of(window, at)->taken[unit]++;
    if (unit == UNIT_MULTICYCLE)
        window_slot_of(window, at)->taken[UNIT_INTEGER]++;
    return at;
}

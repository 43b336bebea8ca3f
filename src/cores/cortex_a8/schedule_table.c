#include "cores/cortex_a8/schedule_table.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 64 /* states; the slots are always twice that */

/* Four words of the state, folded one into the next by multiply and shift (Fibonacci's constant).
 */
static uint32_t hash(const struct schedule_state *state)
{
    uint64_t records[4] = {0};
    uint64_t sum = 0;

    memcpy(records, state, sizeof *state);
    for (unsigned i = 0; i < 4; i++) {
        sum = (sum ^ records[i]) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 29;
    }
    return (uint32_t)(sum >> 16);
}

/* The slot that holds the state, or the free one where it belongs. */
static uint32_t *slot_for(const struct schedule_table *table, const struct schedule_state *state)
{
    uint32_t at = hash(state) & (table->n_slots - 1);

    while (table->slots[at] &&
           memcmp(&table->states[table->slots[at] - 1], state, sizeof *state) != 0)
        at = (at + 1) & (table->n_slots - 1);
    return &table->slots[at];
}

/* Doubles the table; on failure it is untouched but for room nobody counts on. */
static enum armpmu_status grow(struct schedule_table *table)
{
    const uint32_t room = table->room ? 2 * table->room : FIRST_ROOM;
    struct schedule_state *states;
    uint32_t *slots;

    if (room > UINT32_MAX / 4)
        return ARMPMU_NO_MEMORY;
    states = realloc(table->states, room * sizeof *states);
    if (!states)
        return ARMPMU_NO_MEMORY;
    table->states = states;
    slots = calloc(2 * (size_t)room, sizeof *slots);
    if (!slots)
        return ARMPMU_NO_MEMORY;
    free(table->slots);
    table->slots = slots;
    table->n_slots = 2 * room;
    table->room = room;
    for (uint32_t id = 0; id < table->n_states; id++)
        *slot_for(table, &states[id]) = id + 1;
    return ARMPMU_OK;
}

enum armpmu_status schedule_table_init(struct schedule_table *table)
{
    const struct schedule_state idle = schedule_idle();

    memset(table, 0, sizeof *table);
    if (grow(table) != ARMPMU_OK) {
        schedule_table_free(table);
        return ARMPMU_NO_MEMORY;
    }
    (void)schedule_intern(table, &idle);
    return ARMPMU_OK;
}

void schedule_table_free(struct schedule_table *table)
{
    free(table->states);
    free(table->slots);
    memset(table, 0, sizeof *table);
}

uint32_t schedule_intern(struct schedule_table *table, const struct schedule_state *state)
{
    uint32_t *slot = slot_for(table, state);

    if (*slot)
        return *slot - 1;
    if (table->n_states == table->room) {
        if (grow(table) != ARMPMU_OK)
            return SCHEDULE_NO_STATE;
        slot = slot_for(table, state);
    }
    table->states[table->n_states++] = *state;
    *slot = table->n_states;
    return table->n_states - 1;
}

const struct schedule_state *schedule_state_of(const struct schedule_table *table, uint32_t id)
{
    return &table->states[id];
}

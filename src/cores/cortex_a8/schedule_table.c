#include "cores/cortex_a8/schedule_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

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

static bool same(const void *states, uint32_t id, const void *state)
{
    return memcmp((const struct schedule_state *)states + id, state,
                  sizeof(struct schedule_state)) == 0;
}

enum armpmu_status schedule_table_init(struct schedule_table *table)
{
    const struct schedule_state idle = schedule_idle();

    memset(table, 0, sizeof *table);
    if (schedule_intern(table, &idle) == SCHEDULE_IDLE_ID)
        return ARMPMU_OK;
    schedule_table_free(table);
    return ARMPMU_NO_MEMORY;
}

void schedule_table_free(struct schedule_table *table)
{
    free(table->states);
    intern_free(&table->ids);
    memset(table, 0, sizeof *table);
}

uint32_t schedule_intern(struct schedule_table *table, const struct schedule_state *state)
{
    const uint32_t hashed = hash(state);
    const uint32_t known = intern_find(&table->ids, hashed, same, table->states, state);

    if (known != INTERN_NONE)
        return known;
    if (!ARRAY_RESERVE(table->states, table->room, (size_t)table->n_states + 1) ||
        !intern_add(&table->ids, hashed, table->n_states))
        return SCHEDULE_NO_STATE;
    table->states[table->n_states] = *state;
    return table->n_states++;
}

const struct schedule_state *schedule_state_of(const struct schedule_table *table, uint32_t id)
{
    return &table->states[id];
}

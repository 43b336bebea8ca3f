/* Schedule states by number, so that a memo of a block's schedules needs four bytes to name the
 * state it starts from. Ids are dense and in order of first appearance: the same program gives the
 * same ids on every host.
 *
 * States are few: a static C program of 992 blocks met 144 of them in 1081 (block, state) pairs
 * over two million block executions; bench/schedule.c counts them for random code. */
#ifndef CORES_CORTEX_A8_SCHEDULE_TABLE_H
#define CORES_CORTEX_A8_SCHEDULE_TABLE_H

#include <stdint.h>

#include "armpmu/status.h"
#include "base/intern.h"
#include "cores/cortex_a8/schedule.h"

#define SCHEDULE_IDLE_ID  0 /* schedule_idle(), always there */
#define SCHEDULE_NO_STATE UINT32_MAX

/* Plain data; one thread at a time. */
struct schedule_table {
    struct schedule_state *states; /* by id */
    uint32_t n_states;
    size_t room;
    struct intern ids;
};

/* An empty table but for the idle state. Freed with schedule_table_free; on failure nothing needs
 * freeing. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status schedule_table_init(struct schedule_table *table);

/* A table that was never filled (all zero) is fine. */
void schedule_table_free(struct schedule_table *table);

/* The state's id, new if the state is. SCHEDULE_NO_STATE when memory ran out; the table stays as it
 * was. */
uint32_t schedule_intern(struct schedule_table *table, const struct schedule_state *state);

/* The state of an id; valid until the next schedule_intern. */
const struct schedule_state *schedule_state_of(const struct schedule_table *table, uint32_t id);

#endif

#include "cores/cortex_r4f/stores.h"

#include <assert.h>
#include <string.h>

static_assert((R4F_SLOTS_MAX & (R4F_SLOTS_MAX - 1)) == 0, "the ring is indexed by a mask");
static_assert((R4F_QUEUE_MAX & (R4F_QUEUE_MAX - 1)) == 0, "its index wraps around");

void r4f_stores_init(struct r4f_stores *stores, uint32_t n_slots, uint32_t n_queue,
                     r4f_leave_fn leave, void *user)
{
    memset(stores, 0, sizeof *stores);
    stores->n_slots = n_slots;
    stores->n_queue = n_queue;
    stores->leave = leave;
    stores->user = user;
}

static inline uint32_t n_outgoing(const struct r4f_stores *stores)
{
    return stores->used - stores->n_waiting;
}

void r4f_stores_leave(struct r4f_stores *stores, uint32_t of, uint64_t now)
{
    r4f_stores_leave_by(stores, of, now, stores->leave);
}

/* Returns whether two slots have one line with two kinds of memory. */
static bool clashes(uint64_t slot, uint64_t other)
{
    return r4f_slot_line(slot) == r4f_slot_line(other) &&
           r4f_slot_place(slot) != r4f_slot_place(other);
}

RARE bool r4f_stores_clash(struct r4f_stores *stores, uint64_t slot, uint64_t now)
{
    r4f_stores_retire(stores, now);
    if (stores->used == 0) {
        stores->place = r4f_slot_place(slot);
        return false;
    }
    stores->place = R4F_MIXED;
    for (uint32_t i = 0; i < stores->n_waiting; i++)
        if (clashes(stores->waiting[i], slot))
            return true;
    for (uint32_t i = 0; i < n_outgoing(stores); i++)
        if (clashes(r4f_outgoing_at(stores, i)->slot, slot))
            return true;
    return false;
}

uint64_t r4f_stores_drain(struct r4f_stores *stores, uint64_t now)
{
    uint64_t empty = later(now, stores->latest_left);

    while (stores->n_waiting != 0)
        r4f_stores_leave(stores, 0, empty);
    if (stores->used != 0)
        empty = later(empty, r4f_outgoing_at(stores, stores->used - 1)->left);
    stores->used = 0;
    return empty;
}

#include "cores/cortex_r4f/stores.h"

#include <assert.h>
#include <string.h>

#define LINE_SLOTS 4

static_assert((R4F_SLOTS_MAX & (R4F_SLOTS_MAX - 1)) == 0, "the ring is indexed by a mask");

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

static inline bool is_of(const struct r4f_waiting *slot, uint64_t line, uint8_t place)
{
    return slot->chunk / LINE_SLOTS == line && slot->place == place;
}

void r4f_stores_leave(struct r4f_stores *stores, uint32_t of, uint64_t now)
{
    const uint64_t line = stores->waiting[of].chunk / LINE_SLOTS;
    const uint8_t place = stores->waiting[of].place;
    struct r4f_leaving group = {.line = line, .place = place};
    const uint32_t first = n_outgoing(stores), n = stores->n_waiting;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < n; i++) {
        const struct r4f_waiting slot = stores->waiting[i];
        if (!is_of(&slot, line, place)) {
            stores->waiting[kept++] = slot;
            continue;
        }
        group.n_slots += group.bytes[slot.chunk % LINE_SLOTS] == 0;
        group.bytes[slot.chunk % LINE_SLOTS] |= slot.bytes;
    }
    stores->n_waiting = kept;
    stores->port_free = stores->leave(stores->user, &group, later(now, stores->port_free));
    for (uint32_t i = 0; i < n - kept; i++)
        *r4f_outgoing_at(stores, first + i) =
            (struct r4f_outgoing){.line = line, .left = stores->port_free, .place = place};
}

RARE bool r4f_stores_clash(struct r4f_stores *stores, const struct r4f_store *store)
{
    const uint64_t line = store->chunk / LINE_SLOTS;

    if (stores->used == 0) {
        stores->place = store->place;
        stores->mixed = false;
        return false;
    }
    stores->mixed = true;
    for (uint32_t i = 0; i < stores->n_waiting; i++)
        if (stores->waiting[i].chunk / LINE_SLOTS == line &&
            stores->waiting[i].place != store->place)
            return true;
    for (uint32_t i = 0; i < n_outgoing(stores); i++)
        if (r4f_outgoing_at(stores, i)->line == line &&
            r4f_outgoing_at(stores, i)->place != store->place)
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

void r4f_stores_meet_fill(struct r4f_stores *stores, uint64_t line, uint64_t now)
{
    for (uint32_t i = 0; i < stores->n_waiting;) {
        if (stores->waiting[i].chunk / LINE_SLOTS == line) {
            r4f_stores_leave(stores, i, now);
            i = 0; /* others have moved up */
        } else {
            i++;
        }
    }
}

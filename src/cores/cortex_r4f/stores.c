#include "cores/cortex_r4f/stores.h"

#include <assert.h>
#include <string.h>

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
    return (slot->chunk / R4F_LINE_SLOTS == line) & (slot->place == place);
}

/* How many doublewords a mask of bytes has some of. */
static unsigned doublewords(uint32_t bytes)
{
    bytes |= bytes >> 4;
    bytes |= bytes >> 2;
    bytes |= bytes >> 1;
    return (bytes & 0x01010101) * 0x01010101 >> 24;
}

/* Takes the slots of a group out of the waiting ones. */
static inline void collect(struct r4f_stores *stores, struct r4f_leaving *group)
{
    const struct r4f_waiting *const end = stores->waiting + stores->n_waiting;
    struct r4f_waiting *kept = stores->waiting;

    for (const struct r4f_waiting *slot = stores->waiting; slot != end; slot++) {
        if (is_of(slot, group->line, group->place))
            group->bytes |= slot->bytes;
        else
            *kept++ = *slot;
    }
    stores->n_waiting = (uint32_t)(kept - stores->waiting);
}

void r4f_stores_leave(struct r4f_stores *stores, uint32_t of, uint64_t now)
{
    struct r4f_leaving group = {.line = stores->waiting[of].chunk / R4F_LINE_SLOTS,
                                .place = stores->waiting[of].place};
    uint32_t at = n_outgoing(stores);

    collect(stores, &group);
    group.n_slots = doublewords(group.bytes);
    stores->port_free = stores->leave(stores->user, &group, later(now, stores->port_free));
    do {
        *r4f_outgoing_at(stores, at++) = (struct r4f_outgoing){
            .line = group.line, .left = stores->port_free, .place = group.place};
    } while (at != n_outgoing(stores));
}

RARE bool r4f_stores_clash(struct r4f_stores *stores, const struct r4f_store *store, uint64_t now)
{
    const uint64_t line = store->chunk / R4F_LINE_SLOTS;

    r4f_stores_retire(stores, now);
    if (stores->used == 0) {
        stores->place = store->place;
        return false;
    }
    stores->place = R4F_MIXED;
    for (uint32_t i = 0; i < stores->n_waiting; i++)
        if (stores->waiting[i].chunk / R4F_LINE_SLOTS == line &&
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
        if (stores->waiting[i].chunk / R4F_LINE_SLOTS == line) {
            r4f_stores_leave(stores, i, now);
            i = 0; /* others have moved up */
        } else {
            i++;
        }
    }
}

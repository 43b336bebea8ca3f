#include "cores/cortex_r4f/stores.h"

#include <string.h>

#include "base/arithmetic.h"

#define LINE_SLOTS 4
#define ALL_BYTES  0xff

static uint64_t line_of(const struct r4f_store *store)
{
    return store->chunk / LINE_SLOTS;
}

void r4f_stores_init(struct r4f_stores *stores, uint32_t n_slots, uint32_t n_queue,
                     r4f_leave_fn leave, void *user)
{
    memset(stores, 0, sizeof *stores);
    stores->n_slots = n_slots;
    stores->n_queue = n_queue;
    stores->leave = leave;
    stores->user = user;
}

/* Frees the slots that have left by cycle now. */
static void retire(struct r4f_stores *stores, uint64_t now)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < stores->used; i++) {
        if (stores->slots[i].left != 0 && stores->slots[i].left <= now)
            continue;
        if (kept != i)
            stores->slots[kept] = stores->slots[i];
        kept++;
    }
    stores->used = kept;
}

/* The slots that wait with the line of a slot begin to leave, older ones too. */
static void leave_group(struct r4f_stores *stores, uint32_t of, uint64_t now)
{
    const struct r4f_store *cause = &stores->slots[of].store;
    struct r4f_leaving group = {.line = line_of(cause), .place = cause->place};

    for (uint32_t i = 0; i < stores->used; i++) {
        const struct r4f_slot *slot = &stores->slots[i];
        if (slot->left != 0 || line_of(&slot->store) != group.line ||
            slot->store.place != group.place)
            continue;
        group.n_slots += group.bytes[slot->store.chunk % LINE_SLOTS] == 0;
        group.bytes[slot->store.chunk % LINE_SLOTS] |= slot->store.bytes;
    }
    const uint64_t left = stores->leave(stores->user, &group, later(now, stores->port_free));
    stores->port_free = left;
    for (uint32_t i = 0; i < stores->used; i++) {
        struct r4f_slot *slot = &stores->slots[i];
        if (slot->left == 0 && line_of(&slot->store) == group.line &&
            slot->store.place == group.place)
            slot->left = left;
    }
}

/* The oldest slot that waits leaves, should there be one. */
static void leave_oldest(struct r4f_stores *stores, uint64_t now)
{
    for (uint32_t i = 0; i < stores->used; i++) {
        if (stores->slots[i].left == 0) {
            leave_group(stores, i, now);
            return;
        }
    }
}

static uint64_t first_free(const struct r4f_stores *stores)
{
    uint64_t first = UINT64_MAX;

    for (uint32_t i = 0; i < stores->used; i++)
        if (stores->slots[i].left != 0 && stores->slots[i].left < first)
            first = stores->slots[i].left;
    return first;
}

static bool clashes(const struct r4f_stores *stores, const struct r4f_store *store)
{
    for (uint32_t i = 0; i < stores->used; i++) {
        const struct r4f_store *other = &stores->slots[i].store;
        if (line_of(other) == line_of(store) && other->place != store->place)
            return true;
    }
    return false;
}

static bool merge(struct r4f_stores *stores, const struct r4f_store *store, uint64_t now)
{
    for (uint32_t i = stores->used; !store->at_once && i-- > 0;) {
        struct r4f_slot *slot = &stores->slots[i];
        if (slot->left != 0 || slot->store.chunk != store->chunk ||
            slot->store.place != store->place)
            continue;
        slot->store.bytes |= store->bytes;
        if (slot->store.bytes == ALL_BYTES)
            leave_group(stores, i, now);
        return true;
    }
    return false;
}

/* Takes a slot for the store; returns when there is one. */
static uint64_t take_slot(struct r4f_stores *stores, const struct r4f_store *store, uint64_t now)
{
    if (stores->used == stores->n_slots) {
        now = first_free(stores); /* one leaves: it began when the last but one was taken */
        retire(stores, now);
    }
    stores->slots[stores->used++] = (struct r4f_slot){.store = *store};
    if (store->at_once || store->bytes == ALL_BYTES)
        leave_group(stores, stores->used - 1, now);
    if (stores->used + 1 >= stores->n_slots)
        leave_oldest(stores, now);
    return now;
}

struct r4f_store_result r4f_stores_put(struct r4f_stores *stores, const struct r4f_store *store,
                                       uint64_t now)
{
    struct r4f_store_result result = {0};
    uint64_t *place = &stores->queue_left[stores->queue_at];

    if (*place > now)
        result.queue_stall = *place - now;
    const uint64_t first = later(now, stores->latest_left + 1);
    uint64_t taken = first;
    retire(stores, first);
    result.clash = clashes(stores, store);
    result.merged = merge(stores, store, first);
    if (!result.merged)
        taken = take_slot(stores, store, first);
    result.buffer_stall = taken - first;
    *place = stores->latest_left = taken;
    if (++stores->queue_at == stores->n_queue)
        stores->queue_at = 0;
    return result;
}

uint64_t r4f_stores_drain(struct r4f_stores *stores, uint64_t now)
{
    uint64_t empty = later(now, stores->latest_left);

    for (uint32_t i = 0; i < stores->used; i++)
        if (stores->slots[i].left == 0)
            leave_group(stores, i, empty);
    for (uint32_t i = 0; i < stores->used; i++)
        empty = later(empty, stores->slots[i].left);
    stores->used = 0;
    return empty;
}

void r4f_stores_meet_fill(struct r4f_stores *stores, uint64_t line, uint64_t now)
{
    for (uint32_t i = 0; i < stores->used; i++)
        if (stores->slots[i].left == 0 && line_of(&stores->slots[i].store) == line)
            leave_group(stores, i, now);
}

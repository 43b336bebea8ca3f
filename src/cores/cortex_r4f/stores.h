/* The store queue and the store buffer of the Cortex-R4F.
 *
 *     pipeline -> queue (stores in order) -> buffer (slots of an aligned doubleword) -> memory
 *
 * A store waits in the queue for a slot, the first of the queue one cycle at least. In the buffer
 * it joins a slot that waits with its doubleword and the same kind of memory; else it takes a slot
 * of its own. A slot leaves when all its bytes are written, when it is Device or Strongly ordered,
 * when a linefill brings its line, when the buffer is nearly full, full or made to drain. All slots
 * of its line leave with it, one group after the other.
 *
 * Assumes: CHOICE(r4f-store-drain): nearly full is all but one of the slots; the oldest slot that
 * still waits leaves then; loads take waiting data from the buffer for nothing; a slot that has
 * begun to leave is merged into no more.
 * Does not model: what leaving means to memory, which is the caller's `leave`.
 *
 * Times are cycles of the core's clock. Everything is worked out when the store is made, also what
 * happens later. */
#ifndef CORES_CORTEX_R4F_STORES_H
#define CORES_CORTEX_R4F_STORES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arithmetic.h"
#include "base/compiler.h"

#define R4F_SLOTS_MAX  64
#define R4F_QUEUE_MAX  16
#define R4F_SLOT_BYTES 8
#define R4F_ALL_BYTES  0xff
#define R4F_MIXED      0xff

struct r4f_store {
    uint64_t chunk; /* address / R4F_SLOT_BYTES */
    uint8_t bytes;  /* mask of the bytes written */
    uint8_t place;  /* kind of memory, the caller's */
    bool at_once;   /* Device or Strongly ordered */
};

/* Slots of one line that leave together. */
struct r4f_leaving {
    uint64_t line;
    uint8_t place;
    unsigned n_slots; /* doublewords */
    uint32_t bytes;   /* mask of the line's that leave */
};

/* Those of one of the line's doublewords. */
static inline uint8_t r4f_leaving_bytes(const struct r4f_leaving *group, unsigned doubleword)
{
    return (uint8_t)(group->bytes >> R4F_SLOT_BYTES * doubleword);
}

/* Returns the cycle at which the group has left, when it begins at `start`. */
typedef uint64_t (*r4f_leave_fn)(void *user, const struct r4f_leaving *group, uint64_t start);

/* A slot is one number, so that few instructions compare and move it: the kind of memory, the
 * doubleword and the mask of its bytes. Of those that wait, no two have the same doubleword of the
 * same kind. */
#define R4F_LINE_SLOTS  4
#define R4F_CHUNK_SHIFT 8
#define R4F_SLOT_LINE   10 /* how far the number of the line is shifted */
#define R4F_PLACE_SHIFT 56

static inline uint64_t r4f_slot(const struct r4f_store *store)
{
    return (uint64_t)store->place << R4F_PLACE_SHIFT | store->chunk << R4F_CHUNK_SHIFT |
           store->bytes;
}

static inline uint8_t r4f_slot_place(uint64_t slot)
{
    return (uint8_t)(slot >> R4F_PLACE_SHIFT);
}

static inline uint64_t r4f_slot_line(uint64_t slot)
{
    return slot % (UINT64_C(1) << R4F_PLACE_SHIFT) >> R4F_SLOT_LINE;
}

/* A slot on its way out. */
struct r4f_outgoing {
    uint64_t slot; /* its line, and the kind of memory */
    uint64_t left; /* the cycle at which it is free */
};

struct r4f_stores {
    uint32_t used, n_slots; /* used: those that wait and those on their way out */
    uint32_t n_waiting;
    uint32_t first_outgoing;         /* of a ring: they are free in the order in which they leave */
    uint64_t waiting[R4F_SLOTS_MAX]; /* oldest first */
    struct r4f_outgoing outgoing[R4F_SLOTS_MAX];
    uint8_t place;      /* of all slots, R4F_MIXED where there are several kinds of memory */
    uint64_t port_free; /* the cycle from which the next group may leave */
    uint64_t queue_left[R4F_QUEUE_MAX]; /* of a ring: when the latest stores left the queue */
    uint32_t n_queued, n_queue;
    uint64_t latest_left; /* when the latest store left the queue */
    r4f_leave_fn leave;
    void *user;
};

struct r4f_store_result {
    uint64_t queue_stall;  /* cycles the pipeline waits for a place in the queue */
    uint64_t buffer_stall; /* cycles the queue waits for a slot */
    bool merged;
    bool clash; /* a slot of the same line has another kind of memory */
};

/* Empty. n_slots: 1 to R4F_SLOTS_MAX, n_queue: 1 to R4F_QUEUE_MAX, as the machine file
 * guarantees. */
void r4f_stores_init(struct r4f_stores *stores, uint32_t n_slots, uint32_t n_queue,
                     r4f_leave_fn leave, void *user);

/* Everything leaves; returns the cycle at which the buffer is empty, now or later. */
uint64_t r4f_stores_drain(struct r4f_stores *stores, uint64_t now);

/* ---- inline: asked at every store ---- */

/* The slots that wait with the line of a slot begin to leave, older ones too. */
void r4f_stores_leave(struct r4f_stores *stores, uint32_t of, uint64_t now);

/* The same inline. usual: what stores->leave mostly is, which the compiler can inline, too. */
static ALWAYS_INLINE void r4f_stores_leave_by(struct r4f_stores *stores, uint32_t of, uint64_t now,
                                              r4f_leave_fn usual);

/* A linefill has begun that takes waiting data of this line with it. */
static inline void r4f_stores_meet_fill(struct r4f_stores *stores, uint64_t line, uint64_t now)
{
    for (uint32_t i = 0; i < stores->n_waiting;) {
        if (r4f_slot_line(stores->waiting[i]) == line) {
            r4f_stores_leave(stores, i, now);
            i = 0; /* others have moved up */
        } else {
            i++;
        }
    }
}

/* Returns whether a slot that has not left by cycle now has the store's line with another kind of
 * memory.
 */
bool r4f_stores_clash(struct r4f_stores *stores, uint64_t slot, uint64_t now);

static inline struct r4f_outgoing *r4f_outgoing_at(struct r4f_stores *stores, uint32_t i)
{
    return &stores->outgoing[(stores->first_outgoing + i) & (R4F_SLOTS_MAX - 1)];
}

/* Frees the slots that have left by cycle now. Nothing but the number of slots in use depends on
 * it, so that it can wait until that matters. */
static inline void r4f_stores_retire(struct r4f_stores *stores, uint64_t now)
{
    if (likely(stores->port_free <= now)) { /* when the last one has left */
        stores->used = stores->n_waiting;
        return;
    }
    while (stores->used != stores->n_waiting && r4f_outgoing_at(stores, 0)->left <= now) {
        stores->first_outgoing++;
        stores->used--;
    }
}

/* The mask of the bytes of a slot in its line. */
static inline uint32_t r4f_slot_bytes(uint64_t slot)
{
    const unsigned doubleword = (unsigned)(slot >> R4F_CHUNK_SHIFT) % R4F_LINE_SLOTS;

    return (uint32_t)(uint8_t)slot << doubleword * R4F_SLOT_BYTES;
}

/* Takes the slots that wait with the line of one of them, and with its kind of memory. */
static ALWAYS_INLINE struct r4f_leaving r4f_stores_collect(struct r4f_stores *stores, uint32_t at)
{
    const uint64_t of = stores->waiting[at];
    const uint32_t n = stores->n_waiting,
                   first = at == 0; /* the oldest is compared with no other */
    uint32_t kept = 0, bytes = first ? r4f_slot_bytes(of) : 0;

    for (uint32_t i = first; i < n; i++) {
        const uint64_t slot = stores->waiting[i];
        if ((slot ^ of) >> R4F_SLOT_LINE == 0)
            bytes |= r4f_slot_bytes(slot);
        else
            stores->waiting[kept++] = slot;
    }
    stores->n_waiting = kept;
    return (struct r4f_leaving){.line = r4f_slot_line(of),
                                .place = r4f_slot_place(of),
                                .n_slots = n - kept,
                                .bytes = bytes};
}

static ALWAYS_INLINE void r4f_stores_leave_by(struct r4f_stores *stores, uint32_t of, uint64_t now,
                                              r4f_leave_fn usual)
{
    const uint64_t slot = stores->waiting[of], start = later(now, stores->port_free);
    uint32_t at = stores->used - stores->n_waiting;
    const struct r4f_leaving group = r4f_stores_collect(stores, of);
    uint64_t left;

    if (likely(stores->leave == usual)) {
        left = usual(stores->user, &group, start);
    } else {
        const struct r4f_leaving copy = group; /* the compiler keeps the other one in registers */
        left = stores->leave(stores->user, &copy, start);
    }
    stores->port_free = left;
    for (uint32_t i = group.n_slots; i > 0; i--)
        *r4f_outgoing_at(stores, at++) = (struct r4f_outgoing){slot, left};
}

/* Puts the store into a slot that waits with its doubleword; false if there is none. */
static inline bool r4f_stores_merge(struct r4f_stores *stores, const struct r4f_store *store,
                                    uint64_t now)
{
    const uint64_t slot = r4f_slot(store);

    for (uint64_t *at = stores->waiting + stores->n_waiting; at != stores->waiting;) {
        at--;
        if (likely((*at ^ slot) >> R4F_CHUNK_SHIFT != 0))
            continue;
        *at |= slot;
        if ((uint8_t)*at == R4F_ALL_BYTES)
            r4f_stores_leave(stores, (uint32_t)(at - stores->waiting), now);
        return true;
    }
    return false;
}

/* Takes a slot for the store; returns when there is one. */
static ALWAYS_INLINE uint64_t r4f_stores_take(struct r4f_stores *stores,
                                              const struct r4f_store *store, uint64_t now,
                                              r4f_leave_fn usual)
{
    if (unlikely(stores->used == stores->n_slots)) {
        now = r4f_outgoing_at(stores, 0)->left; /* it began when the last but one was taken */
        r4f_stores_retire(stores, now);
    }
    stores->waiting[stores->n_waiting++] = r4f_slot(store);
    stores->used++;
    if (store->at_once || store->bytes == R4F_ALL_BYTES)
        r4f_stores_leave(stores, stores->n_waiting - 1, now);
    if (stores->used + 1 >= stores->n_slots && stores->n_waiting != 0)
        r4f_stores_leave_by(stores, 0, now, usual);
    return now;
}

/* A store of a doubleword or part of it, made at cycle now. usual: as of r4f_stores_leave_by. */
static ALWAYS_INLINE struct r4f_store_result r4f_stores_put_by(struct r4f_stores *stores,
                                                               const struct r4f_store *store,
                                                               uint64_t now, r4f_leave_fn usual)
{
    struct r4f_store_result result = {0};
    const uint32_t at = stores->n_queued++;
    const uint64_t place = stores->queue_left[(at - stores->n_queue) % R4F_QUEUE_MAX];

    if (unlikely(place > now))
        result.queue_stall = place - now;
    const uint64_t first = later(now, stores->latest_left + 1);
    uint64_t taken = first;
    if (unlikely(stores->place != store->place))
        result.clash = r4f_stores_clash(stores, r4f_slot(store), first);
    result.merged = !store->at_once && r4f_stores_merge(stores, store, first);
    if (!result.merged) {
        r4f_stores_retire(stores, first);
        taken = r4f_stores_take(stores, store, first, usual);
    }
    result.buffer_stall = taken - first;
    stores->queue_left[at % R4F_QUEUE_MAX] = stores->latest_left = taken;
    return result;
}

static inline struct r4f_store_result r4f_stores_put(struct r4f_stores *stores,
                                                     const struct r4f_store *store, uint64_t now)
{
    return r4f_stores_put_by(stores, store, now, stores->leave);
}

#endif

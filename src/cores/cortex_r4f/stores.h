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

#define R4F_SLOTS_MAX  64
#define R4F_QUEUE_MAX  16
#define R4F_SLOT_BYTES 8

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
    unsigned n_slots;
    uint8_t bytes[4]; /* of each doubleword of the line, 0 for those that do not leave */
};

/* Returns the cycle at which the group has left, when it begins at `start`. */
typedef uint64_t (*r4f_leave_fn)(void *user, const struct r4f_leaving *group, uint64_t start);

struct r4f_slot {
    struct r4f_store store;
    uint64_t left; /* cycle at which it is free, 0 while it waits */
};

struct r4f_stores {
    struct r4f_slot slots[R4F_SLOTS_MAX]; /* oldest first */
    uint32_t used, n_slots;
    uint64_t port_free;                 /* the cycle from which the next group may leave */
    uint64_t queue_left[R4F_QUEUE_MAX]; /* when the store left that last used the place */
    uint32_t queue_at, n_queue;
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

/* A store of a doubleword or part of it, made at cycle now. */
struct r4f_store_result r4f_stores_put(struct r4f_stores *stores, const struct r4f_store *store,
                                       uint64_t now);

/* Everything leaves; returns the cycle at which the buffer is empty, now or later. */
uint64_t r4f_stores_drain(struct r4f_stores *stores, uint64_t now);

/* A linefill has begun that takes waiting data of this line with it. */
void r4f_stores_meet_fill(struct r4f_stores *stores, uint64_t line, uint64_t now);

#endif

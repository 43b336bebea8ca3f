/* The callbacks that QEMU calls while the program executes: each writes a record at its thread's
 * position. All threads' places are in one table, so that the hot path is one load and two
 * stores; only the start of a block compares with the limit.
 *
 * A process with one thread, as most have, always writes through the first slot, at an address
 * that is part of the code, which saves 8 % of its time. QEMU translates everything again before
 * it makes the second thread, so that no other thread executes such a block; each checks that. */
#ifndef QEMU_PLUGIN_RECORDER_CALLBACKS_H
#define QEMU_PLUGIN_RECORDER_CALLBACKS_H

#include <stdatomic.h>
#include <stdint.h>

#include "qemu/plugin/abi.h"
#include "qemu/ring/layout.h"

/* The slots of this process: the shared memory is mapped over this. */
extern struct ring_slot recorder_slots[RING_SLOTS];

static inline struct ring_slot *recorder_slot(unsigned vcpu)
{
    return &recorder_slots[vcpu % RING_SLOTS];
}

/* The compiler must store the record before the cursor moves past it: the thread may be killed in
 * between. */
static inline void recorder_put(struct ring_slot *slot, uint64_t *cursor, uint64_t word)
{
    *cursor = word;
    atomic_signal_fence(memory_order_release);
    slot->cursor = cursor + 1;
}

/* Begins the trace of a thread that has none. */
void recorder_open_trace(unsigned vcpu);

/* Puts the record into the next chunk, or into the first one of a thread that has none yet. */
void recorder_make_room_and_put(unsigned vcpu, uint64_t word);

/* Puts a record that follows a block and its accesses. */
static inline void recorder_put_after(unsigned vcpu, struct ring_slot *slot, uint64_t word)
{
    if (slot->cursor >= slot->limit)
        recorder_make_room_and_put(vcpu, word);
    else
        recorder_put(slot, slot->cursor, word);
}

/* user: the record; of access and element without the address. */
struct recorder_callbacks {
    qemu_vcpu_udata_cb block, mark;
    qemu_mem_cb access;  /* of an instruction that makes one */
    qemu_mem_cb element; /* of one that makes several: a BURST grows while they follow each other */
};

extern const struct recorder_callbacks recorder_any_thread, recorder_one_thread;

/* Callbacks of a block whose first accesses, at least two, each happen and write one record: these
 * need not wait until the one before has moved the cursor, since their distance from the BLOCK
 * record is known. One thread only. */
#define RECORDER_FIXED_MAX 16
extern const qemu_vcpu_udata_cb recorder_fixed_block;
extern const qemu_mem_cb recorder_fixed_access[RECORDER_FIXED_MAX]; /* from the first one on */

#endif

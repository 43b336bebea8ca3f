#include "qemu/plugin/recorder_callbacks.h"

#include <stdlib.h>

#include "base/compiler.h"
#include "qemu/plugin/mem_bytes.h"

/* The alignment is the largest page of any host. */
struct ring_slot recorder_slots[RING_SLOTS] __attribute__((aligned(65536)));

/* ---- BURST ---- */

/* Blocks are cut where SVE's elements might not fit (recorder_translation.c); pairs that are
 * compared and swapped have four words. None overwrites the next chunk, however many follow each
 * other. */
static inline bool has_room_for_burst(const struct ring_slot *slot, const uint64_t *cursor)
{
    return slot->limit + RING_SLACK_RECORDS - cursor >= RING_BURST_RECORDS;
}

/* An element that does not follow the last one without a gap, or that QEMU describes otherwise.
 * start: the BURST record that it would begin. */
static __attribute__((noinline)) void begin_burst(struct ring_slot *slot, uint32_t info,
                                                  uint64_t start)
{
    uint64_t *const cursor = slot->cursor;
    const uint32_t bytes = mem_bytes(info);
    const bool follows = slot->burst_end == cursor && slot->burst_next == start;

    if (!follows && !has_room_for_burst(slot, cursor))
        return;
    slot->burst_info = info;
    slot->burst_bytes = (uint8_t)bytes;
    slot->burst_next = start + bytes;
    if (follows) {
        cursor[-1] += bytes;
        return;
    }
    cursor[0] = start;
    cursor[1] = bytes;
    slot->burst_end = cursor + 2;
    atomic_signal_fence(memory_order_release);
    slot->cursor = cursor + 2;
}

static inline void put_element(struct ring_slot *slot, uint32_t info, uint64_t start)
{
    uint64_t *const cursor = slot->cursor;

    if (unlikely(cursor != slot->burst_end || start != slot->burst_next ||
                 info != slot->burst_info)) {
        begin_burst(slot, info, start);
        return;
    }
    slot->burst_next = start + slot->burst_bytes;
    cursor[-1] = slot->burst_next - cursor[-2];
}

/* ---- any thread ---- */

static inline void start_block(unsigned vcpu, uint64_t word, bool fixed)
{
    struct ring_slot *const slot = recorder_slot(vcpu);
    uint64_t *const cursor = slot->cursor;

    if (unlikely(cursor >= slot->limit)) {
        recorder_make_room_and_put(vcpu, word);
        return;
    }
    if (fixed)
        slot->block = cursor;
    recorder_put(slot, cursor, word);
}

static void on_block(unsigned vcpu, void *word)
{
    start_block(vcpu, (uintptr_t)word, false);
}

static void on_mark(unsigned vcpu, void *word)
{
    struct ring_slot *const slot = recorder_slot(vcpu);

    recorder_put(slot, slot->cursor, (uintptr_t)word);
}

static void on_access(unsigned vcpu, uint32_t info, uint64_t address, void *word)
{
    struct ring_slot *const slot = recorder_slot(vcpu);

    (void)info;
    recorder_put(slot, slot->cursor, address | (uintptr_t)word);
}

static void on_element(unsigned vcpu, uint32_t info, uint64_t address, void *word)
{
    put_element(recorder_slot(vcpu), info, address | (uintptr_t)word);
}

const struct recorder_callbacks recorder_any_thread = {on_block, on_mark, on_access, on_element};

/* ---- the only thread ---- */

/* To write on would mix the records of two threads. */
static inline void check_only(unsigned vcpu)
{
    if (unlikely(vcpu != 0))
        abort();
}

static void on_only_block(unsigned vcpu, void *word)
{
    check_only(vcpu);
    start_block(0, (uintptr_t)word, false);
}

static void on_only_mark(unsigned vcpu, void *word)
{
    (void)vcpu;
    on_mark(0, word);
}

static void on_only_access(unsigned vcpu, uint32_t info, uint64_t address, void *word)
{
    (void)vcpu;
    on_access(0, info, address, word);
}

static void on_only_element(unsigned vcpu, uint32_t info, uint64_t address, void *word)
{
    (void)vcpu;
    on_element(0, info, address, word);
}

const struct recorder_callbacks recorder_one_thread = {on_only_block, on_only_mark, on_only_access,
                                                       on_only_element};

static void on_fixed_block(unsigned vcpu, void *word)
{
    check_only(vcpu);
    start_block(0, (uintptr_t)word, true);
}

const qemu_vcpu_udata_cb recorder_fixed_block = on_fixed_block;

/* The numbers of the accesses, and so their distances from the BLOCK record. */
#define DISTANCES(X)                                                                               \
    X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16)

#define DEFINE(n)                                                                                  \
    static void on_access_##n(unsigned vcpu, uint32_t info, uint64_t address, void *word)          \
    {                                                                                              \
        (void)vcpu, (void)info;                                                                    \
        recorder_put(&recorder_slots[0], recorder_slots[0].block + (n),                            \
                     address | (uintptr_t)word);                                                   \
    }
DISTANCES(DEFINE)

#define NAME(n) on_access_##n,
const qemu_mem_cb recorder_fixed_access[RECORDER_FIXED_MAX] = {DISTANCES(NAME)};

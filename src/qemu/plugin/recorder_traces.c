/* The trace that each thread writes, from its first chunk to its last. */
#include "qemu/plugin/recorder_internal.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "qemu/plugin/recorder_callbacks.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14; where it is unknown, pages come one by one */
#endif

#define FIRST_RECORDS (RING_CHUNK_RECORDS / 8) /* more than a short program writes */

/* Gets the pages of a chunk that is written for the first time. In some virtual machines a page
 * fault takes 20 microseconds; a page that is got here takes one. */
static void get_pages(uint64_t *start, uint32_t n_records)
{
    (void)madvise(start, n_records * sizeof *start, MADV_POPULATE_WRITE);
}

static void begin_chunk(struct ring_slot *slot, uint64_t *start)
{
    slot->generation = recorder.generation;
    slot->limit = start + RING_CHUNK_RECORDS - RING_SLACK_RECORDS;
    slot->burst_end = NULL;
    slot->cursor = start;
}

/* From now on the thread overwrites one chunk of its own that is not read. */
static void discard(struct ring_slot *slot)
{
    if (recorder_owner_has_died())
        recorder_end_with_armpmu();
    if (!slot->discards) {
        /* Given up before it changes: armpmu may be reading it. */
        slot->trace = 0;
        atomic_thread_fence(memory_order_release);
        /* Room for a thread whose vCPU number lies outside the table and shares the slot. */
        slot->base = malloc(2 * RING_CHUNK_RECORDS * sizeof(uint64_t));
        if (slot->base == NULL)
            abort(); /* QEMU itself aborts when it is out of memory */
        slot->discards = 1;
    }
    begin_chunk(slot, slot->base);
}

/* Without its children a program is what its first thread executes. */
static bool is_counted(unsigned vcpu)
{
    return recorder.counts_children || (!recorder.is_child && vcpu == 0);
}

void recorder_open_trace(unsigned vcpu)
{
    struct ring_slot *const slot = recorder_slot(vcpu);
    struct ring_header *header = recorder.header;
    recorder_thread_begins();
    if (recorder_consumer_is_gone() || !is_counted(vcpu)) {
        discard(slot);
        return;
    }
    uint32_t number = atomic_fetch_add(&header->n_traces, 1);
    if (number >= RING_TRACES_MAX) {
        if ((number & RING_TRACES_CLOSED) == 0)
            recorder_fail("the program started more than 65536 threads and processes");
        discard(slot);
        return;
    }
    struct ring_trace *trace = ring_trace(recorder.ring, number);
    pthread_mutex_lock(&recorder.lock);
    trace->process = recorder.process;
    trace->thread = recorder_thread_number(vcpu);
    pthread_mutex_unlock(&recorder.lock);
    trace->slot = vcpu % RING_SLOTS;
    trace->pid = getpid();
    slot->base = ring_chunk(recorder.ring, number, 0);
    get_pages(slot->base, FIRST_RECORDS);
    begin_chunk(slot, slot->base);
    slot->trace = number + 1;
    trace->opened_in = slot->generation;
    atomic_store_explicit(&trace->state, RING_TRACE_OPEN, memory_order_release);
    ring_announce(header);
}

/* Makes the current chunk the consumer's. */
static uint32_t hand_over_chunk(struct ring_slot *slot, struct ring_trace *trace)
{
    uint32_t produced = atomic_load_explicit(&trace->produced, memory_order_relaxed);
    const uint64_t *start = ring_chunk(recorder.ring, slot->trace - 1, produced);
    trace->records[produced % RING_CHUNKS] = (uint32_t)(slot->cursor - start);
    trace->generation[produced % RING_CHUNKS] = slot->generation;
    atomic_store(&trace->produced, ++produced);
    return produced;
}

/* Hands the chunk over, which is full or of a generation that has ended, and waits for a free one.
 */
static void next_chunk(struct ring_slot *slot)
{
    uint32_t number = slot->trace - 1;
    struct ring_trace *trace = ring_trace(recorder.ring, number);
    uint32_t produced = hand_over_chunk(slot, trace);
    uint32_t consumed = atomic_load(&trace->consumed);
    if (produced - consumed >= RING_WAKE_CHUNKS)
        ring_doorbell(trace);
    while (produced - consumed == RING_CHUNKS) {
        if (recorder_consumer_is_gone()) {
            discard(slot);
            return;
        }
        atomic_store(&trace->producer_sleeps, 1);
        if (atomic_load(&trace->consumed) == consumed)
            ring_wait(&trace->consumed, consumed, ARMPMU_POLL_NS);
        atomic_store(&trace->producer_sleeps, 0);
        consumed = atomic_load(&trace->consumed);
    }
    uint64_t *const start = ring_chunk(recorder.ring, number, produced);
    if (produced < RING_CHUNKS)
        get_pages(start, RING_CHUNK_RECORDS);
    begin_chunk(slot, start);
}

void recorder_make_room_and_put(unsigned vcpu, uint64_t word)
{
    struct ring_slot *slot = recorder_slot(vcpu);
    if (slot->cursor == NULL)
        recorder_open_trace(vcpu);
    else if (slot->discards ||
             atomic_load_explicit(&recorder.header->detached, memory_order_relaxed))
        discard(slot);
    else
        next_chunk(slot);
    slot->block = slot->cursor;
    recorder_put(slot, slot->cursor, word);
}

/* Runs in the thread that ends. Hands over what is left and frees the slot for the next thread. */
void recorder_thread_ended(unsigned vcpu)
{
    struct ring_slot *slot = recorder_slot(vcpu);
    if (recorder.only_insns)
        recorder_counts_end(vcpu);
    if (slot->discards) {
        free(slot->base);
    } else if (slot->trace != 0) {
        struct ring_trace *trace = ring_trace(recorder.ring, slot->trace - 1);
        hand_over_chunk(slot, trace);
        slot->trace = 0;
        atomic_store(&trace->state, RING_TRACE_CLOSED);
        ring_doorbell(trace);
    }
    *slot = (struct ring_slot){0};
}

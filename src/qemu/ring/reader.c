/* Reads one trace of records, on a thread of its own, and hands them to the core model. */
#include "qemu/ring/ring_internal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "armpmu/trace.h"
#include "base/termination.h"
#include "qemu/ring/segments.h"

/* Records that are copied at a time: a block has fewer. */
#define READ_RECORDS RING_SLACK_RECORDS

enum {
    ARM_SYSCALL_EXECVE = 11,
    ARM_SYSCALL_EXECVEAT = 387,
    AARCH64_SYSCALL_EXECVE = 221,
    AARCH64_SYSCALL_EXECVEAT = 281,
};

/* A signal that its sender blocks comes when it unblocks it: raise() of some C libraries. */
static const uint32_t arm_signalling[] = {37 /* kill */,
                                          175 /* rt_sigprocmask */,
                                          178 /* rt_sigqueueinfo */,
                                          238 /* tkill */,
                                          268 /* tgkill */,
                                          363 /* rt_tgsigqueueinfo */,
                                          424 /* pidfd_send_signal */};
static const uint32_t aarch64_signalling[] = {129, 135, 138, 130, 131, 240, 424}; /* the same */
enum { N_SIGNALLING = sizeof arm_signalling / sizeof arm_signalling[0] };

struct channel {
    struct ring *ring;
    uint32_t index;
    uint32_t process, thread, slot; /* as the trace named them when it was opened */
    int32_t pid;
    uint32_t produced, consumed; /* chunks, as last seen */
    bool broken;                 /* no more is read */
    int producer;                /* pidfd, -1 if there is none to be had */
    void *sink;                  /* what sink.open returned */
    uint64_t last;               /* the last record read, */
    uint32_t last_block;         /* the last block's number; UINT32_MAX: none */
    uint64_t last_call;          /* the last system call's record; 0: a block came after it */
    uint64_t buffer[READ_RECORDS];
};

/* No further record of this trace is read. */
static void give_up(struct channel *channel, const char *what, uint64_t number, uint64_t limit)
{
    channel->broken = true;
    ring_damaged(channel->ring, "thread %u.%u has %llu %s, of at most %llu", channel->process,
                 channel->thread, (unsigned long long)number, what, (unsigned long long)limit);
}

static void note_last_block(struct channel *channel, const uint64_t *records, size_t n_records)
{
    uint64_t call = 0;

    for (size_t i = n_records; i-- > 0;) {
        if (armpmu_record_kind(records[i]) == ARMPMU_RECORD_SYSCALL && call == 0)
            call = records[i];
        if (armpmu_record_kind(records[i]) == ARMPMU_RECORD_BLOCK) {
            channel->last_block = (uint32_t)records[i];
            channel->last_call = call;
            return;
        }
    }
    channel->last_call = call != 0 ? call : channel->last_call;
}

static void pass_records(struct channel *channel, const uint64_t *records, size_t n_records)
{
    channel->last = records[n_records - 1];
    note_last_block(channel, records, n_records);
    if (channel->ring->sink.run(channel->sink, records, n_records))
        return;
    channel->broken = true;
    ring_fail(channel->ring, "the core model stopped");
}

/* Where the last of the records' blocks begins; after all of them where none does. */
static size_t last_block(const uint64_t *records, size_t n_records)
{
    for (size_t i = n_records; i-- > 1;)
        if (armpmu_record_kind(records[i]) == ARMPMU_RECORD_BLOCK)
            return i;
    return n_records;
}

/* Copies records before it hands them on, in pieces that stay in the processor's cache, each
 * of whole blocks. */
static void copy_and_run(struct channel *channel, const uint64_t *records, size_t n_records)
{
    while (n_records > 0 && !channel->broken) {
        size_t n = n_records < READ_RECORDS ? n_records : READ_RECORDS;
        memcpy(channel->buffer, records, n * sizeof *records);
        if (n < n_records)
            n = last_block(channel->buffer, n);
        pass_records(channel, channel->buffer, n);
        records += n;
        n_records -= n;
    }
}

static void pass_on(struct channel *channel, const uint64_t *records, size_t n_records)
{
    if (n_records == 0 || channel->sink == NULL)
        return;
    if (channel->ring->sink.copies)
        copy_and_run(channel, records, n_records);
    else
        pass_records(channel, records, n_records);
}

/* A process that has not been waited for yet counts as alive. */
static bool is_alive(int32_t pid)
{
    return kill(pid, 0) == 0 || errno != ESRCH;
}

/* Enough to make it worth while, so that many short processes do not look at each other all the
 * time. */
#define SEGMENTS_WORTH_FREEING 256u

static void free_segments(struct ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    const uint32_t n_taken = atomic_load(&ring->header->n_taken);
    if (n_taken - ring->n_taken >= SEGMENTS_WORTH_FREEING) {
        ring->n_taken = n_taken;
        segments_free(ring->memory, ring->reached, is_alive);
    }
    pthread_mutex_unlock(&ring->lock);
}

/* The records that come are about blocks of a generation. */
static void enter_generation(struct channel *channel, uint32_t generation)
{
    struct ring *ring = channel->ring;
    if (atomic_load(&ring->reached[channel->index]) == generation + 1)
        return;
    if (channel->sink != NULL && ring->sink.rename != NULL)
        ring->sink.rename(channel->sink);
    atomic_store(&ring->reached[channel->index], generation + 1);
    free_segments(ring);
}

/* How many chunks have been handed over and not been read. */
static uint32_t count_waiting(struct channel *channel, struct ring_trace *trace)
{
    const uint32_t produced = atomic_load_explicit(&trace->produced, memory_order_acquire);
    const uint32_t before = channel->produced;

    channel->produced = produced;
    if (produced - before > RING_CHUNKS)
        give_up(channel, "new chunks", produced - before, RING_CHUNKS);
    else if (produced - channel->consumed > RING_CHUNKS)
        give_up(channel, "chunks waiting", produced - channel->consumed, RING_CHUNKS);
    return channel->broken ? 0 : produced - channel->consumed;
}

/* Gives the chunk that was read back to its producer. */
static void release_chunk(struct channel *channel, struct ring_trace *trace)
{
    uint32_t consumed = channel->consumed;

    if (!atomic_compare_exchange_strong(&trace->consumed, &consumed, consumed + 1))
        give_up(channel, "chunks read", consumed, channel->consumed);
    channel->consumed++;
    if (count_waiting(channel, trace) <= RING_CHUNKS - RING_WAKE_CHUNKS &&
        atomic_load(&trace->producer_sleeps))
        ring_wake(&trace->consumed);
}

/* Reads a chunk if one has been handed over. */
static bool read_chunk(struct channel *channel, struct ring_trace *trace)
{
    if (count_waiting(channel, trace) == 0)
        return false;
    const uint32_t n_records =
        ((const volatile uint32_t *)trace->records)[channel->consumed % RING_CHUNKS];
    if (n_records > RING_CHUNK_RECORDS) {
        give_up(channel, "records in a chunk", n_records, RING_CHUNK_RECORDS);
        return false;
    }
    enter_generation(
        channel, ((const volatile uint32_t *)trace->generation)[channel->consumed % RING_CHUNKS]);
    pass_on(channel, ring_chunk(channel->ring->memory, channel->index, channel->consumed),
            n_records);
    release_chunk(channel, trace);
    return !channel->broken;
}

/* Reads the chunks that have been handed over, unless counting has stopped. Once the run
 * finishes, producers that still run hand over no further ones: there are no more than the ring
 * holds, and one. */
static void read_chunks(struct channel *channel, struct ring_trace *trace)
{
    uint32_t left = RING_CHUNKS + 2;

    while (!channel->broken && left > 0 && !termination_cuts() && read_chunk(channel, trace))
        left -= atomic_load(&channel->ring->finishing);
    if (left == 0)
        give_up(channel, "chunks past its end", RING_CHUNKS + 2, RING_CHUNKS + 1);
}

/* The numbers that this side wrote are unchanged. */
static bool trace_is_whole(struct channel *channel, struct ring_trace *trace)
{
    const uint32_t consumed = atomic_load(&trace->consumed);

    if (!channel->broken && consumed != channel->consumed)
        give_up(channel, "chunks read", consumed, channel->consumed);
    return !channel->broken;
}

#define CHUNK_BYTES (RING_CHUNK_RECORDS * sizeof(uint64_t))

/* How far the slot's producer is in the chunk after those that were read. One that was killed, or
 * runs on without armpmu, may have handed over a chunk and not begun the next one. */
static uint64_t tail_bytes(const struct channel *channel, uint64_t base, uint64_t cursor)
{
    const uint32_t consumed = channel->consumed;
    const uint64_t bytes = cursor - base - consumed % RING_CHUNKS * CHUNK_BYTES;
    const uint64_t before = cursor - base - (consumed - 1) % RING_CHUNKS * CHUNK_BYTES;

    return bytes > CHUNK_BYTES && consumed != 0 && before <= CHUNK_BYTES ? 0 : bytes;
}

/* Reads the chunk that its producer will not hand over any more. A thread that ended by itself has
 * handed over everything and given up its slot; one that runs on gives it up at any time. */
static void read_tail(struct channel *channel, struct ring_trace *trace)
{
    void *const memory = channel->ring->memory;
    const volatile struct ring_slot *slot = ring_slot(memory, channel->process, channel->slot);
    const uint32_t number = slot->trace;
    if (!trace_is_whole(channel, trace) || termination_cuts())
        return;
    if (number != channel->index + 1) {
        if (number != 0 && atomic_load(&trace->state) != RING_TRACE_CLOSED)
            give_up(channel, "as the number of its trace", number, channel->index + 1);
        return;
    }
    const uint64_t bytes =
        tail_bytes(channel, (uint64_t)(uintptr_t)slot->base, (uint64_t)(uintptr_t)slot->cursor);
    atomic_thread_fence(memory_order_acquire);
    if (slot->trace != channel->index + 1)
        return;
    if (atomic_load(&trace->state) == RING_TRACE_CLOSED)
        give_up(channel, "records past its end", bytes / sizeof(uint64_t), 0);
    else if (bytes > CHUNK_BYTES)
        give_up(channel, "bytes in its last chunk", bytes, CHUNK_BYTES);
    if (channel->broken)
        return;
    enter_generation(channel, slot->generation);
    pass_on(channel, ring_chunk(memory, channel->index, channel->consumed),
            bytes / sizeof(uint64_t));
}

static bool producer_is_dead(const struct channel *channel)
{
    if (channel->producer < 0)
        return kill(channel->pid, 0) != 0 && errno == ESRCH;
    struct pollfd poll_fd = {.fd = channel->producer, .events = POLLIN};
    return poll(&poll_fd, 1, 0) == 1;
}

/* How a trace of the first process ended is known when somebody has waited for that process, so
 * its traces end with ring_finish. Until the launcher has named it, any may be the first. */
static bool may_be_first(const struct channel *channel)
{
    const int32_t first = atomic_load(&channel->ring->first_pid);

    return first == 0 || first == channel->pid;
}

/* Sleeps until something may have changed. Returns whether the trace can grow no more. */
static bool wait_for_records(struct channel *channel, struct ring_trace *trace)
{
    uint32_t doorbell = atomic_load(&trace->doorbell);
    atomic_store(&trace->consumer_sleeps, 1);
    bool over = atomic_load(&trace->state) == RING_TRACE_CLOSED || termination_cuts() ||
                atomic_load(&channel->ring->finishing);
    uint32_t produced = atomic_load(&trace->produced);
    if (!over && produced == channel->consumed) {
        ring_wait(&trace->doorbell, doorbell, PRODUCER_POLL_NS);
        over = doorbell == atomic_load(&trace->doorbell) &&
               ((!may_be_first(channel) && producer_is_dead(channel)) ||
                !ring_is_whole(channel->ring) || !trace_is_whole(channel, trace));
    }
    atomic_store(&trace->consumer_sleeps, 0);
    return over || channel->broken;
}

/* The trace is of a thread that was there when the first process ended. */
static bool ended_with_first(const struct channel *channel, const struct ring_trace *trace)
{
    const struct ring *ring = channel->ring;

    return atomic_load(&ring->finishing) && channel->pid == atomic_load(&ring->first_pid) &&
           atomic_load(&trace->state) != RING_TRACE_CLOSED;
}

static enum armpmu_end how_it_ended(const struct channel *channel, const struct ring_trace *trace)
{
    const bool faulted = ended_with_first(channel, trace) && channel->ring->first_faulted &&
                         armpmu_record_kind(channel->last) != ARMPMU_RECORD_SYSCALL;
    return faulted ? ARMPMU_END_FAULT : ARMPMU_END_EXIT;
}

static bool can_signal(const struct ring_header *header, uint64_t call)
{
    const uint32_t *const numbers = header->is_a64 != 0 ? aarch64_signalling : arm_signalling;
    bool can = false;

    for (unsigned i = 0; i < N_SIGNALLING; i++)
        can = can || numbers[i] == (uint32_t)call;
    return can && call != 0;
}

static bool is_exec(uint32_t number, bool is_a64)
{
    if (is_a64)
        return number == AARCH64_SYSCALL_EXECVE || number == AARCH64_SYSCALL_EXECVEAT;
    return number == ARM_SYSCALL_EXECVE || number == ARM_SYSCALL_EXECVEAT;
}

static bool was_replaced(const struct ring_header *header, uint64_t last)
{
    return armpmu_record_kind(last) == ARMPMU_RECORD_SYSCALL &&
           is_exec((uint32_t)last, header->is_a64 != 0);
}

/* Gives the memory of a finished trace's chunks back to the system. */
static void release_chunks(struct ring *ring, uint32_t index)
{
    (void)madvise(ring_chunk(ring->memory, index, 0), RING_TRACE_CHUNK_BYTES, MADV_REMOVE);
}

static void leave(struct ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    if (--ring->n_running == 0)
        pthread_cond_signal(&ring->idle);
    pthread_mutex_unlock(&ring->lock);
}

static void end(struct channel *channel, const struct ring_trace *trace)
{
    struct ring *ring = channel->ring;
    const bool replaced = !channel->broken && was_replaced(ring->memory, channel->last);
    const uint64_t lost = armpmu_record(ARMPMU_RECORD_GAP, 0);

    if (replaced)
        pass_on(channel, &lost, 1);
    const enum armpmu_end how = how_it_ended(channel, trace);
    pthread_mutex_lock(&ring->lock);
    if (ended_with_first(channel, trace) && can_signal(ring->memory, channel->last_call))
        ring->outcome.ended_itself = true;
    if (how == ARMPMU_END_FAULT) {
        ring->outcome.fault_record = channel->last;
        ring->outcome.faulted_block = channel->last_block;
    }
    pthread_mutex_unlock(&ring->lock);
    ring->sink.end(channel->sink, how, replaced);
}

static void *read_channel(void *user)
{
    struct channel *channel = user;
    struct ring *ring = channel->ring;
    struct ring_trace *trace = ring_trace(ring->memory, channel->index);
    channel->producer = (int)syscall(SYS_pidfd_open, channel->pid, 0);
    channel->sink = ring->sink.open(ring->sink.user, channel->process, channel->thread);
    if (channel->sink == NULL)
        ring_fail(ring, "no memory for the core model of another thread");
    do
        read_chunks(channel, trace);
    while (!wait_for_records(channel, trace));
    read_chunks(channel, trace);
    read_tail(channel, trace);
    if (channel->sink != NULL)
        end(channel, trace);
    if (channel->producer >= 0)
        close(channel->producer);
    atomic_store(&ring->reached[channel->index], SEGMENTS_FINISHED);
    free_segments(ring);
    release_chunks(ring, channel->index);
    free(channel);
    leave(ring);
    return NULL;
}

static bool start_thread(void *(*run)(void *), void *user)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, user) != 0)
        return false;
    pthread_detach(thread);
    return true;
}

/* The process and thread of the trace. False when there cannot be such a thread. */
static bool identify(struct channel *channel, const volatile struct ring_trace *trace)
{
    channel->process = trace->process;
    channel->thread = trace->thread;
    channel->slot = trace->slot;
    channel->pid = trace->pid;
    return channel->process - 1 < RING_PROCESSES_MAX && channel->thread != 0 &&
           channel->slot < RING_SLOTS && channel->pid > 0;
}

static void start_thread_of(struct channel *channel)
{
    struct ring *ring = channel->ring;

    pthread_mutex_lock(&ring->lock);
    ring->n_running++;
    pthread_mutex_unlock(&ring->lock);
    if (start_thread(read_channel, channel))
        return;
    free(channel);
    leave(ring);
    ring_fail(ring,
              "the system refused a thread to read another thread's trace: no memory for it, or "
              "raise the limit (ulimit -u)");
}

void ring_start_channel(struct ring *ring, uint32_t index)
{
    struct channel *channel = malloc(sizeof *channel);
    if (channel == NULL) {
        ring_fail(ring, "no memory to read another thread's trace");
        return;
    }
    memset(channel, 0, offsetof(struct channel, buffer));
    channel->ring = ring;
    channel->index = index;
    channel->last_block = UINT32_MAX;
    if (identify(channel, ring_trace(ring->memory, index))) {
        start_thread_of(channel);
        return;
    }
    ring_damaged(ring, "trace %u is of thread %u.%u, process %d, slot %u", index, channel->process,
                 channel->thread, channel->pid, channel->slot);
    free(channel);
}

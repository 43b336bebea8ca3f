/* Reads one stream of records, on a thread of its own, and hands them to the core model. */
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
#define READ_RECORDS RING_SLACK_WORDS

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

struct consumer {
    struct ring_consumer *consumers;
    uint32_t index;
    uint32_t process, thread, slot; /* as the stream named them when it was opened */
    int32_t pid;
    uint32_t produced, consumed; /* chunks, as last seen */
    bool broken;                 /* no more is read */
    int producer;                /* pidfd, -1 if there is none to be had */
    void *sink;                  /* what sink.open returned */
    uint64_t last;               /* the last record read, */
    uint32_t last_block;         /* the last block's number; UINT32_MAX: none */
    uint64_t last_call;          /* the last system call's record; 0: a block came after it */
    uint64_t code_block[READ_RECORDS];
};

/* No further record of this trace is read. */
static void give_up(struct consumer *consumer, const char *what, uint64_t number, uint64_t limit)
{
    consumer->broken = true;
    ring_consumer_damaged(consumer->consumers, "thread %u.%u has %llu %s, of at most %llu",
                          consumer->process, consumer->thread, (unsigned long long)number, what,
                          (unsigned long long)limit);
}

static void note_last_block(struct consumer *consumer, const uint64_t *records, size_t n_records)
{
    uint64_t call = 0;

    for (size_t i = n_records; i-- > 0;) {
        if (armpmu_record_kind(records[i]) == ARMPMU_RECORD_SYSCALL && call == 0)
            call = records[i];
        if (armpmu_record_kind(records[i]) == ARMPMU_RECORD_BLOCK) {
            consumer->last_block = (uint32_t)records[i];
            consumer->last_call = call;
            return;
        }
    }
    consumer->last_call = call != 0 ? call : consumer->last_call;
}

static void run_words(struct consumer *consumer, const uint64_t *records, size_t n_records)
{
    consumer->last = records[n_records - 1];
    note_last_block(consumer, records, n_records);
    if (consumer->consumers->sink.run(consumer->sink, records, n_records))
        return;
    consumer->broken = true;
    ring_consumer_fail(consumer->consumers, "the core model stopped");
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
static void copy_and_run(struct consumer *consumer, const uint64_t *records, size_t n_records)
{
    while (n_records > 0 && !consumer->broken) {
        size_t n = n_records < READ_RECORDS ? n_records : READ_RECORDS;
        memcpy(consumer->code_block, records, n * sizeof *records);
        if (n < n_records)
            n = last_block(consumer->code_block, n);
        run_words(consumer, consumer->code_block, n);
        records += n;
        n_records -= n;
    }
}

static void pass_on(struct consumer *consumer, const uint64_t *records, size_t n_records)
{
    if (n_records == 0 || consumer->sink == NULL)
        return;
    if (consumer->consumers->sink.copies)
        copy_and_run(consumer, records, n_records);
    else
        run_words(consumer, records, n_records);
}

/* A process that nobody has waited for yet counts as alive. */
static bool is_alive(int32_t pid)
{
    return kill(pid, 0) == 0 || errno != ESRCH;
}

/* Enough to make it worth while, so that many short processes do not look at each other all the
 * time. */
#define SEGMENTS_WORTH_FREEING 256u

static void free_segments(struct ring_consumer *consumers)
{
    pthread_mutex_lock(&consumers->lock);
    const uint32_t n_taken = atomic_load(&consumers->header->n_taken);
    if (n_taken - consumers->n_taken >= SEGMENTS_WORTH_FREEING) {
        consumers->n_taken = n_taken;
        segments_free(consumers->ring, consumers->reached, is_alive);
    }
    pthread_mutex_unlock(&consumers->lock);
}

/* The records that come are about blocks of a generation. */
static void enter_generation(struct consumer *consumer, uint32_t generation)
{
    struct ring_consumer *consumers = consumer->consumers;
    if (atomic_load(&consumers->reached[consumer->index]) == generation + 1)
        return;
    if (consumer->sink != NULL && consumers->sink.rename != NULL)
        consumers->sink.rename(consumer->sink);
    atomic_store(&consumers->reached[consumer->index], generation + 1);
    free_segments(consumers);
}

/* How many chunks have been handed over and not been read. */
static uint32_t count_waiting(struct consumer *consumer, struct ring_stream *stream)
{
    const uint32_t produced = atomic_load_explicit(&stream->produced, memory_order_acquire);
    const uint32_t before = consumer->produced;

    consumer->produced = produced;
    if (produced - before > RING_CHUNKS)
        give_up(consumer, "new chunks", produced - before, RING_CHUNKS);
    else if (produced - consumer->consumed > RING_CHUNKS)
        give_up(consumer, "chunks waiting", produced - consumer->consumed, RING_CHUNKS);
    return consumer->broken ? 0 : produced - consumer->consumed;
}

/* Gives the chunk that was read back to its producer. */
static void release_chunk(struct consumer *consumer, struct ring_stream *stream)
{
    uint32_t consumed = consumer->consumed;

    if (!atomic_compare_exchange_strong(&stream->consumed, &consumed, consumed + 1))
        give_up(consumer, "chunks read", consumed, consumer->consumed);
    consumer->consumed++;
    if (count_waiting(consumer, stream) <= RING_CHUNKS - RING_WAKE_CHUNKS &&
        atomic_load(&stream->producer_sleeps))
        ring_wake(&stream->consumed);
}

/* Reads a chunk if one has been handed over. */
static bool read_chunk(struct consumer *consumer, struct ring_stream *stream)
{
    if (count_waiting(consumer, stream) == 0)
        return false;
    const uint32_t n_records =
        ((const volatile uint32_t *)stream->records)[consumer->consumed % RING_CHUNKS];
    if (n_records > RING_CHUNK_WORDS) {
        give_up(consumer, "records in a chunk", n_records, RING_CHUNK_WORDS);
        return false;
    }
    enter_generation(
        consumer,
        ((const volatile uint32_t *)stream->generation)[consumer->consumed % RING_CHUNKS]);
    pass_on(consumer, ring_chunk(consumer->consumers->ring, consumer->index, consumer->consumed),
            n_records);
    release_chunk(consumer, stream);
    return !consumer->broken;
}

/* Reads the chunks that have been handed over, unless counting is cut short. Once the run
 * finishes, producers that still run hand over no further ones: there are no more than the ring
 * holds, and one. */
static void read_chunks(struct consumer *consumer, struct ring_stream *stream)
{
    uint32_t left = RING_CHUNKS + 2;

    while (!consumer->broken && left > 0 && !termination_cuts() && read_chunk(consumer, stream))
        left -= atomic_load(&consumer->consumers->finishing);
    if (left == 0)
        give_up(consumer, "chunks past its end", RING_CHUNKS + 2, RING_CHUNKS + 1);
}

/* The numbers that this side wrote are unchanged. */
static bool stream_is_whole(struct consumer *consumer, struct ring_stream *stream)
{
    const uint32_t consumed = atomic_load(&stream->consumed);

    if (!consumer->broken && consumed != consumer->consumed)
        give_up(consumer, "chunks read", consumed, consumer->consumed);
    return !consumer->broken;
}

#define CHUNK_BYTES (RING_CHUNK_WORDS * sizeof(uint64_t))

/* How far the slot's producer is in the chunk after those that were read. One that was killed, or
 * runs on without armpmu, may have handed over a chunk and not begun the next one. */
static uint64_t tail_bytes(const struct consumer *consumer, uint64_t base, uint64_t cursor)
{
    const uint32_t consumed = consumer->consumed;
    const uint64_t bytes = cursor - base - consumed % RING_CHUNKS * CHUNK_BYTES;
    const uint64_t before = cursor - base - (consumed - 1) % RING_CHUNKS * CHUNK_BYTES;

    return bytes > CHUNK_BYTES && consumed != 0 && before <= CHUNK_BYTES ? 0 : bytes;
}

/* Reads the chunk that its producer will not hand over any more. A thread that ended by itself has
 * handed over everything and given up its slot; one that runs on gives it up at any time. */
static void read_tail(struct consumer *consumer, struct ring_stream *stream)
{
    void *ring = consumer->consumers->ring;
    const volatile struct ring_slot *slot = ring_slot(ring, consumer->process, consumer->slot);
    const uint32_t number = slot->stream;
    if (!stream_is_whole(consumer, stream) || termination_cuts())
        return;
    if (number != consumer->index + 1) {
        if (number != 0 && atomic_load(&stream->state) != RING_STREAM_CLOSED)
            give_up(consumer, "as the number of its stream", number, consumer->index + 1);
        return;
    }
    const uint64_t bytes =
        tail_bytes(consumer, (uint64_t)(uintptr_t)slot->base, (uint64_t)(uintptr_t)slot->cursor);
    atomic_thread_fence(memory_order_acquire);
    if (slot->stream != consumer->index + 1)
        return;
    if (atomic_load(&stream->state) == RING_STREAM_CLOSED)
        give_up(consumer, "records past its end", bytes / sizeof(uint64_t), 0);
    else if (bytes > CHUNK_BYTES)
        give_up(consumer, "bytes in its last chunk", bytes, CHUNK_BYTES);
    if (consumer->broken)
        return;
    enter_generation(consumer, slot->generation);
    pass_on(consumer, ring_chunk(ring, consumer->index, consumer->consumed),
            bytes / sizeof(uint64_t));
}

static bool producer_is_dead(const struct consumer *consumer)
{
    if (consumer->producer < 0)
        return kill(consumer->pid, 0) != 0 && errno == ESRCH;
    struct pollfd poll_fd = {.fd = consumer->producer, .events = POLLIN};
    return poll(&poll_fd, 1, 0) == 1;
}

/* How a stream of the first process ended is known when somebody has waited for that process, so
 * its streams end with ring_consumer_finish. Until the launcher has named it, any may be the first.
 */
static bool may_be_first(const struct consumer *consumer)
{
    const int32_t first = atomic_load(&consumer->consumers->first_pid);

    return first == 0 || first == consumer->pid;
}

/* Sleeps until something may have changed. Returns whether the stream can grow no more. */
static bool wait_for_words(struct consumer *consumer, struct ring_stream *stream)
{
    uint32_t doorbell = atomic_load(&stream->doorbell);
    atomic_store(&stream->consumer_sleeps, 1);
    bool over = atomic_load(&stream->state) == RING_STREAM_CLOSED || termination_cuts() ||
                atomic_load(&consumer->consumers->finishing);
    uint32_t produced = atomic_load(&stream->produced);
    if (!over && produced == consumer->consumed) {
        ring_wait(&stream->doorbell, doorbell, PRODUCER_POLL_NS);
        over = doorbell == atomic_load(&stream->doorbell) &&
               ((!may_be_first(consumer) && producer_is_dead(consumer)) ||
                !ring_consumer_is_whole(consumer->consumers) || !stream_is_whole(consumer, stream));
    }
    atomic_store(&stream->consumer_sleeps, 0);
    return over || consumer->broken;
}

/* Of a thread that was there when the first process ended. */
static bool ended_with_first(const struct consumer *consumer, const struct ring_stream *stream)
{
    const struct ring_consumer *consumers = consumer->consumers;

    return atomic_load(&consumers->finishing) &&
           consumer->pid == atomic_load(&consumers->first_pid) &&
           atomic_load(&stream->state) != RING_STREAM_CLOSED;
}

static enum armpmu_end how_it_ended(const struct consumer *consumer,
                                    const struct ring_stream *stream)
{
    const bool faulted = ended_with_first(consumer, stream) && consumer->consumers->first_faulted &&
                         armpmu_record_kind(consumer->last) != ARMPMU_RECORD_SYSCALL;
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

/* Gives the memory of a finished stream's chunks back to the system. */
static void release_chunks(struct ring_consumer *consumers, uint32_t index)
{
    (void)madvise(ring_chunk(consumers->ring, index, 0), RING_STREAM_CHUNK_BYTES, MADV_REMOVE);
}

static void leave(struct ring_consumer *consumers)
{
    pthread_mutex_lock(&consumers->lock);
    if (--consumers->n_running == 0)
        pthread_cond_signal(&consumers->idle);
    pthread_mutex_unlock(&consumers->lock);
}

static void end(struct consumer *consumer, const struct ring_stream *stream)
{
    struct ring_consumer *consumers = consumer->consumers;
    const bool replaced = !consumer->broken && was_replaced(consumers->ring, consumer->last);
    const uint64_t lost = armpmu_record(ARMPMU_RECORD_GAP, 0);

    if (replaced)
        pass_on(consumer, &lost, 1);
    const enum armpmu_end how = how_it_ended(consumer, stream);
    if (ended_with_first(consumer, stream) && can_signal(consumers->ring, consumer->last_call))
        atomic_store(&consumers->first_signalled, true);
    if (how == ARMPMU_END_FAULT) {
        consumers->fault_record = consumer->last;
        atomic_store(&consumers->faulted_block, consumer->last_block);
    }
    consumers->sink.end(consumer->sink, how, replaced);
}

static void *consume(void *user)
{
    struct consumer *consumer = user;
    struct ring_consumer *consumers = consumer->consumers;
    struct ring_stream *stream = ring_stream(consumers->ring, consumer->index);
    consumer->producer = (int)syscall(SYS_pidfd_open, consumer->pid, 0);
    consumer->sink =
        consumers->sink.open(consumers->sink.user, consumer->process, consumer->thread);
    if (consumer->sink == NULL)
        ring_consumer_fail(consumers, "no memory for the core model of another thread");
    do
        read_chunks(consumer, stream);
    while (!wait_for_words(consumer, stream));
    read_chunks(consumer, stream);
    read_tail(consumer, stream);
    if (consumer->sink != NULL)
        end(consumer, stream);
    if (consumer->producer >= 0)
        close(consumer->producer);
    atomic_store(&consumers->reached[consumer->index], SEGMENTS_FINISHED);
    free_segments(consumers);
    release_chunks(consumers, consumer->index);
    free(consumer);
    leave(consumers);
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
static bool identify(struct consumer *consumer, const volatile struct ring_stream *stream)
{
    consumer->process = stream->process;
    consumer->thread = stream->thread;
    consumer->slot = stream->slot;
    consumer->pid = stream->pid;
    return consumer->process - 1 < RING_PROCESSES_MAX && consumer->thread != 0 &&
           consumer->slot < RING_SLOTS && consumer->pid > 0;
}

static void start_thread_of(struct consumer *consumer)
{
    struct ring_consumer *consumers = consumer->consumers;

    pthread_mutex_lock(&consumers->lock);
    consumers->n_running++;
    pthread_mutex_unlock(&consumers->lock);
    if (start_thread(consume, consumer))
        return;
    free(consumer);
    leave(consumers);
    ring_consumer_fail(
        consumers,
        "the system refused a thread to read another thread's stream: no memory for it, or "
        "raise the limit (ulimit -u)");
}

void ring_consumer_start_stream(struct ring_consumer *consumers, uint32_t index)
{
    struct consumer *consumer = malloc(sizeof *consumer);
    if (consumer == NULL) {
        ring_consumer_fail(consumers, "no memory to read another thread's stream");
        return;
    }
    memset(consumer, 0, offsetof(struct consumer, code_block));
    consumer->consumers = consumers;
    consumer->index = index;
    consumer->last_block = UINT32_MAX;
    if (identify(consumer, ring_stream(consumers->ring, index))) {
        start_thread_of(consumer);
        return;
    }
    ring_consumer_damaged(consumers, "stream %u is of thread %u.%u, process %d, slot %u", index,
                          consumer->process, consumer->thread, consumer->pid, consumer->slot);
    free(consumer);
}

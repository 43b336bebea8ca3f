#include "qemu/launcher/ring_consumer.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "armpmu/trace.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory_limits.h"
#include "qemu/launcher/ring_guard.h"
#include "qemu/launcher/segments.h"
#include "base/termination.h"

/* A consumer that has not been called for so long looks whether its producer still lives. */
#define PRODUCER_POLL_NS 200000000L

/* Words that are copied at a time: a block has fewer. */
#define READ_RECORDS RING_SLACK_WORDS

enum {
    ARM_SYSCALL_EXECVE = 11,
    ARM_SYSCALL_EXECVEAT = 387,
    AARCH64_SYSCALL_EXECVE = 221,
    AARCH64_SYSCALL_EXECVEAT = 281,
};

struct consumer {
    struct ring_consumer *consumers;
    uint32_t index;
    uint32_t process, thread, slot; /* as the stream named them when it was opened */
    int32_t pid;
    uint32_t produced, consumed; /* chunks, as last seen */
    bool broken;                 /* no more is read */
    int producer;                /* pidfd, -1 if there is none to be had */
    void *sink;                  /* what sink.open returned */
    uint64_t last;               /* the last record read */
    uint64_t code_block[READ_RECORDS];
};

struct ring_consumer {
    struct ring_consumer_sink sink;
    _Atomic int fd;
    struct robust_list_head owned, *others; /* of the first thread: ours, and the C library's */
    struct robust_list owner;
    uint32_t owner_id;
    void *ring;
    struct ring_header *header;
    pthread_t supervisor;
    bool supervised;
    bool *started;             /* by stream index; the supervisor's until it is joined */
    _Atomic uint32_t *reached; /* by stream index: see segments.h */
    uint32_t n_streams;        /* streams seen so far                                  */
    uint32_t n_synced;         /* the first so many have all been started              */
    _Atomic bool detached;     /* we have set it in the header */
    _Atomic bool finishing;
    int32_t first_pid; /* valid once finishing */
    bool first_faulted;
    pthread_mutex_t lock; /* the fields below */
    pthread_cond_t idle;  /* n_running fell to 0 */
    uint32_t n_running;
    uint32_t n_taken; /* of the header, when segments were last freed */
    int program;      /* pidfd, -1: none */
    char failure[480];
};

static void detach(struct ring_consumer *consumers, enum ring_detached how)
{
    atomic_store(&consumers->detached, true);
    atomic_store(&consumers->header->detached, how);
    ring_wake(&consumers->header->owner);
}

static void note_failure(struct ring_consumer *consumers, const char *message)
{
    pthread_mutex_lock(&consumers->lock);
    if (consumers->failure[0] == '\0')
        snprintf(consumers->failure, sizeof consumers->failure, "%s", message);
    pthread_mutex_unlock(&consumers->lock);
    detach(consumers, RING_RUNS_ON);
}

/* ---- damage -----------------------------------------------------------------------------------
 */

static void kill_program(struct ring_consumer *consumers)
{
    detach(consumers, RING_ENDS);
    pthread_mutex_lock(&consumers->lock);
    if (consumers->program >= 0)
        syscall(SYS_pidfd_send_signal, consumers->program, SIGKILL, NULL, 0);
    pthread_mutex_unlock(&consumers->lock);
}

/* The shared memory holds what the recorder did not write. */
static void note_damage(struct ring_consumer *consumers, const char *format, ...)
{
    char what[160], message[256];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    snprintf(message, sizeof message, "the program wrote into armpmu's recording: %s", what);
    note_failure(
        consumers,
        ring_guard_lost()
            ? "armpmu's recording cannot be read any more (SIGBUS): the system has no memory "
              "for it"
            : message);
    kill_program(consumers);
}

static bool plugin_failed(const struct ring_consumer *consumers)
{
    return atomic_load(&consumers->header->plugin) == RING_PLUGIN_FAILED;
}

/* Checks what is set once. Until the consumers finishes. */
static bool header_is_whole(struct ring_consumer *consumers)
{
    const struct ring_header *header = consumers->header;

    if (ring_guard_lost())
        note_damage(consumers, "its file is shorter");
    else if (header->magic != RING_MAGIC || header->bytes != RING_BYTES ||
             (atomic_load(&header->owner) & FUTEX_TID_MASK) != consumers->owner_id)
        note_damage(consumers, "its header is another");
    else if (atomic_load(&header->detached) != 0 && !atomic_load(&consumers->detached) &&
             !plugin_failed(consumers))
        note_damage(consumers, "it was stopped");
    else
        return true;
    return false;
}

/* ---- one stream -------------------------------------------------------------------------------
 */

/* No further record of this trace is read. */
static void give_up(struct consumer *consumer, const char *what, uint64_t number, uint64_t limit)
{
    consumer->broken = true;
    note_damage(consumer->consumers, "thread %u.%u has %llu %s, of at most %llu", consumer->process,
                consumer->thread, (unsigned long long)number, what, (unsigned long long)limit);
}

static void run_words(struct consumer *consumer, const uint64_t *records, size_t n_records)
{
    consumer->last = records[n_records - 1];
    if (consumer->consumers->sink.run(consumer->sink, records, n_records))
        return;
    consumer->broken = true;
    note_failure(consumer->consumers, "the core model stopped");
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

/* Reads the chunks that have been handed over, unless counting is cut short. Once the consumers
 * finishes, producers that still run hand over no further ones: there are no more than the ring
 * holds, and one. */
static void read_chunks(struct consumer *consumer, struct ring_stream *stream)
{
    uint32_t left = RING_CHUNKS + 2;

    while (!consumer->broken && left > 0 && !termination_cuts() && read_chunk(consumer, stream))
        left -= atomic_load(&consumer->consumers->finishing);
    if (left == 0)
        give_up(consumer, "chunks behind its end", RING_CHUNKS + 2, RING_CHUNKS + 1);
}

/* The numbers that this side wrote are unchanged. */
static bool stream_is_whole(struct consumer *consumer, struct ring_stream *stream)
{
    const uint32_t consumed = atomic_load(&stream->consumed);

    if (!consumer->broken && consumed != consumer->consumed)
        give_up(consumer, "chunks read", consumed, consumer->consumed);
    return !consumer->broken;
}

/* Reads the chunk that its producer will not hand over any more. A thread that ended by itself has
 * handed over everything and given up its slot. */
static void read_tail(struct consumer *consumer, struct ring_stream *stream)
{
    const uint64_t chunk_bytes = RING_CHUNK_WORDS * sizeof(uint64_t);
    void *ring = consumer->consumers->ring;
    const volatile struct ring_slot *slot = ring_slot(ring, consumer->process, consumer->slot);
    if (!stream_is_whole(consumer, stream) || slot->stream != consumer->index + 1 ||
        termination_cuts())
        return;
    const uint64_t start =
        (uint64_t)(uintptr_t)slot->base + consumer->consumed % RING_CHUNKS * chunk_bytes;
    const uint64_t bytes = (uint64_t)(uintptr_t)slot->cursor - start;
    if (atomic_load(&stream->state) == RING_STREAM_CLOSED)
        give_up(consumer, "records behind its end", bytes / sizeof(uint64_t), 0);
    else if (bytes > chunk_bytes)
        give_up(consumer, "bytes in its last chunk", bytes, chunk_bytes);
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
               (producer_is_dead(consumer) || !header_is_whole(consumer->consumers) ||
                !stream_is_whole(consumer, stream));
    }
    atomic_store(&stream->consumer_sleeps, 0);
    return over || consumer->broken;
}

static enum armpmu_end how_it_ended(const struct consumer *consumer,
                                    const struct ring_stream *stream)
{
    const struct ring_consumer *consumers = consumer->consumers;
    bool faulted = atomic_load(&consumers->finishing) && consumers->first_faulted &&
                   consumer->pid == consumers->first_pid &&
                   atomic_load(&stream->state) != RING_STREAM_CLOSED &&
                   armpmu_record_kind(consumer->last) != ARMPMU_RECORD_SYSCALL;
    return faulted ? ARMPMU_END_FAULT : ARMPMU_END_EXIT;
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
    consumers->sink.end(consumer->sink, how_it_ended(consumer, stream), replaced);
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
        note_failure(consumers, "no memory for the core model of another thread");
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

/* ---- all streams ------------------------------------------------------------------------------
 */

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
    note_failure(consumers, "the system refused a thread to read another thread's stream: "
                            "raise the limit (ulimit -u)");
}

static void start_consumer(struct ring_consumer *consumers, uint32_t index)
{
    struct consumer *consumer = malloc(sizeof *consumer);
    if (consumer == NULL) {
        note_failure(consumers, "no memory to read another thread's stream");
        return;
    }
    memset(consumer, 0, offsetof(struct consumer, code_block));
    consumer->consumers = consumers;
    consumer->index = index;
    if (identify(consumer, ring_stream(consumers->ring, index))) {
        start_thread_of(consumer);
        return;
    }
    note_damage(consumers, "stream %u is of thread %u.%u, process %d, slot %u", index,
                consumer->process, consumer->thread, consumer->pid, consumer->slot);
    free(consumer);
}

/* Starts a consumer for every stream that its producer has filled in. */
static void start_consumers(struct ring_consumer *consumers)
{
    const uint32_t announced = atomic_load(&consumers->header->n_streams) & ~RING_STREAMS_CLOSED;
    const uint32_t n_streams = announced < RING_STREAMS_MAX ? announced : RING_STREAMS_MAX;

    if (n_streams < consumers->n_streams)
        note_damage(consumers, "there are %u streams, and were %u", n_streams,
                    consumers->n_streams);
    else
        consumers->n_streams = n_streams;
    for (uint32_t i = consumers->n_synced; i < consumers->n_streams; i++) {
        uint32_t state =
            atomic_load_explicit(&ring_stream(consumers->ring, i)->state, memory_order_acquire);
        if (!consumers->started[i] && state != 0) {
            consumers->started[i] = true;
            start_consumer(consumers, i);
        }
        if (consumers->started[i] && i == consumers->n_synced)
            consumers->n_synced = i + 1;
    }
}

/* Once the plugin is ready it has its view, and waits until nobody can open the file any more. */
static void close_descriptor(struct ring_consumer *consumers)
{
    const int fd = atomic_exchange(&consumers->fd, -1);

    if (fd < 0)
        return;
    close(fd);
    atomic_store(&consumers->header->closed, 1);
    ring_wake(&consumers->header->closed);
}

#define MB(bytes) ((unsigned long long)(bytes) >> 20)

/* Ends the program before the kernel kills it, or armpmu with what it has counted. */
static void end_for_memory(struct ring_consumer *consumers, const struct memory_limits *memory)
{
    char message[sizeof consumers->failure];

    snprintf(message, sizeof message,
             "%s has %llu MiB of memory left of %llu MiB; armpmu stops before the system kills it: "
             "raise the limit, or set ARMPMU_CODE_MEMORY to fewer bytes if it is the program's "
             "code that takes them",
             memory->where, MB(memory->available), MB(memory->of));
    note_failure(consumers, message);
    termination_cut();
    kill_program(consumers);
}

/* Looks at the memory that is left when it is time to, and returns when that is next. */
static uint64_t watch_memory(struct ring_consumer *consumers, uint64_t due)
{
    struct memory_limits memory;

    if (clock_now() < due)
        return due;
    const uint64_t wait = memory_watch("", &memory);
    if (wait == 0)
        end_for_memory(consumers, &memory);
    return wait == 0 ? UINT64_MAX : clock_now() + wait;
}

static long time_until(uint64_t due)
{
    const uint64_t time = clock_now();

    if (due <= time)
        return PRODUCER_POLL_NS / 2;
    return due - time < PRODUCER_POLL_NS ? (long)(due - time) : PRODUCER_POLL_NS;
}

static void *supervise(void *user)
{
    struct ring_consumer *consumers = user;
    struct ring_header *header = consumers->header;
    uint64_t look = 0;

    for (;;) {
        const uint32_t doorbell = atomic_load(&header->doorbell);
        const bool last_round = atomic_load(&consumers->finishing);
        start_consumers(consumers);
        if (last_round)
            return NULL;
        if (atomic_load(&header->plugin) == RING_PLUGIN_READY) {
            close_descriptor(consumers);
            look = watch_memory(consumers, look);
        }
        ring_wait(&header->doorbell, doorbell, time_until(look));
    }
}

/* Lets the kernel tell the guest that armpmu has died, also by SIGKILL. Only the futex lies in the
 * shared memory; the list that the kernel follows does not. */
static void own_ring(struct ring_consumer *consumers)
{
    struct robust_list_head *const list = &consumers->owned;
    size_t bytes;

    if (syscall(SYS_get_robust_list, 0, &consumers->others, &bytes) != 0)
        return;
    list->list.next = &consumers->owner;
    consumers->owner.next = &list->list;
    list->futex_offset =
        (long)((uintptr_t)&consumers->header->owner - (uintptr_t)&consumers->owner);
    if (syscall(SYS_set_robust_list, list, sizeof *list) == 0)
        consumers->owner_id = (uint32_t)gettid();
    atomic_store(&consumers->header->owner, consumers->owner_id);
}

static void disown_ring(const struct ring_consumer *consumers)
{
    if (consumers->others != NULL)
        syscall(SYS_set_robust_list, consumers->others, sizeof *consumers->others);
}

static enum armpmu_status make_ring(struct ring_consumer *consumers, struct armpmu_error *err)
{
    const int fd = memfd_create("armpmu", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    consumers->fd = fd;
    if (fd < 0)
        return fail(err, ARMPMU_IO, "cannot make shared memory (memfd_create): %s",
                    strerror(errno));
    if (ftruncate(fd, (off_t)RING_BYTES) != 0)
        return fail(err, ARMPMU_IO,
                    "cannot make shared memory of %llu bytes: %s; raise the file size limit "
                    "(ulimit -f unlimited)",
                    (unsigned long long)RING_BYTES, strerror(errno));
    if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return fail(err, ARMPMU_IO, "cannot seal shared memory (F_ADD_SEALS): %s", strerror(errno));
    consumers->ring =
        mmap(NULL, RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (consumers->ring == MAP_FAILED) {
        consumers->ring = NULL;
        return fail(err, ARMPMU_NO_MEMORY,
                    "cannot map %llu bytes: %s; raise the address space limit "
                    "(ulimit -v unlimited)",
                    (unsigned long long)RING_BYTES, strerror(errno));
    }
    ring_guard_start(consumers->ring, RING_BYTES);
    consumers->header = consumers->ring;
    consumers->header->magic = RING_MAGIC;
    consumers->header->bytes = RING_BYTES;
    consumers->header->consumer = getpid();
    own_ring(consumers);
    return ARMPMU_OK;
}

enum armpmu_status ring_consumer_new(const struct ring_consumer_sink *sink, bool keep_running,
                                     struct ring_consumer **out, struct armpmu_error *err)
{
    *out = NULL;
    struct ring_consumer *consumers = calloc(1, sizeof *consumers);
    if (consumers == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "no memory for the engine");
    consumers->sink = *sink;
    consumers->fd = -1;
    consumers->program = -1;
    pthread_mutex_init(&consumers->lock, NULL);
    pthread_cond_init(&consumers->idle, NULL);
    consumers->started = calloc(RING_STREAMS_MAX, sizeof *consumers->started);
    consumers->reached = calloc(RING_STREAMS_MAX, sizeof *consumers->reached);
    enum armpmu_status status = consumers->started != NULL && consumers->reached != NULL
                                    ? make_ring(consumers, err)
                                    : fail(err, ARMPMU_NO_MEMORY, "no memory for the engine");
    if (status == ARMPMU_OK) {
        consumers->header->keeps_running = keep_running;
        /* Signals are the main thread's business, but for the one that a read may cause. */
        sigset_t all, before;
        sigfillset(&all);
        sigdelset(&all, SIGBUS);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        consumers->supervised =
            pthread_create(&consumers->supervisor, NULL, supervise, consumers) == 0;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        if (!consumers->supervised)
            status = fail(err, ARMPMU_NO_MEMORY,
                          "the system refused a thread: raise the limit "
                          "(ulimit -u)");
    }
    if (status != ARMPMU_OK) {
        ring_consumer_free(consumers);
        return status;
    }
    *out = consumers;
    return ARMPMU_OK;
}

int ring_consumer_descriptor(const struct ring_consumer *consumers)
{
    return consumers->fd;
}

void ring_consumer_program(struct ring_consumer *consumers, int32_t pid)
{
    pthread_mutex_lock(&consumers->lock);
    consumers->program = (int)syscall(SYS_pidfd_open, pid, 0);
    pthread_mutex_unlock(&consumers->lock);
}

void *ring_consumer_ring(struct ring_consumer *consumers)
{
    return consumers->ring;
}

static bool signal_is_synchronous(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGTRAP ||
           number == SIGFPE;
}

/* What the plugin says, up to a character that no message of its has. */
static void note_failure_of_plugin(struct ring_consumer *consumers)
{
    char message[sizeof consumers->header->message];
    size_t n = 0;

    memcpy(message, consumers->header->message, sizeof message);
    while (n < sizeof message - 1 && isprint((unsigned char)message[n]))
        n++;
    message[n] = '\0';
    note_failure(consumers, n > 0 ? message : "the recorder stopped");
}

static void note_how_it_ended(struct ring_consumer *consumers, int32_t pid, int wait_status)
{
    consumers->first_pid = pid;
    consumers->first_faulted =
        WIFSIGNALED(wait_status) && signal_is_synchronous(WTERMSIG(wait_status));
    if (header_is_whole(consumers) && plugin_failed(consumers))
        note_failure_of_plugin(consumers);
}

static void wait_for_consumers(struct ring_consumer *consumers)
{
    for (uint32_t i = 0; i < consumers->n_streams; i++)
        ring_doorbell(ring_stream(consumers->ring, i));
    pthread_mutex_lock(&consumers->lock);
    while (consumers->n_running != 0)
        pthread_cond_wait(&consumers->idle, &consumers->lock);
    pthread_mutex_unlock(&consumers->lock);
    for (uint32_t i = 0; i < consumers->n_streams; i++)
        ring_wake(&ring_stream(consumers->ring, i)->consumed);
}

void ring_consumer_finish(struct ring_consumer *consumers, int32_t pid, int wait_status)
{
    if (!consumers->supervised)
        return;
    note_how_it_ended(consumers, pid, wait_status);
    detach(consumers, termination_cuts() ? RING_ENDS : RING_RUNS_ON);
    atomic_store(&consumers->finishing, true);
    if ((atomic_fetch_or(&consumers->header->n_streams, RING_STREAMS_CLOSED) &
         RING_STREAMS_CLOSED) != 0)
        note_damage(consumers, "it takes no more streams");
    ring_announce(consumers->header);
    pthread_join(consumers->supervisor, NULL);
    consumers->supervised = false;
    wait_for_consumers(consumers);
}

const char *ring_consumer_failure(const struct ring_consumer *consumers)
{
    return consumers->failure;
}

bool ring_consumer_started(const struct ring_consumer *consumers)
{
    return atomic_load(&consumers->fd) < 0 || plugin_failed(consumers);
}

unsigned ring_consumer_n_streams(const struct ring_consumer *consumers)
{
    return consumers->n_streams;
}

void ring_consumer_free(struct ring_consumer *consumers)
{
    if (consumers == NULL)
        return;
    ring_consumer_finish(consumers, 0, 0);
    free((void *)consumers->reached);
    free(consumers->started);
    disown_ring(consumers);
    if (consumers->ring != NULL) {
        ring_guard_stop();
        munmap(consumers->ring, RING_BYTES);
    }
    if (consumers->fd >= 0)
        close(consumers->fd);
    if (consumers->program >= 0)
        close(consumers->program);
    pthread_mutex_destroy(&consumers->lock);
    pthread_cond_destroy(&consumers->idle);
    free(consumers);
}

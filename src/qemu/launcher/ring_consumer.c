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
#include "base/error.h"
#include "base/memory_limits.h"
#include "qemu/launcher/ring_guard.h"
#include "qemu/launcher/segments.h"
#include "base/termination.h"

/* A consumer that has not been called for so long looks whether its producer still lives. */
#define PATIENCE_NS 200000000L

/* Words that are copied at a time: a block has fewer. */
#define PIECE_WORDS RING_SLACK_WORDS

enum {
    ARM_SYSCALL_EXECVE = 11,
    ARM_SYSCALL_EXECVEAT = 387,
    AARCH64_SYSCALL_EXECVE = 221,
    AARCH64_SYSCALL_EXECVEAT = 281,
};

struct consumer {
    struct collector *collector;
    uint32_t index;
    uint32_t process, thread, slot; /* as the stream named them when it was opened */
    int32_t pid;
    uint32_t produced, consumed; /* chunks, as last seen */
    bool broken;                 /* no more is read */
    int producer;                /* pidfd, -1 if there is none to be had */
    void *sink;                  /* what sink.open returned */
    uint64_t last;               /* the last word read */
    uint64_t piece[PIECE_WORDS];
};

struct collector {
    struct collector_sink sink;
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
    uint32_t n_settled;        /* the first so many have all been started              */
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

static void detach(struct collector *collector, enum ring_detached how)
{
    atomic_store(&collector->detached, true);
    atomic_store(&collector->header->detached, how);
    ring_wake(&collector->header->owner);
}

static void note_failure(struct collector *collector, const char *message)
{
    pthread_mutex_lock(&collector->lock);
    if (collector->failure[0] == '\0')
        snprintf(collector->failure, sizeof collector->failure, "%s", message);
    pthread_mutex_unlock(&collector->lock);
    detach(collector, RING_RUNS_ON);
}

/* ---- damage -----------------------------------------------------------------------------------
 */

static void kill_program(struct collector *collector)
{
    detach(collector, RING_ENDS);
    pthread_mutex_lock(&collector->lock);
    if (collector->program >= 0)
        syscall(SYS_pidfd_send_signal, collector->program, SIGKILL, NULL, 0);
    pthread_mutex_unlock(&collector->lock);
}

/* The shared memory holds what the recorder did not write. */
static void note_damage(struct collector *collector, const char *format, ...)
{
    char what[160], message[256];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    snprintf(message, sizeof message, "the program wrote into armpmu's recording: %s", what);
    note_failure(
        collector,
        ring_guard_lost()
            ? "armpmu's recording cannot be read any more (SIGBUS): the system has no memory "
              "for it"
            : message);
    kill_program(collector);
}

static bool plugin_failed(const struct collector *collector)
{
    return atomic_load(&collector->header->plugin) == RING_PLUGIN_FAILED;
}

/* Checks what is set once. Until the collector finishes. */
static bool header_is_whole(struct collector *collector)
{
    const struct ring_header *header = collector->header;

    if (ring_guard_lost())
        note_damage(collector, "its file is shorter");
    else if (header->magic != RING_MAGIC || header->bytes != RING_BYTES ||
             (atomic_load(&header->owner) & FUTEX_TID_MASK) != collector->owner_id)
        note_damage(collector, "its header is another");
    else if (atomic_load(&header->detached) != 0 && !atomic_load(&collector->detached) &&
             !plugin_failed(collector))
        note_damage(collector, "it was stopped");
    else
        return true;
    return false;
}

/* ---- one stream -------------------------------------------------------------------------------
 */

/* Not a word more of this stream is read. */
static void give_up(struct consumer *consumer, const char *what, uint64_t number, uint64_t limit)
{
    consumer->broken = true;
    note_damage(consumer->collector, "thread %u.%u has %llu %s, of at most %llu", consumer->process,
                consumer->thread, (unsigned long long)number, what, (unsigned long long)limit);
}

static void run_words(struct consumer *consumer, const uint64_t *records, size_t n_records)
{
    consumer->last = records[n_records - 1];
    if (consumer->collector->sink.run(consumer->sink, records, n_records))
        return;
    consumer->broken = true;
    note_failure(consumer->collector, "the core model stopped");
}

/* Where the last of the records' blocks begins; behind all of them where none does. */
static size_t last_block(const uint64_t *records, size_t n_records)
{
    for (size_t i = n_records; i-- > 1;)
        if (armpmu_record_kind(records[i]) == ARMPMU_RECORD_BLOCK)
            return i;
    return n_records;
}

/* Copies records before it hands them on, in pieces that stay in the processor's cache, each of
 * whole blocks. */
static void copy_and_run(struct consumer *consumer, const uint64_t *records, size_t n_records)
{
    while (n_records > 0 && !consumer->broken) {
        size_t n = n_records < PIECE_WORDS ? n_records : PIECE_WORDS;
        memcpy(consumer->piece, records, n * sizeof *records);
        if (n < n_records)
            n = last_block(consumer->piece, n);
        run_words(consumer, consumer->piece, n);
        records += n;
        n_records -= n;
    }
}

static void pass_on(struct consumer *consumer, const uint64_t *records, size_t n_records)
{
    if (n_records == 0 || consumer->sink == NULL)
        return;
    if (consumer->collector->sink.copies)
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

static void free_segments(struct collector *collector)
{
    pthread_mutex_lock(&collector->lock);
    const uint32_t n_taken = atomic_load(&collector->header->n_taken);
    if (n_taken - collector->n_taken >= SEGMENTS_WORTH_FREEING) {
        collector->n_taken = n_taken;
        segments_free(collector->ring, collector->reached, is_alive);
    }
    pthread_mutex_unlock(&collector->lock);
}

/* The records that come are about blocks of a generation. */
static void enter_generation(struct consumer *consumer, uint32_t generation)
{
    struct collector *collector = consumer->collector;
    if (atomic_load(&collector->reached[consumer->index]) == generation + 1)
        return;
    if (consumer->sink != NULL && collector->sink.rename != NULL)
        collector->sink.rename(consumer->sink);
    atomic_store(&collector->reached[consumer->index], generation + 1);
    free_segments(collector);
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
    pass_on(consumer, ring_chunk(consumer->collector->ring, consumer->index, consumer->consumed),
            n_records);
    release_chunk(consumer, stream);
    return !consumer->broken;
}

/* Reads the chunks that have been handed over, unless counting is cut short. Once the collector
 * finishes, producers that still run hand over no further ones: there are no more than the ring
 * holds, and one. */
static void read_chunks(struct consumer *consumer, struct ring_stream *stream)
{
    uint32_t left = RING_CHUNKS + 2;

    while (!consumer->broken && left > 0 && !termination_cuts() && read_chunk(consumer, stream))
        left -= atomic_load(&consumer->collector->finishing);
    if (left == 0)
        give_up(consumer, "chunks behind its end", RING_CHUNKS + 2, RING_CHUNKS + 1);
}

/* What this side wrote is as it was. */
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
    void *ring = consumer->collector->ring;
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
    uint32_t bell = atomic_load(&stream->bell);
    atomic_store(&stream->consumer_sleeps, 1);
    bool over = atomic_load(&stream->state) == RING_STREAM_CLOSED || termination_cuts() ||
                atomic_load(&consumer->collector->finishing);
    uint32_t produced = atomic_load(&stream->produced);
    if (!over && produced == consumer->consumed) {
        ring_wait(&stream->bell, bell, PATIENCE_NS);
        over = bell == atomic_load(&stream->bell) &&
               (producer_is_dead(consumer) || !header_is_whole(consumer->collector) ||
                !stream_is_whole(consumer, stream));
    }
    atomic_store(&stream->consumer_sleeps, 0);
    return over || consumer->broken;
}

static enum armpmu_end how_it_ended(const struct consumer *consumer,
                                    const struct ring_stream *stream)
{
    const struct collector *collector = consumer->collector;
    bool faulted = atomic_load(&collector->finishing) && collector->first_faulted &&
                   consumer->pid == collector->first_pid &&
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
static void release_chunks(struct collector *collector, uint32_t index)
{
    (void)madvise(ring_chunk(collector->ring, index, 0), RING_STREAM_CHUNK_BYTES, MADV_REMOVE);
}

static void leave(struct collector *collector)
{
    pthread_mutex_lock(&collector->lock);
    if (--collector->n_running == 0)
        pthread_cond_signal(&collector->idle);
    pthread_mutex_unlock(&collector->lock);
}

static void end(struct consumer *consumer, const struct ring_stream *stream)
{
    struct collector *collector = consumer->collector;
    const bool replaced = !consumer->broken && was_replaced(collector->ring, consumer->last);
    const uint64_t lost = armpmu_record(ARMPMU_RECORD_GAP, 0);

    if (replaced)
        pass_on(consumer, &lost, 1);
    collector->sink.end(consumer->sink, how_it_ended(consumer, stream), replaced);
}

static void *consume(void *user)
{
    struct consumer *consumer = user;
    struct collector *collector = consumer->collector;
    struct ring_stream *stream = ring_stream(collector->ring, consumer->index);
    consumer->producer = (int)syscall(SYS_pidfd_open, consumer->pid, 0);
    consumer->sink =
        collector->sink.open(collector->sink.user, consumer->process, consumer->thread);
    if (consumer->sink == NULL)
        note_failure(collector, "no memory for the core model of another thread");
    do
        read_chunks(consumer, stream);
    while (!wait_for_words(consumer, stream));
    read_chunks(consumer, stream);
    read_tail(consumer, stream);
    if (consumer->sink != NULL)
        end(consumer, stream);
    if (consumer->producer >= 0)
        close(consumer->producer);
    atomic_store(&collector->reached[consumer->index], SEGMENTS_FINISHED);
    free_segments(collector);
    release_chunks(collector, consumer->index);
    free(consumer);
    leave(collector);
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

/* Who the stream is of. False when nobody can be. */
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
    struct collector *collector = consumer->collector;

    pthread_mutex_lock(&collector->lock);
    collector->n_running++;
    pthread_mutex_unlock(&collector->lock);
    if (start_thread(consume, consumer))
        return;
    free(consumer);
    leave(collector);
    note_failure(collector, "the system refused a thread to read another thread's stream: "
                            "raise the limit (ulimit -u)");
}

static void start_consumer(struct collector *collector, uint32_t index)
{
    struct consumer *consumer = malloc(sizeof *consumer);
    if (consumer == NULL) {
        note_failure(collector, "no memory to read another thread's stream");
        return;
    }
    memset(consumer, 0, offsetof(struct consumer, piece));
    consumer->collector = collector;
    consumer->index = index;
    if (identify(consumer, ring_stream(collector->ring, index))) {
        start_thread_of(consumer);
        return;
    }
    note_damage(collector, "stream %u is of thread %u.%u, process %d, slot %u", index,
                consumer->process, consumer->thread, consumer->pid, consumer->slot);
    free(consumer);
}

/* Starts a consumer for every stream that its producer has filled in. */
static void start_consumers(struct collector *collector)
{
    const uint32_t announced = atomic_load(&collector->header->n_streams) & ~RING_STREAMS_CLOSED;
    const uint32_t n_streams = announced < RING_STREAMS_MAX ? announced : RING_STREAMS_MAX;

    if (n_streams < collector->n_streams)
        note_damage(collector, "there are %u streams, and were %u", n_streams,
                    collector->n_streams);
    else
        collector->n_streams = n_streams;
    for (uint32_t i = collector->n_settled; i < collector->n_streams; i++) {
        uint32_t state =
            atomic_load_explicit(&ring_stream(collector->ring, i)->state, memory_order_acquire);
        if (!collector->started[i] && state != 0) {
            collector->started[i] = true;
            start_consumer(collector, i);
        }
        if (collector->started[i] && i == collector->n_settled)
            collector->n_settled = i + 1;
    }
}

/* Once the plugin is ready it has its view, and waits until nobody can open the file any more. */
static void close_descriptor(struct collector *collector)
{
    const int fd = atomic_exchange(&collector->fd, -1);

    if (fd < 0)
        return;
    close(fd);
    atomic_store(&collector->header->closed, 1);
    ring_wake(&collector->header->closed);
}

#define MB(bytes) ((unsigned long long)(bytes) >> 20)

/* Ends the program before the kernel kills it, or armpmu with what it has counted. */
static void end_for_memory(struct collector *collector, const struct memory_limits *memory)
{
    char message[sizeof collector->failure];

    snprintf(message, sizeof message,
             "%s has %llu MiB of memory left of %llu MiB; armpmu stops before the system kills it: "
             "raise the limit, or set ARMPMU_CODE_MEMORY to fewer bytes if it is the program's "
             "code that takes them",
             memory->where, MB(memory->available), MB(memory->of));
    note_failure(collector, message);
    termination_cut();
    kill_program(collector);
}

static uint64_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Looks at the memory that is left when it is time to, and returns when that is next. */
static uint64_t watch_memory(struct collector *collector, uint64_t due)
{
    struct memory_limits memory;

    if (now() < due)
        return due;
    const uint64_t wait = memory_watch("", &memory);
    if (wait == 0)
        end_for_memory(collector, &memory);
    return wait == 0 ? UINT64_MAX : now() + wait;
}

static long time_until(uint64_t due)
{
    const uint64_t time = now();

    if (due <= time)
        return PATIENCE_NS / 2;
    return due - time < PATIENCE_NS ? (long)(due - time) : PATIENCE_NS;
}

static void *supervise(void *user)
{
    struct collector *collector = user;
    struct ring_header *header = collector->header;
    uint64_t look = 0;

    for (;;) {
        const uint32_t bell = atomic_load(&header->bell);
        const bool last_round = atomic_load(&collector->finishing);
        start_consumers(collector);
        if (last_round)
            return NULL;
        if (atomic_load(&header->plugin) == RING_PLUGIN_READY) {
            close_descriptor(collector);
            look = watch_memory(collector, look);
        }
        ring_wait(&header->bell, bell, time_until(look));
    }
}

/* Lets the kernel tell the guest that armpmu has died, also by SIGKILL. Only the futex lies in the
 * shared memory; the list that the kernel follows does not. */
static void own_ring(struct collector *collector)
{
    struct robust_list_head *const list = &collector->owned;
    size_t bytes;

    if (syscall(SYS_get_robust_list, 0, &collector->others, &bytes) != 0)
        return;
    list->list.next = &collector->owner;
    collector->owner.next = &list->list;
    list->futex_offset =
        (long)((uintptr_t)&collector->header->owner - (uintptr_t)&collector->owner);
    if (syscall(SYS_set_robust_list, list, sizeof *list) == 0)
        collector->owner_id = (uint32_t)gettid();
    atomic_store(&collector->header->owner, collector->owner_id);
}

static void disown_ring(const struct collector *collector)
{
    if (collector->others != NULL)
        syscall(SYS_set_robust_list, collector->others, sizeof *collector->others);
}

static enum armpmu_status make_ring(struct collector *collector, struct armpmu_error *err)
{
    const int fd = memfd_create("armpmu", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    collector->fd = fd;
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
    collector->ring =
        mmap(NULL, RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (collector->ring == MAP_FAILED) {
        collector->ring = NULL;
        return fail(err, ARMPMU_NO_MEMORY,
                    "cannot map %llu bytes: %s; raise the address space limit "
                    "(ulimit -v unlimited)",
                    (unsigned long long)RING_BYTES, strerror(errno));
    }
    ring_guard_start(collector->ring, RING_BYTES);
    collector->header = collector->ring;
    collector->header->magic = RING_MAGIC;
    collector->header->bytes = RING_BYTES;
    collector->header->consumer = getpid();
    own_ring(collector);
    return ARMPMU_OK;
}

enum armpmu_status collector_new(const struct collector_sink *sink, bool keep_running,
                                 struct collector **out, struct armpmu_error *err)
{
    *out = NULL;
    struct collector *collector = calloc(1, sizeof *collector);
    if (collector == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "no memory for the engine");
    collector->sink = *sink;
    collector->fd = -1;
    collector->program = -1;
    pthread_mutex_init(&collector->lock, NULL);
    pthread_cond_init(&collector->idle, NULL);
    collector->started = calloc(RING_STREAMS_MAX, sizeof *collector->started);
    collector->reached = calloc(RING_STREAMS_MAX, sizeof *collector->reached);
    enum armpmu_status status = collector->started != NULL && collector->reached != NULL
                                    ? make_ring(collector, err)
                                    : fail(err, ARMPMU_NO_MEMORY, "no memory for the engine");
    if (status == ARMPMU_OK) {
        collector->header->keeps_running = keep_running;
        /* Signals are the main thread's business, but for the one that a read may cause. */
        sigset_t all, before;
        sigfillset(&all);
        sigdelset(&all, SIGBUS);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        collector->supervised =
            pthread_create(&collector->supervisor, NULL, supervise, collector) == 0;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        if (!collector->supervised)
            status = fail(err, ARMPMU_NO_MEMORY,
                          "the system refused a thread: raise the limit "
                          "(ulimit -u)");
    }
    if (status != ARMPMU_OK) {
        collector_free(collector);
        return status;
    }
    *out = collector;
    return ARMPMU_OK;
}

int collector_descriptor(const struct collector *collector)
{
    return collector->fd;
}

void collector_program(struct collector *collector, int32_t pid)
{
    pthread_mutex_lock(&collector->lock);
    collector->program = (int)syscall(SYS_pidfd_open, pid, 0);
    pthread_mutex_unlock(&collector->lock);
}

void *collector_ring(struct collector *collector)
{
    return collector->ring;
}

static bool signal_is_synchronous(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGTRAP ||
           number == SIGFPE;
}

/* What the plugin says, up to a character that no message of its has. */
static void note_failure_of_plugin(struct collector *collector)
{
    char message[sizeof collector->header->message];
    size_t n = 0;

    memcpy(message, collector->header->message, sizeof message);
    while (n < sizeof message - 1 && isprint((unsigned char)message[n]))
        n++;
    message[n] = '\0';
    note_failure(collector, n > 0 ? message : "the recorder stopped");
}

static void note_how_it_ended(struct collector *collector, int32_t pid, int wait_status)
{
    collector->first_pid = pid;
    collector->first_faulted =
        WIFSIGNALED(wait_status) && signal_is_synchronous(WTERMSIG(wait_status));
    if (header_is_whole(collector) && plugin_failed(collector))
        note_failure_of_plugin(collector);
}

static void wait_for_consumers(struct collector *collector)
{
    for (uint32_t i = 0; i < collector->n_streams; i++)
        ring_bell(ring_stream(collector->ring, i));
    pthread_mutex_lock(&collector->lock);
    while (collector->n_running != 0)
        pthread_cond_wait(&collector->idle, &collector->lock);
    pthread_mutex_unlock(&collector->lock);
    for (uint32_t i = 0; i < collector->n_streams; i++)
        ring_wake(&ring_stream(collector->ring, i)->consumed);
}

void collector_finish(struct collector *collector, int32_t pid, int wait_status)
{
    if (!collector->supervised)
        return;
    note_how_it_ended(collector, pid, wait_status);
    detach(collector, termination_cuts() ? RING_ENDS : RING_RUNS_ON);
    atomic_store(&collector->finishing, true);
    if ((atomic_fetch_or(&collector->header->n_streams, RING_STREAMS_CLOSED) &
         RING_STREAMS_CLOSED) != 0)
        note_damage(collector, "it takes no more streams");
    ring_announce(collector->header);
    pthread_join(collector->supervisor, NULL);
    collector->supervised = false;
    wait_for_consumers(collector);
}

const char *collector_failure(const struct collector *collector)
{
    return collector->failure;
}

bool collector_started(const struct collector *collector)
{
    return atomic_load(&collector->fd) < 0 || plugin_failed(collector);
}

unsigned collector_n_streams(const struct collector *collector)
{
    return collector->n_streams;
}

void collector_free(struct collector *collector)
{
    if (collector == NULL)
        return;
    collector_finish(collector, 0, 0);
    free((void *)collector->reached);
    free(collector->started);
    disown_ring(collector);
    if (collector->ring != NULL) {
        ring_guard_stop();
        munmap(collector->ring, RING_BYTES);
    }
    if (collector->fd >= 0)
        close(collector->fd);
    if (collector->program >= 0)
        close(collector->program);
    pthread_mutex_destroy(&collector->lock);
    pthread_cond_destroy(&collector->idle);
    free(collector);
}

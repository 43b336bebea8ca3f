#include "engine/qemu/collect.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "armpmu/stream.h"
#include "base/fail.h"
#include "engine/qemu/segments.h"
#include "engine/termination.h"

/* A consumer that has not been called for so long looks whether its producer still lives. */
#define PATIENCE_NS 200000000L

enum {
    ARM_SYSCALL_EXECVE = 11,
    ARM_SYSCALL_EXECVEAT = 387,
    AARCH64_SYSCALL_EXECVE = 221,
    AARCH64_SYSCALL_EXECVEAT = 281,
};

struct consumer {
    struct collector *collector;
    uint32_t index;
    int process;   /* pidfd of the producer, -1 if there is none to be had */
    void *sink;    /* what sink.open returned */
    uint64_t last; /* the last word read */
};

struct collector {
    struct collector_sink sink;
    int fd;
    struct robust_list_head owned, *others; /* of the first thread: ours, and the C library's */
    struct robust_list owner;
    char path[64];
    void *ring;
    struct ring_header *header;
    pthread_t supervisor;
    bool supervised;
    bool *started;             /* by stream index; the supervisor's until it is joined */
    _Atomic uint32_t *reached; /* by stream index: see segments.h */
    uint32_t n_streams;        /* streams seen so far                                  */
    uint32_t n_settled;        /* the first so many have all been started              */
    _Atomic bool finishing;
    int32_t first_pid; /* valid once finishing */
    bool first_faulted;
    pthread_mutex_t lock; /* the fields below */
    pthread_cond_t idle;  /* n_running fell to 0 */
    uint32_t n_running;
    uint32_t n_taken; /* of the header, when segments were last freed */
    char failure[256];
};

/* ---- one stream -------------------------------------------------------------------------------
 */

static void note_failure(struct collector *collector, const char *message)
{
    pthread_mutex_lock(&collector->lock);
    if (collector->failure[0] == '\0')
        snprintf(collector->failure, sizeof collector->failure, "%s", message);
    pthread_mutex_unlock(&collector->lock);
    atomic_store(&collector->header->detached, RING_RUNS_ON);
}

static void pass_on(struct consumer *consumer, const uint64_t *words, size_t n_words)
{
    if (n_words == 0 || consumer->sink == NULL)
        return;
    consumer->last = words[n_words - 1];
    if (!consumer->collector->sink.run(consumer->sink, words, n_words))
        note_failure(consumer->collector, "the core model stopped");
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

/* The words that come are about blocks of a generation. */
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

/* Reads the chunks that have been handed over, unless counting is cut short. */
static void read_chunks(struct consumer *consumer, struct ring_stream *stream)
{
    void *ring = consumer->collector->ring;
    uint32_t consumed = atomic_load_explicit(&stream->consumed, memory_order_relaxed);
    while (consumed != atomic_load_explicit(&stream->produced, memory_order_acquire)) {
        if (termination_cuts())
            return;
        enter_generation(consumer, stream->generation[consumed % RING_CHUNKS]);
        pass_on(consumer, ring_chunk(ring, consumer->index, consumed),
                stream->words[consumed % RING_CHUNKS]);
        atomic_store(&stream->consumed, ++consumed);
        uint32_t waiting = atomic_load(&stream->produced) - consumed;
        if (waiting <= RING_CHUNKS - RING_WAKE_CHUNKS && atomic_load(&stream->producer_sleeps))
            ring_wake(&stream->consumed);
    }
}

/* Reads the chunk that its producer will not hand over any more. A thread that ended by itself has
 * handed over everything and given up its slot. */
static void read_tail(struct consumer *consumer, const struct ring_stream *stream)
{
    void *ring = consumer->collector->ring;
    const struct ring_slot *slot = ring_slot(ring, stream->process, stream->slot);
    if (slot->stream != consumer->index + 1 || termination_cuts())
        return;
    uint32_t produced = atomic_load_explicit(&stream->produced, memory_order_acquire);
    uint64_t start = (uint64_t)(uintptr_t)slot->base +
                     (uint64_t)(produced % RING_CHUNKS) * RING_CHUNK_WORDS * sizeof(uint64_t);
    uint64_t bytes = (uint64_t)(uintptr_t)slot->cursor - start;
    enter_generation(consumer, slot->generation);
    if (bytes <= RING_CHUNK_WORDS * sizeof(uint64_t))
        pass_on(consumer, ring_chunk(ring, consumer->index, produced), bytes / sizeof(uint64_t));
}

static bool producer_is_dead(const struct consumer *consumer, const struct ring_stream *stream)
{
    if (consumer->process < 0)
        return kill(stream->pid, 0) != 0 && errno == ESRCH;
    struct pollfd poll_fd = {.fd = consumer->process, .events = POLLIN};
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
    if (!over && produced == atomic_load(&stream->consumed)) {
        ring_wait(&stream->bell, bell, PATIENCE_NS);
        over = bell == atomic_load(&stream->bell) && producer_is_dead(consumer, stream);
    }
    atomic_store(&stream->consumer_sleeps, 0);
    return over;
}

static enum armpmu_end how_it_ended(const struct consumer *consumer,
                                    const struct ring_stream *stream)
{
    const struct collector *collector = consumer->collector;
    bool faulted = atomic_load(&collector->finishing) && collector->first_faulted &&
                   stream->pid == collector->first_pid &&
                   atomic_load(&stream->state) != RING_STREAM_CLOSED &&
                   armpmu_word_kind(consumer->last) != ARMPMU_WORD_SYSCALL;
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
    return armpmu_word_kind(last) == ARMPMU_WORD_SYSCALL &&
           is_exec((uint32_t)last, header->is_a64 != 0);
}

/* Gives the memory of a finished stream's chunks back to the system. */
static void release_chunks(struct collector *collector, uint32_t index)
{
    (void)fallocate(collector->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                    (off_t)(RING_CHUNKS_AT + index * RING_STREAM_CHUNK_BYTES),
                    (off_t)RING_STREAM_CHUNK_BYTES);
}

static void leave(struct collector *collector)
{
    pthread_mutex_lock(&collector->lock);
    if (--collector->n_running == 0)
        pthread_cond_signal(&collector->idle);
    pthread_mutex_unlock(&collector->lock);
}

static void *consume(void *user)
{
    struct consumer *consumer = user;
    struct collector *collector = consumer->collector;
    struct ring_stream *stream = ring_stream(collector->ring, consumer->index);
    consumer->process = (int)syscall(SYS_pidfd_open, stream->pid, 0);
    consumer->sink = collector->sink.open(collector->sink.user, stream->process, stream->thread);
    if (consumer->sink == NULL)
        note_failure(collector, "no memory for the core model of another thread");
    do
        read_chunks(consumer, stream);
    while (!wait_for_words(consumer, stream));
    read_chunks(consumer, stream);
    read_tail(consumer, stream);
    if (consumer->sink != NULL) {
        bool replaced = was_replaced(collector->ring, consumer->last);
        const uint64_t lost = armpmu_word(ARMPMU_WORD_LOST, 0);
        if (replaced)
            pass_on(consumer, &lost, 1);
        collector->sink.end(consumer->sink, how_it_ended(consumer, stream), replaced);
    }
    if (consumer->process >= 0)
        close(consumer->process);
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

static void start_consumer(struct collector *collector, uint32_t index)
{
    struct consumer *consumer = calloc(1, sizeof *consumer);
    if (consumer == NULL) {
        note_failure(collector, "no memory to read another thread's stream");
        return;
    }
    consumer->collector = collector;
    consumer->index = index;
    pthread_mutex_lock(&collector->lock);
    collector->n_running++;
    pthread_mutex_unlock(&collector->lock);
    if (!start_thread(consume, consumer)) {
        free(consumer);
        leave(collector);
        note_failure(collector, "the system refused a thread to read another thread's stream: "
                                "raise the limit (ulimit -u)");
    }
}

/* Starts a consumer for every stream that its producer has filled in. Returns whether one is
 * still being filled in (or its producer died doing so). */
static bool start_consumers(struct collector *collector, uint32_t n_streams)
{
    bool incomplete = false;
    collector->n_streams = n_streams;
    for (uint32_t i = collector->n_settled; i < n_streams; i++) {
        uint32_t state =
            atomic_load_explicit(&ring_stream(collector->ring, i)->state, memory_order_acquire);
        if (!collector->started[i] && state != 0) {
            collector->started[i] = true;
            start_consumer(collector, i);
        }
        incomplete = incomplete || !collector->started[i];
        if (!incomplete)
            collector->n_settled = i + 1;
    }
    return incomplete;
}

static void *supervise(void *user)
{
    struct collector *collector = user;
    for (;;) {
        bool last_round = atomic_load(&collector->finishing);
        uint32_t announced = atomic_load(&collector->header->n_streams);
        uint32_t n = announced & ~RING_STREAMS_CLOSED;
        bool incomplete = start_consumers(collector, n < RING_STREAMS_MAX ? n : RING_STREAMS_MAX);
        if (last_round)
            return NULL;
        ring_wait(&collector->header->n_streams, announced, incomplete ? 1000000L : PATIENCE_NS);
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
    atomic_store(&collector->header->owner, (uint32_t)gettid());
    if (syscall(SYS_set_robust_list, list, sizeof *list) != 0)
        atomic_store(&collector->header->owner, 0);
}

static void disown_ring(const struct collector *collector)
{
    if (collector->others != NULL)
        syscall(SYS_set_robust_list, collector->others, sizeof *collector->others);
}

static enum armpmu_status make_ring(struct collector *collector, struct armpmu_error *err)
{
    collector->fd = memfd_create("armpmu", MFD_CLOEXEC);
    if (collector->fd < 0)
        return fail(err, ARMPMU_IO, "cannot make shared memory (memfd_create): %s",
                    strerror(errno));
    if (ftruncate(collector->fd, (off_t)RING_BYTES) != 0)
        return fail(err, ARMPMU_IO,
                    "cannot make shared memory of %llu bytes: %s; raise the file size limit "
                    "(ulimit -f unlimited)",
                    (unsigned long long)RING_BYTES, strerror(errno));
    collector->ring = mmap(NULL, RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                           collector->fd, 0);
    if (collector->ring == MAP_FAILED) {
        collector->ring = NULL;
        return fail(err, ARMPMU_NO_MEMORY,
                    "cannot map %llu bytes: %s; raise the address space limit "
                    "(ulimit -v unlimited)",
                    (unsigned long long)RING_BYTES, strerror(errno));
    }
    snprintf(collector->path, sizeof collector->path, "/proc/%ld/fd/%d", (long)getpid(),
             collector->fd);
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
    pthread_mutex_init(&collector->lock, NULL);
    pthread_cond_init(&collector->idle, NULL);
    collector->started = calloc(RING_STREAMS_MAX, sizeof *collector->started);
    collector->reached = calloc(RING_STREAMS_MAX, sizeof *collector->reached);
    enum armpmu_status status = collector->started != NULL && collector->reached != NULL
                                    ? make_ring(collector, err)
                                    : fail(err, ARMPMU_NO_MEMORY, "no memory for the engine");
    if (status == ARMPMU_OK) {
        collector->header->keeps_running = keep_running;
        /* Signals are the main thread's business. */
        sigset_t all, before;
        sigfillset(&all);
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

const char *collector_path(const struct collector *collector)
{
    return collector->path;
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

void collector_finish(struct collector *collector, int32_t pid, int wait_status)
{
    if (!collector->supervised)
        return;
    struct ring_header *header = collector->header;
    collector->first_pid = pid;
    collector->first_faulted =
        WIFSIGNALED(wait_status) && signal_is_synchronous(WTERMSIG(wait_status));
    if (atomic_load(&header->plugin) == RING_PLUGIN_FAILED)
        note_failure(collector, header->message);
    atomic_store(&header->detached, termination_cuts() ? RING_ENDS : RING_RUNS_ON);
    ring_wake(&header->owner);
    atomic_store(&collector->finishing, true);
    atomic_fetch_or(&header->n_streams, RING_STREAMS_CLOSED);
    ring_wake(&header->n_streams);
    pthread_join(collector->supervisor, NULL);
    collector->supervised = false;
    for (uint32_t i = 0; i < collector->n_streams; i++)
        ring_bell(ring_stream(collector->ring, i));
    pthread_mutex_lock(&collector->lock);
    while (collector->n_running != 0)
        pthread_cond_wait(&collector->idle, &collector->lock);
    pthread_mutex_unlock(&collector->lock);
    for (uint32_t i = 0; i < collector->n_streams; i++)
        ring_wake(&ring_stream(collector->ring, i)->consumed);
}

const char *collector_failure(const struct collector *collector)
{
    return collector->failure;
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
    if (collector->ring != NULL)
        munmap(collector->ring, RING_BYTES);
    if (collector->fd >= 0)
        close(collector->fd);
    pthread_mutex_destroy(&collector->lock);
    pthread_cond_destroy(&collector->idle);
    free(collector);
}

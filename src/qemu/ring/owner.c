/* The shared memory with the recorders, from its making to its end, and what is wrong with it. */
#include "qemu/ring/ring_internal.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "base/error.h"
#include "base/termination.h"
#include "qemu/ring/guard.h"

static void detach(struct ring_consumer *consumers, enum ring_detached how)
{
    atomic_store(&consumers->detached, true);
    atomic_store(&consumers->header->detached, how);
    ring_wake(&consumers->header->owner);
}

void ring_consumer_fail(struct ring_consumer *consumers, const char *message)
{
    pthread_mutex_lock(&consumers->lock);
    if (consumers->failure[0] == '\0')
        snprintf(consumers->failure, sizeof consumers->failure, "%s", message);
    pthread_mutex_unlock(&consumers->lock);
    detach(consumers, RING_RUNS_ON);
}

/* ---- damage -----------------------------------------------------------------------------------
 */

void ring_consumer_kill_program(struct ring_consumer *consumers)
{
    detach(consumers, RING_ENDS);
    pthread_mutex_lock(&consumers->lock);
    if (consumers->program >= 0)
        syscall(SYS_pidfd_send_signal, consumers->program, SIGKILL, NULL, 0);
    pthread_mutex_unlock(&consumers->lock);
}

void ring_consumer_damaged(struct ring_consumer *consumers, const char *format, ...)
{
    char what[160], message[256];
    va_list args;

    atomic_store(&consumers->damaged, true);
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    snprintf(message, sizeof message, "the program wrote into armpmu's recording: %s", what);
    ring_consumer_fail(
        consumers,
        ring_guard_lost()
            ? "armpmu's recording cannot be read any more (SIGBUS): the system has no memory "
              "for it"
            : message);
    ring_consumer_kill_program(consumers);
}

bool ring_consumer_is_whole(struct ring_consumer *consumers)
{
    const struct ring_header *header = consumers->header;

    if (ring_guard_lost())
        ring_consumer_damaged(consumers, "its file is shorter");
    else if (header->magic != RING_MAGIC || header->bytes != RING_BYTES ||
             (atomic_load(&header->owner) & FUTEX_TID_MASK) != consumers->owner_id)
        ring_consumer_damaged(consumers, "its header is another");
    else if (atomic_load(&header->detached) != 0 && !atomic_load(&consumers->detached) &&
             !plugin_failed(consumers))
        ring_consumer_damaged(consumers, "it was stopped");
    else
        return true;
    return false;
}

/* ---- from its making to its end -------------------------------------------------------------- */

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
        return fail_no_memory(err, "the engine");
    consumers->sink = *sink;
    consumers->fd = -1;
    consumers->program = -1;
    atomic_store(&consumers->faulted_block, UINT32_MAX);
    pthread_mutex_init(&consumers->lock, NULL);
    pthread_cond_init(&consumers->idle, NULL);
    consumers->started = calloc(RING_STREAMS_MAX, sizeof *consumers->started);
    consumers->reached = calloc(RING_STREAMS_MAX, sizeof *consumers->reached);
    enum armpmu_status status = consumers->started != NULL && consumers->reached != NULL
                                    ? make_ring(consumers, err)
                                    : fail_no_memory(err, "the engine");
    if (status == ARMPMU_OK) {
        consumers->header->keeps_running = keep_running;
        /* Signals are the main thread's business, but for the one that a read may cause. */
        sigset_t all, before;
        sigfillset(&all);
        sigdelset(&all, SIGBUS);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        consumers->supervised =
            pthread_create(&consumers->supervisor, NULL, ring_consumer_supervise, consumers) == 0;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        if (!consumers->supervised)
            status = fail(err, ARMPMU_NO_MEMORY,
                          "the system refused a thread: no memory for it, or raise the limit "
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
    atomic_store(&consumers->first_pid, pid);
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
    ring_consumer_fail(consumers, n > 0 ? message : "the recorder stopped");
}

static void note_how_it_ended(struct ring_consumer *consumers, int32_t pid, int wait_status)
{
    atomic_store(&consumers->first_pid, pid);
    consumers->first_faulted =
        WIFSIGNALED(wait_status) && signal_is_synchronous(WTERMSIG(wait_status));
    if (ring_consumer_is_whole(consumers) && plugin_failed(consumers))
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
        ring_consumer_damaged(consumers, "it takes no more streams");
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

uint32_t ring_consumer_faulted_block(const struct ring_consumer *consumers)
{
    return atomic_load(&consumers->faulted_block);
}

uint64_t ring_consumer_fault_record(const struct ring_consumer *consumers)
{
    return consumers->fault_record;
}

bool ring_consumer_ended_itself(const struct ring_consumer *consumers)
{
    return consumers->first_faulted || atomic_load(&consumers->first_signalled);
}

bool ring_consumer_is_damaged(const struct ring_consumer *consumers)
{
    return atomic_load(&consumers->damaged);
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

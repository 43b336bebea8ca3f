/* The memory shared with the recorders: creation, removal, and detection of invalid contents. */
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

/* ---- a page that cannot be read ---------------------------------------------------------------
 *
 * A page of the ring that can no longer be read (SIGBUS: its file was truncated, or the system has
 * no memory for it) reads as zeros from then on, and armpmu goes to its report. One ring at a time.
 * Threads that read it must not block SIGBUS. */

static struct {
    uintptr_t start, page;
    size_t bytes; /* 0: no region */
    _Atomic bool lost;
    struct sigaction before;
} guard;

/* Puts an empty page where the bad one is; the access is then made again. */
static bool replace_page(uintptr_t address)
{
    if (address - guard.start >= guard.bytes)
        return false;
    void *const page = (void *)(address & ~(guard.page - 1));
    return mmap(page, guard.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
                -1, 0) == page;
}

static void on_bus_error(int number, siginfo_t *info, void *context)
{
    const int saved = errno;

    (void)context;
    if (replace_page((uintptr_t)info->si_addr))
        atomic_store(&guard.lost, true);
    else
        sigaction(number, &guard.before, NULL); /* the access is made again and ends there */
    errno = saved;
}

static void guard_start(void *region, size_t bytes)
{
    struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};

    guard.start = (uintptr_t)region;
    guard.page = (uintptr_t)sysconf(_SC_PAGESIZE);
    guard.bytes = bytes;
    atomic_store(&guard.lost, false);
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &guard.before);
}

static bool guard_lost(void)
{
    return atomic_load_explicit(&guard.lost, memory_order_relaxed);
}

static void guard_stop(void)
{
    if (guard.bytes == 0)
        return;
    sigaction(SIGBUS, &guard.before, NULL);
    guard.bytes = 0;
}

/* ---- failures ---------------------------------------------------------------------------------
 */

static void detach(struct ring *ring, enum ring_detached how)
{
    atomic_store(&ring->detached, true);
    atomic_store(&ring->header->detached, how);
    ring_wake(&ring->header->owner);
}

static void keep_failure(struct ring *ring, const char *message, bool is_damaged)
{
    struct ring_outcome *const outcome = &ring->outcome;

    pthread_mutex_lock(&ring->lock);
    outcome->is_damaged = outcome->is_damaged || is_damaged;
    if (outcome->failure[0] == '\0')
        snprintf(outcome->failure, sizeof outcome->failure, "%s", message);
    pthread_mutex_unlock(&ring->lock);
    detach(ring, RING_RUNS_ON);
}

void ring_fail(struct ring *ring, const char *message)
{
    keep_failure(ring, message, false);
}

void ring_kill_program(struct ring *ring)
{
    detach(ring, RING_ENDS);
    pthread_mutex_lock(&ring->lock);
    if (ring->program >= 0)
        syscall(SYS_pidfd_send_signal, ring->program, SIGKILL, NULL, 0);
    pthread_mutex_unlock(&ring->lock);
}

void ring_damaged(struct ring *ring, const char *format, ...)
{
    char what[160], message[256];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    snprintf(message, sizeof message, "the program wrote into armpmu's recording: %s", what);
    keep_failure(ring,
                 guard_lost()
                     ? "armpmu's recording cannot be read any more (SIGBUS): the system has "
                       "no memory for it"
                     : message,
                 true);
    ring_kill_program(ring);
}

bool ring_is_whole(struct ring *ring)
{
    const struct ring_header *header = ring->header;

    if (guard_lost())
        ring_damaged(ring, "its file is shorter");
    else if (header->magic != RING_MAGIC || header->bytes != RING_BYTES ||
             (atomic_load(&header->owner) & FUTEX_TID_MASK) != ring->owner_id)
        ring_damaged(ring, "its header is another");
    else if (atomic_load(&header->detached) != 0 && !atomic_load(&ring->detached) &&
             !plugin_failed(ring))
        ring_damaged(ring, "it was stopped");
    else
        return true;
    return false;
}

/* ---- from its making to its end -------------------------------------------------------------- */

/* Lets the kernel tell the guest that armpmu has died, also by SIGKILL. Only the futex lies in the
 * shared memory; the list that the kernel follows does not. */
static void own_ring(struct ring *ring)
{
    struct robust_list_head *const list = &ring->owned;
    size_t bytes;

    if (syscall(SYS_get_robust_list, 0, &ring->others, &bytes) != 0)
        return;
    list->list.next = &ring->owner;
    ring->owner.next = &list->list;
    list->futex_offset = (long)((uintptr_t)&ring->header->owner - (uintptr_t)&ring->owner);
    if (syscall(SYS_set_robust_list, list, sizeof *list) == 0)
        ring->owner_id = (uint32_t)gettid();
    atomic_store(&ring->header->owner, ring->owner_id);
}

static void disown_ring(const struct ring *ring)
{
    if (ring->others != NULL)
        syscall(SYS_set_robust_list, ring->others, sizeof *ring->others);
}

static enum armpmu_status make_ring(struct ring *ring, struct armpmu_error *err)
{
    const int fd = memfd_create("armpmu", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    ring->fd = fd;
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
    ring->memory =
        mmap(NULL, RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (ring->memory == MAP_FAILED) {
        ring->memory = NULL;
        return fail(err, ARMPMU_NO_MEMORY,
                    "cannot map %llu bytes: %s; raise the address space limit "
                    "(ulimit -v unlimited)",
                    (unsigned long long)RING_BYTES, strerror(errno));
    }
    guard_start(ring->memory, RING_BYTES);
    ring->header = ring->memory;
    ring->header->magic = RING_MAGIC;
    ring->header->bytes = RING_BYTES;
    ring->header->consumer = getpid();
    own_ring(ring);
    return ARMPMU_OK;
}

enum armpmu_status ring_new(const struct ring_sink *sink, bool keep_running, struct ring **out,
                            struct armpmu_error *err)
{
    *out = NULL;
    struct ring *ring = calloc(1, sizeof *ring);
    if (ring == NULL)
        return fail_no_memory(err, "the engine");
    ring->sink = *sink;
    ring->fd = -1;
    ring->program = -1;
    ring->outcome.faulted_block = UINT32_MAX;
    pthread_mutex_init(&ring->lock, NULL);
    pthread_cond_init(&ring->idle, NULL);
    ring->started = calloc(RING_TRACES_MAX, sizeof *ring->started);
    ring->reached = calloc(RING_TRACES_MAX, sizeof *ring->reached);
    enum armpmu_status status = ring->started != NULL && ring->reached != NULL
                                    ? make_ring(ring, err)
                                    : fail_no_memory(err, "the engine");
    if (status == ARMPMU_OK) {
        ring->header->keeps_running = keep_running;
        /* Signals are the main thread's business, but for the one that a read may cause. */
        sigset_t all, before;
        sigfillset(&all);
        sigdelset(&all, SIGBUS);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        ring->is_watched = pthread_create(&ring->watchdog, NULL, ring_watch, ring) == 0;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        if (!ring->is_watched)
            status = fail(err, ARMPMU_NO_MEMORY,
                          "the system refused a thread: no memory for it, or raise the limit "
                          "(ulimit -u)");
    }
    if (status != ARMPMU_OK) {
        ring_free(ring);
        return status;
    }
    *out = ring;
    return ARMPMU_OK;
}

int ring_descriptor(const struct ring *ring)
{
    return ring->fd;
}

void ring_set_program(struct ring *ring, int32_t pid)
{
    atomic_store(&ring->first_pid, pid);
    pthread_mutex_lock(&ring->lock);
    ring->program = (int)syscall(SYS_pidfd_open, pid, 0);
    pthread_mutex_unlock(&ring->lock);
}

void *ring_memory(struct ring *ring)
{
    return ring->memory;
}

static bool signal_is_synchronous(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGTRAP ||
           number == SIGFPE;
}

/* Keeps the plugin's message, up to a character that no message of its has. */
static void note_failure_of_plugin(struct ring *ring)
{
    char message[sizeof ring->header->message];
    size_t n = 0;

    memcpy(message, ring->header->message, sizeof message);
    while (n < sizeof message - 1 && isprint((unsigned char)message[n]))
        n++;
    message[n] = '\0';
    ring_fail(ring, n > 0 ? message : "the recorder stopped");
}

static void note_how_it_ended(struct ring *ring, int32_t pid, int wait_status)
{
    atomic_store(&ring->first_pid, pid);
    ring->first_faulted = ring->outcome.ended_itself =
        WIFSIGNALED(wait_status) && signal_is_synchronous(WTERMSIG(wait_status));
    if (ring_is_whole(ring) && plugin_failed(ring))
        note_failure_of_plugin(ring);
}

static void wait_for_channels(struct ring *ring)
{
    for (uint32_t i = 0; i < ring->outcome.n_traces; i++)
        ring_doorbell(ring_trace(ring->memory, i));
    pthread_mutex_lock(&ring->lock);
    while (ring->n_running != 0)
        pthread_cond_wait(&ring->idle, &ring->lock);
    pthread_mutex_unlock(&ring->lock);
    for (uint32_t i = 0; i < ring->outcome.n_traces; i++)
        ring_wake(&ring_trace(ring->memory, i)->consumed);
}

const struct ring_outcome *ring_finish(struct ring *ring, int32_t pid, int wait_status)
{
    if (!ring->is_watched)
        return &ring->outcome;
    note_how_it_ended(ring, pid, wait_status);
    detach(ring, termination_cuts() ? RING_ENDS : RING_RUNS_ON);
    atomic_store(&ring->finishing, true);
    if ((atomic_fetch_or(&ring->header->n_traces, RING_TRACES_CLOSED) & RING_TRACES_CLOSED) != 0)
        ring_damaged(ring, "it takes no more traces");
    ring_announce(ring->header);
    pthread_join(ring->watchdog, NULL);
    ring->is_watched = false;
    wait_for_channels(ring);
    ring->outcome.has_started = atomic_load(&ring->fd) < 0 || plugin_failed(ring);
    return &ring->outcome;
}

void ring_free(struct ring *ring)
{
    if (ring == NULL)
        return;
    ring_finish(ring, 0, 0);
    free((void *)ring->reached);
    free(ring->started);
    disown_ring(ring);
    if (ring->memory != NULL) {
        guard_stop();
        munmap(ring->memory, RING_BYTES);
    }
    if (ring->fd >= 0)
        close(ring->fd);
    if (ring->program >= 0)
        close(ring->program);
    pthread_mutex_destroy(&ring->lock);
    pthread_cond_destroy(&ring->idle);
    free(ring);
}

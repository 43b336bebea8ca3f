/* Ends the guest when armpmu ends: a thread of each process waits for that. */
#include "qemu/plugin/recorder_internal.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "base/thread.h"
#include "qemu/ring/writer.h"

/* The stack of a thread that only waits; QEMU's thread-local variables are on it, too. */
#define WATCH_STACK_BYTES (256u << 10)

/* How often instructions that QEMU counts are shown. */
#define SHOW_NS 50000000L

bool recorder_owner_has_died(void)
{
    return (atomic_load(&recorder.header->owner) & FUTEX_OWNER_DIED) != 0;
}

/* No handler of the guest's may run. */
void recorder_end_with_armpmu(void)
{
    const uint32_t detached = atomic_load(&recorder.header->detached);

    if (detached == RING_RUNS_ON || recorder.header->keeps_running)
        return;
    ring_wake(&recorder.header->owner); /* the kernel has woken only one of the guest's processes */
    kill(getpid(), SIGKILL);
}

/* Where the magic number is not, something else was mapped. */
bool recorder_consumer_is_gone(void)
{
    const struct ring_header *const header = recorder.header;

    if (header->magic != RING_MAGIC ||
        atomic_load_explicit(&header->detached, memory_order_relaxed) != RING_ATTACHED)
        return true;
    if (header->owner != 0)
        return recorder_owner_has_died();
    return kill(header->consumer, 0) != 0 && errno == ESRCH;
}

/* Sleeps until the futex of armpmu changes, where there is one, or counts are to be shown. */
static void wait_for_armpmu(void)
{
    struct ring_header *const header = recorder.header;
    const long ns = recorder.only_insns ? SHOW_NS : ARMPMU_POLL_NS;
    uint32_t owner = atomic_load(&header->owner);

    if (owner == 0)
        ring_wait(&header->closed, 1, ns);
    else if ((owner & FUTEX_WAITERS) == 0)
        atomic_compare_exchange_strong(&header->owner, &owner, owner | FUTEX_WAITERS);
    else
        ring_wait(&header->owner, owner, ns);
}

static void tell_kept(void)
{
    atomic_store(&recorder.kept, 1);
    ring_wake(&recorder.kept);
}

/* A thread of its own: the guest may sleep in a system call for ever. It also has the ring's
 * descriptor. */
static void *watch_armpmu(void *unused)
{
    (void)unused;
    if (recorder.descriptor >= 0)
        ring_keep_descriptor(recorder.descriptor);
    tell_kept();
    while (!recorder_consumer_is_gone()) {
        if (recorder.only_insns)
            recorder_counts_show(false);
        wait_for_armpmu();
    }
    ring_forget_descriptor();
    recorder_end_with_armpmu();
    return NULL;
}

void recorder_hand_over_descriptor(bool taken)
{
    while (taken && atomic_load(&recorder.kept) == 0)
        ring_wait(&recorder.kept, 0, ARMPMU_POLL_NS);
    if (recorder.descriptor >= 0)
        close(recorder.descriptor);
    recorder.descriptor = -1;
}

/* Where the system refuses the thread, the guest ends when it has filled its ring. */
void recorder_start_watch(void)
{
    pthread_attr_t attributes;
    pthread_t thread;

    atomic_store(&recorder.kept, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, WATCH_STACK_BYTES);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    const bool started = thread_start(&thread, &attributes, watch_armpmu, NULL);
    pthread_attr_destroy(&attributes);
    recorder_hand_over_descriptor(started);
}

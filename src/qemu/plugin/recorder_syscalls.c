/* System calls: a record before each and one after it.
 *
 * Some change the process that the recorder is part of, and are seen to before QEMU executes them:
 * those that map something where the ring lies (ring_view.h) or change what is mapped where code
 * is from (code_files.h), and execve (exec_follow.h). */
#include "qemu/plugin/recorder_internal.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "armpmu/trace.h"
#include "qemu/plugin/code_files.h"
#include "qemu/plugin/exec_follow.h"
#include "qemu/plugin/recorder_callbacks.h"
#include "qemu/plugin/ring_keeper.h"
#include "qemu/plugin/ring_view.h"

/* A forked child comes back from a system call that its own trace knows nothing of: it has none
 * yet. */
static void put_if_open(unsigned vcpu, uint64_t word)
{
    struct ring_slot *slot = recorder_slot(vcpu);
    if (slot->cursor != NULL)
        recorder_put(slot, slot->cursor, word);
}

/* This thread goes on in another view of the ring, `by` bytes further. */
static void move_slot(struct ring_slot *slot, ptrdiff_t by)
{
    if (slot->cursor == NULL || slot->discards)
        return;
    slot->base = (uint64_t *)((char *)slot->base + by);
    if (slot->limit != NULL)
        slot->limit = (uint64_t *)((char *)slot->limit + by);
    slot->cursor = (uint64_t *)((char *)slot->cursor + by);
}

/* Threads that run at this moment cannot be moved: each stops recording at its next block. */
static bool stop_others(const struct ring_slot *own)
{
    bool any = false;

    for (struct ring_slot *slot = recorder_slots; slot < recorder_slots + RING_SLOTS; slot++) {
        if (slot == own || slot->cursor == NULL || slot->discards)
            continue;
        __atomic_store_n(&slot->limit, NULL, __ATOMIC_RELAXED);
        any = true;
    }
    return any;
}

/* The system call is about to change what is mapped where the ring lies. */
static void make_way(struct ring_slot *own, const struct ring_view_span *span)
{
    pthread_mutex_lock(&recorder.lock);
    char *const old = recorder.ring, *const view = ring_view_outside(old, span);
    if (view == NULL) {
        recorder_fail("the program mapped memory over armpmu's recording, which has no other "
                      "place");
        abort();
    }
    recorder.ring = view;
    recorder.header = recorder.ring;
    move_slot(own, view - old);
    if (stop_others(own))
        recorder_fail("the program mapped memory over armpmu's recording while it had several "
                      "threads");
    pthread_mutex_unlock(&recorder.lock);
}

/* The new QEMU counts on where this one would. */
static void execute(const uint64_t *arguments)
{
    const bool counts = recorder.counts_children || !recorder.is_child;
    const int ring = counts && !recorder_consumer_is_gone() ? ring_keeper_open() : -1;

    exec_follow(arguments, ring, recorder.process);
    if (ring >= 0)
        close(ring);
}

void recorder_syscall_starts(unsigned vcpu, int64_t number, const uint64_t *arguments)
{
    struct ring_view_span span;

    put_if_open(vcpu, armpmu_record(ARMPMU_RECORD_SYSCALL, 0) | (uint32_t)number);
    if (recorder.names_files)
        code_files_syscall(number, recorder.is_a64);
    if (recorder.is_a64 && ring_view_is_hit(recorder.ring, number, arguments, &span))
        make_way(recorder_slot(vcpu), &span);
    if (exec_follow_is_exec(number, recorder.is_a64))
        execute(arguments);
    recorder_thread_may_begin(vcpu, number, arguments);
}

void recorder_syscall_returns(unsigned vcpu, int64_t number, int64_t result)
{
    (void)number;
    recorder_thread_has_begun(vcpu, result);
    put_if_open(vcpu, armpmu_record(ARMPMU_RECORD_SYSRET, 0));
}

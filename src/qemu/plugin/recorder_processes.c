/* Numbers processes and their threads, and resets the state of the child after a fork. */
#include "qemu/plugin/recorder_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "qemu/plugin/exec_follow.h"
#include "qemu/plugin/recorder_callbacks.h"
#include "qemu/ring/writer.h"

/* Runs before the thread's first block: in the thread itself, up to QEMU 8 in the one that creates
 * it. */
void recorder_thread_created(unsigned vcpu)
{
    if (vcpu >= RING_SLOTS) {
        recorder_fail("the program has more than 2048 threads at a time");
        return;
    }
    pthread_mutex_lock(&recorder.lock);
    recorder.thread_number[vcpu] = ++recorder.n_threads;
    recorder.is_parallel |= vcpu != 0;
    const bool opens = recorder.only_insns && recorder.n_threads > 1;
    pthread_mutex_unlock(&recorder.lock);
    if (opens) /* else its first block does */
        recorder_counts_begin(vcpu);
}

/* QEMU makes a process of what vfork begins, and knows no clone3. */
static bool creates_thread(int64_t number, const uint64_t *arguments)
{
    enum { ARM_CLONE = 120, AARCH64_CLONE = 220 };

    return number == (recorder.is_a64 ? AARCH64_CLONE : ARM_CLONE) &&
           (arguments[0] & (CLONE_VM | CLONE_VFORK)) == CLONE_VM;
}

/* QEMU throws away what it has translated before a second thread runs, but may translate again
 * before that thread says that it is there. */
void recorder_thread_may_begin(unsigned vcpu, int64_t number, const uint64_t *arguments)
{
    const bool creates = creates_thread(number, arguments);

    recorder.creates[vcpu % RING_SLOTS] = creates;
    if (!creates)
        return;
    pthread_mutex_lock(&recorder.lock);
    recorder.is_parallel = true;
    pthread_mutex_unlock(&recorder.lock);
}

void recorder_thread_begins(void)
{
    atomic_fetch_add(&recorder.n_begun, 1);
    ring_wake(&recorder.n_begun);
}

/* The next thread must not be numbered before this one. */
void recorder_thread_has_begun(unsigned vcpu, int64_t result)
{
    if (!recorder.creates[vcpu % RING_SLOTS] || result <= 0)
        return;
    const uint32_t n_created = atomic_fetch_add(&recorder.n_created, 1) + 1;
    uint32_t n_begun;
    while (n_begun = atomic_load(&recorder.n_begun),
           n_begun < 1 + n_created && !recorder_consumer_is_gone())
        ring_wait(&recorder.n_begun, n_begun, ARMPMU_POLL_NS);
}

uint32_t recorder_thread_number(unsigned vcpu)
{
    if (recorder.only_thread_unnamed) {
        recorder.only_thread_unnamed = false;
        return 1;
    }
    uint32_t number = recorder.thread_number[vcpu % RING_SLOTS];
    return number != 0 ? number : 1; /* the first vCPU may exist before the plugin is loaded */
}

bool recorder_map_slots(uint32_t process)
{
    return process <= RING_PROCESSES_MAX && ring_map_again(recorder.ring, ring_slots_at(process),
                                                           sizeof recorder_slots, recorder_slots);
}

static void before_fork(void)
{
    pthread_mutex_lock(&recorder.lock);
    recorder.descriptor = ring_open_descriptor();
    recorder.next_process = atomic_fetch_add(&recorder.header->n_processes, 1) + 1;
    if (recorder.next_process > RING_PROCESSES_MAX)
        return;
    struct ring_process *child = ring_process(recorder.ring, recorder.next_process);
    child->parent_generation = recorder.generation;
    child->parent = recorder.process;
    memcpy(child->name, ring_process(recorder.ring, recorder.process)->name, sizeof child->name);
}

static void after_fork_in_parent(void)
{
    recorder_hand_over_descriptor(false);
    pthread_mutex_unlock(&recorder.lock);
}

static void after_fork_in_child(void)
{
    recorder.process = recorder.next_process;
    recorder.is_child = true;
    recorder.generation = 0;
    recorder.segment = SEGMENT_NONE;
    recorder.n_threads = 1;
    recorder.n_begun = recorder.n_created = 0;
    recorder.only_thread_unnamed = true;
    if (!recorder_map_slots(recorder.process)) {
        /* The parent's slots must go in any case. */
        if (mmap(recorder_slots, sizeof recorder_slots, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0) != recorder_slots)
            abort();
        recorder_fail("the program started more than 65536 processes");
    } else {
        atomic_store_explicit(&ring_process(recorder.ring, recorder.process)->pid, getpid(),
                              memory_order_release);
    }
    ring_forget_descriptor();
    recorder_counts_forked();
    pthread_mutex_unlock(&recorder.lock);
    recorder_start_watch();
}

void recorder_follow_forks(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void recorder_enter_process(void)
{
    struct ring_process *const process = ring_process(recorder.ring, recorder.process);

    atomic_store(&process->pid, getpid());
    if (recorder.replaces == 0) {
        atomic_store(&recorder.header->n_processes, 1);
        return;
    }
    process->replaces = recorder.replaces;
    snprintf(process->name, sizeof process->name, "%s", exec_follow_name());
}

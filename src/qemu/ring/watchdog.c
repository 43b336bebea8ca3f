/* Starts a channel for each trace, and ends the program while there is memory left to report. */
#include "qemu/ring/ring_internal.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory_limits.h"
#include "base/termination.h"

/* Starts a channel for every trace that its producer has filled in. */
static void start_channels(struct ring *ring)
{
    const uint32_t announced = atomic_load(&ring->header->n_traces) & ~RING_TRACES_CLOSED;
    const uint32_t n_traces = announced < RING_TRACES_MAX ? announced : RING_TRACES_MAX;

    if (n_traces < ring->outcome.n_traces)
        ring_damaged(ring, "there are %u traces, and were %u", n_traces, ring->outcome.n_traces);
    else
        ring->outcome.n_traces = n_traces;
    for (uint32_t i = ring->n_synced; i < ring->outcome.n_traces; i++) {
        uint32_t state =
            atomic_load_explicit(&ring_trace(ring->memory, i)->state, memory_order_acquire);
        if (!ring->started[i] && state != 0) {
            ring->started[i] = true;
            ring_start_channel(ring, i);
        }
        if (ring->started[i] && i == ring->n_synced)
            ring->n_synced = i + 1;
    }
}

/* Once the plugin is ready it has its view, and waits until no process can open the file any
 * more. */
static void close_descriptor(struct ring *ring)
{
    const int fd = atomic_exchange(&ring->fd, -1);

    if (fd < 0)
        return;
    close(fd);
    atomic_store(&ring->header->closed, 1);
    ring_wake(&ring->header->closed);
}

#define MB(bytes) ((unsigned long long)(bytes) >> 20)

/* Ends the program before the kernel kills it, or armpmu with what it has counted. */
static void end_for_memory(struct ring *ring, const struct memory_limits *memory)
{
    char message[sizeof ring->outcome.failure];

    snprintf(message, sizeof message,
             "%s has %llu MiB of memory left of %llu MiB; armpmu stops before the system kills it: "
             "raise the limit, or set ARMPMU_CODE_MEMORY to fewer bytes if it is the program's "
             "code that takes them",
             memory->where, MB(memory->available), MB(memory->of));
    ring_fail(ring, message);
    termination_cut();
    ring_kill_program(ring);
}

/* Looks at the memory that is left when it is time to, and returns when that is next. */
static uint64_t watch_memory(struct ring *ring, uint64_t due)
{
    struct memory_limits memory;

    if (clock_now() < due)
        return due;
    const uint64_t wait = memory_watch("", &memory);
    if (wait == 0)
        end_for_memory(ring, &memory);
    return wait == 0 ? UINT64_MAX : clock_now() + wait;
}

static long time_until(uint64_t due)
{
    const uint64_t time = clock_now();

    if (due <= time)
        return PRODUCER_POLL_NS / 2;
    return due - time < PRODUCER_POLL_NS ? (long)(due - time) : PRODUCER_POLL_NS;
}

void *ring_watch(void *user)
{
    struct ring *ring = user;
    struct ring_header *header = ring->header;
    uint64_t look = 0;

    for (;;) {
        const uint32_t doorbell = atomic_load(&header->doorbell);
        const bool last_round = atomic_load(&ring->finishing);
        start_channels(ring);
        if (last_round)
            return NULL;
        if (atomic_load(&header->plugin) == RING_PLUGIN_READY) {
            close_descriptor(ring);
            look = watch_memory(ring, look);
        }
        ring_wait(&header->doorbell, doorbell, time_until(look));
    }
}

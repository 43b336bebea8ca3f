/* Starts a consumer for each stream, and ends the program while there is memory left to report. */
#include "qemu/ring/ring_internal.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory_limits.h"
#include "base/termination.h"

/* Starts a consumer for every stream that its producer has filled in. */
static void start_consumers(struct ring_consumer *consumers)
{
    const uint32_t announced = atomic_load(&consumers->header->n_streams) & ~RING_STREAMS_CLOSED;
    const uint32_t n_streams = announced < RING_STREAMS_MAX ? announced : RING_STREAMS_MAX;

    if (n_streams < consumers->n_streams)
        ring_consumer_damaged(consumers, "there are %u streams, and were %u", n_streams,
                              consumers->n_streams);
    else
        consumers->n_streams = n_streams;
    for (uint32_t i = consumers->n_synced; i < consumers->n_streams; i++) {
        uint32_t state =
            atomic_load_explicit(&ring_stream(consumers->ring, i)->state, memory_order_acquire);
        if (!consumers->started[i] && state != 0) {
            consumers->started[i] = true;
            ring_consumer_start_stream(consumers, i);
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
    ring_consumer_fail(consumers, message);
    termination_cut();
    ring_consumer_kill_program(consumers);
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

void *ring_consumer_supervise(void *user)
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

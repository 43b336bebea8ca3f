/* The reading side of the shared memory: one thread for each trace, which passes the records on in
 * order.
 *
 * The program may have written whatever it likes into that memory, and may do so at any time. Each
 * number is read once, checked, and then used; records are copied before anybody looks at them. At
 * the first number that the recorder cannot have written, counting ends and the program is killed:
 * QEMU works with the same memory.
 *
 * Leaves out: records that could be right but are not. */
#ifndef QEMU_LAUNCHER_RING_CONSUMER_H
#define QEMU_LAUNCHER_RING_CONSUMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"
#include "qemu/ring/layout.h"

struct ring_consumer;

/* Where the records go. The calls for one trace come from one thread in order; those for different
 * traces at the same time. */
struct ring_consumer_sink {
    void *user;
    bool copies; /* run gets copies: the program can store to the shared memory at any time */
    /* A guest thread starts. Returns what the other calls get, NULL on failure. */
    void *(*open)(void *user, uint32_t process, uint32_t thread);
    /* Words that end at a block boundary, or at the end of the stream. Returns false on failure;
     * recording then stops and the guest runs on. */
    bool (*run)(void *stream, const uint64_t *records, size_t n_records);
    /* From here on block ids may name other blocks. NULL: nobody minds. */
    void (*rename)(void *stream);
    /* The thread ended; replaced: because its process executed another program. */
    void (*end)(void *stream, enum armpmu_end how, bool replaced);
    /* For a replay in which threads share a cache, by one thread of the host: a stream that was
     * just opened joins another one, as sim_share; how far one has come in cycles. */
    bool (*share)(void *stream, void *other, uint64_t start);
    uint64_t (*cycles)(void *stream);
    /* The traces of threads that share begin, for the first of a process, at the block after its
     * first call that starts another. */
    bool continues;
};

/* Makes the shared memory and starts to wait for streams. The calling thread must live as long as
 * armpmu: if it dies before ring_consumer_free the guest ends, or, with keep_running, goes on
 * unrecorded. *out is freed by ring_consumer_free.
 * Returns ARMPMU_OK, ARMPMU_NO_MEMORY, ARMPMU_IO. */
enum armpmu_status ring_consumer_new(const struct ring_consumer_sink *sink, bool keep_running,
                                     struct ring_consumer **out, struct armpmu_error *err);

/* The descriptor of the shared memory, for QEMU to inherit. It is closed on exec, and here as soon
 * as the plugin has mapped it. */
int ring_consumer_descriptor(const struct ring_consumer *consumers);

/* The program's first process, which nobody has waited for yet: it is killed if it writes into the
 * shared memory. */
void ring_consumer_program(struct ring_consumer *consumers, int32_t pid);

/* The shared memory, to look up blocks. */
void *ring_consumer_ring(struct ring_consumer *consumers);

/* The first process of the run has ended with this wait status: reads every stream to its end.
 * Other processes that still run are no longer recorded. */
void ring_consumer_finish(struct ring_consumer *consumers, int32_t pid, int wait_status);

/* After ring_consumer_finish: why recording stopped early ("" if it did not). */
const char *ring_consumer_failure(const struct ring_consumer *consumers);

/* Whether QEMU loaded the plugin. */
bool ring_consumer_started(const struct ring_consumer *consumers);

unsigned ring_consumer_n_streams(const struct ring_consumer *consumers);
/* Whether the failure is that the program wrote into the recording, or that it cannot be read. */
bool ring_consumer_is_damaged(const struct ring_consumer *consumers);

/* Whether the first process ended by a fault, or by a signal that it sent itself or let through. A
 * fault's signal that somebody else sends is taken for a fault. */
bool ring_consumer_ended_itself(const struct ring_consumer *consumers);

/* The number of the last block of the thread by whose fault the first process ended; UINT32_MAX:
 * none. */
uint32_t ring_consumer_faulted_block(const struct ring_consumer *consumers);
/* The last record of that thread. */
uint64_t ring_consumer_fault_record(const struct ring_consumer *consumers);

/* Finishes first if that has not happened. NULL is fine. */
void ring_consumer_free(struct ring_consumer *consumers);

#endif

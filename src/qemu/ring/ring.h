/* The ring in armpmu: it owns the shared memory, and reads each guest thread's trace in a thread of
 * its own, a channel, which passes the records on in order.
 *
 *   layout.h    the shared memory, as armpmu and the recorder know it
 *   owner.c     its life, from its making to its end, and what is wrong with it
 *   reader.c    the channels
 *   segments.h  definitions of blocks that no channel needs any more
 *   watchdog.c  the thread that starts channels and watches the memory that is left
 *   writer.h    the ring in a QEMU process
 *
 * The program may have written whatever it likes into that memory, and may do so at any time. Each
 * number is read once, checked, and then used; records are copied before anybody looks at them. At
 * the first number that the recorder cannot have written, counting ends and the program is killed:
 * QEMU works with the same memory.
 *
 * Leaves out: records that could be right but are not. */
#ifndef QEMU_RING_RING_H
#define QEMU_RING_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"
#include "qemu/ring/layout.h"

struct ring;

/* Where the records go. The calls for one trace come from one thread in order; those for different
 * traces at the same time. */
struct ring_sink {
    void *user;
    bool copies; /* run gets copies: the program can store to the shared memory at any time */
    /* A guest thread starts. Returns what the other calls get, NULL on failure. */
    void *(*open)(void *user, uint32_t process, uint32_t thread);
    /* Words that end at a block boundary, or at the end of the trace. Returns false on failure;
     * recording then stops and the guest runs on. */
    bool (*run)(void *trace, const uint64_t *records, size_t n_records);
    /* From here on block ids may name other blocks. NULL: no callback. */
    void (*rename)(void *trace);
    /* The thread ended; replaced: because its process executed another program. */
    void (*end)(void *trace, enum armpmu_end how, bool replaced);
    /* For a replay in which threads share a cache, by one thread of the host: a trace that was
     * just opened joins another one, as sim_share; how far one has come in cycles. */
    bool (*share)(void *trace, void *other, uint64_t start);
    /* For a replay in slices: the core model of a trace. */
    struct armpmu_sim *(*sim)(void *trace);
    uint64_t (*cycles)(void *trace);
    /* The traces of threads that share begin, for the first of a process, at the block after its
     * first call that starts another. */
    bool continues;
};

/* How recording ended. */
struct ring_outcome {
    char failure[480]; /* why it stopped early; "" if it did not */
    bool is_damaged;   /* since the program wrote into the recording, or it cannot be read */
    bool has_started;  /* QEMU loaded the plugin */
    unsigned n_traces;
    /* The first process ended by a fault, or by a signal that it sent itself or let through. A
     * fault's signal from another process is taken for a fault. */
    bool ended_itself;
    /* The last block and the last record of the thread by whose fault the first process ended;
     * UINT32_MAX: none. */
    uint32_t faulted_block;
    uint64_t fault_record;
};

/* Makes the shared memory and starts to wait for traces. The calling thread must live as long as
 * armpmu: if it dies before ring_free the guest ends, or, with keep_running, continues
 * unrecorded. *out is freed by ring_free. Returns ARMPMU_OK, ARMPMU_NO_MEMORY, ARMPMU_IO. */
enum armpmu_status ring_new(const struct ring_sink *sink, bool keep_running, struct ring **out,
                            struct armpmu_error *err);

/* The descriptor of the shared memory, for QEMU to inherit. It is closed on exec, and here as soon
 * as the plugin has mapped it: then -1. */
int ring_descriptor(const struct ring *ring);

/* The program's first process, which is not waited for yet: it is killed if it writes into the
 * shared memory. */
void ring_set_program(struct ring *ring, int32_t pid);

/* The shared memory, to look up blocks. */
void *ring_memory(struct ring *ring);

/* The first process of the run has ended with this wait status: reads every trace to its end.
 * Other processes that still run are no longer recorded. Returns what is valid until ring_free. */
const struct ring_outcome *ring_finish(struct ring *ring, int32_t pid, int wait_status);

/* Finishes first if that has not happened. NULL is fine. */
void ring_free(struct ring *ring);

#endif

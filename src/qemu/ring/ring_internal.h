/* The state that the files of the ring's consumer share.
 *
 *   ring_owner.c       the shared memory from its making to its end, and what is wrong with it
 *   ring_supervisor.c  the thread that starts consumers and watches the memory that is left
 *   stream_consumer.c  the threads that read a stream each */
#ifndef QEMU_LAUNCHER_RING_CONSUMER_STATE_H
#define QEMU_LAUNCHER_RING_CONSUMER_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "qemu/ring/ring.h"
#include "qemu/ring/layout.h"

/* A consumer that has not been called for so long looks whether its producer still lives. */
#define PRODUCER_POLL_NS 200000000L

struct ring_consumer {
    struct ring_consumer_sink sink;
    _Atomic int fd;
    struct robust_list_head owned, *others; /* of the first thread: ours, and the C library's */
    struct robust_list owner;
    uint32_t owner_id;
    void *ring;
    struct ring_header *header;
    pthread_t supervisor;
    bool supervised;
    bool *started;             /* by stream index; the supervisor's until it is joined */
    _Atomic uint32_t *reached; /* by stream index: see segments.h */
    uint32_t n_streams;        /* streams seen so far                                  */
    uint32_t n_synced;         /* the first so many have all been started              */
    _Atomic bool detached;     /* we have set it in the header */
    _Atomic bool damaged;
    _Atomic bool finishing;
    _Atomic int32_t first_pid;      /* 0 until the program has been started */
    bool first_faulted;             /* valid once finishing */
    _Atomic bool first_signalled;   /* its last deed could send itself a signal */
    _Atomic uint32_t faulted_block; /* as ring_consumer_faulted_block */
    uint64_t fault_record;          /* the last record then */
    pthread_mutex_t lock;           /* the fields below */
    pthread_cond_t idle;            /* n_running fell to 0 */
    uint32_t n_running;
    uint32_t n_taken; /* of the header, when segments were last freed */
    int program;      /* pidfd, -1: none */
    char failure[480];
};

static inline bool plugin_failed(const struct ring_consumer *consumers)
{
    return atomic_load(&consumers->header->plugin) == RING_PLUGIN_FAILED;
}

/* Nothing more is recorded; the first message is kept. */
void ring_consumer_fail(struct ring_consumer *consumers, const char *message);

/* The shared memory holds what the recorder did not write: the program ends. */
void ring_consumer_damaged(struct ring_consumer *consumers, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void ring_consumer_kill_program(struct ring_consumer *consumers);

/* Checks what is set once. Until the run finishes. */
bool ring_consumer_is_whole(struct ring_consumer *consumers);

/* Starts a thread that reads a stream. */
void ring_consumer_start_stream(struct ring_consumer *consumers, uint32_t index);

/* The supervisor's thread; user: the struct ring_consumer. */
void *ring_consumer_supervise(void *user);

#endif

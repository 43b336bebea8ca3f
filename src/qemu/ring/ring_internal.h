/* The state that owner.c, reader.c and watchdog.c share. */
#ifndef QEMU_RING_RING_INTERNAL_H
#define QEMU_RING_RING_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "qemu/ring/layout.h"
#include "qemu/ring/ring.h"

/* A channel that hears nothing for this long checks whether its producer still lives. */
#define PRODUCER_POLL_NS 200000000L

struct ring {
    struct ring_sink sink;
    _Atomic int fd;
    struct robust_list_head owned, *others; /* of the first thread: ours, and the C library's */
    struct robust_list owner;
    uint32_t owner_id;
    void *memory;
    struct ring_header *header;
    pthread_t watchdog;
    bool is_watched;
    bool *started;             /* by trace index; the watchdog's until it is joined */
    _Atomic uint32_t *reached; /* by trace index: see segments.h */
    uint32_t n_synced;         /* this many, from the first, have all been started              */
    _Atomic bool detached;     /* we have set it in the header */
    _Atomic bool finishing;
    _Atomic int32_t first_pid; /* 0 until the program has been started */
    bool first_faulted;        /* valid once finishing */
    pthread_mutex_t lock;      /* the fields below */
    pthread_cond_t idle;       /* n_running fell to 0 */
    uint32_t n_running;
    uint32_t n_taken; /* of the header, when segments were last freed */
    int program;      /* pidfd, -1: none */
    struct ring_outcome outcome;
};

static inline bool plugin_failed(const struct ring *ring)
{
    return atomic_load(&ring->header->plugin) == RING_PLUGIN_FAILED;
}

/* Nothing more is recorded; the first message is kept. */
void ring_fail(struct ring *ring, const char *message);

/* The shared memory holds what the recorder did not write: the program ends. */
void ring_damaged(struct ring *ring, const char *format, ...) __attribute__((format(printf, 2, 3)));

void ring_kill_program(struct ring *ring);

/* Checks what is set once. Until the run finishes. */
bool ring_is_whole(struct ring *ring);

/* Starts a thread that reads a trace. */
void ring_start_channel(struct ring *ring, uint32_t index);

/* The watchdog's thread; user: the struct ring. */
void *ring_watch(void *user);

#endif

/* The ring as it is mapped into a QEMU process.
 *
 * A program of 64 bits has QEMU's own address space: what it maps at an address of its choice
 * replaces what lies there. Before it does so to the ring, the recorder moves its view.
 *
 * Assumes that guest addresses are host addresses, as QEMU has it for programs of 64 bits.
 * Leaves out: stores into the ring; armpmu checks what it reads. */
#ifndef QEMU_PLUGIN_RING_VIEW_H
#define QEMU_PLUGIN_RING_VIEW_H

#include <stdbool.h>
#include <stdint.h>

/* Maps the file open as the number in `descriptor`, which becomes *fd. Returns NULL, or why not: it
 * is closed then. */
const char *ring_view_open(const char *descriptor, void **ring, int *fd);

/* A second view of `bytes` from offset `at`, put over `place`. */
bool ring_view_put(void *ring, uint64_t at, uint64_t bytes, void *place);

struct ring_view_span {
    uint64_t start, bytes;
};

/* Whether an AArch64 system call with these arguments changes what is mapped where the ring lies;
 * *span gets all it changes. */
bool ring_view_is_hit(const void *ring, int64_t number, const uint64_t *arguments,
                      struct ring_view_span *span);

/* Another view of the whole ring, outside the span; NULL if there is no room. The old one stays. */
void *ring_view_outside(void *ring, const struct ring_view_span *span);

#endif

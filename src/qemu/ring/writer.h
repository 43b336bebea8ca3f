/* The ring as it is mapped into a QEMU process.
 *
 * Assumes that the program cannot map anything over it, since armpmu has QEMU keep a range of host
 * addresses for the program's mappings (launch.c).
 * Leaves out: stores of a program of 64 bits into the ring, at an address outside that range;
 * armpmu checks what it reads. */
#ifndef QEMU_PLUGIN_RING_VIEW_H
#define QEMU_PLUGIN_RING_VIEW_H

#include <stdbool.h>
#include <stdint.h>

/* Maps the file open as the number in `descriptor`, which becomes *fd. Returns NULL, or why not: it
 * is closed then. */
const char *ring_view_open(const char *descriptor, void **ring, int *fd);

/* A second view of `bytes` from offset `at`, put over `place`. */
bool ring_view_put(void *ring, uint64_t at, uint64_t bytes, void *place);

#endif

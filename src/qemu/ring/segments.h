/* Segments of block definitions that are no longer needed. */
#ifndef QEMU_RING_SEGMENTS_H
#define QEMU_RING_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

/* How far the reader of a trace has come: the generation of the blocks that it names now, plus
 * one; 0 before it reads; SEGMENTS_FINISHED when it is at its end. */
#define SEGMENTS_FINISHED UINT32_MAX

/* Frees the segments of ring whose blocks no process executes and no trace still to be read names.
 * reached: of each of RING_TRACES_MAX traces. is_alive: whether a process may still execute
 * something. One caller at a time. Returns how many it freed: 0 also without memory, and when
 * processes begin meanwhile. */
uint32_t segments_free(void *ring, const _Atomic uint32_t *reached, bool (*is_alive)(int32_t pid));

#endif

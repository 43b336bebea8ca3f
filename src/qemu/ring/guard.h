/* Reading memory that may go away: a page of the ring that can no longer be read (SIGBUS: its file
 * was cut short, or the system has no memory for it) reads as zeros from then on, and armpmu goes
 * on to its report.
 *
 * One region at a time. Threads that read it must not block SIGBUS. */
#ifndef QEMU_LAUNCHER_RING_GUARD_H
#define QEMU_LAUNCHER_RING_GUARD_H

#include <stdbool.h>
#include <stddef.h>

void ring_guard_start(void *region, size_t bytes);

/* Whether a page could not be read since the start. */
bool ring_guard_lost(void);

void ring_guard_stop(void);

#endif

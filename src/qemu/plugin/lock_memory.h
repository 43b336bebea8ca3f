/* mlockall of a program: QEMU passes it on to the host, which would fill all of the ring with
 * pages, hundreds of gigabytes. Here pages are locked when they are touched (MCL_ONFAULT): a
 * program's memory is as it was, but for the page faults that it meets.
 *
 * Assumes: QEMU calls the C library's mlockall through its global offset table.
 * Leaves out: a QEMU that is linked statically. */
#ifndef QEMU_PLUGIN_LOCK_MEMORY_H
#define QEMU_PLUGIN_LOCK_MEMORY_H

void lock_memory_when_touched(void);

#endif

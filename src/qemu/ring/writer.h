/* The ring in a QEMU process: its mapping, and a descriptor that the program does not see.
 *
 * A program that executes another one needs the ring once more, in a new QEMU. One thread of each
 * QEMU process has a table of descriptors of its own, with nothing in it but the ring. The others
 * reach it by its name in /proc, which only threads of the same process may follow without asking.
 *
 * Assumes that the program cannot map anything over the ring, since armpmu has QEMU keep a range of
 * host addresses for the program's mappings (launch.c); Linux 5.9 (close_range) and a mounted
 * /proc, without which there is no descriptor to open.
 * Leaves out: stores of a program of 64 bits into the ring, at an address outside that range;
 * armpmu checks what it reads. */
#ifndef QEMU_RING_WRITER_H
#define QEMU_RING_WRITER_H

#include <stdbool.h>
#include <stdint.h>

/* Maps the file open as the number in `descriptor`, which becomes *fd. Returns NULL, or why not: it
 * is closed then. */
const char *ring_map(const char *descriptor, void **memory, int *fd);

/* Maps `bytes` from offset `at` a second time, over `place`. Returns whether that worked. */
bool ring_map_again(void *memory, uint64_t at, uint64_t bytes, void *place);

/* The calling thread leaves the process's table of descriptors and keeps this one only. */
void ring_keep_descriptor(int descriptor);

/* Returns another descriptor of the ring, which exec closes; -1 where no thread keeps one. */
int ring_open_descriptor(void);

/* No thread keeps one any more: in the child after a fork, and when the thread ends. */
void ring_forget_descriptor(void);

#endif

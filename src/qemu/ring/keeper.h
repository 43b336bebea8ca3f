/* A descriptor of the ring that the program does not see.
 *
 * A program that executes another one needs the ring once more, in a new QEMU. One thread of each
 * QEMU process has a table of descriptors of its own, with nothing in it but the ring. The others
 * reach it by its name in /proc, which only threads of the same process may follow without asking.
 *
 * Assumes Linux 5.9 (close_range) and a mounted /proc; without them there is nothing to open. */
#ifndef QEMU_PLUGIN_RING_KEEPER_H
#define QEMU_PLUGIN_RING_KEEPER_H

/* The calling thread leaves the process's table of descriptors and keeps this one only. */
void ring_keeper_hold(int descriptor);

/* Another descriptor of the ring, which exec closes; -1 where nobody holds one. */
int ring_keeper_open(void);

/* Nobody holds one any more: in the child after a fork, and when the thread ends. */
void ring_keeper_forget(void);

#endif

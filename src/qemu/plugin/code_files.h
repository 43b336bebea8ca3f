/* Finds the file that code is from, for a profile, in the kernel's list of QEMU's mappings.
 *
 * The files are written into the ring, each mapping once a process. Code that is in no file (made
 * by the program, QEMU's own) has none.
 * Assumes that a mapping stays as it is until a system call changes it.
 * One thread at a time. */
#ifndef QEMU_PLUGIN_CODE_FILES_H
#define QEMU_PLUGIN_CODE_FILES_H

#include <stdbool.h>
#include <stdint.h>

/* The number of the file that code at `address` is from, which QEMU has at `host`; 0: none. */
uint16_t code_files_of(void *ring, uint64_t address, const void *host);

/* A system call starts, of AArch64 or of the Arm EABI. */
void code_files_syscall(int64_t number, bool is_a64);

#endif

/* Finds the functions that return blocks of memory (malloc, operator new, mmap and similar) by
 * their symbols, in the files that code is from.
 *
 * Leaves out: files without a table of symbols that names them, allocators of other names, code
 * that is in no file.
 * One thread at a time. */
#ifndef QEMU_PLUGIN_ALLOCATORS_H
#define QEMU_PLUGIN_ALLOCATORS_H

#include <stdbool.h>
#include <stdint.h>

/* One of them: how many bytes it is asked for, and what it returns. */
struct allocator {
    const char *symbol;
    uint8_t bytes, times;     /* numbers of the arguments: bytes, that it multiplies by or none */
    bool returns_by_argument; /* the block's address is where its first argument points to */
    bool maps;                /* the kernel's memory, not the heap's */
};

#define ALLOCATOR_NO_ARGUMENT 0xff

/* The one that begins at an address, where QEMU has the code at `host`; NULL for none. ring: where
 * files are named. */
const struct allocator *allocator_at(void *ring, uint64_t address, const void *host, bool is_a64);

#endif

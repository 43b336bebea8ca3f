#include "qemu/ring/writer.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "qemu/ring/layout.h"

/* Where the ring goes, if nothing else is there: far from libraries. QEMU maps the memory for the
 * code it generates after this, and 512 GB between that code and this file would make each of its
 * calls of us an indirect one, through a word that is read first: a quarter of the time of a
 * program that hashes. */
#define RING_PLACE UINT64_C(0x200000000000)

/* The size tells the ring from a file that came under its number. */
static void *map(int fd)
{
    struct stat status;

    if (fstat(fd, &status) != 0 || (uint64_t)status.st_size != RING_BYTES)
        return MAP_FAILED;
    return mmap((void *)(uintptr_t)RING_PLACE, RING_BYTES, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_NORESERVE, fd, 0);
}

const char *ring_map(const char *descriptor, void **memory, int *descriptor_of_ring)
{
    if (descriptor == NULL)
        return "armpmu-qemu.so is started by armpmu, not by hand: the argument ring= is missing";
    const int fd = atoi(descriptor);
    if (fcntl(fd, F_GETFD) < 0)
        return "armpmu-qemu.so does not find the memory shared with armpmu: a wrapper between "
               "armpmu and QEMU must leave file descriptors open";
    void *const mapped = map(fd);
    if (mapped == MAP_FAILED) {
        close(fd);
        return "armpmu-qemu.so cannot map the memory shared with armpmu: it is from another "
               "version, "
               "or the address space is limited (ulimit -v)";
    }
    *memory = mapped;
    *descriptor_of_ring = fd;
    return NULL;
}

bool ring_map_again(void *memory, uint64_t at, uint64_t bytes, void *place)
{
    return mremap((char *)memory + at, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place) == place;
}

/* ---- the descriptor ---------------------------------------------------------------------------
 */

/* Thread id in the upper half, descriptor in the lower; 0: no thread. */
static _Atomic uint64_t keeper;

void ring_keep_descriptor(int descriptor)
{
    const unsigned fd = (unsigned)descriptor;

    if (syscall(SYS_close_range, fd + 1, ~0u, CLOSE_RANGE_UNSHARE) != 0)
        return;
    if (fd > 0)
        syscall(SYS_close_range, 0u, fd - 1, 0u);
    atomic_store(&keeper, (uint64_t)gettid() << 32 | fd);
}

int ring_open_descriptor(void)
{
    const uint64_t held = atomic_load(&keeper);
    char path[64];

    if (held == 0)
        return -1;
    snprintf(path, sizeof path, "/proc/self/task/%u/fd/%u", (unsigned)(held >> 32), (unsigned)held);
    return open(path, O_RDWR | O_CLOEXEC);
}

void ring_forget_descriptor(void)
{
    atomic_store(&keeper, 0);
}

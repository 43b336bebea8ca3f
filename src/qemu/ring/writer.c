#include "qemu/ring/writer.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
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

const char *ring_view_open(const char *descriptor, void **ring, int *descriptor_of_ring)
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
    *ring = mapped;
    *descriptor_of_ring = fd;
    return NULL;
}

bool ring_view_put(void *ring, uint64_t at, uint64_t bytes, void *place)
{
    return mremap((char *)ring + at, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place) == place;
}

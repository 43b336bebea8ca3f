#include "qemu/plugin/ring_view.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "qemu/ring.h"

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
        return "armpmu-qemu.so does not find the memory shared with armpmu: what stands between "
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

/* ---- getting out of the way --------------------------------------------------------------------
 */

enum {
    AARCH64_SHMAT = 196,
    AARCH64_MUNMAP = 215,
    AARCH64_MREMAP = 216,
    AARCH64_MMAP = 222,
    AARCH64_MPROTECT = 226,
    AARCH64_REMAP_FILE_PAGES = 234,
    GUEST_MAP_FIXED = 0x10,
    GUEST_SHM_REMAP = 040000,
};

static bool overlaps(const void *ring, struct ring_view_span span)
{
    const uint64_t start = (uintptr_t)ring;

    return span.bytes > 0 && span.start < start + RING_BYTES &&
           (span.start >= start || start - span.start < span.bytes);
}

/* What the system call changes: its first argument is an address, its second a length, but for
 * those named. None: no bytes. */
static struct ring_view_span changed(int64_t number, const uint64_t *arguments)
{
    const struct ring_view_span none = {0, 0}, first = {arguments[0], arguments[1]};

    switch (number) {
    case AARCH64_MUNMAP:
    case AARCH64_MPROTECT:
    case AARCH64_REMAP_FILE_PAGES:
        return first;
    case AARCH64_MMAP:
        return arguments[3] & GUEST_MAP_FIXED ? first : none;
    case AARCH64_SHMAT: /* a segment's length is not known */
        return arguments[2] & GUEST_SHM_REMAP
                   ? (struct ring_view_span){arguments[1], UINT64_MAX - arguments[1]}
                   : none;
    }
    return none;
}

bool ring_view_is_hit(const void *ring, int64_t number, const uint64_t *arguments,
                      struct ring_view_span *span)
{
    *span = changed(number, arguments);
    if (number == AARCH64_MREMAP && (arguments[3] & MREMAP_FIXED) != 0)
        *span = (struct ring_view_span){arguments[4], arguments[2]};
    if (number == AARCH64_MREMAP && !overlaps(ring, *span))
        *span = (struct ring_view_span){arguments[0], arguments[1]};
    return overlaps(ring, *span);
}

void *ring_view_outside(void *ring, const struct ring_view_span *span)
{
    void *const view = mremap(ring, 0, RING_BYTES, MREMAP_MAYMOVE);

    if (view == MAP_FAILED)
        return NULL;
    if (!overlaps(view, *span))
        return view;
    munmap(view, RING_BYTES);
    return NULL;
}

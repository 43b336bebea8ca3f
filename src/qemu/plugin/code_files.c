#include "qemu/plugin/code_files.h"

#include <stdatomic.h>
#include <string.h>

#include "base/own_mappings.h"
#include "qemu/ring/layout.h"

/* The latest mapping that was looked for, and whether it may be another by now. */
static struct {
    uintptr_t first, end;
    uint16_t number;
} latest;
static _Atomic bool changed = true;

/* munmap, mremap, mmap2, mprotect of the Arm EABI; munmap, mremap, mmap, mprotect of AArch64. */
void code_files_syscall(int64_t number, bool is_a64)
{
    static const uint16_t arm[] = {91, 163, 192, 125}, aarch64[] = {215, 216, 222, 226};
    const uint16_t *const changes = is_a64 ? aarch64 : arm;

    for (unsigned i = 0; i < sizeof arm / sizeof arm[0]; i++)
        if (number == changes[i])
            atomic_store_explicit(&changed, true, memory_order_relaxed);
}

static bool is_file(const struct ring_file *file, const struct own_mapping *mapping, uint64_t start)
{
    return atomic_load_explicit(&file->ready, memory_order_acquire) && file->start == start &&
           file->bytes == mapping->end - mapping->first && file->offset == mapping->offset &&
           strncmp(file->path, mapping->path, sizeof file->path - 1) == 0;
}

/* The number of a mapping at a guest address; 0 where the ring has no room for more. */
static uint16_t number_of(void *ring, const struct own_mapping *mapping, uint64_t start)
{
    struct ring_header *const header = ring;
    const uint32_t known = atomic_load(&header->n_files);
    for (uint32_t i = 0; i < known && i < RING_FILES_MAX; i++)
        if (is_file(ring_file(ring, i), mapping, start))
            return (uint16_t)(i + 1);
    const uint32_t number = atomic_fetch_add(&header->n_files, 1);
    if (number >= RING_FILES_MAX)
        return 0;
    struct ring_file *const file = ring_file(ring, number);
    file->start = start;
    file->bytes = mapping->end - mapping->first;
    file->offset = mapping->offset;
    memcpy(file->path, mapping->path, sizeof file->path - 1);
    atomic_store_explicit(&file->ready, 1, memory_order_release);
    return (uint16_t)(number + 1);
}

uint16_t code_files_of(void *ring, uint64_t address, const void *host)
{
    static struct own_mapping mapping; /* large */
    const uintptr_t at = (uintptr_t)host;

    if (host == NULL)
        return 0;
    if (!atomic_exchange_explicit(&changed, false, memory_order_relaxed) && at >= latest.first &&
        at < latest.end)
        return latest.number;
    latest.number = 0;
    latest.first = latest.end = 0;
    if (!own_mapping_find(at, &mapping))
        return 0;
    latest.first = mapping.first;
    latest.end = mapping.end;
    if (mapping.path[0] != '\0')
        latest.number = number_of(ring, &mapping, address - (at - mapping.first));
    return latest.number;
}

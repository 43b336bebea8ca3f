/* Memory that a program maps without a file, where Linux could put it into huge pages: whole
 * aligned blocks of 2 MB. A record follows the system call.
 *
 * Assumes: what moves (mremap) is anonymous. Leaves out: A32 and T32, mprotect, what is mapped in
 * several calls, what a program has at its start, and other threads, which do not hear of it. */
#include "qemu/plugin/recorder_internal.h"

#include <sys/mman.h>

#include "armpmu/trace.h"
#include "qemu/plugin/recorder_callbacks.h"

#define BLOCK       (UINT64_C(1) << ARMPMU_MAPPED_SHIFT)
#define BLOCKS_MOST BLOCK /* of one record */

enum { A64_BRK = 214, A64_MUNMAP = 215, A64_MREMAP = 216, A64_MMAP = 222 };

/* The arguments of a call that has not returned, by vCPU. */
static uint64_t called[RING_SLOTS][4];

/* The heap: 0 until the program asks where it is. */
static uint64_t heap_first, heap_end;

/* Blocks from `first` up to `end`, both aligned. */
static void announce(unsigned vcpu, uint64_t first, uint64_t end, unsigned bits)
{
    struct ring_slot *const slot = recorder_slot(vcpu);

    if (first >= end || slot->cursor == NULL || recorder.only_insns)
        return;
    uint64_t blocks = (end - first) / BLOCK;
    if (blocks > BLOCKS_MOST)
        blocks = BLOCKS_MOST;
    recorder_put_after(vcpu, slot,
                       armpmu_system_record(ARMPMU_SYSTEM_MAPPED, bits) |
                           (first & ARMPMU_RECORD_ADDRESS) | (blocks - 1));
}

static uint64_t down(uint64_t address)
{
    return address & ~(BLOCK - 1);
}

static uint64_t up(uint64_t address)
{
    return down(address + BLOCK - 1);
}

static void mapped(unsigned vcpu, uint64_t first, uint64_t bytes)
{
    announce(vcpu, up(first), down(first + bytes), 0);
}

static void unmapped(unsigned vcpu, uint64_t first, uint64_t bytes)
{
    announce(vcpu, down(first), up(first + bytes), ARMPMU_MAPPED_NO_MORE);
}

static void move_heap_end(unsigned vcpu, uint64_t end)
{
    if (heap_first == 0)
        heap_first = heap_end = end;
    if (end < heap_end)
        announce(vcpu, down(end), down(heap_end), ARMPMU_MAPPED_NO_MORE);
    else
        announce(vcpu, down(heap_end) < heap_first ? up(heap_first) : down(heap_end), down(end), 0);
    heap_end = end;
}

void recorder_mappings_starts(unsigned vcpu, const uint64_t *arguments)
{
    for (unsigned i = 0; i < 4; i++)
        called[vcpu % RING_SLOTS][i] = arguments[i];
}

void recorder_mappings_returns(unsigned vcpu, int64_t number, int64_t result)
{
    const uint64_t *const with = called[vcpu % RING_SLOTS];

    if (!recorder.is_a64 || (result < 0 && result >= -4095))
        return;
    if (number == A64_MUNMAP || number == A64_MREMAP)
        unmapped(vcpu, with[0], with[1]);
    if (number == A64_MREMAP)
        mapped(vcpu, (uint64_t)result, with[2]);
    if (number == A64_MMAP && (with[3] & MAP_ANONYMOUS) != 0 && (with[2] & PROT_WRITE) != 0)
        mapped(vcpu, (uint64_t)result, with[1]);
    else if (number == A64_MMAP && (with[3] & MAP_FIXED) != 0)
        unmapped(vcpu, (uint64_t)result, with[1]);
    if (number == A64_BRK)
        move_heap_end(vcpu, (uint64_t)result);
}

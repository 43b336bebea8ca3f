/* Copies blocks of memory and their call sites from core models to a profile.
 *
 * A core model knows the blocks that its own thread has got. Another access is found afterwards, by
 * what was the latest block at the address: that of another thread, or its own while it gets it, as
 * calloc() clears it. Where two threads got the address it is not told. */
#include "profile/collect_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/order.h"

static bool take_block(void *user, const struct armpmu_allocated *block)
{
    struct collected_thread *const to = user;

    return ARRAY_APPEND(to->allocated, to->n_allocated, to->allocated_room, *block);
}

bool collect_allocations(struct collected_thread *thread, const struct armpmu_sim *sim)
{
    size_t n;
    const struct armpmu_allocation *const allocations = armpmu_sim_allocations(sim, &n);

    thread->allocations = malloc(n * sizeof *allocations + 1);
    thread->allocation_numbers = malloc(n * sizeof *thread->allocation_numbers + 1);
    if (thread->allocations == NULL || thread->allocation_numbers == NULL)
        return false;
    if (n != 0)
        memcpy(thread->allocations, allocations, n * sizeof *allocations);
    thread->n_allocations = n;
    return armpmu_sim_each_allocated(sim, take_block, thread);
}

enum armpmu_status fill_allocations(struct collected_thread *thread,
                                    uint32_t (*call)(const void *insns, uint64_t returns_to),
                                    const void *insns, struct profile *profile,
                                    struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < thread->n_allocations && status == ARMPMU_OK; i++) {
        const struct armpmu_allocation *const from = &thread->allocations[i];
        const struct profile_allocation made = {.insn = call(insns, from->returns_to),
                                                .path = thread->path_numbers[from->path],
                                                .datum = PROFILE_NONE,
                                                .is_mapped = from->is_mapped,
                                                .n = from->n,
                                                .n_bytes = from->bytes,
                                                .smallest = from->smallest,
                                                .largest = from->largest};
        status = profile_add_allocation(profile, &made, &thread->allocation_numbers[i], err);
    }
    return status;
}

/* ---- afterwards ---- */

/* A block of a process; allocation: of the profile, from 1, 0 where several threads got it. */
struct process_block {
    uint32_t process, allocation;
    uint64_t start, end, begins;
};

struct process_blocks {
    struct process_block *at;
    size_t n, room;
};

static bool add_blocks(struct process_blocks *to, const struct collected_thread *thread)
{
    if (!ARRAY_RESERVE(to->at, to->room, to->n + thread->n_allocated))
        return false;
    for (size_t i = 0; i < thread->n_allocated; i++) {
        const struct armpmu_allocated *const block = &thread->allocated[i];
        to->at[to->n++] = (struct process_block){thread->process,
                                                 thread->allocation_numbers[block->number - 1] + 1,
                                                 block->start, block->end, block->begins};
    }
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct process_block *x = a, *y = b;

    return ORDER(x->process, y->process, x->start, y->start, x->end, y->end, x->allocation,
                 y->allocation);
}

/* The blocks of one thread do not overlap. */
static void find_overlaps(struct process_blocks *blocks)
{
    size_t widest = 0;

    for (size_t i = 1; i < blocks->n; i++) {
        struct process_block *const before = &blocks->at[widest], *const block = &blocks->at[i];
        if (before->process == block->process && before->end > block->start)
            before->allocation = block->allocation = 0;
        if (before->process != block->process || block->end > before->end)
            widest = i;
    }
}

static const struct process_block *find(const struct process_blocks *blocks, uint32_t process,
                                        uint64_t address)
{
    size_t low = 0, high = blocks->n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct process_block *const block = &blocks->at[middle];
        if (block->process < process || (block->process == process && block->start <= address))
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && blocks->at[low - 1].process == process && address < blocks->at[low - 1].end
               ? &blocks->at[low - 1]
               : NULL;
}

/* A row may be of accesses to several blocks beside each other: then where in theirs they are is
 * not told. */
static void find_block(const struct process_blocks *blocks, const struct profile *profile,
                       struct profile_access *access)
{
    struct armpmu_data_access *const of = &access->of;
    const uint32_t process = profile->threads[access->thread].process;
    const struct process_block *low, *high;

    if (of->allocation != 0 || (of->kind & ARMPMU_ACCESS_ON_STACK) != 0)
        return;
    low = find(blocks, process, of->low);
    high = low != NULL && of->high >= low->end ? find(blocks, process, of->high) : low;
    if (high == NULL || high->allocation != low->allocation || low->allocation == 0)
        return;
    of->allocation = low->allocation;
    of->offset = of->sample - low->begins;
    of->offset_step = high == low ? of->step : 1;
}

enum armpmu_status find_latest_blocks(const struct profile_collection *collection,
                                      struct profile *profile, struct armpmu_error *err)
{
    struct process_blocks blocks = {0};
    bool is_added = true;

    for (size_t i = 0; i < collection->n_threads; i++)
        is_added = is_added && add_blocks(&blocks, &collection->threads[i]);
    if (blocks.n != 0) {
        qsort(blocks.at, blocks.n, sizeof *blocks.at, by_place);
        find_overlaps(&blocks);
    }
    for (size_t i = 0; i < profile->n_accesses && is_added && blocks.n != 0; i++)
        find_block(&blocks, profile, &profile->accesses[i]);
    free(blocks.at);
    return is_added ? ARMPMU_OK : fail_no_memory(err, "data accesses");
}

/* Copies data accesses from the tables of core models to a profile. */
#include "profile/collect_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/order.h"

enum armpmu_status collect_accesses(struct profile_collection *collection,
                                    struct collected_thread *thread, struct armpmu_sim *sim,
                                    struct armpmu_error *err)
{
    const struct armpmu_data_access *accesses;
    const enum armpmu_status status = armpmu_sim_accesses(sim, &accesses, &thread->n_accesses, err);

    if (status != ARMPMU_OK || accesses == NULL) {
        thread->n_accesses = 0;
        return status;
    }
    collection->access_latency = armpmu_sim_access_latency(sim);
    thread->accesses = malloc(thread->n_accesses * sizeof *accesses + 1);
    if (thread->accesses == NULL)
        return fail_no_memory(err, "data accesses");
    memcpy(thread->accesses, accesses, thread->n_accesses * sizeof *accesses);
    return collect_allocations(thread, sim) ? ARMPMU_OK : fail_no_memory(err, "data accesses");
}

/* Where an instruction is, and its number in the profile. */
struct numbered {
    uint64_t address;
    uint32_t context, number;
};

struct numbered_insns {
    struct numbered *at;
    size_t n;
};

static int by_address(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;

    return ORDER(x->context, y->context, x->address, y->address, x->number, y->number);
}

/* The first that had the address: code that changed is one instruction. */
static uint32_t find(const struct numbered_insns *insns, uint32_t context, uint64_t address)
{
    const struct numbered wanted = {address, context, 0};
    size_t low = 0, high = insns->n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (by_address(&insns->at[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < insns->n && insns->at[low].context == context && insns->at[low].address == address
               ? insns->at[low].number
               : PROFILE_NONE;
}

/* The call that returns to an address, of A32, T32 or A64. */
static uint32_t call_before(const void *insns, uint64_t returns_to)
{
    const struct numbered_insns *const all = insns;
    const uint32_t half = find(all, 0, returns_to - 2);

    return half != PROFILE_NONE ? half : find(all, 0, returns_to - 4);
}

static enum armpmu_status add_access(const struct collected_thread *thread, uint32_t number,
                                     const struct armpmu_data_access *of,
                                     const struct numbered_insns *insns, struct profile *profile,
                                     struct armpmu_error *err)
{
    struct profile_access made = {number, find(insns, of->context, of->insn), PROFILE_NONE, *of,
                                  PROFILE_NONE};

    if (of->allocation != 0)
        made.of.allocation = thread->allocation_numbers[of->allocation - 1] + 1;
    return profile_add_access(profile, &made, err);
}

enum armpmu_status fill_accesses(const struct profile_collection *collection,
                                 struct collected_thread *thread, uint32_t own,
                                 struct profile *profile, struct armpmu_error *err)
{
    const struct numbered_insns insns = {malloc(thread->n_rows * sizeof *insns.at + 1),
                                         thread->n_rows};
    enum armpmu_status status = insns.at != NULL ? ARMPMU_OK : fail_no_memory(err, "data accesses");

    for (size_t i = 0; i < insns.n && status == ARMPMU_OK; i++)
        insns.at[i] =
            (struct numbered){thread->rows[i].address, thread->paths[thread->rows[i].path].context,
                              thread->insn_numbers[i]};
    if (status == ARMPMU_OK) {
        qsort(insns.at, insns.n, sizeof *insns.at, by_address);
        status = fill_allocations(thread, call_before, &insns, profile, err);
    }
    for (size_t i = 0; i < thread->n_accesses && status == ARMPMU_OK; i++)
        if (thread->accesses[i].n != 0) /* all of it was amended */
            status = add_access(
                thread, context_thread(collection, thread, own, thread->accesses[i].context),
                &thread->accesses[i], &insns, profile, err);
    free(insns.at);
    return status;
}

/* Data accesses, from the tables of core models to a profile. */
#include "profile/collect_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

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
    return ARMPMU_OK;
}

/* Where an instruction is, and its number in the profile. */
struct numbered {
    uint64_t address;
    uint32_t number;
};

static int by_address(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;

    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* The first that had the address: code that changed is one instruction. */
static uint32_t find(const struct numbered *insns, size_t n, uint64_t address)
{
    size_t low = 0, high = n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (insns[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && insns[low].address == address ? insns[low].number : PROFILE_NONE;
}

enum armpmu_status fill_accesses(const struct collected_thread *thread, uint32_t number,
                                 struct profile *profile, struct armpmu_error *err)
{
    struct numbered *const insns = malloc(thread->n_rows * sizeof *insns + 1);
    enum armpmu_status status = insns != NULL ? ARMPMU_OK : fail_no_memory(err, "data accesses");

    for (size_t i = 0; i < thread->n_rows && status == ARMPMU_OK; i++)
        insns[i] = (struct numbered){thread->rows[i].insn.address, thread->insn_numbers[i]};
    if (status == ARMPMU_OK)
        qsort(insns, thread->n_rows, sizeof *insns, by_address);
    for (size_t i = 0; i < thread->n_accesses && status == ARMPMU_OK; i++) {
        const struct profile_access made = {number,
                                            find(insns, thread->n_rows, thread->accesses[i].insn),
                                            PROFILE_NONE, thread->accesses[i]};
        status = profile_add_access(profile, &made, err);
    }
    free(insns);
    return status;
}

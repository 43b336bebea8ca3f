#include "cores/slices.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cores/core.h"
#include "trace/trace_reader_internal.h"

void core_digest_add_bytes(struct core_digest *digest, const void *bytes, size_t n)
{
    const unsigned char *next = bytes;
    uint64_t word = 0;

    for (; n >= sizeof word; next += sizeof word, n -= sizeof word) {
        memcpy(&word, next, sizeof word);
        core_digest_add(digest, word);
    }
    word = 0;
    memcpy(&word, next, n);
    core_digest_add(digest, word);
}

bool sim_can_slice(const struct armpmu_machine *machine)
{
    const struct core_slicing *const slicing =
        core_descriptor_of(armpmu_machine_core(machine))->model->slicing;

    return slicing != NULL && (slicing->fits == NULL || slicing->fits(machine));
}

void sim_follow(struct armpmu_sim *sim)
{
    sim_model_of(sim)->slicing->follow(sim_state_of(sim));
}

void sim_keep_time(struct armpmu_sim *sim)
{
    sim_model_of(sim)->slicing->keep_time(sim_state_of(sim));
}

/* The signals as they are: nothing retires for them, as it would for somebody who reads them. */
static void read_signals(const struct armpmu_sim *sim, uint64_t *signals)
{
    const struct core *const core = sim_state_of(sim);
    const struct trace_counted *const counted = trace_reader_counted(core->reader);

    sim_model_of(sim)->signals(core, signals);
    signals[ARMPMU_SIGNAL_INST_RETIRED] += counted->insns;
    signals[ARMPMU_SIGNAL_BRANCH_RETIRED] += counted->branches;
}

enum armpmu_status sim_slice_begin(struct armpmu_sim *sim, struct sim_slice *slice,
                                   struct armpmu_error *err)
{
    const struct core_slicing *const slicing = sim_model_of(sim)->slicing;

    *slice = (struct sim_slice){0};
    slicing->digest(sim_state_of(sim), &slice->begins);
    read_signals(sim, slice->signals);
    return slicing->begin(sim_state_of(sim)) == ARMPMU_OK ? ARMPMU_OK
                                                          : fail_no_memory(err, "a slice");
}

enum armpmu_status sim_slice_end(struct armpmu_sim *sim, struct sim_slice *slice,
                                 struct armpmu_error *err)
{
    struct core *const core = sim_state_of(sim);
    uint64_t now[ARMPMU_SIGNAL_COUNT];

    read_signals(sim, now);
    for (size_t i = 0; i < ARMPMU_SIGNAL_COUNT; i++)
        slice->signals[i] = now[i] - slice->signals[i];
    slice->n_helper_calls = core->reader->n_helper_calls;
    memcpy(slice->n_system_calls, core->reader->n_system_calls, sizeof slice->n_system_calls);
    sim_model_of(sim)->slicing->digest(core, &slice->ends);
    return sim_model_of(sim)->slicing->end(core, slice) == ARMPMU_OK
               ? ARMPMU_OK
               : fail_no_memory(err, "a slice");
}

enum armpmu_status sim_join_slices(struct armpmu_sim *sim, const struct sim_slice *slices, size_t n,
                                   struct armpmu_error *err)
{
    struct core *const core = sim_state_of(sim);

    core->joined = calloc(ARMPMU_SIGNAL_COUNT, sizeof *core->joined);
    if (core->joined == NULL)
        return fail_no_memory(err, "the counts of slices");
    for (size_t i = 0; i < n; i++)
        for (size_t s = 0; s < ARMPMU_SIGNAL_COUNT; s++)
            core->joined[s] += slices[i].signals[s];
    core->reader->n_helper_calls = slices[n - 1].n_helper_calls;
    memcpy(core->reader->n_system_calls, slices[n - 1].n_system_calls,
           sizeof core->reader->n_system_calls);
    if (!sim_model_of(sim)->slicing->join(core->machine, slices, n, core->joined))
        return fail(err, ARMPMU_BAD_INPUT, "the slices are not of this machine");
    return ARMPMU_OK;
}

/* The interface of the Cortex-R4F model to cores/sim.c: creation, queries and destruction. core.c
 * runs it. */
#include "cores/cortex_r4f/core.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "machine/core_descriptor.h"

/* The divider writes what it works on when the program has ended. */
static void finish_divide(struct r4f *core)
{
    struct r4f_issue_state state = *r4f_state(core);

    if (state.divider == 0)
        return;
    core->memory.tally[ARMPMU_SIGNAL_INTEGER_DIVIDE_STALL]++;
    state.divider = 0;
    r4f_set_state(core, &state);
}

static void finish(void *state)
{
    struct r4f *core = state;

    r4f_refill(core, 0);
    finish_divide(core);
    r4f_memory_finish(&core->memory);
}

static void sync(void *state)
{
    r4f_sync(state);
}

static enum armpmu_status inject(void *state, enum armpmu_injection kind, uint64_t address,
                                 struct armpmu_error *err)
{
    struct r4f *core = state;

    trace_reader_sync(core->core.reader);
    return r4f_inject(&core->memory, kind, address & UINT32_MAX, err);
}

static void on_fault(void *state, armpmu_fault_fn call, void *user)
{
    struct r4f *core = state;
    core->memory.on_fault = call;
    core->memory.fault_user = user;
}

static void release(void *state)
{
    struct r4f *core = state;

    free(core->scratch);
    free(core->flushes);
    schedule_states_free(&core->states);
    r4f_predictor_free(&core->predictor);
    r4f_memory_free(&core->memory);
}

static enum armpmu_status init(void *state, struct armpmu_error *err)
{
    struct r4f *core = state;
    const struct armpmu_machine *const machine = core->core.machine;

    core->jumped = true;
    enum armpmu_status status = r4f_memory_init(&core->memory, machine, core->tally, err);
    if (status == ARMPMU_OK && r4f_predictor_init(&core->predictor, machine) != ARMPMU_OK)
        status = fail_no_memory(err, "a branch predictor");
    if (status == ARMPMU_OK &&
        schedule_states_init(&core->states, sizeof(struct r4f_issue_state)) != ARMPMU_OK)
        status = fail_no_memory(err, "schedules");
    return status;
}

static struct miss_maps *miss_maps(void *state, struct core_cache *caches)
{
    struct r4f_memory *const memory = &((struct r4f *)state)->memory;
    const struct core_cache known[ARMPMU_MISS_CACHES] = {
        [ARMPMU_MISS_L1I] = {memory->l1i.sets, ARMPMU_SIGNAL_L1I_REFILL},
        [ARMPMU_MISS_L1D] = {memory->l1d.sets, ARMPMU_SIGNAL_L1D_REFILL},
    };

    memcpy(caches, known, sizeof known);
    return &memory->misses;
}

const struct core_model core_model_cortex_r4f = {
    .bytes = sizeof(struct r4f),
    .ops = &r4f_ops,
    .init = init,
    .release = release,
    .run = r4f_run,
    .charges = CHARGE_STEPS,
    .cures = 1u << CURE_LEVEL1 | 1u << CURE_STORES | 1u << CURE_PREFETCH | 1u << CURE_BRANCH |
             1u << CURE_CODE | 1u << CURE_LATENCY,
    .finish = finish,
    .signals = r4f_signals,
    .sync = sync,
    .attribute = r4f_attribute_all,
    .sync_rows = r4f_sync_rows,
    .miss_maps = miss_maps,
    .tell_accesses = r4f_tell_accesses,
    .access_latency = "that the pipeline stands still for it",
    .inject = inject,
    .on_fault = on_fault,
};

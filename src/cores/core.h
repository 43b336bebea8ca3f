/* What a core model offers; struct armpmu_sim is one of these with its state. */
#ifndef CORES_CORE_H
#define CORES_CORE_H

#include "armpmu/sim.h"

struct core_descriptor {
    const char *core; /* catalogue name */
    enum armpmu_status (*create)(const struct armpmu_machine *, struct armpmu_code *, void **state,
                                 struct armpmu_error *);
    void (*destroy)(void *state);
    enum armpmu_status (*run)(void *state, const uint64_t *records, size_t n_records,
                              struct armpmu_error *);
    void (*rename)(void *state); /* as armpmu_sim_rename */
    void (*finish)(void *state, enum armpmu_end);
    void (*signals)(const void *state, uint64_t *signals);
    void (*set_interval)(void *state, enum armpmu_signal, uint64_t period, armpmu_interval_fn,
                         void *user);

    /* As armpmu_sim_read_delta; NULL where `signals` is quick enough to be asked for each. */
    void (*read_delta)(void *state, uint64_t *delta);

    /* NULL where the core has no errors in memories. */
    enum armpmu_status (*inject)(void *state, enum armpmu_injection, uint64_t address,
                                 struct armpmu_error *);
    void (*on_fault)(void *state, armpmu_fault_fn, void *user);
};

extern const struct core_descriptor neoverse_core;
extern const struct core_descriptor cortex_a8_core;
extern const struct core_descriptor cortex_r4f_core;
extern const struct core_descriptor xscale1_core, xscale2_core;

#endif

/* The first member of every core model's state; cores/sim.c sets it. */
#ifndef CORES_CORE_H
#define CORES_CORE_H

#include "machine/core_descriptor.h"

struct core {
    const struct armpmu_machine *machine;
    struct trace_reader *reader;             /* drives the model; NULL in tests that need none */
    bool is_ending;                          /* the program ends */
    uint64_t last_read[ARMPMU_SIGNAL_COUNT]; /* of the signals, as of the last read */
    uint64_t *joined;                        /* slices counted these (cores/slices.h); NULL */
};

/* Makes the state of a core model of a machine, which must live as long. code: what the traces name
 * their blocks in; NULL makes a core without a reader, which a test drives by the model's own
 * functions. BAD_CONFIG, NO_MEMORY. The caller frees *out with core_free(); NULL does nothing
 * there. */
enum armpmu_status core_new(const struct core_model *model, const struct armpmu_machine *machine,
                            struct armpmu_code *code, struct core **out, struct armpmu_error *err);
void core_free(const struct core_model *model, struct core *core);

/* Returns whether an access to an address is to data that a replay of armpmu whatif cures: to a
 * block that the thread got itself, or else in a range. */
bool core_cures_data(const struct core *core, uint64_t address);

/* Returns whether an access to an address, of the instruction at pc, is one that a replay cures by
 * CURE_LEVEL1: its lines come into level 1 before it. */
static inline bool core_cures_access(const struct core *core, uint64_t pc, uint64_t address)
{
    const struct cures *const cures = core->machine->cures;

    if (cures == NULL)
        return false;
    if (cures->of_data)
        return cures->kind == CURE_LEVEL1 && core_cures_data(core, address);
    return cures_by(cures, CURE_LEVEL1, pc);
}

/* The parts of a struct armpmu_sim. */
struct core *sim_state_of(const struct armpmu_sim *sim);
const struct core_model *sim_model_of(const struct armpmu_sim *sim);

#endif

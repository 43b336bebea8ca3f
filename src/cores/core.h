/* The first member of every core model's state; cores/sim.c sets it. */
#ifndef CORES_CORE_H
#define CORES_CORE_H

#include "armpmu/sim.h"
#include "machine/core_descriptor.h"

struct core {
    const struct armpmu_machine *machine;
    struct trace_reader *reader;             /* drives the model; NULL in tests that need none */
    bool is_ending;                          /* the program ends */
    uint64_t last_read[ARMPMU_SIGNAL_COUNT]; /* of the signals, as of the last read */
};

/* Makes the state of a core model of a machine, which must live as long. code: what the traces name
 * their blocks in; NULL makes a core without a reader, which a test drives by the model's own
 * functions. BAD_CONFIG, NO_MEMORY. The caller frees *out with core_free(); NULL does nothing
 * there. */
enum armpmu_status core_new(const struct core_model *model, const struct armpmu_machine *machine,
                            struct armpmu_code *code, struct core **out, struct armpmu_error *err);
void core_free(const struct core_model *model, struct core *core);

/* ---- several cores of a machine ---- */

/* Whether cores of the machine share a cache, as one program's threads on them do. */
bool sim_shares(const struct armpmu_machine *machine);

/* The core of a thread that starts joins that of another one: as core_model.share. Of a machine
 * that shares. From then on one thread of the host runs both. */
enum armpmu_status sim_share(struct armpmu_sim *sim, struct armpmu_sim *other, uint64_t start,
                             struct armpmu_error *err);

/* The cycles so far: the signal CPU_CYCLES, for little. */
uint64_t sim_cycles(const struct armpmu_sim *sim);

#endif

/* Several cores of a machine that share a cache, for an engine that chooses the order in which a
 * program's threads run on them. */
#ifndef CORES_SHARING_H
#define CORES_SHARING_H

#include <stdbool.h>

#include "armpmu/sim.h"

/* Returns whether cores of the machine share a cache, as one program's threads on them do. */
bool sim_shares(const struct armpmu_machine *machine);

/* The core of a thread that starts joins that of another one: as core_model.share. Of a machine
 * that shares. From then on one thread of the host runs both. */
enum armpmu_status sim_share(struct armpmu_sim *sim, struct armpmu_sim *other, uint64_t start,
                             struct armpmu_error *err);

/* The cycles so far: the signal CPU_CYCLES, for little. */
uint64_t sim_cycles(const struct armpmu_sim *sim);

#endif

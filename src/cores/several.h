/* One core model that counts for several machines, which differ only in their back ends. The front
 * end (decoder, schedules, predictor, level 1 and its TLBs) runs once for all. The back end runs
 * once for each machine: the contents of level 2 and memory, and their times. The counts are those
 * of a model for each machine. */
#ifndef CORES_SEVERAL_H
#define CORES_SEVERAL_H

#include <stdbool.h>

#include "armpmu/sim.h"

/* Returns whether a model of one machine can count for the other as well. */
bool sim_can_add(const struct armpmu_machine *machine, const struct armpmu_machine *other);

/* Counts for another such machine as well, which must live as long. Before anything runs; of a
 * program, without intervals, a profile, errors or miss maps. Returns ARMPMU_OK, BAD_CONFIG or
 * NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status sim_add_machine(struct armpmu_sim *sim,
                                                   const struct armpmu_machine *machine,
                                                   struct armpmu_error *err);

/* As armpmu_sim_signals, of one of its machines: 0 that which it was made of, then those that were
 * added. */
void sim_signals_of(const struct armpmu_sim *sim, size_t index, uint64_t *signals);

#endif

/* Threads that feed the core models of several machines with the same records.
 *
 *   a trace's thread   run: hands its models over, takes its share, waits for the last
 *   workers            take what is there, of any trace
 *
 * One execution is thus counted on any number of machines, as many at a time as there are
 * processors. No record is stored: the program waits for the slowest model. */
#ifndef QEMU_LAUNCHER_MODEL_POOL_H
#define QEMU_LAUNCHER_MODEL_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"

struct model_pool;

/* Starts n_workers threads beside those that call model_pool_run; as few as none. *out is freed by
 * model_pool_free. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
enum armpmu_status model_pool_new(unsigned n_workers, struct model_pool **out,
                                  struct armpmu_error *err);

/* Feeds each model with the records, as armpmu_sim_run; may be called from several threads, each
 * for models of its own. Returns ARMPMU_OK or what the first model that failed said. */
enum armpmu_status model_pool_run(struct model_pool *pool, struct armpmu_sim *const *sims,
                                  size_t n_sims, const uint64_t *records, size_t n_records,
                                  struct armpmu_error *err);

/* Nothing may run. NULL is fine. */
void model_pool_free(struct model_pool *pool);

#endif

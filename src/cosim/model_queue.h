/* Records of a processor that wait for its core model, which a thread of its own runs.
 *
 *   writer:  records, switch, records, pass   records, pass   records, sync
 *   thread:                                   model runs a chunk ...  -> sums
 *
 * Records are written into a chunk and passed on when it is full; the writer waits only when all
 * chunks are. Who wants to know the counts calls sync: everything has been counted then, the last
 * chunk by the writer itself, so that a short one never waits for a thread to wake up. The sums
 * depend on the records alone, never on who ran them or when. */
#ifndef COSIM_MODEL_QUEUE_H
#define COSIM_MODEL_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"

#define MODEL_QUEUE_SWITCHES 128u /* mode switches that a chunk may have */

struct model_queue;

/* Makes a queue of chunks of this number of records, at least two. sim: borrowed; no one else
 * may run it. Without a thread, or if none can be started, the writer runs everything itself.
 * NULL without memory. */
struct model_queue *model_queue_new(struct armpmu_sim *sim, unsigned n_chunks, size_t n_records,
                                    bool threaded);

/* Ends the thread; what was not synced is lost. NULL is allowed. */
void model_queue_free(struct model_queue *queue);

/* The chunk to write; two records before it may be read. */
uint64_t *model_queue_records(struct model_queue *queue);

/* From record n of the chunk on counts are of the other mode (0 at first, then 1, then 0 ...).
 * False when the chunk can have no more switches: pass it on. */
bool model_queue_mode_switch(struct model_queue *queue, size_t n);

/* Passes a chunk of n records on and begins the next, which model_queue_records gives. The records
 * must end where armpmu_sim_run may end. */
void model_queue_pass(struct model_queue *queue, size_t n);

/* Has everything counted, the n records of the current chunk as well, which is empty then; adds to
 * sums, [mode][signal], what each signal rose by since the last call. */
void model_queue_sync(struct model_queue *queue, size_t n, uint64_t sums[2][ARMPMU_SIGNAL_COUNT]);

/* Why the model refused a record, in *message; ARMPMU_OK when it did not. To be asked after
 * model_queue_pass and model_queue_sync. */
enum armpmu_status model_queue_status(struct model_queue *queue, const char **message);

#endif

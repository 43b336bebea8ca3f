/* Records of a processor that wait for its core model, which a thread of its own feeds.
 *
 *   writer:  model_queue_words   model_queue_mode_switch ...   model_queue_pass   ...
 * model_queue_sync chunk:   [  records written, a few turns  ] -> thread -> model -> sums
 *
 * Records are written into a chunk and passed on when it is full; the writer waits only when all
 * chunks are full. model_queue_sync makes the counts exact: it runs the last chunk in the writer's
 * thread, so that short stretches never wait for a thread to wake up. The sums depend on the
 * records alone, never on who counted them or when. */
#ifndef QEMU_PLUGIN_MODEL_QUEUE_H
#define QEMU_PLUGIN_MODEL_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"

#define MODEL_QUEUE_WORDS 4096u /* a chunk is to be passed on when it has as many */
/* Room after that: what one block of at most 512 instructions may still write, with a MAP record
 * before each access. */
#define MODEL_QUEUE_SLACK 8192u
#define MODEL_QUEUE_TURNS 128u

struct model_queue;

/* sim: borrowed; nobody else may run it. NULL without memory. Without a thread the writer counts
 * everything itself. */
struct model_queue *model_queue_new(struct armpmu_sim *sim);

/* The chunk to write: MODEL_QUEUE_WORDS + MODEL_QUEUE_SLACK records, and two before it that
 * may be read.
 */
uint64_t *model_queue_words(struct model_queue *queue);

/* From record n of the chunk on counts are of the other side (0 at first, then 1, then 0 ...).
 * False when the chunk can have no more turns: pass it on. */
bool model_queue_mode_switch(struct model_queue *queue, size_t n);

/* Passes a chunk of n records on and begins the next, which model_queue_words gives. The records
 * must end where armpmu_sim_run may end. */
void model_queue_pass(struct model_queue *queue, size_t n);

/* Has everything counted, the n records of the current chunk as well, which is empty then; adds to
 * sums, [side][signal], what each signal rose by since it was last called. */
void model_queue_sync(struct model_queue *queue, size_t n, uint64_t sums[2][ARMPMU_SIGNAL_COUNT]);

/* The model's error, NULL for none; valid after model_queue_pass and model_queue_sync. */
const char *model_queue_problem(struct model_queue *queue);

#endif

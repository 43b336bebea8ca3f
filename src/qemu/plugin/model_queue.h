/* Words of a processor that wait for its core model, which a thread of its own feeds.
 *
 *   writer:  backlog_words   backlog_turn ...   backlog_pass   ...   backlog_settle
 *   chunk:   [  records written, a few turns  ] -> thread -> model -> sums
 *
 * Words are written into a chunk and passed on when it is full; the writer waits only when all
 * chunks are. Who wants to know the counts settles: then everything has been counted, the last
 * chunk by the writer itself, so that short stretches never wait for a thread to wake up. The sums
 * depend on the records alone, never on who counted them or when. */
#ifndef QEMU_PLUGIN_MODEL_QUEUE_H
#define QEMU_PLUGIN_MODEL_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"

#define BACKLOG_WORDS 4096u /* a chunk is to be passed on when it has as many */
/* Room behind: what one block of at most 512 instructions may still write, with a MAP word in front
 * of each access. */
#define BACKLOG_SLACK 8192u
#define BACKLOG_TURNS 128u

struct backlog;

/* sim: borrowed; nobody else may run it. NULL without memory. Where no thread can be had the writer
 * counts everything itself. */
struct backlog *backlog_new(struct armpmu_sim *sim);

/* The chunk to write: BACKLOG_WORDS + BACKLOG_SLACK records, and two in front of it that may be
 * read.
 */
uint64_t *backlog_words(struct backlog *backlog);

/* From word n of the chunk on counts are of the other side (0 at first, then 1, then 0 ...). False
 * when the chunk can have no more turns: pass it on. */
bool backlog_turn(struct backlog *backlog, size_t n);

/* Passes a chunk of n records on and begins the next, which backlog_words gives. The records must
 * end where armpmu_sim_run may end. */
void backlog_pass(struct backlog *backlog, size_t n);

/* Has everything counted, the n records of the current chunk as well, which is empty then; adds to
 * sums, [side][signal], what each signal rose by since it was last called. */
void backlog_settle(struct backlog *backlog, size_t n, uint64_t sums[2][ARMPMU_SIGNAL_COUNT]);

/* What the model had against a word, NULL when nothing; to be asked after backlog_pass and
 * backlog_settle. */
const char *backlog_problem(struct backlog *backlog);

#endif

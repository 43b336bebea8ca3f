/* A core model that only counts, on the common path of trace/trace_reader.h. The Cortex-A8 model,
 * which uses positions, must agree with it in every signal that depends on the trace alone. */
#ifndef TESTS_REFERENCE_TRACE_COUNTING_H
#define TESTS_REFERENCE_TRACE_COUNTING_H

#include "armpmu/sim.h"

struct counting;

/* Owned by the caller, freed with counting_free. */
struct counting *counting_new(armpmu_block_lookup lookup, void *user);
void counting_free(struct counting *counting);

void counting_run(struct counting *counting, const uint64_t *records, size_t n_records);
void counting_finish(struct counting *counting, enum armpmu_end end);

/* As armpmu_sim_set_interval, of INST_RETIRED. */
void counting_every(struct counting *counting, uint64_t period, armpmu_interval_fn call,
                    void *user);

/* The signals so far, with the last block counted as executed. */
const uint64_t *counting_signals(struct counting *counting);

/* Fails the test where a core model's signals differ from those; where: said of it. */
void counting_expect(struct counting *counting, const uint64_t *signals, const char *where);

#endif

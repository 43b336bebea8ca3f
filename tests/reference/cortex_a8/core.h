/* A slow Cortex-A8, fed with a trace: an independent check of how the model combines its parts. It
 * looks at one instruction after the other and asks the caches, TLBs and the schedule anew each
 * time: it remembers no schedule, no line known to hit, no way a block was left. The parts
 * themselves are the model's; each has a slow reference of its own (tests/parts,
 * tests/cores/cortex_a8).
 *
 * The way through the stream is trace/trace_reader.h's. */
#ifndef TESTS_REFERENCE_CORTEX_A8_CORE_H
#define TESTS_REFERENCE_CORTEX_A8_CORE_H

#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"

/* Runs the records of a program that ends by itself; signals: ARMPMU_SIGNAL_COUNT. */
void slow_cortex_a8(const struct armpmu_machine *machine, armpmu_block_lookup lookup, void *user,
                    const uint64_t *records, size_t n_records, uint64_t *signals);

#endif

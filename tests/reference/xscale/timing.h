/* A slow XScale that executes one instruction at a time, with its clock; it shares no code with the
 * model. Everything on its way is a list that is looked through from end to end. */
#ifndef TESTS_REFERENCE_XSCALE_TIMING_H
#define TESTS_REFERENCE_XSCALE_TIMING_H

#include "armpmu/catalog.h"
#include "armpmu/machine.h"
#include "../../cores/xscale/random_program.h"

/* Fills signals (ARMPMU_SIGNAL_COUNT of them) with what the steps of a way count. */
void slow_xscale_time(const struct armpmu_machine *machine, const struct way *way,
                      uint64_t *signals);

#endif

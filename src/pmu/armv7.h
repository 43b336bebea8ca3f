/* The common part of the performance monitors of the Cortex-A8 and the Cortex-R4F. */
#ifndef PMU_ARMV7_H
#define PMU_ARMV7_H

#include "pmu/device.h"

/* struct model's wrote: PMNC's actions and software increments. */
void pmu_armv7_wrote(struct armpmu *pmu, const struct armpmu_register *reg, unsigned element,
                     uint64_t written, uint64_t before);

/* Returns whether a counter moves: E, its enable bit, the clock, and the core's rule of what may be
 * observed, which the cycle counter obeys only while DP is one. */
bool pmu_armv7_is_counting(const struct armpmu *pmu, const struct armpmu_counter *counter,
                           bool debug_is_permitted);

/* Returns whether events are put out: X, the clock, and the same rule. */
bool pmu_armv7_is_exporting(const struct armpmu *pmu, bool debug_is_permitted);

/* Returns whether the unit asks for its interrupt: an enabled flag while E is one. */
bool pmu_armv7_is_asserted(const struct armpmu *pmu);

#endif

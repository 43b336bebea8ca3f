/* What the performance monitors of the Cortex-A8 and the Cortex-R4F have in common. */
#ifndef PMU_ARMV7_H
#define PMU_ARMV7_H

#include "pmu/device.h"

/* struct model's wrote: PMNC's actions and software increments. */
void armv7_wrote(struct armpmu *pmu, const struct armpmu_register *reg, unsigned element,
                 uint64_t written, uint64_t before);

/* Whether E and its enable bit let a counter run, and the clock does; debug rules come on top. */
bool armv7_counter_is_enabled(const struct armpmu *pmu, const struct armpmu_counter *counter);

/* Whether the unit asks for its interrupt: an enabled flag while E is one. */
bool armv7_is_asserted(const struct armpmu *pmu);

#endif

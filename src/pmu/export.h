/* Events that leave the unit: the source's callbacks and the event bus. */
#ifndef PMU_EXPORT_H
#define PMU_EXPORT_H

#include "pmu/device.h"

/* Returns whether events are put out and somebody listens. Every post is due then. */
bool pmu_exports(const struct armpmu *pmu);

/* n occurrences of a signal go out. The next clock ends what the event bus shows. */
void pmu_export_events(struct armpmu *pmu, enum armpmu_signal signal, uint32_t n);

#endif

/* Finds registers by encoding or offset, and decides who may access them. */
#ifndef PMU_ACCESS_ACCESS_H
#define PMU_ACCESS_ACCESS_H

#include "pmu/device.h"

struct found {
    const struct armpmu_register *reg; /* NULL: no register has this encoding */
    unsigned element;
    const struct armpmu_encodings *encodings;
};

/* The register element of an instruction's encoding. In a bank that a select register chooses from,
 * element may be beyond the last: such a register reads as zero and ignores writes.
 */
struct found pmu_access_find(const struct armpmu *pmu, struct armpmu_encoding at);

/* The outcome of an access to a register of the activity monitors: the traps in their order. */
enum armpmu_outcome pmu_access_permit_amu(const struct armpmu *pmu, const struct found *found,
                                          bool write);

/* A counter as the current Exception level sees it: CG1RZ and virtual offsets. */
uint64_t pmu_access_view_amu(const struct armpmu *pmu, const struct found *found, uint64_t value);

/* The same of PMUv3, and whether a counter that is named or selected is reached at all; what a
 * write writes, where a part of it is not the access's to change. */
enum armpmu_outcome pmu_access_permit_pmuv3(const struct armpmu *pmu, const struct found *found,
                                            bool write);
bool pmu_access_reaches_pmuv3(const struct armpmu *pmu, const struct found *found);
uint64_t pmu_access_view_pmuv3(const struct armpmu *pmu, const struct found *found, uint64_t value);
uint64_t pmu_access_written_pmuv3(struct armpmu *pmu, const struct found *found, uint64_t value);

#endif

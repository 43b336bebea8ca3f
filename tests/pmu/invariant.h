/* What holds for every device whatever happened to it. */
#ifndef PMU_INVARIANT_H
#define PMU_INVARIANT_H

#include "armpmu/pmu.h"

#define PAIRS_MAX 16

/* The registers that the rules speak of, looked up once for a core. */
struct invariant {
    const struct armpmu_core *core;
    const struct armpmu_register *control, *flag, *interrupt, *val[4];
    const struct armpmu_register *pairs[PAIRS_MAX][2]; /* set and clear */
    unsigned n_pairs;
    bool is_pmuv3;
};

void invariant_start(struct invariant *rules, const struct armpmu_core *core);

/* Each returns NULL, or the name of the line or register that breaks the rule. They look at
 * registers, so counts are exact afterwards. */

/* Every line is what flags and enables say. */
const char *invariant_lines(const struct invariant *rules, struct armpmu *pmu);

/* Reserved bits and bits that only act read as zero. */
const char *invariant_reserved(const struct invariant *rules, struct armpmu *pmu);

/* Registers that set and that clear the same bits read alike. */
const char *invariant_pairs(const struct invariant *rules, struct armpmu *pmu);

#endif

/* A device and its plain reference, given the same operations. */
#ifndef PMU_PAIR_H
#define PMU_PAIR_H

#include "operation.h"
#include "../reference/pmu/reference.h"

struct pair {
    union armpmu_memory memory;
    struct armpmu *pmu;
    struct reference reference;
    struct reference_told told; /* by the device's callbacks */
    bool lines[ARMPMU_OUTPUT_COUNT];
    bool has_snapshot;
    union armpmu_memory snapshot;
    struct reference saved;
    char difference[256]; /* the first one; "" while they agree */
};

/* Makes both. Returns false, with a difference, when the device refuses the configuration. */
bool pair_create(struct pair *pair, const struct armpmu_config *config);

/* Does it on both. Returns false, with a difference, when they do not agree in the outcome, the
 * value, a line, or what the callbacks were told. */
bool pair_do(struct pair *pair, const struct operation *operation);

#endif

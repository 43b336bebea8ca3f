/* The values that a formula of measured.def may name: a value that the program printed, a value of
 * the base machine, or a feature of a curve, for instance the size above which a cache misses. */
#ifndef CLI_BENCH_FEATURES_H
#define CLI_BENCH_FEATURES_H

#include "armpmu/machine.h"
#include "cli/bench/measurements.h"

struct features {
    const struct measurements *measured;
    const struct armpmu_machine *base;
    char why[128]; /* a name has no value, of the last one; "" */
};

/* In thousandths of cycles, bytes or entries; false, with the reason in why, without a value.
 * user: the struct features. */
bool feature_value(void *user, const char *name, int64_t *value);

#endif

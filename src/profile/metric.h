/* What a derived figure is. */
#ifndef PROFILE_METRIC_H
#define PROFILE_METRIC_H

#include "armpmu/catalog.h"

/* above, below: the counts of its numerator and of its denominator, which is not zero. */
static inline double metric_value(const struct armpmu_metric *metric, uint64_t above,
                                  uint64_t below)
{
    const double slots = metric->slots != 0 ? metric->slots : 1;

    return metric->factor * ((double)above / (double)below) / slots;
}

#endif

/* The cores, each defined in a file of its name. */
#ifndef CATALOG_CORES_H
#define CATALOG_CORES_H

#include "armpmu/catalog.h"

extern const struct armpmu_core catalog_core_cortex_a8;
extern const struct armpmu_core catalog_core_cortex_r4f;
extern const struct armpmu_core catalog_core_xscale1;
extern const struct armpmu_core catalog_core_xscale2;
extern const struct armpmu_core catalog_core_amuv1;

#endif

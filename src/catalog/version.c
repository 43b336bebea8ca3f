#include "armpmu/catalog.h"

const char *const armpmu_version = ARMPMU_VERSION;

#include "armpmu/catalog.h"

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

const char *const armpmu_version =
    TEXT(ARMPMU_VERSION_MAJOR) "." TEXT(ARMPMU_VERSION_MINOR) "." TEXT(ARMPMU_VERSION_PATCH);

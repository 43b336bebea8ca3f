/* Filling in struct armpmu_error without a C library. */
#ifndef PMU_ERROR_FORMAT_H
#define PMU_ERROR_FORMAT_H

#include "armpmu/status.h"

/* Writes the message to error (which may be NULL) and returns status. The format knows %s, %u and
 * %x, both of unsigned, and %%. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
enum armpmu_status
pmu_refuse(struct armpmu_error *error, enum armpmu_status status, const char *format, ...);

#endif

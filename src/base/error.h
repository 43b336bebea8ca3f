/* Filling in struct armpmu_error. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "armpmu/status.h"

/* Writes the formatted message to err (which may be NULL) and returns status. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
enum armpmu_status
fail(struct armpmu_error *err, enum armpmu_status status, const char *format, ...);

/* Writes "out of memory for WHAT" and returns ARMPMU_NO_MEMORY. */
enum armpmu_status fail_no_memory(struct armpmu_error *err, const char *what);

#endif

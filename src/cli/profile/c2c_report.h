/* `armpmu report --c2c`: the cache lines that cores take from each other, as `perf c2c` shows them:
 * who uses which of their bytes, and whether threads share these bytes (true sharing) or only the
 * line (false sharing). */
#ifndef CLI_PROFILE_C2C_REPORT_H
#define CLI_PROFILE_C2C_REPORT_H

#include <stdio.h>

#include "cli/table/table_options.h"
#include "profile/profile.h"

/* Prints the lines of at least limit percent of all transfers, and their uses. Returns ARMPMU_OK,
 * ARMPMU_NO_MEMORY, or ARMPMU_BAD_INPUT where the profile has no accesses. */
ARMPMU_MUST_USE enum armpmu_status c2c_report(const struct profile *profile, double limit,
                                              const struct table_options *options, FILE *stream,
                                              struct armpmu_error *err);

#endif

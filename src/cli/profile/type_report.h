/* `armpmu annotate --data-type`: the members of each structure by offset, with the data accesses of
 * record --mem to them. */
#ifndef CLI_PROFILE_TYPE_REPORT_H
#define CLI_PROFILE_TYPE_REPORT_H

#include <stdio.h>

#include "cli/table/table.h"
#include "profile/profile.h"

/* Prints the types that have at least limit percent of all refills or accesses, or with a name the
 * one that has it, with "struct" or without. Returns ARMPMU_OK, ARMPMU_NO_MEMORY, ARMPMU_NOT_FOUND,
 * or ARMPMU_BAD_INPUT where the profile has no accesses. */
ARMPMU_MUST_USE enum armpmu_status type_report(const struct profile *profile, const char *name,
                                               double limit, const struct table_options *options,
                                               FILE *stream, struct armpmu_error *err);

#endif

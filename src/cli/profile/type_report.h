/* `armpmu annotate --data-type`: the members of each structure by offset, with the data accesses of
 * record --mem to them. */
#ifndef CLI_PROFILE_TYPE_REPORT_H
#define CLI_PROFILE_TYPE_REPORT_H

#include <stdio.h>

#include "cli/table/table.h"
#include "profile/profile.h"

/* The types to print: the one with a name, with "struct" or without, or, if that is NULL, those
 * with at least limit percent of all refills or accesses. */
struct type_choice {
    const char *name;
    double limit;
    const struct table_options *options;
};

/* Returns ARMPMU_OK, ARMPMU_NO_MEMORY, ARMPMU_NOT_FOUND, or ARMPMU_BAD_INPUT if the profile has no
 * accesses. */
ARMPMU_MUST_USE enum armpmu_status type_report(const struct profile *profile,
                                               const struct type_choice *choice, FILE *stream,
                                               struct armpmu_error *err);

#endif

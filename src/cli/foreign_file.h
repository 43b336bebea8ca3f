/* Profiles and traces of other users, which armpmu refuses, as perf does: their author chose every
 * name and number in them. */
#ifndef CLI_FOREIGN_FILE_H
#define CLI_FOREIGN_FILE_H

#include <stdbool.h>

#include "armpmu/status.h"

#define FOREIGN_FILE_ROW(type, member)                                                             \
    {                                                                                              \
        'f', "force", NULL, "also read a file of another user", OPTION_FLAG_TO(type, member)       \
    }

/* Checks that the file is this user's, or root's, or is forced. If it cannot be looked at, its
 * reader says why. Returns ARMPMU_OK or ARMPMU_NOT_ALLOWED. */
ARMPMU_MUST_USE enum armpmu_status foreign_file_check(const char *path, bool force,
                                                      struct armpmu_error *err);

#endif

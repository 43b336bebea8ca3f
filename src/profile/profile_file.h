/* armpmu.data: a profile as an SQLite database, so that `sqlite3` answers what no command of armpmu
 * does. docs/data.md has the schema, which is versioned.
 *
 * A file is written beside its target and renamed when it is whole: whoever stops armpmu finds the
 * old file or the new one. A file that is read is untrusted: every number in it is checked. */
#ifndef PROFILE_PROFILE_FILE_H
#define PROFILE_PROFILE_FILE_H

#include "profile/profile.h"

#define PROFILE_FILE_DEFAULT "armpmu.data"
#define PROFILE_FILE_VERSION 1 /* of the schema: user_version of the database */

/* Replaces what is at path. Returns ARMPMU_OK, ARMPMU_NOT_ALLOWED, ARMPMU_NOT_FOUND (no such
 * folder), ARMPMU_IO (a full disk) or ARMPMU_NO_MEMORY; then path is as it was. */
ARMPMU_MUST_USE enum armpmu_status profile_file_write(const struct profile *profile,
                                                      const char *path, struct armpmu_error *err);

/* *out is freed by profile_free, NULL on failure. Returns ARMPMU_OK, ARMPMU_NOT_FOUND,
 * ARMPMU_NOT_ALLOWED, ARMPMU_BAD_INPUT (no armpmu.data, one of a later armpmu, or a damaged one),
 * ARMPMU_IO or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status profile_file_read(const char *path, struct profile **out,
                                                     struct armpmu_error *err);

#endif

/* armpmu.data: a profile as an SQLite database, so that `sqlite3` answers what no command of armpmu
 * does. docs/data.md has the schema, which is versioned; profile_schema.def is it.
 *
 * The database is made and read in memory: what reaches the disk is the whole file at once, by
 * whoever opened the stream (cli/output.h renames it when it is whole), and no journal or change
 * beside the file matters. A file that is read is untrusted: every number in it is checked.
 *
 * Leaves out: profiles of which the file does not fit into memory. */
#ifndef PROFILE_PROFILE_FILE_H
#define PROFILE_PROFILE_FILE_H

#include <stdio.h>

#include "profile/profile.h"

#define PROFILE_FILE_DEFAULT        "armpmu.data"
#define PROFILE_FILE_APPLICATION_ID 0x4152504du /* "ARPM" */
#define PROFILE_FILE_VERSION        6u          /* of the schema: user_version of the database */

/* Writes the file to a stream; whether all of it arrived is for the owner of the stream to see.
 * Every function has a name (symbols_resolve). Returns ARMPMU_OK or ARMPMU_NO_MEMORY, then without
 * having written. */
ARMPMU_MUST_USE enum armpmu_status profile_file_write(const struct profile *profile, FILE *stream,
                                                      struct armpmu_error *err);

/* *out is freed by profile_free, NULL on failure. Returns ARMPMU_OK, ARMPMU_NOT_FOUND,
 * ARMPMU_NOT_ALLOWED, ARMPMU_BAD_INPUT (no armpmu.data, one of a later armpmu, or a damaged one),
 * ARMPMU_IO or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status profile_file_read(const char *path, struct profile **out,
                                                     struct armpmu_error *err);

#endif

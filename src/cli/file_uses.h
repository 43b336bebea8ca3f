/* Checks that no output file is also an input or another output, under whatever name. */
#ifndef CLI_FILE_USES_H
#define CLI_FILE_USES_H

#include <stdbool.h>
#include <stddef.h>

#include "armpmu/status.h"

/* A use of a file by a command. */
struct file_use {
    const char *what; /* "--vcd", "the program" */
    const char *path; /* NULL: not used */
    bool written;
};

/* Looks for two uses of one file, also through links and under names of a file that does not exist
 * yet, of which one writes. Pipes, terminals and devices may be used twice. Returns ARMPMU_OK or
 * ARMPMU_BAD_CONFIG. */
ARMPMU_MUST_USE enum armpmu_status file_uses_check(const struct file_use *uses, size_t n,
                                                   struct armpmu_error *err);

#endif

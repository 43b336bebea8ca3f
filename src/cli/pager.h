/* Where a text longer than a terminal goes. */
#ifndef CLI_PAGER_H
#define CLI_PAGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "armpmu/status.h"

/* Writes text to the file of -o; without one (NULL) shows it in $ARMPMU_PAGER, else $PAGER, else
 * less, where wants_pager and standard output is a terminal, as git(1) does; else prints it to out.
 * An empty name of a pager, or cat, is none. Returns ARMPMU_OK or what cli/output.h returns. */
ARMPMU_MUST_USE enum armpmu_status pager_deliver(const char *text, size_t size, const char *path,
                                                 bool wants_pager, FILE *out,
                                                 struct armpmu_error *err);

/* Of the terminal; 0: it is none, or does not know. */
unsigned pager_columns(int fd);

#endif

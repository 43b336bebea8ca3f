/* Fields of separated values. */
#ifndef CLI_TABLE_CSV_H
#define CLI_TABLE_CSV_H

#include <stdio.h>

#include "armpmu/status.h"

/* Prints a field, fit to print as base/printable.h has it: one that holds the separator or a quote
 * is quoted as RFC 4180 says. */
void csv_field(const char *field, const char *separator, FILE *stream);

/* The separator that an option names. Borrowed or static. Returns ARMPMU_OK or ARMPMU_BAD_CONFIG.
 */
ARMPMU_MUST_USE enum armpmu_status csv_separator(const char *option, const char *value,
                                                 const char **separator, struct armpmu_error *err);

#endif

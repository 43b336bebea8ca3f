/* A table of counts that was printed as CSV: the programs and machines of a sweep in rows, with the
 * names of its columns first. Printed in the other formats. */
#ifndef CLI_REPORT_SWEEP_TABLE_H
#define CLI_REPORT_SWEEP_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "armpmu/status.h"

enum sweep_format { SWEEP_TEXT, SWEEP_CSV, SWEEP_JSON, SWEEP_SQLITE };

/* text: RFC 4180 with '\n' at the ends of lines, n_bytes of it. Prints it to stream, nothing of
 * nothing; as SQLITE the bytes of a database with a table "sweep" of the same rows, whose columns
 * of numbers are integers. Returns ARMPMU_OK, ARMPMU_BAD_INPUT for rows that differ in length, or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status sweep_table_print(const char *text, size_t n_bytes,
                                                     enum sweep_format format, FILE *stream,
                                                     struct armpmu_error *err);

#endif

/* The manual page. */
#ifndef CLI_REPORT_MANUAL_H
#define CLI_REPORT_MANUAL_H

#include <stdbool.h>
#include <stdio.h>

/* Returns false when there is no memory for a part of it. */
bool manual_print(FILE *out);

#endif

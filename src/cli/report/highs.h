/* What of a section is high enough to be told in words. */
#ifndef CLI_REPORT_HIGHS_H
#define CLI_REPORT_HIGHS_H

#include <stdio.h>

#include "cli/report/report.h"

/* Prints the metrics that are highest by highs.def, three at most, each with what a high value
 * means: "High: 15.94 MPKI (L1D_CACHE_REFILL): data cache misses cost much of the run.", and an
 * empty line after them. Nothing where none is high. */
void highs_print(const struct report *report, const struct report_section *section, FILE *stream);

#endif

/* The report of `armpmu whatif`: a row for each trial, the one that saves most first. */
#ifndef CLI_RUN_WHATIF_H
#define CLI_RUN_WHATIF_H

#include <stdio.h>

#include "armpmu/catalog.h"
#include "cli/table/table.h"
#include "cli/run/whatif_trials.h"

/* All pointers are borrowed. */
struct whatif_report {
    const char *machine, *program;
    const struct whatif_trials *ideals, *cures;
    uint64_t cycles;   /* of the run as it was */
    const char *early; /* why the counts are not of the whole run; NULL: they are */
};

/* Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status whatif_print(const struct whatif_report *report,
                                                const struct table_options *options, FILE *stream,
                                                struct armpmu_error *err);

#endif

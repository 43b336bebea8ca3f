/* --baseline: compares the run of armpmu stat with a saved one. */
#ifndef CLI_RUN_BASELINE_H
#define CLI_RUN_BASELINE_H

#include <stdio.h>

#include "cli/profile/comparison.h"
#include "cli/event_list.h"
#include "cli/options.h"
#include "cli/run/region.h"
#include "cli/run/report.h"

struct baseline_options {
    const char *file; /* NULL: none */
    struct option_list limits;
    unsigned format; /* enum table_format */
};

#define BASELINE_ROWS_TO(type, field)                                                              \
    {.help = "Comparison", .kind = OPTION_HEADING},                                                \
        {0,                                                                                        \
         "baseline",                                                                               \
         "FILE",                                                                                   \
         "compare with a run of 'armpmu stat -j -o FILE' or 'armpmu record'; the default events "  \
         "are those of FILE",                                                                      \
         OPTION_TEXT_TO(type, field.file),                                                         \
         .completes = COMPLETE_FILE},                                                              \
        {0, "fail-above", "NAME=PCT",                                                              \
         "exit status 3 if this event or metric rose by more; may be given several times",         \
         OPTION_LIST_TO(type, field.limits)},                                                      \
    {                                                                                              \
        0, "baseline-format", "FORMAT",                                                            \
            "format of the comparison: text, csv, json, md, or github (annotations)",              \
            OPTION_CHOICE_TO(type, field.format, diff_formats)                                     \
    }

struct baseline {
    const struct baseline_options *options;
    struct comparison comparison;
    const struct region *region; /* of the run, with --regions; borrowed */
};

/* Reads the file into a zeroed baseline, which borrows the options; baseline_close in any case.
 * Returns ARMPMU_OK, ARMPMU_BAD_CONFIG or what diff_side_read returns. */
ARMPMU_MUST_USE enum armpmu_status baseline_open(struct baseline *baseline,
                                                 const struct baseline_options *options,
                                                 struct armpmu_error *err);
void baseline_close(struct baseline *baseline);

/* Adds the events of the file that the core has. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status baseline_events(const struct baseline *baseline,
                                                   const struct armpmu_core *core,
                                                   struct event_list *list,
                                                   struct armpmu_error *err);

/* Checks, before the run, that limits are on events of the list, or on metrics whose events are
 * counted here and were there. Returns ARMPMU_OK or ARMPMU_NOT_FOUND. */
ARMPMU_MUST_USE enum armpmu_status baseline_check(const struct baseline *baseline,
                                                  const struct armpmu_core *core,
                                                  const struct event_list *list,
                                                  struct armpmu_error *err);

/* Compares, if there is a file, and prints to the stream; the comparison's has_failed says
 * whether a limit was passed. A run that did not end is not compared, which is said. Returns
 * ARMPMU_OK, ARMPMU_NO_MEMORY, ARMPMU_BAD_INPUT or ARMPMU_NOT_FOUND. */
ARMPMU_MUST_USE enum armpmu_status baseline_compare(struct baseline *baseline,
                                                    const struct report *report,
                                                    const struct report_tally *tally, FILE *stream,
                                                    struct armpmu_error *err);

#endif

/* Compares a run with another one, with limits on increases: for armpmu diff and armpmu stat
 * --baseline. */
#ifndef CLI_PROFILE_COMPARISON_H
#define CLI_PROFILE_COMPARISON_H

#include <stdbool.h>

#include "cli/options.h"
#include "cli/profile/diff_report.h"

struct comparison {
    struct diff diff;
    struct diff_limits limits;
    bool has_failed; /* something rose by more than its limit */
};

/* Reads what --fail-above was given: "NAME=PERCENT". comparison_free in any case. Returns
 * ARMPMU_OK, ARMPMU_BAD_CONFIG or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status comparison_limits(struct comparison *comparison,
                                                     const struct option_list *limits,
                                                     struct armpmu_error *err);

/* Checks the limits on a diff that was made, and warns of what cannot be compared. Returns
 * ARMPMU_OK or ARMPMU_NOT_FOUND. */
ARMPMU_MUST_USE enum armpmu_status comparison_judge(struct comparison *comparison,
                                                    struct armpmu_error *err);

/* Returns whether $GITHUB_ACTIONS is "true". */
bool comparison_is_on_github(void);

/* Says on standard error what rose: a sentence for each, or, on GitHub and if the format is
 * another, its annotations. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status comparison_say(const struct comparison *comparison,
                                                  enum table_format format,
                                                  struct armpmu_error *err);

void comparison_free(struct comparison *comparison);

#endif

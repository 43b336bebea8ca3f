/* The last line of `armpmu stat`: where most of the cycles went, and of the event that cost most.
 */
#ifndef CLI_CMD_HOT_SPOT_H
#define CLI_CMD_HOT_SPOT_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/cmd/record_setup.h"
#include "profile/collect.h"
#include "qemu/engine.h"

struct hot_spot {
    const struct armpmu_event **events; /* the cycles, then what may cost */
    size_t n_events;
    struct profile_collection *collection; /* NULL: it is not wanted */
};

/* Whether a program's file has names for its code; of one that is looked for in PATH, that is not
 * known: true. */
bool hot_spot_has_names(const char *program);

/* Makes a zeroed one ready to collect. hot_spot_close in any case. Returns ARMPMU_OK or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status
hot_spot_open(struct hot_spot *spot, const struct armpmu_core *core, struct armpmu_error *err);
void hot_spot_close(struct hot_spot *spot);

/* After the run; result: NULL of firmware. Prints nothing where no function has a name. Returns
 * ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status hot_spot_print(struct hot_spot *spot,
                                                  const struct record_run *run,
                                                  const struct engine_result *result,
                                                  const char *sysroot, FILE *stream,
                                                  struct armpmu_error *err);

#endif

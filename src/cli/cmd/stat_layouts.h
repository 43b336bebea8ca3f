/* The layouts of `armpmu stat --layouts`: other places of code and pages in each run. */
#ifndef CLI_CMD_STAT_LAYOUTS_H
#define CLI_CMD_STAT_LAYOUTS_H

#include <stdint.h>

#include "armpmu/machine.h"
#include "armpmu/status.h"
#include "cli/cmd/stat_options.h"

/* How far the code of a run lies behind its own addresses, in bytes: 0 to 8 instructions. */
uint64_t stat_layout_offset(unsigned run);

/* The machine of a run, whose seed is the chosen one's plus the number of the run; the caller frees
 * it. Returns as machine_choice_load. */
ARMPMU_MUST_USE enum armpmu_status stat_layout_machine(const struct stat_options *options,
                                                       const struct armpmu_machine *chosen,
                                                       unsigned run, struct armpmu_machine **out,
                                                       struct armpmu_error *err);

#endif

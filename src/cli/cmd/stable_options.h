/* --stable and --env: fixed surroundings of the program. */
#ifndef CLI_CMD_STABLE_OPTIONS_H
#define CLI_CMD_STABLE_OPTIONS_H

#include <stdbool.h>

#include "cli/options.h"
#include "qemu/engine.h"

struct stable_options {
    bool is_stable;
    struct option_list variables; /* "NAME=VALUE" */
};

#define STABLE_ROWS_TO(type, field)                                                                \
    {0, "stable", NULL,                                                                            \
     "fix the program's environment, stack and path, so that counts do not depend on the "         \
     "caller's variables and folder",                                                              \
     OPTION_FLAG_TO(type, field.is_stable)},                                                       \
    {                                                                                              \
        0, "env", "NAME=VALUE", "with --stable: also set this variable for the program",           \
            OPTION_LIST_TO(type, field.variables)                                                  \
    }

/* Passes the options on. Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
ARMPMU_MUST_USE enum armpmu_status stable_options_apply(const struct stable_options *options,
                                                        struct engine_job *job,
                                                        struct armpmu_error *err);

#endif

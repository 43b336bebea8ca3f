/* --debuginfod, of the commands that name functions. */
#ifndef CLI_PROFILE_DEBUGINFOD_OPTION_H
#define CLI_PROFILE_DEBUGINFOD_OPTION_H

#include "armpmu/status.h"
#include "cli/options.h"

enum armpmu_status debuginfod_set(void *unused, const char *option, const char *value,
                                  struct armpmu_error *err);

#define DEBUGINFOD_ROW                                                                             \
    {                                                                                              \
        0, "debuginfod", NULL,                                                                     \
            "get debug information from the servers of $DEBUGINFOD_URLS, which receive build IDs", \
            .kind = OPTION_CALL, .set = debuginfod_set                                             \
    }

#endif

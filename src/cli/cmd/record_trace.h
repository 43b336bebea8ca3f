/* `armpmu record --trace`: writes what a program executes, for `armpmu replay`. */
#ifndef CLI_CMD_RECORD_TRACE_H
#define CLI_CMD_RECORD_TRACE_H

#include <stdbool.h>

#include "armpmu/status.h"
#include "cli/cmd/stable_options.h"

/* All pointers are borrowed. */
struct record_trace {
    const char *path;    /* of the trace */
    const char *machine; /* option; only its emulated processor matters */
    const char *sysroot, *qemu;
    const struct stable_options *stable;
    bool keep_running, no_inherit, quiet;
    double timeout_seconds;
    char *const *program; /* and its arguments, NULL-terminated */
};

/* Returns the exit status of the command; where it is one of armpmu's own, err says why. */
int record_trace(const struct record_trace *options, struct armpmu_error *err);

#endif

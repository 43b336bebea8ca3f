/* The options of `armpmu guest`. */
#ifndef CLI_RUN_GUEST_OPTIONS_H
#define CLI_RUN_GUEST_OPTIONS_H

#include <stdbool.h>

#include "cli/run/guest_devices.h"
#include "cli/run/stat_options.h"

struct guest_options {
    struct stat_options report; /* what `armpmu stat` has too; its program is QEMU */
    char irq[GUEST_IRQ_BYTES];  /* as the plugin takes it: "gic:132"; "": usual one */
    char amu[GUEST_AMU_BYTES];  /* the same: "enabled+v1p1"; "" for the usual unit */
    const char *frame;          /* where the memory-mapped view is; NULL: nowhere */
    const char *accesses;       /* where the guest's accesses are listed; NULL: nowhere */
    bool per_cpu;
    bool print_args;
};

extern const struct option_row guest_rows[];

#endif

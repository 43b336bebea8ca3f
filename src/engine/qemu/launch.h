/* Starting the guest and waiting for it. */
#ifndef ENGINE_QEMU_LAUNCH_H
#define ENGINE_QEMU_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/status.h"

struct launch {
    const char *qemu, *plugin, *sysroot; /* sysroot "" for none */
    const char *ring;                    /* path of the shared memory */
    const char *program;                 /* path of the file to run */
    const char *const *argv;             /* as the person typed it, NULL-terminated */
};

struct launched {
    int32_t pid;
    int wait_status;
    bool interrupted; /* a SIGINT or SIGQUIT came while the guest ran */
};

/* Runs the guest to its end. It gets the caller's signal dispositions and mask. While it runs,
 * interrupts from the terminal are left to it, and SIGTERM, SIGHUP and interrupts sent by another
 * process are passed on to it. Not reentrant: signal handlers need a place of their own.
 * Returns ARMPMU_OK, ARMPMU_NO_MEMORY or ARMPMU_NOT_ALLOWED. */
enum armpmu_status launch_and_wait(const struct launch *launch, struct launched *out,
                                   struct armpmu_error *err);

#endif

/* Starting the guest and waiting for it. */
#ifndef QEMU_LAUNCHER_LAUNCH_H
#define QEMU_LAUNCHER_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "qemu/ring/ring.h"
#include "qemu/launcher/run_watch.h"
#include "machine/core_descriptor.h"

struct launch {
    struct run_watch *watch;                   /* NULL: no watcher */
    const char *qemu, *cpu, *plugin, *sysroot; /* sysroot "" for none */
    const struct core_descriptor *core;
    struct ring *ring;
    const char *program;     /* path of the file to run */
    const char *const *argv; /* as the person typed it, NULL-terminated */
    const char *const
        *environment; /* its variables, with a stack of STABLE_STACK_BYTES; NULL: the caller's */
    bool names_files; /* the recorder says which file code is from */
    bool tells_allocations; /* and which blocks of memory the program gets */
    bool keep_running;      /* when armpmu is killed */
    bool only_first;        /* the recorder leaves out children */
    enum engine_only only;
};

struct launched {
    int32_t pid;
    int wait_status;
    int interrupted; /* the signal to armpmu that ended the guest, 0: none */
};

/* Runs the guest to its end, in the foreground; see foreground.h for its signals.
 * Returns ARMPMU_OK, ARMPMU_NO_MEMORY or ARMPMU_NOT_ALLOWED. */
enum armpmu_status launch_and_wait(const struct launch *launch, struct launched *out,
                                   struct armpmu_error *err);

#endif

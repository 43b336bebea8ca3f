/* A program in the foreground: it has the caller's terminal, streams and signals. */
#ifndef QEMU_LAUNCHER_FOREGROUND_H
#define QEMU_LAUNCHER_FOREGROUND_H

#include <stdint.h>

#include "armpmu/status.h"

struct foreground {
    const char *const *argv;        /* argv[0]: a path */
    const char *const *environment; /* NULL: the caller's */
    uint64_t stack_bytes;           /* soft limit of its stack; 0: the caller's */
    int output, error;              /* in place of the caller's streams; 0: those */
    int kept;         /* a descriptor it gets besides the standard streams, -1: none */
    int death_signal; /* the signal it gets when armpmu is killed; 0: it continues */
    unsigned look_ms; /* how often look is called while the program runs; 0: never */
    void (*look)(void *user);
    void *user;
    int32_t pid; /* set by foreground_start */
};

/* Starts the program. It gets the caller's signal dispositions and mask; while it runs, interrupts
 * from the terminal are left to it, and SIGTERM, SIGHUP and interrupts sent by another process are
 * passed on to it (base/termination.h). One at a time: signal handlers need a place of their own.
 * Returns ARMPMU_OK, ARMPMU_NO_MEMORY or ARMPMU_NOT_ALLOWED; foreground_wait follows an OK. */
enum armpmu_status foreground_start(struct foreground *program, struct armpmu_error *err);

/* Waits for the program's end. Returns its wait status. */
int foreground_wait(const struct foreground *program);

/* The termination signal that ended a program with this wait status, if it came to armpmu or cut
 * the run short; 0: the program's end is its own. */
int foreground_interrupted(int wait_status);

#endif

/* A program in the foreground: it has the caller's terminal, streams and signals. */
#ifndef ENGINE_QEMU_FOREGROUND_H
#define ENGINE_QEMU_FOREGROUND_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "armpmu/status.h"

#define FOREGROUND_SIGNALS 4

struct foreground {
    int32_t pid;
    struct sigaction before[FOREGROUND_SIGNALS]; /* what the caller does with its signals */
};

struct foreground_end {
    int wait_status;
    bool interrupted; /* a SIGINT or SIGQUIT came while the program ran */
};

/* Starts argv[0], a path. The program gets the caller's signal dispositions and mask, and the file
 * descriptor `kept` besides the standard streams (-1: none). While it runs, interrupts from the
 * terminal are left to it, and SIGTERM, SIGHUP and interrupts sent by another process are passed on
 * to it. One at a time: signal handlers need a place of their own.
 * Returns ARMPMU_OK, ARMPMU_NO_MEMORY or ARMPMU_NOT_ALLOWED; foreground_wait follows an OK. */
enum armpmu_status foreground_start(struct foreground *program, const char *const *argv, int kept,
                                    struct armpmu_error *err);

/* Waits for the program's end. */
void foreground_wait(struct foreground *program, struct foreground_end *end);

#endif

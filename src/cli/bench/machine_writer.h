/* Writes a machine file from measurements: the base, with the keys that the core's measured.def
 * computes, each marked as measured. What could not be measured stays as in the base, and the file
 * says why. */
#ifndef CLI_BENCH_MACHINE_WRITER_H
#define CLI_BENCH_MACHINE_WRITER_H

#include <stdio.h>

#include "armpmu/machine.h"
#include "cli/bench/measurements.h"

struct machine_writer {
    const struct measurements *measured;
    const char *path;                  /* of the measurements */
    const struct armpmu_machine *base; /* its core is one that is measured */
    const char *base_name;             /* as the file is to have it */
    const char *name;                  /* of the machine */
    FILE *stream;
    /* Told of each key that could not be measured: printf's format. */
    bool (*note)(const char *format, ...);
};

/* Returns how many keys were measured. */
unsigned machine_write(const struct machine_writer *writer);

#endif

/* The engine for bare-metal programs, which a build may lack. */
#ifndef UNICORN_FIRMWARE_RUN_H
#define UNICORN_FIRMWARE_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cosim/run.h"

/* Memory that firmware finds beside its segments. */
struct engine_firmware_ram {
    uint64_t address;
    uint64_t n_bytes;
};

#define ENGINE_RAM_MAX 8u

/* The host's services that Arm semihosting gives the program. */
enum engine_semihosting {
    ENGINE_SEMIHOSTING_CONSOLE, /* console, clock, command line, exit */
    ENGINE_SEMIHOSTING_FILES,   /* the files below semihosting_root as well */
    ENGINE_SEMIHOSTING_OFF,     /* nothing: its calls are exceptions of the core */
};

/* The part of a run that only firmware needs. All pointers are borrowed for the call. */
struct firmware_setup {
    struct engine_firmware_ram ram[ENGINE_RAM_MAX];
    bool has_load; /* the program is not at fixed addresses, and goes to: */
    uint64_t load;
    unsigned n_ram;            /* 0: 64 MiB around the program */
    uint64_t devices;          /* address of the console and interrupt controller; 0: the usual */
    uint64_t max_insns;        /* 0: no limit */
    const char *amu;           /* of AArch64: activity monitors, "v1p1+group1:5"; NULL: the usual */
    uint64_t frame;            /* address of their memory-mapped view; 0: nowhere */
    bool caches_on;            /* as boot code leaves them: SCTLR.C, I and Z are set */
    unsigned highest_level;    /* of AArch64: highest Exception level, 1 to 3; 0 means 3 */
    const char *const *pins;   /* NULL-terminated: "PMUEXTIN0=every:1000c", "DBGEN=0" */
    const char *const *faults; /* NULL-terminated: "dcache-data-ecc@0x1000" */
    enum engine_semihosting semihosting;
    const char *semihosting_root; /* of FILES: their folder */
    bool watch_accesses;          /* look at each when it happens: slower, and the same counts */
    FILE *trace;                  /* of accesses to the monitor, NULL: none */
    FILE *vcd;                    /* for waves, NULL: none; the owner of both checks them */
    const char *gdb; /* HOST:PORT where gdb is waited for, before the program runs; NULL: no gdb.
                      * With watch_accesses */
    void (*tell)(
        const char *sentence); /* called with what a waiting user should know; may be NULL */
};

/* Runs a program to its end, as one thread of one process; argv: the program and what semihosting
 * shows as its arguments. Its semihosting has the caller's standard streams.
 * Returns ARMPMU_OK (whatever the program did), ARMPMU_NOT_FOUND, ARMPMU_NOT_ALLOWED,
 * ARMPMU_BAD_INPUT (no such program), ARMPMU_BAD_CONFIG (the machine's core cannot run it, a pin or
 * fault that does not exist, no folder for semihosting, no Unicorn library), ARMPMU_NO_MEMORY or
 * ARMPMU_IO. */
ARMPMU_MUST_USE enum armpmu_status
engine_firmware_run(const struct run *run, struct run_result *out, struct armpmu_error *err);

/* The library that executes firmware. */
struct engine_firmware_library {
    char path[4096], version[16];
    const char *standing; /* whether armpmu is tested with that version */
};

/* Checks whether the engine is there: ARMPMU_OK, or ARMPMU_BAD_CONFIG with how to get it. */
ARMPMU_MUST_USE enum armpmu_status engine_firmware_ready(struct engine_firmware_library *out,
                                                         struct armpmu_error *err);

/* Returns whether a file is an Arm program that needs no operating system: no loader, no note of an
 * operating system, no stack that one would have to give. False when it cannot be read. */
bool engine_firmware_is(const char *path);

#endif

/* Bare-metal programs: an engine of its own, which may be missing. */
#ifndef UNICORN_FIRMWARE_RUN_H
#define UNICORN_FIRMWARE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "armpmu/profile.h"
#include "armpmu/sim.h"

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

#define ENGINE_REFUSALS_MAX  8u
#define ENGINE_REFUSAL_BYTES 256u

/* A program to run. All pointers are borrowed for the call. */
struct engine_firmware_job {
    const struct armpmu_machine *machine;
    const char *const *argv; /* the program and what semihosting shows as its arguments */
    struct engine_firmware_ram ram[ENGINE_RAM_MAX];
    bool has_load; /* the program is not at fixed addresses, and goes to: */
    uint64_t load;
    unsigned n_ram;            /* 0: 64 MiB around the program */
    uint64_t devices;          /* address of the console and interrupt controller; 0: the usual */
    uint64_t max_insns;        /* 0: no limit */
    double timeout_seconds;    /* of the host; 0: none */
    const char *amu;           /* of AArch64: activity monitors, "v1p1+group1:5"; NULL: the usual */
    uint64_t frame;            /* address of their memory-mapped view; 0: nowhere */
    bool caches_on;            /* as boot code leaves them: SCTLR.C, I and Z are set */
    unsigned highest_level;    /* of AArch64: highest Exception level, 1 to 3; 0 stands for 3 */
    const char *const *pins;   /* NULL-terminated: "PMUEXTIN0=every:1000c", "DBGEN=0" */
    const char *const *faults; /* NULL-terminated: "dcache-data-ecc@0x1000" */
    enum engine_semihosting semihosting;
    const char *semihosting_root; /* of FILES: their folder */
    bool watch_accesses;          /* look at each when it happens: slower, and the same counts */
    FILE *trace;                  /* of accesses to the monitor, NULL: none */
    FILE *vcd;                    /* for waves, NULL: none; the owner of both checks them */
    const char *gdb; /* HOST:PORT where gdb is waited for, before the program runs; NULL: no gdb.
                      * With watch_accesses */
    void (*tell)(const char *sentence); /* what somebody who waits should know; NULL: nobody does */
    enum armpmu_signal every;           /* interval clock: CPU_CYCLES or INST_RETIRED */
    uint64_t period;                    /* 0: no intervals */
    /* Called at the end of each interval, count from 1, with the tallies since the start. */
    void (*on_interval)(void *user, uint64_t count, const uint64_t *signals);
    /* With a profile: called when the program has ended, with its core model as after
     * armpmu_sim_finish. */
    enum armpmu_profile_detail profile;
    bool maps_misses; /* which has maps of its caches' misses */
    enum armpmu_status (*on_profile)(void *user, struct armpmu_sim *sim, struct armpmu_error *err);
    const struct armpmu_region *region; /* the profile's; NULL: everywhere */
    /* Called about once a second while the program runs, from its thread; NULL: nobody looks.
     * Seconds of the host, cycles and instructions. */
    void (*on_progress)(void *user, double seconds, uint64_t cycles, uint64_t insns);
    /* Called before the program runs, with a sentence about what may go wrong. NULL: nobody minds.
     */
    void (*warn)(const char *sentence);
    void *user;
};

enum engine_firmware_end {
    ENGINE_FIRMWARE_EXIT,        /* by itself, with a status */
    ENGINE_FIRMWARE_FAULT,       /* it cannot go on */
    ENGINE_FIRMWARE_LIMIT,       /* max_insns */
    ENGINE_FIRMWARE_TIMEOUT,     /* timeout_seconds */
    ENGINE_FIRMWARE_INTERRUPTED, /* a termination signal came to armpmu */
    ENGINE_FIRMWARE_FAILED,      /* armpmu itself cannot continue: no memory */
};

struct engine_firmware_result {
    enum engine_firmware_end end;
    int status;      /* of EXIT */
    bool returned;   /* EXIT: from its entry function, with R0 as its status */
    int interrupted; /* the signal of INTERRUPTED */
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
    uint64_t insns;    /* that began executing */
    int console_cause; /* why text of the program was lost, as errno has it; 0 */
    /* Where it ended, unless by itself. */
    char reason[768];
    char advice[384];     /* what it ran into, and what to do; "" where nothing is known */
    uint64_t r[32];       /* R0 to R15; X0 to X30 and the PC */
    unsigned n_registers; /* 16 or 32, of 4 or 8 bytes */
    unsigned register_bytes;
    uint64_t pc, lr;
    uint32_t processor_status;            /* what status_name says */
    const char *status_name;              /* "CPSR" */
    char symbol[128], return_symbol[128]; /* of the PC and of the LR, "" for none */
    /* Refused requests of its semihosting: a printable line each, and how many more. */
    char refused[ENGINE_REFUSALS_MAX][ENGINE_REFUSAL_BYTES];
    unsigned n_refused;
    uint64_t n_refused_more;
};

/* Runs a program to its end. Its semihosting has the caller's standard streams.
 * Returns ARMPMU_OK (whatever the program did), ARMPMU_NOT_FOUND, ARMPMU_NOT_ALLOWED,
 * ARMPMU_BAD_INPUT (no such program), ARMPMU_BAD_CONFIG (the machine's core cannot run it, a pin or
 * fault that does not exist, no folder for semihosting, no Unicorn library), ARMPMU_NO_MEMORY or
 * ARMPMU_IO. */
ARMPMU_MUST_USE enum armpmu_status engine_firmware_run(const struct engine_firmware_job *job,
                                                       struct engine_firmware_result *out,
                                                       struct armpmu_error *err);

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

/* The interface that an emulator provides: a CPU's registers and memory, where its execution
 * continues, and its execution trace.
 *
 *     emulator            pmu_insn.c                       monitor, core model
 *     MRC reached  ---->  read_reg, write_reg, read_mem    armpmu_read, armpmu_write
 *                         retire, sync               ----> the trace
 *     continues      <----  skip or raise
 *
 * `cpu` is always the emulator's own. */
#ifndef COSIM_EMULATED_CPU_H
#define COSIM_EMULATED_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/pmu.h"
#include "armpmu/sim.h"
#include "cosim/monitors.h"

struct sysreg_insn;

/* An instruction that execution has reached. */
struct cosim_insn {
    enum armpmu_isa isa;
    uint32_t word; /* T32 with its first halfword high */
    uint64_t address;
    uint32_t status;    /* CPSR or PSTATE */
    const void *origin; /* the emulator's own record of it */
};

/* A word that an instruction accesses in memory. */
struct cosim_data {
    uint32_t address;
    bool write;
};

/* The actions of an instruction in place of its work. */
struct cosim_exception {
    enum { COSIM_UNDEFINED, COSIM_TRAP, COSIM_DATA_ABORT } kind;
    unsigned level;         /* COSIM_TRAP: the Exception level that it is taken to, */
    uint64_t syndrome;      /* and its ESR_ELx */
    struct cosim_data data; /* COSIM_DATA_ABORT */
};

struct emulated_cpu_ops {
    /* R0 to R14, X0 to X30; the CPSR. */
    uint64_t (*read_reg)(void *cpu, unsigned reg);
    void (*write_reg)(void *cpu, unsigned reg, uint64_t value);
    void (*write_cpsr)(void *cpu, uint32_t value);

    /* A word at a virtual address. False when there is no memory. */
    bool (*read_mem)(void *cpu, uint32_t address, uint32_t *word);
    bool (*write_mem)(void *cpu, uint32_t address, uint32_t word);

    /* Execution continues after the instruction; or it takes an exception, and is traced as the
     * block that does. Either may not return. */
    void (*skip)(void *cpu, const struct cosim_insn *insn);
    void (*raise)(void *cpu, const struct cosim_insn *insn, const struct cosim_exception *what);

    /* The instruction executes, as a block of its own in the trace; data: NULL
     * when it accesses no memory. */
    void (*retire)(void *cpu, const struct cosim_insn *insn, const struct cosim_data *data);
    /* Returns when all of the trace is counted. */
    void (*sync)(void *cpu);

    /* The monitor's pins show the CPU's state. */
    void (*show_state)(void *cpu, uint32_t status);
    /* NULL, or: the monitor is about to be written to. */
    void (*before_write)(void *cpu, const struct armpmu_encoding *at);
    /* The monitor was written to. */
    void (*changed)(void *cpu);
    /* NULL, or: the access is over, but for skip() or raise(); value: read or written, 0 when it
     * was refused. Not of an access whose memory is missing. */
    void (*accessed)(void *cpu, const struct cosim_insn *insn, const struct sysreg_insn *sysreg,
                     enum armpmu_outcome outcome, uint64_t value);
};

struct emulated_cpu {
    const struct emulated_cpu_ops *ops;
    void *cpu;
    struct monitors *monitors;
    bool has_fine_traps, has_el3; /* of AArch64 */
};

#endif

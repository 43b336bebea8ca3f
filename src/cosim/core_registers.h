/* CHOICE(core-registers): registers of a core that are not its monitor's, as its manual has them
 * where emulators differ: who it is, what start-up code sets, and those of other monitors, which
 * are Undefined.
 *
 * Does not model: what the bits that are stored would change. */
#ifndef COSIM_CORE_REGISTERS_H
#define COSIM_CORE_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/pmu.h"
#include "armpmu/sim.h"

#define CORE_REGISTERS_MAX 128u

/* Their values, by row. */
struct core_registers {
    uint64_t value[CORE_REGISTERS_MAX];
};

/* As after a reset. */
void core_registers_reset(struct core_registers *registers, const struct armpmu_machine *machine);

/* The row of the core's register at an encoding; -1: the emulator has it as the core does. */
int core_registers_find(const struct armpmu_core *core, const struct armpmu_encoding *at);

/* Reads or writes one from an Exception level (1: privileged AArch32). False: it is Undefined. */
bool core_registers_access(struct core_registers *registers, int row, bool is_read, unsigned level,
                           bool is_nonsecure, uint64_t *value);

#endif

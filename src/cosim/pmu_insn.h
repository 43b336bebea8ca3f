/* Instructions that access the performance monitor: taken over from the emulator, answered by the
 * device.
 *
 * Counts are exact at the instruction: everything before it has been counted when the device is
 * read or written.
 *
 * CHOICE(guest-own-count): the instruction itself counts as if a write took effect when it has
 * retired and a read before. */
#ifndef COSIM_PMU_INSN_H
#define COSIM_PMU_INSN_H

#include "cosim/emulated_cpu.h"

/* Returns whether an instruction is an access to the core's monitor: MRC, MCR, MRRC, MCRR, LDC,
 * STC; MRS, MSR, of AArch64 also of HAFGRTR_EL2, which exists only beside activity monitors. */
bool pmu_insn_is(const struct armpmu_core *core, enum armpmu_isa isa, uint32_t word);

/* The same of any of a processor's monitors. */
bool pmu_insn_is_of(const struct monitor_cores *cores, enum armpmu_isa isa, uint32_t word);

/* Executes one whose condition passes; all before it has been counted. May not return, as skip()
 * and raise(). */
void pmu_insn_execute(const struct emulated_cpu *cpu, const struct cosim_insn *insn);

/* The Exception level that an outcome traps to, 0 for none, and what ESR_ELx says of the trapped
 * access; of AArch64. */
unsigned pmu_insn_trap_level(enum armpmu_outcome outcome);
uint64_t pmu_insn_syndrome(const struct sysreg_insn *sysreg, enum armpmu_outcome outcome);

/* The core's register at an encoding, and which element of it; NULL for none. */
const struct armpmu_register *pmu_insn_register(const struct armpmu_core *core,
                                                const struct armpmu_encoding *at,
                                                unsigned *element);

#endif

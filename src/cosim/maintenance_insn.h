/* System instructions that a core model must be told about: writes of CONTEXTIDR that depend on a
 * condition (in T32 all: an IT block says), switching address translation on and off, maintenance
 * of TLBs, caches and branch prediction. */
#ifndef COSIM_MAINTENANCE_INSN_H
#define COSIM_MAINTENANCE_INSN_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/sim.h"

/* The most events of one kind that a record can mean: cycles of an access that misses everything.
 */
#define EVENTS_PER_RECORD 512u

/* Returns whether an instruction is one of these; word: T32 with its first halfword high. */
bool maintenance_insn_is(enum armpmu_isa isa, uint32_t word);

/* The records that follow the block of an instruction that writes `value`; unused ones are left as
 * they are. */
void maintenance_insn_records(enum armpmu_isa isa, uint32_t word, uint32_t value,
                              uint64_t words[2]);

/* Returns what is off while SCTLR has this value. */
uint64_t maintenance_insn_control(uint32_t sctlr);

/* Returns whether an event of the core is about masked interrupts. */
bool maintenance_insn_has_masks(const struct armpmu_core *core);

/* The bits that the model is told when the CPSR has become this: the bits of ARMPMU_SYSTEM_MASKS.
 */
unsigned maintenance_insn_masks(uint32_t cpsr);

#endif

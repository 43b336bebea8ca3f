/* The AArch64 state that the monitors see: Exception level, Security state, and the
 * controls of higher levels. */
#ifndef COSIM_EL_STATE_H
#define COSIM_EL_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "cosim/monitors.h"

/* Registers that the processor does not have are zero. */
struct el_state {
    uint32_t pstate;
    bool el2_enabled; /* in the current Security state */
    uint64_t hcr_el2, scr_el3, cptr_el2, cptr_el3;
    bool hcr_amvoffen, scr_amvoffen;
    uint64_t mdcr_el2, mdcr_el3, hdfgrtr_el2, hdfgwtr_el2;
};

/* Tells the devices. */
void el_state_show(struct monitors *monitors, const struct el_state *state);

/* ---- who takes an exception ----
 *
 * pmu_insn.c has it for accesses that a monitor refuses. */

enum el_exception { EL_SYNCHRONOUS, EL_EXTERNAL_ABORT, EL_IRQ, EL_FIQ };

/* Where the processor is, and the controls of higher levels; those of a level that it does not
 * have, or has not enabled, are zero. */
struct el_routing {
    unsigned level;
    uint64_t hcr_el2, scr_el3;
};

/* Returns the Exception level that takes one: of an interrupt it may be a lower one, then it waits.
 */
unsigned el_state_target(const struct el_routing *from, enum el_exception what);

/* ARMPMU_EXCEPTION_ kind of a synchronous exception, by its syndrome as ESR_ELx has it. */
unsigned el_state_exception_kind(uint64_t syndrome);

/* The same of an exception of a kind that a level takes, with ARMPMU_EXCEPTION_TRAPPED. */
unsigned el_state_taken_kind(unsigned kind, unsigned level);

#endif

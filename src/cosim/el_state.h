/* Where an access to the activity monitors comes from: Exception level and the controls of higher
 * ones. */
#ifndef COSIM_EL_STATE_H
#define COSIM_EL_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/pmu.h"

/* Registers that the processor does not have are zero. */
struct el_state {
    uint32_t pstate;
    bool el2_enabled; /* in the current Security state */
    uint64_t hcr_el2, scr_el3, cptr_el2, cptr_el3;
    bool hcr_amvoffen, scr_amvoffen;
};

/* Tells the device. */
void el_state_show(struct armpmu *pmu, const struct el_state *state);

#endif

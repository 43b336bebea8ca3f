#include "cosim/el_state.h"

#include <stddef.h>

#include "armpmu/trace.h"
#include "base/arm.h"

/* Pins that are a bit of a register. Source: ARM DDI 0487, the registers named. */
static const struct {
    enum armpmu_pin pin;
    size_t reg;
    unsigned lsb;
} bits[] = {
    {ARMPMU_PIN_HCR_TGE, offsetof(struct el_state, hcr_el2), 27},
    {ARMPMU_PIN_HCR_E2H, offsetof(struct el_state, hcr_el2), 34},
    {ARMPMU_PIN_HCR_NV, offsetof(struct el_state, hcr_el2), 42},
    {ARMPMU_PIN_HCR_NV2, offsetof(struct el_state, hcr_el2), 45},
    {ARMPMU_PIN_SCR_FGTEN, offsetof(struct el_state, scr_el3), 27},
    {ARMPMU_PIN_CPTR_EL2_TAM, offsetof(struct el_state, cptr_el2), 30},
    {ARMPMU_PIN_CPTR_EL3_TAM, offsetof(struct el_state, cptr_el3), 30},
    {ARMPMU_PIN_NONSECURE, offsetof(struct el_state, scr_el3), 0},
};

void el_state_show(struct monitors *monitors, const struct el_state *state)
{
    monitors_set_pin(monitors, ARMPMU_PIN_EL, pstate_level(state->pstate));
    monitors_set_pin(monitors, ARMPMU_PIN_EL2_ENABLED, state->el2_enabled);
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        const uint64_t *const reg = (const uint64_t *)((const char *)state + bits[i].reg);
        monitors_set_pin(monitors, bits[i].pin, *reg >> bits[i].lsb & 1);
    }
    monitors_set_pin(monitors, ARMPMU_PIN_SCR_AMVOFFEN, state->scr_amvoffen);
    monitors_set_pin(monitors, ARMPMU_PIN_HCR_AMVOFFEN, state->hcr_amvoffen);
    monitors_set_pin(monitors, ARMPMU_PIN_MDCR_EL2, state->mdcr_el2);
    monitors_set_pin(monitors, ARMPMU_PIN_MDCR_EL3, state->mdcr_el3);
    monitors_set_pin(monitors, ARMPMU_PIN_HDFGRTR, state->hdfgrtr_el2);
    monitors_set_pin(monitors, ARMPMU_PIN_HDFGWTR, state->hdfgwtr_el2);
}

unsigned el_state_exception_kind(uint64_t syndrome)
{
    switch (syndrome >> ESR_EC_LSB & 0x3f) {
    case EC_SVC:
        return ARMPMU_EXCEPTION_CALL;
    case EC_HVC:
        return ARMPMU_EXCEPTION_HYPERVISOR_CALL;
    case EC_SMC:
        return ARMPMU_EXCEPTION_MONITOR_CALL;
    case EC_FETCH:
    case EC_FETCH + 1:
        return ARMPMU_EXCEPTION_FETCH_ABORT;
    case EC_DATA:
    case EC_DATA + 1:
        return ARMPMU_EXCEPTION_DATA_ABORT;
    }
    return ARMPMU_EXCEPTION_OTHER;
}

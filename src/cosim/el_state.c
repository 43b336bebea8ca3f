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

/* Source: ARM DDI 0487, the pseudocode of taking each exception. */
unsigned el_state_target(const struct el_routing *from, enum el_exception what)
{
    static const struct {
        uint64_t scr, hcr; /* bits that route it to EL3, and to EL2 */
        unsigned below;    /* the level from which EL2 does not get it; 4: it goes down, too */
    } routes[] = {[EL_SYNCHRONOUS] = {0, 0, 1},
                  [EL_EXTERNAL_ABORT] = {SCR_EA, HCR_TEA, 2},
                  [EL_IRQ] = {SCR_IRQ, HCR_IMO, 4},
                  [EL_FIQ] = {SCR_FIQ, HCR_FMO, 4}};
    const unsigned below = routes[what].below;

    if (from->scr_el3 & routes[what].scr)
        return 3;
    if (from->level < below && (from->hcr_el2 & (routes[what].hcr | HCR_TGE)))
        return 2;
    return below == 4 || from->level == 0 ? 1 : from->level;
}

unsigned el_state_taken_kind(unsigned kind, unsigned level)
{
    return kind | (level > 1 ? ARMPMU_EXCEPTION_TRAPPED : 0u);
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

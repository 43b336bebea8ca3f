/* The origin of a register access: Exception level, execution state, and the implemented higher
 * levels. */
#ifndef PMU_ACCESS_LEVELS_H
#define PMU_ACCESS_LEVELS_H

#include "pmu/access/access.h"

struct visit {
    const struct armpmu *pmu;
    const struct found *found;
    unsigned el;
    bool aarch32;
    bool el2_enabled; /* implemented, and enabled in the current Security state */
    bool has_el3;
};

/* An access from an Exception level of a unit that has EL2 and EL3 or not. */
struct visit pmu_access_visit(const struct armpmu *pmu, const struct found *found, unsigned el,
                              bool has_el2, bool has_el3);

static inline bool visit_pin(const struct visit *visit, enum armpmu_pin pin)
{
    return pin_is_high(visit->pmu, pin);
}

/* Above AArch64 everything is AArch64. */
static inline bool visit_el1_is_aarch32(const struct visit *visit)
{
    return visit->aarch32 && (visit->el == 1 || visit_pin(visit, ARMPMU_PIN_EL1_AARCH32));
}

static inline bool visit_el2_is_aarch32(const struct visit *visit)
{
    return visit->aarch32 && visit_pin(visit, ARMPMU_PIN_EL2_AARCH32);
}

/* {E2H, TGE} is {1, 1}: what runs in EL0 belongs to a host in EL2. */
static inline bool visit_is_in_host(const struct visit *visit)
{
    return visit->el2_enabled && !visit_el2_is_aarch32(visit) &&
           visit_pin(visit, ARMPMU_PIN_HCR_E2H) && visit_pin(visit, ARMPMU_PIN_HCR_TGE);
}

/* Returns whether HSTR traps an access to this primary register. */
bool pmu_access_hstr_traps(const struct visit *visit, unsigned primary);

/* The outcome of an access from EL0 that a user enable register does not allow. */
enum armpmu_outcome pmu_access_refuse_user(const struct visit *visit);

#endif

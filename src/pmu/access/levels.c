#include "pmu/access/levels.h"

/* c4 and c14 have no bit. */
#define HSTR_NO_BITS (UINT64_C(1) << 4 | UINT64_C(1) << 14)

struct visit pmu_access_visit(const struct armpmu *pmu, const struct found *found, unsigned el,
                              bool has_el2, bool has_el3)
{
    return (struct visit){
        .pmu = pmu,
        .found = found,
        .el = el,
        .aarch32 = found->encodings->first.access != ARMPMU_ACCESS_MSR,
        .el2_enabled = has_el2 && pin_is_high(pmu, ARMPMU_PIN_EL2_ENABLED),
        .has_el3 = has_el3,
    };
}

bool pmu_access_hstr_traps(const struct visit *visit, unsigned primary)
{
    const uint64_t hstr = visit->pmu->state.pin[ARMPMU_PIN_HSTR] & ~HSTR_NO_BITS;

    if (!visit->aarch32 || !visit->el2_enabled || (visit->el == 0 && visit_is_in_host(visit)))
        return false;
    return hstr >> primary & 1;
}

enum armpmu_outcome pmu_access_refuse_user(const struct visit *visit)
{
    const bool to_el2 = visit->el2_enabled && visit_pin(visit, ARMPMU_PIN_HCR_TGE);

    if (!visit_el1_is_aarch32(visit))
        return to_el2 ? ARMPMU_TRAP_EL2 : ARMPMU_TRAP_EL1;
    if (!to_el2)
        return ARMPMU_UNDEFINED;
    return visit_el2_is_aarch32(visit) ? ARMPMU_UNDEFINED_TO_EL2 : ARMPMU_TRAP_EL2;
}

/* --- The syndrome for an exception handler -------------------------------------------------------
 */

unsigned armpmu_exception_class(enum armpmu_outcome outcome, enum armpmu_access access)
{
    if (outcome != ARMPMU_TRAP_EL1 && outcome != ARMPMU_TRAP_EL2 && outcome != ARMPMU_TRAP_EL3)
        return 0x00;
    switch (access) {
    case ARMPMU_ACCESS_MSR:
        return 0x18;
    case ARMPMU_ACCESS_MCR:
        return 0x03;
    case ARMPMU_ACCESS_MCRR:
        return 0x04;
    case ARMPMU_ACCESS_LDC:
        return 0x06;
    case ARMPMU_ACCESS_EXT32:
    case ARMPMU_ACCESS_EXT64:
        break;
    }
    return 0x00;
}

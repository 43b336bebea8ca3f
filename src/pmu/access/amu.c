/* Who may use the activity monitors, and what they see: the traps in the order of the manual.
 *
 * An access by MRS or MSR is one from AArch64, by MRC, MCR, MRRC or MCRR one from AArch32: the
 * pins of the Exception levels above have their values. Source: ARM DDI 0487, the accessibility
 * pseudocode of the activity monitors registers. */
#include "pmu/access/levels.h"

#define AMUSERENR_EN (UINT64_C(1) << 0)

/* HSTR: the primary register of MRC and MCR is CRn, of MRRC and MCRR CRm. */
#define HSTR_CRN 13

/* Where the offset registers lie, from VNCR_EL2's address. */
#define NESTED_OFFSETS 0xa00u

/* CHOICE(amu-missing-level): an Exception level that is not implemented means the next one
 * above, or the highest. */
static unsigned current_el(const struct armpmu *pmu)
{
    const unsigned highest = pmu->config.amu.highest_el;
    const unsigned el = (unsigned)pmu->state.pin[ARMPMU_PIN_EL];

    if (el > highest)
        return highest;
    return el == 2 && pmu->config.amu.without_el2 ? 3 : el;
}

static struct visit visit_of(const struct armpmu *pmu, const struct found *found)
{
    return pmu_access_visit(pmu, found, current_el(pmu), !pmu->config.amu.without_el2,
                            pmu->config.amu.highest_el == 3);
}

/* --- The single traps ------------------------------------------------------------------------ */

static bool cptr_el3_traps(const struct visit *visit)
{
    return visit->has_el3 && !(visit->aarch32 && visit_pin(visit, ARMPMU_PIN_EL3_AARCH32)) &&
           visit_pin(visit, ARMPMU_PIN_CPTR_EL3_TAM);
}

static bool hstr_traps(const struct visit *visit)
{
    const struct armpmu_encoding at =
        armpmu_encoding_of(visit->found->encodings, visit->found->element);

    return pmu_access_hstr_traps(visit, at.access == ARMPMU_ACCESS_MCRR ? at.crm : HSTR_CRN);
}

/* The register's bit of HAFGRTR_EL2 as a mask, none where it has no bit. */
static uint64_t fine_trap_bit(const struct found *found)
{
    const struct armpmu_register *const reg = found->reg;
    const unsigned n = found->element;

    switch (reg->slot) {
    case ARMPMU_SLOT_ENABLE:
        return UINT64_C(1) << (reg->slot_lsb == 0 ? 0 : 17);
    case ARMPMU_SLOT_COUNT:
        return UINT64_C(1) << (1 + n);
    case ARMPMU_SLOT_COUNT + GROUP1_FIRST:
        return UINT64_C(1) << (18 + 2 * n);
    case ARMPMU_SLOT_EVENT + GROUP1_FIRST:
        return UINT64_C(1) << (19 + 2 * n);
    default:
        return 0;
    }
}

/* AArch32 code meets these traps in EL0 under AArch64 only. */
static bool fine_traps(const struct visit *visit)
{
    if (visit->pmu->config.amu.without_fine_traps || !visit->el2_enabled ||
        visit_el1_is_aarch32(visit) || (visit->el == 0 && visit_is_in_host(visit)))
        return false;
    if (visit->has_el3 && !visit_pin(visit, ARMPMU_PIN_SCR_FGTEN))
        return false;
    return visit->pmu->state.pin[ARMPMU_PIN_HAFGRTR] & fine_trap_bit(visit->found);
}

static bool cptr_el2_traps(const struct visit *visit)
{
    return visit->el2_enabled && visit_pin(visit, ARMPMU_PIN_CPTR_EL2_TAM);
}

/* --- Their order ----------------------------------------------------------------------------- */

static enum armpmu_outcome pass_traps(const struct visit *visit)
{
    const bool user_is_asked = visit->found->reg->permission != ARMPMU_PERMIT_AMUSERENR;

    if (visit->el == 3)
        return ARMPMU_DONE;
    /* CHOICE(amu-debug-priority): where Debug state forbids the trap to EL3, that comes first. */
    if (cptr_el3_traps(visit) && visit_pin(visit, ARMPMU_PIN_EL3_DEBUG_UNDEF))
        return ARMPMU_UNDEFINED;
    if (visit->el == 0 && user_is_asked &&
        !(visit->pmu->state.slot[ARMPMU_SLOT_USER] & AMUSERENR_EN))
        return pmu_access_refuse_user(visit);
    if (visit->el <= 1 && (hstr_traps(visit) || cptr_el2_traps(visit) || fine_traps(visit)))
        return ARMPMU_TRAP_EL2;
    return cptr_el3_traps(visit) ? ARMPMU_TRAP_EL3 : ARMPMU_DONE;
}

static bool is_fixed_event(const struct visit *visit)
{
    return visit->found->reg->slot == ARMPMU_SLOT_EVENT + GROUP1_FIRST &&
           (visit->pmu->config.amu.group1_fixed >> visit->found->element & 1);
}

/* Writes meet no trap but HSTR: below the highest Exception level they are Undefined. */
static enum armpmu_outcome permit_highest(const struct visit *visit)
{
    if (visit->el == 1 && hstr_traps(visit))
        return ARMPMU_TRAP_EL2;
    if (visit->el != visit->pmu->config.amu.highest_el || is_fixed_event(visit))
        return ARMPMU_UNDEFINED;
    return ARMPMU_DONE;
}

/* The virtual offsets: EL2's own registers. */
static enum armpmu_outcome permit_offset(const struct visit *visit)
{
    const bool el3_refuses = visit->has_el3 && (visit_pin(visit, ARMPMU_PIN_CPTR_EL3_TAM) ||
                                                !visit_pin(visit, ARMPMU_PIN_SCR_AMVOFFEN));

    if (visit->el == 0)
        return ARMPMU_UNDEFINED;
    if (visit->el == 1) {
        if (!visit->el2_enabled || !visit_pin(visit, ARMPMU_PIN_HCR_NV))
            return ARMPMU_UNDEFINED;
        return visit_pin(visit, ARMPMU_PIN_HCR_NV2) ? ARMPMU_REDIRECTED : ARMPMU_TRAP_EL2;
    }
    if (visit->el == 3 || !el3_refuses)
        return ARMPMU_DONE;
    return visit_pin(visit, ARMPMU_PIN_EL3_DEBUG_UNDEF) ? ARMPMU_UNDEFINED : ARMPMU_TRAP_EL3;
}

enum armpmu_outcome pmu_access_permit_amu(const struct armpmu *pmu, const struct found *found,
                                          bool write)
{
    const struct visit visit = visit_of(pmu, found);
    const bool exists = armpmu_has_register(pmu, found->reg, found->element);

    /* CHOICE(amu-reserved-index): Undefined comes before any trap.
     * CHOICE(amu-other-state): AArch32 has no MRS and MSR, AArch64 no MRC and MCR. */
    if (!exists || (write && !found->reg->writable) ||
        visit.aarch32 != pin_is_high(pmu, ARMPMU_PIN_AARCH32))
        return ARMPMU_UNDEFINED;
    if (found->reg->permission == ARMPMU_PERMIT_AMU_OFFSET)
        return permit_offset(&visit);
    if (!write)
        return pass_traps(&visit);
    if (found->reg->permission != ARMPMU_PERMIT_AMUSERENR)
        return permit_highest(&visit);
    return visit.el == 0 ? ARMPMU_UNDEFINED : pass_traps(&visit);
}

/* --- A counter as it is seen --------------------------------------------------------------- */

/* Returns whether a guest runs whose counters are shifted.
 * CHOICE(amu-aarch32-offset): in AArch32 as well, under an EL2 in AArch64. */
static bool is_shifted(const struct visit *visit)
{
    return visit->pmu->config.amu.v1p1 && visit->el <= 1 && visit->el2_enabled &&
           !visit_el2_is_aarch32(visit) && !visit_is_in_host(visit) &&
           visit_pin(visit, ARMPMU_PIN_HCR_AMVOFFEN) &&
           (!visit->has_el3 || visit_pin(visit, ARMPMU_PIN_SCR_AMVOFFEN));
}

/* A counter without an offset register keeps zero in the place of one. */
uint64_t pmu_access_view_amu(const struct armpmu *pmu, const struct found *found, uint64_t value)
{
    const struct visit visit = visit_of(pmu, found);
    const unsigned slot = found->reg->slot;

    if (slot != ARMPMU_SLOT_COUNT && slot != ARMPMU_SLOT_COUNT + GROUP1_FIRST)
        return value;
    if (slot != ARMPMU_SLOT_COUNT && (pmu->state.slot[ARMPMU_SLOT_CONTROL] & AMCR_CG1RZ) &&
        visit.el != pmu->config.amu.highest_el)
        return 0;
    const unsigned offset = slot + found->element - ARMPMU_SLOT_COUNT + ARMPMU_SLOT_OFFSET;
    return is_shifted(&visit) ? value - pmu->state.slot[offset] : value;
}

unsigned armpmu_nested_offset(struct armpmu_encoding at)
{
    return NESTED_OFFSETS + 8 * ((at.crm & 3u) << 3 | at.op2);
}

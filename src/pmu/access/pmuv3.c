/* Who may use the registers of PMUv3, and what they see: the traps in the order of the manual.
 *
 * Source: ARM DDI 0487, the accessibility pseudocode of the Performance Monitors registers. */
#include "pmu/access/levels.h"
#include "pmu/pmuv3.h"

#define USER_EN (UINT64_C(1) << 0)
#define USER_SW (UINT64_C(1) << 1)
#define USER_CR (UINT64_C(1) << 2)
#define USER_ER (UINT64_C(1) << 3)

/* MDCR_EL2 and MDCR_EL3 */
#define EL2_TPMCR (UINT64_C(1) << 5)
#define EL2_TPM   (UINT64_C(1) << 6)
#define EL3_TPM   (UINT64_C(1) << 6)

/* The primary register of MRC and MCR: c9, and c14 of the arrays, which HSTR has no bit for; of
 * MRRC and MCRR CRm, c9. */
#define HSTR_ARRAYS 14
#define HSTR_OTHERS 9

static struct visit visit_of(const struct armpmu *pmu, const struct found *found)
{
    return pmu_access_visit(pmu, found, pmu_pmuv3_el(pmu), !pmu->config.pmuv3.without_el2,
                            pmu->config.pmuv3.highest_el == 3);
}

static bool is_control(const struct armpmu_register *reg)
{
    return reg->slot == ARMPMU_SLOT_CONTROL;
}

/* PMEVCNTR<n> and PMEVTYPER<n>, named or selected. */
static bool is_of_a_counter(const struct armpmu_register *reg)
{
    return reg->slot == ARMPMU_SLOT_COUNT || reg->slot == ARMPMU_SLOT_EVENT;
}

/* Event counters that the access reaches. */
static unsigned reached(const struct visit *visit)
{
    return visit->el <= 1 && visit->el2_enabled ? pmu_pmuv3_first_reserved(visit->pmu)
                                                : visit->pmu->config.pmuv3.counters;
}

/* --- The single traps ------------------------------------------------------------------------ */

static bool user_may(const struct visit *visit, bool write)
{
    const uint64_t user = visit->pmu->state.slot[ARMPMU_SLOT_USER];

    switch (visit->found->reg->permission) {
    case ARMPMU_PERMIT_PMUV3_CYCLES:
        return (user & USER_EN) || (!write && (user & USER_CR));
    case ARMPMU_PERMIT_PMUV3_COUNTS:
        return (user & USER_EN) || (!write && (user & USER_ER));
    case ARMPMU_PERMIT_PMUV3_SELECT:
        return user & (USER_EN | USER_ER);
    case ARMPMU_PERMIT_PMUV3_SWINC:
        return user & (USER_EN | USER_SW);
    case ARMPMU_PERMIT_PMUV3_USER:
        return true;
    default:
        return user & USER_EN;
    }
}

static bool hstr_traps(const struct visit *visit)
{
    const struct armpmu_encoding *const first = &visit->found->encodings->first;
    const bool array = first->access == ARMPMU_ACCESS_MCR && first->crn == HSTR_ARRAYS;

    return pmu_access_hstr_traps(visit, array ? HSTR_ARRAYS : HSTR_OTHERS);
}

/* Bits of HDFGRTR_EL2 and HDFGWTR_EL2, by slot; a bank's first element is for all. */
static const struct {
    uint8_t slot, bit;
    bool reads, writes;
} fine_bits[] = {
    {ARMPMU_SLOT_COUNT, 12, true, true},
    {ARMPMU_SLOT_EVENT, 13, true, true},
    {ARMPMU_SLOT_EVENT + PMUV3_COUNTERS, 14, true, true},
    {ARMPMU_SLOT_CYCLES, 15, true, true},
    {ARMPMU_SLOT_ENABLE, 16, true, true},
    {ARMPMU_SLOT_INTERRUPT, 17, true, true},
    {ARMPMU_SLOT_FLAG, 18, true, true},
    {ARMPMU_SLOT_SELECT, 19, true, true},
    {ARMPMU_SLOT_NONE, 20, false, true},
    {ARMPMU_SLOT_CONTROL, 21, false, true},
    {ARMPMU_SLOT_MACHINE, 22, true, false},
    {ARMPMU_SLOT_USER, 57, true, true},
    {ARMPMU_SLOT_EVENT_IDS, 58, true, false},
    {ARMPMU_SLOT_EVENT_IDS + 1, 58, true, false},
};

static uint64_t fine_trap_bit(const struct armpmu_register *reg, bool write)
{
    for (size_t i = 0; i < sizeof fine_bits / sizeof fine_bits[0]; i++)
        if (fine_bits[i].slot == reg->slot && (write ? fine_bits[i].writes : fine_bits[i].reads))
            return UINT64_C(1) << fine_bits[i].bit;
    return 0;
}

/* AArch32 code meets these traps in EL0 under AArch64 only. */
static bool fine_traps(const struct visit *visit, bool write)
{
    const uint64_t traps = visit->pmu->state.pin[write ? ARMPMU_PIN_HDFGWTR : ARMPMU_PIN_HDFGRTR];

    if (visit->pmu->config.pmuv3.without_fine_traps || !visit->el2_enabled ||
        visit_el1_is_aarch32(visit) || (visit->el == 0 && visit_is_in_host(visit)))
        return false;
    if (visit->has_el3 && !visit_pin(visit, ARMPMU_PIN_SCR_FGTEN))
        return false;
    return traps & fine_trap_bit(visit->found->reg, write);
}

static bool mdcr_el2_traps(const struct visit *visit)
{
    const uint64_t mdcr = visit->pmu->state.pin[ARMPMU_PIN_MDCR_EL2];

    return visit->el2_enabled &&
           ((mdcr & EL2_TPM) || (is_control(visit->found->reg) && (mdcr & EL2_TPMCR)));
}

static bool mdcr_el3_traps(const struct visit *visit)
{
    return visit->has_el3 && !(visit->aarch32 && visit_pin(visit, ARMPMU_PIN_EL3_AARCH32)) &&
           (visit->pmu->state.pin[ARMPMU_PIN_MDCR_EL3] & EL3_TPM);
}

/* --- Their order ----------------------------------------------------------------------------- */

/* CHOICE(pmuv3-beyond): with fine-grained traps a counter that is not there is Undefined before any
 * trap, and one that EL2 reserves traps to it; without them both read as zero and ignore writes. A
 * counter that PMSELR_EL0 names is treated alike. */
static bool minds_beyond(const struct visit *visit)
{
    return is_of_a_counter(visit->found->reg) && !visit->pmu->config.pmuv3.without_fine_traps;
}

static bool is_missing(const struct visit *visit)
{
    const struct armpmu_register *const reg = visit->found->reg;

    if (is_of_a_counter(reg))
        return minds_beyond(visit) && visit->found->element >= visit->pmu->config.pmuv3.counters;
    return !armpmu_has_register(visit->pmu, reg, 0);
}

static bool is_reserved(const struct visit *visit)
{
    return minds_beyond(visit) && visit->found->element >= reached(visit);
}

static bool traps_to_el2(const struct visit *visit, bool write)
{
    return visit->el <= 1 && (hstr_traps(visit) || fine_traps(visit, write) ||
                              mdcr_el2_traps(visit) || is_reserved(visit));
}

static enum armpmu_outcome pass_traps(const struct visit *visit, bool write)
{
    if (visit->el == 3)
        return ARMPMU_DONE;
    /* CHOICE(pmuv3-debug-priority): where Debug state forbids the trap to EL3, that comes first. */
    if (mdcr_el3_traps(visit) && visit_pin(visit, ARMPMU_PIN_EL3_DEBUG_UNDEF))
        return ARMPMU_UNDEFINED;
    if (visit->el == 0 && !user_may(visit, write))
        return pmu_access_refuse_user(visit);
    if (traps_to_el2(visit, write))
        return ARMPMU_TRAP_EL2;
    return mdcr_el3_traps(visit) ? ARMPMU_TRAP_EL3 : ARMPMU_DONE;
}

enum armpmu_outcome pmu_access_permit_pmuv3(const struct armpmu *pmu, const struct found *found,
                                            bool write)
{
    const struct visit visit = visit_of(pmu, found);
    const enum armpmu_permission permission = found->reg->permission;

    /* CHOICE(pmuv3-other-state): AArch32 has no MRS and MSR, AArch64 no MRC and MCR.
     * CHOICE(pmuv3-write-only): reading PMSWINC and writing what is read-only is Undefined. */
    if (is_missing(&visit) || (write ? !found->reg->writable : !found->reg->readable) ||
        visit.aarch32 != pin_is_high(pmu, ARMPMU_PIN_AARCH32))
        return ARMPMU_UNDEFINED;
    if (visit.el == 0 && (permission == ARMPMU_PERMIT_PMUV3_EL1 ||
                          (permission == ARMPMU_PERMIT_PMUV3_USER && write)))
        return ARMPMU_UNDEFINED;
    return pass_traps(&visit, write);
}

/* --- A register as it is seen ---------------------------------------------------------------- */

static bool is_set_of_counters(const struct armpmu_register *reg)
{
    return reg->slot == ARMPMU_SLOT_ENABLE || reg->slot == ARMPMU_SLOT_FLAG ||
           reg->slot == ARMPMU_SLOT_INTERRUPT || reg->slot == ARMPMU_SLOT_NONE;
}

static uint64_t reached_set(const struct visit *visit)
{
    return bits_below(reached(visit)) | CYCLES_BIT;
}

bool pmu_access_reaches_pmuv3(const struct armpmu *pmu, const struct found *found)
{
    const struct visit visit = visit_of(pmu, found);

    return !is_of_a_counter(found->reg) || found->element < reached(&visit);
}

/* CHOICE(pmuv3-aarch32-view): the lower 32 bits, without M and SH of the filters: AArch32 has
 * neither bit, reads them as zero and leaves them as they are. */
static uint64_t seen_by_mcr(const struct armpmu_register *reg)
{
    const bool filters =
        reg->slot == ARMPMU_SLOT_EVENT || reg->slot == ARMPMU_SLOT_EVENT + PMUV3_COUNTERS;

    return UINT32_MAX & ~(filters ? PMUV3_AARCH64_FILTERS : 0);
}

uint64_t pmu_access_view_pmuv3(const struct armpmu *pmu, const struct found *found, uint64_t value)
{
    const struct visit visit = visit_of(pmu, found);

    if (is_set_of_counters(found->reg))
        value &= reached_set(&visit);
    if (is_control(found->reg))
        value = (value & ~(UINT64_C(0x1f) << PMCR_N_LSB)) | (uint64_t)reached(&visit) << PMCR_N_LSB;
    return found->encodings->first.access == ARMPMU_ACCESS_MCR ? value & seen_by_mcr(found->reg)
                                                               : value;
}

/* Plain bits that the access does not see stay as they are. */
static uint64_t kept_from_mcr(struct armpmu *pmu, const struct found *found)
{
    return pmu_register_get(pmu, found->reg, found->element) &
           armpmu_register_mask(found->reg, ARMPMU_FIELD_RW) & ~seen_by_mcr(found->reg);
}

uint64_t pmu_access_written_pmuv3(struct armpmu *pmu, const struct found *found, uint64_t value)
{
    const struct visit visit = visit_of(pmu, found);

    pmu->reached = (uint32_t)bits_below(reached(&visit));
    if (is_set_of_counters(found->reg))
        value &= reached_set(&visit);
    if (found->encodings->first.access == ARMPMU_ACCESS_MCR)
        value = (value & seen_by_mcr(found->reg)) | kept_from_mcr(pmu, found);
    return value;
}

/* Accesses by instructions: from the encoding to the register, if the rules permit it. */
#include "pmu/access/access.h"

static enum armpmu_outcome permit_if(bool permitted)
{
    return permitted ? ARMPMU_DONE : ARMPMU_UNDEFINED;
}

static enum armpmu_outcome permit(const struct armpmu *pmu, const struct found *found, bool write)
{
    const bool user = pin_is_high(pmu, ARMPMU_PIN_USER_MODE);

    switch (found->reg->permission) {
    case ARMPMU_PERMIT_PRIVILEGED:
        return permit_if(!user);
    case ARMPMU_PERMIT_USEREN:
        return permit_if(!user || (pmu->state.slot[ARMPMU_SLOT_USER] & 1));
    case ARMPMU_PERMIT_USER_READS:
        return permit_if(!user || !write);
    case ARMPMU_PERMIT_AMU:
    case ARMPMU_PERMIT_AMUSERENR:
    case ARMPMU_PERMIT_AMU_OFFSET:
        return pmu_access_permit_amu(pmu, found, write);
    case ARMPMU_PERMIT_PMUV3:
    case ARMPMU_PERMIT_PMUV3_CYCLES:
    case ARMPMU_PERMIT_PMUV3_COUNTS:
    case ARMPMU_PERMIT_PMUV3_SELECT:
    case ARMPMU_PERMIT_PMUV3_SWINC:
    case ARMPMU_PERMIT_PMUV3_USER:
    case ARMPMU_PERMIT_PMUV3_EL1:
        return pmu_access_permit_pmuv3(pmu, found, write);
    case ARMPMU_PERMIT_BUS:
        break;
    }
    return ARMPMU_UNDEFINED;
}

static bool is_pmuv3(const struct found *found)
{
    return found->reg->permission >= ARMPMU_PERMIT_PMUV3 &&
           found->reg->permission <= ARMPMU_PERMIT_PMUV3_EL1;
}

/* The outcome of an access before the register is read or written. */
static enum armpmu_outcome approach(const struct armpmu *pmu, struct armpmu_encoding at, bool write,
                                    struct found *found)
{
    *found = pmu_access_find(pmu, at);
    if (found->reg == NULL)
        return armpmu_claims(pmu->core, at) ? ARMPMU_UNDEFINED : ARMPMU_NOT_HERE;
    return permit(pmu, found, write);
}

/* CHOICE(select-beyond): a bank register reads as zero and ignores writes while the select register
 * names a counter that does not exist. */
static bool element_exists(const struct armpmu *pmu, const struct found *found)
{
    return found->element < found->reg->count &&
           (!is_pmuv3(found) || pmu_access_reaches_pmuv3(pmu, found));
}

enum armpmu_outcome armpmu_try(const struct armpmu *pmu, struct armpmu_encoding at, bool write)
{
    struct found found;

    return approach(pmu, at, write, &found);
}

enum armpmu_outcome armpmu_read(struct armpmu *pmu, struct armpmu_encoding at, uint64_t *value)
{
    struct found found;
    const enum armpmu_outcome outcome = approach(pmu, at, false, &found);

    if (outcome != ARMPMU_DONE)
        return outcome;
    *value = element_exists(pmu, &found) ? pmu_register_get(pmu, found.reg, found.element) : 0;
    if (found.reg->permission == ARMPMU_PERMIT_AMU)
        *value = pmu_access_view_amu(pmu, &found, *value);
    if (is_pmuv3(&found))
        *value = pmu_access_view_pmuv3(pmu, &found, *value);
    return outcome;
}

enum armpmu_outcome armpmu_write(struct armpmu *pmu, struct armpmu_encoding at, uint64_t value)
{
    struct found found;
    const enum armpmu_outcome outcome = approach(pmu, at, true, &found);

    if (outcome != ARMPMU_DONE || !element_exists(pmu, &found))
        return outcome;
    if (is_pmuv3(&found))
        value = pmu_access_written_pmuv3(pmu, &found, value);
    pmu_register_set(pmu, found.reg, found.element, value);
    pmu->reached = UINT32_MAX;
    return outcome;
}

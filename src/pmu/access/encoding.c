/* Finds the register of an encoding. */
#include "pmu/access/access.h"

/* The fields in which registers differ come first. */
static bool same_encoding(const struct armpmu_encoding *left, const struct armpmu_encoding *right)
{
    return left->op2 == right->op2 && left->crm == right->crm && left->offset == right->offset &&
           left->op1 == right->op1 && left->crn == right->crn && left->coproc == right->coproc &&
           left->access == right->access;
}

/* The only element that the encoding can mean; the caller checks whether it does. */
static unsigned candidate(const struct armpmu_encodings *encodings,
                          const struct armpmu_encoding *at)
{
    switch (encodings->step) {
    case ARMPMU_STEP_NONE:
    case ARMPMU_STEP_OFFSET:
        break;
    case ARMPMU_STEP_CRN:
        return (unsigned)at->crn - encodings->first.crn;
    case ARMPMU_STEP_CRM_OP2:
        return ((unsigned)at->crm - encodings->first.crm) << 3 | at->op2;
    case ARMPMU_STEP_CRM_OP1:
        return ((unsigned)at->crm - encodings->first.crm) << 3 | at->op1;
    }
    return 0;
}

/* Returns whether a register's encodings include this one; then *element is the one it means. */
static bool leads_to(const struct armpmu_register *reg, const struct armpmu_encodings *encodings,
                     const struct armpmu_encoding *at, unsigned *element)
{
    const unsigned n = candidate(encodings, at);

    if (encodings->first.access != at->access || n >= reg->count)
        return false;
    *element = n;
    if (encodings->step == ARMPMU_STEP_NONE)
        return same_encoding(&encodings->first, at);
    const struct armpmu_encoding encoding = armpmu_encoding_of(encodings, n);
    return same_encoding(&encoding, at);
}

static bool is_bank(const struct armpmu_register *reg, const struct armpmu_encodings *encodings)
{
    return reg->count > 1 && encodings->step == ARMPMU_STEP_NONE;
}

/* No instruction has an encoding of the memory-mapped views. */
static bool is_of_an_instruction(struct armpmu_encoding at)
{
    return at.access != ARMPMU_ACCESS_EXT32 && at.access != ARMPMU_ACCESS_EXT64;
}

/* The register that a select register means: of a bank, or of its own where the bank's next element
 * would be, as PMCCFILTR_EL0 is after the event types. */
static struct found selected(const struct armpmu *pmu, const struct armpmu_register *bank,
                             const struct armpmu_encodings *encodings)
{
    const struct armpmu_core *const core = pmu->core;
    const unsigned element = (unsigned)pmu->state.slot[ARMPMU_SLOT_SELECT];

    for (size_t i = 0; element >= bank->count && i < core->n_registers; i++)
        if (core->registers[i].slot == bank->slot + element)
            return (struct found){&core->registers[i], 0, encodings};
    return (struct found){bank, element, encodings};
}

struct found pmu_access_find(const struct armpmu *pmu, struct armpmu_encoding at)
{
    const struct armpmu_core *const core = pmu->core;

    if (!is_of_an_instruction(at))
        return (struct found){NULL, 0, NULL};
    for (size_t i = 0; i < core->n_registers; i++) {
        const struct armpmu_register *const reg = &core->registers[i];
        for (size_t j = 0; j < reg->n_encodings; j++) {
            unsigned element = 0;
            if (!leads_to(reg, &reg->encodings[j], &at, &element))
                continue;
            if (is_bank(reg, &reg->encodings[j]))
                return selected(pmu, reg, &reg->encodings[j]);
            return (struct found){reg, element, &reg->encodings[j]};
        }
    }
    return (struct found){NULL, 0, NULL};
}

/* Fields of an encoding are bytes, however many bits the instruction has for them. */
#define OP1_LIMIT 16

static bool within(unsigned number, unsigned first, unsigned last)
{
    return number >= first && number <= last;
}

bool armpmu_claims(const struct armpmu_core *core, struct armpmu_encoding at)
{
    for (size_t i = 0; i < core->n_ranges; i++) {
        const struct armpmu_encoding_range *const range = &core->ranges[i];
        if (at.access == range->access && at.coproc == range->coproc && at.op1 < OP1_LIMIT &&
            (range->op1_mask >> at.op1 & 1) && within(at.crn, range->crn_first, range->crn_last) &&
            within(at.crm, range->crm_first, range->crm_last))
            return true;
    }
    return false;
}

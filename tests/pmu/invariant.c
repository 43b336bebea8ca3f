#include "invariant.h"

#include <string.h>

static const struct armpmu_register *find(const struct armpmu_core *core, const char *name)
{
    return armpmu_register_find(core, name, NULL);
}

static bool sets(const struct armpmu_register *reg)
{
    return armpmu_register_mask(reg, ARMPMU_FIELD_W1S) != 0;
}

static bool clears(const struct armpmu_register *reg, const struct armpmu_register *set)
{
    return armpmu_register_mask(reg, ARMPMU_FIELD_W1C) != 0 && reg->slot == set->slot &&
           reg->slot_lsb == set->slot_lsb;
}

static void find_pairs(struct invariant *rules)
{
    const struct armpmu_core *const core = rules->core;

    for (size_t i = 0; i < core->n_registers; i++)
        for (size_t j = 0; j < core->n_registers && sets(&core->registers[i]); j++)
            if (clears(&core->registers[j], &core->registers[i]) && rules->n_pairs < PAIRS_MAX) {
                rules->pairs[rules->n_pairs][0] = &core->registers[i];
                rules->pairs[rules->n_pairs++][1] = &core->registers[j];
            }
}

void invariant_start(struct invariant *rules, const struct armpmu_core *core)
{
    static const char *const vals[] = {"nVALIRQENS", "nVALFIQENS", "nVALRESETENS", "VALEDBGRQENS"};

    *rules = (struct invariant){.core = core};
    rules->control = find(core, "PMNC");
    rules->is_pmuv3 = core->pmu_version != 0;
    rules->flag = find(core, "FLAG");
    rules->interrupt = find(core, "INTENS");
    if (rules->interrupt == NULL)
        rules->interrupt = find(core, "INTEN");
    for (unsigned i = 0; i < 4; i++)
        rules->val[i] = find(core, vals[i]);
    find_pairs(rules);
}

static uint64_t look(struct armpmu *pmu, const struct armpmu_register *reg)
{
    return reg == NULL ? 0 : armpmu_peek(pmu, reg, 0);
}

/* E switches the interrupts of the cycle counter and of event counter 0, which are never EL2's;
 * those of others depend on MDCR_EL2, and the reference device says how. */
static bool wanted_of_pmuv3(const struct invariant *rules, struct armpmu *pmu)
{
    const uint64_t raised = look(pmu, find(rules->core, "PMOVSSET_EL0")) &
                            look(pmu, find(rules->core, "PMINTENSET_EL1"));
    const bool enabled = look(pmu, find(rules->core, "PMCR_EL0")) & 1;

    if (enabled && (raised & 0x80000001) != 0)
        return true;
    return (raised & ~UINT64_C(0x80000001)) != 0 && armpmu_output(pmu, ARMPMU_OUTPUT_PMUIRQ);
}

/* The lines of the Armv7 cores need E, but for the validation lines; XScale's does not. */
static bool wanted(const struct invariant *rules, struct armpmu *pmu, enum armpmu_output output)
{
    const uint64_t control = look(pmu, rules->control), flag = look(pmu, rules->flag);
    const bool is_xscale = strncmp(rules->core->name, "xscale", 6) == 0;

    switch ((int)output) {
    case ARMPMU_OUTPUT_PMUIRQ:
        if (rules->is_pmuv3)
            return wanted_of_pmuv3(rules, pmu);
        return !is_xscale && (control & 1) && (flag & look(pmu, rules->interrupt)) != 0;
    case ARMPMU_OUTPUT_VALIRQ:
    case ARMPMU_OUTPUT_VALFIQ:
    case ARMPMU_OUTPUT_VALRESET:
    case ARMPMU_OUTPUT_VALEDBGRQ:
        return (flag & look(pmu, rules->val[output - ARMPMU_OUTPUT_VALIRQ])) != 0;
    default:
        break;
    }
    if (!is_xscale)
        return false;
    if (rules->flag == NULL) /* the first generation keeps all in PMNC */
        return (control >> 8 & control >> 4 & 7) != 0;
    return (flag & look(pmu, rules->interrupt)) != 0;
}

const char *invariant_lines(const struct invariant *rules, struct armpmu *pmu)
{
    for (unsigned i = 0; i < ARMPMU_OUTPUT_COUNT; i++) {
        const enum armpmu_output output = (enum armpmu_output)i;

        if (armpmu_output(pmu, output) != wanted(rules, pmu, output))
            return armpmu_output_name(output);
    }
    return NULL;
}

const char *invariant_reserved(const struct invariant *rules, struct armpmu *pmu)
{
    for (size_t i = 0; i < rules->core->n_registers; i++) {
        const struct armpmu_register *const reg = &rules->core->registers[i];
        const uint64_t zeros = armpmu_register_mask(reg, ARMPMU_FIELD_RAZ) |
                               armpmu_register_mask(reg, ARMPMU_FIELD_W1A) |
                               (reg->bits == 32 ? ~UINT64_C(0xffffffff) : 0);

        for (unsigned n = 0; n < reg->count; n++)
            if (armpmu_peek(pmu, reg, n) & zeros)
                return reg->name;
    }
    return NULL;
}

const char *invariant_pairs(const struct invariant *rules, struct armpmu *pmu)
{
    for (unsigned i = 0; i < rules->n_pairs; i++)
        if (look(pmu, rules->pairs[i][0]) != look(pmu, rules->pairs[i][1]))
            return rules->pairs[i][0]->name;
    return NULL;
}

/* Functions of the PMUv3 unit that its accesses use. */
#ifndef PMU_PMUV3_H
#define PMU_PMUV3_H

#include "pmu/device.h"

/* Event counters, at most; the number of the cycle counter in sets of counters and in PMSELR. */
#define PMUV3_COUNTERS 31u

#define PMCR_N_LSB 11
#define CYCLES_BIT (UINT64_C(1) << 31) /* of the sets of counters: the cycle counter */

/* Values of ID_AA64DFR0_EL1.PMUVer. */
enum pmuv3_version { PMUV3 = 1, PMUV3P1 = 4, PMUV3P4 = 5, PMUV3P5 = 6, PMUV3P7 = 7, PMUV3P8 = 8 };

/* Bits of PMEVTYPER and PMCCFILTR that AArch32 does not have: M and SH. */
#define PMUV3_AARCH64_FILTERS (UINT64_C(1) << 26 | UINT64_C(1) << 24)

/* The number of the first event counter that EL2 keeps for itself, that of all where it keeps none.
 * CHOICE(pmuv3-hpmn): HPMN of zero or beyond the last counter leaves all counters to EL1. */
static inline unsigned pmu_pmuv3_first_reserved(const struct armpmu *pmu)
{
    const unsigned all = pmu->config.pmuv3.counters;
    const unsigned hpmn = (unsigned)(pmu->state.pin[ARMPMU_PIN_MDCR_EL2] & 0x1f);

    return pmu->config.pmuv3.without_el2 || hpmn == 0 || hpmn > all ? all : hpmn;
}

/* CHOICE(pmuv3-missing-level): an Exception level that is not implemented means the next one
 * above, or the highest. */
static inline unsigned pmu_pmuv3_el(const struct armpmu *pmu)
{
    const unsigned highest = pmu->config.pmuv3.highest_el;
    const unsigned el = (unsigned)pmu->state.pin[ARMPMU_PIN_EL];

    if (el > highest)
        return highest;
    return el == 2 && pmu->config.pmuv3.without_el2 ? 3 : el;
}

#endif

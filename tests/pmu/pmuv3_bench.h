/* A PMUv3 on the bench: registers by the manual's names, accesses from everywhere.
 *
 * The encodings are written by hand from ARM DDI 0487 and owe nothing to the catalogue. */
#ifndef TESTS_PMU_PMUV3_BENCH_H
#define TESTS_PMU_PMUV3_BENCH_H

#include "amu_bench.h"

/* A unit of this core and configuration, cold, in EL3, Nonsecure below. There is one bench: a new
 * start ends the old one. */
struct armpmu *pmuv3_start(const char *core, struct armpmu_pmuv3_config config);

/* Moves to an Exception level; all controls as named: words parted by a space.
 *   EN SW CR ER (PMUSERENR_EL0) TGE E2H TPM2 TPMCR TPM3 UNDEF FGTEN NOEL2
 *   R, W, H: all bits of HDFGRTR_EL2, HDFGWTR_EL2, HSTR, R12: the first one's bit 12
 *   N2: HPMN is two */
void pmuv3_go(struct armpmu *pmu, enum who who, const char *controls);

/* The registers in a row, a letter each in a table of outcomes: PMXEVTYPER and PMXEVCNTR among
 * them, and element 2 of the banks. NULL behind the last; the last three are AArch32's alone. */
const char *pmuv3_name(size_t index);

/* The encoding of element n: MRS and MSR, or MRC, MCR, MRRC, MCRR. access is EXT32, which no
 * instruction has, where there is none. */
struct armpmu_encoding pmuv3_at(const char *name, unsigned n, bool aarch32);

/* From EL3 in AArch64: must succeed. Controls stay as they are but for the Exception level. */
uint64_t pmuv3_get(struct armpmu *pmu, const char *name, unsigned n);
void pmuv3_set(struct armpmu *pmu, const char *name, unsigned n, uint64_t value);

#endif

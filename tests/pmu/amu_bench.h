/* An activity monitor unit on the bench: registers by the manual's names, accesses from everywhere.
 *
 * The encodings are written by hand from ARM DDI 0487 and owe nothing to the catalogue. */
#ifndef TESTS_PMU_AMU_BENCH_H
#define TESTS_PMU_AMU_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/pmu.h"

struct amu_bench {
    union armpmu_memory memory;
    struct armpmu *pmu;
};

/* Where code runs, and in which state the Exception levels above it are. */
enum who {
    EL0_A64,
    EL1_A64,
    EL2_A64,
    EL3_A64,
    EL0_A32_UNDER_A64, /* EL1 and all above are AArch64                */
    EL0_A32_UNDER_EL2, /* EL1 is AArch32, EL2 and EL3 are AArch64      */
    EL0_A32_UNDER_EL3, /* EL1 and EL2 are AArch32, EL3 is AArch64      */
    EL0_A32,           /* nothing is AArch64                           */
    EL1_A32_UNDER_EL2,
    EL1_A32_UNDER_EL3,
    EL1_A32,
    EL2_A32_UNDER_EL3,
    EL2_A32,
    EL3_A32,
};

/* A unit of this configuration, cold, in EL3. There is one bench: a new start ends the old one. */
struct amu_bench *amu_start(struct armpmu_amu_config config);

/* v1p1 with all 16 auxiliary counters, all of them with offsets. */
struct armpmu_amu_config amu_full(void);

bool amu_is_aarch32(enum who who);

/* Moves to an Exception level, and no more. */
void amu_stand(struct armpmu *pmu, enum who who);

/* Words parted by a space, as the controls are: whether this one is there; the bits that a letter
 * names: all for the letter alone, those named "F3" and so on, none. */
bool amu_has_word(const char *controls, const char *word);
uint64_t amu_bits_named(const char *controls, const char *letter);

/* Moves to an Exception level; all controls as named: words parted by a space.
 *   EN TGE E2H NV NV2 TAM2 TAM3 UNDEF FGTEN VS (SCR_EL3.AMVOFFEN) VH (HCR_EL2.AMVOFFEN) NOEL2
 *   F: all bits of HAFGRTR_EL2, F17: its bit 17; H: all bits of HSTR, H13: its bit 13 */
void amu_go(struct amu_bench *bench, enum who who, const char *controls);

/* The encoding of element n: MRS and MSR, or MRC, MCR, MRRC, MCRR. access is EXT32, which no
 * instruction has, where there is none. */
struct armpmu_encoding amu_at(const char *name, unsigned n, bool aarch32);

/* The register names that amu_at() knows, with their elements; NULL behind the last. */
const char *amu_name(size_t index, unsigned *count);

/* From EL3 in AArch64: must succeed. Controls stay as they are but for the Exception level. */
uint64_t amu_get(struct amu_bench *bench, const char *name, unsigned n);
void amu_set(struct amu_bench *bench, const char *name, unsigned n, uint64_t value);

/* 'D' done, 'U' Undefined, '1' '2' '3' trapped there, 'H' Undefined in EL2, 'R' redirected,
 * 'B' bus fault, '-' not here. */
char amu_letter(enum armpmu_outcome outcome);

#endif

/* An XScale device on the bench. Its tests name a register by the instruction that writes it, as
 * the manual's encodings give it: MCR p14, with r0. The bench takes instructions apart. */
#ifndef TESTS_PMU_XSCALE_BENCH_H
#define TESTS_PMU_XSCALE_BENCH_H

#include <stdint.h>

#include "armpmu/pmu.h"

/* The first generation: CRm 0. */
#define XSC1_PMNC 0xee000e10u
#define XSC1_CCNT 0xee010e10u
#define XSC1_PMN0 0xee020e10u
#define XSC1_PMN1 0xee030e10u

/* The second: CRm 1 and 2. */
#define XSC2_PMNC   0xee000e11u
#define XSC2_CCNT   0xee010e11u
#define XSC2_INTEN  0xee040e11u
#define XSC2_FLAG   0xee050e11u
#define XSC2_EVTSEL 0xee080e11u
#define XSC2_PMN0   0xee000e12u
#define XSC2_PMN1   0xee010e12u
#define XSC2_PMN2   0xee020e12u
#define XSC2_PMN3   0xee030e12u

/* The L bit: MRC in place of MCR, MRRC in place of MCRR, LDC in place of STC. */
#define LOAD (1u << 20)

struct bench {
    union armpmu_memory memory;
    struct armpmu *pmu;
    unsigned generation;
    unsigned rises, falls; /* of the request to the product's interrupt unit */
    unsigned overflows;
};

/* A fresh device, in memory that was not zero. It stays the same one for each test. */
struct bench *start(unsigned generation);
struct bench *start_with_erratum(unsigned generation);

/* What becomes of a coprocessor instruction: MCR, MRC, MCRR, MRRC, LDC or STC. *value is what a
 * register, or the word in memory, holds. */
enum armpmu_outcome execute(struct bench *bench, uint32_t instruction, uint32_t *value);

/* MRC and MCR that must be allowed. at: one of the registers above. */
uint32_t get(struct bench *bench, uint32_t at);
void set(struct bench *bench, uint32_t at, uint32_t value);

void post(struct bench *bench, enum armpmu_signal signal, uint32_t n);
void clocks(struct bench *bench, uint32_t n);
void pin(struct bench *bench, enum armpmu_pin name, uint64_t value);
bool requested(const struct bench *bench);

/* What both generations have, wherever it is. n: 0 for PMN0 and so on. */
unsigned counters(const struct bench *bench);
uint32_t pmnc(const struct bench *bench);
uint32_t ccnt(const struct bench *bench);
uint32_t pmn(const struct bench *bench, unsigned n);

/* E, D, P and C of PMNC, with all other bits as they are and no flag cleared. */
void control(struct bench *bench, uint32_t bits);
void choose(struct bench *bench, unsigned n, uint32_t event);
/* Bit 0 is CCNT, bit n + 1 is PMNn: the second generation's order. */
uint32_t flags(struct bench *bench);
void clear_flags(struct bench *bench, uint32_t which);
void enable_interrupts(struct bench *bench, uint32_t which);

#endif

/* A Cortex-A8 device on the bench: short names for what its tests do over and over. */
#ifndef TESTS_PMU_CORTEX_A8_BENCH_H
#define TESTS_PMU_CORTEX_A8_BENCH_H

#include <stdint.h>

#include "armpmu/pmu.h"

struct bench {
    union armpmu_memory memory;
    struct armpmu *pmu;
    unsigned rises, falls; /* of the interrupt line */
    unsigned overflows;
    uint64_t exported[256];
};

/* The registers' places in c9: CRm and opcode 2. */
enum place {
    PMNC = 12 << 4 | 0,
    CNTENS = 12 << 4 | 1,
    CNTENC = 12 << 4 | 2,
    FLAG = 12 << 4 | 3,
    SWINCR = 12 << 4 | 4,
    PMNXSEL = 12 << 4 | 5,
    CCNT = 13 << 4 | 0,
    EVTSEL = 13 << 4 | 1,
    PMCNT = 13 << 4 | 2,
    USEREN = 14 << 4 | 0,
    INTENS = 14 << 4 | 1,
    INTENC = 14 << 4 | 2,
};

/* A fresh device, in memory that was not zero. It stays the same one for each test. */
struct bench *start(void);

enum armpmu_outcome read_outcome(struct bench *bench, enum place at, uint32_t *value);
enum armpmu_outcome write_outcome(struct bench *bench, enum place at, uint32_t value);

/* Accesses that must be allowed. */
uint32_t get(struct bench *bench, enum place at);
void set(struct bench *bench, enum place at, uint32_t value);

void post(struct bench *bench, enum armpmu_signal signal, uint32_t n);
void pin(struct bench *bench, enum armpmu_pin name, uint64_t value);

/* Counter n counts an event, from a value, and is enabled. */
void program(struct bench *bench, unsigned n, uint32_t event, uint32_t from);
uint32_t count(struct bench *bench, unsigned n);

#endif

/* A device of Armv7 on the bench, a Cortex-A8 or a Cortex-R4F: short names for what tests do over
 * and over, and the tests that are the same for both. */
#ifndef TESTS_PMU_ARMV7_BENCH_H
#define TESTS_PMU_ARMV7_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/pmu.h"

#define CLOCKS_MAX 64

struct bench {
    union armpmu_memory memory;
    struct armpmu *pmu;
    unsigned rises[ARMPMU_OUTPUT_COUNT], falls[ARMPMU_OUTPUT_COUNT];
    unsigned overflows;
    uint64_t clocks[CLOCKS_MAX]; /* what the event bus showed, clock by clock */
    unsigned n_clocks;
    uint64_t exported[256];
};

/* The core of these tests. */
extern const struct armv7_core {
    const char *name;
    unsigned n_counters;
    uint32_t pmnc_reset;
    bool has_validation; /* VALIRQENS and the like, and CFLR */
} armv7_core;

/* The registers' places in CP15, all with opcode 1 of zero: CRn, CRm and opcode 2. */
#define PLACE(crn, crm, op2) ((crn) << 8 | (crm) << 4 | (op2))
enum place {
    PMNC = PLACE(9, 12, 0),
    CNTENS = PLACE(9, 12, 1),
    CNTENC = PLACE(9, 12, 2),
    FLAG = PLACE(9, 12, 3),
    SWINCR = PLACE(9, 12, 4),
    PMNXSEL = PLACE(9, 12, 5),
    CCNT = PLACE(9, 13, 0),
    EVTSEL = PLACE(9, 13, 1),
    PMC = PLACE(9, 13, 2),
    USEREN = PLACE(9, 14, 0),
    INTENS = PLACE(9, 14, 1),
    INTENC = PLACE(9, 14, 2),
    VALIRQENS = PLACE(15, 1, 0),
    VALFIQENS = PLACE(15, 1, 1),
    VALRESETENS = PLACE(15, 1, 2),
    VALEDBGRQENS = PLACE(15, 1, 3),
    VALIRQENC = PLACE(15, 1, 4),
    VALFIQENC = PLACE(15, 1, 5),
    VALRESETENC = PLACE(15, 1, 6),
    VALEDBGRQENC = PLACE(15, 1, 7),
    CFLR = PLACE(15, 3, 0),
};

/* The bits of CNTENS and INTENS. */
uint32_t all_counters(void);

/* A fresh device, in memory that was not zero. It stays the same one for each test. */
struct bench *start(void);

enum armpmu_outcome read_outcome(struct bench *bench, enum place at, uint32_t *value);
enum armpmu_outcome write_outcome(struct bench *bench, enum place at, uint32_t value);

/* Accesses that must be allowed. */
uint32_t get(struct bench *bench, enum place at);
void set(struct bench *bench, enum place at, uint32_t value);

void post(struct bench *bench, enum armpmu_signal signal, uint32_t n);
void pin(struct bench *bench, enum armpmu_pin name, uint64_t value);
bool asserted(const struct bench *bench, enum armpmu_output output);

/* Counter n counts an event, from a value, and is enabled. */
void program(struct bench *bench, unsigned n, uint32_t event, uint32_t from);
uint32_t count(struct bench *bench, unsigned n);

/* One clock goes by. Returns what the event bus showed in it. */
uint64_t clock_tick(struct bench *bench);

/* ---- tests ---- */

void a_counter_moves_when_e_and_its_enable_are_one(void **state);
void nothing_counts_while_halted_or_asleep(void **state);
void p_and_c_zero_their_counters_and_nothing_else(void **state);

#endif

/* Operations on a device: made at random, run, printed, and cut down when they show a fault.
 *
 * A list of operations is a program for one device. Tests run the same list on a device and on
 * something that must agree with it. */
#ifndef PMU_OPERATION_H
#define PMU_OPERATION_H

#include <stdio.h>

#include "armpmu/pmu.h"
#include "random.h"

enum operation_kind {
    OPERATION_POST,
    OPERATION_READ,
    OPERATION_WRITE,
    OPERATION_LOAD,
    OPERATION_STORE,
    OPERATION_POKE,
    OPERATION_PIN,
    OPERATION_CONTEXT, /* Exception level and execution states: pins that only fit together */
    OPERATION_FAULT,
    OPERATION_SNAPSHOT, /* keeps one */
    OPERATION_RESTORE,  /* goes back to the one kept, if any */
    OPERATION_RESET,
    OPERATION_COMPARE, /* looks at every register */
};

struct operation {
    enum operation_kind kind;
    uint32_t n; /* of a signal; element; bytes; enum armpmu_reset */
    enum armpmu_signal signal;
    enum armpmu_pin pin;
    struct armpmu_encoding at; /* offset: of a load or store */
    const struct armpmu_register *reg;
    uint64_t value;
    struct armpmu_fault fault;
};

/* What the counters are likely to count in one list: else few posts would meet a counter. */
struct palette {
    unsigned events[4];
    enum armpmu_signal signals[10];
    unsigned n_signals;
};

/* One way to reach one register element. */
struct reach {
    const struct armpmu_register *reg;
    unsigned element;
    const struct armpmu_encodings *encodings;
};

#define REACHES_MAX 1024

struct maker {
    struct random random;
    const struct armpmu_core *core;
    struct armpmu_config config;
    struct palette palette;
    struct reach by_instruction[REACHES_MAX];
    unsigned n_by_instruction;
    bool has_memory; /* a memory-mapped view */
    bool has_faults; /* a register that says where one was */
};

/* Begins with a configuration and a palette that follow from the seed. */
void maker_start(struct maker *maker, const struct armpmu_core *core, uint64_t seed);

/* The next operation. */
struct operation maker_next(struct maker *maker);

/* Whether the instruction can exist where the device is: no MRS in AArch32 state. */
bool operation_fits(const struct operation *operation, const struct armpmu *pmu);

/* Sets the pins of an OPERATION_CONTEXT by calling set for each. */
void operation_set_context(uint64_t value, void (*set)(void *, enum armpmu_pin, uint64_t),
                           void *user);

struct operation_result {
    enum armpmu_outcome outcome;
    uint64_t value; /* read, else 0 */
};

/* Does it. Snapshots are for the caller: OPERATION_SNAPSHOT and OPERATION_RESTORE do nothing, and
 * OPERATION_COMPARE neither. */
struct operation_result operation_run(struct armpmu *pmu, const struct operation *operation);

/* The register that a write or poke may change; NULL for any other operation. */
const struct armpmu_register *operation_target(const struct armpmu_core *core,
                                               const struct operation *operation);

void operation_print(FILE *out, const struct operation *operation);

/* Cuts a list that fails down to one that still fails: *count becomes smaller. fails runs a list
 * from the beginning. */
void shrink(struct operation *list, size_t *count,
            bool (*fails)(const struct operation *list, size_t count, void *user), void *user);

#endif

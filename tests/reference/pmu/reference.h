/* Slow, plain models of the performance monitors, written from the manuals alone.
 *
 * They are what the device library is compared with. Nothing here is shared with it but the names
 * of the interface: no table of the catalogue is read, a register is a variable, a count is made
 * one increment at a time, who may do what is a chain of ifs in the manual's order. Where a manual
 * leaves a choice they follow docs/choices.md. */
#ifndef TESTS_REFERENCE_PMU_REFERENCE_H
#define TESTS_REFERENCE_PMU_REFERENCE_H

#include "armpmu/pmu.h"

#define REFERENCE_COUNTERS 32

/* What a device should have told its callbacks since it was made. */
struct reference_told {
    uint64_t overflows[REFERENCE_COUNTERS]; /* wraps of each counter, in the order of the wiring */
    uint64_t exported;                      /* sum of n * (event number + 1) */
    uint64_t bus_clocks;                    /* clocks in which the event bus was not zero */
    uint64_t bus_sum;                       /* of the bus in the m-th such clock: m * bits, added */
};

/* Cortex-A8 and Cortex-R4F. The counter with the number CYCLES is CCNT. */
struct reference_armv7 {
    bool is_r4f;
    unsigned counters;
    bool e, d, x, dp;
    bool enable[5], flag[5], interrupt[5];
    uint32_t count[5];
    unsigned event[4];
    unsigned select;
    bool user_enable;
    unsigned clocks; /* since CCNT moved, while it moves every 64 clocks */
    bool val[4][5];  /* validation enables: IRQ, FIQ, reset, debug request */
    uint32_t fault_location;
    bool fault_this_clock;
    uint64_t bus;
};

/* XScale of both generations. The last counter is CCNT. */
struct reference_xscale {
    bool is_second;
    unsigned counters;
    bool e, d;
    bool flag[5], interrupt[5];
    uint32_t count[5];
    unsigned event[4];
    unsigned clocks;
};

struct reference_amu {
    uint64_t count[2][16], offset[2][16];
    bool enable[2][16];
    unsigned event[2][16];
    bool cg1rz, hdbg, user_enable;
    bool nonsecure_allowed; /* AMSCR.NSRA */
    unsigned root_allows;   /* AMROOTCR.RA */
};

/* Number 31 is the cycle counter, and its type PMCCFILTR. */
struct reference_pmuv3 {
    uint64_t count[32];
    uint32_t type[32];
    bool enable[32], flag[32], interrupt[32];
    bool e, d, x, dp, lc, lp, fzo;
    unsigned select, user;
    unsigned clocks; /* since the cycle counter moved, while it moves every 64 clocks */
};

struct reference {
    const struct reference_kind *kind;
    struct armpmu_config config;
    uint64_t pin[ARMPMU_PIN_COUNT];
    struct reference_told told;
    struct reference_armv7 armv7;
    struct reference_xscale xscale;
    struct reference_amu amu;
    struct reference_pmuv3 pmuv3;
};

/* What one kind of unit does. Pointers may be NULL where a unit has no such thing. */
struct reference_kind {
    const char *core;
    void (*reset)(struct reference *r, enum armpmu_reset reset);
    void (*increment)(struct reference *r, enum armpmu_signal signal);
    void (*pin_moves)(struct reference *r, enum armpmu_pin pin, bool rises);
    enum armpmu_outcome (*read)(struct reference *r, struct armpmu_encoding at, uint64_t *value);
    enum armpmu_outcome (*write)(struct reference *r, struct armpmu_encoding at, uint64_t value);
    enum armpmu_outcome (*load)(struct reference *r, uint32_t offset, unsigned bytes,
                                uint64_t *value);
    enum armpmu_outcome (*store)(struct reference *r, uint32_t offset, unsigned bytes,
                                 uint64_t value);
    /* By the name in the manual, whoever may; as the most privileged access would do. */
    uint64_t (*peek)(struct reference *r, const char *name, unsigned element);
    void (*poke)(struct reference *r, const char *name, unsigned element, uint64_t value);
    void (*post_fault)(struct reference *r, const struct armpmu_fault *fault);
    bool (*output)(const struct reference *r, enum armpmu_output output);
};

extern const struct reference_kind reference_cortex_a8, reference_cortex_r4f, reference_xscale1,
    reference_xscale2, reference_amuv1;
#define PMUV3_CORE(name, id, ...) extern const struct reference_kind reference_##id;
#include "../../manual/pmuv3_cores.def"
#undef PMUV3_CORE

/* Whether there is a model of the core. */
bool reference_knows(const char *core);

/* In reset state. config names a core that reference_knows(), and is valid. */
void reference_create(struct reference *r, const struct armpmu_config *config);

/* As the functions of armpmu/pmu.h with these names. */
void reference_reset(struct reference *r, enum armpmu_reset reset);
void reference_post(struct reference *r, enum armpmu_signal signal, uint32_t n);
void reference_post_fault(struct reference *r, const struct armpmu_fault *fault);
void reference_set_pin(struct reference *r, enum armpmu_pin pin, uint64_t value);
bool reference_output(const struct reference *r, enum armpmu_output output);
enum armpmu_outcome reference_read(struct reference *r, struct armpmu_encoding at, uint64_t *value);
enum armpmu_outcome reference_write(struct reference *r, struct armpmu_encoding at, uint64_t value);
enum armpmu_outcome reference_load(struct reference *r, uint32_t offset, unsigned bytes,
                                   uint64_t *value);
enum armpmu_outcome reference_store(struct reference *r, uint32_t offset, unsigned bytes,
                                    uint64_t value);
uint64_t reference_peek(struct reference *r, const char *name, unsigned element);
void reference_poke(struct reference *r, const char *name, unsigned element, uint64_t value);

#endif

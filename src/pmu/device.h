/* A device from the inside: its state, and what each kind of unit adds to the common part.
 *
 * The common part (device.c, count.c, registers.c) knows slots, counters and signals from the
 * catalogue. A model knows what the tables cannot say: when a counter may count, what a write sets
 * off, which lines are asserted. Nothing here knows encodings or who may touch a register:
 * src/pmu/access does. */
#ifndef PMU_DEVICE_H
#define PMU_DEVICE_H

#include "armpmu/pmu.h"

#define COUNTERS_MAX 32

/* Activity monitors: the element of the first auxiliary counter; AMCR.CG1RZ. */
#define GROUP1_FIRST 16
#define AMCR_CG1RZ   (UINT64_C(1) << 17)

/* All that changes: a snapshot is a copy of it. */
struct state {
    uint64_t slot[ARMPMU_SLOTS];
    uint64_t pin[ARMPMU_PIN_COUNT];
    uint64_t bus;          /* pulses of the event bus that wait for the clock             */
    uint32_t outputs;      /* bit n: enum armpmu_output n is asserted                     */
    uint8_t prescaler;     /* clocks since the cycle counter moved, 0 to 63               */
    bool fault_this_clock; /* the core itself located a fault since the last clock        */
};

#define FREEZING_GROUPS 2

/* A counter's source: the signals that it counts. Follows from the state, kept to make counting
 * cheap. */
struct counter_source {
    bool counting;
    bool divided;    /* moves once in 64 */
    uint8_t wraps;   /* it overflows after this number of bits; a counter may have more */
    uint8_t freezes; /* 1 to FREEZING_GROUPS: stops with an overflow in that group; 0 does not */
    uint8_t n_signals;
    uint16_t signals[ARMPMU_EVENT_SIGNALS_MAX];
};

/* The bits of PMNC, the same in every core that has one. */
#define CONTROL_E  (UINT64_C(1) << 0)
#define CONTROL_P  (UINT64_C(1) << 1)
#define CONTROL_C  (UINT64_C(1) << 2)
#define CONTROL_D  (UINT64_C(1) << 3)
#define CONTROL_X  (UINT64_C(1) << 4)
#define CONTROL_DP (UINT64_C(1) << 5)
#define CONTROL_LC (UINT64_C(1) << 6) /* PMUv3 */

/* Rows of the core's events: from the first to the last that sums a signal; last < first: none. */
struct rows {
    uint16_t first, last;
};

struct model;

struct armpmu {
    struct armpmu_tally tally;           /* first: armpmu_post() reaches it from outside */
    int64_t synced[ARMPMU_SIGNAL_COUNT]; /* what headroom was when counts were last exact */
    const struct armpmu_core *core;
    const struct model *model;
    struct armpmu_config config;
    struct counter_source sources[COUNTERS_MAX]; /* of core->counters[n] */
    uint16_t used[ARMPMU_SIGNAL_COUNT];          /* signals that some counter counts      */
    unsigned n_used;
    struct rows summed_by[ARMPMU_SIGNAL_COUNT]; /* of the core, found once */
    uint32_t reached; /* of the current access: bit n, event counter n; all outside of an access */
    struct state state;
};

/* The part that one kind of unit adds. Pointers may be NULL where it adds nothing, except
 * is_counting and outputs. */
struct model {
    /* True if config.flag_erratum means anything to it. */
    bool has_flag_erratum;

    /* True if LC of its control register makes the cycle counter ignore D. */
    bool has_long_cycles;

    /* True if it has a register with the location of the latest error: fault.c. */
    bool locates_faults;

    /* Bit n: it looks at enum armpmu_pin n; it drives enum armpmu_output n. */
    uint64_t pins;
    uint32_t lines;

    /* Pins on which a rising edge is an event: those from first_input on raise the signals from
     * first_input_signal on. */
    enum armpmu_pin first_input;
    enum armpmu_signal first_input_signal;
    uint8_t n_inputs;

    /* Checks the configuration and makes it complete in pmu->config. */
    enum armpmu_status (*configure)(struct armpmu *pmu, struct armpmu_error *error);

    /* After the slots have taken the reset values of the catalogue: what else reset does. keep is
     * the state before; a model restores from it what this reset does not touch. */
    void (*reset)(struct armpmu *pmu, enum armpmu_reset reset, const struct state *keep);

    /* True if the counter moves when its event happens, in the current state and with the
     * current pins. */
    bool (*is_counting)(const struct armpmu *pmu, const struct armpmu_counter *counter);

    /* How many bits a counter of this device has; NULL: counter->bits. */
    unsigned (*bits)(const struct armpmu *pmu, const struct armpmu_counter *counter);

    /* How many bits a counter has before it overflows, at most as many as it has; NULL: all. */
    unsigned (*wraps)(const struct armpmu *pmu, const struct armpmu_counter *counter);

    /* The group of counters, from 1 on, that the first overflow of one of them stops, where the
     * counter is in one; NULL: there are none. */
    unsigned (*freezes)(const struct armpmu *pmu, const struct armpmu_counter *counter);

    /* A counter has overflowed: another that counts this counts one; NULL: none does. */
    const struct armpmu_counter *(*chained)(const struct armpmu *pmu,
                                            const struct armpmu_counter *counter);

    /* The signal that a counter counts while the catalogue has no event of its number;
     * ARMPMU_SIGNAL_COUNT where there is none. */
    unsigned (*own_signal)(const struct armpmu_counter *counter);

    /* True if events are exported: PMNC.X and the debug rules. */
    bool (*is_exporting)(const struct armpmu *pmu);

    /* The bits of a register that this device has: others read as zero and ignore writes. */
    uint64_t (*present_bits)(const struct armpmu *pmu, const struct armpmu_register *reg,
                             unsigned element);

    /* True if this device has the element. */
    bool (*has_register)(const struct armpmu *pmu, const struct armpmu_register *reg,
                         unsigned element);

    /* The effects of a write, after the rules of the table. written: the value as it came;
     * before: the register's value before the write. */
    void (*wrote)(struct armpmu *pmu, const struct armpmu_register *reg, unsigned element,
                  uint64_t written, uint64_t before);

    /* The memory-mapped view: the layout that it has; the bits that an access as the pins are now
     * sees of a register, none where it reads as zero and ignores writes; whether the bus answers
     * with an error; whether the view may write what can be written. NULL: no view, no error. */
    enum armpmu_access (*layout)(const struct armpmu *pmu);
    uint64_t (*seen_in_view)(const struct armpmu *pmu, const struct armpmu_register *reg);
    bool (*fails_in_view)(const struct armpmu *pmu, const struct armpmu_register *reg);
    bool (*stores_in_view)(const struct armpmu_register *reg);

    /* The lines that the state asserts, bit n for enum armpmu_output n. */
    uint32_t (*outputs)(const struct armpmu *pmu);
};

/* The model of a core; NULL if there is none. */
const struct model *pmu_model_of(const struct armpmu_core *core);

#define PIN_BIT(id)    (UINT64_C(1) << ARMPMU_PIN_##id)
#define OUTPUT_BIT(id) (UINT32_C(1) << ARMPMU_OUTPUT_##id)
_Static_assert(ARMPMU_PIN_COUNT <= 64 && ARMPMU_OUTPUT_COUNT <= 32, "a bit for each");

static inline uint64_t bits_below(unsigned width)
{
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

/* The value of a bit, or of a field, at a place of the state. */
static inline uint64_t slot_get(const struct armpmu *pmu, struct armpmu_slot_bit place,
                                unsigned width)
{
    return pmu->state.slot[place.slot] >> place.lsb & bits_below(width);
}

static inline bool pin_is_high(const struct armpmu *pmu, enum armpmu_pin pin)
{
    return pmu->state.pin[pin] != 0;
}

/* Counts become exact up to now; called before anything that counting depends on changes, and
 * before a count is read. */
void pmu_sync(struct armpmu *pmu);

/* After a change: each counter's source, and how far each signal may run before a counter wraps. */
void pmu_update_thresholds(struct armpmu *pmu);

/* Returns whether another counter would count, or to another width, if a pin had this value. The
 * pin takes it for the time of the question. */
bool pmu_counting_differs(struct armpmu *pmu, enum armpmu_pin pin, uint64_t value);

/* After a change: the output lines follow the state. */
void pmu_update_outputs(struct armpmu *pmu);

/* n increments of a counter at once, whatever its source. The flag is set when it wraps. */
void pmu_counter_add(struct armpmu *pmu, const struct armpmu_counter *counter, uint64_t n);

/* Before anything else: no counter counts any signal. */
void pmu_start_counting(struct armpmu *pmu);

/* Before anything is put out: finds the events of each signal. */
void pmu_start_exporting(struct armpmu *pmu);

/* The level of a pin before it is set. */
uint64_t pmu_pin_initial(enum armpmu_pin pin);

/* A write to PMNC, as it came, with the value before: the counters it zeroes. */
void pmu_control_wrote(struct armpmu *pmu, uint64_t written, uint64_t before);

/* A register's value, synced; as a write without asking who may. */
uint64_t pmu_register_get(struct armpmu *pmu, const struct armpmu_register *reg, unsigned element);
void pmu_register_set(struct armpmu *pmu, const struct armpmu_register *reg, unsigned element,
                      uint64_t value);

#endif

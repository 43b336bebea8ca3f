/* The catalogue: what the manuals say about each core, as data.
 *
 * All tables are constant; every pointer returned here is static and lives for ever. */
#ifndef ARMPMU_CATALOG_H
#define ARMPMU_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/register.h"
#include "armpmu/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Signals: core-neutral wires of a core model. An event is a sum of signals. */
enum armpmu_signal {
#define SIGNAL(id, unit, meaning) ARMPMU_SIGNAL_##id,
#include "armpmu/signal.def"
#undef SIGNAL
    ARMPMU_SIGNAL_COUNT
};

enum armpmu_unit {
    ARMPMU_UNIT_OCCURRENCES,
    ARMPMU_UNIT_INSTRUCTIONS,
    ARMPMU_UNIT_OPERATIONS,
    ARMPMU_UNIT_CYCLES,
    ARMPMU_UNIT_TRANSFERS,
};

/* How far a count can be trusted. */
enum armpmu_fidelity {
    ARMPMU_EXACT,    /* decided by the instruction stream alone */
    ARMPMU_MODELLED, /* depends on the core model               */
    ARMPMU_INPUT,    /* comes from a pin or an injected fault   */
    ARMPMU_RESERVED, /* a reserved number: never counts         */
};

/* Where other projects use another name for an event. */
enum armpmu_naming {
    ARMPMU_NAMING_LINUX, /* perf's generic events and the kernel's own name   */
    ARMPMU_NAMING_LIBPFM4,
    ARMPMU_NAMING_PAPI,
    ARMPMU_NAMING_GATOR, /* "Title: Name"                                     */
    ARMPMU_NAMING_OTHER, /* the customary name where ours is a plainer one    */
    ARMPMU_NAMING_COUNT
};

#define ARMPMU_EVENT_SIGNALS_MAX 4
#define ARMPMU_NOT_ON_BUS        0xff

struct armpmu_event {
    uint16_t first, last; /* number; reserved rows span a range */
    const char *name;     /* canonical mnemonic, upper case; of a reserved row "", or the name of an
                             event that the core has and that is not modelled */
    const char *meaning;  /* our own definition, one sentence without full stop */
    enum armpmu_unit unit;
    enum armpmu_fidelity fidelity;
    uint16_t signals[ARMPMU_EVENT_SIGNALS_MAX]; /* enum armpmu_signal, n_signals of them */
    uint8_t n_signals;
    const char *aliases[ARMPMU_NAMING_COUNT]; /* names separated by '|', NULL where there is none */
    uint8_t bus_bit;                          /* of EVNTBUS, or ARMPMU_NOT_ON_BUS */
    bool locates_a_fault;                     /* goes with an update of the CFLR */
    bool needs_system; /* unknown, not 0, where only a program of User mode is executed */
};

/* A derived figure: factor * numerator / denominator, or a formula; none when it divides by zero.
 */
struct armpmu_metric {
    const char *name;                /* "ipc", unique in its core            */
    const char *group;               /* "cache;MPKI": kinds of metrics, with ';' between them */
    uint16_t beside;                 /* the event it is printed beside                  */
    uint16_t numerator, denominator; /* event numbers; with a formula both are `beside` */
    uint32_t factor;                 /* 1, 100 (percent), 1000 (per thousand); 0 with a formula */
    const char *formula; /* of event names, whole numbers, + - * / and brackets; or NULL */
    const char *unit;    /* printed after the figure: "insn/cycle", "% of L1D accesses", "MPKI" */
    const char *meaning; /* what a high value means                         */
};

#define ARMPMU_STALL_ALONE  0xffff
#define ARMPMU_STALL_BESIDE 0xfffe

/* Cycles that an event says something of. */
struct armpmu_stall {
    uint16_t event;
    uint16_t of; /* ARMPMU_STALL_ALONE: the pipeline stalls for this reason and no other of these,
                    so they add up; ARMPMU_STALL_BESIDE: these may be cycles of others, or no stall;
                    else the event that they are part of */
    const char *label; /* why */
};

struct armpmu_core {
    const char *name;           /* "cortex-a8" */
    const char *title;          /* "Arm Cortex-A8" */
    const char *pmu;            /* "armv7_cortex_a8", as Linux perf names it */
    const char *pmu_aliases[6]; /* "a8", "cpu", "arm_ac8", ..., NULL-terminated */
    const char *document;       /* manual of record */
    unsigned n_event_counters;  /* event counters, the cycle counter not included */
    unsigned counter_bits;
    uint8_t pmu_version;    /* PMUv3: ID_AA64DFR0_EL1.PMUVer; 0: another monitor */
    uint16_t cycles_event;  /* the event the cycle counter counts; 0xffff: it has no number */
    uint16_t cycles_config; /* Linux's number of it where that is another; else 0 */
    const struct armpmu_counter *counters; /* all counters, a cycle counter first */
    size_t n_counters;
    const struct armpmu_encoding_range *ranges; /* encodings that belong to the unit */
    size_t n_ranges;
    const struct armpmu_event *events; /* numbers rise, ranges do not overlap, all covered */
    size_t n_events;
    const struct armpmu_register *registers;
    size_t n_registers;
    const struct armpmu_metric *metrics;
    size_t n_metrics;
    const struct armpmu_stall *stalls; /* each after the one that it is part of */
    size_t n_stalls;
    const char *not_stalled; /* what cycles are that are no stall of these */
};

ARMPMU_API extern const char *const armpmu_version; /* "1.0.0" */

/* Names for people: "INST_RETIRED", "cycles", "exact". */
ARMPMU_API const char *armpmu_signal_name(enum armpmu_signal signal);
ARMPMU_API const char *armpmu_signal_meaning(enum armpmu_signal signal);
ARMPMU_API const char *armpmu_unit_name(enum armpmu_unit unit);
ARMPMU_API const char *armpmu_fidelity_name(enum armpmu_fidelity fidelity);
ARMPMU_API const char *armpmu_naming_name(enum armpmu_naming naming);

/* All cores, in a fixed order. */
ARMPMU_API const struct armpmu_core *const *armpmu_cores(size_t *count);

/* The core of this name ("cortex-a8", or one of its PMU names), ignoring case; NULL if none. */
ARMPMU_API const struct armpmu_core *armpmu_core_find(const char *name);

/* The row that covers an event number; never NULL for numbers up to 0xff. */
ARMPMU_API const struct armpmu_event *armpmu_event_by_number(const struct armpmu_core *core,
                                                             unsigned number);

/* The event of this canonical name or alias, ignoring case; NULL if none that counts. */
ARMPMU_API const struct armpmu_event *armpmu_event_by_name(const struct armpmu_core *core,
                                                           const char *name);

/* Copies the index-th alias (from 0) of a naming to name, at most size bytes, terminated.
 * Returns its full length, 0 when there is no such alias; then name is "" (if size is not 0). */
ARMPMU_API size_t armpmu_event_alias(const struct armpmu_event *event, enum armpmu_naming naming,
                                     size_t index, char *name, size_t size);

/* Returns whether a glob ('*', '?', "[a-z]", "[!a]"; '\\' takes the next character literally) is
 * the name, an alias or the number ("0x03", "r03") of the event, ignoring case. A reserved row has
 * only numbers: those of its range. */
ARMPMU_API bool armpmu_event_matches(const struct armpmu_event *event, const char *glob);

/* Returns whether a glob, as above, matches all of a name, ignoring case. */
ARMPMU_API bool armpmu_glob_matches(const char *glob, const char *name);

/* The register of this name ("PMNC", or "PMCR" as the architecture calls it), ignoring case; NULL
 * if none. An element of an array is named by its number in place of "<n>", or after the name:
 * "AMEVCNTR02_EL0", "EVTSEL3". element may be NULL; it is 0 where no element is named. */
ARMPMU_API const struct armpmu_register *armpmu_register_find(const struct armpmu_core *core,
                                                              const char *name, unsigned *element);

/* The event's count: the sum of its signals in a tally of ARMPMU_SIGNAL_COUNT entries. */
ARMPMU_API uint64_t armpmu_event_count(const struct armpmu_event *event, const uint64_t *signals);

#ifdef __cplusplus
}
#endif
#endif

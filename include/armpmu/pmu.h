/* A performance monitor, register for register.
 *
 * A device is made for one core, in memory that the caller gives. It takes signals, shows its
 * registers by the accesses that the core has, and drives output lines. It allocates nothing, calls
 * no library and has no state outside its memory: two devices are independent, one device belongs
 * to one thread at a time.
 *
 *     static union armpmu_memory memory;
 *     struct armpmu *pmu;
 *     struct armpmu_config config = {.core = "cortex-a8", .output = my_interrupt_line};
 *     if (armpmu_create(&memory, sizeof memory, &config, &pmu, &error) != ARMPMU_OK) ...
 *
 *     armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, 1);
 *     if (armpmu_mrc(pmu, 15, 0, 9, 13, 0, &cycles) != ARMPMU_DONE) ... raise Undefined
 */
#ifndef ARMPMU_PMU_H
#define ARMPMU_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/catalog.h"
#include "armpmu/register.h"
#include "armpmu/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct armpmu;

/* Memory for one device, of any core. */
#define ARMPMU_DEVICE_BYTES 8192
union armpmu_memory {
    uint64_t align;
    unsigned char bytes[ARMPMU_DEVICE_BYTES];
};

enum armpmu_pin {
#define PIN(id, bits, initial, meaning) ARMPMU_PIN_##id,
#include "armpmu/pin.def"
#undef PIN
    ARMPMU_PIN_COUNT
};

enum armpmu_output {
#define OUTPUT(id, pin, active_low, meaning) ARMPMU_OUTPUT_##id,
#include "armpmu/output.def"
#undef OUTPUT
    ARMPMU_OUTPUT_COUNT
};

/* The outcome of an access. */
enum armpmu_outcome {
    ARMPMU_DONE,             /* performed; a read has its value                             */
    ARMPMU_UNDEFINED,        /* Undefined Instruction exception, at the current place       */
    ARMPMU_UNDEFINED_TO_EL2, /* the same, taken to EL2 by HCR.TGE with an unknown reason    */
    ARMPMU_TRAP_EL1,
    ARMPMU_TRAP_EL2,
    ARMPMU_TRAP_EL3,
    ARMPMU_REDIRECTED, /* nested virtualization: memory at armpmu_nested_offset()     */
    ARMPMU_BUS_FAULT,  /* the memory-mapped view does not answer such an access       */
    ARMPMU_NOT_HERE,   /* the encoding does not belong to this unit: nothing was done */
};

/* Auxiliary counters of an activity monitor unit, at most; bytes of its memory-mapped view. */
#define ARMPMU_AMU_GROUP1_MAX  16u
#define ARMPMU_AMU_FRAME_BYTES 4096u /* that of PMUv3 is as large */

/* The optional parts of an activity monitor unit. Zero in a field is its default; bits and events
 * of auxiliary counters that do not exist have no effect. */
struct armpmu_amu_config {
    bool v1p1;               /* FEAT_AMUv1p1: CG1RZ, AMCG1IDR, virtual offsets            */
    uint8_t group1_counters; /* 0 to 16; with v1p1 and a map: ignored                     */
    uint16_t group1_map;     /* v1p1: bit n says that AMEVCNTR1n exists                   */
    uint16_t group1_offsets; /* v1p1: bit n says that AMEVCNTVOFF1n_EL2 exists            */
    uint16_t group1_fixed;   /* bit n: the event of AMEVCNTR1n cannot be changed          */
    /* event numbers of fixed counters, reset values of others */
    uint16_t group1_events[ARMPMU_AMU_GROUP1_MAX];
    uint8_t highest_el;       /* 1 to 3; 0 means 3                                         */
    bool without_el2;         /* EL2 is not implemented                                    */
    bool without_fine_traps;  /* FEAT_FGT is not implemented                               */
    bool layout64;            /* the memory-mapped view has the layout of 64-bit registers */
    bool always_powered;      /* the unit is not in the core's power domain                */
    uint8_t external_control; /* 0 none, 1 AMSCR, 2 AMROOTCR (FEAT_AMU_EXTACR)             */
    uint32_t implementer_id;  /* AMIIDR; 0: not there                                      */
    uint64_t affinity;        /* AMDEVAFF: a copy of MPIDR_EL1                             */
    uint16_t part;            /* AMPIDR0 and 1: 12-bit part number                         */
};

/* The optional parts of a PMUv3. Zero in a field is its default. */
struct armpmu_pmuv3_config {
    uint8_t version;    /* ID_AA64DFR0_EL1.PMUVer: 1, 4, 5, 6, 7 or 8 (v3, v3p1, v3p4, v3p5, v3p7,
                           v3p8); 0: the core's */
    uint8_t counters;   /* event counters, 1 to 31; 0: the core's */
    uint8_t highest_el; /* 1 to 3; 0 means 3                                           */
    bool without_el2;   /* EL2 is not implemented                                      */
    bool without_secure_el2; /* FEAT_SEL2 is not implemented                                */
    bool without_fine_traps; /* FEAT_FGT is not implemented                                 */
    bool always_powered;     /* the unit is not in the core's power domain                  */
    uint64_t affinity;       /* PMDEVAFF: a copy of MPIDR_EL1                               */
};

struct armpmu_config {
    /* sizeof(struct armpmu_config), so that a library of another version knows how much there is;
     * 0: as of this header. New members come last. */
    size_t struct_size;
    const char *core;  /* a name of armpmu_core_find(): "cortex-a8", "xscale2", ...; not kept */
    bool flag_erratum; /* XScale: a new overflow clears older flags, as on the 80200 A steppings;
                          of no effect on other cores */
    struct armpmu_amu_config amu;

    /* Called when something happened; each may be NULL. They may query the device, not change it.
     */
    void (*output)(void *user, enum armpmu_output output, bool asserted);
    void (*overflow)(void *user, const struct armpmu_counter *counter);
    /* While events are exported (PMNC.X): n occurrences of an event. */
    void (*exported)(void *user, const struct armpmu_event *event, uint32_t n);
    /* Cortex-R4F: the event bus in one clock, when it is not zero. Events posted since the last
     * clock share it: to see single pulses post CPU_CYCLES clock by clock. */
    void (*event_bus)(void *user, uint64_t bits);
    void *user; /* passed to all of them */
    struct armpmu_pmuv3_config pmuv3;
};

/* ARMPMU_DEVICE_BYTES of the library that is loaded, for those who cannot read this header. */
ARMPMU_API size_t armpmu_device_bytes(void);

/* Makes a device in memory of at least ARMPMU_DEVICE_BYTES bytes, aligned for uint64_t, that the
 * caller keeps as long as the device is used; there is nothing to free. The device is in reset
 * state. config is copied; its callbacks are not called before the first access, pin or post.
 * Returns ARMPMU_NOT_FOUND for an unknown core, ARMPMU_BAD_CONFIG, ARMPMU_NO_MEMORY for memory that
 * is too small or not aligned. error may be NULL. On failure *out is NULL. */
ARMPMU_API ARMPMU_MUST_USE enum armpmu_status armpmu_create(void *memory, size_t bytes,
                                                            const struct armpmu_config *config,
                                                            struct armpmu **out,
                                                            struct armpmu_error *error);

enum armpmu_reset {
    ARMPMU_RESET_COLD, /* everything; of the activity monitors: the reset of their own domain */
    ARMPMU_RESET_WARM, /* of the processor only: activity monitors keep counting              */
};

/* Resets the device. Pins keep their values. Values that the manual leaves unknown become 0. */
ARMPMU_API void armpmu_reset(struct armpmu *pmu, enum armpmu_reset reset);

ARMPMU_API const struct armpmu_core *armpmu_core_of(const struct armpmu *pmu);

/* --- Signals ------------------------------------------------------------------------------- */

/* The head of every device, which armpmu_post() reads and writes. Not for direct use. */
struct armpmu_tally {
    int64_t headroom[ARMPMU_SIGNAL_COUNT]; /* posts left before a counter may wrap, less one */
};

/* A signal has used up its headroom. */
ARMPMU_API void armpmu_threshold_reached(struct armpmu *pmu, enum armpmu_signal signal);

/* n occurrences of a signal: counters that count it move. A counter that wraps sets its flag before
 * this returns, and the outputs follow. n in one call equals n calls of 1, up to 2^32 - 1 at once:
 * more is posted in several calls. A 32-bit counter may wrap once in a call.
 *
 * ARMPMU_SIGNAL_SW_INCREMENT is not posted: a write to the software increment register counts by
 * itself, and a post of it counts nothing. */
ARMPMU_INLINE void armpmu_post(struct armpmu *pmu, enum armpmu_signal signal, uint32_t n)
{
    int64_t *const headroom = &((struct armpmu_tally *)(void *)pmu)->headroom[signal];

    *headroom -= n;
    if (*headroom < 0)
        armpmu_threshold_reached(pmu, signal);
}

/* Where an error was, as the Side field of the Cortex-R4F's CFLR has it. */
enum armpmu_side { ARMPMU_SIDE_CACHE, ARMPMU_SIDE_ATCM, ARMPMU_SIDE_BTCM };

/* Room: in the current state this number of posts of one signal, whichever it is, makes no
 * counter wrap: for an embedder that gathers events and posts them together. It is a lower
 * bound. A counter whose event is the sum of several signals leaves each its share of what it
 * has left, so the next post may find more room; and posts of several signals that are each
 * within their room make none wrap. */
ARMPMU_API uint64_t armpmu_headroom(const struct armpmu *pmu);

/* The same of this signal: a lower bound, too, which other signals do not change. */
ARMPMU_API uint64_t armpmu_headroom_of(const struct armpmu *pmu, enum armpmu_signal signal);

/* An error that the memory system of the Cortex-R4F met. */
struct armpmu_fault {
    enum armpmu_signal signal; /* of an error event */
    bool speculative;          /* of an access whose data was not used */
    enum armpmu_side side;     /* of a TCM error: which TCM */
    uint8_t way;               /* of a cache error: four bits, as the Way field shows them */
    uint32_t address;          /* of the TCM, or whose index bits chose the cache set */
};

/* Posts the error event once and, where it goes with an update of the CFLR, updates that: the
 * latest error wins, but within a clock (until CPU_CYCLES is posted) one of the AXI slave port does
 * not replace one of the core. Of a speculative access only what a TCM port sees is an event, and
 * the CFLR stays as it is. An error that is seen twice, by a TCM port and by who wanted the data,
 * is posted twice, once with each signal. Source: ARM DDI 0363G, Correctable Fault Location
 * Register; ARM DDI 0363E, Error detection events. */
ARMPMU_API void armpmu_post_fault(struct armpmu *pmu, const struct armpmu_fault *fault);

/* --- Pins and outputs ---------------------------------------------------------------------- */

/* Sets a pin; bits that it does not have are dropped. Counts up to now use the old value. */
ARMPMU_API void armpmu_set_pin(struct armpmu *pmu, enum armpmu_pin pin, uint64_t value);
ARMPMU_API uint64_t armpmu_get_pin(const struct armpmu *pmu, enum armpmu_pin pin);

/* Returns whether it would change what counts, and how, to set a pin to a value: an embedder that
 * gathers posts posts them before. Cheap enough to be asked at every change of Exception level. */
ARMPMU_API bool armpmu_pin_matters(struct armpmu *pmu, enum armpmu_pin pin, uint64_t value);

/* Returns whether a line asks for something. nPMUIRQ and the like are LOW then. */
ARMPMU_API bool armpmu_get_output(const struct armpmu *pmu, enum armpmu_output output);

/* The older names of both. In C++ they would hide the enumerations. */
#ifndef __cplusplus
ARMPMU_INLINE uint64_t armpmu_pin(const struct armpmu *pmu, enum armpmu_pin pin)
{
    return armpmu_get_pin(pmu, pin);
}

ARMPMU_INLINE bool armpmu_output(const struct armpmu *pmu, enum armpmu_output output)
{
    return armpmu_get_output(pmu, output);
}
#endif

ARMPMU_API const char *armpmu_pin_name(enum armpmu_pin pin);
ARMPMU_API const char *armpmu_pin_meaning(enum armpmu_pin pin);
ARMPMU_API unsigned armpmu_pin_bits(enum armpmu_pin pin);
/* Returns whether the core's monitor looks at the pin: others change nothing. */
ARMPMU_API bool armpmu_pin_is_of(const struct armpmu_core *core, enum armpmu_pin pin);
/* Returns whether a rising edge of the pin is an event of the core; then *signal is what it posts.
 */
ARMPMU_API bool armpmu_pin_signal(const struct armpmu_core *core, enum armpmu_pin pin,
                                  enum armpmu_signal *signal);
ARMPMU_API const char *armpmu_output_name(enum armpmu_output output); /* "nPMUIRQ" */
ARMPMU_API const char *armpmu_output_meaning(enum armpmu_output output);
ARMPMU_API bool armpmu_output_is_active_low(enum armpmu_output output);
/* Returns whether the core's monitor drives the line: others are never asserted. */
ARMPMU_API bool armpmu_output_is_of(const struct armpmu_core *core, enum armpmu_output output);

/* --- Registers ------------------------------------------------------------------------------ */

/* An access by an instruction, from where the pins say. A value is 32 or 64 bits wide as the
 * register is, or as the access is: MCR transfers the low word. *value is left alone unless the
 * outcome is ARMPMU_DONE. */
ARMPMU_API enum armpmu_outcome armpmu_read(struct armpmu *pmu, struct armpmu_encoding at,
                                           uint64_t *value);
ARMPMU_API enum armpmu_outcome armpmu_write(struct armpmu *pmu, struct armpmu_encoding at,
                                            uint64_t value);

/* Returns whether an instruction's encoding lies in a range that a core's unit claims: where it has
 * no register there, an access is Undefined. */
ARMPMU_API bool armpmu_claims(const struct armpmu_core *core, struct armpmu_encoding at);

/* The outcome that an access would have, without doing it. */
ARMPMU_API enum armpmu_outcome armpmu_try(const struct armpmu *pmu, struct armpmu_encoding at,
                                          bool write);

/* The exception class (ESR_ELx.EC, HSR.EC) of a trapped access. */
ARMPMU_API unsigned armpmu_exception_class(enum armpmu_outcome outcome, enum armpmu_access access);

/* Where, from VNCR_EL2's address, an access with the outcome ARMPMU_REDIRECTED goes. */
ARMPMU_API unsigned armpmu_nested_offset(struct armpmu_encoding at);

/* Accesses to the memory-mapped view of the activity monitors or of PMUv3: bytes is 1, 2, 4 or 8,
 * offset a multiple of it below 4096, little endian. Others, and other cores: ARMPMU_BUS_FAULT. */
ARMPMU_API enum armpmu_outcome armpmu_load(struct armpmu *pmu, uint32_t offset, unsigned bytes,
                                           uint64_t *value);
ARMPMU_API enum armpmu_outcome armpmu_store(struct armpmu *pmu, uint32_t offset, unsigned bytes,
                                            uint64_t value);

/* Reads a register without any permission: for debuggers and tests. element is below reg->count;
 * without the effects of reading. */
ARMPMU_API uint64_t armpmu_peek(struct armpmu *pmu, const struct armpmu_register *reg,
                                unsigned element);
/* Writes a register as the most privileged write would, with all its effects. */
ARMPMU_API void armpmu_poke(struct armpmu *pmu, const struct armpmu_register *reg, unsigned element,
                            uint64_t value);

/* Returns whether this device has the element: configuration leaves some out. */
ARMPMU_API bool armpmu_has_register(const struct armpmu *pmu, const struct armpmu_register *reg,
                                    unsigned element);

ARMPMU_INLINE enum armpmu_outcome armpmu_mrc(struct armpmu *pmu, unsigned coproc, unsigned op1,
                                             unsigned crn, unsigned crm, unsigned op2,
                                             uint32_t *value)
{
    const struct armpmu_encoding at = {ARMPMU_ACCESS_MCR,
                                       (uint8_t)coproc,
                                       (uint8_t)op1,
                                       (uint8_t)crn,
                                       (uint8_t)crm,
                                       (uint8_t)op2,
                                       0};
    uint64_t read = 0;
    const enum armpmu_outcome outcome = armpmu_read(pmu, at, &read);

    if (outcome == ARMPMU_DONE)
        *value = (uint32_t)read;
    return outcome;
}

ARMPMU_INLINE enum armpmu_outcome armpmu_mcr(struct armpmu *pmu, unsigned coproc, unsigned op1,
                                             unsigned crn, unsigned crm, unsigned op2,
                                             uint32_t value)
{
    const struct armpmu_encoding at = {ARMPMU_ACCESS_MCR,
                                       (uint8_t)coproc,
                                       (uint8_t)op1,
                                       (uint8_t)crn,
                                       (uint8_t)crm,
                                       (uint8_t)op2,
                                       0};
    return armpmu_write(pmu, at, value);
}

ARMPMU_INLINE enum armpmu_outcome armpmu_mrrc(struct armpmu *pmu, unsigned coproc, unsigned op1,
                                              unsigned crm, uint64_t *value)
{
    const struct armpmu_encoding at = {
        ARMPMU_ACCESS_MCRR, (uint8_t)coproc, (uint8_t)op1, 0, (uint8_t)crm, 0, 0};
    return armpmu_read(pmu, at, value);
}

ARMPMU_INLINE enum armpmu_outcome armpmu_mcrr(struct armpmu *pmu, unsigned coproc, unsigned op1,
                                              unsigned crm, uint64_t value)
{
    const struct armpmu_encoding at = {
        ARMPMU_ACCESS_MCRR, (uint8_t)coproc, (uint8_t)op1, 0, (uint8_t)crm, 0, 0};
    return armpmu_write(pmu, at, value);
}

ARMPMU_INLINE enum armpmu_outcome armpmu_mrs(struct armpmu *pmu, unsigned op0, unsigned op1,
                                             unsigned crn, unsigned crm, unsigned op2,
                                             uint64_t *value)
{
    const struct armpmu_encoding at = {
        ARMPMU_ACCESS_MSR, (uint8_t)op0, (uint8_t)op1, (uint8_t)crn, (uint8_t)crm, (uint8_t)op2, 0};
    return armpmu_read(pmu, at, value);
}

ARMPMU_INLINE enum armpmu_outcome armpmu_msr(struct armpmu *pmu, unsigned op0, unsigned op1,
                                             unsigned crn, unsigned crm, unsigned op2,
                                             uint64_t value)
{
    const struct armpmu_encoding at = {
        ARMPMU_ACCESS_MSR, (uint8_t)op0, (uint8_t)op1, (uint8_t)crn, (uint8_t)crm, (uint8_t)op2, 0};
    return armpmu_write(pmu, at, value);
}

/* --- Snapshots ------------------------------------------------------------------------------ */

/* Bytes of a snapshot of this device. It is valid for devices made from an equal configuration by
 * the same version of the library, on a host of the same byte order. */
ARMPMU_API size_t armpmu_snapshot_bytes(const struct armpmu *pmu);

/* Copies the state to the caller's buffer of armpmu_snapshot_bytes(). Changes nothing that can be
 * seen. */
ARMPMU_API void armpmu_snapshot(struct armpmu *pmu, void *snapshot);

/* Takes a snapshot's state; output callbacks report what changed. Returns ARMPMU_BAD_INPUT, and
 * changes nothing, when it is not a snapshot of such a device. error may be NULL. */
ARMPMU_API ARMPMU_MUST_USE enum armpmu_status
armpmu_restore(struct armpmu *pmu, const void *snapshot, size_t bytes, struct armpmu_error *error);

#ifdef __cplusplus
}
#endif
#endif

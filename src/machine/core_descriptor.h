/* The facts of a core for the rest of armpmu: one descriptor for each line of catalog/cores.def,
 * defined beside the core's model. */
#ifndef MACHINE_CORE_DESCRIPTOR_H
#define MACHINE_CORE_DESCRIPTOR_H

#include "armpmu/sim.h"
#include "base/arm_attributes.h"
#include "machine/machine.h"

struct core_ops;
struct core_slicing;
struct miss_maps;

/* A cache whose misses can be mapped; sets 0: the core has none. */
struct core_cache {
    uint32_t sets;
    enum armpmu_signal misses; /* the signal of a miss */
};

/* How the rows of a profile part the cycles of a model among instructions that issue in order. */
enum core_charge {
    CHARGE_RETIRES, /* they do not: to what retires at a cycle's end */
    CHARGE_OWN,     /* the cycle in which an instruction issues, and its further steps, to itself */
    CHARGE_CLOSES,  /* that cycle, while a second may join, to the next one; steps to itself */
    CHARGE_STEPS,   /* both to the next one */
};

/* A core model; struct armpmu_sim is one of these with its state. */
struct core_model {
    size_t bytes; /* of the state, which begins with a struct core */
    const struct core_ops *ops;
    /* The cures that it can do, a bit for each enum cure; and whether it counts CURED_CYCLES. */
    unsigned cures;
    bool counts_cured;

    /* The state is zero but for its struct core. release: also after init has failed. */
    enum armpmu_status (*init)(void *state, struct armpmu_error *);
    void (*release)(void *state);
    enum armpmu_status (*run)(void *state, const uint64_t *records, size_t n_records,
                              struct armpmu_error *);
    void (*finish)(void *state); /* after the reader has finished; may be NULL */
    void (*signals)(const void *state, uint64_t *signals);

    /* Before each armpmu_sim_read_delta: adds up what `signals` would otherwise look for in every
     * block that ever ran. */
    void (*sync)(void *state);

    /* For a profile: makes the model attribute, before anything runs (ARMPMU_OK or
     * ARMPMU_NO_MEMORY); adds to the reader's rows what it still holds. */
    enum armpmu_status (*attribute)(void *state);
    void (*sync_rows)(void *state);
    enum core_charge charges;

    /* Returns the maps that the core notes misses in, all NULL at first; fills in a core_cache for
     * each. */
    struct miss_maps *(*miss_maps)(void *state, struct core_cache *caches);

    /* A core whose data accesses can be kept (trace/access_log.h) tells each of them from here on;
     * NULL where it does so anyway. access_latency: armpmu_sim_access_latency, NULL: they cannot.
     */
    void (*tell_accesses)(void *state);
    const char *access_latency;

    /* From here on shares the last-level cache of another of the same machine; start: the cycle in
     * which its first one is, as the first core counts them. NULL: it never does. */
    enum armpmu_status (*share)(void *state, void *other, uint64_t start, struct armpmu_error *);

    /* One model of several machines (cores/several.h): can_add as sim_can_add, NULL: never. Before
     * anything runs, a core of each machine becomes a back of another one, the front; then
     * signals_of takes the place of `signals`. */
    bool (*can_add)(const struct armpmu_machine *, const struct armpmu_machine *other);
    void (*add_back)(void *front, void *back);
    void (*signals_of)(const void *front, const void *back, uint64_t *signals);

    const struct core_slicing *slicing; /* cores/slices.h; NULL: the model cannot be sliced */

    /* NULL where the core has no errors in memories. */
    enum armpmu_status (*inject)(void *state, enum armpmu_injection, uint64_t address,
                                 struct armpmu_error *);
    void (*on_fault)(void *state, armpmu_fault_fn, void *user);
};

/* The emulator of the core's programs for Linux: a CPU of QEMU with the core's instructions. */
struct core_emulator {
    const char *qemu;      /* the command */
    const char *target;    /* what it emulates, as it tells a plugin */
    const char *cpu;       /* the value of -cpu */
    const char *older_cpu; /* the same of a QEMU before 8.2, which knows fewer; NULL: that one */
    const char *others;    /* whose programs run here, too, as words; NULL: only its own */
    unsigned vector_bytes; /* of a register of the scalable vector extension, 0: not there */
    uint8_t elf_class;     /* ELFCLASS32 or ELFCLASS64 */
    uint16_t elf_machine;  /* EM_ARM or EM_AARCH64 */
    const char *runs;      /* whose programs, in words */
    const char *compiler;  /* that makes such programs */
    struct arm_attributes has; /* of 32-bit Arm: the most that a program may be built for */
};

#define CORE_INTERRUPTS_MAX 5

/* The emulator of its firmware: a CPU of Unicorn. */
struct core_firmware {
    const char *cpu; /* its name in QEMU; NULL: no firmware */
    /* Registers in which a set bit of the mask lets an overflow reach an interrupt line. */
    struct {
        const char *name;
        uint32_t mask;
    } interrupts[CORE_INTERRUPTS_MAX];
    bool be8; /* big-endian data */
    bool thumb2;
    bool mpu;     /* in place of an MMU */
    bool vinithi; /* a pin that puts vectors at 0xffff0000 after reset */
    bool frames;  /* an event is about where pages lie */
};

#define CORE_EVENTS_END 0xffff

/* The events that `armpmu stat` counts by default: numbers up to CORE_EVENTS_END. NULL: all. */
struct core_events {
    const uint16_t *usual;    /* cycles, instructions, caches, TLBs, branches, empty issue slots */
    const uint16_t *hardware; /* as many of these as there are counters */
    const uint16_t *detail;   /* the first -d adds these */
};

/* A key of machine files that follows from what a board took. */
struct core_measured_key {
    enum machine_key key;
    const char *unit, *formula; /* as in measured.def beside the core's model */
};

struct core_descriptor {
    const char *name;    /* in the catalogue */
    const char *machine; /* one with this core, by name */
    const bool *keys;    /* of machine.def, MACHINE_KEYS of them: its machines have the key */
    const struct core_model *model;
    const char *beside; /* the core whose monitor machines and firmware have too; NULL: none */
    bool security;      /* has the security extensions, and with them VBAR and Monitor mode */
    /* The measurements of armpmu calibrate, a key of MACHINE_KEYS after it; NULL: its program
     * does not know the core. */
    const struct core_measured_key *measured;
    struct core_emulator emulator;
    struct core_firmware firmware;
    struct core_events events;
    /* The compatible string of a device tree's pmu node, for the driver in Linux; NULL: Linux has
     * none, or finds it in another way. */
    const char *compatible;
};

/* The descriptors by index, from 0; NULL after the last. */
const struct core_descriptor *core_descriptor_at(size_t index);

const struct core_descriptor *core_descriptor_of(const struct armpmu_core *core);

/* Returns whether what executed on a processor of QEMU would do the same on this core. */
bool core_descriptor_runs(const struct core_descriptor *core, const char *target, const char *cpu);

/* A machine for each core that fits: "cortex-a8 or cortex-r4f"; "" for none. */
void core_descriptor_machines(bool (*fits)(const struct core_descriptor *, const void *user),
                              const void *user, char *text, size_t size);

/* The machine when none is named: that of the first core. */
const char *core_default_machine(void);

/* Returns whether the name of a machine is that of a file. */
bool machine_is_file(const char *name);

#endif

/* The monitors of a processor: its core's own, and optionally a second one. Each is a device with
 * registers of its own; all count the same signals. An access goes to the one whose core claims the
 * encoding. */
#ifndef COSIM_MONITORS_H
#define COSIM_MONITORS_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/pmu.h"
#include "armpmu/sim.h"
#include "cosim/core_registers.h"

#define MONITORS_MAX 2u

/* The cores that they are made for; the first is the processor's own. */
struct monitor_cores {
    unsigned n;
    const struct armpmu_core *core[MONITORS_MAX];
};

struct monitors {
    unsigned n;
    struct armpmu *pmu[MONITORS_MAX]; /* the core's own first */
    unsigned levels_alike; /* bit n: what counts in Exception level n is known to be what counts now
                            */
    union armpmu_memory memory[MONITORS_MAX];
    struct core_registers registers; /* of the core itself */
};

/* beside: the name of the other one's core; NULL: there is none. */
struct monitor_cores monitor_cores_of(const struct armpmu_core *own, const char *beside);

/* The core whose register an encoding may be; the own one where none claims it. */
const struct armpmu_core *monitor_cores_at(const struct monitor_cores *cores,
                                           const struct armpmu_encoding *at);

/* Makes them all; config->core is not looked at. As armpmu_create(). */
ARMPMU_MUST_USE enum armpmu_status monitors_create(struct monitors *monitors,
                                                   const struct monitor_cores *cores,
                                                   const struct armpmu_config *config,
                                                   struct armpmu_error *error);

/* The core's own. */
static inline struct armpmu *monitors_own(const struct monitors *monitors)
{
    return monitors->pmu[0];
}

/* The one whose core claims an encoding; the own one where none does. */
struct armpmu *monitors_at(const struct monitors *monitors, const struct armpmu_encoding *at);

/* The one with a register of this name, and the register; NULL: none has. */
struct armpmu *monitors_with(const struct monitors *monitors, const char *name,
                             const struct armpmu_register **reg);

/* The register that shows a bit of a core's monitor. False: none does. */
struct monitor_place {
    const struct armpmu_register *reg;
    unsigned element, lsb;
};
bool monitors_place(const struct armpmu_core *core, struct armpmu_slot_bit bit,
                    struct monitor_place *out);

/* ID_DFR0.PerfMon of a processor whose ID_AA64DFR0_EL1.PMUVer is this: they differ in the first
 * version of PMUv3. Source: ARM DDI 0487, ID_DFR0_EL1. */
static inline unsigned monitors_version_32(unsigned version_64)
{
    return version_64 == 1 ? 3 : version_64;
}

/* n occurrences of a signal. */
void monitors_post(struct monitors *monitors, enum armpmu_signal signal, uint64_t n);

/* As armpmu_headroom() and armpmu_headroom_of(), of the one that has least. */
uint64_t monitors_headroom(const struct monitors *monitors);
uint64_t monitors_headroom_of(const struct monitors *monitors, enum armpmu_signal signal);

/* A pin of all of them. */
void monitors_set_pin(struct monitors *monitors, enum armpmu_pin pin, uint64_t value);

/* Returns whether something else would count in an Exception level. Asked again, the answer costs
 * nothing until something changes. */
bool monitors_level_matters(struct monitors *monitors, unsigned level);

/* One of them was written to by its owner. */
static inline void monitors_changed(struct monitors *monitors)
{
    monitors->levels_alike = 0;
}

/* Returns whether the overflow interrupt is asserted. */
bool monitors_interrupt(const struct monitors *monitors);

void monitors_reset(struct monitors *monitors, enum armpmu_reset reset);

#endif

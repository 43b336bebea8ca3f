/* Pins and injected faults that the command line asks for.
 *
 *   PIN=VALUE              the pin has this value from the start
 *   PIN=every:Nc, :Ni      a pulse after every N cycles, or instructions
 *   KIND@ADDRESS           an error in one of the core's memories, for an access to find */
#ifndef UNICORN_STIMULUS_H
#define UNICORN_STIMULUS_H

#include <stdint.h>

#include "armpmu/pmu.h"
#include "armpmu/status.h"

#define STIMULUS_MAX 16u

struct firmware;

struct stimulus_pulse {
    enum armpmu_pin pin;
    enum armpmu_signal clock;
    uint64_t period;
};

struct stimulus {
    struct stimulus_pulse pulses[STIMULUS_MAX];
    unsigned n_pulses;
    unsigned n_errors;
    /* Found, and not yet posted to the device. An error is found by a TCM's port and by who reads,
     * or twice when it comes back. */
    struct armpmu_fault found[2 * STIMULUS_MAX];
    unsigned n_found;
    bool high_vectors; /* VINITHI */
};

/* Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. After this the core model finds the errors. */
ARMPMU_MUST_USE enum armpmu_status stimulus_set_up(struct firmware *fw, struct armpmu_error *err);

/* Makes the pulses that fall between two tallies. */
void stimulus_pulses(struct firmware *fw, const uint64_t *before, const uint64_t *now);

/* Tells the device of the errors that were found, and takes their signals out of what rose: they
 * are counted by that. */
void stimulus_faults(struct firmware *fw, uint64_t *rose);

#endif

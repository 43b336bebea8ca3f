/* Pins and injected faults that the command line asks for.
 *
 *   PIN=VALUE              the pin has this value from the start
 *   PIN=every:Nc, :Ni      a pulse after every N cycles, or instructions
 *   SIGNAL@ADDRESS         an error event each time the line of the address is accessed */
#ifndef ENGINE_UNICORN_DRIVE_H
#define ENGINE_UNICORN_DRIVE_H

#include <stdint.h>

#include "armpmu/pmu.h"
#include "armpmu/status.h"

#define DRIVE_MAX 16u

struct firmware;

struct drive_pulse {
    enum armpmu_pin pin;
    enum armpmu_signal clock;
    uint64_t period;
};

struct drive_fault {
    enum armpmu_signal signal;
    uint32_t address;
};

struct drive {
    struct drive_pulse pulses[DRIVE_MAX];
    unsigned n_pulses;
    struct drive_fault faults[DRIVE_MAX];
    unsigned n_faults;
};

/* Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
ARMPMU_MUST_USE enum armpmu_status drive_set_up(struct firmware *fw, struct armpmu_error *err);

/* Makes the pulses that fall between two tallies. */
void drive_pulses(struct firmware *fw, const uint64_t *before, const uint64_t *now);

/* An access; posts the faults of its line. */
void drive_access(struct firmware *fw, uint32_t address);

#endif

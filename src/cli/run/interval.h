/* -I: the length of an interval, by the simulated clock or in instructions. */
#ifndef CLI_RUN_INTERVAL_H
#define CLI_RUN_INTERVAL_H

#include <stdint.h>

#include "armpmu/machine.h"
#include "armpmu/status.h"

enum interval_unit {
    INTERVAL_NONE,
    INTERVAL_MILLISECONDS, /* of simulated time */
    INTERVAL_CYCLES,
    INTERVAL_INSTRUCTIONS,
};

struct interval_choice {
    enum interval_unit unit;
    double period; /* in units, > 0 */
};

/* Takes the value of -I for a struct interval_choice, as an option_set_fn. */
enum armpmu_status interval_set(void *interval, const char *option, const char *value,
                                struct armpmu_error *err);

/* The same as an engine takes it: counts of a signal, at least 1; 0 for no intervals. */
uint64_t interval_of(const struct interval_choice *interval, const struct armpmu_machine *machine,
                     enum armpmu_signal *every);

#endif

/* The activity monitors that AArch64 processors have, as the user chooses them. */
#ifndef COSIM_AMU_CONFIG_H
#define COSIM_AMU_CONFIG_H

#include <stdbool.h>

#include "cosim/monitors.h"

struct amu_config {
    bool enabled; /* firmware has enabled all counters */
    bool v1p1;
    unsigned group1; /* auxiliary counters, at most 16 */
};

/* The default: counters of the three gears of maximum power mitigation. */
#define AMU_DEFAULT                                                                                \
    {                                                                                              \
        .group1 = 3                                                                                \
    }

/* Changes the monitor as "enabled", "v1p1" and "group1:N" say, joined by '+'; cores are those of
 * the processor's monitors. Returns NULL, or what is wrong (static). */
const char *amu_config_parse(const char *text, const struct monitor_cores *cores,
                             struct amu_config *monitor);

/* ID_AA64PFR0_EL1.AMU of a processor with these monitors, 0 where none of them counts activity. */
unsigned amu_config_version(const struct amu_config *monitor, const struct monitor_cores *cores);

/* The monitor of a processor with Exception levels up to highest_el, for armpmu_create(). */
void amu_config_configure(const struct amu_config *monitor, unsigned highest_el, bool has_el2,
                          bool has_fine_traps, struct armpmu_amu_config *config);

/* Enables all counters, as firmware does before an operating system, if it is to. */
void amu_config_begin(const struct amu_config *monitor, const struct monitors *monitors);

#endif

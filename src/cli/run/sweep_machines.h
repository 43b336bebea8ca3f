/* The machines of a sweep: every one of --machine with every combination of the values of --set. */
#ifndef CLI_RUN_SWEEP_MACHINES_H
#define CLI_RUN_SWEEP_MACHINES_H

#include <stddef.h>

#include "armpmu/machine.h"
#include "cli/options.h"

#define SWEEP_MACHINES_MAX 1000

/* A key and the values that it goes through; "KEY" or "machine". */
struct sweep_axis {
    char *key;
    char **values;
    size_t n, room;
};

struct sweep_machines {
    struct sweep_axis *axes; /* the machines' names, then a key each */
    size_t n_axes;
    struct armpmu_machine **machines; /* n of them; the last axis changes fastest */
    size_t n;
};

/* names: "NAME,NAME", NULL for the default; settings: "KEY=VALUE,VALUE" each; seeds: "VALUE,VALUE",
 * the last axis, NULL for none. *out is freed by
 * sweep_machines_free in any case. Returns as machine_choice_load, and ARMPMU_BAD_CONFIG for more
 * than SWEEP_MACHINES_MAX. */
ARMPMU_MUST_USE enum armpmu_status
sweep_machines_load(const char *names, const struct option_list *settings, const char *seeds,
                    struct sweep_machines *out, struct armpmu_error *err);
void sweep_machines_free(struct sweep_machines *machines);

/* The value of an axis that a machine has. */
const char *sweep_machines_value(const struct sweep_machines *machines, size_t machine,
                                 size_t axis);

#endif

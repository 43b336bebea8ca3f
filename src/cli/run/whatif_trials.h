/* The trials of a machine that armpmu whatif replays an execution on: each differs in one thing.
 */
#ifndef CLI_RUN_WHATIF_TRIALS_H
#define CLI_RUN_WHATIF_TRIALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/machine.h"
#include "cli/machine_choice.h"
#include "machine/core_descriptor.h"

struct whatif_trial {
    char *text;                     /* "memory had half the latency" */
    char *change;                   /* "memory.latency_cycles = 75, not 150"; NULL of a place */
    struct armpmu_machine *machine; /* NULL: it cannot be replayed, and reason says why */
    char *reason;
    /* The cure, NULL of a machine's; its ranges are owned. The cycles of the place as they
     * were, and in the replay. */
    struct cures *cures;
    char *place;
    uint64_t place_before, place_after;
    bool knows_before, knows_after; /* not of data; the core model counts them */
    size_t number;   /* in the order in which they were made; the same: alternatives */
    bool is_counted; /* it was replayed: place_after, and the cycles of all */
    uint64_t cycles;
};

struct whatif_trials {
    struct whatif_trial *items;
    size_t n, room;
};

/* The machine that all of them differ from. All pointers are borrowed. */
struct whatif_base {
    const struct armpmu_machine *machine;
    const char *option; /* it was chosen by this, and changed by these */
    const struct machine_settings *settings;
};

/* Adds a trial for each row of whatif_ideals.def that changes the machine. Returns ARMPMU_OK or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status whatif_add_ideals(struct whatif_trials *trials,
                                                     const struct whatif_base *base,
                                                     struct armpmu_error *err);

/* Adds one with a place that is cured, with the cycles of that before; all are copied. number: that
 * of the trial. Returns as whatif_add_ideals. */
ARMPMU_MUST_USE enum armpmu_status whatif_add_cure(struct whatif_trials *trials,
                                                   const struct whatif_base *base,
                                                   const struct whatif_trial *like,
                                                   struct armpmu_error *err);

/* The turns ahead that a prefetch is tried with first. */
#define WHATIF_FIRST_TURNS 16u

/* Adds alternatives of prefetches, which all have been replayed: half and twice as many turns ahead
 * as the best, where they are new. Returns as whatif_add_ideals. */
ARMPMU_MUST_USE enum armpmu_status whatif_add_turns(struct whatif_trials *trials,
                                                    const struct whatif_base *base,
                                                    struct armpmu_error *err);

/* Keeps the best of alternatives, which differ in their turns. */
void whatif_keep_best(struct whatif_trials *trials);

void whatif_trials_free(struct whatif_trials *trials);

#endif

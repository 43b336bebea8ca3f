/* Profiles: how often each signal happened at each instruction, by call path, exactly.
 *
 * Every signal that a core model counts belongs to an instruction (docs/attribution.md has the rule
 * of each): the miss to the load, the stall to the instruction that waits, the flush to the branch.
 * The sum over all rows is what armpmu_sim_signals gives, signal by signal.
 *
 * Call paths come from the executed calls and returns, not from unwinding. A system says which of
 * its tasks runs (ARMPMU_SYSTEM_CONTEXT): each has paths of its own. */
#ifndef ARMPMU_PROFILE_H
#define ARMPMU_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"
#include "armpmu/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum armpmu_profile_detail {
    ARMPMU_PROFILE_OFF,
    ARMPMU_PROFILE_INSNS, /* by instruction */
    ARMPMU_PROFILE_PATHS, /* by call path and instruction */
};

/* What happened at an instruction. Valid during the call that brings it. */
struct armpmu_profile_row {
    uint64_t address; /* without the Thumb bit; 0, with n_bytes 0: at no instruction */
    enum armpmu_isa isa;
    uint8_t n_bytes;
    uint8_t bytes[4];        /* of the instruction, as they stand in memory */
    uint32_t file;           /* as struct armpmu_block_source has it */
    uint32_t path;           /* without ARMPMU_PROFILE_PATHS the outermost of a context; 0: that of
                              * context 0 */
    const uint64_t *signals; /* ARMPMU_SIGNAL_COUNT */
};

/* A call path: which call led to it, and from where. Numbers rise from parent to child. */
struct armpmu_profile_path {
    uint32_t parent;   /* itself: the outermost of its context */
    uint32_t context;  /* as the trace says, ARMPMU_SYSTEM_CONTEXT; 0 where it does not */
    uint64_t caller;   /* address of the instruction that called */
    uint64_t function; /* address that was called */
};

/* How much a core model is to tell of where signals happen. Before the first armpmu_sim_run.
 * Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_API ARMPMU_MUST_USE enum armpmu_status
armpmu_sim_set_profile(struct armpmu_sim *sim, enum armpmu_profile_detail detail,
                       struct armpmu_error *err);

/* Returns false to end. */
typedef bool (*armpmu_profile_fn)(void *user, const struct armpmu_profile_row *row);

/* After armpmu_sim_finish: calls back for each row that counted anything, by path and address. Two
 * rows may be of the same address with other bytes: code that changed. Returns ARMPMU_OK or
 * ARMPMU_NO_MEMORY. */
ARMPMU_API ARMPMU_MUST_USE enum armpmu_status armpmu_sim_profile(struct armpmu_sim *sim,
                                                                 armpmu_profile_fn call, void *user,
                                                                 struct armpmu_error *err);

/* The paths so far, at least the outermost; valid until the next armpmu_sim_run. */
ARMPMU_API const struct armpmu_profile_path *armpmu_sim_profile_paths(const struct armpmu_sim *sim,
                                                                      size_t *n_paths);

#ifdef __cplusplus
}
#endif
#endif

/* The time of a trace in slices: several processes, or several computers, each count a part of it.
 *
 * A model that can be sliced has contents (of caches, TLBs, predictors) that change in program
 * order whatever the time. A process therefore reaches the start of its slice by following:
 * contents change but no time passes, which is cheaper. Some records earlier it begins to keep
 * time, from an idle pipeline. When two processes are in the same state after the same record,
 * their futures are equal: so the slice before must end in the state in which this one began to
 * count, contents and times, or what it counted is not used.
 *
 * Assumes: states are compared by digests of 128 bits; two states with the same digest are one.
 * Leaves out: profiles, intervals, maps of misses, cores that share a cache. */
#ifndef CORES_SLICES_H
#define CORES_SLICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"
#include "trace/trace_reader.h"

/* A state of a core, relative to its cycle. */
struct core_digest {
    uint64_t words[2];
};

static inline void core_digest_add(struct core_digest *digest, uint64_t word)
{
    uint64_t *const w = digest->words;

    w[0] = (w[0] ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    w[0] ^= w[0] >> 32;
    w[1] = (w[1] + word) * UINT64_C(0xc2b2ae3d27d4eb4f);
    w[1] ^= w[1] >> 29;
}

/* bytes: without padding that differs. */
void core_digest_add_bytes(struct core_digest *digest, const void *bytes, size_t n);

/* The counts of a slice. */
struct sim_slice {
    struct core_digest begins, ends; /* the states between which it counted */
    bool is_unsure; /* what began by following does not tell all that mattered: not to be used */
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
    uint64_t n_helper_calls, n_system_calls[TRACE_READER_CALLS]; /* from the trace's start on */
    uint64_t *more; /* what only the model knows; freed by the owner */
    size_t n_more;
};

/* A core model that can be sliced. state: as in struct core_model. */
struct core_slicing {
    /* NULL: all of its machines. */
    bool (*fits)(const struct armpmu_machine *machine);

    /* From here on it follows; keeps time, from an idle pipeline. */
    void (*follow)(void *state);
    void (*keep_time)(void *state);

    /* A slice begins; ends: *more is for the caller to free. Both ARMPMU_OK or ARMPMU_NO_MEMORY. */
    enum armpmu_status (*begin)(void *state);
    enum armpmu_status (*end)(void *state, struct sim_slice *slice);
    void (*digest)(const void *state, struct core_digest *digest);

    /* Puts right the signals of n slices that are no sums of theirs. False: `more` is damaged. */
    bool (*join)(const struct armpmu_machine *machine, const struct sim_slice *slices, size_t n,
                 uint64_t *signals);
};

/* Returns whether the core of a machine can be sliced. */
bool sim_can_slice(const struct armpmu_machine *machine);

/* As in struct core_slicing, of a model that can be sliced. */
void sim_follow(struct armpmu_sim *sim);
void sim_keep_time(struct armpmu_sim *sim);

/* A slice begins, or ends; whoever ends one frees slice->more. Returns ARMPMU_OK or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status sim_slice_begin(struct armpmu_sim *sim, struct sim_slice *slice,
                                                   struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status sim_slice_end(struct armpmu_sim *sim, struct sim_slice *slice,
                                                 struct armpmu_error *err);

/* The model, of a trace that has ended, has counted what these did together, one after the other:
 * at least one. Returns ARMPMU_OK, ARMPMU_BAD_INPUT (they are damaged) or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status sim_join_slices(struct armpmu_sim *sim,
                                                   const struct sim_slice *slices, size_t n,
                                                   struct armpmu_error *err);

#endif

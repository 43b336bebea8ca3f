/* States of the XScale's pipeline by number, so that a block can remember what it does from each.
 * Numbers are in order of first appearance: the same program gives the same on every host. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cores/xscale/core.h"

static_assert(sizeof(struct xs_state) == XS_REGISTERS + 8, "no padding");

/* At most so many: 9 MB of them. Programs meet a few hundred. */
enum { STATES_MAX = 1 << 18 };

enum armpmu_status xs_states_init(struct xs_states *states)
{
    const struct xs_timeline idle = {.late = 0};

    memset(states, 0, sizeof *states);
    if (xs_state_at(states, &idle, 0) == XS_IDLE)
        return ARMPMU_OK;
    xs_states_free(states);
    return ARMPMU_NO_MEMORY;
}

void xs_states_free(struct xs_states *states)
{
    free(states->states);
    intern_free(&states->numbers);
    memset(states, 0, sizeof *states);
}

static uint32_t hash_of(const struct xs_state *state)
{
    const uint8_t *bytes = (const uint8_t *)state;
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof *state; i += 4) {
        uint32_t part;
        memcpy(&part, bytes + i, sizeof part);
        hash = (hash ^ part) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return (uint32_t)(hash >> 32);
}

static bool same(const void *states, uint32_t number, const void *state)
{
    return memcmp((const struct xs_state *)states + number, state, sizeof(struct xs_state)) == 0;
}

static uint32_t intern(struct xs_states *states, const struct xs_state *state)
{
    const uint32_t hash = hash_of(state);
    const uint32_t known = intern_find(&states->numbers, hash, same, states->states, state);

    if (known != INTERN_NONE)
        return known;
    if (states->n_states == STATES_MAX ||
        !ARRAY_RESERVE(states->states, states->room, (size_t)states->n_states + 1) ||
        !intern_add(&states->numbers, hash, states->n_states))
        return XS_EXPLICIT;
    states->states[states->n_states] = *state;
    return states->n_states++;
}

static uint64_t until(uint64_t time, uint64_t now)
{
    return time > now ? time - now : 0;
}

uint32_t xs_state_at(struct xs_states *states, const struct xs_timeline *timeline, uint64_t now)
{
    struct xs_state state = {.late = 0};
    uint64_t longest = 0;
    for (unsigned r = 0; r < XS_REGISTERS; r++) {
        const uint64_t wait = until(timeline->ready[r], now);
        const bool late = (timeline->late >> r & 1) != 0 && timeline->ready[r] >= now;
        longest = wait + late > longest ? wait + late : longest;
        state.ready[r] = (uint8_t)wait;
        state.late |= (uint32_t)late << r;
    }
    const uint64_t multiplier = until(timeline->multiplier, now);
    const uint64_t memory = until(timeline->memory, now);
    longest = multiplier > longest ? multiplier : longest;
    longest = memory > longest ? memory : longest;
    if (longest > UINT8_MAX)
        return XS_EXPLICIT;
    state.multiplier = (uint8_t)multiplier;
    state.memory = (uint8_t)memory;
    state.longest = (uint16_t)longest;
    return intern(states, &state);
}

void xs_timeline_of(const struct xs_states *states, uint32_t number, uint64_t now,
                    struct xs_timeline *timeline)
{
    const struct xs_state *state = &states->states[number];
    for (unsigned r = 0; r < XS_REGISTERS; r++)
        timeline->ready[r] = now + state->ready[r];
    timeline->multiplier = now + state->multiplier;
    timeline->memory = now + state->memory;
    timeline->late = state->late;
}

uint32_t xs_state_after(struct xs_states *states, uint32_t number, uint64_t cycles)
{
    struct xs_timeline timeline;
    if (cycles == 0)
        return number;
    if (states->states[number].longest <= cycles)
        return XS_IDLE;
    xs_timeline_of(states, number, 0, &timeline);
    return xs_state_at(states, &timeline, cycles);
}

/* States of the XScale's pipeline by number, so that a block can remember what it does from each.
 * Numbers are in order of first appearance: the same program gives the same on every host. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cores/xscale/core.h"

static_assert(sizeof(struct xs_state) == XS_REGISTERS + 8, "no padding");

/* At most so many: 9 MB of them. Programs meet a few hundred. */
enum { FIRST_ROOM = 128, SLOTS_EACH = 2, STATES_MAX = 1 << 18 };

enum armpmu_status xs_states_init(struct xs_states *states)
{
    memset(states, 0, sizeof *states);
    states->states = calloc(FIRST_ROOM, sizeof states->states[0]);
    states->slots = calloc(SLOTS_EACH * FIRST_ROOM, sizeof states->slots[0]);
    if (states->states == NULL || states->slots == NULL) {
        xs_states_free(states);
        return ARMPMU_NO_MEMORY;
    }
    states->room = FIRST_ROOM;
    const struct xs_timeline idle = {.late = 0};
    return xs_state_at(states, &idle, 0) == XS_IDLE ? ARMPMU_OK : ARMPMU_NO_MEMORY;
}

void xs_states_free(struct xs_states *states)
{
    free(states->states);
    free(states->slots);
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

static uint32_t *slot_of(const struct xs_states *states, const struct xs_state *state)
{
    const uint32_t mask = SLOTS_EACH * states->room - 1;
    uint32_t i = hash_of(state) & mask;
    while (states->slots[i] != 0 &&
           memcmp(&states->states[states->slots[i] - 1], state, sizeof *state) != 0)
        i = (i + 1) & mask;
    return &states->slots[i];
}

static bool grow(struct xs_states *states)
{
    const size_t room = (size_t)states->room * 2;
    uint32_t *slots = calloc(SLOTS_EACH * room, sizeof *slots);
    struct xs_state *grown = realloc(states->states, room * sizeof states->states[0]);
    if (grown != NULL)
        states->states = grown;
    if (slots == NULL || grown == NULL) {
        free(slots);
        return false;
    }
    free(states->slots);
    states->slots = slots;
    states->room = (uint32_t)room;
    for (uint32_t i = 0; i < states->n_states; i++)
        *slot_of(states, &states->states[i]) = i + 1;
    return true;
}

static uint32_t intern(struct xs_states *states, const struct xs_state *state)
{
    uint32_t *slot = slot_of(states, state);
    if (*slot != 0)
        return *slot - 1;
    if (states->n_states == states->room) {
        if (states->room == STATES_MAX || !grow(states))
            return XS_EXPLICIT;
        slot = slot_of(states, state);
    }
    states->states[states->n_states] = *state;
    *slot = ++states->n_states;
    return *slot - 1;
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

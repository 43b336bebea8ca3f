/* Numbers the states of the XScale's pipeline, so that a block can remember its effect for each
 * entry state. Numbers follow the order of first appearance, so they are the same on every host. */
#include <assert.h>

#include "cores/xscale/core.h"

static_assert(sizeof(struct xs_state) == XS_REGISTERS + 12, "no padding");

static uint64_t until(uint64_t time, uint64_t now)
{
    return time > now ? time - now : 0;
}

uint32_t xs_state_at(struct schedule_states *states, const struct xs_timeline *timeline,
                     uint64_t now)
{
    struct xs_state state = {.late = 0};
    const uint64_t multiplier = until(timeline->multiplier, now);
    const uint64_t memory = until(timeline->memory, now);
    uint64_t longest = multiplier > memory ? multiplier : memory;
    int32_t waits[XS_REGISTERS], most = 0;
    for (unsigned r = 0; r < XS_REGISTERS; r++) {
        const int32_t wait = xs_wait(timeline, r, now);
        waits[r] = wait > 0 ? wait : 0;
        most = waits[r] > most ? waits[r] : most;
    }
    longest = (uint64_t)most > longest ? (uint64_t)most : longest;
    for (uint32_t late = timeline->late; late != 0; late &= late - 1) {
        const unsigned r = (unsigned)__builtin_ctz(late);
        if (xs_wait(timeline, r, now) < 0)
            continue;
        state.late |= UINT32_C(1) << r;
        longest = (uint64_t)waits[r] + 1 > longest ? (uint64_t)waits[r] + 1 : longest;
    }
    for (uint32_t missed = timeline->missed; missed != 0; missed &= missed - 1)
        if (waits[__builtin_ctz(missed)] > 0)
            state.missed |= missed & -missed;
    if (longest > UINT8_MAX)
        return SCHEDULE_NO_STATE;
    for (unsigned r = 0; r < XS_REGISTERS; r++)
        state.ready[r] = (uint8_t)waits[r];
    state.multiplier = (uint8_t)multiplier;
    state.memory = (uint8_t)memory;
    state.longest = (uint16_t)longest;
    return schedule_states_number(states, &state);
}

void xs_timeline_catch_up(struct xs_timeline *timeline, uint64_t now)
{
    for (unsigned r = 0; r < XS_REGISTERS; r++) {
        if (xs_wait(timeline, r, now) >= 0)
            continue;
        timeline->ready[r] = (uint32_t)now;
        timeline->late &= ~(UINT32_C(1) << r);
    }
}

void xs_timeline_of(const struct schedule_states *states, uint32_t number, uint64_t now,
                    struct xs_timeline *timeline)
{
    const struct xs_state *state = schedule_states_at(states, number);
    for (unsigned r = 0; r < XS_REGISTERS; r++)
        timeline->ready[r] = (uint32_t)now + state->ready[r];
    timeline->multiplier = now + state->multiplier;
    timeline->memory = now + state->memory;
    timeline->late = state->late;
    timeline->missed = state->missed;
}

uint32_t xs_state_after(struct schedule_states *states, uint32_t number, uint64_t cycles)
{
    const struct xs_state *state = schedule_states_at(states, number);
    struct xs_timeline timeline;
    if (cycles == 0)
        return number;
    if (state->longest <= cycles)
        return SCHEDULE_IDLE;
    xs_timeline_of(states, number, 0, &timeline);
    return xs_state_at(states, &timeline, cycles);
}

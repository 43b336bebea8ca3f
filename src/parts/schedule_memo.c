#include "parts/schedule_memo.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sparse.h"

/* Words of the state, folded one into the next by multiply and shift (Fibonacci's constant). */
static uint32_t hash_of(const unsigned char *state, size_t n_bytes)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n_bytes; i += sizeof sum) {
        uint64_t word = 0;
        memcpy(&word, state + i, i + sizeof word <= n_bytes ? sizeof word : sizeof(uint32_t));
        sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 29;
    }
    return (uint32_t)(sum >> 16);
}

static bool same(const void *things, uint32_t number, const void *state)
{
    const struct schedule_states *const states = things;

    return memcmp(schedule_states_at(states, number), state, states->state_bytes) == 0;
}

enum armpmu_status schedule_states_init(struct schedule_states *states, size_t state_bytes)
{
    *states = (struct schedule_states){.state_bytes = state_bytes};
    unsigned char *const idle = calloc(1, state_bytes);
    const bool made = idle != NULL && schedule_states_number(states, idle) == SCHEDULE_IDLE;

    free(idle);
    if (made)
        return ARMPMU_OK;
    schedule_states_free(states);
    return ARMPMU_NO_MEMORY;
}

void schedule_states_free(struct schedule_states *states)
{
    free(states->states);
    intern_free(&states->numbers);
    *states = (struct schedule_states){0};
}

uint32_t schedule_states_number(struct schedule_states *states, const void *state)
{
    const size_t bytes = states->state_bytes;
    const uint32_t hash = hash_of(state, bytes);
    const uint32_t known = intern_find(&states->numbers, hash, same, states, state);

    if (known != INTERN_NONE)
        return known;
    if (states->n >= SCHEDULE_STATES_MAX ||
        !ARRAY_RESERVE(states->states, states->room, (states->n + 1) * bytes) ||
        !intern_add(&states->numbers, hash, states->n))
        return SCHEDULE_NO_STATE;
    memcpy(states->states + states->n * bytes, state, bytes);
    return states->n++;
}

struct schedule_memo *schedule_memo_search(struct schedule_memos *memos, uint32_t key)
{
    struct schedule_memo *memo = memos->all;
    while (memo != NULL && memo->key != key)
        memo = memo->sibling;
    if (memo != NULL)
        memos->recent[key % SCHEDULE_RECENT] = memo;
    return memo;
}

struct run_increment *run_increments_new(const uint64_t *per_run, uint32_t n,
                                         uint32_t *n_increments)
{
    uint32_t used = 0;

    SPARSE_EACH(i, per_run, n)
    used++;
    *n_increments = used;
    struct run_increment *const made = malloc(used * sizeof *made + 1);
    if (made == NULL)
        return NULL;
    used = 0;
    SPARSE_EACH(i, per_run, n)
    made[used++] = (struct run_increment){i, (uint32_t)per_run[i]};
    return made;
}

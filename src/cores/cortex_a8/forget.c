/* Forgetting blocks of the Cortex-A8 model, so that a program that keeps making code does not take
 * ever more memory. A forgotten block is made again, the same, when it runs again: it holds only
 * its counts, which are moved out first, and facts that can be found again. */
#include "cores/cortex_a8/core.h"

#include <string.h>

bool a8_is_full(const struct a8 *a8)
{
    return code_is_full(&a8->share) || schedule_states_are_full(&a8->states);
}

/* Whether the trace may still be about the block. */
static bool is_needed(const struct a8 *a8, const struct a8_block *block)
{
    bool needed =
        block == a8->memo->block || (a8->cut_memo != NULL && block == a8->cut_memo->block);
    for (uint32_t i = 0; i < a8->n_interrupted; i++)
        needed |= block == a8->interrupted[i];
    return needed;
}

/* The exits of a block that stays, to blocks that go. */
static void forget_ways(struct a8_block *block)
{
    for (struct a8_schedule_memo *memo = block->memos; memo != NULL; memo = memo->sibling)
        for (unsigned taken = 0; taken < 2; taken++)
            if (memo->next_memo[taken] != NULL && memo->next_memo[taken]->block->forgettable) {
                memo->next_memo[taken] = NULL;
                memo->next_word[taken] = 0;
            }
}

static void free_forgettable(struct a8 *a8)
{
    for (uint32_t i = 0; i < a8->n_index; i++) {
        struct a8_block *block = a8->by_index[i];
        if (block == NULL || !block->forgettable)
            continue;
        a8_free_block(a8, block);
        a8->by_index[i] = NULL;
    }
}

/* Forgets the blocks that did not run since the last read, or all. */
static void forget(struct a8 *a8, bool all)
{
    for (uint32_t i = 0; i < a8->n_index; i++) {
        struct a8_block *block = a8->by_index[i];
        if (block != NULL)
            block->forgettable = (all || !block->holds) && !is_needed(a8, block);
    }
    a8_sync(a8);
    for (uint32_t id = 0; id < a8->n_ids; id++)
        if (a8->by_id[id] != NULL && a8->by_id[id]->forgettable)
            a8->by_id[id] = NULL;
    for (uint32_t i = 0; i < a8->n_index; i++)
        if (a8->by_index[i] != NULL && !a8->by_index[i]->forgettable)
            forget_ways(a8->by_index[i]);
    free_forgettable(a8);
}

static uint32_t move_state(struct schedule_states *to, const struct schedule_states *from,
                           uint32_t number)
{
    return schedule_states_number(to, schedule_states_at(from, number));
}

/* Numbers the states that are still in use anew. Without memory the table stays as it is. */
static void forget_states(struct a8 *a8)
{
    struct schedule_states old = a8->states;
    if (schedule_states_init(&a8->states, old.state_bytes) != ARMPMU_OK) {
        a8->states = old;
        return;
    }
    for (uint32_t i = 0; i < a8->n_index; i++) {
        if (a8->by_index[i] == NULL)
            continue;
        for (struct a8_schedule_memo *v = a8->by_index[i]->memos; v != NULL; v = v->sibling) {
            v->key = move_state(&a8->states, &old, v->key >> 1) << 1 | (v->key & 1);
            v->after[0] = move_state(&a8->states, &old, v->after[0]);
            v->after[1] = move_state(&a8->states, &old, v->after[1]);
        }
    }
    schedule_states_free(&old);
}

/* Leaves room for as much again, or it would be full again at once. */
void a8_forget_blocks(struct a8 *a8)
{
    const bool many_states = schedule_states_are_full(&a8->states);
    const size_t before = a8->share.bytes;
    forget(a8, many_states);
    if (!many_states && a8->share.bytes > code_allowed(&a8->share) / 2)
        forget(a8, true);
    if (many_states)
        forget_states(a8);
    code_forgot(&a8->share, before);
}

/* The exits name ids, too. */
void a8_rename(void *state)
{
    struct a8 *a8 = state;
    if (a8->n_ids != 0)
        memset(a8->by_id, 0, a8->n_ids * sizeof a8->by_id[0]);
    for (uint32_t i = 0; i < a8->n_index; i++) {
        if (a8->by_index[i] == NULL)
            continue;
        for (struct a8_schedule_memo *v = a8->by_index[i]->memos; v != NULL; v = v->sibling)
            v->next_word[0] = v->next_word[1] = 0;
    }
}

/* The names used last, against an array that is moved at each use. */
#include "parts/recency.h"

#include <string.h>

#include "../test.h"

#define MOST  24u
#define TURNS 20000u

/* The latest first. */
struct row {
    uint64_t names[MOST];
    uint8_t states[MOST];
    unsigned n;
};

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Moves a name to the front; returns its state. */
static uint8_t *use(struct row *row, unsigned room, uint64_t name)
{
    unsigned at = 0;
    uint8_t state = 0;

    while (at < row->n && row->names[at] != name)
        at++;
    if (at < row->n)
        state = row->states[at];
    else if (row->n < room)
        row->n++;
    else
        at = room - 1;
    memmove(row->names + 1, row->names, at * sizeof *row->names);
    memmove(row->states + 1, row->states, at);
    row->names[0] = name;
    row->states[0] = state;
    return &row->states[0];
}

static void expect_same(const struct recency *recency, const struct row *row, uint64_t name)
{
    const uint8_t *const state = recency_find(recency, name);
    unsigned at = 0;

    while (at < row->n && row->names[at] != name)
        at++;
    assert_int_equal(state != NULL, at < row->n);
    assert_true(state == NULL || *state == row->states[at]);
}

TEST(the_latest_names_are_there_with_their_states)
{
    for (unsigned room = 1; room <= MOST; room++) {
        struct recency recency;
        struct row row = {.n = 0};
        uint32_t seed = room;
        assert_true(recency_init(&recency, room));
        for (unsigned i = 0; i < TURNS; i++) {
            const uint64_t name = (uint64_t)(next_random(&seed) % (2 * room + 3)) << 36;
            expect_same(&recency, &row, name);
            uint8_t *const have = recency_use(&recency, name), *const want = use(&row, room, name);
            assert_int_equal(*have, *want);
            *have = *want = (uint8_t)i;
        }
        recency_free(&recency);
    }
}

TEST(one_without_room_has_no_names)
{
    const struct recency none = {0};

    assert_null(recency_find(&none, 0));
}

/* Growable arrays keep their items, clear new ones, and are unchanged when memory is short. */
#include "../test.h"

#include <stdlib.h>

#include "failing_memory.h"
#include "base/array.h"

TEST(items_stay_and_new_ones_are_zero)
{
    uint64_t *items = NULL;
    size_t room = 0;

    failing_memory.n_asked = 0;
    for (size_t n = 0; n < 100000; n++) {
        assert_true(ARRAY_RESERVE(items, room, n + 1));
        assert_true(room > n);
        assert_int_equal(items[n], 0);
        items[n] = n + 1;
        assert_int_equal(items[n / 2], n / 2 + 1);
    }
    assert_true(failing_memory.n_asked < 20); /* each at least doubles */
    free(items);
}

TEST(far_items_are_reached_at_once)
{
    uint16_t *items = NULL;
    size_t room = 0;

    failing_memory.n_asked = 0;
    assert_true(ARRAY_RESERVE(items, room, 123457));
    assert_int_equal(failing_memory.n_asked, 1);
    for (size_t i = 0; i < 123457; i++)
        assert_int_equal(items[i], 0);
    free(items);
}

TEST(what_cannot_be_had_changes_nothing)
{
    uint32_t *items = NULL;
    size_t room = 0;

    assert_true(ARRAY_RESERVE(items, room, 3));
    uint32_t *const before = items;
    const size_t room_before = room;
    items[2] = 7;
    failing_memory.n_asked = 0;
    assert_false(ARRAY_RESERVE(items, room, SIZE_MAX / sizeof *items + 1));
    assert_false(ARRAY_RESERVE(items, room, SIZE_MAX));
    assert_int_equal(failing_memory.n_asked, 0); /* too many bytes for a size_t: never asked for */
    failing_memory.left = 0;
    assert_false(ARRAY_RESERVE(items, room, room + 1));
    assert_int_equal(failing_memory.n_asked, 1);
    assert_ptr_equal(items, before);
    assert_int_equal(room, room_before);
    assert_int_equal(items[2], 7);
    free(items);
}

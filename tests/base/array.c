/* Growable arrays: what was there stays, what is new is zero, and what does not fit changes
 * nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/array.h"

void *__real_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);

static unsigned n_calls, fails_from = UINT32_MAX;

void *__wrap_realloc(void *old, size_t bytes)
{
    return ++n_calls >= fails_from ? NULL : __real_realloc(old, bytes);
}

static void items_stay_and_new_ones_are_zero(void **state)
{
    uint64_t *items = NULL;
    size_t room = 0;

    (void)state;
    n_calls = 0;
    for (size_t n = 0; n < 100000; n++) {
        assert_true(ARRAY_RESERVE(items, room, n + 1));
        assert_true(room > n);
        assert_int_equal(items[n], 0);
        items[n] = n + 1;
        assert_int_equal(items[n / 2], n / 2 + 1);
    }
    assert_true(n_calls < 20); /* each at least doubles */
    free(items);
}

static void far_items_are_reached_at_once(void **state)
{
    uint16_t *items = NULL;
    size_t room = 0;

    (void)state;
    n_calls = 0;
    assert_true(ARRAY_RESERVE(items, room, 123457));
    assert_int_equal(n_calls, 1);
    for (size_t i = 0; i < 123457; i++)
        assert_int_equal(items[i], 0);
    free(items);
}

static void what_cannot_be_had_changes_nothing(void **state)
{
    uint32_t *items = NULL;
    size_t room = 0;

    (void)state;
    assert_true(ARRAY_RESERVE(items, room, 3));
    uint32_t *const before = items;
    const size_t room_before = room;
    items[2] = 7;
    n_calls = 0;
    assert_false(ARRAY_RESERVE(items, room, SIZE_MAX / sizeof *items + 1));
    assert_false(ARRAY_RESERVE(items, room, SIZE_MAX));
    assert_int_equal(n_calls, 0); /* too many bytes for a size_t: never asked for */
    fails_from = 1;
    assert_false(ARRAY_RESERVE(items, room, room + 1));
    fails_from = UINT32_MAX;
    assert_int_equal(n_calls, 1);
    assert_ptr_equal(items, before);
    assert_int_equal(room, room_before);
    assert_int_equal(items[2], 7);
    free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_stay_and_new_ones_are_zero),
        cmocka_unit_test(far_items_are_reached_at_once),
        cmocka_unit_test(what_cannot_be_had_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
